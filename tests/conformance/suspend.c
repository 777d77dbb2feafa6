/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <dlfcn.h>
#include <time.h>

#include "suspend.h"

static time_t slept_s;

void
suspend_system(void)
{
   slept_s++;
}

/* Comes before the C library's, for the GL that is loaded by this program,
 * too: that is why the program exports its symbols.  The library's makes no
 * system call, of which simulated GPUs would make one for each packet.
 */
int
clock_gettime(clockid_t clock, struct timespec *time_out)
{
   static int (*_Atomic next)(clockid_t, struct timespec *);

   if (!next)
      next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT,
                                                          "clock_gettime");
   const int error = next(clock, time_out);

   if (!error && clock == CLOCK_BOOTTIME)
      time_out->tv_sec += slept_s;
   return error;
}
