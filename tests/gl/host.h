/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The smallest GL around Pitot and the null driver: one error, one buffer
 * object, and a count of flushes.
 */

#ifndef PITOT_TESTS_HOST_H
#define PITOT_TESTS_HOST_H

#include "listed.h"
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
   char message[80];
   unsigned context_flags;
   char performance[160]; /* the last KHR_debug message of this type */
   unsigned performance_count;
   uint64_t time_ns; /* advances by time_step_ns at each read */
   uint64_t time_step_ns;
   unsigned flushes;
   unsigned held_back; /* buffered vertices, which a flush draws */
   uint8_t buffer[SCRIPT_BUFFER_SIZE_B];
   void *bound; /* the host while its buffer is bound to QUERY_BUFFER */
   bool is_mapped;
};

void
host_init(struct host *host, enum pitot_gl_api api, unsigned features);

/* Creates the context again after a change of host->info. */
void
host_remake(struct host *host);

/* Creates the context again without perf sets. */
void
host_remove_sets(struct host *host);

void
host_suspend(void);

void
host_run(struct host *host, const char *script);

/* Asserts that nothing leaks. */
void
host_finish(struct host *host);

/* On a host of the core profile with all features. */
#define HOST_TEST(NAME)                                                      \
   TEST_WITH(host_set_up, host_tear_down, struct host *host, NAME)

#define HOST_TEST_EACH(NAME, INDEX, COUNT)                                   \
   TEST_EACH_WITH(host_set_up, host_tear_down, struct host *host, NAME,      \
                  INDEX, COUNT)

int
host_set_up(void **state);

int
host_tear_down(void **state);

unsigned
host_take_error(struct host *host);

#endif /* PITOT_TESTS_HOST_H */
