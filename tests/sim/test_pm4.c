/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The simulator of AMD GPUs, on packets as Mesa's driver emits them. */

#include "packets.h"

#define GFX9  90
#define GFX11 110

#define CLOCK 0x60000000
#define IMM32 0x20000000
#define VALID (UINT64_C(1) << 63)

#define ZPASS_DONE        0x115
#define SAMPLE_STATISTICS 0x21e
#define SAMPLE_STREAMOUT  0x320
#define END_OF_PIPE       0x528

#define PREDICATE_ZPASS     0x10000
#define PREDICATE_PRIMCOUNT 0x20000
#define NO_WAIT             0x1000

static void
event(struct rig *rig, uint32_t type, unsigned offset_B)
{
   EMIT(rig, 0xc0024600, type, AT(rig, offset_B));
}

static void
event_write_eop(struct rig *rig, uint32_t select, unsigned offset_B,
                uint32_t value)
{
   EMIT(rig, 0xc0044700, END_OF_PIPE, LOW(rig, offset_B),
        HIGH(rig, offset_B) | select, value, 0);
}

static void
release_mem(struct rig *rig, uint32_t select, unsigned offset_B,
            uint32_t value)
{
   EMIT(rig, 0xc0064900, END_OF_PIPE, select, AT(rig, offset_B), value, 0, 0);
}

/* Writes at the end of the pipe as each generation requires. */
static void
end_of_pipe(struct rig *rig, uint32_t select, unsigned offset_B,
            uint32_t value)
{
   const unsigned generation = rig->device->gpu.generation;

   if (generation < GFX9) {
      if (generation > 60)
         event_write_eop(rig, select, 2048, 0);
      event_write_eop(rig, select, offset_B, value);
      return;
   }
   if (generation == GFX9)
      event(rig, ZPASS_DONE, 3072);
   release_mem(rig, select, offset_B, value);
}

TEST_ON_EACH(AMD, NULL, timestamps_are_written)
{
   rig->sim->now_ticks = UINT64_C(0x123456789abc);
   rig->sim->ticks_per_packet = 0;
   rig->sim->draw.ticks = 1000;
   memset(rig->buffer->memory + 16, 0xff, 8);
   end_of_pipe(rig, CLOCK, 0, 0);
   rig_draw(rig);
   end_of_pipe(rig, CLOCK, 8, 0);
   end_of_pipe(rig, IMM32, 16, 0x80000000);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), UINT64_C(0x123456789abc));
   assert_int_equal(rig_read(rig, 8) - rig_read(rig, 0), 1000);
   assert_int_equal(rig_read(rig, 16), UINT64_C(0xffffffff80000000));
}

static void
sample_occlusion(struct rig *rig, unsigned offset_B)
{
   if (rig->device->gpu.generation >= GFX11)
      EMIT(rig, 0xc001b100, AT(rig, offset_B));
   else
      event(rig, ZPASS_DONE, offset_B);
}

static bool
is_slot_used(const struct rig *rig, unsigned slot)
{
   const uint64_t mask = rig->device->amd.rb_mask;

   return rig->sim->packs_backends
             ? slot < (unsigned)__builtin_popcountll(mask)
             : mask >> slot & 1;
}

TEST_ON_EACH(AMD, NULL, backends_count_samples)
{
   uint64_t samples = 0;

   rig->sim->draw.samples = 1001;
   rig->cs->ops->set_counting(rig->cs, PITOT_COUNTING_SAMPLES);
   sample_occlusion(rig, 0);
   rig_draw(rig);
   sample_occlusion(rig, 8);
   rig->cs->ops->set_counting(rig->cs, 0);
   rig_draw(rig);
   sample_occlusion(rig, 1024);
   rig_run(rig, RENDER);
   for (unsigned i = 0; i < rig->device->amd.rb_count; i++) {
      const bool is_there = is_slot_used(rig, i);
      const uint64_t begin = rig_read(rig, 16 * i);
      const uint64_t end = rig_read(rig, 16 * i + 8);

      assert_int_equal(begin & VALID, is_there ? VALID : 0);
      assert_int_equal(rig_read(rig, 1024 + 16 * i), end);
      samples += end - begin;
   }
   assert_int_equal(samples, 1001);
}

TEST_ON_EACH(AMD, NULL, statistics_are_sampled)
{
   for (unsigned i = 0; i < SIM_STATISTIC_COUNT; i++)
      rig->sim->draw.statistics[i] = 100 + i;
   rig->cs->ops->set_counting(rig->cs, PITOT_COUNTING_STATISTICS);
   rig_draw(rig);
   event(rig, SAMPLE_STATISTICS, 0);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), 100 + SIM_PS_INVOCATIONS);
   assert_int_equal(rig_read(rig, 8), 100 + SIM_C_PRIMITIVES);
   assert_int_equal(rig_read(rig, 7 * 8), 100 + SIM_IA_VERTICES);
   assert_int_equal(rig_read(rig, 10 * 8), 100 + SIM_CS_INVOCATIONS);
   assert_int_equal(rig_read(rig, 13 * 8) != 0,
                    rig->device->gpu.generation >= GFX11);
}

#define TOO_SHORT   "command buffer: has too short a packet\n"
#define CALL(COUNT) 0xc0023f00, BUFFER(PACKETS_CALLED_B), COUNT
#define CHAIN       (1u << 20)

/* No dword beyond a packet is read, and the simulator ends: commands jump to
 * their own beginning, or begin with a packet of five dwords; there are fewer
 * shader registers, and 64 bits are copied to an odd address.
 */
static const struct packet_rule bad_commands_are_refused[] = {
   { "navi10", TOO_SHORT, PACKETS(0xc0003c00, 0) },
   { "navi10", TOO_SHORT, PACKETS(0xc0002000, 0) },
   { "navi10",
     "command buffer: goes round for ever\n",
     PACKETS(CALL(4)),
     { CALL(CHAIN | 4) } },
   { "navi10",
     "command buffer: ends within a packet\n",
     PACKETS(CALL(4)),
     { 0xc0033700 } },
   { "navi10",
     "command buffer: ends beyond its memory\n",
     PACKETS(CALL(RIG_BUFFER_B)),
     { 0xc0033700 } },
   { "navi10", "LOAD_*_REG: there is no register\n",
     PACKETS(0xc0035f00, BUFFER(0), 0x100, UINT32_MAX) },
   { "navi10", "memory: written at an odd address\n",
     PACKETS(0xc0044000, 1 << 16 | 5 << 8 | 5, 0, 0, BUFFER(4)) },
};
TEST_RULES(bad_commands_are_refused)

#define EVENT(TYPE)      0xc0024600, TYPE, BUFFER(0)
#define COUNT_STATISTICS 0xc0004600, 25
#define EOP_CLOCK        0xc0044700, END_OF_PIPE, BUFFER_WITH(0, CLOCK), 0, 0
#define RELEASE_CLOCK    0xc0064900, END_OF_PIPE, CLOCK, BUFFER(0), 0, 0, 0

/* Of memory that nothing writes. */
#define PREDICATION(CONTROL, OFFSET_B) 0xc0022000, CONTROL, BUFFER(OFFSET_B)

static const struct packet_rule errata_are_found[] = {
   { "pitcairn", "", PACKETS(EOP_CLOCK) },
   { "bonaire", "EVENT_WRITE_EOP: a single one, on GFX7 or GFX8\n",
     PACKETS(EOP_CLOCK) },
   { "polaris10", "EVENT_WRITE_EOP: a single one, on GFX7 or GFX8\n",
     PACKETS(EOP_CLOCK) },
   { "polaris10", "RELEASE_MEM: not on this ring before GFX9\n",
     PACKETS(RELEASE_CLOCK) },
   { "vega10", "RELEASE_MEM: without ZPASS_DONE before, on GFX9\n",
     PACKETS(RELEASE_CLOCK) },
   { "navi10", "", PACKETS(RELEASE_CLOCK) },
   { "navi10", "EVENT_WRITE_EOP: there is none on GFX9\n",
     PACKETS(EOP_CLOCK) },
   { "navi21", "SAMPLE_PIPELINESTAT: while nothing is counted\n",
     PACKETS(EVENT(SAMPLE_STATISTICS)) },
   { "navi31", "SAMPLE_STREAMOUTSTATS: there is none on GFX11\n",
     PACKETS(COUNT_STATISTICS, EVENT(SAMPLE_STREAMOUT)) },
   { "navi31", "EVENT_WRITE: an event of other generations\n",
     PACKETS(EVENT(ZPASS_DONE)) },
   { "navi48", "SAMPLE_STREAMOUTSTATS: there is none on GFX11\n",
     PACKETS(COUNT_STATISTICS, EVENT(SAMPLE_STREAMOUT)) },
   { "navi48", "EVENT_WRITE: an event of other generations\n",
     PACKETS(EVENT(ZPASS_DONE)) },
   { "navi10", "", PACKETS(PREDICATION(PREDICATE_ZPASS | NO_WAIT, 0)) },
   { "navi10", "SET_PREDICATION: waits for ever\n",
     PACKETS(PREDICATION(PREDICATE_ZPASS, 0)) },
   { "navi10", "SET_PREDICATION: waits for ever\n",
     PACKETS(PREDICATION(PREDICATE_PRIMCOUNT | NO_WAIT, 0)) },
   { "navi10", "SET_PREDICATION: at an odd address\n",
     PACKETS(PREDICATION(PREDICATE_ZPASS | NO_WAIT, 8)) },
};
TEST_RULES(errata_are_found)

struct order {
   uint64_t front, end; /* addresses */
   unsigned early_count;
   bool is_there;
};

static void
watch(void *data, uint64_t address, uint64_t value)
{
   struct order *order = data;

   (void)value;
   order->is_there |= address == order->end;
   order->early_count += address == order->front && !order->is_there;
}

/* Writes of the front of the pipe precede those of its end. */
TEST_ON("navi10", NULL, order_shows)
{
   struct order order = {
      .front = rig->buffer->address + 1024,
      .end = rig->buffer->address,
   };

   rig->sim->on_write = watch;
   rig->sim->on_write_data = &order;
   sample_occlusion(rig, 0);
   rig_write(rig, 1024, 1);
   rig_run(rig, RENDER);
   assert_int_equal(order.early_count, 1);
   assert_true(order.is_there);
   rig->sim->on_write = NULL;
}

/* Returns how many of a batch's samples arrive after its later end of the
 * pipe; address: the first backend's sample.
 */
static unsigned
count_late(struct rig *rig, bool delays_backends)
{
   struct order order = {
      .front = rig->buffer->address + 2000,
      .end = rig->buffer->address,
   };

   rig->sim->delays_backends = delays_backends;
   rig->sim->on_write = watch;
   rig->sim->on_write_data = &order;
   sample_occlusion(rig, 0);
   end_of_pipe(rig, IMM32, 2000, 1);
   rig_run(rig, RENDER);
   rig->sim->on_write = NULL;
   assert_true(order.is_there);
   return order.early_count;
}

/* The end of the pipe does not wait for a late backend. */
TEST_ON("navi10", NULL, backends_may_be_late)
{
   assert_int_equal(count_late(rig, false), 0);
   assert_int_equal(count_late(rig, true), 1);
}
