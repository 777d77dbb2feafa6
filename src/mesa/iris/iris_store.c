/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that the command streamer computes and stores, with mi_builder:
 * what hw/result.c does on the CPU.  Compiled once per generation, as
 * iris_query.c is.
 *
 * All samples of its ring have landed when the command streamer gets here,
 * even for a store that does not wait: MI writes are in order, and the fence
 * at an end waits for PIPE_CONTROL writes before it (FLUSH_ENABLE).
 */

#include "iris_context.h"
#include "iris_defines.h"
#include "iris_genx_macros.h"
#include "iris_pitot_priv.h"
#include "iris_resource.h"

/* Of one result.  Functions of mi_builder consume references: to use a value
 * again, take another reference before, in a statement of its own, because C
 * does not define the order of arguments.
 */
struct program {
   struct mi_builder b;
   const struct pitot_gpu *gpu;
   const struct pitot_cs_result *result;
};

static struct iris_address
address_of(const struct pitot_cs_buffer *buffer, unsigned offset_B)
{
   const struct iris_pitot_buffer *place = (const void *)buffer;

   return rw_bo(place->bo, place->offset_B + offset_B,
                IRIS_DOMAIN_OTHER_WRITE);
}

static struct mi_value
begin_of(const struct pitot_cs_pair *pair)
{
   return mi_mem64(address_of(pair->begin, pair->begin_B));
}

static struct mi_value
end_of(const struct pitot_cs_pair *pair)
{
   return mi_mem64(address_of(pair->end, pair->end_B));
}

static struct mi_value
available_of(const struct pitot_cs_pair *pair)
{
   return mi_mem64(address_of(pair->end, pair->available_B));
}

static bool
is_zero(struct mi_value value)
{
   return value.type == MI_VALUE_TYPE_IMM && value.imm == 0;
}

/* Returns a - b, or 0 if b is larger. */
static struct mi_value
subtract_to_0(struct program *p, struct mi_value a, struct mi_value b)
{
   struct mi_value is_not_less =
      mi_uge(&p->b, mi_value_ref(&p->b, a), mi_value_ref(&p->b, b));

   return mi_iand(&p->b, mi_isub(&p->b, a, b), is_not_less);
}

/*
 * Sums
 */

static struct mi_value
pair_difference(struct program *p, const struct pitot_cs_pair *pair)
{
   return mi_isub(&p->b, end_of(pair), begin_of(pair));
}

static struct mi_value
add_counts(struct program *p)
{
   struct mi_value sum = mi_imm(p->result->sum);

   for (unsigned i = 0; i < p->result->pair_count; i++) {
      struct mi_value more = pair_difference(p, &p->result->pairs[i]);

      sum = is_zero(sum) ? more : mi_iadd(&p->b, sum, more);
   }
   return sum;
}

/* Not 0 if the two qwords of any stream grew by different amounts. */
static struct mi_value
add_overflows(struct program *p)
{
   struct mi_value sum = mi_imm(p->result->sum);

   for (unsigned i = 0; i < p->result->pair_count; i += 2) {
      struct mi_value more =
         mi_isub(&p->b, pair_difference(p, &p->result->pairs[i]),
                 pair_difference(p, &p->result->pairs[i + 1]));

      sum = is_zero(sum) ? more : mi_ior(&p->b, sum, more);
   }
   return sum;
}

/* Returns the ticks from the base to a sample. */
static struct mi_value
after_base(struct program *p, struct mi_value sample)
{
   const unsigned bits = p->gpu->timestamp_bits;

   return bits == 64
             ? mi_value_to_gpr(&p->b, sample)
             : mi_iand(&p->b,
                       mi_isub(&p->b, sample, mi_imm(p->result->base_ticks)),
                       mi_imm(UINT64_MAX >> (64 - bits)));
}

/* Returns the time that two intervals share, from the later begin to the
 * earlier end, as in add_time() of hw.  Keeps the four references.
 */
static struct mi_value
shared_time(struct program *p, struct mi_value begin, struct mi_value end,
            struct mi_value last_begin, struct mi_value last_end)
{
   struct mi_builder *b = &p->b;
   struct mi_value earlier_end =
      mi_isub(b, mi_value_ref(b, end),
              subtract_to_0(p, mi_value_ref(b, end),
                            mi_value_ref(b, last_end)));
   struct mi_value later_begin =
      mi_iadd(b, mi_value_ref(b, begin),
              subtract_to_0(p, mi_value_ref(b, last_begin),
                            mi_value_ref(b, begin)));

   return subtract_to_0(p, earlier_end, later_begin);
}

static struct mi_value
add_intervals(struct program *p)
{
   const struct pitot_cs_result *result = p->result;
   struct mi_builder *b = &p->b;
   struct mi_value sum = mi_imm(result->sum);
   struct mi_value last_begin = mi_imm(result->begin_ticks);
   struct mi_value last_end = mi_imm(result->end_ticks);

   for (unsigned i = 0; i < result->pair_count; i++) {
      const struct pitot_cs_pair *pair = &result->pairs[i];
      struct mi_value begin = after_base(p, begin_of(pair));
      struct mi_value end = after_base(p, end_of(pair));
      struct mi_value length =
         subtract_to_0(p, mi_value_ref(b, end), mi_value_ref(b, begin));

      if (!is_zero(last_end))
         length = mi_isub(b, length,
                          shared_time(p, begin, end, last_begin, last_end));
      sum = is_zero(sum) ? length : mi_iadd(b, sum, length);
      mi_value_unref(b, last_begin);
      mi_value_unref(b, last_end);
      last_begin = begin;
      last_end = end;
   }
   mi_value_unref(b, last_begin);
   mi_value_unref(b, last_end);
   return sum;
}

static struct mi_value
find_latest(struct program *p)
{
   const uint64_t base_ticks = p->result->base_ticks;
   struct mi_value latest = mi_imm(p->result->sum);

   for (unsigned i = 0; i < p->result->pair_count; i++) {
      struct mi_value time = after_base(p, end_of(&p->result->pairs[i]));

      if (base_ticks)
         time = mi_iadd(&p->b, time, mi_imm(base_ticks));
      if (!is_zero(latest)) {
         struct mi_value later =
            subtract_to_0(p, time, mi_value_ref(&p->b, latest));

         time = mi_iadd(&p->b, latest, later);
      }
      latest = time;
   }
   return latest;
}

/*
 * Results
 */

/* Multiplies ticks by the whole nanoseconds of a tick, and by the rest in
 * units of 2^-32 ns, rounded up: low half and high half separately.  A
 * product is too large by less than 2^-32 ns per tick, and the exact fraction
 * is a multiple of 1/24 ns with all of Intel's clocks.  So up to four seconds
 * rounding down is exact, and later the error is 1e-11.
 */
static struct mi_value
ticks_to_ns(struct program *p, struct mi_value ticks)
{
   struct mi_builder *b = &p->b;
   const uint64_t hz = p->gpu->timestamp_hz;
   const uint32_t fraction = ((PITOT_NS_PER_S % hz << 32) + hz - 1) / hz;

   ticks = mi_value_to_gpr(b, ticks);
   struct mi_value ns =
      mi_imul_imm(b, mi_value_ref(b, ticks), PITOT_NS_PER_S / hz);
   struct mi_value low =
      mi_iand(b, mi_value_ref(b, ticks), mi_imm(UINT32_MAX));
   struct mi_value high = mi_ushr32_imm(b, ticks, 32);

   low = mi_ushr32_imm(b, mi_imul_imm(b, low, fraction), 32);
   ns = mi_iadd(b, ns, low);
   return mi_iadd(b, ns, mi_imul_imm(b, high, fraction));
}

/* mi_ushr32_imm() returns only 32 bits: shift the halves separately. */
static struct mi_value
shift_right(struct program *p, struct mi_value value, unsigned shift)
{
   struct mi_builder *b = &p->b;

   value = mi_value_to_gpr(b, value);
   struct mi_value low =
      mi_iand(b, mi_value_ref(b, value), mi_imm(UINT32_MAX));
   struct mi_value high = mi_ushr32_imm(b, value, 32);

   low = mi_ushr32_imm(b, low, shift);
   return mi_iadd(b, mi_ishl_imm(b, high, 32 - shift), low);
}

/* Converts only the ticks since the last whole second before all samples:
 * exact however long the clock has run.
 */
static struct mi_value
time_of_latest(struct program *p)
{
   const uint64_t hz = p->gpu->timestamp_hz;
   const uint64_t seconds = p->result->earliest_ticks / hz;
   struct mi_value ticks =
      mi_isub(&p->b, find_latest(p), mi_imm(seconds * hz));

   return mi_iadd(&p->b, ticks_to_ns(p, ticks),
                  mi_imm(seconds * PITOT_NS_PER_S));
}

static struct mi_value
sum_of(struct program *p)
{
   switch (p->result->method) {
   case PITOT_CS_ADD:
      return add_counts(p);
   case PITOT_CS_OVERFLOW:
      return add_overflows(p);
   case PITOT_CS_ELAPSED:
      return ticks_to_ns(p, add_intervals(p));
   case PITOT_CS_LATEST:
      return time_of_latest(p);
   }
   UNREACHABLE("a method of its own");
}

/* Clamps to a 4-byte type: if the value is larger, all ones, without the sign
 * bit of a signed type.  No result has more than 63 bits.
 */
static struct mi_value
clamp_value(struct program *p, struct mi_value value)
{
   const uint64_t max = pitot_type_max[p->result->type];
   struct mi_builder *b = &p->b;

   if (pitot_type_size_B(p->result->type) == sizeof(uint64_t))
      return value;
   value = mi_value_to_gpr(b, value);
   struct mi_value is_larger = mi_ult(b, mi_imm(max), mi_value_ref(b, value));
   value = mi_ior(b, value, is_larger);
   return max == UINT32_MAX ? value : mi_iand(b, value, mi_imm(max));
}

/* Returns 0 if samples of another ring are missing: this ring has waited for
 * them, so their batch was lost.
 */
static struct mi_value
drop_lost(struct program *p, struct mi_value value)
{
   for (unsigned i = 0; i < p->result->pair_count; i++) {
      const struct pitot_cs_pair *pair = &p->result->pairs[i];

      if (pair->ring != p->result->ring)
         value = mi_iand(&p->b, value, mi_nz(&p->b, available_of(pair)));
   }
   return value;
}

static struct mi_value
result_of(struct program *p)
{
   const struct pitot_cs_result *result = p->result;
   struct mi_builder *b = &p->b;
   struct mi_value value = sum_of(p);

   if (result->is_boolean) {
      value = result->is_inverted ? mi_z(b, value) : mi_nz(b, value);
      value = mi_iand(b, value, mi_imm(1));
   } else {
      if (result->shift)
         value = shift_right(p, value, result->shift);
      value = clamp_value(p, value);
   }
   return drop_lost(p, value);
}

/* ANDs the availability words (0 or 1) of all ends; mostly there is one. */
static struct mi_value
availability_of(struct program *p)
{
   const struct pitot_cs_pair *pairs = p->result->pairs;
   struct mi_value value = mi_imm(1);

   for (unsigned i = 0; i < p->result->pair_count; i++)
      value = i ? mi_iand(&p->b, value, available_of(&pairs[i]))
                : available_of(&pairs[i]);
   return value;
}

/* A condition waits for all PIPE_CONTROL writes first, as in iris.  From
 * Gen20 on, draws and dispatches that read a result need a fence after it.
 */
void
genX(pitot_store)(struct iris_batch *batch, const struct pitot_gpu *gpu,
                  const struct pitot_cs_result *result)
{
   struct program program = { .gpu = gpu, .result = result };
   struct mi_builder *b = &program.b;
   const struct iris_address target =
      address_of(result->buffer, result->offset_B);
   const bool is_wide = pitot_type_size_B(result->type) == sizeof(uint64_t);
   struct mi_value value;

   mi_builder_init(b, batch->screen->devinfo, batch);
   mi_builder_set_mocs(b, iris_mocs(target.bo, &batch->screen->isl_dev, 0));
   iris_batch_sync_region_start(batch);
   if (result->is_condition)
      iris_emit_pipe_control_flush(batch, "pitot: condition",
                                   PIPE_CONTROL_FLUSH_ENABLE);
   value = result->kind == PITOT_STORE_AVAILABLE ? availability_of(&program)
                                                 : result_of(&program);
   if (result->is_condition)
      mi_store(b, mi_reg32(MI_PREDICATE_RESULT), mi_value_ref(b, value));
   mi_store(b, is_wide ? mi_mem64(target) : mi_mem32(target), value);
   if (!result->is_condition)
      mi_ensure_write_fence(b);
   iris_batch_sync_region_end(batch);
}
