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

#define OP_NOP                   0x10
#define OP_WAIT_MEM_WRITES       0x12
#define OP_WAIT_MEM_GTE          0x14
#define OP_SKIP_IB2_GLOBAL       0x1d
#define OP_REG_RMW               0x21
#define OP_SKIP_IB2_LOCAL        0x23
#define OP_DRAW_AUTO             0x24
#define OP_WAIT_FOR_IDLE         0x26
#define OP_DRAW_INDIRECT_MULTI   0x2a
#define OP_BLIT                  0x2c
#define OP_EXEC_CS               0x33
#define OP_DRAW_INDX_OFFSET      0x38
#define OP_REG_TEST              0x39
#define OP_WAIT_REG_MEM          0x3c
#define OP_MEM_WRITE             0x3d
#define OP_REG_TO_MEM            0x3e
#define OP_INDIRECT_BUFFER       0x3f
#define OP_EXEC_CS_INDIRECT      0x41
#define OP_MEM_TO_REG            0x42
#define OP_SET_DRAW_STATE        0x43
#define OP_COND_EXEC             0x44
#define OP_COND_WRITE            0x45
#define OP_EVENT_WRITE           0x46
#define OP_COND_REG_EXEC         0x47
#define OP_INDIRECT_BUFFER_CHAIN 0x57
#define OP_CONTEXT_REG_BUNCH     0x5c
#define OP_SET_VISIBILITY        0x64
#define OP_SET_MARKER            0x65
#define OP_REG_WRITE             0x6d
#define OP_MEM_TO_MEM            ADRENO_MEM_TO_MEM
#define OP_COUNT                 0x80

#define IB_SIZE_MASK 0xfffff

/* The simulated packets, and the least dwords of their bodies. */
static const struct {
   adreno_handler *handle;
   unsigned least_dw;
} packets[OP_COUNT] = {
   [OP_NOP] = { adreno_nop, 0 },
   [OP_WAIT_MEM_WRITES] = { adreno_wait_mem_writes, 0 },
   [OP_WAIT_MEM_GTE] = { NULL, 4 },
   [OP_SKIP_IB2_GLOBAL] = { adreno_skip_globally, 1 },
   [OP_SKIP_IB2_LOCAL] = { adreno_skip_locally, 1 },
   [OP_REG_RMW] = { adreno_register_rmw, 3 },
   [OP_DRAW_AUTO] = { adreno_draw_auto, 6 },
   [OP_WAIT_FOR_IDLE] = { adreno_wait_for_idle, 0 },
   [OP_DRAW_INDIRECT_MULTI] = { adreno_draw_indirect, 6 },
   [OP_BLIT] = { adreno_blit, 1 },
   [OP_EXEC_CS] = { adreno_dispatch, 4 },
   [OP_DRAW_INDX_OFFSET] = { adreno_draw, 3 },
   [OP_REG_TEST] = { adreno_register_test, 1 },
   [OP_WAIT_REG_MEM] = { NULL, 6 },
   [OP_MEM_WRITE] = { adreno_mem_write, 3 },
   [OP_REG_TO_MEM] = { adreno_reg_to_mem, 3 },
   [OP_INDIRECT_BUFFER] = { NULL, 3 },
   [OP_EXEC_CS_INDIRECT] = { adreno_dispatch_indirect, 4 },
   [OP_MEM_TO_REG] = { adreno_mem_to_reg, 3 },
   [OP_SET_DRAW_STATE] = { adreno_set_draw_state, 3 },
   [OP_COND_EXEC] = { adreno_cond_exec, 6 },
   [OP_COND_WRITE] = { adreno_cond_write, 8 },
   [OP_EVENT_WRITE] = { adreno_event_write, 1 },
   [OP_COND_REG_EXEC] = { adreno_cond_reg_exec, 2 },
   [OP_INDIRECT_BUFFER_CHAIN] = { NULL, 3 },
   [OP_CONTEXT_REG_BUNCH] = { adreno_register_bunch, 2 },
   [OP_SET_VISIBILITY] = { adreno_override_visibility, 1 },
   [OP_SET_MARKER] = { adreno_set_marker, 1 },
   [OP_REG_WRITE] = { adreno_register_write, 3 },
   [OP_MEM_TO_MEM] = { adreno_mem_to_mem, 5 },
};

static void
violate(struct adreno_decoder *decoder, const char *rule)
{
   sim_violate(decoder->engine, "command buffer", rule);
}

static struct adreno_commands *
current(struct adreno_decoder *decoder)
{
   return &decoder->calls[decoder->call_count - 1];
}

static struct adreno_commands
find_commands(struct adreno_decoder *decoder, uint64_t address,
              uint64_t count_dw)
{
   uint64_t left_B;
   const uint32_t *dw =
      count_dw != 0 ? sim_memory(decoder->engine, address, &left_B) : NULL;

   if (dw != NULL &&
       (left_B / sizeof(*dw) < count_dw || address % sizeof(*dw) != 0)) {
      violate(decoder, address % sizeof(*dw) != 0 ? "is at an odd address"
                                                  : "ends beyond its memory");
      dw = NULL;
   }
   return (struct adreno_commands){
      .next = dw,
      .end = dw != NULL ? dw + count_dw : NULL,
   };
}

void
adreno_jump(struct adreno_decoder *decoder, uint64_t address,
            uint64_t count_dw, bool is_call)
{
   if (is_call && decoder->call_count == ADRENO_MAX_CALLS) {
      violate(decoder, "has too deep a call");
      return;
   }
   if (++decoder->jump_count > ADRENO_MAX_JUMPS) {
      violate(decoder, "goes round for ever");
      current(decoder)->next = current(decoder)->end;
      return;
   }
   decoder->call_count += is_call;
   *current(decoder) = find_commands(decoder, address, count_dw);
}

void
adreno_skip(struct adreno_decoder *decoder, uint64_t count_dw)
{
   struct adreno_commands *commands = current(decoder);

   if (count_dw > (uint64_t)(commands->end - commands->next)) {
      violate(decoder, "ends within what is conditional");
      count_dw = (uint64_t)(commands->end - commands->next);
   }
   commands->next += count_dw;
}

unsigned
adreno_mode_mask(const struct adreno_decoder *decoder)
{
   if (decoder->mode == ADRENO_BINNING)
      return ADRENO_IN_BINNING;
   return decoder->mode == ADRENO_DIRECT ? ADRENO_IN_DIRECT : ADRENO_IN_TILES;
}

/* Continues after a call or IB.  Returns whether commands are left. */
static bool
has_commands(struct adreno_decoder *decoder)
{
   const struct sim_submission *submission = decoder->engine->submission;

   while (decoder->call_count > 0) {
      const struct adreno_commands *commands = current(decoder);

      if (commands->next != commands->end)
         return true;
      decoder->call_count--;
   }
   if (decoder->ib == submission->ib_count)
      return false;

   const struct sim_ib *ibs =
      submission->own_ibs != NULL ? submission->own_ibs : submission->ibs;
   const struct sim_ib *ib = &ibs[decoder->ib++];
   decoder->call_count = 1;
   decoder->calls[0] =
      find_commands(decoder, ib->address, ib->size_B / sizeof(uint32_t));
   return has_commands(decoder);
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
body_length(uint32_t header)
{
   return header >> 28 == TYPE_4 ? header & 0x7f : header & 0x7fff;
}

/* Whether the packet is complete, with all dwords that its handler reads. */
static bool
is_whole(struct adreno_decoder *decoder, const uint32_t *dw)
{
   const unsigned op = dw[0] >> 16 & 0x7f;

   if (!is_sound(dw[0]))
      violate(decoder, "has a header of no packet");
   else if (current(decoder)->end - dw <= (ptrdiff_t)body_length(dw[0]))
      violate(decoder, "ends within a packet");
   else if (dw[0] >> 28 == TYPE_7 &&
            body_length(dw[0]) < packets[op].least_dw)
      violate(decoder, "has too short a packet");
   else
      return true;
   return false;
}

static bool
is_draw(unsigned op)
{
   return op == OP_DRAW_INDX_OFFSET || op == OP_DRAW_AUTO ||
          op == OP_DRAW_INDIRECT_MULTI;
}

static void
call(struct adreno_decoder *decoder, const struct adreno_packet *packet)
{
   const uint32_t *body = packet->body;
   const bool is_call = packet->op == OP_INDIRECT_BUFFER;

   if (!is_call || !adreno_skips_calls(decoder))
      adreno_jump(decoder, sim_address(body), body[2] & IB_SIZE_MASK,
                  is_call);
}

static void
execute(struct adreno_decoder *decoder, const struct adreno_packet *packet)
{
   if (packet->op == OP_INDIRECT_BUFFER ||
       packet->op == OP_INDIRECT_BUFFER_CHAIN)
      call(decoder, packet);
   else if (is_draw(packet->op) && adreno_returns_early(decoder))
      current(decoder)->next = current(decoder)->end;
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
next(struct adreno_decoder *decoder, bool is_forced)
{
   struct adreno_commands *commands = current(decoder);
   const uint32_t *dw = commands->next;
   const unsigned body_dw = body_length(dw[0]);

   if (!is_whole(decoder, dw)) {
      commands->next = commands->end;
      return SIM_DONE;
   }
   const struct adreno_packet packet = {
      .op = dw[0] >> 16 & 0x7f,
      .body = &dw[1],
      .body_dw = body_dw,
   };
   if (dw[0] >> 28 == TYPE_7 && !is_forced && waits(decoder, &packet))
      return SIM_WAITS;
   sim_tick(decoder->engine->sim, decoder->engine->sim->ticks_per_packet);
   commands->next += 1 + body_dw;
   sim_show(decoder->engine->sim, dw, 1 + body_dw);
   if (dw[0] >> 28 == TYPE_7) {
      execute(decoder, &packet);
      return SIM_DONE;
   }
   for (unsigned i = 0; i < body_dw; i++)
      adreno_set_register(decoder, (dw[0] >> 8 & 0x3ffff) + i, dw[1 + i]);
   return SIM_DONE;
}

/* Packets in groups of state do not wait. */
void
adreno_execute_now(struct adreno_decoder *decoder, uint64_t address,
                   uint64_t count_dw)
{
   const unsigned call_count = decoder->call_count;

   adreno_jump(decoder, address, count_dw, true);
   while (decoder->call_count > call_count) {
      if (current(decoder)->next == current(decoder)->end)
         decoder->call_count--;
      else
         next(decoder, true);
   }
}

void
sim_begin_adreno(struct sim_engine *engine)
{
   struct adreno_decoder *decoder = sim_decoder(engine, sizeof(*decoder));

   /* Survives a batch, also into another context. */
   const uint32_t streams = decoder->registers[REG_PC_SO_STREAM_CNTL];

   adreno_clear_registers(decoder);
   memset(decoder, 0, offsetof(struct adreno_decoder, registers));
   decoder->engine = engine;
   adreno_set_register(decoder, REG_PC_SO_STREAM_CNTL, streams);
   decoder->generation = engine->sim->gpu.facts.generation;
   decoder->mode = ADRENO_DIRECT;
   engine->copy.size_B = 0; /* from an abandoned batch */
   engine->sim->ring = 0;
   sim_show(engine->sim, NULL, 0);
}

enum sim_progress
sim_next_adreno(struct sim_engine *engine, bool is_forced)
{
   struct adreno_decoder *decoder = engine->decoder;

   return has_commands(decoder) ? next(decoder, is_forced) : SIM_ENDED;
}
