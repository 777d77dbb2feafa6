/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Checks of batches and samples: they are written, in which order, and where.
 */

#include <string.h>

#include "check.h"

#define BATCH_COUNT 16
#define ROUND_COUNT 16

/* At memory, for each question to the kernel, which takes much longer. */
#define LOOK_COUNT 64

/* Offsets of a sample and its availability word, far from each other. */
#define SAMPLE_B    1024
#define AVAILABLE_B 256

/* Begin, sum and end: some GPUs write all three. */
#define ACCUMULATED_B 24

#define VALID_BIT (UINT64_C(1) << 63)

/* Pitot takes no sample of counters that are off. */
#define ALL_COUNTING                                                         \
   (PITOT_COUNTING_SAMPLES | PITOT_COUNTING_STATISTICS |                     \
    PITOT_COUNTING_STREAMOUT | PITOT_COUNTING_GENERATED)

void
check_batches(struct check_gpu *gpu)
{
   const unsigned ring_count = gpu->cs->ring_count;

   for (unsigned ring = 0; ring < ring_count; ring++) {
      check_set_step(gpu, "an empty batch of the %s ring",
                     ring == PITOT_RING_RENDER ? "render" : "compute");
      for (unsigned i = 0; i < BATCH_COUNT; i++) {
         if (!check_run(gpu, ring))
            return;
      }
   }
   check_add_number(gpu, "batches", ring_count * BATCH_COUNT);
}

static void
name_sample(struct check_gpu *gpu, const struct pitot_hw_sample_info *info)
{
   const char *ring =
      info->ring == PITOT_RING_COMPUTE ? " on the compute ring" : "";

   switch (info->command) {
   case PITOT_COMMAND_OCCLUSION:
      check_set_step(gpu, "a sample of occlusion%s", ring);
      break;
   case PITOT_COMMAND_TIMESTAMP:
      check_set_step(gpu, "a sample of the time%s", ring);
      break;
   default:
      if (gpu->device->gpu.family == &pitot_hw_intel)
         check_set_step(gpu, "a sample of register 0x%x%s", info->argument,
                        ring);
      else
         check_set_step(gpu, "a sample by event %u%s", info->argument & 0xff,
                        ring);
   }
}

/* Poisons memory, has a sample written there, and submits that.  Returns the
 * batch, or 0 if the context is lost.
 */
static uint64_t
submit_sample(struct check_gpu *gpu, unsigned sample,
              const struct pitot_hw_sample_info *info)
{
   name_sample(gpu, info);
   gpu->cs->ops->set_counting(gpu->cs, ALL_COUNTING);
   check_poison(gpu);
   memset(gpu->buffer->memory + AVAILABLE_B, 0, sizeof(uint64_t));
   pitot_hw_sample_take(gpu->hw, sample, gpu->buffer, SAMPLE_B, AVAILABLE_B);
   return check_submit(gpu, info->ring);
}

/* Some are written in halves. */
static bool
is_written(const struct pitot_hw_sample_info *info, uint64_t value)
{
   const uint64_t difference = value ^ CHECK_POISON;

   return info->has_valid_bits
             ? (value & VALID_BIT) != 0
             : (uint32_t)difference != 0 && difference >> 32 != 0;
}

/* Returns a mask of the qwords of a sample that are written. */
static uint64_t
find_written(const struct check_gpu *gpu,
             const struct pitot_hw_sample_info *info)
{
   uint64_t written = 0;

   for (unsigned i = 0; i * info->stride_B < info->size_B; i++) {
      const uint64_t value = check_read(gpu, SAMPLE_B + i * info->stride_B);

      written |= (uint64_t)is_written(info, value) << i;
   }
   return written;
}

static unsigned
count_bits(uint64_t mask)
{
   return (unsigned)__builtin_popcountll(mask);
}

/* Returns whether those qwords are all that there have to be. */
static bool
is_whole(const struct check_gpu *gpu, const struct pitot_hw_sample_info *info,
         uint64_t written)
{
   const unsigned qwords =
      (info->size_B + info->stride_B - 1) / info->stride_B;

   if (info->is_accumulated)
      return (written & 1) != 0;
   return info->is_per_backend
             ? count_bits(written) == count_bits(gpu->device->amd.rb_mask)
             : count_bits(written) == qwords;
}

/* Looks at memory once a sample's batch is done. */
static void
look_at_sample(struct check_gpu *gpu, const struct pitot_hw_sample_info *info)
{
   const uint64_t written = find_written(gpu, info);

   if (!is_whole(gpu, info, written))
      check_wrong(gpu, "not written, or not all of it (qwords 0x%llx): %s",
                  (unsigned long long)written, gpu->step);
   if (check_read(gpu, AVAILABLE_B) != info->available)
      check_wrong(gpu, "its availability word is 0x%llx rather than 0x%x: %s",
                  (unsigned long long)check_read(gpu, AVAILABLE_B),
                  info->available, gpu->step);
   memset(gpu->buffer->memory + AVAILABLE_B, (int)(CHECK_POISON & 0xff),
          sizeof(uint64_t));
   check_untouched(gpu, SAMPLE_B,
                   SAMPLE_B +
                      (info->is_accumulated ? ACCUMULATED_B : info->size_B));
}

/* Calls a function for each sample of the GPU, until the context is lost. */
static void
for_each_sample(struct check_gpu *gpu,
                void (*visit)(struct check_gpu *gpu, unsigned sample,
                              const struct pitot_hw_sample_info *info))
{
   const struct pitot_gpu *facts = &gpu->device->gpu;
   const uint32_t samples = pitot_hw_gpu_samples(facts);

   for (unsigned i = 0; samples >> i != 0 && !gpu->is_lost; i++) {
      struct pitot_hw_sample_info info;

      if ((samples >> i & 1) == 0)
         continue;
      info = pitot_hw_gpu_sample_info(facts, i);
      visit(gpu, i, &info);
   }
}

static void
try_sample(struct check_gpu *gpu, unsigned sample,
           const struct pitot_hw_sample_info *info)
{
   if (check_wait(gpu, info->ring, submit_sample(gpu, sample, info)))
      look_at_sample(gpu, info);
}

void
check_samples(struct check_gpu *gpu)
{
   for_each_sample(gpu, try_sample);
   check_add_number(gpu, "samples",
                    count_bits(pitot_hw_gpu_samples(&gpu->device->gpu)));
}

/* Looks for an availability word.  Returns whether it is there. */
static bool
is_available(const struct check_gpu *gpu)
{
   for (unsigned i = 0; i < LOOK_COUNT; i++) {
      if ((uint32_t)check_read(gpu, AVAILABLE_B) != 0)
         return true;
   }
   return false;
}

/* Looks at memory until an availability word is there, and then at its
 * sample.  The kernel says when there is nothing left to wait for.
 */
static void
watch_sample(struct check_gpu *gpu, unsigned sample,
             const struct pitot_hw_sample_info *info)
{
   struct pitot_cs *cs = gpu->cs;
   const uint64_t batch = submit_sample(gpu, sample, info);

   while (!is_available(gpu) && cs->ops->batch_state(cs, info->ring, batch) ==
                                   PITOT_BATCH_SUBMITTED)
      ;
   const bool is_early =
      is_available(gpu) && !is_whole(gpu, info, find_written(gpu, info));

   if (is_early && info->is_per_backend)
      gpu->late_count++;
   else if (is_early)
      check_wrong(gpu, "its availability word came first: %s", gpu->step);
   if (check_wait(gpu, info->ring, batch))
      look_at_sample(gpu, info);
}

void
check_fences(struct check_gpu *gpu)
{
   const struct pitot_gpu *facts = &gpu->device->gpu;
   const unsigned sample_count = count_bits(pitot_hw_gpu_samples(facts));

   for (unsigned i = 0; i < ROUND_COUNT && !gpu->is_lost; i++)
      for_each_sample(gpu, watch_sample);
   check_add_number(gpu, "samples", ROUND_COUNT * sample_count);
   if (facts->family == &pitot_hw_amd)
      check_add_number(gpu, "late_backend_samples", gpu->late_count);
}

/* Returns the sample that each render backend writes to, or -1. */
static int
find_backend_sample(const struct pitot_gpu *gpu)
{
   const uint32_t samples = pitot_hw_gpu_samples(gpu);

   for (unsigned i = 0; samples >> i != 0; i++) {
      if ((samples >> i & 1) != 0 &&
          pitot_hw_gpu_sample_info(gpu, i).is_per_backend)
         return (int)i;
   }
   return -1;
}

/* Returns a mask of the slots that AMD's render backends write, by a sample
 * of them; 0 on other GPUs, or if the context is lost.
 */
static uint64_t
find_slots(struct check_gpu *gpu)
{
   const struct pitot_gpu *facts = &gpu->device->gpu;
   const int sample = find_backend_sample(facts);

   if (sample < 0)
      return 0;
   const struct pitot_hw_sample_info info =
      pitot_hw_gpu_sample_info(facts, (unsigned)sample);
   if (!check_wait(gpu, info.ring,
                   submit_sample(gpu, (unsigned)sample, &info)))
      return 0;
   look_at_sample(gpu, &info);
   return find_written(gpu, &info);
}

#define GFX9 90

static void
look_at_slots(struct check_gpu *gpu, uint64_t slots)
{
   const struct pitot_gpu *facts = &gpu->device->gpu;
   const unsigned enabled = count_bits(gpu->device->amd.rb_mask);
   const bool is_by_number = slots == gpu->device->amd.rb_mask;
   const bool is_packed = slots == (UINT64_C(1) << enabled) - 1;

   if (count_bits(slots) != enabled)
      check_wrong(gpu, "%u slots are written by %u render backends",
                  count_bits(slots), enabled);
   else if (!is_by_number && facts->generation < GFX9)
      check_wrong(gpu, "the slots are 0x%llx rather than 0x%llx",
                  (unsigned long long)slots,
                  (unsigned long long)gpu->device->amd.rb_mask);
   else
      snprintf(gpu->result->text, sizeof(gpu->result->text), "%s",
               is_by_number && is_packed ? "no render backend is disabled"
               : is_by_number            ? "the slots are by number"
               : is_packed               ? "the slots are packed"
                                         : "the slots are in another order");
}

void
check_backends(struct check_gpu *gpu)
{
   const uint64_t slots = find_slots(gpu);

   if (find_backend_sample(&gpu->device->gpu) < 0) {
      check_absent(gpu, "one counter counts the samples of all");
      return;
   }
   for (unsigned i = 1; i < ROUND_COUNT && !gpu->is_lost; i++) {
      const uint64_t now = find_slots(gpu);

      if (!gpu->is_lost && now != slots)
         check_wrong(gpu, "the slots were 0x%llx, and then 0x%llx",
                     (unsigned long long)slots, (unsigned long long)now);
   }
   if (gpu->is_lost)
      return;
   look_at_slots(gpu, slots);
   check_add_number(gpu, "enabled_mask", (double)gpu->device->amd.rb_mask);
   check_add_number(gpu, "slots_mask", (double)slots);
}
