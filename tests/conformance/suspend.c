/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

#include "../gl_setup.h"
#include "suspend.h"

static _Atomic time_t slept_s; /* by suspend_system() */
static _Atomic time_t passed_s;

void
suspend_system(void)
{
   slept_s++;
}

/* The simulator's clocks follow CLOCK_MONOTONIC.  The GPU stays on for longer
 * each time, so that its clock passes the last power-off.
 */
bool
suspend_gpu(void)
{
   static _Atomic time_t on_s;

   if (!sim_is_there())
      return false;
   passed_s += SLEEP_S;
   sim_call("suspend");
   passed_s += ++on_s;
   return true;
}

/* Replaces the C library's function, also for Mesa (this program exports
 * symbols).  The original needs no system call: simulated GPUs read the clock
 * at each packet.
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
   if (!error && (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
                  clock == CLOCK_BOOTTIME))
      time_out->tv_sec += passed_s;
   return error;
}

/* Mesa's time limits use these clocks, but the kernel's is earlier. */
long
syscall(long number, ...)
{
   static long (*_Atomic next)(long, ...);
   long arguments[6];
   struct timespec until;
   va_list list;

   if (!next)
      next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
   va_start(list, number);
   for (unsigned i = 0; i < 6; i++)
      arguments[i] = va_arg(list, long);
   va_end(list);

   const struct timespec *const timeout =
      (const struct timespec *)arguments[3];
   const int command = arguments[1] & FUTEX_CMD_MASK;

   if (number == SYS_futex && command == FUTEX_WAIT_BITSET && timeout) {
      until = *timeout;
      until.tv_sec = until.tv_sec > passed_s ? until.tv_sec - passed_s : 0;
      arguments[3] = (long)&until;
   }
   return next(number, arguments[0], arguments[1], arguments[2], arguments[3],
               arguments[4], arguments[5]);
}
