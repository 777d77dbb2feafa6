/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "condition_case.h"

#define SET_PREDICATION      0xc0022000
#define SET_PREDICATION_GFX6 0xc0012000
#define WAIT_REG_MEM         0xc0053c00
#define DRAW_IF_VISIBLE      (1u << 8)
#define HINT_NO_WAIT         (1u << 12)
#define OP_ZPASS             (1u << 16)
#define OP_PRIMCOUNT         (2u << 16)
#define CONTINUE             (1u << 31)
#define PREDICATED           1u

#define WAIT_EQUAL_MEMORY 0x13u
#define WAIT_BY_PFP       0x100u
#define WAIT_INTERVAL     4u

#define GFX9 90

static void
emit(struct fixture *f, const uint32_t *dw, unsigned count_dw)
{
   uint32_t *room = sim_cs_reserve(&f->cs->base, PITOT_RING_RENDER,
                                   count_dw);

   assert_non_null(room);
   memcpy(room, dw, count_dw * sizeof(dw[0]));
}

#define EMIT(F, ...)                                                         \
   emit(F, (const uint32_t[]){ __VA_ARGS__ },                                \
        ARRAY_LENGTH(((const uint32_t[]){ __VA_ARGS__ })))

static uint32_t
control_of(const struct pitot_hw_condition *condition)
{
   if (condition->predicate == PITOT_AMD_PREDICATE_STREAMOUT)
      return OP_PRIMCOUNT | (condition->is_inverted ? DRAW_IF_VISIBLE : 0);
   return OP_ZPASS | (condition->is_inverted ? 0 : DRAW_IF_VISIBLE) |
          (condition->wait ? 0 : HINT_NO_WAIT);
}

static uint64_t
address_of(const struct pitot_hw_record *record)
{
   return record->buffer->address + record->offset_B;
}

static void
emit_wait(struct fixture *f, const struct pitot_hw_condition *condition)
{
   const uint64_t last =
      address_of(&condition->records[condition->record_count - 1]) +
      PITOT_AMD_STREAMOUT_RECORD_LAST_B;

   EMIT(f, WAIT_REG_MEM, WAIT_EQUAL_MEMORY | WAIT_BY_PFP, (uint32_t)last,
        last >> 32, PITOT_AMD_STREAMOUT_RECORD_VALID,
        PITOT_AMD_STREAMOUT_RECORD_VALID, WAIT_INTERVAL);
}

void
emit_condition(struct fixture *f, const struct pitot_hw_condition *condition)
{
   assert_int_equal(condition->decision, PITOT_HW_DECISION_BY_GPU);
   if (condition->predicate == PITOT_AMD_PREDICATE_STREAMOUT)
      emit_wait(f, condition);
   for (unsigned i = 0; i < condition->record_count; i++) {
      const uint64_t address = address_of(&condition->records[i]);
      const uint32_t control = control_of(condition) | (i ? CONTINUE : 0);
      struct pitot_cs *cs = &f->cs->base;

      cs->ops->use_buffer(cs, PITOT_RING_RENDER,
                          condition->records[i].buffer);
      if (f->gpu->generation >= GFX9)
         EMIT(f, SET_PREDICATION, control, (uint32_t)address, address >> 32);
      else
         EMIT(f, SET_PREDICATION_GFX6, (uint32_t)address,
              control | address >> 32);
   }
}

static void
watch_draws(void *data, const char *text, uint64_t address)
{
   (void)address;
   if (strncmp(text, "work", 4) == 0)
      *(bool *)data = strcmp(text, "work") == 0;
}

bool
draws(struct fixture *f, const struct pitot_hw_condition *condition)
{
   struct sim *sim = f->cs->sim;
   uint32_t dw[SIM_WORK_DW];
   const unsigned count_dw = sim_draw(sim, dw);
   bool is_drawn = false;

   emit_condition(f, condition);
   dw[0] |= PREDICATED;
   emit(f, dw, count_dw);
   sim->on_packet = watch_draws;
   sim->on_packet_data = &is_drawn;
   flush(f);
   sim_cs_complete(f->cs);
   sim->on_packet = NULL;
   return is_drawn;
}

bool
is_overflow(const struct condition_case *c)
{
   return c->kind == PITOT_KIND_STREAM_OVERFLOW ||
          c->kind == PITOT_KIND_ANY_STREAM_OVERFLOW;
}

void
measure(struct condition_case *c)
{
   c->query = create(c->f, c->kind, 0);
   begin(c->f, c->query);
   for (unsigned i = 1; i < c->batches; i++) {
      move(c->f, PITOT_RING_RENDER);
      flush(c->f);
   }
   draw(c->f, is_overflow(c) ? PITOT_KIND_PRIMITIVES_GENERATED : c->kind,
        c->is_found);
   end(c->f, c->query);
}

struct pitot_hw_condition
decide(struct fixture *f, struct pitot_hw_query *query, bool is_inverted,
       bool wait)
{
   struct pitot_hw_condition condition;

   pitot_hw_query_decide(f->hw, query, is_inverted, wait, &condition);
   return condition;
}

void
run_case(const struct sim_gpu *gpu, struct condition_case c,
         condition_test test)
{
   if (gpu->facts.family != &pitot_hw_amd ||
       !pitot_hw_gpu_counter_bits(&gpu->facts, c.kind))
      return;
   c.f = open_fixture(gpu->key, false);
   test(&c);
   close_fixture(c.f);
}
