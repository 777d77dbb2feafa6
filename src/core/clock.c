/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>

#include "core_priv.h"

#define NS_PER_S UINT64_C(1000000000)

/* The two clocks whose difference is the time for which the system was
 * suspended are not read at the same moment, so that it always varies a
 * little.
 */
#define SUSPENDED_MIN_NS 1000000

static uint64_t
width_mask(unsigned width_bits)
{
   assert(width_bits >= 1 && width_bits <= 64);
   return UINT64_MAX >> (64 - width_bits);
}

uint64_t
pitot_ticks_to_ns(uint64_t ticks, uint64_t frequency_hz)
{
   assert(frequency_hz >= 1 && frequency_hz <= UINT32_MAX);

   /* Whole seconds and the rest, so that no product needs more than 64 bits:
    * the rest is below 2^32 and 10^9 below 2^30.
    */
   const uint64_t seconds = ticks / frequency_hz;
   const uint64_t rest_ns = ticks % frequency_hz * NS_PER_S / frequency_hz;

   if (seconds > (UINT64_MAX - rest_ns) / NS_PER_S)
      return UINT64_MAX;
   return seconds * NS_PER_S + rest_ns;
}

uint64_t
pitot_ns_elapsed(uint64_t begin_ns, uint64_t end_ns, bool *disjoint_out)
{
   if (end_ns < begin_ns) {
      *disjoint_out = true;
      return 0;
   }
   return end_ns - begin_ns;
}

uint64_t
pitot_ticks_extend(struct pitot_tick_extender *extender,
                   uint64_t sample_ticks)
{
   const uint64_t mask = width_mask(extender->width_bits);
   const uint64_t forward = (sample_ticks - extender->last_ticks) & mask;

   /* More than half way round forward is a short way back. */
   if (forward > mask / 2) {
      const uint64_t back = (extender->last_ticks - sample_ticks) & mask;
      return back > extender->last_ticks ? 0 : extender->last_ticks - back;
   }

   extender->last_ticks += forward;
   return extender->last_ticks;
}

PITOT_COLD void
pitot_clock_step_back(struct pitot_clock *clock, uint64_t step_ns,
                      bool *disjoint_out)
{
   clock->offset_ns += step_ns;
   *disjoint_out = true;
}

bool
pitot_is_suspension(uint64_t before_ns, uint64_t after_ns)
{
   return after_ns >= before_ns + SUSPENDED_MIN_NS;
}

uint64_t
pitot_wrap_period_ns(unsigned width_bits)
{
   assert(width_bits <= 64);
   return width_bits % 64 ? UINT64_C(1) << width_bits : 0;
}

void
pitot_watch_reading(struct pitot_watch *watch, uint64_t now_ns,
                    bool *disjoint_out)
{
   if (watch->last_ns && now_ns - watch->last_ns >= watch->period_ns)
      *disjoint_out = true;
   watch->last_ns = now_ns;
}
