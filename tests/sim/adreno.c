/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Reads Adreno's command buffers: type-4 packets (registers), and type-7. */

#include <stddef.h>
#include <string.h>

#include "adreno.h"

#define TYPE_4 0x4
#define TYPE_7 0x7

#define OP_WAIT_MEM_WRITES       0x12
#define OP_WAIT_MEM_GTE          0x14
#define OP_WAIT_FOR_IDLE         0x26
#define OP_WAIT_REG_MEM          0x3c
#define OP_INDIRECT_BUFFER       0x3f
#define OP_MEM_TO_REG            0x42
#define OP_INDIRECT_BUFFER_CHAIN 0x57
#define OP_MEM_TO_MEM            ADRENO_MEM_TO_MEM
#define OP_COUNT                 0x80

#define IB_SIZE_MASK 0xfffff

/* The simulated packets, and the least dwords of their bodies. */
static const struct {
   adreno_handler *handle;
   unsigned least_dw;
} packets[OP_COUNT] = {
   [0x10] = { adreno_nop, 0 }, /* NOP */
   [OP_WAIT_MEM_WRITES] = { adreno_wait_mem_writes, 0 },
   [OP_WAIT_MEM_GTE] = { NULL, 4 },
   [0x1d] = { adreno_skip_globally, 1 }, /* SKIP_IB2_GLOBAL */
   [0x23] = { adreno_skip_locally, 1 },  /* SKIP_IB2_LOCAL */
   [0x24] = { adreno_draw_auto, 6 },     /* DRAW_AUTO */
   [OP_WAIT_FOR_IDLE] = { adreno_wait_for_idle, 0 },
   [0x2a] = { adreno_draw_indirect, 6 }, /* DRAW_INDIRECT_MULTI */
   [0x2c] = { adreno_blit, 1 },          /* BLIT */
   [0x33] = { adreno_dispatch, 4 },      /* EXEC_CS */
   [0x38] = { adreno_draw, 3 },          /* DRAW_INDX_OFFSET */
   [0x39] = { adreno_register_test, 1 }, /* REG_TEST */
   [OP_WAIT_REG_MEM] = { NULL, 6 },
   [0x3d] = { adreno_mem_write, 3 },  /* MEM_WRITE */
   [0x3e] = { adreno_reg_to_mem, 3 }, /* REG_TO_MEM */
   [OP_INDIRECT_BUFFER] = { NULL, 3 },
   [0x41] = { adreno_dispatch_indirect, 4 }, /* EXEC_CS_INDIRECT */
   [OP_MEM_TO_REG] = { adreno_mem_to_reg, 3 },
   [0x43] = { adreno_set_draw_state, 3 }, /* SET_DRAW_STATE */
   [0x44] = { adreno_cond_exec, 6 },      /* COND_EXEC */
   [0x45] = { adreno_cond_write, 8 },     /* COND_WRITE */
   [0x46] = { adreno_event_write, 1 },    /* EVENT_WRITE */
   [0x47] = { adreno_cond_reg_exec, 2 },  /* COND_REG_EXEC */
   [OP_INDIRECT_BUFFER_CHAIN] = { NULL, 3 },
   [0x5c] = { adreno_register_bunch, 2 },      /* CONTEXT_REG_BUNCH */
   [0x64] = { adreno_override_visibility, 1 }, /* SET_VISIBILITY */
   [0x65] = { adreno_set_marker, 1 },          /* SET_MARKER */
   [0x6d] = { adreno_register_write, 3 },      /* REG_WRITE */
   [OP_MEM_TO_MEM] = { adreno_mem_to_mem, 5 },
};

unsigned
adreno_mode_mask(const struct adreno_decoder *decoder)
{
   if (decoder->mode == ADRENO_BINNING)
      return ADRENO_IN_BINNING;
   return decoder->mode == ADRENO_DIRECT ? ADRENO_IN_DIRECT : ADRENO_IN_TILES;
}

/* A header has odd parity bits for its count and its opcode or register. */
static bool
is_odd(uint32_t bits)
{
   return __builtin_parity(bits) != 0;
}

static bool
is_sound(uint32_t header)
{
   if (header >> 28 == TYPE_4)
      return is_odd(header & 0xff) && is_odd(header >> 8 & 0xfffff);
   return header >> 28 == TYPE_7 && is_odd(header & 0xffff) &&
          is_odd(header >> 16 & 0xff);
}

static unsigned
length(uint32_t header)
{
   if (!is_sound(header))
      return 0;
   return 1 + (header >> 28 == TYPE_4 ? header & 0x7f : header & 0x7fff);
}

static unsigned
least_length(uint32_t header, unsigned generation)
{
   (void)generation;
   return header >> 28 == TYPE_7 ? 1 + packets[header >> 16 & 0x7f].least_dw
                                 : 1;
}

static bool
is_draw(unsigned op)
{
   return packets[op].handle == adreno_draw ||
          packets[op].handle == adreno_draw_auto ||
          packets[op].handle == adreno_draw_indirect;
}

static void
call(struct adreno_decoder *decoder, const struct adreno_packet *packet)
{
   const uint32_t *body = packet->body;
   const bool is_call = packet->op == OP_INDIRECT_BUFFER;

   if (!is_call || !adreno_skips_calls(decoder))
      sim_jump(decoder->engine, sim_address(body),
               (body[2] & IB_SIZE_MASK) * sizeof(*body), is_call);
}

static void
execute(struct adreno_decoder *decoder, const struct adreno_packet *packet)
{
   if (packet->op == OP_INDIRECT_BUFFER ||
       packet->op == OP_INDIRECT_BUFFER_CHAIN)
      call(decoder, packet);
   else if (is_draw(packet->op) && adreno_returns_early(decoder))
      decoder->engine->reader.call_count--;
   else if (packets[packet->op].handle != NULL)
      packets[packet->op].handle(decoder, packet);
}

static bool
waits(struct adreno_decoder *decoder, const struct adreno_packet *packet)
{
   const struct sim_engine *engine = decoder->engine;

   switch (packet->op) {
   case OP_WAIT_FOR_IDLE:
      return sim_has_writes(engine);
   case OP_WAIT_MEM_WRITES:
      return sim_has_writes(engine) && sim_has_posted(engine);
   case OP_MEM_TO_MEM:
   case OP_MEM_TO_REG:
      return sim_has_writes(engine) && adreno_waits_first(decoder, packet);
   case OP_WAIT_REG_MEM:
   case OP_WAIT_MEM_GTE:
      return !adreno_has_waited(decoder, packet);
   default:
      return false;
   }
}

static enum sim_progress
execute_next(struct adreno_decoder *decoder, bool is_forced)
{
   struct sim_engine *engine = decoder->engine;
   const uint32_t *dw = sim_peek(engine);

   if (dw == NULL)
      return SIM_DONE;
   const struct adreno_packet packet = {
      .op = dw[0] >> 16 & 0x7f,
      .body = &dw[1],
      .body_dw = length(dw[0]) - 1,
   };
   if (dw[0] >> 28 == TYPE_7 && !is_forced && waits(decoder, &packet))
      return SIM_WAITS;
   sim_take(engine);
   sim_show(engine->sim, dw, 1 + packet.body_dw);
   if (dw[0] >> 28 == TYPE_7) {
      execute(decoder, &packet);
      return SIM_DONE;
   }
   for (unsigned i = 0; i < packet.body_dw; i++)
      adreno_set_register(decoder, (dw[0] >> 8 & 0x3ffff) + i, dw[1 + i]);
   return SIM_DONE;
}

/* Packets in groups of state do not wait. */
void
adreno_execute_now(struct adreno_decoder *decoder, uint64_t address,
                   uint64_t count_dw)
{
   struct sim_engine *engine = decoder->engine;
   const unsigned call_count = engine->reader.call_count;

   sim_jump(engine, address, count_dw * sizeof(uint32_t), true);
   while (sim_has_commands(engine, false) &&
          engine->reader.call_count > call_count)
      execute_next(decoder, true);
}

static void
begin(struct sim_engine *engine)
{
   struct adreno_decoder *decoder = engine->decoder;

   /* Survives a batch, also into another context. */
   const uint32_t streams = decoder->registers[REG_PC_SO_STREAM_CNTL];

   adreno_clear_registers(decoder);
   memset(decoder, 0, offsetof(struct adreno_decoder, registers));
   decoder->engine = engine;
   adreno_set_register(decoder, REG_PC_SO_STREAM_CNTL, streams);
   decoder->generation = engine->sim->gpu.facts.generation;
   decoder->mode = ADRENO_DIRECT;
}

static enum sim_progress
next(struct sim_engine *engine, bool is_forced)
{
   return sim_has_commands(engine, true)
             ? execute_next(engine->decoder, is_forced)
             : SIM_ENDED;
}

const struct sim_decoder_ops sim_adreno_ops = {
   .state_B = sizeof(struct adreno_decoder),
   .begin = begin,
   .next = next,
   .length = length,
   .least_length = least_length,
   .max_calls = 4,
   .max_jumps = 1u << 22,
};
