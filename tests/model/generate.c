/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Random programs: interleaved phrases of applications, with few names and
 * targets, so that these are reused.
 */

#include "arguments.h"
#include "generate.h"

/* Deeper phrases are not nested any more. */
#define MAX_DEPTH 3

static void
emit(struct generator *g, enum op op, int64_t a, int64_t b, int64_t c,
     int64_t d, int64_t e)
{
   struct program *program = g->program;

   if (program->count < MAX_CALLS)
      program->calls[program->count++] =
         (struct call){ op, g->context, { a, b, c, d, e } };
}

#define EMIT0(OP)          emit(g, OP_##OP, 0, 0, 0, 0, 0)
#define EMIT1(OP, A)       emit(g, OP_##OP, A, 0, 0, 0, 0)
#define EMIT2(OP, A, B)    emit(g, OP_##OP, A, B, 0, 0, 0)
#define EMIT3(OP, A, B, C) emit(g, OP_##OP, A, B, C, 0, 0)

static void
draw(struct generator *g)
{
   const bool is_simple = percent(g, 60);

   EMIT1(DRAW, below(g, is_simple ? SCENE_OUTSIDE : SCENE_COUNT));
   if (percent(g, 4))
      EMIT0(PIXEL);
}

static void
ask(struct generator *g, unsigned v)
{
   const unsigned dice = below(g, 100);

   if (dice < 55)
      emit(g, OP_GET, v, some_pname(g), some_type(g), some_offset(g), 0);
   else if (dice < 75)
      EMIT1(POLL, v);
   else
      emit(g, OP_PUT, v, some_pname(g), some_type(g),
           percent(g, 90) ? 1 + below(g, 2) : 3 * below(g, 2),
           some_offset(g));
}

static void
reuse(struct generator *g, unsigned v)
{
   EMIT2(DELETE, v,
         !g->is_plain && percent(g, 5) ? -1 : 1 + (int)below(g, 2));
   if (percent(g, 15))
      EMIT1(DRAW, SCENE_CLEAR);
   if (percent(g, 90))
      EMIT2(GEN, v, percent(g, 80) ? 1 : (int)below(g, 3));
}

/* Sometimes flushes, or waits. */
static void
move_on(struct generator *g, unsigned v)
{
   if (percent(g, 12))
      EMIT0(FLUSH);
   if (percent(g, 7)) {
      EMIT0(FINISH);
      EMIT3(GET, v, P_AVAILABLE, TYPE_U32);
   }
}

static void
phrase(struct generator *g);

static void
measure(struct generator *g)
{
   const unsigned v = variable(g);
   const unsigned target = some_target(g);
   const int64_t index = some_index(g, target);

   if (target == T_TIMESTAMP) {
      EMIT2(COUNTER, v, target);
   } else {
      EMIT3(BEGIN, target, index, v);
      for (unsigned i = percent(g, 60) ? 1 + below(g, 2) : 0; i; i--)
         draw(g);
      if (percent(g, 25))
         phrase(g);
      if (percent(g, 96))
         EMIT2(END, target, index);
   }
   move_on(g, v);
   if (percent(g, 55))
      ask(g, v);
   if (percent(g, 20))
      reuse(g, v);
}

static void
stamp(struct generator *g)
{
   const unsigned v = variable(g);

   for (unsigned i = 1 + below(g, 2); i; i--)
      EMIT2(COUNTER, v,
            !g->is_plain && percent(g, 3) ? any_target(g) : T_TIMESTAMP);
   if (percent(g, 60))
      ask(g, v);
   if (percent(g, 30))
      reuse(g, v);
   move_on(g, v);
}

/* Drivers pass on their memory: queries without draws in fast succession. */
static void
chain(struct generator *g)
{
   const unsigned v = variable(g);
   const unsigned target = g->targets[0];

   if (percent(g, 50) && target != T_TIMESTAMP) {
      EMIT3(BEGIN, target, -1, v);
      if (percent(g, 15))
         draw(g);
      EMIT2(END, target, -1);
   } else {
      for (unsigned i = 1 + below(g, 2); i; i--)
         EMIT2(COUNTER, v, T_TIMESTAMP);
   }
   if (percent(g, 75))
      EMIT3(GET, v, percent(g, 60) ? P_RESULT : P_AVAILABLE, TYPE_U64);
   if (percent(g, 30))
      EMIT1(POLL, v);
   if (percent(g, 60))
      reuse(g, v);
   move_on(g, v);
}

static void
conditional(struct generator *g)
{
   const unsigned modes = g->is_plain ? MODE_BAD : MODE_COUNT;

   EMIT2(CONDITION, variable(g), below(g, modes));
   for (unsigned i = 1 + below(g, 2); i; i--)
      draw(g);
   if (percent(g, 50))
      EMIT0(PIXEL);
   if (percent(g, 20))
      phrase(g);
   if (percent(g, 96))
      EMIT0(ENDCONDITION);
   if (percent(g, 60))
      EMIT0(PIXEL);
}

static void
use_buffer(struct generator *g)
{
   const unsigned buffer = 1 + below(g, BUFFER_COUNT);

   switch (below(g, 4)) {
   case 0:
      EMIT1(BIND, buffer);
      emit(g, OP_GET, variable(g), some_pname(g), some_type(g),
           some_offset(g), 0);
      phrase(g);
      EMIT1(BIND, 0);
      break;
   case 1:
      EMIT1(MAP, buffer);
      ask(g, variable(g));
      EMIT1(UNMAP, buffer);
      break;
   default:
      EMIT1(READ, buffer);
   }
}

static void
perform(struct generator *g)
{
   const unsigned h = handle(g);
   const unsigned set =
      !g->is_plain && percent(g, 4) ? SET_COUNT : below(g, SET_COUNT);

   if (percent(g, 70))
      EMIT2(PERF_QUERY, h, set);
   EMIT1(START, h);
   draw(g);
   if (percent(g, 40))
      phrase(g);
   if (percent(g, 95))
      EMIT1(STOP, h);
   move_on(g, variable(g));
   for (unsigned i = below(g, 3); i; i--)
      EMIT3(DATA, percent(g, 80) ? h : handle(g),
            below(g, g->is_plain ? FLAG_BAD : FLAG_COUNT), way_to_ask(g));
   if (percent(g, 40))
      EMIT1(DROP, h);
}

static void
monitor(struct generator *g)
{
   const unsigned h = handle(g);

   if (percent(g, 70))
      EMIT1(MONITOR, h);
   for (unsigned i = below(g, 3); i; i--)
      EMIT3(SELECT, h, below(g, SET_COUNT + (!g->is_plain && percent(g, 4))),
            below(g, g->is_plain ? SELECT_BAD : SELECT_COUNT));
   EMIT1(WATCH, h);
   draw(g);
   if (percent(g, 40))
      phrase(g);
   if (percent(g, 15))
      EMIT3(SELECT, h, below(g, SET_COUNT), below(g, SELECT_BAD));
   if (percent(g, 95))
      EMIT1(UNWATCH, h);
   move_on(g, variable(g));
   for (unsigned i = below(g, 4); i; i--)
      EMIT3(ASK, percent(g, 80) ? h : handle(g),
            below(g, g->is_plain ? ASK_BAD : ASK_COUNT), way_to_ask(g));
   if (percent(g, 40))
      EMIT1(FORGET, h);
}

static void
look_at(struct generator *g, unsigned target)
{
   EMIT3(QUERY, target, some_index(g, target),
         percent(g, 50) ? P_CURRENT : below(g, P_COUNT));
}

/* A call with arguments of any kind. */
static void
anything(struct generator *g)
{
   switch (below(g, 9)) {
   case 0:
      EMIT3(BEGIN, any_target(g), some_index(g, T_ANY_SAMPLES_PASSED),
            variable(g));
      break;
   case 1:
      EMIT2(END, any_target(g), some_index(g, T_ANY_SAMPLES_PASSED));
      break;
   case 2:
      EMIT2(GEN, below(g, GENERATED_VARIABLES), (int)below(g, 5) - 1);
      break;
   case 3:
      EMIT3(CREATE, any_target(g), below(g, GENERATED_VARIABLES),
            (int)below(g, 5) - 1);
      break;
   case 4:
      EMIT2(DELETE, variable(g), (int)below(g, 5) - 1);
      break;
   case 5:
      EMIT1(IS, variable(g));
      break;
   case 6:
      look_at(g, some_target(g));
      break;
   case 7:
      EMIT0(NOW);
      break;
   default:
      EMIT0(ENDCONDITION);
   }
}

/* Nothing happens before the second read. */
static void
poll_disjoint(struct generator *g)
{
   EMIT0(DISJOINT);
   if (g->has_controls)
      EMIT0(DISJOINT);
}

/* Measurements on a lost device are lost, too. */
static void
lose(struct generator *g)
{
   EMIT0(LOSE);
   if (percent(g, 50))
      stamp(g);
   poll_disjoint(g);
}

static void
control(struct generator *g)
{
   const unsigned dice = below(g, 100);

   if (!g->has_controls)
      poll_disjoint(g);
   else if (dice < 40)
      EMIT0(HOLD);
   else if (dice < 70)
      EMIT0(RELEASE);
   else if (dice < 85)
      EMIT2(FAIL, below(g, 4), 1 + below(g, 3));
   else if (dice < 90)
      lose(g);
   else
      poll_disjoint(g);
}

static void
phrase(struct generator *g)
{
   const unsigned dice = below(g, 100);
   const bool has_buffers = g->features->has_buffers;

   if (++g->depth > MAX_DEPTH)
      draw(g);
   else if (g->is_chain && dice < 90)
      chain(g);
   else if (dice < 36)
      measure(g);
   else if (dice < 46)
      stamp(g);
   else if (dice < 60)
      ask(g, variable(g));
   else if (dice < 66)
      reuse(g, variable(g));
   else if (dice < 72)
      conditional(g);
   else if (dice < 77)
      (has_buffers ? use_buffer : measure)(g);
   else if (dice < 82)
      (percent(g, 50) ? perform : monitor)(g);
   else if (dice < 92)
      anything(g);
   else if (dice < 96)
      control(g);
   else
      move_on(g, variable(g));
   g->depth--;
}

static void
begin_context(struct generator *g, unsigned context)
{
   g->context = context;
   if (percent(g, 90))
      EMIT2(GEN, 0, 3);
   if (percent(g, 80))
      EMIT2(GEN, 3, 3);
}

void
generate(uint64_t seed, enum kind kind, const struct features *features,
         struct program *program_out)
{
   struct generator generator = {
      .random = { seed * UINT64_C(0x2545f4914f6cdd1d) + kind },
      .features = features,
      .program = program_out,
   };
   struct generator *g = &generator;

   program_out->kind = kind;
   program_out->count = 0;
   g->length = 10 + below(g, 60);
   g->context_count = percent(g, 80) ? 1 : 1 + below(g, MAX_CONTEXTS);
   g->is_plain = features->has_no_errors || percent(g, 30);
   g->has_controls = features->is_controlled && percent(g, 40);
   g->is_chain = percent(g, 15);
   g->target_count = 1 + below(g, MAX_FAVOURITES);
   for (unsigned i = 0; i < g->target_count; i++)
      g->targets[i] = any_target(g);
   for (unsigned i = 0; i < g->context_count; i++)
      begin_context(g, i);
   while (program_out->count < g->length) {
      if (percent(g, 10))
         g->context = below(g, g->context_count);
      phrase(g);
   }
   if (percent(g, 2))
      EMIT3(BURST, g->targets[0], features->is_controlled ? 5 : 200,
            SCENE_QUAD);
}
