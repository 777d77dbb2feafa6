/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Compute shaders that copy or clear buffers, or compute results of queries,
 * which radeonsi uses for staging, applications and query buffers.  A shader,
 * Mesa's or an application's, runs thread by thread if it stores into buffers
 * and all its instructions are simulated.
 */

#include <stdio.h>
#include <stdlib.h>

#include "isa.h"
#include "pm4.h"

#define MAX_CODE_DW 1024
#define MAX_STEPS   (1u << 20) /* of a thread: radeonsi polls 2^14 times */
#define LONG_STEPS  5000       /* enough for a thread that does not wait */
#define MAX_THREADS (UINT64_C(1) << 24)

#define USER_COUNT(RESOURCES) ((RESOURCES) >> 1 & 0x1f)
#define HAS_GROUP_X           (1u << 7)
#define IS_WAVE32             (1u << 15)

#define COPY_GROUP    64
#define DESCRIPTOR_DW 4

struct program {
   struct isa_instruction code[MAX_CODE_DW]; /* by offset in dwords */
   size_t end_dw;
   uint32_t unknown; /* first unknown dword */
   bool stores;      /* into buffers */
   bool has_others;
};

static enum isa_class
class_of(unsigned generation)
{
   if (generation >= GFX12)
      return ISA_GFX12;
   if (generation >= GFX11)
      return ISA_GFX11;
   if (generation >= GFX10)
      return ISA_GFX10;
   return generation >= GFX8 ? ISA_GFX8 : ISA_GFX6;
}

static void
note_instruction(struct program *program, const struct isa_instruction *in,
                 uint32_t dw)
{
   if (in->kind == ISA_OTHER)
      program->has_others = true;
   else if (in->op == ISA_UNKNOWN && program->unknown == 0)
      program->unknown = dw;
   if (in->op == ISA_STORE)
      program->stores = true;
}

/* Decodes up to an end that no branch skips, if there is one. */
static bool
decode(struct program *program, enum isa_class class, const uint32_t *dw,
       size_t count_dw)
{
   size_t farthest = 0;

   if (count_dw > MAX_CODE_DW)
      count_dw = MAX_CODE_DW;
   for (size_t i = 0; i < count_dw;) {
      struct isa_instruction *in = &program->code[i];

      *in = isa_decode(class, &dw[i], count_dw - i);
      note_instruction(program, in, dw[i]);
      if (in->kind == ISA_SOPP && in->op >= ISA_BRANCH &&
          (int64_t)i + 1 + in->immediate > (int64_t)farthest)
         farthest = i + 1 + (size_t)in->immediate;
      i += in->count_dw;
      program->end_dw = i;
      if (in->op == ISA_END && i > farthest)
         return true;
   }
   return false;
}

/* A looping thread sees the pipe's writes arrive, in the end all of them. */
static void
let_arrive(struct sim_engine *engine, bool has_run_long)
{
   struct sim_schedule *schedule = &engine->sim->schedule;

   if (has_run_long ||
       (sim_has_writes(engine) &&
        sim_choose_percent(schedule, schedule->write_percent)))
      (void)(sim_write_one(engine, false) ||
             (has_run_long && sim_write_one(engine, true)));
}

static bool
run_thread(const struct program *program, struct isa_lane *lane)
{
   size_t offset_dw = 0;

   for (unsigned i = 0; i < MAX_STEPS && offset_dw < program->end_dw; i++) {
      const struct isa_instruction *in = &program->code[offset_dw];

      if (in->count_dw == 0)
         return false;
      if (in->op == ISA_END)
         return true;
      const int jump_dw = isa_execute(lane, in);
      offset_dw += in->count_dw + (size_t)jump_dw;
      if (jump_dw < 0)
         let_arrive(lane->engine, i > LONG_STEPS);
   }
   return false;
}

/* Registers at the start: the driver's values, the group, and the thread in
 * the group, which is in one register from GFX11 on.
 */
static void
begin_thread(struct isa_lane *lane, const struct sim_shader *shader,
             const uint32_t group[3], const uint32_t local[3])
{
   unsigned next = USER_COUNT(shader->resources);

   for (unsigned i = 0; i < next && i < SIM_USER_COUNT; i++)
      lane->scalars[i] = shader->user[i];
   for (unsigned i = 0; i < 3; i++) {
      if ((shader->resources & HAS_GROUP_X << i) != 0)
         lane->scalars[next++] = group[i];
   }
   lane->scalars[ISA_EXEC] = 1;
   if (lane->class >= ISA_GFX11) {
      lane->vectors[0] = local[0] | local[1] << 10 | local[2] << 20;
      return;
   }
   for (unsigned i = 0; i < 3; i++)
      lane->vectors[i] = local[i];
}

/* The product might overflow 64 bits. */
static bool
are_too_many(const uint64_t threads[3])
{
   uint64_t left = MAX_THREADS;

   for (unsigned i = 0; i < 3; i++) {
      if (threads[i] == 0)
         return false;
      left /= threads[i];
   }
   return left == 0;
}

static void
run(struct decoder *decoder, const struct program *program,
    const uint64_t threads[3], uint32_t initiator)
{
   const struct sim_registers *registers = decoder->engine->registers;

   if (are_too_many(threads)) {
      sim_violate(decoder->engine, "shader", "has too many threads to run");
      return;
   }

   sim_choose_unit(decoder->engine->sim);
   const uint64_t count = threads[0] * threads[1] * threads[2];
   for (uint64_t i = 0; i < count; i++) {
      const uint64_t at[3] = { i % threads[0], i / threads[0] % threads[1],
                               i / threads[0] / threads[1] };
      struct isa_lane lane = {
         .engine = decoder->engine,
         .class = class_of(decoder->generation),
         .is_wave32 = (initiator & IS_WAVE32) != 0,
      };
      uint32_t group[3], local[3];

      for (unsigned j = 0; j < 3; j++) {
         const uint32_t size = pm4_group_size(decoder, j);

         group[j] = (uint32_t)(at[j] / (size != 0 ? size : 1));
         local[j] = (uint32_t)(at[j] % (size != 0 ? size : 1));
      }
      begin_thread(&lane, &registers->shader, group, local);
      if (!run_thread(program, &lane)) {
         sim_violate(decoder->engine, "shader", "has no end");
         return;
      }
   }
}

/* Mesa computes a query's result in one thread. */
static bool
is_single(const uint64_t threads[3])
{
   return threads[0] == 1 && threads[1] == 1 && threads[2] == 1;
}

/* Mesa's copies have groups of 64 threads, and each thread has two to four
 * dwords of the target, the last descriptor.  Some extra threads at the start
 * align the others to 256 bytes.
 */
static bool
is_like_a_copy(const struct decoder *decoder, const uint64_t threads[3])
{
   const struct sim_shader *shader = &decoder->engine->registers->shader;
   const unsigned user_count = USER_COUNT(shader->resources);

   if (pm4_group_size(decoder, 0) != COPY_GROUP || threads[1] != 1 ||
       threads[2] != 1 || user_count < DESCRIPTOR_DW ||
       user_count > SIM_USER_COUNT)
      return false;

   const uint64_t size_B = shader->user[user_count - 2];
   for (unsigned thread_B = 8; thread_B <= 16; thread_B += 4) {
      const uint64_t blocks = (size_B + thread_B - 1) / thread_B;

      if (blocks <= threads[0] && threads[0] < blocks + 256 / thread_B)
         return true;
   }
   return false;
}

static void
complain(struct decoder *decoder, const struct program *program,
         const char *purpose)
{
   char text[80];

   if (program->unknown != 0)
      snprintf(text, sizeof(text),
               "may %s, and has an unknown instruction: %08x", purpose,
               program->unknown);
   else
      snprintf(text, sizeof(text), "may %s, and has no end", purpose);
   sim_violate(decoder->engine, "shader", text);
}

void
pm4_run_shader(struct decoder *decoder, const uint64_t threads[3],
               uint32_t initiator)
{
   const struct sim_registers *registers = decoder->engine->registers;
   const uint64_t address = registers->shader.address;
   struct program *program;
   uint64_t left_B;

   if (address == 0)
      return;

   const uint32_t *dw = sim_memory(decoder->engine, address, &left_B);
   if (dw == NULL)
      return;
   program = calloc(1, sizeof(*program));
   if (program == NULL)
      abort();

   const bool has_end = decode(program, class_of(decoder->generation), dw,
                               left_B / sizeof(*dw));
   const bool is_ours = program->stores && !program->has_others;
   if (is_ours && has_end && program->unknown == 0)
      run(decoder, program, threads, initiator);
   else if (is_ours && is_single(threads))
      complain(decoder, program, "compute a result");
   else if (is_ours && is_like_a_copy(decoder, threads))
      complain(decoder, program, "copy");
   free(program);
}
