/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GL implementation around Pitot's layer and the null driver, with the
 * least that Pitot asks for: one error, one buffer object, and a count of
 * flushes.
 */

#ifndef PITOT_TESTS_HOST_H
#define PITOT_TESTS_HOST_H

#include "perf/null_sets.h"
#include "pitot/gl.h"
#include "pitot/perf_gl.h"
#include "pitot_null.h"
#include "rules/script.h"

#define HOST_BUFFER_NAME  1
#define HOST_ALL_FEATURES (~0u)

struct host {
   struct pitot_null null;
   struct pitot_gl_info info;
   struct pitot_gl *gl;
   struct null_sets sets;
   struct pitot_perf_gl perf;
   unsigned error;
   unsigned memory_errors; /* of all errors so far */
   char message[80];
   unsigned context_flags;
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

/* Makes the context anew, after a change of host->info. */
void
host_remake(struct host *host);

/* Makes the context anew, without perf sets. */
void
host_take_sets(struct host *host);

/* Puts the system to sleep for a second. */
void
host_suspend(void);

/* Runs a script on it. */
void
host_run(struct host *host, const char *script);

/* Destroys it; asserts that nothing is left. */
void
host_finish(struct host *host);

/* Returns the error since the last call, as glGetError does. */
unsigned
host_take_error(struct host *host);

#endif /* PITOT_TESTS_HOST_H */
