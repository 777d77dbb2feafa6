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

static bool
counts(void)
{
   return is_about(read_query(measure(GL_SAMPLES_PASSED, 3)), 3, 0) &&
          read_query(measure(GL_TIME_ELAPSED, 1)) != 0;
}

/* If the clock cannot be allocated, this context and later ones count right.
 */
bool
contexts_may_lack_a_clock(void)
{
   is_short = true;
   open_context();
   const EGLContext first = eglGetCurrentContext();
   if (!counts())
      return false;
   open_context();
   if (!counts())
      return false;
   eglMakeCurrent(eglGetCurrentDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE,
                  first);
   return counts();
}
