/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A fake of u_threaded_context: the application's thread marks a query as
 * unflushed at its end, the driver thread as flushed when it executes a
 * flush.  Without is_thread_slow each call is executed immediately.
 */

#ifndef PITOT_TESTS_FAKE_THREAD_H
#define PITOT_TESTS_FAKE_THREAD_H

#include "fake_pipe.h"
#include "util/u_threaded_context.h"

#define FAKE_BATCH_MAX 8

struct fake_query {
   struct threaded_query base;
   unsigned type;
   unsigned index;
   unsigned batch_count; /* driver queries in the batch, or 0 */
   unsigned batch[FAKE_BATCH_MAX];
   uint64_t begin[13];
   uint64_t value[13];
   unsigned number;
   unsigned end_number; /* end_count of the device at its end; 0: none */
   unsigned generation; /* flush generation of the executed end */
   bool is_active;
   unsigned recorded_ends; /* recorded and not executed yet */
   bool is_available;
};

/* Whether the thread executed a flush after the last end. */
bool
fake_thread_is_flushed(const struct fake_query *query);

/* Records the end of a query, or with NULL a flush. */
void
fake_thread_record(struct fake_pipe *fake, struct fake_query *ended);

/* Whether the end of a query that is being read is submitted.  The driver
 * flushes for a read, and the threaded context does not learn of it.  The
 * driver does not flush for a query that is marked as flushed but is not.
 */
bool
fake_thread_submits(struct fake_pipe *fake, struct fake_query *query);

/* Marks a query whose result was read as flushed. */
void
fake_thread_mark(struct fake_query *query);

#endif /* PITOT_TESTS_FAKE_THREAD_H */
