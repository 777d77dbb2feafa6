/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs GL programs on the null driver and on the model (tests/model).  The
 * bytes are the kind of context and the calls, among them the driver's own:
 * it delays results, fails calls and allocations, and loses the device.  A
 * difference from the model is a finding.
 *
 * A call is a byte with its number, whose upper two bits choose the context,
 * and a byte for each argument.
 */

#include "fuzz.h"
#include "model/judge.h"

#define CONTEXT_SHIFT 6
#define CALL_MASK     ((1u << CONTEXT_SHIFT) - 1)

/* Longer bursts take time and show nothing else. */
#define MAX_BURST 8

static int64_t
take_offset(struct fuzz_input *input)
{
   static const int64_t offsets[] = {
      0,  4,  8,  12, 16, 20,        24,        32,        48, 56, 60,
      64, 57, 61, 13, 3,  INT64_MIN, INT64_MAX, INT32_MAX, -1, -8,
   };

   return offsets[fuzz_below(input, ARRAY_LENGTH(offsets))];
}

static int64_t
take_argument(struct fuzz_input *input, char kind)
{
   int64_t lowest, highest;

   if (kind == 'o')
      return take_offset(input);
   argument_range(kind, &lowest, &highest);
   if (kind == 'z')
      highest = MAX_BURST;
   return lowest + fuzz_u8(input) % (highest - lowest + 1);
}

static struct call
take_call(struct fuzz_input *input)
{
   const uint8_t byte = fuzz_u8(input);
   struct call call = {
      .op = (byte & CALL_MASK) % OP_COUNT,
      .context = (byte >> CONTEXT_SHIFT) % MAX_CONTEXTS,
   };
   const char *kinds = argument_kinds(call.op);

   for (unsigned i = 0; kinds[i] != '\0'; i++)
      call.arguments[i] = take_argument(input, kinds[i]);
   return call;
}

static void
take_program(struct fuzz_input *input, struct program *program_out)
{
   program_out->kind = fuzz_below(input, KIND_COUNT);
   program_out->count = 0;
   while (input->left_B > 0 && program_out->count < MAX_CALLS)
      program_out->calls[program_out->count++] = take_call(input);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_B)
{
   static struct report report;
   struct fuzz_input input = { bytes, size_B };
   struct job job = { .world = &null_world };
   struct program *program = &report.program;

   report = (struct report){ .at = 0 };
   take_program(&input, program);
   job.kind = program->kind;

   const char *trouble = null_world.open(job.kind, false, false);
   if (!trouble)
      trouble = run_program(&job, program, &report);
   if (!trouble)
      return 0;
   print_program(stderr, program);
   fuzz_fail("call %u: %s", report.at + 1, trouble);
}
