/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that a compute shader stores.  One dispatch adds up samples that
 * have their begins in one buffer and their ends in one: mostly all of a
 * query.  Of several dispatches each stores a part, and a last one adds up
 * the parts.
 *
 * Danger: the command processor and the shader read through different caches,
 * depending on the generation: see wait_for_all() and launch_grid().
 */

#include "radeonsi_pitot_priv.h"
#include "radeonsi_shader.h"
#include "si_build_pm4.h"
#include "sid.h"
#include "util/u_suballoc.h"

/* Set in the upper half of a qword that the GPU has written. */
#define VALID_BIT UINT32_C(0x80000000)

static struct si_resource *
resource_of(const struct pitot_cs_buffer *buffer)
{
   return ((const struct radeonsi_pitot_buffer *)buffer)->res;
}

/* Overflow pairs come in twos of one record: the shader gets the first. */
static unsigned
stride_of(const struct pitot_cs_result *result)
{
   return result->method == PITOT_CS_OVERFLOW ? 2 : 1;
}

/* Returns the end of the pairs from first on that one dispatch can add up. */
static unsigned
end_together(const struct pitot_cs_result *result, unsigned first)
{
   const struct pitot_cs_pair *pairs = result->pairs;
   const unsigned stride = stride_of(result);
   unsigned i = first;

   while (i < result->pair_count &&
          i < first + stride * PITOT_RADEONSI_MAX_PAIRS &&
          pairs[i].begin == pairs[first].begin &&
          pairs[i].end == pairs[first].end)
      i += stride;
   return i;
}

static unsigned
count_parts(const struct pitot_cs_result *result)
{
   unsigned count = 0;

   for (unsigned i = 0; i < result->pair_count; count++)
      i = end_together(result, i);
   return count;
}

/*
 * Waiting
 */

/* From GFX9 to GFX11, the command processor reads through L2, which radeonsi
 * invalidates only with the first draw or dispatch of an IB.  An earlier wait
 * would read old content of memory that the CPU has cleared since.
 */
static void
invalidate_before_wait(struct si_context *sctx)
{
   if (sctx->gfx_level >= GFX9 &&
       !sctx->screen->info.cp_sdma_ge_use_system_memory_scope &&
       sctx->barrier_flags & SI_BARRIER_INV_L2)
      si_emit_barrier_direct(sctx PITOT_SINCE_26_0(, 0));
}

/* Makes the command processor wait until a dword has a bit of a mask, unless
 * the CPU finds it set.  Returns false if the device is lost.
 */
static bool
wait_mem(struct radeonsi_pitot *pitot, struct pitot_cs_buffer *buffer,
         unsigned offset_B, uint32_t mask)
{
   struct pitot_cs *cs = &pitot->cs;
   struct si_context *sctx = pitot->sctx;

   if (p_atomic_read((uint32_t *)(buffer->memory + offset_B)) & mask)
      return true;
   /* A wait is smaller than a command. */
   if (!cs->ops->require(cs, PITOT_RING_RENDER, 1))
      return false;
   cs->ops->use_buffer(cs, PITOT_RING_RENDER, buffer);
   invalidate_before_wait(sctx);
   si_cp_wait_mem(sctx, &sctx->gfx_cs,
                  resource_of(buffer)->gpu_address + offset_B, 0, mask,
                  WAIT_REG_MEM_NOT_EQUAL);
   return true;
}

static bool
wait_for_qwords(struct radeonsi_pitot *pitot,
                const struct pitot_cs_result *result,
                struct pitot_cs_buffer *buffer, unsigned offset_B)
{
   bool is_alive = true;

   for (unsigned i = 0; result->slots >> i && is_alive; i++) {
      if (result->slots >> i & 1)
         is_alive = wait_mem(pitot, buffer,
                             offset_B + i * result->stride_B + 4, VALID_BIT);
   }
   return is_alive;
}

/* A render backend (one of several slots) writes its begin before its end,
 * into the same 16 bytes: the end is enough.
 */
static bool
wait_for_pair(struct radeonsi_pitot *pitot,
              const struct pitot_cs_result *result,
              const struct pitot_cs_pair *pair)
{
   return wait_for_qwords(pitot, result, pair->end, pair->end_B) &&
          (result->slots > 1 ||
           wait_for_qwords(pitot, result, pair->begin, pair->begin_B));
}

/* Waits for the samples of a result.  End-of-pipe writes land in order, so
 * the last availability word covers all but the render backends and
 * stream-out.  From GFX9 on, these write through the cache that shaders read:
 * the shader polls for them, no longer than a write to memory takes.  RADV's
 * shader waits for render backends on these generations, and PAL's on all
 * that PAL supports.  Returns false if the device is lost.
 */
static bool
wait_for_all(struct radeonsi_pitot *pitot,
             const struct pitot_cs_result *result)
{
   const bool is_each =
      result->has_valid_bits && pitot->sctx->gfx_level < GFX9;
   bool is_alive = true;

   if (result->pair_count && !is_each) {
      const struct pitot_cs_pair *last =
         &result->pairs[result->pair_count - 1];

      return wait_mem(pitot, last->end, last->available_B, UINT32_MAX);
   }
   for (unsigned i = 0; i < result->pair_count && is_alive; i++)
      is_alive = wait_for_pair(pitot, result, &result->pairs[i]);
   return is_alive;
}

/*
 * Dispatches
 */

/* If GL waits for the result, the command processor waits before this.
 * Otherwise the shader reads the samples that have landed.  Up to GFX8, they
 * bypass L2, which is invalidated for that; GFX12's L2 does not cache them.
 */
static void
launch_grid(struct radeonsi_pitot *pitot,
            const struct radeonsi_pitot_job *job,
            struct pipe_shader_buffer ssbos[PITOT_RADEONSI_BUFFER_COUNT])
{
   static const struct pipe_grid_info one_thread = {
      .block = { 1, 1, 1 },
      .grid = { 1, 1, 1 },
   };
   const unsigned writable = 1u << PITOT_RADEONSI_TARGET;
   const struct pipe_constant_buffer constants = {
      .buffer_size = offsetof(struct radeonsi_pitot_job, pairs) +
                     job->pair_count * sizeof(job->pairs[0]),
      .user_buffer = job,
   };
   struct si_context *sctx = pitot->sctx;
   struct pipe_grid_info grid = one_thread;

   sctx->b.set_constant_buffer(&sctx->b, MESA_SHADER_COMPUTE, 0,
                               PITOT_BEFORE_26_0(false,) &constants);
   sctx->barrier_flags |=
      SI_BARRIER_INV_SMEM | (sctx->gfx_level <= GFX8 ? SI_BARRIER_INV_L2 : 0);
   si_barrier_before_simple_buffer_op(sctx, 0,
                                      ssbos[PITOT_RADEONSI_TARGET].buffer,
                                      NULL);
   si_launch_grid_internal_ssbos(sctx, &grid, pitot->result_shader,
                                 PITOT_RADEONSI_BUFFER_COUNT, ssbos, writable,
                                 false);
   si_barrier_after_internal_op(sctx, 0, PITOT_RADEONSI_BUFFER_COUNT, ssbos,
                                writable, 0, NULL);
}

static void
describe_samples(const struct pitot_cs_result *result,
                 struct radeonsi_pitot_job *job)
{
   static const uint32_t flags[] = {
      [PITOT_CS_ADD] = 0,
      [PITOT_CS_OVERFLOW] = PITOT_RADEONSI_OVERFLOW,
      [PITOT_CS_ELAPSED] = PITOT_RADEONSI_ELAPSED,
      [PITOT_CS_LATEST] = PITOT_RADEONSI_LATEST,
   };

   job->flags |= flags[result->method];
   job->slot_count = util_last_bit64(result->slots);
   job->slots = result->slots;
   job->stride_B = result->stride_B;
   job->valid_mask = result->has_valid_bits ? UINT64_C(1) << 63 : 0;
   if (result->method == PITOT_CS_OVERFLOW && result->pair_count)
      job->written_B = result->pairs[1].end_B - result->pairs[0].end_B;
   if (result->has_valid_bits && result->kind == PITOT_STORE_RESULT) {
      job->flags |= PITOT_RADEONSI_WAITS;
      job->looks = PITOT_RADEONSI_MAX_LOOKS;
   }
}

static void
describe_store(const struct pitot_cs_result *result,
               struct radeonsi_pitot_job *job)
{
   job->sum = result->sum;
   job->max = pitot_type_max[result->type];
   if (result->is_time)
      job->flags |= PITOT_RADEONSI_TIME;
   if (result->is_boolean)
      job->flags |= PITOT_RADEONSI_BOOLEAN;
   if (result->kind == PITOT_STORE_AVAILABLE)
      job->flags |= PITOT_RADEONSI_AVAILABLE;
   if (result->kind != PITOT_STORE_RESULT_NO_WAIT)
      job->flags |= PITOT_RADEONSI_STORES_ALWAYS;
   if (pitot_type_size_B(result->type) == sizeof(uint64_t))
      job->flags |= PITOT_RADEONSI_WIDE;
}

/* Adds up the pairs from begin_pair to end_pair, in one dispatch. */
static void
launch_pairs(struct radeonsi_pitot *pitot, struct radeonsi_pitot_job *job,
             const struct pitot_cs_result *result, unsigned begin_pair,
             unsigned end_pair, struct pipe_shader_buffer target)
{
   const struct pitot_cs_pair none = { .end = &pitot->target.base };
   const struct pitot_cs_pair *first =
      begin_pair < end_pair ? &result->pairs[begin_pair] : &none;
   struct pipe_resource *end = &resource_of(first->end)->b.b;
   struct pipe_resource *begin =
      first->begin ? &resource_of(first->begin)->b.b : end;

   if (first->begin)
      job->flags |= PITOT_RADEONSI_HAS_BEGIN;
   for (unsigned i = begin_pair; i < end_pair; i += stride_of(result)) {
      const struct pitot_cs_pair *pair = &result->pairs[i];

      job->pairs[job->pair_count].begin_B = pair->begin_B;
      job->pairs[job->pair_count].end_B = pair->end_B;
      job->pairs[job->pair_count++].available_B = pair->available_B;
   }
   launch_grid(pitot, job,
               (struct pipe_shader_buffer[]){
                  [PITOT_RADEONSI_BEGIN] = { begin, 0, begin->width0 },
                  [PITOT_RADEONSI_END] = { end, 0, end->width0 },
                  [PITOT_RADEONSI_TARGET] = target,
               });
}

/* Stores one part for each dispatch of pairs. */
static void
launch_parts(struct radeonsi_pitot *pitot, struct radeonsi_pitot_job *job,
             const struct pitot_cs_result *result,
             struct pipe_shader_buffer target)
{
   unsigned end;

   for (unsigned i = 0; i < result->pair_count; i = end) {
      *job = (struct radeonsi_pitot_job){
         .flags = PITOT_RADEONSI_STORES_ALWAYS | PITOT_RADEONSI_PART,
         .max = UINT64_MAX,
      };
      end = end_together(result, i);
      describe_samples(result, job);
      launch_pairs(pitot, job, result, i, end, target);
      target.buffer_offset += sizeof(struct radeonsi_pitot_part);
   }
}

/* Adds up parts, as if they were samples without begins. */
static void
launch_last(struct radeonsi_pitot *pitot, struct radeonsi_pitot_job *job,
            const struct pitot_cs_result *result, unsigned count,
            struct pipe_shader_buffer parts, struct pipe_shader_buffer target)
{
   *job = (struct radeonsi_pitot_job){
      .pair_count = count,
      .slot_count = 1,
      .slots = 1,
   };
   if (result->method == PITOT_CS_LATEST)
      job->flags |= PITOT_RADEONSI_LATEST;
   describe_store(result, job);
   for (unsigned i = 0; i < count; i++) {
      const unsigned offset_B = i * sizeof(struct radeonsi_pitot_part);

      job->pairs[i].end_B = offset_B;
      job->pairs[i].available_B =
         offset_B + offsetof(struct radeonsi_pitot_part, is_there);
   }
   launch_grid(pitot, job,
               (struct pipe_shader_buffer[]){
                  [PITOT_RADEONSI_BEGIN] = parts,
                  [PITOT_RADEONSI_END] = parts,
                  [PITOT_RADEONSI_TARGET] = target,
               });
}

/* Returns false if out of memory. */
static bool
launch_in_parts(struct radeonsi_pitot *pitot, struct radeonsi_pitot_job *job,
                const struct pitot_cs_result *result, unsigned count,
                struct pipe_shader_buffer target)
{
   struct pipe_shader_buffer parts = {
      .buffer_size = count * sizeof(struct radeonsi_pitot_part),
   };

   u_suballocator_alloc(&pitot->sctx->allocator_zeroed_memory,
                        parts.buffer_size, sizeof(struct radeonsi_pitot_part),
                        &parts.buffer_offset, &parts.buffer);
   if (!parts.buffer)
      return false;
   launch_parts(pitot, job, result, parts);
   launch_last(pitot, job, result, count, parts, target);
   pipe_resource_reference(&parts.buffer, NULL);
   return true;
}

/* Waits for the thread that compiles the shader.  Returns false if that
 * failed: radeonsi would drop the dispatches.
 */
static bool
has_shader(struct radeonsi_pitot *pitot)
{
   struct si_context *sctx = pitot->sctx;
   struct si_compute *program;

   if (!pitot->result_shader)
      pitot->result_shader = si_create_shader_state(
         sctx,
         pitot_radeonsi_build_shader(sctx->screen->nir_options,
                                     sctx->screen->info.clock_crystal_freq));
   program = pitot->result_shader;
   if (!program)
      return false;
   util_queue_fence_wait(&program->sel.ready);
   return !program->shader.compilation_failed;
}

bool
pitot_radeonsi_store(struct pitot_cs *cs,
                     const struct pitot_cs_result *result)
{
   struct radeonsi_pitot *pitot = pitot_of(cs);
   struct si_context *sctx = pitot->sctx;
   const unsigned count = count_parts(result);
   const struct pipe_shader_buffer target = {
      .buffer = &resource_of(result->buffer)->b.b,
      .buffer_offset = result->offset_B,
      .buffer_size = pitot_type_size_B(result->type),
   };
   struct radeonsi_pitot_job job = { 0 };
   struct si_qbo_state saved = { 0 };
   bool has_memory = true;

   if (!has_shader(pitot) || count > PITOT_RADEONSI_MAX_PAIRS ||
       (result->kind == PITOT_STORE_RESULT && !wait_for_all(pitot, result)))
      return false;

   si_save_qbo_state(sctx, &saved);
   if (count > 1) {
      has_memory = launch_in_parts(pitot, &job, result, count, target);
   } else {
      describe_samples(result, &job);
      describe_store(result, &job);
      launch_pairs(pitot, &job, result, 0, result->pair_count, target);
   }
   si_restore_qbo_state(sctx, &saved);
   return has_memory;
}
