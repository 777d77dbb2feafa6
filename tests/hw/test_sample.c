/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Samples without a query. */

#include <errno.h>

#include "fixture.h"
#include "pitot_hw_family.h"
#include "pitot_hw_sample.h"

#define AVAILABLE_B 2048

/* AMD: primitives written, and those that needed space. */
#define STREAMOUT_SIZE_B 16

static struct pitot_cs_command last;
static enum pitot_ring last_ring;

static void
note_commands(struct pitot_cs *cs, enum pitot_ring ring,
              struct pitot_cs_place place,
              const struct pitot_cs_command *commands, unsigned count)
{
   (void)cs;
   (void)place;
   assert_int_equal(count, 2);
   last = commands[1];
   last_ring = ring;
}

/* Opens a sampler on a driver that notes its commands. */
static void
take_over(struct fixture *f)
{
   f->cs->ops.emit = note_commands;
   f->cs->ops.require = NULL;
   pitot_hw_destroy(f->hw);
   assert_int_equal(pitot_hw_create(&f->cs->base, &f->hw), 0);
   prepare_target(f);
}

/* Invocations and times of compute are sampled on the compute ring, if the
 * GPU has one; Adreno sums one of its times.  Bit 63 marks AMD's occlusion
 * and stream-out as written, and no other sample.  The availability of
 * Intel's registers is a plain write, others are a fence.
 */
HW_TEST(samples_have_their_ring_and_end, EVERY_GPU, .has_compute = true)
{
   const bool is_intel = f->gpu->family == &pitot_hw_intel;
   const bool is_amd = f->gpu->family == &pitot_hw_amd;
   const uint32_t samples = pitot_hw_gpu_samples(f->gpu);
   unsigned on_compute = 0, times = 0;

   take_over(f);
   for (unsigned i = 0; samples >> i; i++) {
      const struct pitot_hw_sample_info info =
         pitot_hw_gpu_sample_info(f->gpu, i);
      const bool is_register =
         is_intel && info.command == PITOT_COMMAND_COUNTER;

      if (!(samples >> i & 1))
         continue;
      assert_int_equal(pitot_hw_sample_take(f->hw, i, f->target, 0,
                                            AVAILABLE_B),
                       0);
      assert_int_equal(last_ring, info.ring);
      assert_int_equal(info.has_valid_bits,
                       info.is_per_backend ||
                          (is_amd && info.size_B == STREAMOUT_SIZE_B));
      on_compute += info.ring == PITOT_RING_COMPUTE;
      times += info.is_time;
      assert_int_equal(last.kind, is_register ? PITOT_COMMAND_VALUE
                                              : PITOT_COMMAND_FENCE);
      assert_int_equal(last.offset_B, AVAILABLE_B);
      assert_int_equal(last.value, info.available);
   }
   assert_int_equal(on_compute, is_intel ? 2 : 0);
   assert_int_equal(times, is_amd ? 1 : 2);
}

static const struct pitot_hw_family *family;

static const struct pitot_hw_measure *
measure_known(const struct pitot_gpu *gpu, unsigned kind)
{
   assert_true(kind < PITOT_HW_MEASURE_COUNT);
   return family->measure(gpu, kind);
}

HW_TEST(kinds_have_an_end, EVERY_GPU)
{
   struct pitot_hw_family copy = *f->gpu->family;
   struct pitot_gpu gpu = *f->gpu;

   family = f->gpu->family;
   copy.measure = measure_known;
   gpu.family = &copy;
   assert_int_equal(pitot_hw_gpu_samples(&gpu), pitot_hw_gpu_samples(f->gpu));
}

HW_TEST(lost_devices_sample_nothing, EVERY_GPU)
{
   const uint32_t samples = pitot_hw_gpu_samples(f->gpu);

   prepare_target(f);
   f->cs->is_lost = true;
   assert_int_equal(pitot_hw_sample_take(f->hw, __builtin_ctz(samples),
                                         f->target, 0, AVAILABLE_B),
                    -EIO);
}
