/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Reads Intel's commands, and executes small ones. */

#include "gen.h"

#define TYPE_MI         0
#define TYPE_3D         3
#define MI_SHORT_BEFORE 0x10
#define MI_CODE_MASK    0xff80
#define SUBTYPE_SINGLE  1

#define MI_STORE_DATA_IMM   0x1000
#define STORE_QWORD         (1u << 21)
#define BBS_SECOND_LEVEL    (1u << 22)
#define PIPELINE_SELECT_OLD 0x6104 /* without a length */

#define SELECT_MASK   3
#define SELECT_GPGPU  2
#define IS_PREDICATED (1u << 8)

#define STATISTIC(NAME) (1u << SIM_##NAME)

static void
end_batch(struct gen_decoder *decoder, const uint32_t *dw)
{
   (void)dw;
   decoder->engine->reader.call_count--;
}

static void
start_batch(struct gen_decoder *decoder, const uint32_t *dw)
{
   sim_jump(decoder->engine, sim_address(&dw[1]), SIM_UNTIL_END,
            dw[0] & BBS_SECOND_LEVEL);
}

static void
select_pipeline(struct gen_decoder *decoder, const uint32_t *dw)
{
   decoder->engine->registers->is_gpgpu =
      (dw[0] & SELECT_MASK) == SELECT_GPGPU;
}

/* The simulated packets. */
static const struct packet {
   uint32_t code;     /* upper half of the header, of MI without flags */
   unsigned least_dw; /* that are read without checking the length */
   gen_handler *handle;
} packets[] = {
   { 0x0480, 1, gen_fence },     /* MI_MEM_FENCE */
   { 0x0500, 1, end_batch },     /* MI_BATCH_BUFFER_END */
   { 0x0600, 1, gen_predicate }, /* MI_PREDICATE */
   { 0x0d00, 1, gen_math },      /* MI_MATH */
   { MI_STORE_DATA_IMM, 4, gen_store_data },
   { 0x1100, 1, gen_load_immediates }, /* MI_LOAD_REGISTER_IMM */
   { 0x1200, 4, gen_store_register },  /* MI_STORE_REGISTER_MEM */
   { 0x1300, 5, gen_flush },           /* MI_FLUSH_DW */
   { 0x1480, 4, gen_load_memory },     /* MI_LOAD_REGISTER_MEM */
   { 0x1500, 3, gen_load_register },   /* MI_LOAD_REGISTER_REG */
   { 0x1700, 5, gen_copy_memory },     /* MI_COPY_MEM_MEM */
   { 0x1880, 3, start_batch },         /* MI_BATCH_BUFFER_START */
   { 0x6101, 1, gen_set_copy_state },  /* STATE_BASE_ADDRESS */
   { 0x6109, 3, gen_set_fence_page },  /* STATE_SYSTEM_MEM_FENCE_ADDRESS */
   { 0x6904, 1, select_pipeline },     /* PIPELINE_SELECT */
   { 0x7105, 15, gen_dispatch },       /* GPGPU_WALKER */
   { 0x7208, 15, gen_dispatch },       /* COMPUTE_WALKER */
   { GEN_PIPE_CONTROL, 6, gen_control },
   { 0x7b00, 7, gen_draw }, /* 3DPRIMITIVE */

   /* EXECUTE_INDIRECT_*: DRAW, DISPATCH */
   { 0x7c00, 6, gen_draw_indirect },
   { 0x7c01, 45, gen_dispatch_indirect },

   /* 3DSTATE_* */
   { 0x7808, 1, gen_set_copy_state }, /* VERTEX_BUFFERS */
   { 0x7810, 1, gen_set_copy_state }, /* VS */
   { 0x7811, 8, gen_set_pipeline },   /* GS */
   { 0x7812, 3, gen_set_pipeline },   /* CLIP */
   { 0x781b, 3, gen_set_pipeline },   /* HS */
   { 0x781e, 5, gen_set_pipeline },   /* STREAMOUT */
   { 0x7820, 1, gen_set_copy_state }, /* PS */
   { 0x782a, 2, gen_set_copy_state }, /* BINDING_TABLE_POINTERS_PS */
   { 0x784b, 2, gen_set_pipeline },   /* VF_TOPOLOGY */
   { 0x7860, 1, gen_set_pipeline },   /* SO_BUFFER_INDEX_0, Gen12 */
   { 0x7861, 1, gen_set_pipeline },   /* SO_BUFFER_INDEX_1 */
   { 0x7862, 1, gen_set_pipeline },   /* SO_BUFFER_INDEX_2 */
   { 0x7863, 1, gen_set_pipeline },   /* SO_BUFFER_INDEX_3 */
   { 0x7917, 2, gen_set_pipeline },   /* SO_DECL_LIST */
   { 0x7918, 2, gen_set_pipeline },   /* SO_BUFFER */
   { 0x7919, 1, gen_set_copy_state }, /* BINDING_TABLE_POOL_ALLOC */
};

/* The bit of a stage's state that enables its counters. */
static const struct stage {
   uint32_t code;
   unsigned dword;
   uint32_t bit;
   uint32_t counts;
} stages[] = {
   { 0x680b, 0, 1u << 0, STATISTIC(IA_VERTICES) | STATISTIC(IA_PRIMITIVES) },
   { 0x7810, 7, 1u << 10, STATISTIC(VS_INVOCATIONS) },
   { 0x7811, 7, 1u << 10,
     STATISTIC(GS_INVOCATIONS) | STATISTIC(GS_PRIMITIVES) },
   { 0x781b, 2, 1u << 29, STATISTIC(HS_INVOCATIONS) },
   { 0x781d, 7, 1u << 10, STATISTIC(DS_INVOCATIONS) },
   { 0x7812, 1, 1u << 10,
     STATISTIC(C_INVOCATIONS) | STATISTIC(C_PRIMITIVES) },
   { 0x7814, 1, 1u << 31, STATISTIC(PS_INVOCATIONS) | SIM_OFF_SAMPLES },
   { 0x781e, 1, 1u << 25, SIM_OFF_STREAMOUT },
};

/* Returns NULL for other packets, which do nothing. */
static const struct packet *
find_packet(uint32_t header)
{
   const uint32_t code =
      header >> 16 & (header >> 29 == TYPE_MI ? MI_CODE_MASK : UINT32_MAX);

   for (unsigned i = 0; i < sizeof(packets) / sizeof(packets[0]); i++) {
      if (packets[i].code == code)
         return &packets[i];
   }
   return NULL;
}

unsigned
gen_length(uint32_t header)
{
   const unsigned type = header >> 29;

   if (header >> 16 == PIPELINE_SELECT_OLD)
      return 1;
   if (type == TYPE_MI)
      return (header >> 23) < MI_SHORT_BEFORE ? 1 : (header & 0xff) + 2;
   if (type == TYPE_3D && (header >> 27 & 3) == SUBTYPE_SINGLE)
      return 1;
   return (header & 0xff) + 2;
}

static unsigned
least_length(uint32_t header, unsigned generation)
{
   const struct packet *packet = find_packet(header);
   (void)generation;

   if (packet == NULL)
      return 1;
   return packet->least_dw +
          (packet->code == MI_STORE_DATA_IMM && (header & STORE_QWORD) != 0);
}

static bool
is_work(const struct packet *packet)
{
   return packet->handle == gen_draw || packet->handle == gen_dispatch ||
          packet->handle == gen_draw_indirect ||
          packet->handle == gen_dispatch_indirect;
}

static bool
is_skipped(struct gen_decoder *decoder, const struct packet *packet,
           const uint32_t *dw)
{
   struct sim_engine *engine = decoder->engine;

   if (!is_work(packet) || (dw[0] & IS_PREDICATED) == 0 ||
       engine->registers->predicate || engine->sim->faults.ignores_predicate)
      return false;
   sim_note(engine, 0, "work skipped");
   return true;
}

static void
set_stage(struct gen_decoder *decoder, const uint32_t *dw)
{
   uint32_t *off = &decoder->engine->registers->off;

   for (unsigned i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
      const struct stage *stage = &stages[i];

      if (stage->code != dw[0] >> 16 || stage->dword >= gen_length(dw[0]))
         continue;
      if ((dw[stage->dword] & stage->bit) != 0)
         *off &= ~stage->counts;
      else
         *off |= stage->counts;
   }
}

static void
execute(struct gen_decoder *decoder, const uint32_t *dw)
{
   const struct packet *packet = find_packet(dw[0]);

   set_stage(decoder, dw);
   if (packet != NULL && !is_skipped(decoder, packet, dw))
      packet->handle(decoder, dw);
   if (dw[0] >> 29 != TYPE_MI && dw[0] >> 16 != GEN_PIPE_CONTROL)
      decoder->last_flags = 0;
}

static enum sim_progress
next(struct sim_engine *engine, bool is_forced)
{
   struct gen_decoder *decoder = engine->decoder;

   if (!sim_has_commands(engine, true))
      return SIM_ENDED;
   const uint32_t *dw = sim_peek(engine);
   if (dw == NULL)
      return SIM_DONE;
   if (gen_has_to_wait(decoder, dw) && !is_forced)
      return SIM_WAITS;
   decoder->is_stalled = false;
   sim_take(engine);
   sim_show(engine->sim, dw, gen_length(*dw));
   execute(decoder, dw);
   return SIM_DONE;
}

static void
begin(struct sim_engine *engine)
{
   *(struct gen_decoder *)engine->decoder = (struct gen_decoder){
      .engine = engine,
      .generation = engine->sim->gpu.facts.generation,
   };
}

const struct sim_decoder_ops sim_gen_ops = {
   .state_B = sizeof(struct gen_decoder),
   .begin = begin,
   .next = next,
   .length = gen_length,
   .least_length = least_length,
   .max_calls = 3,
   .max_jumps = 32 * 1024,
};
