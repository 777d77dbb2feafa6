/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Faults: Pitot's calls that fail on demand.  A site is a kind of call; its
 * calls are counted from 1.
 *
 *    fault_arm(&(struct fault){ &fault_kinds[0], 3, FAULT_ONCE });
 *    ...                        Pitot's third allocation fails
 *    fault_disarm();
 *
 * Only the code under test is compiled with its allocations redirected here:
 * allocations of tests and simulators neither fail nor count.
 */

#ifndef PITOT_TESTS_FAULT_H
#define PITOT_TESTS_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wrapped.h"

enum fault_site {
   FAULT_MEMORY,        /* an allocation, or an object of an arena */
   FAULT_DRIVER_CREATE, /* calls of pitot/driver.h and perf providers */
   FAULT_DRIVER_BEGIN,
   FAULT_DRIVER_END,
   FAULT_DRIVER_RESULT,
   FAULT_DRIVER_FENCE,
   FAULT_DRIVER_STORE,
   FAULT_HOOK_CREATE, /* calls of a pipe_context */
   FAULT_HOOK_BEGIN,
   FAULT_HOOK_END,
   FAULT_HOOK_RESULT,
   FAULT_HOOK_FENCE,
   FAULT_STREAM_BUFFER, /* calls of pitot/cs.h */
   FAULT_STREAM,
   FAULT_IOCTL, /* system calls */
   FAULT_MMAP,
   FAULT_SITE_COUNT,
};

/* A GPU event during a call that succeeds. */
enum fault_event {
   FAULT_NO_EVENT,
   FAULT_RESET,       /* by another process */
   FAULT_RESET_CLOCK, /* and its clock restarts */
   FAULT_HANG,        /* of the next batch; bans its context */
};

struct fault_kind {
   const char *name;
   enum fault_site site;
   int error;
   enum fault_event event; /* instead of an error */
   unsigned burst;         /* calls in a row that fail; 0: one */
   bool is_silent;         /* must have no effect */
};

extern const struct fault_kind fault_kinds[];
extern const unsigned fault_kind_count;

/* From the first call on. */
enum fault_times {
   FAULT_ONCE,
   FAULT_TWICE, /* and again, some calls later */
   FAULT_ALWAYS,
   FAULT_TIMES_COUNT,
};

struct fault {
   const struct fault_kind *kind;
   unsigned first;
   enum fault_times times;
};

/* Restarts the counts.  NULL: no call fails. */
void
fault_arm(const struct fault *fault);

/* The kind of this run's fault, or NULL. */
const struct fault_kind *
fault_armed(void);

/* Later calls neither fail nor count. */
void
fault_disarm(void);

/* The same, until the matching resume. */
void
fault_suspend(void);

void
fault_resume(void);

/* Counts a call of a site.  Returns the kind of its fault, or NULL. */
const struct fault_kind *
fault_take(enum fault_site site);

/* The numbers of calls of a site, and of failed ones. */
unsigned
fault_calls(enum fault_site site);

unsigned
fault_injected(void);

/* Pitot's live allocations. */
int
fault_live(void);

/* Prints a fault and its call: "no memory, call 3, once". */
void
fault_print(const struct fault *fault, char *text, size_t size);

/* Parses what fault_print() wrote.  Returns whether it is valid. */
bool
fault_read(const char *text, struct fault *fault_out);

#endif /* PITOT_TESTS_FAULT_H */
