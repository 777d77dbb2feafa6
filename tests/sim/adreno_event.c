/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Events: samples and switches of counters, and values that the pipeline
 * writes after earlier work, while the command processor goes on.
 */

#include "adreno.h"

#define EVENT_MASK             0xff
#define CACHE_FLUSH_TS         4
#define WRITE_PRIMITIVE_COUNTS 9
#define START_PRIMITIVE_CTRS   11
#define STOP_PRIMITIVE_CTRS    12
#define START_FRAGMENT_CTRS    13
#define STOP_FRAGMENT_CTRS     14
#define START_COMPUTE_CTRS     15
#define STOP_COMPUTE_CTRS      16
#define FLUSH_SO_0             17
#define FLUSH_SO_3             20
#define ZPASS_DONE             21

/* CP_EVENT_WRITE on a6xx. */
#define WRITES_TIMESTAMP (1u << 30)

/* CP_EVENT_WRITE7 on a7xx. */
#define SAMPLE_COUNT     (1u << 12)
#define SAMPLE_COUNT_END (1u << 13)
#define SAMPLE_COUNT_SUM (1u << 14)
#define WRITE_SRC_SHIFT  20
#define WRITE_ONCHIP     (1u << 24)
#define WRITE_ENABLED    (1u << 27)
#define SAMPLE_RESULT_B  8
#define SAMPLE_STOP_B    16
#define CACHE_FLUSH7     50
#define CACHE_CLEAN7     49

enum {
   FROM_USER_32 = 0,
   FROM_USER_64 = 1,
   FROM_CLOCK = 3,
};

#define COUNT_COPY    (1u << 1)
#define COUNT_ALIGN_B 16
#define COUNTS_B      32

#define STATISTIC(NAME) (1u << SIM_##NAME)
#define PRIMITIVE_COUNTERS                                                   \
   (STATISTIC(IA_VERTICES) | STATISTIC(IA_PRIMITIVES) |                      \
    STATISTIC(VS_INVOCATIONS) | STATISTIC(HS_INVOCATIONS) |                  \
    STATISTIC(DS_INVOCATIONS) | STATISTIC(GS_INVOCATIONS) |                  \
    STATISTIC(GS_PRIMITIVES) | STATISTIC(C_INVOCATIONS) |                    \
    STATISTIC(C_PRIMITIVES))

static void
violate(struct adreno_decoder *decoder, const char *rule)
{
   sim_violate(decoder->engine, "CP_EVENT_WRITE", rule);
}

/* The counters that an event starts or stops. */
static uint32_t
counters_of(unsigned event)
{
   switch (event) {
   case START_PRIMITIVE_CTRS:
   case STOP_PRIMITIVE_CTRS:
      return PRIMITIVE_COUNTERS;
   case START_FRAGMENT_CTRS:
   case STOP_FRAGMENT_CTRS:
      return STATISTIC(PS_INVOCATIONS);
   default:
      return STATISTIC(CS_INVOCATIONS);
   }
}

static void
start_or_stop(struct adreno_decoder *decoder, unsigned event)
{
   uint32_t *off = &decoder->engine->sim->kernel->counters_off;

   if (event % 2 != 0)
      *off &= ~counters_of(event);
   else
      *off |= counters_of(event);
   sim_note(decoder->engine, 0, "%s counters 0x%x",
            event % 2 != 0 ? "start" : "stop", counters_of(event));
}

static uint64_t
samples(struct adreno_decoder *decoder)
{
   return sim_counted(decoder->engine).samples[0];
}

static void
write_samples(struct adreno_decoder *decoder, uint64_t address)
{
   if (address % COUNT_ALIGN_B != 0)
      violate(decoder, "a sample count at an odd address");
   sim_note(decoder->engine, address, "sample count");
   sim_write_later(decoder->engine, SIM_IN_TURN, address, samples(decoder),
                   sizeof(uint64_t));
}

static bool
copies_samples(const struct adreno_decoder *decoder)
{
   return (decoder->registers[REG_RB_SAMPLE_COUNT_CONTROL] & COUNT_COPY) != 0;
}

/* a6xx: registers say whether to write, and where. */
static void
zpass_done(struct adreno_decoder *decoder)
{
   if (copies_samples(decoder))
      write_samples(decoder,
                    adreno_address_register(decoder,
                                            REG_RB_SAMPLE_COUNT_ADDR));
}

/* a7xx: begin, sum at +8, end at +16.  Mesa's drivers also enable copies. */
static void
write_sample_count(struct adreno_decoder *decoder,
                   const struct adreno_packet *packet)
{
   struct sim_engine *engine = decoder->engine;
   const uint32_t flags = packet->body[0];
   const uint64_t address = sim_address(&packet->body[1]);
   const uint64_t begin = sim_latest(engine, address);
   const uint64_t sum = sim_latest(engine, address + SAMPLE_RESULT_B);

   if (!copies_samples(decoder)) {
      violate(decoder, "a sample count that is not copied");
      return;
   }
   write_samples(decoder,
                 address +
                    ((flags & SAMPLE_COUNT_END) != 0 ? SAMPLE_STOP_B : 0));
   if ((flags & SAMPLE_COUNT_SUM) != 0)
      sim_write_later(engine, SIM_IN_TURN, address + SAMPLE_RESULT_B,
                      sum + samples(decoder) - begin, sizeof(uint64_t));
}

static void
write_primitive_counts(struct adreno_decoder *decoder)
{
   struct sim_engine *engine = decoder->engine;
   const struct sim_counters counted = sim_counted(engine);
   const uint64_t address =
      adreno_address_register(decoder, REG_VPC_SO_STREAM_COUNTS);

   if (address % COUNTS_B != 0)
      violate(decoder, "stream counts at an odd address");
   sim_note(engine, address, "stream counts");
   for (unsigned i = 0; i < SIM_STREAM_COUNT; i++) {
      const uint64_t to = address + i * 2 * sizeof(uint64_t);

      sim_write_later(engine, SIM_IN_ANY_ORDER, to,
                      counted.streamout[i][SIM_WRITTEN], sizeof(uint64_t));
      sim_write_later(engine, SIM_IN_ANY_ORDER, to + sizeof(uint64_t),
                      counted.streamout[i][SIM_NEEDED], sizeof(uint64_t));
   }
}

/* On a6xx the offset of a stream-out buffer is in dwords. */
static void
flush_streamout(struct adreno_decoder *decoder, unsigned i)
{
   const uint32_t first = REG_VPC_SO + i * VPC_SO_LENGTH;
   const uint64_t address =
      adreno_address_register(decoder, first + VPC_SO_FLUSH_BASE);
   const uint32_t offset_B = decoder->registers[first + VPC_SO_OFFSET];

   if ((decoder->registers[REG_VPC_SO_DISABLE] & 1) != 0)
      return;
   sim_write_later(decoder->engine, SIM_IN_ANY_ORDER, address,
                   decoder->generation >= ADRENO_A7XX
                      ? offset_B
                      : offset_B / sizeof(uint32_t),
                   sizeof(uint32_t));
}

/* Writes after earlier work; a flush of caches also waits for all writes. */
static void
write_value(struct adreno_decoder *decoder, uint64_t address, uint64_t value,
            unsigned size_B, unsigned event)
{
   const bool is_last = decoder->generation >= ADRENO_A7XX
                           ? event == CACHE_FLUSH7 || event == CACHE_CLEAN7
                           : event == CACHE_FLUSH_TS;

   sim_write_later(decoder->engine, is_last ? SIM_IN_ORDER : SIM_IN_ANY_ORDER,
                   address, value, size_B);
}

/* Mesa: "CP_EVENT_WRITE doesn't support 64-bit timestamps". */
static void
write_a6xx(struct adreno_decoder *decoder, const struct adreno_packet *packet,
           unsigned event)
{
   const uint32_t *body = packet->body;
   const bool is_time = (body[0] & WRITES_TIMESTAMP) != 0;

   if (packet->body_dw < 4)
      return;
   const uint64_t address = sim_address(&body[1]);
   sim_note(decoder->engine, address, "event %u writes %s", event,
            is_time ? "the time" : "a value");
   write_value(decoder, address,
               is_time ? sim_tick(decoder->engine->sim, 0) : body[3],
               sizeof(uint32_t), event);
}

static void
write_a7xx(struct adreno_decoder *decoder, const struct adreno_packet *packet,
           unsigned event)
{
   const uint32_t *body = packet->body;
   const unsigned source = body[0] >> WRITE_SRC_SHIFT & 7;
   const unsigned least_dw = source == FROM_CLOCK     ? 3
                             : source == FROM_USER_64 ? 5
                                                      : 4;

   if ((body[0] & (WRITE_ENABLED | WRITE_ONCHIP)) != WRITE_ENABLED)
      return;
   if (packet->body_dw < least_dw || source == 2 || source > FROM_CLOCK) {
      violate(decoder, "writes what is not known");
      return;
   }
   const uint64_t address = sim_address(&body[1]);
   sim_note(decoder->engine, address, "event %u writes %s", event,
            source == FROM_CLOCK ? "the time" : "a value");
   write_value(decoder, address,
               source == FROM_CLOCK     ? sim_tick(decoder->engine->sim, 0)
               : source == FROM_USER_64 ? sim_pair(&body[3])
                                        : body[3],
               source == FROM_USER_32 ? sizeof(uint32_t) : sizeof(uint64_t),
               event);
}

void
adreno_event_write(struct adreno_decoder *decoder,
                   const struct adreno_packet *packet)
{
   const unsigned event = packet->body[0] & EVENT_MASK;
   const bool is_new = decoder->generation >= ADRENO_A7XX;

   if (event >= START_PRIMITIVE_CTRS && event <= STOP_COMPUTE_CTRS)
      start_or_stop(decoder, event);
   else if (event == WRITE_PRIMITIVE_COUNTS)
      write_primitive_counts(decoder);
   else if (event >= FLUSH_SO_0 && event <= FLUSH_SO_3)
      flush_streamout(decoder, event - FLUSH_SO_0);
   else if (event == ZPASS_DONE && is_new && packet->body_dw >= 3 &&
            (packet->body[0] & SAMPLE_COUNT) != 0)
      write_sample_count(decoder, packet);
   else if (event == ZPASS_DONE)
      zpass_done(decoder);
   else if (is_new)
      write_a7xx(decoder, packet, event);
   else
      write_a6xx(decoder, packet, event);
}
