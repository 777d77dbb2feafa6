/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdbool.h>

#include "fault.h"
#include "listed.h"

TEST(printed_fault_is_read)
{
   for (unsigned i = 0; i < fault_kind_count; i++) {
      for (unsigned times = 0; times < FAULT_TIMES_COUNT; times++) {
         const struct fault fault = { &fault_kinds[i], 7 * i + 1, times };
         struct fault read;
         char text[100];

         fault_print(&fault, text, sizeof(text));
         assert_true(fault_read(text, &read));
         assert_ptr_equal(read.kind, fault.kind);
         assert_int_equal(read.first, fault.first);
         assert_int_equal(read.times, fault.times);
      }
   }
}

TEST(other_text_is_no_fault)
{
   static const char *const texts[] = {
      "",
      "no memory",
      "no memory, call 0, once",
      "no memory, call 3, often",
      "no memory, call 3, once more",
      "no memory,3,0",
      "no luck, call 3, once",
   };
   struct fault fault;

   for (unsigned i = 0; i < ARRAY_LENGTH(texts); i++)
      assert_false(fault_read(texts[i], &fault));
}
