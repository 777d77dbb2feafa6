/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A fake of u_threaded_context: a query is unflushed from its end until the
 * driver thread executes a flush; without is_thread_slow immediately.
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

bool
fake_thread_is_flushed(const struct fake_query *query);

/* NULL records a flush. */
void
fake_thread_record(struct fake_pipe *fake, struct fake_query *ended);

/* Whether the end of a query that is being read is submitted: the driver
 * flushes for that, unless the query is marked as flushed, rightly or not.
 */
bool
fake_thread_submits(struct fake_pipe *fake, struct fake_query *query);

/* Of a query whose result was read. */
void
fake_thread_mark(struct fake_query *query);

#endif /* PITOT_TESTS_FAKE_THREAD_H */
