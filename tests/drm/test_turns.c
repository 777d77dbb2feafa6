/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context's two threads interrupt each other: one records, the other polls
 * batches.  The kernel here has no locks, so that only the context orders the
 * accesses to it.
 */

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "context.h"
#include "rig.h"
#include "turns.h"

#define RENDER PITOT_RING_RENDER

/* In flight when a case begins. */
#define BATCH 1

struct shared {
   struct rig rig;
   struct pitot_drm_context *context;
   const struct pitot_drm_context_ops *kernel;
   struct pitot_drm_context_ops ops;
};

/* The kernel's replies to this thread. */
static _Thread_local int submit_error, poll_error = -ETIME;

static int
submit(struct pitot_drm_context *context, enum pitot_ring ring,
       struct pitot_drm_batch *batch, unsigned buffer_count)
{
   (void)context, (void)ring, (void)buffer_count;
   batch->seqno = batch->number;
   return submit_error;
}

/* The GPU completes all batches. */
static void
pass(const struct pitot_drm_context *context)
{
   __atomic_store_n((uint64_t *)context->status->base.memory, UINT64_MAX,
                    __ATOMIC_RELEASE);
}

/* The GPU completes the batch while a thread waits for it. */
static int
wait(struct pitot_drm_context *context, const struct pitot_drm_batch *batch,
     bool is_poll)
{
   (void)batch;
   turns_point();
   if (is_poll)
      return poll_error;
   pass(context);
   return 0;
}

static int
check_health(struct pitot_drm_context *context, uint32_t id)
{
   (void)context, (void)id;
   return 0;
}

static void
open_shared(struct shared *t)
{
   rig_open(&t->rig, "skl");
   t->context = (struct pitot_drm_context *)t->rig.cs;
   t->kernel = t->context->ops;
   t->ops = *t->kernel;
   t->ops.submit = submit;
   t->ops.wait = wait;
   t->ops.check_health = check_health;
   t->context->ops = &t->ops;
   assert_int_equal(rig_flush(&t->rig, RENDER), BATCH);
}

static void
close_shared(struct shared *t)
{
   pass(t->context);
   rig_close(&t->rig);
}

/* The functions of the threads */

static void
poll(void *data)
{
   struct shared *t = data;

   (void)t->rig.cs->ops->batch_state(t->rig.cs, RENDER, BATCH);
}

static void
wait_for_batch(void *data)
{
   struct shared *t = data;

   t->rig.cs->ops->wait(t->rig.cs, RENDER, BATCH);
}

static void
see_it_done(void *data)
{
   struct shared *t = data;

   pass(t->context);
   poll(t);
}

/* The kernel calls the batch ended, but the GPU has not completed it. */
static void
see_it_lost(void *data)
{
   poll_error = 0;
   poll(data);
}

static void
flush(void *data)
{
   struct shared *t = data;

   t->rig.cs->ops->flush(t->rig.cs, RENDER);
}

static void
flush_in_vain(void *data)
{
   submit_error = -EIO;
   flush(data);
}

/* The last one reuses the slot of BATCH. */
static void
flush_many(void *data)
{
   for (unsigned i = 0; i < PITOT_DRM_BATCH_SLOTS; i++)
      flush(data);
}

static void
require(void *data)
{
   struct shared *t = data;

   (void)t->rig.cs->ops->require(t->rig.cs, RENDER, 1);
}

static void
take_reset(void *data)
{
   struct shared *t = data;

   (void)t->rig.cs->ops->take_reset(t->rig.cs);
}

/* Cases */

struct turns_test {
   const char *name;
   void (*one)(void *data);
   void (*other)(void *data);
   enum pitot_batch_state state; /* of the batch, at the end */
};

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
      open_shared(&t);
      turns_run(&turns);
      assert_int_equal(t.rig.cs->ops->batch_state(t.rig.cs, RENDER, BATCH),
                       test->state);
      close_shared(&t);
   } while (turns_next(&turns));
}

static const struct turns_test tests[] = {
   { "poll, and flush", poll, flush, PITOT_BATCH_SUBMITTED },
   { "wait, and flush", wait_for_batch, flush, PITOT_BATCH_DONE },
   { "wait, and see it done", wait_for_batch, see_it_done, PITOT_BATCH_DONE },
   { "poll, and take its slot", poll, flush_many, PITOT_BATCH_DONE },
   { "poll, and see it done", poll, see_it_done, PITOT_BATCH_DONE },
   { "poll, and see it lost", poll, see_it_lost, PITOT_BATCH_LOST },
   { "poll, and fail to flush", poll, flush_in_vain, PITOT_BATCH_LOST },
   { "lose twice", see_it_lost, flush_in_vain, PITOT_BATCH_LOST },
   { "see it lost, and flush", see_it_lost, flush, PITOT_BATCH_LOST },
   { "see it lost, and record", see_it_lost, require, PITOT_BATCH_LOST },
   { "see it lost, and tell", see_it_lost, take_reset, PITOT_BATCH_LOST },
};

TEST_ROWS(NULL, NULL, const struct turns_test *test, take_turns, tests)
{
   run_case(test, false);
   run_case(test, true);
}
