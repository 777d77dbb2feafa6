/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The fake pipe_context's thread, as u_threaded_context has it: a query is
 * marked as not flushed by the application's thread when it is ended, and as
 * flushed by the other one when it has executed a flush.  Without
 * is_thread_slow each call is executed at once.
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
   unsigned batch_count; /* of driver queries, or 0 */
   unsigned batch[FAKE_BATCH_MAX];
   uint64_t begin[13];
   uint64_t value[13];
   unsigned number;
   unsigned end_number; /* the device's count when it ended; 0: never */
   unsigned generation; /* of the flushes when its end was executed */
   bool is_active;
   unsigned recorded_ends; /* which are not executed yet */
   bool is_available;
};

/* Returns whether the thread has executed a flush after the last end. */
bool
fake_thread_is_flushed(const struct fake_query *query);

/* Records the end of a query, or a flush if that is NULL. */
void
fake_thread_record(struct fake_pipe *fake, struct fake_query *ended);

/* Returns whether the end of a query, which is asked about now, is submitted.
 * The driver below a thread flushes a query that it is asked for, of which a
 * threaded context knows nothing; but there is no flush of a query marked as
 * flushed and is not.
 */
bool
fake_thread_submits(struct fake_pipe *fake, struct fake_query *query);

/* Marks a query as flushed: its result is there. */
void
fake_thread_mark(struct fake_query *query);

#endif /* PITOT_TESTS_FAKE_THREAD_H */
