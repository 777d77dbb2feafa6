/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Checks what the GPU executes in a context of src/drm: batches, samples
 * (written, in order, in place), render backends, and empty queries.
 * Invariant: memory is poisoned before each sample: every write shows.
 * Danger: the GPU may be writing while the CPU reads: read_qword() is atomic,
 * and only a done batch has written everything.
 */

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "pitot/clock.h"

#define BATCH_COUNT 16
#define ROUND_COUNT 16

/* Reads of memory for each poll of the kernel, which takes much longer */
#define LOOK_COUNT 64

/* Offsets, far apart, so that a write past one does not hit the other */
#define SAMPLE_B    1024
#define AVAILABLE_B 256

/* Each qword that the GPU has not written: the valid bit is 0. */
#define POISON    UINT64_C(0x5a5a5a5a5a5a5a5a)
#define VALID_BIT (UINT64_C(1) << 63)

/* Queries sample counters only while they count, so checks enable all. */
#define ALL_COUNTING                                                         \
   (PITOT_COUNTING_SAMPLES | PITOT_COUNTING_STATISTICS |                     \
    PITOT_COUNTING_STREAMOUT | PITOT_COUNTING_GENERATED)

#define GFX9 90

/* How much longer than the CPU's the GPU's elapsed time may be, since their
 * clocks differ.
 */
#define MAX_RATIO    1.01
#define MAX_ERROR_NS 10000

/* Returns the number of the batch. */
static uint64_t
submit_batch(struct check_gpu *gpu, enum pitot_ring ring)
{
   const uint64_t batch = gpu->cs->ops->current_batch(gpu->cs, ring);

   gpu->cs->ops->flush(gpu->cs, ring);
   return batch;
}

/* Waits as long as the kernel does.  If the batch is not done then, the
 * context is lost, and returns false.
 */
static bool
wait_for_batch(struct check_gpu *gpu, enum pitot_ring ring, uint64_t batch)
{
   struct pitot_cs *cs = gpu->cs;

   cs->ops->wait(cs, ring, batch);
   if (cs->ops->batch_state(cs, ring, batch) == PITOT_BATCH_DONE)
      return true;
   check_wrong(gpu, "the context is lost: a batch was never done: %s",
               gpu->step);
   gpu->is_lost = true;
   return false;
}

void
check_batches(struct check_gpu *gpu)
{
   const unsigned ring_count = gpu->cs->ring_count;

   for (unsigned ring = 0; ring < ring_count; ring++) {
      snprintf(gpu->step, sizeof(gpu->step), "an empty batch of the %s ring",
               ring == PITOT_RING_RENDER ? "render" : "compute");
      for (unsigned i = 0; i < BATCH_COUNT; i++) {
         if (!wait_for_batch(gpu, ring, submit_batch(gpu, ring)))
            return;
      }
   }
   check_add_number(gpu, "batches", ring_count * BATCH_COUNT);
}

bool
check_next_sample(struct check_gpu *gpu)
{
   const struct pitot_gpu *facts = &gpu->device->gpu;
   const unsigned next = (unsigned)(gpu->sample + 1);
   const uint32_t left = pitot_hw_gpu_samples(facts) >> next;

   gpu->sample = -1;
   if (gpu->cs == NULL || gpu->is_lost || left == 0)
      return false;
   gpu->sample = (int)next + __builtin_ctz(left);
   gpu->info = pitot_hw_gpu_sample_info(facts, (unsigned)gpu->sample);
   return true;
}

/* Returns the number of the batch. */
static uint64_t
submit_sample(struct check_gpu *gpu)
{
   const struct pitot_hw_sample_info *info = &gpu->info;
   const bool is_intel = gpu->device->gpu.family == &pitot_hw_intel;
   char name[32];

   if (info->command == PITOT_COMMAND_OCCLUSION)
      snprintf(name, sizeof(name), "of occlusion");
   else if (info->command == PITOT_COMMAND_TIMESTAMP)
      snprintf(name, sizeof(name), "of the time");
   else
      snprintf(name, sizeof(name),
               is_intel ? "of register 0x%x" : "by event %u",
               is_intel ? info->argument : info->argument & 0xff);
   snprintf(gpu->step, sizeof(gpu->step), "a sample %s%s", name,
            info->ring == PITOT_RING_COMPUTE ? " on the compute ring" : "");

   gpu->cs->ops->set_counting(gpu->cs, ALL_COUNTING);
   memset(gpu->buffer->memory, (int)(POISON & 0xff), CHECK_BUFFER_B);
   memset(gpu->buffer->memory + AVAILABLE_B, 0, sizeof(uint64_t));
   pitot_hw_sample_take(gpu->hw, (unsigned)gpu->sample, gpu->buffer, SAMPLE_B,
                        AVAILABLE_B);
   return submit_batch(gpu, info->ring);
}

static uint64_t
read_qword(const struct check_gpu *gpu, unsigned offset_B)
{
   const uint8_t *memory = gpu->buffer->memory;

   return __atomic_load_n((const uint64_t *)(memory + offset_B),
                          __ATOMIC_ACQUIRE);
}

/* Returns a mask of the qwords of the sample that are written.  Some are
 * written in two halves: both must differ from the poison.
 */
static uint64_t
find_written(const struct check_gpu *gpu)
{
   const struct pitot_hw_sample_info *info = &gpu->info;
   uint64_t written = 0;

   for (unsigned i = 0; i * info->stride_B < info->size_B; i++) {
      const uint64_t value = read_qword(gpu, SAMPLE_B + i * info->stride_B);
      const uint64_t difference = value ^ POISON;
      const bool is_written =
         info->has_valid_bits
            ? (value & VALID_BIT) != 0
            : (uint32_t)difference != 0 && difference >> 32 != 0;

      written |= (uint64_t)is_written << i;
   }
   return written;
}

static bool
is_whole(const struct check_gpu *gpu, uint64_t written)
{
   const struct pitot_hw_sample_info *info = &gpu->info;
   const int qwords =
      info->is_per_backend
         ? __builtin_popcountll(gpu->device->amd.rb_mask)
         : (int)((info->size_B + info->stride_B - 1) / info->stride_B);

   return __builtin_popcountll(written) == qwords;
}

/* Checks memory after the batch of a sample is done. */
static void
check_sample_memory(struct check_gpu *gpu)
{
   const struct pitot_hw_sample_info *info = &gpu->info;
   const uint64_t written = find_written(gpu);
   const uint64_t available = read_qword(gpu, AVAILABLE_B);

   if (!is_whole(gpu, written))
      check_wrong(gpu,
                  "not written, or not all of it (qwords 0x%" PRIx64 "): %s",
                  written, gpu->step);
   if (available != info->available)
      check_wrong(gpu,
                  "its availability word is 0x%" PRIx64
                  " rather than 0x%x: %s",
                  available, info->available, gpu->step);
   for (unsigned i = 0; i < CHECK_BUFFER_B; i += sizeof(uint64_t)) {
      const bool is_target =
         i == AVAILABLE_B || (i >= SAMPLE_B && i < SAMPLE_B + info->size_B);

      if (!is_target && read_qword(gpu, i) != POISON)
         check_wrong(gpu, "a write is %d bytes beside its target: %s",
                     (int)i - SAMPLE_B, gpu->step);
   }
}

bool
check_take_sample(struct check_gpu *gpu)
{
   if (!wait_for_batch(gpu, gpu->info.ring, submit_sample(gpu)))
      return false;
   check_sample_memory(gpu);
   gpu->value = read_qword(gpu, SAMPLE_B);
   return true;
}

void
check_samples(struct check_gpu *gpu)
{
   unsigned count = 0;

   if (gpu->cs == NULL) {
      gpu->verdict = CHECK_ABSENT;
      snprintf(gpu->text, sizeof(gpu->text),
               "Pitot has no contexts of its own on %s, so neither samples "
               "nor statistics are checked",
               gpu->device->kernel.driver);
      return;
   }
   for (; check_next_sample(gpu); count++)
      check_take_sample(gpu);
   check_add_number(gpu, "samples", count);
}

/* Polls memory for the availability word. */
static bool
is_available(const struct check_gpu *gpu)
{
   for (unsigned i = 0; i < LOOK_COUNT; i++) {
      if ((uint32_t)read_qword(gpu, AVAILABLE_B) != 0)
         return true;
   }
   return false;
}

/* Polls until the availability word is written or the batch is over, and then
 * checks that the sample was written first.  Render backends may be later:
 * returns whether one was.
 */
static bool
watch_sample(struct check_gpu *gpu)
{
   struct pitot_cs *cs = gpu->cs;
   const enum pitot_ring ring = gpu->info.ring;
   const bool is_per_backend = gpu->info.is_per_backend;
   const uint64_t batch = submit_sample(gpu);

   while (!is_available(gpu) &&
          cs->ops->batch_state(cs, ring, batch) == PITOT_BATCH_SUBMITTED)
      ;
   const bool is_early =
      is_available(gpu) && !is_whole(gpu, find_written(gpu));

   if (is_early && !is_per_backend)
      check_wrong(gpu, "its availability word came first: %s", gpu->step);
   if (wait_for_batch(gpu, ring, batch))
      check_sample_memory(gpu);
   return is_early && is_per_backend;
}

void
check_fences(struct check_gpu *gpu)
{
   unsigned count = 0, late_count = 0;

   for (unsigned i = 0; i < ROUND_COUNT; i++) {
      for (; check_next_sample(gpu); count++)
         late_count += watch_sample(gpu);
   }
   check_add_number(gpu, "samples", count);
   if (gpu->device->gpu.family == &pitot_hw_amd)
      check_add_number(gpu, "late_backend_samples", late_count);
}

/* From GFX9 on, slots of enabled backends may be packed: PAL says that they
 * are, radeonsi that they are not.
 */
static void
check_slots(struct check_gpu *gpu, uint64_t slots)
{
   const uint64_t enabled = gpu->device->amd.rb_mask;
   const bool is_by_number = slots == enabled;
   const bool is_packed =
      slots == (UINT64_C(1) << __builtin_popcountll(enabled)) - 1;

   if (!is_by_number && gpu->device->gpu.generation < GFX9)
      check_wrong(gpu, "the slots are 0x%" PRIx64 " rather than 0x%" PRIx64,
                  slots, enabled);
   if (gpu->verdict == CHECK_RIGHT)
      snprintf(gpu->text, sizeof(gpu->text), "%s",
               is_by_number && is_packed ? "no render backend is disabled"
               : is_by_number            ? "the slots are by number"
               : is_packed               ? "the slots are packed"
                                         : "the slots are in another order");
   check_add_number(gpu, "enabled_mask", (double)enabled);
   check_add_number(gpu, "slots_mask", (double)slots);
}

void
check_backends(struct check_gpu *gpu)
{
   uint64_t slots = 0;

   do {
      if (!check_next_sample(gpu)) {
         gpu->verdict = CHECK_ABSENT;
         snprintf(gpu->text, sizeof(gpu->text),
                  "one counter counts the samples of all");
         return;
      }
   } while (!gpu->info.is_per_backend);
   for (unsigned i = 0; i < ROUND_COUNT; i++) {
      const uint64_t before = slots;

      if (!check_take_sample(gpu))
         return;
      slots = find_written(gpu);
      if (i != 0 && slots != before)
         check_wrong(gpu, "the slots were 0x%" PRIx64 ", and then 0x%" PRIx64,
                     before, slots);
   }
   check_slots(gpu, slots);
}

static uint64_t
cpu_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * PITOT_NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Measures an empty query, on both rings.  Without a result, returns false
 * and the context may be lost.
 */
static bool
measure_nothing(struct check_gpu *gpu, enum pitot_kind kind,
                uint64_t *value_out)
{
   struct pitot_hw_query *query;
   const int error = pitot_hw_query_create(gpu->hw, kind, 0, &query);

   if (error != 0) {
      check_wrong(gpu, "there is no query: %s: %s", strerror(-error),
                  gpu->step);
      return false;
   }
   if (!pitot_kind_info(kind)->is_instant) {
      pitot_hw_query_begin(gpu->hw, query);
      pitot_hw_dispatch(gpu->hw, PITOT_RING_COMPUTE);
   }
   pitot_hw_query_end(gpu->hw, query);
   const int status = pitot_hw_query_result(gpu->hw, query, true, value_out);
   pitot_hw_query_free(gpu->hw, query);
   if (status == 1)
      return true;
   check_wrong(gpu, "the result is lost: %s", gpu->step);
   gpu->is_lost = gpu->cs->ops->take_reset(gpu->cs);
   return false;
}

void
check_empty_queries(struct check_gpu *gpu)
{
   unsigned count = 0;

   for (unsigned kind = 0; kind < PITOT_KIND_COUNT && !gpu->is_lost; kind++) {
      const uint64_t before_ns = cpu_ns();
      uint64_t value;

      if (pitot_hw_gpu_counter_bits(&gpu->device->gpu, kind) == 0)
         continue;
      count++;
      snprintf(gpu->step, sizeof(gpu->step), "a query of %s",
               pitot_kind_info(kind)->name);
      if (!measure_nothing(gpu, kind, &value) || kind == PITOT_KIND_TIMESTAMP)
         continue;

      const double max =
         kind == PITOT_KIND_TIME_ELAPSED
            ? (double)(cpu_ns() - before_ns) * MAX_RATIO + MAX_ERROR_NS
            : 0;
      if ((double)value > max)
         check_wrong(gpu, "it is %" PRIu64 ": %s", value, gpu->step);
   }
   check_add_number(gpu, "queries", count);
}
