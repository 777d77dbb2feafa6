/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What the GPU stores equals what the CPU reads, for any kind, type and time;
 * and the GPU decides conditions as the CPU would.
 */

#include "store_case.h"

HW_TEST_ALONE(every_type_is_clamped)
{
   static const uint64_t scales[] = {
      0,
      100,
      UINT64_C(0x3fffffff),  /* twice this fits into 31 bits */
      UINT64_C(0x7fffffff),  /* into 32 bits */
      UINT64_C(0x123456789), /* into more */
   };
   static const enum pitot_type types[] = { PITOT_TYPE_I32, PITOT_TYPE_U32,
                                            PITOT_TYPE_I64, PITOT_TYPE_U64 };

   for (unsigned s = 0; s < ARRAY_LENGTH(scales); s++) {
      for (unsigned t = 0; t < ARRAY_LENGTH(types); t++)
         for_all(check_type, types[t], scales[s], 0);
   }
}

HW_TEST_ALONE(the_cpu_stores_without_a_shader)
{
   for_all(check_type, PITOT_TYPE_U64, 100, HELD | NO_SHADER);
   for_all(check_available, 0, 100, HELD | NO_SHADER);
   for_all(check_type, PITOT_TYPE_U64, 100, HELD | NEW_GPU);
   for_all(check_available, 0, 100, HELD | NEW_GPU);
}

#define VALID (UINT64_C(1) << 63)

/* Returns by how much a qword of a record grew.  Its bit 63 must be set. */
static uint64_t
growth(const uint64_t *record, unsigned begin, unsigned end)
{
   assert_true(record[begin] & record[end] & VALID);
   return record[end] - record[begin];
}

/* Decides as AMD's command processor does. */
static bool
says_yes(const struct store_case *c,
         const struct pitot_hw_condition *condition, const uint64_t *record)
{
   uint64_t sum = 0;

   if (condition->predicate == PITOT_AMD_PREDICATE_STREAMOUT)
      return growth(record, 0, 2) != growth(record, 1, 3);
   for (unsigned i = 0; i < c->f->cs->amd.rb_count; i++)
      sum += growth(record, 2 * i, 2 * i + 1);
   return sum != 0;
}

/* Decides as the GPU does. */
static bool
decide(const struct store_case *c, const struct pitot_hw_condition *condition)
{
   bool result = false;

   for (unsigned i = 0; i < condition->record_count; i++) {
      const struct pitot_hw_record *record = &condition->records[i];
      const uint64_t *memory =
         (const uint64_t *)(record->buffer->memory + record->offset_B);

      if (condition->predicate == PITOT_PREDICATE_BOOLEAN) {
         assert_in_range(*memory, 0, 1);
         return *memory;
      }
      result |= says_yes(c, condition, memory);
   }
   return result != condition->is_inverted;
}

/* Draws follow the condition, whether the GPU or the CPU decides. */
static void
check_condition(struct store_case *c, unsigned is_inverted)
{
   struct pitot_hw_condition condition;

   if (!pitot_kind_info(c->kind)->is_condition || !is_deciding(c->f->gpu))
      return;
   learn_backends(c->f);
   measure(c, c->cs->sim->draw.samples);
   pitot_hw_query_decide(c->f->hw, c->query, is_inverted, true, &condition);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_BY_GPU);
   run(c->f);
   const bool passes = (wait_for(c->f, c->query) != 0) != (bool)is_inverted;
   assert_int_equal(decide(c, &condition), passes);

   /* A known result decides immediately. */
   pitot_hw_query_decide(c->f->hw, c->query, is_inverted, true, &condition);
   assert_int_equal(condition.decision == PITOT_HW_DECISION_ALWAYS, passes);
}

HW_TEST_ALONE(conditions_are_decided)
{
   static const uint64_t scales[] = { 0, 1, 100 };

   for (unsigned s = 0; s < ARRAY_LENGTH(scales); s++) {
      for_all(check_condition, false, scales[s], 0);
      for_all(check_condition, true, scales[s], 0);
      for_all(check_condition, false, scales[s], HELD);
   }
}

/* E.g. 36 bits at 12 MHz, where a tick is 83.3 ns. */
HW_TEST(times_are_exact_over_a_wrap, EVERY_GPU)
{
   static const uint64_t starts[] = {
      1,
      0xffffffff,
      UINT64_C(0x7ffffffff),
      UINT64_C(0xffffffff0),
   };

   for (unsigned s = 0; s < ARRAY_LENGTH(starts); s++) {
      for (unsigned i = 0; i < 2; i++) {
         struct store_case c = {
            .f = f,
            .cs = f->cs,
            .kind = i ? PITOT_KIND_TIMESTAMP : PITOT_KIND_TIME_ELAPSED,
         };

         sim_cs_set_ticks(f->cs, starts[s]);
         f->cs->clock.is_started = false;
         pitot_hw_timestamp_ns(f->hw);
         c.query = create(f, c.kind, 0);
         measure(&c, 12345);
         check_type(&c, PITOT_TYPE_U64);
      }
   }
}
