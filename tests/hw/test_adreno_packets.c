/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Adreno: the packets of each command, by the register database.
 */

#include <string.h>

#include "adreno/adreno.h"
#include "test.h"

#define MAX_DW 24

/* The sample's begin, its sum and its end, and an availability word. */
#define BEGIN     0x1000
#define SUM       0x1008
#define END       0x1010
#define AVAILABLE 0x2000
#define HIGH      0x5

static const struct pitot_adreno_gpu a630 = {
   .base = { .family = &pitot_hw_adreno,
             .generation = 6,
             .timestamp_bits = PITOT_ADRENO_TIMESTAMP_BITS,
             .timestamp_hz = PITOT_ADRENO_TIMESTAMP_HZ },
};
static const struct pitot_adreno_gpu a730 = {
   .base = { .family = &pitot_hw_adreno,
             .generation = 7,
             .timestamp_bits = PITOT_ADRENO_TIMESTAMP_BITS,
             .timestamp_hz = PITOT_ADRENO_TIMESTAMP_HZ },
};
static const struct pitot_adreno_gpu a750 = {
   .base = { .family = &pitot_hw_adreno,
             .generation = 7,
             .timestamp_bits = PITOT_ADRENO_TIMESTAMP_BITS,
             .timestamp_hz = PITOT_ADRENO_TIMESTAMP_HZ },
   .adds_sample_counts = true,
};

#define ADDRESS(OFFSET) (OFFSET), HIGH
#define COPY            0x40889101, 2
#define SAMPLES_TO(ADDR)                                                     \
   0x703d0004, ADDRESS(ADDR), 0xffffffff, 0xffffffff, 0x70928000, COPY,      \
      0x40892702, ADDRESS(ADDR), 0x70460001, 21
#define WAIT_FOR(ADDR)                                                       \
   0x70bc8006, 0x14, ADDRESS(ADDR), 0xffffffff, 0xffffffff, 16
#define ADD                                                                  \
   0x70738009, 0x60000004, ADDRESS(SUM), ADDRESS(SUM), ADDRESS(END),         \
      ADDRESS(BEGIN)
#define IDLE 0x70268000
#define ONCE 0x70c70002, 0x3a000000

#define GOLDEN(GPU, SECTION, OFFSET, KIND, ARGUMENT, IS_END, ...)            \
   {                                                                         \
      &(GPU).base, PITOT_ADRENO_##SECTION,                                   \
         { .kind = PITOT_COMMAND_##KIND,                                     \
           .argument = ARGUMENT,                                             \
           .is_end = IS_END,                                                 \
           .offset_B = OFFSET,                                               \
           .value = 7,                                                       \
           .size_B = 8 },                                                    \
         { __VA_ARGS__ },                                                    \
         sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)        \
   }

static const struct golden {
   const struct pitot_gpu *gpu;
   enum pitot_adreno_section section;
   struct pitot_cs_command command;
   uint32_t dw[MAX_DW];
   unsigned count;
} goldens[] = {
   GOLDEN(a630, DRAWS, BEGIN, OCCLUSION, 0, false, SAMPLES_TO(BEGIN)),
   GOLDEN(a630, DRAWS, END, OCCLUSION, 0, true, SAMPLES_TO(END)),
   GOLDEN(a630, TILE_END, BEGIN, ACCUMULATE, PITOT_COMMAND_OCCLUSION, false,
          WAIT_FOR(BEGIN), WAIT_FOR(END), ADD),
   GOLDEN(a730, DRAWS, BEGIN, OCCLUSION, 0, false, SAMPLES_TO(BEGIN),
          0x70460001, 32),
   GOLDEN(a750, DRAWS, BEGIN, OCCLUSION, 0, false, COPY, 0x70468003, 0x1015,
          ADDRESS(BEGIN), 0x70468003, 0x7015, ADDRESS(BEGIN)),
   GOLDEN(a750, DRAWS, END, OCCLUSION, 0, true, COPY, 0x70468003, 0x1015,
          ADDRESS(END)),
   GOLDEN(a750, DRAWS, BEGIN, ACCUMULATE, PITOT_COMMAND_OCCLUSION, false,
          0x70468003, 0x7015, ADDRESS(BEGIN)),

   GOLDEN(a630, DRAWS, END, TIMESTAMP, 0, true, 0x703e8003, 0x40080980,
          ADDRESS(END)),
   GOLDEN(a750, DRAWS, END, TIMESTAMP, 0, true, 0x70468003, 0x08300016,
          ADDRESS(END)),
   GOLDEN(a630, DRAWS, BEGIN, ACCUMULATE, PITOT_COMMAND_TIMESTAMP, false,
          IDLE, ADD),

   /* PRIMCTR_9, and PRIMCTR_2 in the binning pass. */
   GOLDEN(a630, DRAWS, BEGIN, COUNTER, 0x552, false, 0x703e8003, 0x40080552,
          ADDRESS(BEGIN)),
   GOLDEN(a750, DRAWS, BEGIN, COUNTER, 0x544 | PITOT_ADRENO_ONCE, false, ONCE,
          4, 0x703e8003, 0x40080544, ADDRESS(BEGIN)),
   GOLDEN(a630, DRAWS, BEGIN, COUNTER, PITOT_ADRENO_ONCE, false, ONCE, 5,
          0x40921802, ADDRESS(BEGIN), 0x70460001, 9),
   GOLDEN(a630, DRAWS, BEGIN, ACCUMULATE, PITOT_COMMAND_COUNTER, false, IDLE,
          ADD),

   GOLDEN(a630, BATCH_END, AVAILABLE, FENCE, 0, false, 0x70928000, 0x70460004,
          4, ADDRESS(AVAILABLE), 7),
   GOLDEN(a750, BATCH_END, AVAILABLE, FENCE, 0, false, 0x70928000, 0x70460004,
          0x08000031, ADDRESS(AVAILABLE), 7),
   GOLDEN(a630, BATCH_BEGIN, SUM, VALUE, 0, false, 0x703d0004, ADDRESS(SUM),
          7, 0, 0x70928000),
};

static void
packets_are_golden(void **state)
{
   struct pitot_cs_buffer buffer = { .address = (uint64_t)HIGH << 32 };

   (void)state;
   for (size_t i = 0; i < ARRAY_LENGTH(goldens); i++) {
      const struct golden *golden = &goldens[i];
      struct pitot_cs_command command = golden->command;
      uint32_t dw[2 * MAX_DW];
      struct pitot_hw_packets packets = { .gpu = golden->gpu, .next = dw };

      print_message("# golden %zu\n", i);
      command.buffer = &buffer;
      golden->gpu->family->encode(&packets, &command, 1);
      assert_int_equal(packets.next - dw, golden->count);
      assert_memory_equal(dw, golden->dw, golden->count * sizeof(dw[0]));
      assert_int_equal(pitot_adreno_section(golden->gpu, &command),
                       golden->section);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets_are_golden),
   };

   return cmocka_run_group_tests_name("hw adreno packets", tests, NULL, NULL);
}
