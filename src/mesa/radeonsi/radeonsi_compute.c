/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that a compute shader stores.  Samples of a query are in few
 * buffers, and mostly in one: a dispatch adds up those that have their begins
 * in one buffer and their ends in one.  If that takes more than one dispatch,
 * each stores a part, and a last one adds up the parts.
 */

#include "radeonsi_pitot_priv.h"
#include "radeonsi_shader.h"
#include "si_pipe.h"
#include "util/u_suballoc.h"

static struct si_resource *
resource_of(const struct pitot_cs_buffer *buffer)
{
   return ((const struct radeonsi_pitot_buffer *)buffer)->res;
}

/* Returns how many pairs one dispatch can add up, from the first one on. */
static unsigned
count_together(const struct pitot_cs_pair *pairs, unsigned count)
{
   unsigned i = 0;

   while (i < count && i < PITOT_RADEONSI_MAX_PAIRS &&
          pairs[i].begin == pairs[0].begin && pairs[i].end == pairs[0].end)
      i++;
   return i;
}

static unsigned
count_parts(const struct pitot_cs_result *result)
{
   unsigned count = 0;

   for (unsigned i = 0; i < result->pair_count; count++)
      i += count_together(&result->pairs[i], result->pair_count - i);
   return count;
}

/* If GL waits for the result, the command processor was told to wait before.
 * Otherwise the shader looks at the samples that are there by then.  Up to
 * GFX8 samples bypass L2, where the shader looks; GFX12's L2 keeps none.
 */
static void
launch(struct radeonsi_pitot *pitot, const struct radeonsi_pitot_job *job,
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

   sctx->b.set_constant_buffer(&sctx->b, PIPE_SHADER_COMPUTE, 0, false,
                               &constants);
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

/* Fills in how samples are added up. */
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
   job->written_B = result->written_B;
   if (result->waits) {
      job->flags |= PITOT_RADEONSI_WAITS;
      job->looks = PITOT_RADEONSI_MAX_LOOKS;
   }
}

/* Fills in how a sum is stored. */
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
      job->flags |= PITOT_RADEONSI_ALWAYS;
   if (pitot_type_size_B(result->type) == sizeof(uint64_t))
      job->flags |= PITOT_RADEONSI_WIDE;
}

/* Adds up pairs that can be together. */
static void
launch_pairs(struct radeonsi_pitot *pitot, struct radeonsi_pitot_job *job,
             const struct pitot_cs_pair *pairs, unsigned count,
             struct pipe_shader_buffer target)
{
   const struct pitot_cs_pair none = { .end = &pitot->target.base };
   const struct pitot_cs_pair *first = count ? &pairs[0] : &none;
   struct pipe_resource *end = &resource_of(first->end)->b.b;
   struct pipe_resource *begin =
      first->begin ? &resource_of(first->begin)->b.b : end;

   job->pair_count = count;
   if (first->begin)
      job->flags |= PITOT_RADEONSI_HAS_BEGIN;
   for (unsigned i = 0; i < count; i++) {
      job->pairs[i].begin_B = pairs[i].begin_B;
      job->pairs[i].end_B = pairs[i].end_B;
      job->pairs[i].available_B = pairs[i].available_B;
   }
   launch(pitot, job,
          (struct pipe_shader_buffer[]){
             [PITOT_RADEONSI_BEGIN] = { begin, 0, begin->width0 },
             [PITOT_RADEONSI_END] = { end, 0, end->width0 },
             [PITOT_RADEONSI_TARGET] = target,
          });
}

/* Stores the sums of pairs that can be together, one after another. */
static void
launch_parts(struct radeonsi_pitot *pitot, struct radeonsi_pitot_job *job,
             const struct pitot_cs_result *result,
             struct pipe_shader_buffer target)
{
   unsigned count;

   for (unsigned i = 0; i < result->pair_count; i += count) {
      *job = (struct radeonsi_pitot_job){
         .flags = PITOT_RADEONSI_ALWAYS | PITOT_RADEONSI_PART,
         .max = UINT64_MAX,
      };
      count = count_together(&result->pairs[i], result->pair_count - i);
      describe_samples(result, job);
      launch_pairs(pitot, job, &result->pairs[i], count, target);
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
   launch(pitot, job,
          (struct pipe_shader_buffer[]){
             [PITOT_RADEONSI_BEGIN] = parts,
             [PITOT_RADEONSI_END] = parts,
             [PITOT_RADEONSI_TARGET] = target,
          });
}

/* Returns whether there is memory for parts. */
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

/* Returns whether there is a shader.  It is compiled by another thread: the
 * driver drops dispatches of one that could not be.
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
pitot_radeonsi_compute(struct pitot_cs *cs,
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

   if (!has_shader(pitot) || count > PITOT_RADEONSI_MAX_PAIRS)
      return false;

   si_save_qbo_state(sctx, &saved);
   if (count > 1) {
      has_memory = launch_in_parts(pitot, &job, result, count, target);
   } else {
      describe_samples(result, &job);
      describe_store(result, &job);
      launch_pairs(pitot, &job, result->pairs, result->pair_count, target);
   }
   si_restore_qbo_state(sctx, &saved);
   return has_memory;
}
