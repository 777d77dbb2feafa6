/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that the command processor adds up, after all tiles of a batch.  It
 * adds qwords and compares dwords, but cannot multiply: the CPU stores times.
 * All stores share one scratch sum, since sampled batches, and their
 * epilogues, execute in order.
 */

#include "freedreno_pitot_priv.h"

/* Scratch memory: the sum, and a dword that the fence of samples writes. */
#define SUM_LOW_B      0
#define SUM_HIGH_B     4
#define DRAINED_B      8
#define SCRATCH_SIZE_B 16

struct store {
   struct fd_ringbuffer *ring;
   struct fd_bo *scratch;
};

static struct freedreno_pitot_place
scratch_place(const struct store *store, unsigned offset_B)
{
   return (struct freedreno_pitot_place){ store->scratch, offset_B };
}

static void
set_sum(const struct store *store, uint64_t value)
{
   OUT_PKT7(store->ring, CP_MEM_WRITE, 4);
   pitot_freedreno_out(store->ring, scratch_place(store, SUM_LOW_B));
   OUT_RING(store->ring, value);
   OUT_RING(store->ring, value >> 32);
}

/* Adds how much a qword grew, or subtracts it. */
static void
add_pair(const struct store *store, const struct pitot_cs_pair *pair,
         bool is_negative)
{
   const struct freedreno_pitot_place sum = scratch_place(store, SUM_LOW_B);
   const struct freedreno_pitot_place end =
      pitot_freedreno_place(pair->end, pair->end_B);

   if (!pair->begin) {
      pitot_freedreno_add(store->ring, sum, end, NULL);
      return;
   }
   const struct freedreno_pitot_place begin =
      pitot_freedreno_place(pair->begin, pair->begin_B);
   pitot_freedreno_add(store->ring, sum, is_negative ? begin : end,
                       is_negative ? &end : &begin);
}

/* Overflow: of each two pairs, the first is what a stream needed, the second
 * what it wrote, which is never more.  So the sum of the differences is not 0
 * if any stream overflowed.
 */
static void
add_pairs(const struct store *store, const struct pitot_cs_result *result)
{
   const bool is_overflow = result->method == PITOT_CS_OVERFLOW;

   set_sum(store, result->sum);
   for (unsigned i = 0; i < result->pair_count; i++)
      add_pair(store, &result->pairs[i], is_overflow && i % 2);
}

/* Replaces a half of the sum if a dword is 0, or has a bit of a mask.
 * Earlier packets may have written the dword.
 */
static void
replace_half(const struct store *store, unsigned half_B, uint32_t value,
             struct freedreno_pitot_place place,
             enum cp_cond_function function, uint32_t mask)
{
   struct fd_ringbuffer *ring = store->ring;

   OUT_PKT7(ring, CP_WAIT_MEM_WRITES, 0);
   OUT_PKT7(ring, CP_COND_WRITE5, 8);
   OUT_RING(ring, CP_COND_WRITE5_0_FUNCTION(function) |
                     CP_COND_WRITE5_0_POLL(POLL_MEMORY) |
                     CP_COND_WRITE5_0_WRITE_MEMORY);
   pitot_freedreno_out(ring, place);
   OUT_RING(ring, CP_COND_WRITE5_3_REF(0));
   OUT_RING(ring, CP_COND_WRITE5_4_MASK(mask));
   pitot_freedreno_out(ring, scratch_place(store, half_B));
   OUT_RING(ring, CP_COND_WRITE5_7_WRITE_DATA(value));
}

/* Replaces a half of the sum if other_half_B has a bit of the mask. */
static void
replace_if_any(const struct store *store, unsigned half_B, uint32_t value,
               unsigned other_half_B, uint32_t mask)
{
   replace_half(store, half_B, value, scratch_place(store, other_half_B),
                WRITE_NE, mask);
}

/* This batch's samples have landed.  Those of a lost batch never will, and
 * their availability words stay 0.
 */
static void
check_pairs(const struct store *store, const struct pitot_cs_result *result)
{
   const struct pitot_cs_pair *last = NULL;

   set_sum(store, 1);
   for (unsigned i = 0; i < result->pair_count; i++) {
      const struct pitot_cs_pair *pair = &result->pairs[i];

      if (!last || last->end != pair->end ||
          last->available_B != pair->available_B)
         replace_half(store, SUM_LOW_B, 0,
                      pitot_freedreno_place(pair->end, pair->available_B),
                      WRITE_EQ, ~0);
      last = pair;
   }
}

/* Turns a sum that is not 0 into 1. */
static void
normalize_sum(const struct store *store)
{
   replace_if_any(store, SUM_LOW_B, 1, SUM_HIGH_B, ~0);
   replace_if_any(store, SUM_LOW_B, 1, SUM_LOW_B, ~0);
   replace_if_any(store, SUM_HIGH_B, 0, SUM_HIGH_B, ~0);
}

static void
clamp_sum(const struct store *store, enum pitot_type type)
{
   const uint32_t max = pitot_type_max[type];

   if (pitot_type_size_B(type) == sizeof(uint64_t))
      return;
   replace_if_any(store, SUM_LOW_B, max, SUM_HIGH_B, ~0);
   if (max != UINT32_MAX)
      replace_if_any(store, SUM_LOW_B, max, SUM_LOW_B, ~max);
}

static void
copy_sum(const struct store *store, const struct pitot_cs_result *result)
{
   const bool is_qword = pitot_type_size_B(result->type) == sizeof(uint64_t);

   OUT_PKT7(store->ring, CP_MEM_TO_MEM, 5);
   OUT_RING(store->ring, CP_MEM_TO_MEM_0_WAIT_FOR_MEM_WRITES |
                            (is_qword ? CP_MEM_TO_MEM_0_DOUBLE : 0));
   pitot_freedreno_out(store->ring, pitot_freedreno_place(result->buffer,
                                                          result->offset_B));
   pitot_freedreno_out(store->ring, scratch_place(store, SUM_LOW_B));
   OUT_PKT7(store->ring, CP_WAIT_MEM_WRITES, 0);
}

/* Makes the command processor wait until all samples have landed. */
static void
wait_for_samples(const struct store *store, struct fd_batch *batch)
{
   const struct freedreno_pitot_place drained =
      scratch_place(store, DRAINED_B);

   OUT_PKT7(store->ring, CP_MEM_WRITE, 3);
   pitot_freedreno_out(store->ring, drained);
   OUT_RING(store->ring, 0);
   pitot_freedreno_fence(batch, drained, 1);
   pitot_freedreno_wait_other(store->ring, drained, 0);
}

/* Returns the sampled batch.  It must come after other batches that use the
 * same memory, so a batch that others have to follow is flushed.
 */
static struct fd_batch *
enter_last(struct freedreno_pitot *pitot)
{
   struct fd_batch *batch = pitot_freedreno_enter(pitot, NULL);

   if (!pitot_freedreno_comes_first(batch))
      return batch;
   fd_batch_flush(batch);
   return pitot_freedreno_enter(pitot, NULL);
}

bool
pitot_freedreno_store(struct pitot_cs *cs,
                      const struct pitot_cs_result *result)
{
   struct freedreno_pitot *pitot = pitot_of(cs);

   if (result->is_time || result->is_condition)
      return false;
   if (!pitot->scratch)
      pitot->scratch =
         fd_bo_new(pitot->ctx->dev, SCRATCH_SIZE_B, 0, "query sums");
   if (!pitot->scratch)
      return false;

   struct fd_batch *batch = enter_last(pitot);
   const struct store store = {
      .ring = fd_batch_get_epilogue(batch),
      .scratch = pitot->scratch,
   };
   wait_for_samples(&store, batch);
   if (result->kind == PITOT_STORE_AVAILABLE)
      check_pairs(&store, result);
   else
      add_pairs(&store, result);
   if (result->is_boolean && result->kind != PITOT_STORE_AVAILABLE)
      normalize_sum(&store);
   clamp_sum(&store, result->type);
   copy_sum(&store, result);
   cs->ops->use_buffer(cs, PITOT_RING_RENDER, result->buffer);
   fd_batch_needs_flush(batch);
   return true;
}
