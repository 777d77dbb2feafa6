/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The simulator of Intel GPUs, on packets as Mesa's driver emits them. */

#include "packets.h"

/* Flags of PIPE_CONTROL. */
#define TIMESTAMP   0x0000c000
#define DEPTH_COUNT 0x0000a000
#define DEPTH_STALL 0x00002000
#define STALL       0x00100002
#define CS_STALL    0x00100000
#define SCOREBOARD  0x00000002
#define IMMEDIATE   0x00004000
#define FLUSH       0x00000080

#define PS_INVOCATIONS 0x2348
#define CS_INVOCATIONS 0x2290

static void
pipe_control(struct rig *rig, uint32_t flags, unsigned offset_B,
             uint32_t value)
{
   EMIT(rig, 0x7a000004, flags, AT(rig, offset_B), value, 0);
}

/* Writes a sample, with the stall that GT4 needs. */
static void
sample(struct rig *rig, uint32_t flags, unsigned offset_B)
{
   if (rig->sim->gpu.intel.is_gt4)
      flags |= CS_STALL;
   pipe_control(rig, flags, offset_B, 0);
}

/* Stores 64 bits; from Gen11 on the register is relative. */
static void
store_register(struct rig *rig, enum pitot_ring ring, uint32_t reg,
               unsigned offset_B)
{
   const bool is_relative = rig->sim->gpu.facts.generation >= 110;
   const uint32_t header = is_relative ? 0x12080002 : 0x12000002;

   if (is_relative)
      reg -= 0x2000;
   for (unsigned i = 0; i < 8; i += 4)
      EMIT_ON(rig, ring, header, reg + i, AT(rig, offset_B + i));
}

/* Without a kernel, cues set the time. */
TEST_ON_EACH(INTEL, NULL, timestamps_wrap_at_their_width)
{
   const uint64_t mask = (UINT64_C(1) << 36) - 1;

   if (rig->device == NULL)
      return;
   assert_int_equal(rig->sim->gpu.facts.timestamp_bits, 36);
   rig->sim->now_ticks = mask - 0xff;
   rig->sim->ticks_per_packet = 0;
   rig->sim->draw.ticks = 0x180;
   sample(rig, TIMESTAMP, 0);
   rig_draw(rig);
   sample(rig, TIMESTAMP, 8);
   pipe_control(rig, IMMEDIATE | FLUSH, 16, 1);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), mask - 0xff);
   assert_int_equal(rig_read(rig, 8), 0x80);
   assert_int_equal(rig_read(rig, 16), 1);
}

/* R2 = R0 - R1 */
TEST_ON_EACH(INTEL, NULL, general_registers_compute)
{
   EMIT(rig, 0x11000003, 0x2600, 7, 0x2608, 5);
   EMIT(rig, 0x0d000003, 0x08008000, 0x08008401, 0x10100000, 0x18000831);
   store_register(rig, RENDER, 0x2610, 0);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), 2);
}

/* Runs dispatches on the compute ring.  Returns their count. */
static uint64_t
run_dispatches(struct rig *rig)
{
   rig_stall(rig, COMPUTE);
   store_register(rig, COMPUTE, CS_INVOCATIONS, 0);
   rig_run(rig, COMPUTE);
   return rig_read(rig, 0);
}

/* A dispatch has its flags next to its length. */
TEST_ON_EACH(INTEL, NULL, dispatches_are_predicated)
{
   uint32_t commands[SIM_WORK_DW];
   const unsigned count_dw = sim_dispatch(rig->sim, commands);
   const uint64_t before = run_dispatches(rig);

   rig->sim->dispatch.statistics[SIM_CS_INVOCATIONS] = 64;
   commands[0] |= 1 << 8;
   EMIT_ON(rig, COMPUTE, 0x11000001, 0x2418, 0); /* the predicate: false */
   rig_emit(rig, COMPUTE, commands, count_dw);
   rig_dispatch(rig, COMPUTE);
   assert_int_equal(run_dispatches(rig) - before, 64);
}

TEST_ON_EACH(INTEL, NULL, contexts_count_for_themselves)
{
   const uint64_t before = run_dispatches(rig);

   store_register(rig, RENDER, CS_INVOCATIONS, 8);
   rig_run(rig, RENDER);
   rig->sim->dispatch.statistics[SIM_CS_INVOCATIONS] = 64;
   rig_dispatch(rig, COMPUTE);
   assert_int_equal(run_dispatches(rig) - before, 64);
   store_register(rig, RENDER, CS_INVOCATIONS, 16);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 16) - rig_read(rig, 8), 0);
}

/* A call draws, jumps elsewhere, and draws there. */
TEST_ON_EACH(INTEL, NULL, commands_are_called_and_chained)
{
   static const uint32_t draw[7] = { 0x7b000005 };
   const uint32_t chain[] = { 0x18800001, AT(rig, 1280) };
   const uint32_t end = 0x05000000;
   uint8_t *memory = rig->buffer->memory;

   memcpy(memory + 1024, draw, sizeof(draw));
   memcpy(memory + 1024 + sizeof(draw), chain, sizeof(chain));
   memcpy(memory + 1280, draw, sizeof(draw));
   memcpy(memory + 1280 + sizeof(draw), &end, sizeof(end));
   rig->sim->draw.samples = 1;
   EMIT(rig, 0x18c00001, AT(rig, 1024));
   EMIT(rig, 0x18c00001, AT(rig, 1024));
   rig_draw(rig);
   pipe_control(rig, DEPTH_STALL, 0, 0);
   sample(rig, DEPTH_COUNT, 0);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), 5);
}

/* The low half precedes the draw, the high half follows it. */
TEST_ON("skl", NULL, stores_without_a_stall_are_torn)
{
   rig->sim->draw.statistics[SIM_PS_INVOCATIONS] = UINT64_C(0x100000002);
   rig_draw(rig);
   store_register(rig, RENDER, PS_INVOCATIONS, 0);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), UINT64_C(0x100000000));
   packets_take_violations(
      rig, "MI_STORE_REGISTER_MEM: without a CS stall after work\n");
}

#define TOO_SHORT     "command buffer: has too short a packet\n"
#define CALL(AT_B)    0x18c00001, BUFFER(AT_B)
#define CONTROL(BITS) 0x7a000004, BITS, BUFFER(0), 0, 0

/* No dword beyond a packet is read, and the simulator ends; a batch may jump
 * to its own beginning.
 */
static const struct packet_rule bad_batches_are_refused[] = {
   { "skl", TOO_SHORT, PACKETS(0x12000000, 0) },
   { "skl", TOO_SHORT, PACKETS(0x7a000000, 0) },
   { "tgl",
     "command buffer: goes round for ever\n",
     PACKETS(CALL(PACKETS_CALLED_B)),
     { 0x18800001, BUFFER(PACKETS_CALLED_B) } },
   { "tgl",
     "command buffer: is at an odd address\n"
     "command buffer: has no end\n",
     PACKETS(CALL(PACKETS_CALLED_B + 2)) },
};
TEST_RULES(bad_batches_are_refused)

static const struct packet_rule errata_are_found[] = {
   { "icl",
     "PIPE_CONTROL: a depth count without a depth stall before, on "
     "Gen10\n",
     PACKETS(CONTROL(DEPTH_COUNT)) },
   { "skl", "", PACKETS(CONTROL(DEPTH_COUNT)) },
   { "bdw", "PIPE_CONTROL: a CS stall by itself, before Gen9\n",
     PACKETS(CONTROL(CS_STALL)) },
   { "skl", "", PACKETS(CONTROL(CS_STALL)) },
   { "tgl",
     "PIPE_CONTROL: an immediate that may come before earlier writes\n",
     PACKETS(CONTROL(TIMESTAMP), 0x7a000004, IMMEDIATE, BUFFER(8), 1, 0) },
   { "skl", "", PACKETS(CONTROL(TIMESTAMP)) },
   { "skl", "PIPE_CONTROL: a sample with flush or scoreboard\n",
     PACKETS(CONTROL(TIMESTAMP | SCOREBOARD)) },
   { "skl gt4", "PIPE_CONTROL: a sample without CS stall, on GT4\n",
     PACKETS(CONTROL(TIMESTAMP)) },
};
TEST_RULES(errata_are_found)
