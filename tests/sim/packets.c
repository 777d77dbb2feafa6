/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "cs.h"
#include "packets.h"

void
packets_open(struct rig *rig, const char *gpu)
{
   if (rig_has_context(sim_gpu(gpu))) {
      rig_open(rig, gpu);
      return;
   }

   struct sim_cs *cs = sim_cs_create(gpu, true);
   *rig = (struct rig){ .sim = cs->sim,
                        .cs = &cs->base,
                        .reserve = sim_cs_reserve };
   assert_int_equal(cs->ops.buffer_create(rig->cs, RIG_BUFFER_B,
                                          &rig->buffer),
                    0);
}

void
packets_close(struct rig *rig, const char *violations)
{
   if (rig->device != NULL) {
      rig_close_violated(rig, violations);
      return;
   }
   rig->cs->ops->buffer_destroy(rig->cs, rig->buffer);
   assert_string_equal(rig->sim->violations, violations);
   assert_int_equal(sim_cs_destroy((struct sim_cs *)rig->cs), 0);
}

void
packets_run(void **state)
{
   const struct packet_test *test = *state;
   unsigned run_count = 0;

   for (unsigned i = 0; i < sim_gpu_count; i++) {
      const struct sim_gpu *gpu = &sim_gpus[i];
      struct rig rig;

      if ((test->family != NULL ? test->family != gpu->facts.family
                                : gpu->is_adreno) ||
          (test->gpu != NULL && strcmp(test->gpu, gpu->key) != 0))
         continue;
      packets_open(&rig, gpu->key);
      if (test->prepare != NULL)
         test->prepare(&rig);
      test->run(&rig);
      packets_close(&rig, "");
      run_count++;
   }
   assert_int_not_equal(run_count, 0);
}

static void
put_addresses(const struct rig *rig, uint32_t *dw, unsigned count_dw)
{
   for (unsigned i = 0; i + 1 < count_dw; i++) {
      const unsigned offset_B = dw[i] & 0xffff;

      if ((dw[i] ^ offset_B) != BUFFER_MARK)
         continue;
      dw[i] = LOW(rig, offset_B);
      dw[i + 1] |= HIGH(rig, offset_B);
   }
}

void
packets_check_rules(void **state)
{
   const struct packet_rules *all = *state;

   for (size_t i = 0; i < all->count; i++) {
      struct packet_rule rule = all->rules[i];
      struct rig rig;

      packets_open(&rig, rule.gpu);
      put_addresses(&rig, rule.dw, rule.count_dw);
      put_addresses(&rig, rule.called, ARRAY_LENGTH(rule.called));
      memcpy(rig.buffer->memory + PACKETS_CALLED_B, rule.called,
             sizeof(rule.called));
      rig_emit(&rig, RENDER, rule.dw, rule.count_dw);
      rig_run(&rig, RENDER);
      packets_close(&rig, rule.violations);
   }
}

void
packets_take_violations(struct rig *rig, const char *expected)
{
   assert_string_equal(rig->sim->violations, expected);
   rig->sim->violations[0] = '\0';
}
