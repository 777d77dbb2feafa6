/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Contexts execute commands in batches, which end as done or lost. */

#include <pthread.h>
#include <string.h>

#include "rig.h"

#define RENDER PITOT_RING_RENDER

static enum pitot_batch_state
state(const struct rig *rig, uint64_t batch)
{
   return rig->cs->ops->batch_state(rig->cs, RENDER, batch);
}

TEST_ON_RIG(commands_are_executed, EVERY_CONTEXT)
{
   for (unsigned i = 1; i <= 100; i++) {
      rig_write(rig, 64, i);
      rig_run(rig, RENDER);
      assert_int_equal(rig_read(rig, 64), i);
   }
   assert_int_equal(rig->sim->submit_count, 100);
}

/* No sampler listens. */
TEST_ON_RIG(no_sampler_reserves_nothing, EVERY_CONTEXT)
{
   assert_int_equal(pitot_cs_end_count(rig->cs, RENDER), 0);
}

TEST_ON_RIG(compute_has_its_ring, EVERY_CONTEXT)
{
   const enum pitot_ring ring =
      rig->cs->ring_count > 1 ? PITOT_RING_COMPUTE : RENDER;

   assert_int_equal(rig->cs->ring_count > 1,
                    rig->device->gpu.family == &pitot_hw_intel);
   rig_dispatch(rig, ring);
   rig_run(rig, ring);
}

/* count: batches whose first command is the right one. */
struct first_commands {
   const struct sim *sim;
   bool is_first;
   unsigned count;
};

#define ACQUIRE_MEM_GFX9 0xc0055800u
#define ACQUIRE_MEM      0xc0065800u
#define COHER_L2         (1u << 18 | 1u << 23)
#define GCR_L2           (1u << 14 | 1u << 15)

/* Whether a command writes back and invalidates all of L2. */
static bool
is_acquire(const struct sim *sim, const uint32_t *dw)
{
   const bool has_gcr = sim->gpu.facts.generation >= 100;
   const uint32_t actions = has_gcr ? dw[7] : dw[1];
   const uint32_t needed = has_gcr ? GCR_L2 : COHER_L2;

   return dw[0] == (has_gcr ? ACQUIRE_MEM : ACQUIRE_MEM_GFX9) &&
          (actions & needed) == needed;
}

static void
look_at_first(void *data, const uint32_t *dw, unsigned count_dw)
{
   struct first_commands *first = data;

   if (first->is_first && count_dw > 0)
      first->count += is_acquire(first->sim, dw);
   first->is_first = count_dw == 0;
}

/* From GFX9 on, L2 may hold lines that the CPU has overwritten since. */
TEST_ON_RIG(batches_see_the_writes_of_the_cpu, EVERY_CONTEXT)
{
   struct first_commands first = { .sim = rig->sim };
   const bool reads_through_l2 = rig->device->gpu.family == &pitot_hw_amd &&
                                 rig->device->gpu.generation >= 90;

   rig->sim->on_command = look_at_first;
   rig->sim->on_packet_data = &first;
   for (unsigned i = 0; i < 3; i++)
      rig_run(rig, RENDER);
   assert_int_equal(first.count, reads_through_l2 ? 3 : 0);
   rig->sim->on_command = NULL;
}

static void
check_packet(void *unused, const char *text, uint64_t address)
{
   (void)unused, (void)address;
   if (strcmp(text, "work") != 0 && strstr(text, "CS stall") == NULL)
      fail_msg("no CS stall: %s", text);
}

/* Each packet on Intel's compute ring that waits or writes stalls. */
TEST_ON_RIG(compute_stalls_always, EVERY_CONTEXT)
{
   if (rig->cs->ring_count == 1)
      return;
   rig->sim->on_packet = check_packet;
   rig_dispatch(rig, PITOT_RING_COMPUTE);
   rig_stall(rig, PITOT_RING_COMPUTE);
   rig_run(rig, PITOT_RING_COMPUTE);
   rig->sim->on_packet = NULL;
}

TEST_ON_RIG(batch_state_follows_the_gpu, EVERY_CONTEXT)
{
   rig->sim->is_delayed = true;
   rig_write(rig, 0, 1);
   const uint64_t batch = rig->cs->ops->current_batch(rig->cs, RENDER);
   assert_int_equal(state(rig, batch), PITOT_BATCH_RECORDING);

   rig_flush(rig, RENDER);
   assert_int_equal(state(rig, batch), PITOT_BATCH_SUBMITTED);
   assert_int_equal(rig_read(rig, 0), 0);
   assert_int_equal(rig->cs->ops->current_batch(rig->cs, RENDER), batch + 1);

   sim_complete(rig->sim, 1);
   assert_int_equal(state(rig, batch), PITOT_BATCH_DONE);
   assert_int_equal(rig_read(rig, 0), 1);

   const unsigned ioctl_count = rig->sim->ioctl_count;
   assert_int_equal(state(rig, batch), PITOT_BATCH_DONE);
   assert_int_equal(rig->sim->ioctl_count, ioctl_count);
}

/* Batches in flight share a few buffers.  Before a buffer is reused, the CPU
 * waits for the batch after its last one, since the GPU has left the buffer
 * then, and for no other batch.
 */
TEST_ON_RIG(batches_take_turns, EVERY_CONTEXT)
{
   rig->sim->is_delayed = true;
   for (unsigned i = 0; i < 40; i++) {
      rig_write(rig, 8 * i, i + 1);
      const uint64_t batch = rig_flush(rig, RENDER);
      const uint64_t first_unwaited = batch > 4 ? batch - 2 : 1;
      assert_int_equal(state(rig, first_unwaited - 1), PITOT_BATCH_DONE);
      assert_int_equal(state(rig, first_unwaited), PITOT_BATCH_SUBMITTED);
   }
   rig_run(rig, RENDER);
   for (unsigned i = 0; i < 40; i++)
      assert_int_equal(rig_read(rig, 8 * i), i + 1);
}

/* A wait for a done batch returns, even if another one has its buffer. */
TEST_ON_RIG(waits_for_done_batches_end, EVERY_CONTEXT)
{
   rig->sim->is_delayed = true;
   for (unsigned i = 1; i <= 5; i++)
      rig_flush(rig, RENDER);
   assert_int_equal(state(rig, 2), PITOT_BATCH_DONE);
   assert_int_equal(state(rig, 3), PITOT_BATCH_SUBMITTED);
   rig_flush(rig, RENDER);
   for (uint64_t batch = 1; batch <= 3; batch++)
      rig->cs->ops->wait(rig->cs, RENDER, batch);
   assert_int_equal(state(rig, 4), PITOT_BATCH_SUBMITTED);
}

TEST_ON_RIG(full_batches_are_submitted, EVERY_CONTEXT)
{
   uint64_t last = rig->cs->ops->current_batch(rig->cs, RENDER);

   for (unsigned i = 0; i < 10000; i++) {
      rig_write(rig, 0, i);
      const uint64_t now = rig->cs->ops->current_batch(rig->cs, RENDER);
      assert_in_range(now, last, last + 1);
      last = now;
   }
   assert_true(rig->sim->submit_count >= 2);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), 9999);
}

static uint32_t *
reserve_only(struct pitot_cs *cs, enum pitot_ring ring, unsigned count_dw)
{
   return pitot_drm_reserve((struct pitot_drm_context *)cs, ring, count_dw);
}

/* reserve() alone never ends a batch: its buffers grow. */
TEST_ON_RIG(batches_grow, EVERY_CONTEXT)
{
   rig->reserve = reserve_only;
   for (unsigned i = 0; i < 10000; i++)
      rig_write(rig, i % 512 * sizeof(uint64_t), i);
   assert_int_equal(rig->sim->submit_count, 0);
   rig_run(rig, RENDER);
   for (unsigned i = 10000 - 512; i < 10000; i++)
      assert_int_equal(rig_read(rig, i % 512 * sizeof(uint64_t)), i);
}

/* Only the submission of a batch makes an ioctl. */
TEST_ON_RIG(recording_asks_for_nothing, EVERY_CONTEXT)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;
   const unsigned ioctl_count = rig->sim->ioctl_count;

   for (unsigned i = 0; i < 100; i++) {
      rig_write(rig, 0, i);
      ops->emit(rig->cs, RENDER, (struct pitot_cs_place){ rig->buffer, 0 },
                &(struct pitot_cs_command){
                   .kind = PITOT_COMMAND_OCCLUSION,
                },
                1);
      ops->set_counting(rig->cs, i % 16);
   }
   assert_int_equal(rig->sim->ioctl_count, ioctl_count);
   rig_flush(rig, RENDER);
   assert_int_equal(rig->sim->ioctl_count, ioctl_count + 1);
}

TEST_ON_RIG(a_hang_loses_the_context, EVERY_CONTEXT)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;

   rig_write(rig, 0, 1);
   rig_run(rig, RENDER);
   assert_false(ops->take_reset(rig->cs));

   rig->sim->is_delayed = true;
   rig->sim->hang_on_submit = rig->sim->submit_count + 1;
   rig_write(rig, 8, 1);
   const uint64_t guilty = rig_flush(rig, RENDER);
   rig_write(rig, 16, 1);
   const uint64_t innocent = rig_flush(rig, RENDER);
   assert_int_equal(state(rig, guilty), PITOT_BATCH_SUBMITTED);

   ops->wait(rig->cs, RENDER, innocent);
   assert_int_equal(state(rig, guilty - 1), PITOT_BATCH_DONE);
   assert_int_equal(state(rig, guilty), PITOT_BATCH_LOST);
   assert_int_equal(state(rig, innocent), PITOT_BATCH_LOST);
   assert_int_equal(state(rig, innocent + 1), PITOT_BATCH_LOST);
   assert_null(rig_reserve(rig->cs, RENDER, 8));
   ops->flush(rig->cs, RENDER);
   assert_true(ops->take_reset(rig->cs));
   assert_false(ops->take_reset(rig->cs));
   assert_int_equal(rig_read(rig, 8), 0);
}

/* The state of the guilty batch itself ends the wait. */
TEST_ON_RIG(a_wait_ends_with_a_hang, EVERY_CONTEXT)
{
   rig->sim->is_delayed = true;
   rig->sim->hang_on_submit = rig->sim->submit_count + 1;
   rig_write(rig, 0, 1);
   const uint64_t guilty = rig_flush(rig, RENDER);

   rig->cs->ops->wait(rig->cs, RENDER, guilty);
   assert_int_equal(state(rig, guilty), PITOT_BATCH_LOST);
}

/* rig_close() checks that no ring has work in flight. */
TEST_ON_RIG(contexts_wait_for_their_batches, EVERY_CONTEXT)
{
   rig->sim->is_delayed = true;
   rig_write(rig, 0, 1);
   for (unsigned ring = 0; ring < rig->cs->ring_count; ring++)
      rig_flush(rig, ring);
}

TEST_ON_RIG(interruptions_do_no_harm, EVERY_CONTEXT)
{
   rig->sim->interruptions = 1000;
   commands_are_executed(rig);
   assert_false(rig->cs->ops->take_reset(rig->cs));
}

#define WATCHED_BATCHES 50

/* Waits for each batch, as a thread that reads results. */
static void *
wait_for_all(void *data)
{
   struct rig *rig = data;
   const struct pitot_cs_ops *ops = rig->cs->ops;

   for (uint64_t batch = 1; batch <= WATCHED_BATCHES; batch++) {
      while (ops->batch_state(rig->cs, RENDER, batch) != PITOT_BATCH_DONE)
         ops->wait(rig->cs, RENDER, batch);
   }
   return NULL;
}

TEST_ON_RIG(any_thread_may_wait, EVERY_CONTEXT)
{
   pthread_t threads[2];

   rig->sim->is_delayed = true;
   for (unsigned i = 0; i < ARRAY_LENGTH(threads); i++)
      pthread_create(&threads[i], NULL, wait_for_all, rig);
   for (unsigned i = 1; i <= WATCHED_BATCHES; i++) {
      rig_write(rig, 0, i);
      rig_flush(rig, RENDER);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(threads); i++)
      pthread_join(threads[i], NULL);
   assert_int_equal(rig_read(rig, 0), WATCHED_BATCHES);
}

static void
write_count(struct rig_listener *listener)
{
   rig_write(listener->rig, 512, listener->end_count);
}

TEST_ON_RIG(listeners_hear_of_batches, EVERY_CONTEXT)
{
   struct rig_listener listener = { .end = write_count, .end_commands = 1 };

   rig_listen(rig, &listener);
   for (unsigned i = 0; i < 10000; i++)
      rig_write(rig, 0, i);
   rig_run(rig, RENDER);
   rig_listen(rig, NULL);
   assert_true(listener.end_count >= 3);
   assert_int_equal(listener.begin_count, listener.end_count);
   assert_int_equal(rig_read(rig, 512), listener.end_count);
}
