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
   const char *name;
   const char *gpu;                      /* NULL: all of the family */
   const struct pitot_hw_family *family; /* NULL: Intel and AMD */
   void (*prepare)(struct rig *rig);     /* or NULL */
   void (*run)(struct rig *rig);
};

#define PACKET_TEST(GPU, FAMILY, PREPARE, NAME)                              \
   static void NAME(struct rig *rig);                                        \
   LIST_ROW(NAME, packets_run, NULL, struct packet_test, GPU, FAMILY,        \
            PREPARE, NAME)                                                   \
   static void NAME(struct rig *rig)
#define TEST_ON_EACH(FAMILY, PREPARE, NAME)                                  \
   PACKET_TEST(NULL, FAMILY, PREPARE, NAME)
#define TEST_ON(GPU, PREPARE, NAME) PACKET_TEST(GPU, NULL, PREPARE, NAME)

void
packets_run(void **state);

/* Packets, and the violations that they cause, one per line.  Commands that
 * the packets call are at PACKETS_CALLED_B.
 */
struct packet_rule {
   const char *gpu;
   const char *violations;
   uint32_t dw[16];
   unsigned count_dw;
   uint32_t called[4];
};

#define PACKETS(...)                                                         \
   .dw = { __VA_ARGS__ },                                                    \
   .count_dw = ARRAY_LENGTH(((uint32_t[]){ __VA_ARGS__ }))

#define PACKETS_CALLED_B 1024

/* In a rule, an address in the rig's buffer, perhaps with bits above it. */
#define BUFFER_MARK                  0xb0ff0000u
#define BUFFER_WITH(OFFSET_B, ABOVE) BUFFER_MARK | (OFFSET_B), ABOVE
#define BUFFER(OFFSET_B)             BUFFER_WITH(OFFSET_B, 0)

struct packet_rules {
   const char *name;
   const struct packet_rule *rules;
   size_t count;
};

/* A test of the array of rules with this name. */
#define TEST_RULES(NAME)                                                     \
   LIST_ROW(NAME, packets_check_rules, NULL, struct packet_rules, NAME,      \
            ARRAY_LENGTH(NAME))

void
packets_check_rules(void **state);

/* Compares and clears the violations so far. */
void
packets_take_violations(struct rig *rig, const char *expected);

#endif /* PITOT_SIM_PACKETS_H */
