/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Checks of conditions: the GPU executes a predicated write, or skips it.
 */

#include <inttypes.h>
#include <string.h>

#include "check.h"

/* Offsets of a predicated write, and of AMD's records. */
#define WRITE_B  1024
#define RECORD_B 2048

#define WRITTEN 0x600df00d

/* Runs a batch with a predicated packet that writes, or does not. */
static void
expect_write(struct check_gpu *gpu, bool expected)
{
   const bool is_done = check_run(gpu, PITOT_RING_RENDER);
   const bool is_written =
      (uint32_t)check_read(gpu, WRITE_B) != (uint32_t)CHECK_POISON;

   if (is_done && is_written != expected)
      check_wrong(gpu, "a write is %s: %s",
                  is_written ? "not skipped" : "skipped", gpu->step);
}

/*
 * Intel: MI_PREDICATE_RESULT, which the sampler computes
 */

#define STORE_REGISTER_MEM 0x12000002u
#define IS_PREDICATED      (1u << 21)
#define GENERAL_REGISTER   0x2600

/* Stores the value of a register, of which nothing is known, under the
 * condition.
 */
static void
store_predicated(struct check_gpu *gpu)
{
   const uint64_t address = gpu->buffer->address + WRITE_B;
   const uint32_t dw[] = {
      STORE_REGISTER_MEM | IS_PREDICATED,
      GENERAL_REGISTER,
      (uint32_t)address,
      (uint32_t)(address >> 32),
   };

   check_emit(gpu, PITOT_RING_RENDER, dw, 4);
}

static void
try_count(struct check_gpu *gpu, struct pitot_hw_query *query, uint64_t begin,
          uint64_t end, bool is_inverted)
{
   struct pitot_hw_condition condition;

   check_set_step(gpu, "%sif 0x%" PRIx64 " - 0x%" PRIx64 " is not 0",
                  is_inverted ? "but " : "", end, begin);
   check_poison(gpu);
   check_record_count(gpu, query, begin, end);
   pitot_hw_query_decide(gpu->hw, query, is_inverted, true, &condition);
   if (condition.decision != PITOT_HW_DECISION_BY_GPU)
      check_wrong(gpu, "the GPU does not decide: %s", gpu->step);
   store_predicated(gpu);
   expect_write(gpu, (begin != end) != is_inverted);
}

static unsigned
try_counts(struct check_gpu *gpu)
{
   static const uint64_t ends[] = { 7, 8, UINT64_C(1) << 32 | 7,
                                    UINT64_C(1) << 63 | 7 };
   const unsigned end_count = sizeof(ends) / sizeof(ends[0]);
   struct pitot_hw_query *query =
      check_create_query(gpu, PITOT_KIND_VERTICES_SUBMITTED);
   unsigned count = 0;

   for (; query != NULL && count < 2 * end_count && !gpu->is_lost; count++)
      try_count(gpu, query, 7, ends[count / 2], count % 2 != 0);
   pitot_hw_query_free(gpu->hw, query);
   return count;
}

/*
 * AMD: SET_PREDICATION, which looks at records in memory
 */

#define GFX7  70
#define GFX9  90
#define GFX11 110

#define SET_PREDICATION_GFX6 0xc0012000u
#define SET_PREDICATION      0xc0022000u
#define WRITE_DATA_IF        0xc0033701u /* with the predicate's flag */
#define ADDRESS_HIGH_GFX6    0xffu

#define DRAW_IF_VISIBLE (1u << 8)
#define DRAW_AT_ONCE    (1u << 12) /* rather than wait for samples */
#define OPERATION_SHIFT 16
#define CLEAR           0u
#define ZPASS           1u
#define PRIMCOUNT       2u

#define TO_MEMORY_GFX6 (1u << 8)
#define TO_MEMORY      (5u << 8)
#define WRITE_CONFIRM  (1u << 20)

#define VALID_BIT  (UINT64_C(1) << 63)
#define BACKEND_QW 2

static void
set_predication(struct check_gpu *gpu, uint32_t control)
{
   const uint64_t address = gpu->buffer->address + RECORD_B;
   const uint32_t low = (uint32_t)address;
   const uint32_t high = (uint32_t)(address >> 32);
   const uint32_t gfx6[] = { SET_PREDICATION_GFX6, low,
                             control | (high & ADDRESS_HIGH_GFX6) };
   const uint32_t gfx9[] = { SET_PREDICATION, control, low, high };

   if (gpu->device->gpu.generation < GFX9)
      check_emit(gpu, PITOT_RING_RENDER, gfx6, 3);
   else
      check_emit(gpu, PITOT_RING_RENDER, gfx9, 4);
}

static void
write_predicated(struct check_gpu *gpu)
{
   const bool is_gfx6 = gpu->device->gpu.generation < GFX7;
   const uint64_t address = gpu->buffer->address + WRITE_B;
   const uint32_t dw[] = {
      WRITE_DATA_IF,
      WRITE_CONFIRM | (is_gfx6 ? TO_MEMORY_GFX6 : TO_MEMORY),
      (uint32_t)address,
      (uint32_t)(address >> 32),
      WRITTEN,
   };

   check_emit(gpu, PITOT_RING_RENDER, dw, 5);
}

/* Has the command processor look at the record, which is written already, so
 * that it waits for nothing.
 */
static void
decide(struct check_gpu *gpu, uint32_t control, bool if_visible,
       bool expected)
{
   set_predication(gpu, control | (if_visible ? DRAW_IF_VISIBLE : 0));
   write_predicated(gpu);
   set_predication(gpu, CLEAR << OPERATION_SHIFT);
   expect_write(gpu, expected);
}

static uint64_t *
record_of(struct check_gpu *gpu)
{
   return (uint64_t *)(gpu->buffer->memory + RECORD_B);
}

/* Writes a record of samples that are the same at the begin and at the end.
 */
static void
write_samples(struct check_gpu *gpu)
{
   uint64_t *record = record_of(gpu);

   check_poison(gpu);
   for (unsigned i = 0; i < gpu->device->amd.rb_count * BACKEND_QW; i++)
      record[i] = VALID_BIT | (i / BACKEND_QW + 1);
}

/* Has a condition look at samples of which those of one slot differ, or of
 * none: -1.
 */
static void
try_slot(struct check_gpu *gpu, int slot, bool if_visible, bool expected)
{
   check_set_step(gpu, "%s samples, in slot %d",
                  if_visible ? "if there are" : "if there are no", slot);
   write_samples(gpu);
   if (slot >= 0)
      record_of(gpu)[slot * BACKEND_QW + 1] += UINT64_C(1) << slot;
   decide(gpu, ZPASS << OPERATION_SHIFT, if_visible, expected);
}

/* Slots that no backend writes may be looked at, or not. */
static unsigned
try_slots(struct check_gpu *gpu)
{
   const uint64_t slots = check_find_slots(gpu);
   unsigned count = 2;

   if (gpu->is_lost)
      return 0;
   try_slot(gpu, -1, true, false);
   if (!gpu->is_lost)
      try_slot(gpu, -1, false, true);
   for (unsigned i = 0; i < gpu->device->amd.rb_count; i++) {
      if ((slots >> i & 1) == 0)
         continue;
      for (unsigned k = 0; k < 2 && !gpu->is_lost; k++, count++)
         try_slot(gpu, (int)i, k == 0, k == 0);
   }
   return count;
}

/* Primitives are visible if all that needed room were written. */
static unsigned
try_streamout(struct check_gpu *gpu)
{
   unsigned count = 0;

   for (; count < 4 && !gpu->is_lost; count++) {
      const bool overflows = count / 2 != 0, if_visible = count % 2 != 0;
      uint64_t *record = record_of(gpu);

      check_poison(gpu);
      check_set_step(gpu, "if stream-out %s, with%s overflow",
                     if_visible ? "fits" : "overflows",
                     overflows ? "" : "out");
      record[0] = record[1] = VALID_BIT | 3; /* needed and written before */
      record[2] = VALID_BIT | (overflows ? 9 : 8);
      record[3] = VALID_BIT | 8;
      decide(gpu, PRIMCOUNT << OPERATION_SHIFT, if_visible,
             if_visible != overflows);
   }
   return count;
}

void
check_predicates(struct check_gpu *gpu)
{
   const struct pitot_gpu *facts = &gpu->device->gpu;
   unsigned count;

   if (facts->family == &pitot_hw_adreno) {
      check_absent(gpu, "the CPU decides");
      return;
   }
   if (facts->family == &pitot_hw_intel) {
      count = try_counts(gpu);
   } else {
      count = try_slots(gpu);
      if (facts->generation < GFX11 && !gpu->is_lost)
         count += try_streamout(gpu);
   }
   check_add_number(gpu, "conditions", count);
}

/* The last of all checks: if the GPU waits, it waits for ever. */
void
check_missing_samples(struct check_gpu *gpu)
{
   const uint64_t slots = check_find_slots(gpu);

   if (gpu->device->gpu.family == &pitot_hw_intel) {
      check_absent(gpu, "the command streamer knows if samples are there");
      return;
   }
   if (gpu->device->gpu.family == &pitot_hw_adreno) {
      check_absent(gpu, "the CPU decides");
      return;
   }
   for (unsigned i = 0; i < gpu->device->amd.rb_count; i++) {
      if ((slots >> i & 1) == 0 || gpu->is_lost)
         continue;
      check_set_step(gpu, "if there are samples, without those of slot %u",
                     i);
      write_samples(gpu);
      record_of(gpu)[i * BACKEND_QW + 1] = 0;
      decide(gpu, ZPASS << OPERATION_SHIFT | DRAW_AT_ONCE, true, true);
   }
}
