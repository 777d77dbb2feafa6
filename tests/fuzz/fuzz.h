/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A fuzzer: a function of bytes, which libFuzzer or replay.c calls, and the
 * values that it takes from the bytes.
 */

#ifndef PITOT_TESTS_FUZZ_H
#define PITOT_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_LENGTH(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

/* The fuzzer.  libFuzzer wants this name.  Returns 0. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_B);

/* Bytes, which are taken from the front.  After the last one follow zeros. */
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

/* Takes a number of bytes, the lowest first. */
uint64_t
fuzz_bytes(struct fuzz_input *input, unsigned size_B);

static inline uint32_t
fuzz_u32(struct fuzz_input *input)
{
   return (uint32_t)fuzz_bytes(input, sizeof(uint32_t));
}

/* Takes a number below that one, which is 1 to 256. */
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

/* Takes a length of up to 255 bytes, and so many bytes as an input of their
 * own.
 */
struct fuzz_input
fuzz_split(struct fuzz_input *input);

/* Prints a finding, and aborts. */
__attribute__((format(printf, 1, 2), noreturn)) void
fuzz_fail(const char *format, ...);

#define fuzz_assert(CONDITION)                                               \
   ((CONDITION)                                                              \
       ? (void)0                                                             \
       : fuzz_fail("%s:%d: not so: %s", __FILE__, __LINE__, #CONDITION))

#endif /* PITOT_TESTS_FUZZ_H */
