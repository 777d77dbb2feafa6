/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The caches of AMD GPUs: see test_caches.inc. */

#include "shaders.h"
#include "sim_priv.h"

/* Offsets in the rig's buffer; code is aligned to 256 bytes. */
#define COPY_B   256
#define SINGLE_B 512
#define BYPASS_B 768
#define DWORD_B  1024
#define TABLE_B  2048
#define FENCE_B  4032
#define STEP_B   64

/* CP_COHER_CNTL; GCR_CNTL; events of RELEASE_MEM. */
#define COHER_VECTORS  (1u << 22)
#define COHER_WRITE    (1u << 18 | 1u << 3)
#define COHER_ALL      (1u << 18 | 1u << 22 | 1u << 23 | 1u << 27)
#define GCR_VECTORS    (1u << 8 | 1u << 9)
#define GCR_WRITE      (1u << 15)
#define GCR_ALL        (1u << 7 | 1u << 8 | 1u << 9 | 1u << 14 | 1u << 15)
#define EVENT_ALL      (1u << 15 | 1u << 16 | 1u << 17)
#define EVENT_ALL_GCR  (1u << 14 | 1u << 15 | 1u << 20 | 1u << 21)
#define END_OF_PIPE    0x528
#define PARTIAL_FLUSH  0x407
#define ZPASS_DONE     0x115
#define IMM32          (1u << 29)
#define CONFIRMED      0x100000
#define TO_MEMORY      0x500
#define TO_MEMORY_GFX6 0x100

static unsigned
generation_of(const struct rig *rig)
{
   return rig->device->gpu.generation;
}

static unsigned
offset_of(char name)
{
   return DWORD_B + STEP_B * (unsigned)(name - 'A');
}

/* Each pair of dwords has a table with both descriptors. */
static unsigned
table_of(char from, char to)
{
   return TABLE_B + STEP_B * (3 * (unsigned)(from - 'A') + (to - 'A'));
}

static void
put_table(struct rig *rig, char from, char to)
{
   const uint32_t source[] = { AT(rig, offset_of(from) - 4), 8, 0 };
   const uint32_t target[] = { AT(rig, offset_of(to)), 4, 0 };
   uint8_t *table = rig->buffer->memory + table_of(from, to);

   memcpy(table + 32, source, sizeof(source));
   memcpy(table + 48, target, sizeof(target));
}

/* Bypasses L1: GLC, on GFX10 also DLC, from GFX12 on device scope. */
static void
put_bypass(const struct rig *rig, uint32_t *load)
{
   const unsigned generation = generation_of(rig);

   if (generation >= GFX12)
      load[1] |= 2u << 18;
   else
      load[0] |=
         generation >= GFX10 && generation < 110 ? 3u << 14 : 1u << 14;
}

static void
put_memory(struct rig *rig)
{
   const struct shader_code *code = shader_code_of(rig);
   uint8_t *memory = rig->buffer->memory;

   memcpy(memory + COPY_B, code->copy, sizeof(code->copy));
   memcpy(memory + SINGLE_B, code->single, sizeof(code->single));
   memcpy(memory + BYPASS_B, code->copy, sizeof(code->copy));
   put_bypass(rig, (uint32_t *)(memory + BYPASS_B) + COPY_LOAD_DW);
   for (char from = 'A'; from <= 'C'; from++) {
      for (char to = 'A'; to <= 'C'; to++)
         put_table(rig, from, to);
   }
}

static void
emit_dispatch(struct rig *rig, unsigned code_B, unsigned user_count)
{
   const uint64_t code = rig->buffer->address + code_B;
   const uint32_t one = 1u << 16 | 1;

   EMIT(rig, SET_SH(2, 0xb830), (uint32_t)(code >> 8),
        (uint32_t)(code >> 40));
   EMIT(rig, SET_SH(1, 0xb84c), user_count << 1 | 1u << 7);
   EMIT(rig, SET_SH(3, 0xb81c), one, one, one);
   EMIT(rig, 0xc0031500, 1, 1, 1, 1);
}

static void
emit_shader(struct rig *rig, unsigned code_B, char from, char to)
{
   EMIT(rig, SET_SH(8, 0xb900), AT(rig, offset_of(from)), 4, 0,
        AT(rig, offset_of(to)), 4, 0);
   emit_dispatch(rig, code_B, 8);
}

static void
emit_scalar_shader(struct rig *rig, char from, char to)
{
   EMIT(rig, SET_SH(4, 0xb900), AT(rig, table_of(from, to)), 48, 8);
   emit_dispatch(rig, SINGLE_B, 4);
}

static uint32_t
to_memory(const struct rig *rig)
{
   return CONFIRMED | (generation_of(rig) < 70 ? TO_MEMORY_GFX6 : TO_MEMORY);
}

static void
emit_acquire(struct rig *rig, uint32_t coher, uint32_t gcr)
{
   if (generation_of(rig) < GFX9)
      EMIT(rig, 0xc0034300, coher, 0xffffffff, 0, 10);
   else if (generation_of(rig) < GFX10)
      EMIT(rig, 0xc0055800, coher, 0xffffffff, 0xff, 0, 0, 10);
   else
      EMIT(rig, 0xc0065800, 0, 0xffffffff, 0xff, 0, 0, 10, gcr);
}

/* GFX7 and GFX8 need this write twice. */
static void
emit_end_of_pipe(struct rig *rig, uint32_t actions)
{
   const unsigned generation = generation_of(rig);
   const uint32_t event = END_OF_PIPE | actions;
   const uint32_t high = (HIGH(rig, FENCE_B) & 0xffff) | IMM32;

   if (generation == GFX9)
      EMIT(rig, 0xc0024600, ZPASS_DONE, AT(rig, 3072));
   if (generation >= GFX9)
      EMIT(rig, 0xc0064900, event, IMM32, AT(rig, FENCE_B), 1, 0, 0);
   else
      EMIT(rig, 0xc0044700, event, LOW(rig, FENCE_B), high, 1, 0);
   if (generation >= 70 && generation < GFX9)
      EMIT(rig, 0xc0044700, event, LOW(rig, FENCE_B), high, 1, 0);
}

static void
emit_samples(struct rig *rig, unsigned offset_B)
{
   rig->sim->draw.samples = rig->device->amd.rb_count;
   rig->cs->ops->set_counting(rig->cs, PITOT_COUNTING_SAMPLES);
   rig_draw(rig);
   if (generation_of(rig) >= GFX11)
      EMIT(rig, 0xc001b100, AT(rig, offset_B));
   else
      EMIT(rig, 0xc0024600, ZPASS_DONE, AT(rig, offset_B));
}

static void
emit_word(struct rig *rig, const char *word)
{
   switch (word[0]) {
   case 'W':
      EMIT(rig, 0xc0033700, to_memory(rig), AT(rig, offset_of(word[1])),
           (uint32_t)(word[2] - '0'));
      break;
   case 'R':
      EMIT(rig, 0xc0044000, to_memory(rig) | 1, AT(rig, offset_of(word[1])),
           AT(rig, offset_of(word[2])));
      break;
   case 'S':
      emit_shader(rig, COPY_B, word[1], word[2]);
      break;
   case 'G':
      emit_shader(rig, BYPASS_B, word[1], word[2]);
      break;
   case 'K':
      emit_scalar_shader(rig, word[1], word[2]);
      break;
   case 'F':
      EMIT(rig, 0xc0004600, PARTIAL_FLUSH);
      break;
   case 'V':
      emit_acquire(rig, COHER_VECTORS, GCR_VECTORS);
      break;
   case 'B':
      emit_acquire(rig, COHER_WRITE | (generation_of(rig) < GFX8) << 23,
                   GCR_WRITE);
      break;
   case 'I':
      emit_acquire(rig, COHER_ALL, GCR_ALL);
      break;
   case 'E':
      emit_end_of_pipe(rig, generation_of(rig) < GFX10 ? EVENT_ALL
                                                       : EVENT_ALL_GCR);
      break;
   case 'N':
      emit_end_of_pipe(rig, 0);
      break;
   case 'Z':
      emit_samples(rig, offset_of(word[1]));
      break;
   case 'M':
      EMIT(rig, 0xc0053c00, 0x13, AT(rig, FENCE_B), 1, 1, 4);
      break;
   case '|':
      rig_run(rig, RENDER);
      break;
   case 'C':
      rig->buffer->memory[offset_of(word[1])] = (uint8_t)(word[2] - '0');
      break;
   }
}

/* L2 may cache the dwords: from GFX12 on, the mapping decides. */
struct machine {
   const struct sim_gpu *gpu;
   bool is_cached;
};

/* Returns a dword after the program. */
static unsigned
run_program(const struct machine *machine, const char *program, char result,
            uint64_t seed)
{
   struct rig rig;

   sim_next_seed = seed;
   rig_open(&rig, machine->gpu->key);
   sim_next_seed = 0;
   sim_bo_at(rig.sim, rig.buffer->memory)->is_uncached = !machine->is_cached;
   put_memory(&rig);
   for (const char *word = program; word != NULL; word = strchr(word, ' ')) {
      word += *word == ' ';
      emit_word(&rig, word);
   }
   rig_run(&rig, RENDER);
   const unsigned value = rig.buffer->memory[offset_of(result)];
   rig_close(&rig);
   return value;
}

/* The oldest value of a dword; the newest is a GPU's without caches. */
static const struct program {
   const char *text;
   char result;
   unsigned upto_gfx8, gfx9, gfx10, gfx12, gfx12_uncached;
   unsigned newest;
} programs[] = {
#include "test_caches.inc"
};

static unsigned
oldest_of(const struct program *program, const struct machine *machine)
{
   const unsigned generation = machine->gpu->facts.generation;

   if (generation >= GFX12)
      return machine->is_cached ? program->gfx12 : program->gfx12_uncached;
   if (generation >= GFX10)
      return program->gfx10;
   return generation >= GFX9 ? program->gfx9 : program->upto_gfx8;
}

static void
run_programs(const struct machine *machine)
{
   for (size_t i = 0; i < ARRAY_LENGTH(programs); i++) {
      const struct program *program = &programs[i];
      const unsigned value =
         run_program(machine, program->text, program->result, 0);

      if (value != oldest_of(program, machine))
         fail_msg("%s, %s: %s: %u", machine->gpu->key,
                  machine->is_cached ? "cached" : "uncached", program->text,
                  value);
   }
}

TEST(caches_keep_what_they_may)
{
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      const struct sim_gpu *gpu = &sim_gpus[i];

      if (!gpu->is_amd)
         continue;
      run_programs(&(struct machine){ gpu, true });
      if (gpu->facts.generation >= GFX12)
         run_programs(&(struct machine){ gpu, false });
   }
}

/* Backends write through L2 from GFX9 on, which from GFX12 on the command
 * processor bypasses: it sees samples in uncached memory, or after a
 * write-back.
 */
TEST(samples_are_seen_in_uncached_memory)
{
   static const struct {
      const char *program, *gpu;
      bool is_cached;
      unsigned expected;
   } tests[] = {
      { "ZC N M RCA", "polaris10", true, 1 },
      { "ZC N M RCA", "navi31", true, 1 },
      { "ZC N M RCA", "navi48", true, 0 },
      { "ZC E M RCA", "navi48", true, 1 },
      { "ZC N M RCA", "navi48", false, 1 },
      { "ZC N M GCA", "navi48", true, 1 },
      { "ZC N M GCA", "navi48", false, 1 },
   };

   for (size_t i = 0; i < ARRAY_LENGTH(tests); i++) {
      const struct machine machine = { sim_gpu(tests[i].gpu),
                                       tests[i].is_cached };
      const unsigned value = run_program(&machine, tests[i].program, 'A', 0);

      if (value != tests[i].expected)
         fail_msg("%s: %s: %u", tests[i].gpu, tests[i].program, value);
   }
}

#define SEED_COUNT 200

/* A value is the oldest or the newest, and each under some seed. */
static void
check_seeds(const struct machine *machine, const struct program *program)
{
   const unsigned oldest = oldest_of(program, machine);
   unsigned counts[3] = { 0 };

   for (uint64_t seed = 1; seed <= SEED_COUNT; seed++)
      counts[run_program(machine, program->text, program->result, seed)]++;
   if (counts[oldest] == 0 || counts[program->newest] == 0 ||
       (oldest == program->newest && counts[oldest] != SEED_COUNT))
      fail_msg("%s: %s: %u, %u, %u times 0, 1, 2", machine->gpu->key,
               program->text, counts[0], counts[1], counts[2]);
}

TEST(schedules_evict)
{
   const struct machine machines[] = {
      { sim_gpu("polaris10"), true }, { sim_gpu("vega10"), true },
      { sim_gpu("navi31"), true },    { sim_gpu("navi48"), true },
      { sim_gpu("navi48"), false },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(machines); i++) {
      for (size_t k = 0; k < ARRAY_LENGTH(programs); k++)
         check_seeds(&machines[i], &programs[k]);
   }
}
