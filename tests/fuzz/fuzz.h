/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A fuzzer is a function of bytes, which libFuzzer or replay.c calls; it
 * takes values from them.
 */

#ifndef PITOT_TESTS_FUZZ_H
#define PITOT_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_LENGTH(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

/* libFuzzer requires this name.  Returns 0. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_B);

/* Bytes are taken from the front; after the last one come zeros. */
struct fuzz_input {
   const uint8_t *bytes;
   size_t left_B;
};

static inline uint8_t
fuzz_u8(struct fuzz_input *input)
{
   if (input->left_B == 0)
      return 0;
   input->left_B--;
   return *input->bytes++;
}

/* Takes a little-endian number. */
uint64_t
fuzz_bytes(struct fuzz_input *input, unsigned size_B);

static inline uint32_t
fuzz_u32(struct fuzz_input *input)
{
   return (uint32_t)fuzz_bytes(input, sizeof(uint32_t));
}

/* Takes a number below count (1 to 256). */
static inline unsigned
fuzz_below(struct fuzz_input *input, unsigned count)
{
   return fuzz_u8(input) % count;
}

static inline bool
fuzz_bool(struct fuzz_input *input)
{
   return (fuzz_u8(input) & 1) != 0;
}

/* Takes a length of up to 255 bytes, and that many bytes as an input. */
struct fuzz_input
fuzz_split(struct fuzz_input *input);

/* Prints a finding, then aborts. */
__attribute__((format(printf, 1, 2), noreturn)) void
fuzz_fail(const char *format, ...);

#define fuzz_assert(CONDITION)                                               \
   ((CONDITION)                                                              \
       ? (void)0                                                             \
       : fuzz_fail("%s:%d: not so: %s", __FILE__, __LINE__, #CONDITION))

#endif /* PITOT_TESTS_FUZZ_H */
