/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The compute shader that adds up the samples of a query and stores the
 * result.  radeonsi's own, si_create_query_result_cs(), does not fit: it
 * needs begin and end in one buffer, ignores the valid bits of samples, and
 * multiplies times by 10^6 before it divides them, which overflows after 51
 * hours.
 *
 * One thread does all work, on pairs whose begins are in one buffer and whose
 * ends are in another one.
 */

#include "nir_builder.h"
#include "radeonsi_shader.h"

#define FIELD_B(FIELD) offsetof(struct radeonsi_pitot_job, FIELD)

struct state {
   nir_builder *b;
   nir_def *flags;
   nir_variable *sum;      /* 64 bits */
   nir_variable *is_there; /* no sample is missing so far */
   nir_variable *looks;    /* polls that are left for late qwords */
};

static nir_def *
load_dwords(nir_builder *b, unsigned count, nir_def *offset_B)
{
   return nir_load_ubo(b, count, 32, nir_imm_int(b, 0), offset_B,
                       .align_mul = 4 * count, .range_base = 0,
                       .range = sizeof(struct radeonsi_pitot_job));
}

static nir_def *
load_field(nir_builder *b, unsigned offset_B, unsigned bits)
{
   nir_def *dwords = load_dwords(b, bits / 32, nir_imm_int(b, offset_B));

   return bits == 64 ? nir_pack_64_2x32(b, dwords) : dwords;
}

static nir_def *
has_flag(struct state *s, unsigned flag)
{
   return nir_test_mask(s->b, s->flags, flag);
}

/* The GPU may be writing samples: loads go to memory, in program order. */
static nir_def *
load_sample(nir_builder *b, unsigned bits, unsigned buffer, nir_def *offset_B)
{
   return nir_load_ssbo(b, 1, bits, nir_imm_int(b, buffer), offset_B,
                        .access = ACCESS_COHERENT | ACCESS_VOLATILE);
}

static void
require_bit(struct state *s, nir_def *condition)
{
   nir_builder *b = s->b;

   nir_store_var(b, s->is_there,
                 nir_iand(b, nir_load_var(b, s->is_there), condition), 1);
}

/* Returns whether the begin and the end both have their valid bits. */
static nir_def *
load_pair(struct state *s, nir_def *valid_mask, nir_def *begin_B,
          nir_def *end_B, nir_def **begin_out, nir_def **end_out)
{
   nir_builder *b = s->b;

   *end_out = load_sample(b, 64, PITOT_RADEONSI_END, end_B);
   *begin_out = nir_bcsel(b, has_flag(s, PITOT_RADEONSI_HAS_BEGIN),
                          load_sample(b, 64, PITOT_RADEONSI_BEGIN, begin_B),
                          valid_mask);
   return nir_ieq(b,
                  nir_iand(b, nir_iand(b, *begin_out, *end_out), valid_mask),
                  valid_mask);
}

/* Returns how much a qword grew.  Polls for its valid bits while polls are
 * left.  The zero in the offsets is the upper bit of looks: LLVM cannot know
 * its value, and so does not move the loads out of the loop.
 */
static nir_def *
pair_difference(struct state *s, nir_def *begin_B, nir_def *end_B)
{
   nir_builder *b = s->b;
   nir_def *valid_mask = load_field(b, FIELD_B(valid_mask), 64);
   nir_loop *loop = nir_push_loop(b);
   nir_def *looks = nir_load_var(b, s->looks);
   nir_def *zero = nir_ushr_imm(b, looks, 31);
   nir_def *begin, *end;
   nir_def *is_valid = load_pair(s, valid_mask, nir_iadd(b, begin_B, zero),
                                 nir_iadd(b, end_B, zero), &begin, &end);

   nir_break_if(b, nir_ior(b, is_valid, nir_ieq_imm(b, looks, 0)));
   nir_store_var(b, s->looks, nir_iadd_imm(b, looks, -1), 1);
   nir_pop_loop(b, loop);
   require_bit(s, is_valid);

   nir_def *is_back = nir_iand(b, has_flag(s, PITOT_RADEONSI_ELAPSED),
                               nir_ult(b, end, begin));
   nir_def *grown =
      nir_iand(b, nir_isub(b, end, begin), nir_inot(b, valid_mask));
   return nir_bcsel(b, is_back, nir_imm_int64(b, 0), grown);
}

static void
add_qword(struct state *s, nir_def *begin_B, nir_def *end_B)
{
   nir_builder *b = s->b;
   nir_def *written_B = load_field(b, FIELD_B(written_B), 32);
   nir_def *grown = pair_difference(s, begin_B, end_B);
   nir_def *sum = nir_load_var(b, s->sum);
   nir_def *zero = nir_imm_int64(b, 0);

   nir_def *is_overflow = has_flag(s, PITOT_RADEONSI_OVERFLOW);
   nir_if *overflow = nir_push_if(b, is_overflow);
   nir_def *written = pair_difference(s, nir_iadd(b, begin_B, written_B),
                                      nir_iadd(b, end_B, written_B));
   nir_def *is_different =
      nir_bcsel(b, nir_ine(b, grown, written), nir_imm_int64(b, 1), zero);
   nir_pop_if(b, overflow);

   nir_def *more = nir_if_phi(b, is_different, grown);
   nir_def *greatest = nir_bcsel(b, nir_ult(b, sum, more), more, sum);
   nir_store_var(b, s->sum,
                 nir_bcsel(b, has_flag(s, PITOT_RADEONSI_LATEST), greatest,
                           nir_iadd(b, sum, more)),
                 1);
}

/* Begins a loop that counts from 0 to limit - 1.  Returns the counter. */
static nir_def *
push_count(nir_builder *b, nir_variable *counter, nir_def *limit,
           nir_loop **loop_out)
{
   nir_store_var(b, counter, nir_imm_int(b, 0), 1);
   *loop_out = nir_push_loop(b);

   nir_def *count = nir_load_var(b, counter);
   nir_break_if(b, nir_uge(b, count, limit));
   nir_store_var(b, counter, nir_iadd_imm(b, count, 1), 1);
   return count;
}

static void
add_slots(struct state *s, nir_variable *counter, nir_def *pair)
{
   nir_builder *b = s->b;
   nir_def *stride_B = load_field(b, FIELD_B(stride_B), 32);
   nir_def *slots = load_field(b, FIELD_B(slots), 64);
   nir_loop *loop;
   nir_def *slot =
      push_count(b, counter, load_field(b, FIELD_B(slot_count), 32), &loop);
   nir_def *offset_B = nir_imul(b, slot, stride_B);
   nir_def *bit = nir_u2u32(b, nir_iand_imm(b, nir_ushr(b, slots, slot), 1));

   nir_if *counts = nir_push_if(b, nir_ine_imm(b, bit, 0));
   add_qword(s, nir_iadd(b, nir_channel(b, pair, 0), offset_B),
             nir_iadd(b, nir_channel(b, pair, 1), offset_B));
   nir_pop_if(b, counts);
   nir_pop_loop(b, loop);
}

static void
add_pairs(struct state *s, nir_variable *counters[2])
{
   nir_builder *b = s->b;
   nir_loop *loop;
   nir_def *index = push_count(b, counters[0],
                               load_field(b, FIELD_B(pair_count), 32), &loop);
   nir_def *pair_B =
      nir_iadd_imm(b, nir_imul_imm(b, index, sizeof(uint32_t) * 4),
                   FIELD_B(pairs));
   nir_def *pair = load_dwords(b, 4, pair_B);
   nir_def *word =
      load_sample(b, 32, PITOT_RADEONSI_END, nir_channel(b, pair, 2));
   nir_def *is_available =
      nir_ior(b, nir_ine_imm(b, word, 0), has_flag(s, PITOT_RADEONSI_WAITS));

   /* Read no sample before it is available, or can be polled for. */
   require_bit(s, is_available);
   nir_if *available = nir_push_if(b, is_available);
   add_slots(s, counters[1], pair);
   nir_pop_if(b, available);
   nir_pop_loop(b, loop);
}

/* Converts whole milliseconds and the rest apart: no product overflows. */
static nir_def *
to_ns(nir_builder *b, nir_def *ticks, unsigned frequency_khz)
{
   nir_def *khz = nir_imm_int64(b, frequency_khz);
   nir_def *ns_per_ms = nir_imm_int64(b, 1000000);
   nir_def *ms = nir_udiv(b, ticks, khz);
   nir_def *rest = nir_isub(b, ticks, nir_imul(b, ms, khz));

   return nir_iadd(b, nir_imul(b, ms, ns_per_ms),
                   nir_udiv(b, nir_imul(b, rest, ns_per_ms), khz));
}

/* Returns the value to store, or the sum of a part. */
static nir_def *
finish_value(struct state *s, nir_def *sum, nir_def *is_there,
             unsigned frequency_khz)
{
   nir_builder *b = s->b;
   nir_def *max = load_field(b, FIELD_B(max), 64);
   nir_def *zero = nir_imm_int64(b, 0), *one = nir_imm_int64(b, 1);

   nir_if *is_time = nir_push_if(b, has_flag(s, PITOT_RADEONSI_TIME));
   nir_def *ns = to_ns(b, sum, frequency_khz);
   nir_pop_if(b, is_time);
   nir_def *value = nir_if_phi(b, ns, sum);

   value = nir_bcsel(b, has_flag(s, PITOT_RADEONSI_BOOLEAN),
                     nir_bcsel(b, nir_ine(b, value, zero), one, zero), value);
   value = nir_bcsel(b, has_flag(s, PITOT_RADEONSI_AVAILABLE), one, value);
   value = nir_bcsel(b, nir_ult(b, max, value), max, value);
   return nir_bcsel(b, is_there, value, zero);
}

static void
store_value(struct state *s, nir_def *value, nir_def *is_there)
{
   nir_builder *b = s->b;
   nir_def *target = nir_imm_int(b, PITOT_RADEONSI_TARGET);
   nir_def *zero = nir_imm_int(b, 0);
   nir_def *low = nir_unpack_64_2x32_split_x(b, value);
   nir_def *high = nir_unpack_64_2x32_split_y(b, value);

   nir_if *is_part = nir_push_if(b, has_flag(s, PITOT_RADEONSI_PART));
   nir_store_ssbo(b, nir_vec3(b, low, high, nir_b2i32(b, is_there)), target,
                  zero);
   nir_push_else(b, is_part);
   {
      nir_if *is_wide = nir_push_if(b, has_flag(s, PITOT_RADEONSI_WIDE));
      nir_store_ssbo(b, nir_vec2(b, low, high), target, zero);
      nir_push_else(b, is_wide);
      nir_store_ssbo(b, low, target, zero);
      nir_pop_if(b, is_wide);
   }
   nir_pop_if(b, is_part);
}

nir_shader *
pitot_radeonsi_build_shader(const nir_shader_compiler_options *options,
                            unsigned frequency_khz)
{
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_COMPUTE, options,
                                     "pitot_query_result");
   nir_function_impl *impl = nir_shader_get_entrypoint(b.shader);
   const struct glsl_type *uint = glsl_uint_type();
   nir_variable *counters[] = {
      nir_local_variable_create(impl, uint, "pair"),
      nir_local_variable_create(impl, uint, "slot"),
   };
   struct state s = {
      .b = &b,
      .flags = load_field(&b, FIELD_B(flags), 32),
      .sum = nir_local_variable_create(impl, glsl_uint64_t_type(), "sum"),
      .is_there =
         nir_local_variable_create(impl, glsl_bool_type(), "is_there"),
      .looks = nir_local_variable_create(impl, uint, "looks"),
   };

   for (unsigned i = 0; i < 3; i++)
      b.shader->info.workgroup_size[i] = 1;
   b.shader->info.num_ubos = 1;
   b.shader->info.num_ssbos = 3;
   nir_store_var(&b, s.sum, load_field(&b, FIELD_B(sum), 64), 1);
   nir_store_var(&b, s.is_there, nir_imm_true(&b), 1);
   nir_store_var(&b, s.looks, load_field(&b, FIELD_B(looks), 32), 1);
   add_pairs(&s, counters);

   nir_def *is_there = nir_load_var(&b, s.is_there);
   nir_def *stores =
      nir_ior(&b, is_there, has_flag(&s, PITOT_RADEONSI_STORES_ALWAYS));
   nir_if *may_store = nir_push_if(&b, stores);
   store_value(&s,
               finish_value(&s, nir_load_var(&b, s.sum), is_there,
                            frequency_khz),
               is_there);
   nir_pop_if(&b, may_store);
   return b.shader;
}
