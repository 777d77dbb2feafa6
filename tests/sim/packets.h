/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The fixture of the simulators' tests: packets in, memory out. */

#ifndef PITOT_SIM_PACKETS_H
#define PITOT_SIM_PACKETS_H

#include <string.h>

#include "rig.h"

#define RENDER  PITOT_RING_RENDER
#define COMPUTE PITOT_RING_COMPUTE

#define INTEL    (&pitot_hw_intel)
#define AMD      (&pitot_hw_amd)
#define ALL_GPUS NULL

#define EMIT_ON(RIG, RING, ...)                                              \
   rig_emit(RIG, RING, (const uint32_t[]){ __VA_ARGS__ },                    \
            ARRAY_LENGTH(((const uint32_t[]){ __VA_ARGS__ })))
#define EMIT(RIG, ...) EMIT_ON(RIG, RENDER, __VA_ARGS__)

/* An address in the rig's buffer, as two dwords. */
#define LOW(RIG, OFFSET_B) ((uint32_t)((RIG)->buffer->address + (OFFSET_B)))
#define HIGH(RIG, OFFSET_B)                                                  \
   ((uint32_t)(((RIG)->buffer->address + (OFFSET_B)) >> 32))
#define AT(RIG, OFFSET_B) LOW(RIG, OFFSET_B), HIGH(RIG, OFFSET_B)

/* Like rig_open(); if src/drm has no context on the GPU, sim_cs_create(). */
void
packets_open(struct rig *rig, const char *gpu);

void
packets_close(struct rig *rig, const char *violations);

/* A test on each GPU of a family, on one GPU, or on all except Adreno (see
 * msm_machine.h), with a rig each, and without violations.
 */
struct packet_test {
   void (*run)(struct rig *rig);
   void (*prepare)(struct rig *rig);     /* or NULL */
   const struct pitot_hw_family *family; /* NULL: Intel and AMD */
   const char *gpu;                      /* NULL: all of the family */
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

/* Packets, and the violations that they cause, one per line. */
struct packet_rule {
   const char *gpu;
   void (*record)(struct rig *rig, uint32_t argument);
   uint32_t argument;
   const char *violations;
};

/* A test of an array of rules. */
struct packet_rules {
   const struct packet_rule *rules;
   size_t count;
};

#define RULES(RULES_)                                                        \
   {                                                                         \
      .name = #RULES_, .test_func = packets_check_rules,                     \
      .initial_state = &(struct packet_rules)                                \
      {                                                                      \
         RULES_, ARRAY_LENGTH(RULES_)                                        \
      }                                                                      \
   }

void
packets_check_rules(void **state);

/* Compares and clears the violations so far. */
void
packets_take_violations(struct rig *rig, const char *expected);

#endif /* PITOT_SIM_PACKETS_H */
