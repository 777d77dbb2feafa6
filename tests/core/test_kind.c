/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "core_priv.h"
#include "pitot_null.h"
#include "targets.h"
#include "listed.h"

TEST(every_kind_has_a_name)
{
   for (unsigned a = 0; a < PITOT_KIND_COUNT; a++) {
      assert_non_null(pitot_kind_info(a)->name);
      for (unsigned b = 0; b < a; b++)
         assert_string_not_equal(pitot_kind_info(a)->name,
                                 pitot_kind_info(b)->name);
   }
}

/* "Only a single type of occlusion query can be active at one time" (OpenGL
 * 4.6 core, 4.2.1).  No other two kinds exclude each other, on any stream.
 */
TEST(only_occlusion_shares_a_slot)
{
   unsigned owners[PITOT_SLOT_COUNT] = { 0 };

   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const struct pitot_kind_info *info = pitot_kind_info(kind);
      const unsigned streams = info->is_indexed ? PITOT_MAX_STREAMS : 1;

      for (unsigned s = 0; s < streams && !info->is_instant; s++) {
         assert_true(info->slot + s < PITOT_SLOT_COUNT);
         owners[info->slot + s]++;
      }
   }

   const unsigned occlusion =
      pitot_kind_info(PITOT_KIND_SAMPLES_PASSED)->slot;
   for (unsigned slot = 0; slot < PITOT_SLOT_COUNT; slot++)
      assert_int_equal(owners[slot], slot == occlusion ? 3 : 1);
}

/* Begins a query in each slot. */
static void
begin_in_all_slots(struct pitot_null *null, struct pitot_context *context,
                   struct pitot_query *queries[PITOT_SLOT_COUNT])
{
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const struct pitot_kind_info *info = pitot_kind_info(kind);
      const unsigned streams = info->is_indexed ? PITOT_MAX_STREAMS : 1;

      for (unsigned s = 0; s < streams && !info->is_instant; s++) {
         const unsigned slot = info->slot + s;

         if (queries[slot])
            continue; /* another occlusion kind */
         assert_int_equal(pitot_query_obtain(context, 1 + slot,
                                             &queries[slot]),
                          0);
         assert_int_equal(pitot_query_begin(context, queries[slot], kind, s),
                          0);
         null->counters[kind][s] = info->is_boolean ? s : 1 + slot;
      }
   }
}

TEST(slots_are_apart)
{
   struct pitot_query *queries[PITOT_SLOT_COUNT] = { NULL };
   struct pitot_null null;
   struct pitot_context *context;

   pitot_null_init(&null);
   assert_int_equal(pitot_context_create(
                       &(struct pitot_context_info){ .driver = &null.base },
                       &context),
                    0);
   begin_in_all_slots(&null, context, queries);
   null.time_ns = 1000;
   for (unsigned slot = 0; slot < PITOT_SLOT_COUNT; slot++) {
      struct pitot_query *query = queries[slot];
      const enum pitot_kind kind = query->kind;
      const struct pitot_kind_info *info = pitot_kind_info(kind);

      assert_ptr_equal(pitot_query_active(context, kind, query->stream),
                       query);
      assert_int_equal(pitot_query_end(context, kind, query->stream), 0);
      assert_true(pitot_query_resolve(context, query, true));
      assert_int_equal(query->result, info->is_time      ? 1000
                                      : info->is_boolean ? query->stream != 0
                                                         : 1 + slot);
   }
   pitot_context_destroy(context);
   assert_int_equal(null.alive, 0);
}

#define TARGET(KIND, TARGET, FLAGS, ...) { PITOT_KIND_##KIND, FLAGS },

static const struct {
   enum pitot_kind kind;
   unsigned flags;
} targets[] = { EACH_TARGET(TARGET) };

/* Conditions as in OpenGL 4.6 core, 10.9. */
TEST(kinds_are_those_of_gl)
{
   assert_int_equal(ARRAY_LENGTH(targets), PITOT_KIND_COUNT);
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const struct pitot_kind_info *info = pitot_kind_info(kind);
      const unsigned flags = targets[kind].flags;

      assert_int_equal(targets[kind].kind, kind);
      assert_int_equal(info->is_indexed, (flags & TARGET_INDEXED) != 0);
      assert_int_equal(info->is_boolean, (flags & TARGET_BOOLEAN) != 0);
      assert_int_equal(info->is_condition, (flags & TARGET_CONDITION) != 0);
      assert_int_equal(info->is_time, (flags & TARGET_TIME) != 0);
      assert_int_equal(info->is_instant, (flags & TARGET_INSTANT) != 0);
   }
}

/* "the nearest value representable using the requested type" (OpenGL 4.6
 * core, 4.2.3)
 */
TEST(types_clamp)
{
   static const struct {
      enum pitot_type type;
      uint64_t value;
      uint64_t written;
   } cases[] = {
      { PITOT_TYPE_I32, 0, 0 },
      { PITOT_TYPE_I32, INT32_MAX, INT32_MAX },
      { PITOT_TYPE_I32, (uint64_t)INT32_MAX + 1, INT32_MAX },
      { PITOT_TYPE_I32, UINT64_MAX, INT32_MAX },
      { PITOT_TYPE_U32, UINT32_MAX, UINT32_MAX },
      { PITOT_TYPE_U32, (uint64_t)UINT32_MAX + 1, UINT32_MAX },
      { PITOT_TYPE_I64, INT64_MAX, INT64_MAX },
      { PITOT_TYPE_I64, (uint64_t)INT64_MAX + 1, INT64_MAX },
      { PITOT_TYPE_U64, UINT64_MAX, UINT64_MAX },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      uint32_t out[3] = { 0xaaaaaaaa, 0xaaaaaaaa, 0xaaaaaaaa };
      const unsigned size_B = pitot_type_size_B(cases[i].type);
      uint64_t value = 0;

      pitot_type_write(cases[i].type, cases[i].value, out);
      if (size_B == 4)
         value = out[0];
      else
         memcpy(&value, out, sizeof(value));
      assert_int_equal(value, cases[i].written);
      assert_int_equal(out[size_B / 4], 0xaaaaaaaa);
   }
}
