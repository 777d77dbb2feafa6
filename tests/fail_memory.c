/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stddef.h>

#include "fail_memory.h"

unsigned fail_memory;

/* The linker sends the calls of calloc() here (--wrap). */
void *
__wrap_calloc(size_t count, size_t size);
void *
__real_calloc(size_t count, size_t size);

void *
__wrap_calloc(size_t count, size_t size)
{
   if (fail_memory && --fail_memory == 0)
      return NULL;
   return __real_calloc(count, size);
}
