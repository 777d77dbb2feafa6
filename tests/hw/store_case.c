/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "store_case.h"

/* Sets a different amount for each counter. */
static void
set_work(struct sim *sim, uint64_t scale)
{
   for (unsigned i = 0; i < SIM_STATISTIC_COUNT; i++) {
      sim->draw.statistics[i] = scale + i;
      sim->dispatch.statistics[i] = 2 * scale + i;
   }
   sim->draw.samples = scale;
   for (unsigned s = 0; s < SIM_STREAM_COUNT; s++) {
      sim->draw.streamout[s][SIM_NEEDED] = scale + s;
      sim->draw.streamout[s][SIM_WRITTEN] = scale;
   }
}

static void
work(struct store_case *c, uint64_t ticks)
{
   if (c->kind == PITOT_KIND_CS_INVOCATIONS) {
      pitot_hw_dispatch(c->f->hw, PITOT_RING_COMPUTE);
      sim_cs_dispatch(c->cs);
   } else {
      sim_cs_draw(c->cs);
   }
   pass(c->f, ticks);
}

void
measure(struct store_case *c, uint64_t ticks)
{
   if (!pitot_kind_info(c->kind)->is_instant)
      begin(c->f, c->query);
   work(c, ticks);
   pitot_hw_set_active(c->f->hw, false);
   work(c, ticks);
   pitot_hw_set_active(c->f->hw, true);
   work(c, ticks);
   end(c->f, c->query);
}

/* Every GPU counts at least as many kinds. */
#define MIN_KINDS 15

/* Returns whether the GPU counts the kind. */
static bool
run_case(const char *gpu, enum pitot_kind kind, uint64_t scale, unsigned mode,
         store_test test, unsigned argument)
{
   const bool has_compute = sim_gpu(gpu)->facts.family == &pitot_hw_intel;
   struct store_case c = { open_fixture(gpu, has_compute), .kind = kind };

   c.cs = c.f->cs;
   c.cs->is_held = mode & HELD;
   if (mode & NO_SHADER)
      c.cs->ops.store = NULL;
   set_work(c.cs->sim, scale);
   const bool is_counted = is_supported(c.f, kind);
   if (is_counted) {
      if ((mode & NEW_GPU) == 0)
         learn_backends(c.f);
      c.query = create(c.f, kind, 0);
      measure(&c, scale);
      test(&c, argument);
   }
   close_fixture(c.f);
   return is_counted;
}

void
for_all(store_test test, unsigned argument, uint64_t scale, unsigned mode)
{
   const char *gpu;
   unsigned i = 0;

   while ((gpu = scheduled_gpu(&i))) {
      unsigned count = 0;

      for (enum pitot_kind kind = 0; kind < PITOT_KIND_COUNT; kind++)
         count += run_case(gpu, kind, scale, mode, test, argument);
      assert_in_range(count, MIN_KINDS, PITOT_KIND_COUNT);
   }
}

/* OpenGL 4.6 core, 4.2.3: "the nearest value representable". */
void
check_type(struct store_case *c, unsigned type)
{
   uint64_t expected = UNTOUCHED;

   store(c->f, c->query, PITOT_STORE_RESULT, type);
   const uint64_t value = stored(c->f);
   pitot_type_write(type, wait_for(c->f, c->query), &expected);
   assert_int_equal(value, expected);
}

/* Polled often enough, a result becomes available. */
void
check_available(struct store_case *c, unsigned unused)
{
   uint64_t value = 0;

   (void)unused;
   for (unsigned i = 0; i < 3 && !value; i++) {
      store(c->f, c->query, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64);
      value = stored(c->f);
      assert_in_range(value, 0, 1);
   }
   assert_int_equal(value, 1);
}
