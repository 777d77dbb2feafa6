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

/* Replaces the function of the C library, also for the GL that this program
 * loads, which is why the program exports its symbols.  It calls that
 * function, which needs no system call: simulated GPUs ask for the time at
 * each packet.
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
