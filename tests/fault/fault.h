/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Faults: calls of Pitot's that fail because the test wants it.  A site is a
 * kind of call; its calls are counted from 1 on.
 *
 *    fault_arm(&(struct fault){ &fault_kinds[0], 3, FAULT_ONCE });
 *    ...                        Pitot's third allocation fails
 *    fault_disarm();
 *
 * The code under test is compiled with its allocations sent here, so that
 * those of the tests and the simulators neither fail nor count.
 */

#ifndef PITOT_TESTS_FAULT_H
#define PITOT_TESTS_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault_site {
   FAULT_MEMORY,        /* an allocation, or an object of an arena */
   FAULT_DRIVER_CREATE, /* calls of pitot/driver.h and of perf providers */
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
   FAULT_IOCTL, /* calls of the kernel */
   FAULT_MMAP,
   FAULT_SITE_COUNT,
};

/* An event of the GPU's at a call, which itself goes well. */
enum fault_event {
   FAULT_NO_EVENT,
   FAULT_RESET,       /* the GPU is reset, by another process */
   FAULT_RESET_CLOCK, /* and its clock begins anew */
   FAULT_HANG,        /* the next batch hangs, and its context is banned */
};

struct fault_kind {
   const char *name;
   enum fault_site site;
   int error;              /* errno of the call */
   enum fault_event event; /* or no error */
   unsigned burst;         /* so many calls in a row fail; 0: one */
   bool is_silent;         /* nothing may be seen of it */
};

/* The table of all faults. */
extern const struct fault_kind fault_kinds[];
extern const unsigned fault_kind_count;

/* How often the calls of the site fail, from the first one on. */
enum fault_times {
   FAULT_ONCE,
   FAULT_TWICE, /* and once more, some calls later */
   FAULT_ALWAYS,
   FAULT_TIMES_COUNT,
};

struct fault {
   const struct fault_kind *kind;
   unsigned first;
   enum fault_times times;
};

/* Counts from 0 again, with a fault, or with NULL: no call fails. */
void
fault_arm(const struct fault *fault);

/* Returns the kind of the fault of this run, or NULL. */
const struct fault_kind *
fault_armed(void);

/* From now on no call fails or counts. */
void
fault_disarm(void);

/* The same for a while: calls of these are in pairs. */
void
fault_suspend(void);

void
fault_resume(void);

/* Counts a call of a site.  Returns the kind of the fault that it has, or
 * NULL.
 */
const struct fault_kind *
fault_take(enum fault_site site);

/* Returns how many calls of a site there were, and how many had a fault. */
unsigned
fault_calls(enum fault_site site);

unsigned
fault_injected(void);

/* Returns how many allocations of Pitot's are live. */
int
fault_live(void);

/* Writes what a fault is, and on which call: "no memory, call 3, once". */
void
fault_print(const struct fault *fault, char *text, size_t size);

/* Reads a fault that fault_print() wrote.  Returns whether there is one. */
bool
fault_read(const char *text, struct fault *fault_out);

#endif /* PITOT_TESTS_FAULT_H */
