/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "defects.h"
#include "pitot_clock.h"

/* As in src/pipe_driver/screen_clock.c. */
struct screen_clock {
   struct pitot_clock base;
   unsigned context_count;
   void (*stock_timestamp)(void);
};

static bool is_short;

void *
__libc_calloc(size_t count, size_t size_B);

/* Replaces the calloc() of all libraries. */
void *
calloc(size_t count, size_t size_B)
{
   if (is_short && count == 1 && size_B == sizeof(struct screen_clock)) {
      is_short = false;
      return NULL;
   }
   return __libc_calloc(count, size_B);
}

static void
expect_counts(void)
{
   expect(count(GL_SAMPLES_PASSED, 3), 3);
   expect_least(count(GL_TIME_ELAPSED, 1), 1);
}

/* If the clock cannot be allocated, this context and later ones count right.
 */
void
contexts_may_lack_a_clock(void)
{
   is_short = true;
   open_new_context();
   const EGLContext first = eglGetCurrentContext();
   expect_counts();
   open_new_context();
   expect_counts();
   egl_use_context(first);
   expect_counts();
}
