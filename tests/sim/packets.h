/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The fixture of the simulators' tests: packets in, memory out.
 */

#ifndef PITOT_SIM_PACKETS_H
#define PITOT_SIM_PACKETS_H

#include <string.h>

#include "rig.h"

#define RENDER  PITOT_RING_RENDER
#define COMPUTE PITOT_RING_COMPUTE

#define INTEL    (&pitot_hw_intel)
#define AMD      (&pitot_hw_amd)
#define ALL_GPUS NULL

/* Emits dwords on a ring. */
#define EMIT_ON(RIG, RING, ...)                                              \
   rig_emit(RIG, RING, (const uint32_t[]){ __VA_ARGS__ },                    \
            ARRAY_LENGTH(((const uint32_t[]){ __VA_ARGS__ })))
#define EMIT(RIG, ...) EMIT_ON(RIG, RENDER, __VA_ARGS__)

/* An address in the rig's buffer, as two dwords. */
#define LOW(RIG, OFFSET_B) ((uint32_t)((RIG)->buffer->address + (OFFSET_B)))
#define HIGH(RIG, OFFSET_B)                                                  \
   ((uint32_t)(((RIG)->buffer->address + (OFFSET_B)) >> 32))
#define AT(RIG, OFFSET_B) LOW(RIG, OFFSET_B), HIGH(RIG, OFFSET_B)

/* A rig as rig_open()'s; without a kernel in between on a GPU that has no
 * contexts (sim_cs_create()).
 */
void
packets_open(struct rig *rig, const char *gpu);

/* Closes it, and expects violations. */
void
packets_close(struct rig *rig, const char *violations);

/* A test that runs on each GPU of a family, or on one GPU, or on all but
 * Adreno, which has tests of its own (msm_machine.h).  Each time it has a rig
 * of its own, and must not violate a rule.
 */
struct packet_test {
   void (*run)(struct rig *rig);
   void (*prepare)(struct rig *rig);     /* or NULL */
   const struct pitot_hw_family *family; /* or NULL: Intel's and AMD's */
   const char *gpu;                      /* or NULL: all of that family */
};

#define PACKET_TEST(TEST, ...)                                               \
   {                                                                         \
      .name = #TEST, .test_func = packets_run,                               \
      .initial_state = &(struct packet_test)                                 \
      {                                                                      \
         TEST, __VA_ARGS__                                                   \
      }                                                                      \
   }
#define ON_EACH(FAMILY, PREPARE, TEST)                                       \
   PACKET_TEST(TEST, PREPARE, FAMILY, NULL)
#define ON(GPU, PREPARE, TEST) PACKET_TEST(TEST, PREPARE, ALL_GPUS, GPU)

void
packets_run(void **state);

/* Packets and the violations, one line each, that a GPU has to find. */
struct packet_rule {
   const char *gpu;
   void (*record)(struct rig *rig, uint32_t argument);
   uint32_t argument;
   const char *violations;
};

void
packets_check_rules(const struct packet_rule *rules, size_t count);

/* Compares the violations so far, and forgets them. */
void
packets_take_violations(struct rig *rig, const char *expected);

bool
packets_are_intel(const struct rig *rig);

#endif /* PITOT_SIM_PACKETS_H */
