/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

#define TARGET_SIZE_B 4096

struct fixture *
open_fixture(const char *gpu, bool has_compute)
{
   struct fixture *f = calloc(1, sizeof(*f));

   f->cs = sim_cs_create(gpu, has_compute);
   f->gpu = &f->cs->gpu;
   assert_int_equal(pitot_hw_create(&f->cs->base, &f->hw), 0);
   return f;
}

void
close_fixture(struct fixture *f)
{
   for (unsigned i = 0; i < f->query_count; i++)
      pitot_hw_query_free(f->hw, f->queries[i]);
   free(f->queries);
   pitot_hw_destroy(f->hw);
   if (f->target)
      f->cs->base.ops->buffer_destroy(&f->cs->base, f->target);
   assert_false(f->cs->overflowed);
   assert_string_equal(f->cs->sim->violations, "");
   assert_int_equal(sim_cs_destroy(f->cs), 0);
   free(f);
}

static struct pitot_hw_query *
keep(struct fixture *f, struct pitot_hw_query *query)
{
   f->queries =
      realloc(f->queries, (f->query_count + 1) * sizeof(f->queries[0]));
   f->queries[f->query_count++] = query;
   return query;
}

struct pitot_hw_query *
create(struct fixture *f, enum pitot_kind kind, unsigned stream)
{
   struct pitot_hw_query *query = NULL;

   assert_int_equal(pitot_hw_query_create(f->hw, kind, stream, &query), 0);
   return keep(f, query);
}

struct pitot_hw_query *
create_list(struct fixture *f, const struct pitot_hw_count *counts,
            unsigned count)
{
   struct pitot_hw_query *query = NULL;

   assert_int_equal(pitot_hw_query_create_list(f->hw, counts, count, &query),
                    0);
   return keep(f, query);
}

struct pitot_hw_query *
create_pair(struct fixture *f, unsigned first_kind, unsigned second_kind)
{
   const struct pitot_hw_count counts[] = { { first_kind, 0 },
                                            { second_kind, 0 } };

   return create_list(f, counts, 2);
}

struct pitot_hw_query *
create_statistics(struct fixture *f)
{
   struct pitot_hw_count counts[PITOT_STATISTIC_COUNT] = { { 0 } };

   for (unsigned i = 0; i < PITOT_STATISTIC_COUNT; i++)
      counts[i].kind = PITOT_KIND_VERTICES_SUBMITTED + i;
   return create_list(f, counts, PITOT_STATISTIC_COUNT);
}

void
drop(struct fixture *f, struct pitot_hw_query *query)
{
   unsigned i = f->query_count - 1;

   while (f->queries[i] != query)
      i--;
   f->queries[i] = f->queries[--f->query_count];
   pitot_hw_query_free(f->hw, query);
}

bool
is_supported(const struct fixture *f, enum pitot_kind kind)
{
   return pitot_hw_counter_bits(f->hw, kind) > 0;
}

void
begin(struct fixture *f, struct pitot_hw_query *query)
{
   assert_int_equal(pitot_hw_query_begin(f->hw, query), 0);
}

void
end(struct fixture *f, struct pitot_hw_query *query)
{
   assert_int_equal(pitot_hw_query_end(f->hw, query), 0);
}

struct pitot_hw_query *
begin_new(struct fixture *f, enum pitot_kind kind)
{
   struct pitot_hw_query *query = create(f, kind, 0);

   begin(f, query);
   return query;
}

void
draw(struct fixture *f, enum pitot_kind kind, uint64_t amount)
{
   if (kind == PITOT_KIND_CS_INVOCATIONS)
      pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   sim_cs_count(f->cs, kind, 0, amount);
}

void
pass(struct fixture *f, uint64_t ticks)
{
   sim_cs_set_ticks(f->cs, f->cs->ticks + ticks);
}

void
measure_work(struct fixture *f, struct pitot_hw_query *query,
             enum pitot_kind kind, uint64_t amount)
{
   begin(f, query);
   draw(f, kind, amount);
   end(f, query);
}

struct pitot_hw_query *
measure_samples(struct fixture *f, uint64_t amount)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   measure_work(f, query, PITOT_KIND_SAMPLES_PASSED, amount);
   return query;
}

void
measure_time(struct fixture *f, struct pitot_hw_query *query, uint64_t ticks)
{
   begin(f, query);
   pass(f, ticks);
   end(f, query);
}

void
pass_on_cpu(struct fixture *f, uint64_t ticks)
{
   sim_pass(pitot_ticks_to_ns(ticks, f->gpu->timestamp_hz));
   f->cs->ticks += ticks;
}

void
move(struct fixture *f, enum pitot_ring ring)
{
   sim_cs_fill(f->cs, ring, 1);
}

void
flush(struct fixture *f)
{
   sim_cs_flush(f->cs, PITOT_RING_RENDER);
}

int
poll(struct fixture *f, struct pitot_hw_query *query, uint64_t *value_out)
{
   return pitot_hw_query_result(f->hw, query, false, value_out);
}

uint64_t
wait_for(struct fixture *f, struct pitot_hw_query *query)
{
   uint64_t value = 0;

   assert_int_equal(pitot_hw_query_result(f->hw, query, true, &value), 1);
   return value;
}

uint64_t
end_and_wait(struct fixture *f, struct pitot_hw_query *query)
{
   end(f, query);
   return wait_for(f, query);
}

void
learn_backends(struct fixture *f)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   const bool is_held = f->cs->is_held;

   f->cs->is_held = false;
   begin(f, query);
   assert_int_equal(end_and_wait(f, query), 0);
   drop(f, query);
   f->cs->is_held = is_held;
}

void
expect_lost(struct fixture *f, struct pitot_hw_query *query, bool wait)
{
   uint64_t value = 7;

   assert_int_equal(pitot_hw_query_result(f->hw, query, wait, &value), -EIO);
   assert_int_equal(value, 0);
}

void
prepare_target(struct fixture *f)
{
   const uint64_t untouched = UNTOUCHED;
   struct pitot_cs *cs = &f->cs->base;

   if (!f->target)
      assert_int_equal(cs->ops->buffer_create(cs, TARGET_SIZE_B, &f->target),
                       0);
   memcpy(f->target->memory + TARGET_OFFSET_B, &untouched, sizeof(untouched));
}

void
store_any(struct fixture *f, struct pitot_hw_query *query,
          const struct pitot_hw_store *what)
{
   const int status = pitot_hw_query_store(f->hw, query, what);
   uint64_t values[MAX_VALUES] = { 0 };

   if (status == -ENOTSUP && f->cs->base.has_tiles) {
      const bool is_known =
         pitot_hw_query_result(f->hw, query, what->kind == PITOT_STORE_RESULT,
                               values) != 0;

      if (what->kind == PITOT_STORE_AVAILABLE)
         pitot_type_write(what->type, is_known,
                          f->target->memory + what->offset_B);
      else if (is_known)
         pitot_type_write(what->type, values[what->index],
                          f->target->memory + what->offset_B);
      return;
   }
   assert_int_equal(status, 0);
}

struct pitot_hw_store
to_target(const struct fixture *f, enum pitot_store kind, unsigned index)
{
   return (struct pitot_hw_store){
      .kind = kind,
      .type = PITOT_TYPE_U64,
      .index = index,
      .buffer = f->target,
      .offset_B = TARGET_OFFSET_B,
   };
}

void
store(struct fixture *f, struct pitot_hw_query *query, enum pitot_store what,
      enum pitot_type type)
{
   prepare_target(f);
   struct pitot_hw_store target = to_target(f, what, 0);
   target.type = type;
   store_any(f, query, &target);
}

uint64_t
stored(struct fixture *f)
{
   uint64_t value;

   run(f);
   memcpy(&value, f->target->memory + TARGET_OFFSET_B, sizeof(value));
   return value;
}

void
run(struct fixture *f)
{
   sim_cs_flush(f->cs, PITOT_RING_RENDER);
   if (f->cs->base.ring_count > 1)
      sim_cs_flush(f->cs, PITOT_RING_COMPUTE);
   sim_cs_complete(f->cs);
}

void
flush_nothing(struct fixture *f)
{
   f->cs->writes_nothing = true;
   flush(f);
   sim_cs_complete(f->cs);
   f->cs->writes_nothing = false;
}

static void
run_on(const struct hw_test *test, const char *gpu)
{
   struct fixture *f = open_fixture(gpu, test->has_compute);

   test->run(f);
   close_fixture(f);
}

bool
is_deciding(const struct pitot_gpu *gpu)
{
   return gpu->family != &pitot_hw_adreno;
}

/* Returns the first suitable GPU from index i on, or the GPU count. */
static unsigned
find_gpu(unsigned i, bool decides)
{
   while (i < sim_gpu_count && decides && !is_deciding(&sim_gpus[i].facts))
      i++;
   return i;
}

/* Without a suitable GPU from the seed's on, takes the first one. */
static const char *
next_gpu(unsigned *i_inout, bool decides)
{
   const uint64_t seed = schedules_seed();
   const unsigned first = (unsigned)(seed % sim_gpu_count);
   unsigned i = find_gpu(seed == 0 ? *i_inout : first, decides);

   if (seed != 0 && i == sim_gpu_count)
      i = 0;
   const bool is_over = seed == 0 ? i == sim_gpu_count : *i_inout != 0;
   *i_inout = i + 1;
   return is_over ? NULL : sim_gpus[i].key;
}

const char *
scheduled_gpu(unsigned *i_inout)
{
   return next_gpu(i_inout, false);
}

static void
run_once(void *data)
{
   const struct hw_test *test = data;
   bool has_run = false;
   const char *gpu;
   unsigned i = 0;

   if (test->run_alone) {
      test->run_alone();
   } else if (test->gpu == EVERY_GPU ||
              strcmp(test->gpu, DECIDING_GPUS) == 0) {
      while ((gpu = next_gpu(&i, test->gpu != EVERY_GPU))) {
         run_on(test, gpu);
         has_run = true;
      }
      assert_true(has_run);
   } else {
      run_on(test, test->gpu);
   }
}

void
run_hw_test(void **state)
{
   const struct hw_test *test = *state;

   schedules_run(run_once, *state, test->is_long);
}
