/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

uint64_t
fuzz_bytes(struct fuzz_input *input, unsigned size_B)
{
   uint64_t value = 0;

   for (unsigned i = 0; i < size_B; i++)
      value |= (uint64_t)fuzz_u8(input) << (8 * i);
   return value;
}

struct fuzz_input
fuzz_split(struct fuzz_input *input)
{
   const size_t length_B = fuzz_u8(input);
   struct fuzz_input part = *input;

   if (part.left_B > length_B)
      part.left_B = length_B;
   input->bytes += part.left_B;
   input->left_B -= part.left_B;
   return part;
}

void
fuzz_fail(const char *format, ...)
{
   va_list arguments;

   va_start(arguments, format);
   fputs("# fuzz: ", stderr);
   vfprintf(stderr, format, arguments);
   fputc('\n', stderr);
   va_end(arguments);
   abort();
}
