/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A sampler's two threads interrupt each other: one records, the other reads
 * results and destroys queries.  The test keeps the state of batches without
 * locks, so that only the sampler orders the accesses to it.
 */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../turns.h"
#include "../listed.h"
#include "fixture.h"
#include "hw_priv.h"

#define SAMPLES 7

/* The GPU has executed query and other, but not pending, which is submitted.
 * active is active, idle was never begun.
 */
struct shared {
   struct fixture *f;
   struct pitot_hw_query *query, *other, *pending, *active, *idle;
   bool may_be_lost;
   atomic_uint wrong;
};

/* This thread's state of all batches; is_late: asking executes them. */
static _Thread_local enum pitot_batch_state state = PITOT_BATCH_DONE;
static _Thread_local bool is_late;

static void
execute(void *data)
{
   const struct shared *t = data;

   sim_cs_complete(t->f->cs);
}

static enum pitot_batch_state
batch_state(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   (void)ring, (void)batch;
   turns_point();
   if (!is_late)
      return state;
   sim_cs_complete((struct sim_cs *)cs);
   return PITOT_BATCH_DONE;
}

static void
wait(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   (void)ring, (void)batch;
   turns_point();
   sim_cs_complete((struct sim_cs *)cs);
   state = PITOT_BATCH_DONE;
}

/* The functions of the threads */

static void
read_result(struct shared *t, struct pitot_hw_query *query, bool is_waiting)
{
   uint64_t value = 0;
   const int status =
      pitot_hw_query_result(t->f->hw, query, is_waiting, &value);

   if (value != (status == 1 ? SAMPLES : 0) ||
       (status < 0 && !t->may_be_lost))
      atomic_store_explicit(&t->wrong, 1, memory_order_relaxed);
}

static void
poll_query(void *data)
{
   struct shared *t = data;

   read_result(t, t->query, false);
}

static void
poll_other(void *data)
{
   struct shared *t = data;

   read_result(t, t->other, false);
}

static void
poll_pending(void *data)
{
   struct shared *t = data;

   state = PITOT_BATCH_SUBMITTED;
   read_result(t, t->pending, false);
}

static void
poll_late(void *data)
{
   is_late = true;
   poll_pending(data);
}

static void
wait_for_pending(void *data)
{
   struct shared *t = data;

   state = PITOT_BATCH_SUBMITTED;
   read_result(t, t->pending, true);
}

static void
poll_active(void *data)
{
   struct shared *t = data;

   state = PITOT_BATCH_SUBMITTED;
   read_result(t, t->active, false);
}

static void
poll_lost(void *data)
{
   struct shared *t = data;

   state = PITOT_BATCH_LOST;
   read_result(t, t->pending, false);
}

static void
decide(void *data)
{
   struct shared *t = data;
   struct pitot_hw_condition condition;

   pitot_hw_query_decide(t->f->hw, t->query, true, false, &condition);
   if (condition.decision != PITOT_HW_DECISION_NEVER)
      atomic_store_explicit(&t->wrong, 1, memory_order_relaxed);
}

static void
end_active(void *data)
{
   struct shared *t = data;

   end(t->f, t->active);
}

static void
take_disjoint(void *data)
{
   const struct shared *t = data;

   (void)pitot_hw_take_disjoint(t->f->hw);
}

static void
drop_query(void *data)
{
   struct shared *t = data;

   drop(t->f, t->query);
}

/* A begin takes back the memory of destroyed queries. */
static void
begin_other(void *data)
{
   struct shared *t = data;

   begin(t->f, t->other);
}

static void
begin_idle(void *data)
{
   struct shared *t = data;

   begin(t->f, t->idle);
}

/* u_threaded_context calls this in the application's thread. */
static void
create_elapsed(void *data)
{
   const struct shared *t = data;
   struct pitot_hw_query *query;

   assert_int_equal(pitot_hw_query_create(t->f->hw, PITOT_KIND_TIME_ELAPSED,
                                          0, &query),
                    0);
   pitot_hw_query_free(t->f->hw, query);
}

static void
replace_render(void *data)
{
   const struct shared *t = data;

   pitot_cs_context_replaced(&t->f->cs->base, PITOT_RING_RENDER);
}

static void
replace_compute(void *data)
{
   const struct shared *t = data;

   pitot_cs_context_replaced(&t->f->cs->base, PITOT_RING_COMPUTE);
}

/* Cases */

struct turns_test {
   const char *name, *gpu;
   void (*one)(void *data);
   void (*other)(void *data);
   bool may_be_lost;
   unsigned replacements; /* of hardware contexts, before the case */
};

static void
measure(struct fixture *f, struct pitot_hw_query *query)
{
   measure_work(f, query, PITOT_KIND_SAMPLES_PASSED, SAMPLES);
   flush(f);
}

static void
open_shared(struct shared *t, const struct turns_test *test)
{
   struct pitot_hw_query **const queries[] = {
      &t->query, &t->other, &t->pending, &t->active, &t->idle,
   };
   struct fixture *f = open_fixture(test->gpu, true);

   *t = (struct shared){ .f = f, .may_be_lost = test->may_be_lost };
   for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++)
      *queries[i] = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   for (unsigned i = 0; i < test->replacements; i++)
      replace_render(t);
   measure(f, t->query);
   measure(f, t->other);
   f->cs->is_held = true;
   measure(f, t->pending);
   begin(f, t->active);
   f->cs->ops.batch_state = batch_state;
   f->cs->ops.wait = wait;
}

/* In the end the pending query has its result. */
static void
close_shared(struct shared *t)
{
   uint64_t value = 0;

   sim_cs_complete(t->f->cs);
   const int status = poll(t->f, t->pending, &value);
   assert_true(status == 1 || (status == -EIO && t->may_be_lost));
   assert_int_equal(value, status == 1 ? SAMPLES : 0);
   assert_int_equal(t->wrong, 0);
   close_fixture(t->f);
}

static void
run_case(const struct turns_test *test, bool is_reversed)
{
   struct shared t;
   struct turns turns = {
      .first = is_reversed ? test->other : test->one,
      .second = is_reversed ? test->one : test->other,
      .data = &t,
   };

   do {
      open_shared(&t, test);
      turns_run(&turns);
      close_shared(&t);
   } while (turns_next(&turns));
}

/* On this GPU, only a sample shows which slots the backends write. */
#define UNKNOWN_BACKENDS "navi21"

#define CASE(NAME, GPU, ONE, OTHER, ...)                                     \
   {                                                                         \
      .name = NAME, .gpu = GPU, .one = ONE, .other = OTHER, __VA_ARGS__      \
   }

static const struct turns_test tests[] = {
   CASE("two polls", "skl", poll_query, poll_query, ),
   CASE("two polls in flight", "skl", poll_late, poll_pending, ),
   CASE("a poll, and a wait", "skl", poll_late, wait_for_pending, ),
   CASE("a poll, and a condition", "skl", poll_query, decide, ),
   CASE("two queries", UNKNOWN_BACKENDS, poll_query, poll_other, ),
   CASE("a poll, and the GPU", "skl", poll_pending, execute, ),
   CASE("a poll, and backends", "vega10", poll_pending, execute, ),
   CASE("a poll, and another context", "skl", poll_query, replace_render, ),
   CASE("a late poll, and another context", "skl", poll_late,
        replace_render, ),
   CASE("a poll, and another compute context", "skl", poll_query,
        replace_compute, ),
   CASE("a poll, and many contexts", "skl", poll_query, replace_render,
        .may_be_lost = true, .replacements = PITOT_HW_MAX_EPOCHS),
   CASE("a poll, and an end", "skl", poll_active, end_active, ),
   CASE("a loss, and disjoint", "skl", poll_lost, take_disjoint,
        .may_be_lost = true),
   CASE("a free, and a begin", "skl", drop_query, begin_other, ),
   CASE("two new queries", "skl", create_elapsed, create_elapsed, ),
   CASE("a free, and a first begin", "skl", drop_query, begin_idle, ),
};

TEST_ROWS(NULL, NULL, const struct turns_test *test, take_turns, tests)
{
   run_case(test, false);
   run_case(test, true);
}
