/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GL implementation around Pitot that is nothing but its hooks: one error,
 * one buffer object, and a count of flushes.
 */

#ifndef PITOT_TESTS_HOST_H
#define PITOT_TESTS_HOST_H

#include "pitot/gl.h"
#include "pitot/null.h"
#include "pitot/perf_intel.h"
#include "perf/null_sets.h"
#include "script.h"

#define HOST_BUFFER_NAME  1
#define HOST_ALL_FEATURES (~0u)

struct host {
   struct pitot_null null;
   struct pitot_gl_info info;
   struct pitot_gl *gl;
   struct null_sets sets;
   struct pitot_perf_intel intel;
   unsigned error;
   char message[80];
   bool is_debugging;
   char performance[160]; /* the last such message */
   unsigned performance_count;
   uint64_t time_ns; /* moves on by time_step_ns at each look */
   uint64_t time_step_ns;
   unsigned flushes;
   unsigned held_back; /* vertices that a flush hands to the driver */
   uint8_t buffer[SCRIPT_BUFFER_SIZE_B];
   void *bound; /* the host, while its buffer is bound to QUERY_BUFFER */
   bool is_mapped;
};

/* Makes a context with these features on the null driver. */
void
host_init(struct host *host, enum pitot_gl_api api, unsigned features);

/* Makes it anew with fewer vertex streams. */
void
host_set_stream_count(struct host *host, unsigned stream_count);

/* Makes it anew, with a trace. */
void
host_set_trace(struct host *host, FILE *trace);

/* Makes it anew, without sets of counters. */
void
host_take_sets(struct host *host);

/* The system sleeps for a second. */
void
host_suspend(void);

/* The nth allocation from now finds no memory. */
void
host_fail_memory(unsigned nth);

/* Destroys it; asserts that nothing is left. */
void
host_finish(struct host *host);

/* Returns the error since the last call, as glGetError does. */
unsigned
host_take_error(struct host *host);

#endif /* PITOT_TESTS_HOST_H */
