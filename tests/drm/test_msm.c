/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Devices and contexts of the kernel's driver msm.
 */

#include <errno.h>
#include <string.h>

#include "msm_uapi.h"
#include "rig.h"

static const char *
refusal(struct sim *sim, int error)
{
   static char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device;

   assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message), -error);
   assert_int_equal(sim->open_count, 0);
   return message;
}

static void
unknown_chips_are_said(struct sim *sim)
{
   sim->gpu.chip_id = 0x05040001;
   assert_non_null(strstr(refusal(sim, ENODEV), "0x05040001"));
}

static void
old_kernels_are_said(struct sim *sim)
{
   sim->gpu.version[1] = 4;
   assert_non_null(strstr(refusal(sim, ENOTSUP), "1.4"));
   sim->gpu.version[0] = 0;
   sim->gpu.version[1] = 9;
   assert_non_null(strstr(refusal(sim, ENOTSUP), "0.9"));
}

/* A newer major version has a minor version of its own. */
static void
newer_kernels_are_taken(struct sim *sim)
{
   static const int versions[][2] = { { 1, 5 }, { 1, 6 }, { 2, 0 } };
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device;

   for (unsigned i = 0; i < ARRAY_LENGTH(versions); i++) {
      sim->gpu.version[0] = versions[i][0];
      sim->gpu.version[1] = versions[i][1];
      assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message), 0);
      pitot_drm_close(device);
   }
}

static void
kernels_that_do_not_answer_are_said(struct sim *sim)
{
   sim->fail_ioctl_on = sim->ioctl_count + 2; /* after the version */
   sim->fail_errno = EIO;
   assert_non_null(strstr(refusal(sim, EIO), "which GPU"));
}

/* The chips of Mesa's src/freedreno/common/freedreno_devices.py, from Adreno
 * 6xx on.  The upper half has the number of the chip's speed, and the last
 * byte that of a patch, up to Adreno 6xx.
 */
static void
chips_have_names(struct sim *sim)
{
   static const struct {
      uint64_t id;
      const char *name;
      unsigned generation;
      bool adds_sample_counts;
   } chips[] = {
      { 0x06000500, "a605", 6, false },
      { 0x06000800, "a608", 6, false },
      { 0x06010001, "a610", 6, false },
      { 0x06010200, "a612", 6, false },
      { 0x06010500, "a615", 6, false },
      { 0x06010601, "a616", 6, false },
      { 0x06010800, "a618", 6, false },
      { 0x06010900, "a619", 6, false },
      { 0x06020000, "a620", 6, false },
      { 0x06020100, "a621", 6, false },
      { 0x06030002, "a630", 6, false },
      { UINT64_C(0x000000ac06030500), "a635", 6, false },
      { 0x06040001, "a640", 6, false },
      { 0x06050002, "a650", 6, false },
      { 0x06060001, "a660", 6, false },
      { 0x06060201, "a662", 6, false },
      { 0x06060300, "a663", 6, false },
      { 0x06080001, "a680", 6, false },
      { UINT64_C(0x0000009106090000), "a690", 6, false },
      { 0x07030002, "a725", 7, false },
      { 0x07030001, "a730", 7, false },
      { 0x43030b00, "a735", 7, true },
      { 0x43050a00, "a32", 7, true },
      { 0x43050a01, "a740", 7, true },
      { 0x43050b00, "a740", 7, true },
      { UINT64_C(0x0000ffff43050c01), "x1-85", 7, true },
      { UINT64_C(0x0000ac0043051401), "a750", 7, true },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(chips); i++) {
      char message[PITOT_DRM_MESSAGE_SIZE];
      struct pitot_drm_device *device;

      sim->gpu.chip_id = chips[i].id;
      assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message), 0);
      assert_string_equal(device->gpu.name, chips[i].name);
      assert_int_equal(device->gpu.generation, chips[i].generation);
      assert_int_equal(device->adreno.adds_sample_counts,
                       chips[i].adds_sample_counts);
      pitot_drm_close(device);
   }
}

/* Recovery takes the power away: counters of all contexts begin anew. */
static void
a_hang_of_another_process_is_a_reset(struct rig *rig)
{
   assert_false(rig->cs->ops->take_reset(rig->cs));
   sim_reset(rig->sim);
   assert_true(rig->cs->ops->take_reset(rig->cs));
   assert_false(rig->cs->ops->take_reset(rig->cs));
}

static int (*sim_ioctl)(void *data, int fd, unsigned long request,
                        void *argument);

static int
time_out(void *data, int fd, unsigned long request, void *argument)
{
   if (request != MSM_IOW(GEM_CPU_PREP, gem_cpu_prep))
      return sim_ioctl(data, fd, request, argument);
   errno = ETIMEDOUT;
   return -1;
}

/* A wait has no limit: a batch that it does not see the end of is lost. A
 * look at a batch has one.
 */
static void
a_wait_that_times_out_loses_the_context(struct rig *rig)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;

   sim_ioctl = rig->sim->io.ioctl;
   rig->sim->is_delayed = true;
   const uint64_t batch = rig_flush(rig, PITOT_RING_RENDER);
   rig->sim->io.ioctl = time_out;
   assert_int_equal(ops->batch_state(rig->cs, PITOT_RING_RENDER, batch),
                    PITOT_BATCH_SUBMITTED);
   ops->wait(rig->cs, PITOT_RING_RENDER, batch);
   assert_int_equal(ops->batch_state(rig->cs, PITOT_RING_RENDER, batch),
                    PITOT_BATCH_LOST);
   rig->sim->io.ioctl = sim_ioctl;
   assert_true(ops->take_reset(rig->cs));
   sim_complete(rig->sim, 1); /* nobody waits for a lost batch */
}

static uint32_t created_queue, used_queue;

static int
watch_queues(void *data, int fd, unsigned long request, void *argument)
{
   if (request == MSM_IOWR(QUEUE_NEW, queue))
      assert_int_equal(((struct msm_queue *)argument)->flags, 0);
   const int result = sim_ioctl(data, fd, request, argument);

   if (request == MSM_IOWR(QUEUE_NEW, queue))
      created_queue = ((struct msm_queue *)argument)->id;
   else if (request == MSM_IOWR(GEM_SUBMIT, submit))
      used_queue = ((struct msm_submit *)argument)->queue;
   return result;
}

/* A context has a queue, whose faults are its own: 0 is that of the file. */
static void
contexts_have_their_own_queue(struct sim *sim)
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device;
   struct pitot_cs *cs;

   created_queue = used_queue = 0;
   sim_ioctl = sim->io.ioctl;
   sim->io.ioctl = watch_queues;
   assert_int_equal(pitot_drm_open(&sim->io, NULL, &device, message), 0);
   assert_int_equal(pitot_drm_context_create(device, &cs), 0);
   assert_non_null(cs->ops->reserve(cs, PITOT_RING_RENDER, 0, NULL));
   cs->ops->flush(cs, PITOT_RING_RENDER);
   assert_int_not_equal(used_queue, 0);
   assert_int_equal(used_queue, created_queue);
   pitot_drm_context_destroy(cs);
   pitot_drm_close(device);
}

#define COUNTER_COUNT 3

/* Records the stores of counters of each of the units that events stop: of
 * primitives, fragments and compute shaders.
 */
static void
store_counters(struct rig *rig)
{
   static const uint32_t registers[COUNTER_COUNT] = { 0x542, 0x552, 0x554 };

   for (unsigned i = 0; i < COUNTER_COUNT; i++) {
      const uint64_t address = rig->buffer->address + i * sizeof(uint64_t);
      const uint32_t store[] = { 0x703e8003,
                                 1u << 30 | 2u << 18 | registers[i],
                                 (uint32_t)address,
                                 (uint32_t)(address >> 32) };

      rig_emit(rig, PITOT_RING_RENDER, store, 4);
   }
}

/* Draws and dispatches while counters are stopped are in none. */
static void
counters_are_stopped(struct rig *rig)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;

   rig->sim->draw.statistics[SIM_IA_PRIMITIVES] = 3;
   rig->sim->draw.statistics[SIM_PS_INVOCATIONS] = 4;
   rig->sim->dispatch.statistics[SIM_CS_INVOCATIONS] = 5;
   for (unsigned i = 0; i < COUNTER_COUNT; i++) {
      ops->set_counting(rig->cs, i == 1 ? PITOT_COUNTING_STATISTICS : 0);
      for (unsigned k = 0; k <= i; k++) {
         rig_draw(rig);
         rig_dispatch(rig, PITOT_RING_RENDER);
      }
   }
   ops->barrier(rig->cs, PITOT_RING_RENDER, PITOT_BARRIER_STALL);
   store_counters(rig);
   rig_run(rig, PITOT_RING_RENDER);
   for (unsigned i = 0; i < COUNTER_COUNT; i++)
      assert_int_equal(rig_read(rig, i * sizeof(uint64_t)), 2 * (3 + i));
}

int
main(void)
{
   static const struct rig_test tests[] = {
      SIM_TEST("a630", unknown_chips_are_said),
      SIM_TEST("a630", old_kernels_are_said),
      SIM_TEST("a630", newer_kernels_are_taken),
      SIM_TEST("a630", kernels_that_do_not_answer_are_said),
      SIM_TEST("a630", chips_have_names),
      SIM_TEST("a630", contexts_have_their_own_queue),
      { .name = "a_hang_of_another_process_is_a_reset, a630",
        .gpu = "a630",
        .with_rig = a_hang_of_another_process_is_a_reset },
      { .name = "a_wait_that_times_out_loses_the_context, a630",
        .gpu = "a630",
        .with_rig = a_wait_that_times_out_loses_the_context },
      { .name = "counters_are_stopped, a630",
        .gpu = "a630",
        .with_rig = counters_are_stopped },
      { .name = "counters_are_stopped, a750",
        .gpu = "a750",
        .with_rig = counters_are_stopped },
   };

   return RUN_ROWS("tests", tests, rig_run_test);
}
