/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The command processor's reads and writes of memory.  Writes are posted:
 * they arrive later, in any order, and the command processor itself does not
 * see them before a wait.
 */

#include "adreno.h"

#define REGISTER_MASK 0x3ffff

#define TO_MEM_COUNT_SHIFT 18
#define TO_MEM_64_BITS     (1u << 30)
#define TO_MEM_ADDS        (1u << 31)

#define TO_REG_COUNT_SHIFT 19
#define TO_REG_TIMES_4     (1u << 30)
#define TO_REG_WAITS       (1u << 31)

#define SUM_64_BITS (1u << 29)
#define SUM_WAITS   (3u << 30)

#define COND_SIGNED       (1u << 3)
#define COND_POLL_SHIFT   4
#define COND_WRITE_MEMORY (1u << 8)
#define POLL_REGISTER     0
#define POLL_MEMORY       1

void
adreno_wait_for_idle(struct adreno_decoder *decoder,
                     const struct adreno_packet *packet)
{
   (void)packet;
   sim_note(decoder->engine, 0, "wait for idle");
   sim_finish(decoder->engine);
}

void
adreno_wait_mem_writes(struct adreno_decoder *decoder,
                       const struct adreno_packet *packet)
{
   (void)packet;
   sim_note(decoder->engine, 0, "wait for memory writes");
   sim_drain_posted(decoder->engine);
}

static uint64_t
load(struct adreno_decoder *decoder, uint64_t address, unsigned size_B)
{
   if (decoder->engine->sim->sees_posted)
      sim_drain_posted(decoder->engine);
   return sim_load(decoder->engine, address, size_B);
}

/* Writes aligned pairs of dwords together. */
static void
post(struct adreno_decoder *decoder, uint64_t address, const uint32_t *dw,
     unsigned count_dw)
{
   for (unsigned i = 0; i < count_dw;) {
      const uint64_t at = address + i * sizeof(*dw);
      const bool is_pair = i + 1 < count_dw && at % sizeof(uint64_t) == 0;

      sim_write_later(decoder->engine, SIM_POSTED, at,
                      is_pair ? sim_pair(&dw[i]) : dw[i],
                      is_pair ? sizeof(uint64_t) : sizeof(uint32_t));
      i += is_pair ? 2 : 1;
   }
}

/* Passes on a test's cue. */
void
adreno_nop(struct adreno_decoder *decoder, const struct adreno_packet *packet)
{
   const struct sim *sim = decoder->engine->sim;
   const uint32_t *body = packet->body;

   if (packet->body_dw == 5 && body[0] == SIM_CUE && sim->on_write != NULL)
      sim->on_write(sim->on_write_data, sim_address(&body[1]),
                    sim_pair(&body[3]));
}

void
adreno_mem_write(struct adreno_decoder *decoder,
                 const struct adreno_packet *packet)
{
   sim_note(decoder->engine, sim_address(packet->body), "write memory");
   post(decoder, sim_address(packet->body), &packet->body[2],
        packet->body_dw - 2);
}

/* Copies a counter's two registers, or adds them to memory. */
static void
store_pair(struct adreno_decoder *decoder, uint32_t number, uint64_t address,
           bool adds)
{
   const uint64_t value = adreno_register(decoder, number) |
                          (uint64_t)adreno_register(decoder, number + 1)
                             << 32;

   sim_write_later(decoder->engine, SIM_POSTED, address,
                   value + (adds ? load(decoder, address, sizeof(value)) : 0),
                   sizeof(value));
}

void
adreno_reg_to_mem(struct adreno_decoder *decoder,
                  const struct adreno_packet *packet)
{
   const uint32_t control = packet->body[0];
   const uint32_t number = control & REGISTER_MASK;
   const uint64_t address = sim_address(&packet->body[1]);
   const unsigned count = control >> TO_MEM_COUNT_SHIFT & 0xfff;

   sim_note(decoder->engine, address, "register 0x%x to memory", number);
   if ((control & TO_MEM_64_BITS) != 0) {
      for (unsigned i = 0; i < count || i == 0; i += 2)
         store_pair(decoder, number + i, address + i * sizeof(uint32_t),
                    (control & TO_MEM_ADDS) != 0);
      return;
   }
   for (unsigned i = 0; i < count || i == 0; i++) {
      const uint32_t value = adreno_register(decoder, number + i);

      post(decoder, address + i * sizeof(value), &value, 1);
   }
}

/* SUM_WAITS is also for writes of the pipeline. */
bool
adreno_waits_first(const struct adreno_decoder *decoder,
                   const struct adreno_packet *packet)
{
   const uint32_t flags = packet->body[0];

   if ((flags & TO_REG_WAITS) != 0)
      return true;
   return packet->op == ADRENO_MEM_TO_MEM && (flags & SUM_WAITS) != 0 &&
          sim_has_posted(decoder->engine);
}

static void
wait_first(struct adreno_decoder *decoder, const struct adreno_packet *packet)
{
   if (!adreno_waits_first(decoder, packet))
      return;
   if ((packet->body[0] & TO_REG_WAITS) != 0)
      sim_drain(decoder->engine);
   sim_drain_posted(decoder->engine);
}

void
adreno_mem_to_reg(struct adreno_decoder *decoder,
                  const struct adreno_packet *packet)
{
   const uint32_t control = packet->body[0];
   const uint64_t address = sim_address(&packet->body[1]);
   const unsigned count = control >> TO_REG_COUNT_SHIFT & 0x7ff;

   wait_first(decoder, packet);
   for (unsigned i = 0; i < count || i == 0; i++) {
      uint32_t value =
         (uint32_t)load(decoder, address + i * sizeof(value), sizeof(value));

      if ((control & TO_REG_TIMES_4) != 0)
         value *= 4;
      adreno_set_register(decoder, (control & REGISTER_MASK) + i, value);
   }
}

void
adreno_mem_to_mem(struct adreno_decoder *decoder,
                  const struct adreno_packet *packet)
{
   const uint32_t *body = packet->body;
   const uint64_t address = sim_address(&body[1]);
   const unsigned size_B = (body[0] & SUM_64_BITS) != 0 ? 8 : 4;
   uint64_t sum = 0;

   wait_first(decoder, packet);
   for (unsigned i = 0; 2 * i + 5 <= packet->body_dw; i++) {
      const uint64_t value =
         load(decoder, sim_address(&body[3 + 2 * i]), size_B);

      sum += (body[0] >> i & 1) != 0 ? -value : value;
   }
   sim_note(decoder->engine, address, "sum of memory");
   sim_write_later(decoder->engine, SIM_POSTED, address,
                   size_B == 4 ? (uint32_t)sum : sum, size_B);
}

static bool
compares(uint32_t control, uint32_t value, uint32_t reference)
{
   return (control & COND_SIGNED) != 0
             ? sim_compare(control & 7, (int32_t)value, (int32_t)reference)
             : sim_compare(control & 7, value, reference);
}

/* Returns the value that a condition compares. */
static uint32_t
polled(struct adreno_decoder *decoder, const uint32_t *body)
{
   switch (body[0] >> COND_POLL_SHIFT & 3) {
   case POLL_REGISTER:
      return adreno_register(decoder, body[1]);
   case POLL_MEMORY:
      return (uint32_t)load(decoder, sim_address(&body[1]), sizeof(uint32_t));
   default:
      sim_violate(decoder->engine, "condition", "about an unknown place");
      return 0;
   }
}

void
adreno_cond_write(struct adreno_decoder *decoder,
                  const struct adreno_packet *packet)
{
   const uint32_t *body = packet->body;

   if (!compares(body[0], polled(decoder, body) & body[4], body[3]))
      return;
   if ((body[0] & COND_WRITE_MEMORY) != 0)
      post(decoder, sim_address(&body[5]), &body[7], packet->body_dw - 7);
   else
      adreno_set_register(decoder, body[5] & REGISTER_MASK, body[7]);
}

void
adreno_cond_exec(struct adreno_decoder *decoder,
                 const struct adreno_packet *packet)
{
   const uint32_t *body = packet->body;
   const uint32_t first = (uint32_t)load(decoder, sim_address(&body[0]), 4);
   const uint32_t second = (uint32_t)load(decoder, sim_address(&body[2]), 4);

   if (first == 0 || (int32_t)second >= (int32_t)body[4])
      sim_skip(decoder->engine, body[5]);
}

/* WAIT_MEM_GTE has the same operands, without flags. */
bool
adreno_has_waited(struct adreno_decoder *decoder,
                  const struct adreno_packet *packet)
{
   const uint32_t *body = packet->body;
   const bool is_gte = packet->body_dw < 6;
   const uint32_t gte[] = { 5 | COND_SIGNED | POLL_MEMORY << COND_POLL_SHIFT,
                            body[1], body[2] };
   const uint32_t mask = is_gte ? UINT32_MAX : body[4];
   const uint32_t *condition = is_gte ? gte : body;

   return compares(condition[0], polled(decoder, condition) & mask, body[3]);
}
