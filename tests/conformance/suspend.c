/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "suspend.h"

static time_t slept_s;

void
suspend_system(void)
{
   slept_s++;
}

/* Comes before the C library's, for the GL that is loaded by this program,
 * too: that is why the program exports its symbols.
 */
int
clock_gettime(clockid_t clock, struct timespec *time_out)
{
   const int error = syscall(SYS_clock_gettime, clock, time_out);

   if (!error && clock == CLOCK_BOOTTIME)
      time_out->tv_sec += slept_s;
   return error;
}
