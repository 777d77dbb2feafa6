/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Checks of results: queries of nothing, results that the GPU computes, and
 * results in buffers.
 */

#include <inttypes.h>
#include <string.h>

#include "check.h"

/* Offsets of stored results, far from each other. */
#define RESULT_B    1024
#define NO_WAIT_B   1280
#define AVAILABLE_B 1536

/* A time is no longer than the CPU's, but for the difference of the clocks.
 */
#define MAX_RATIO    1.01
#define MAX_ERROR_NS 10000

struct pitot_hw_query *
check_create_query(struct check_gpu *gpu, enum pitot_kind kind)
{
   struct pitot_hw_query *query = NULL;
   const int status = pitot_hw_query_create(gpu->hw, kind, 0, &query);

   check_set_step(gpu, "a query of %s", pitot_kind_info(kind)->name);
   if (status != 0)
      check_wrong(gpu, "there is no query: %s", strerror(-status));
   return query;
}

/* Measures nothing, on both rings. */
static void
measure_nothing(struct check_gpu *gpu, struct pitot_hw_query *query,
                enum pitot_kind kind)
{
   if (!pitot_kind_info(kind)->is_instant) {
      pitot_hw_query_begin(gpu->hw, query);
      pitot_hw_dispatch(gpu->hw, PITOT_RING_COMPUTE);
   }
   pitot_hw_query_end(gpu->hw, query);
}

/* Waits for a result.  Returns whether there is one; if not, the context is
 * lost.
 */
static bool
wait_for_result(struct check_gpu *gpu, struct pitot_hw_query *query,
                uint64_t *value_out)
{
   if (pitot_hw_query_result(gpu->hw, query, true, value_out) == 1)
      return true;
   check_wrong(gpu, "the result is lost: %s", gpu->step);
   gpu->is_lost = gpu->cs->ops->take_reset(gpu->cs);
   return false;
}

/* Checks the result of a query of nothing, which took so long on the CPU. */
static void
look_at_nothing(struct check_gpu *gpu, enum pitot_kind kind, uint64_t value,
                uint64_t passed_ns)
{
   const double max_ns = (double)passed_ns * MAX_RATIO + MAX_ERROR_NS;

   if (kind == PITOT_KIND_TIMESTAMP)
      return;
   if (kind != PITOT_KIND_TIME_ELAPSED ? value != 0 : (double)value > max_ns)
      check_wrong(gpu, "it is %" PRIu64 ": %s", value, gpu->step);
}

static void
try_nothing(struct check_gpu *gpu, enum pitot_kind kind)
{
   struct pitot_hw_query *query = check_create_query(gpu, kind);
   const uint64_t before_ns = check_cpu_ns();
   uint64_t value;

   if (query == NULL)
      return;
   measure_nothing(gpu, query, kind);
   if (wait_for_result(gpu, query, &value))
      look_at_nothing(gpu, kind, value, check_cpu_ns() - before_ns);
   pitot_hw_query_free(gpu->hw, query);
}

void
check_empty_queries(struct check_gpu *gpu)
{
   unsigned count = 0;

   for (unsigned kind = 0; kind < PITOT_KIND_COUNT && !gpu->is_lost; kind++) {
      if (pitot_hw_gpu_counter_bits(&gpu->device->gpu, kind) == 0)
         continue;
      try_nothing(gpu, kind);
      count++;
   }
   check_add_number(gpu, "queries", count);
}

static void
store(struct check_gpu *gpu, struct pitot_hw_query *query,
      enum pitot_store kind, enum pitot_type type, unsigned offset_B)
{
   const struct pitot_hw_store request = {
      .kind = kind,
      .type = type,
      .buffer = gpu->buffer,
      .offset_B = offset_B,
   };

   pitot_hw_query_store(gpu->hw, query, &request);
}

/* Checks a stored value, and that nothing beside it is written. */
static void
look_at_store(struct check_gpu *gpu, enum pitot_type type, unsigned offset_B,
              uint64_t value)
{
   static const char *const names[PITOT_TYPE_COUNT] = {
      [PITOT_TYPE_I32] = "i32",
      [PITOT_TYPE_U32] = "u32",
      [PITOT_TYPE_I64] = "i64",
      [PITOT_TYPE_U64] = "u64",
   };
   const uint64_t stored = check_read(gpu, offset_B);
   uint64_t expected = CHECK_POISON;

   pitot_type_write(type, value, &expected);
   if (stored != expected)
      check_wrong(gpu,
                  "0x%" PRIx64 " rather than 0x%" PRIx64
                  " is stored as %s at %u: %s",
                  stored, expected, names[type], offset_B, gpu->step);
}

/* Stores a result before it is known, and in all ways when it is. */
static void
store_all(struct check_gpu *gpu, struct pitot_hw_query *query,
          enum pitot_type type)
{
   uint64_t value;

   check_poison(gpu);
   store(gpu, query, PITOT_STORE_RESULT, type, RESULT_B);
   if (!check_run(gpu, PITOT_RING_RENDER) ||
       !wait_for_result(gpu, query, &value))
      return;
   store(gpu, query, PITOT_STORE_RESULT_NO_WAIT, type, NO_WAIT_B);
   store(gpu, query, PITOT_STORE_AVAILABLE, type, AVAILABLE_B);
   if (!check_run(gpu, PITOT_RING_RENDER))
      return;
   look_at_store(gpu, type, RESULT_B, value);
   look_at_store(gpu, type, NO_WAIT_B, value);
   look_at_store(gpu, type, AVAILABLE_B, 1);
}

void
check_stores(struct check_gpu *gpu)
{
   static const enum pitot_kind kinds[] = {
      PITOT_KIND_SAMPLES_PASSED,
      PITOT_KIND_TIME_ELAPSED,
      PITOT_KIND_TIMESTAMP,
      PITOT_KIND_VERTICES_SUBMITTED,
   };
   const unsigned kind_count = sizeof(kinds) / sizeof(kinds[0]);
   unsigned count = 0;

   for (unsigned i = 0; i < kind_count * PITOT_TYPE_COUNT; i++) {
      const enum pitot_kind kind = kinds[i / PITOT_TYPE_COUNT];
      struct pitot_hw_query *query =
         gpu->is_lost ? NULL : check_create_query(gpu, kind);

      if (query == NULL)
         continue;
      measure_nothing(gpu, query, kind);
      store_all(gpu, query, (enum pitot_type)(i % PITOT_TYPE_COUNT));
      pitot_hw_query_free(gpu->hw, query);
      count++;
   }
   check_add_number(gpu, "stores", count * 3.0);
}

/* Values of a counter at the begin and the end of a query: with carries and
 * borrows between the halves, and too large for the types.
 */
static const struct {
   uint64_t begin, end;
} pairs[] = {
   { 0, 0 },
   { 5, 5 },
   { 0, 1 },
   { 7, 0x80000006 },
   { 7, 0x80000007 },
   { 1, 0x100000000 },
   { 0xffffffff, 0x100000000 },
   { 0xffffffff, 0x1fffffffe },
   { 0x1ffffffff, 0x300000000 },
   { 0x123456789abcdef0, 0x23456789abcdef01 },
   { 0, 0x7fffffffffffffff },
   { 0xfffffffffffffff0, 0xffffffffffffffff },
   { 0x7fffffffffffffff, 0x8000000000000000 },
};

#define PAIR_COUNT (sizeof(pairs) / sizeof(pairs[0]))

#define LOAD_REGISTER_IMM_2 0x11000003u
#define IA_VERTICES_COUNT   0x2310

static void
set_counter(struct check_gpu *gpu, uint64_t value)
{
   const uint32_t dw[] = {
      LOAD_REGISTER_IMM_2,   IA_VERTICES_COUNT,       (uint32_t)value,
      IA_VERTICES_COUNT + 4, (uint32_t)(value >> 32),
   };

   check_emit(gpu, PITOT_RING_RENDER, dw, 5);
}

void
check_record_count(struct check_gpu *gpu, struct pitot_hw_query *query,
                   uint64_t begin, uint64_t end)
{
   set_counter(gpu, begin);
   pitot_hw_query_begin(gpu->hw, query);
   set_counter(gpu, end);
   pitot_hw_query_end(gpu->hw, query);
}

/* Has the GPU compute by how much a counter grew. */
static void
try_pair(struct check_gpu *gpu, struct pitot_hw_query *query, uint64_t begin,
         uint64_t end)
{
   const unsigned distance_B = 64;
   uint64_t value;

   check_set_step(gpu, "0x%" PRIx64 " - 0x%" PRIx64, end, begin);
   check_poison(gpu);
   check_record_count(gpu, query, begin, end);
   for (unsigned type = 0; type < PITOT_TYPE_COUNT; type++)
      store(gpu, query, PITOT_STORE_RESULT, type,
            RESULT_B + type * distance_B);
   if (!check_run(gpu, PITOT_RING_RENDER) ||
       !wait_for_result(gpu, query, &value))
      return;
   if (value != end - begin)
      check_wrong(gpu, "the counter says 0x%" PRIx64 ": %s", value,
                  gpu->step);
   for (unsigned type = 0; type < PITOT_TYPE_COUNT; type++)
      look_at_store(gpu, type, RESULT_B + type * distance_B, end - begin);
}

void
check_arithmetic(struct check_gpu *gpu)
{
   if (gpu->device->gpu.family != &pitot_hw_intel) {
      check_absent(gpu, "the command processor does not compute");
      return;
   }

   struct pitot_hw_query *query =
      check_create_query(gpu, PITOT_KIND_VERTICES_SUBMITTED);
   for (unsigned i = 0; query != NULL && i < PAIR_COUNT && !gpu->is_lost; i++)
      try_pair(gpu, query, pairs[i].begin, pairs[i].end);
   pitot_hw_query_free(gpu->hw, query);
   check_add_number(gpu, "results", PAIR_COUNT * PITOT_TYPE_COUNT);
}
