/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "units.h"

#include <stdlib.h>

const struct time_unit *
unit_for(int64_t time_ns)
{
   static const struct time_unit s = { 1000000000, "s", "s" };
   static const struct time_unit ms = { 1000000, "ms", "ms" };
   static const struct time_unit us = { 1000, "us", "µs" };
   const int64_t size_ns = llabs(time_ns);

   if (size_ns >= s.ns)
      return &s;
   return size_ns >= ms.ns ? &ms : &us;
}
