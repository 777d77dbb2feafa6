/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context's time: now, and whether times are disjoint.
 */

#include "core_priv.h"

/* Without the CPU's time nothing can be watched. */
static uint64_t
wrap_period_ns(const struct pitot_context *context, enum pitot_kind kind)
{
   return context->info.cpu_time_ns
             ? pitot_wrap_period_ns(pitot_counter_bits(context, kind))
             : 0;
}

void
pitot_watches_init(struct pitot_context *context)
{
   for (unsigned i = 0; i < PITOT_CLOCK_READING_COUNT; i++) {
      context->clock_watches[i].period_ns =
         wrap_period_ns(context, PITOT_KIND_TIMESTAMP);
   }
   context->elapsed_watch.period_ns =
      wrap_period_ns(context, PITOT_KIND_TIME_ELAPSED);
}

uint64_t
pitot_timestamp_ns(struct pitot_context *context)
{
   struct pitot_driver *driver = context->head.driver;

   if (!driver->ops->timestamp_ns)
      return 0;
   pitot_watch(context, &context->clock_watches[PITOT_CLOCK_NOW]);
   return pitot_clock_read_ns(&context->clock, PITOT_CLOCK_NOW,
                              driver->ops->timestamp_ns(driver),
                              &context->disjoint);
}

uint64_t
pitot_recorded_ns(const struct pitot_context *context, uint64_t time_ns)
{
   return time_ns + context->clock.offset_ns;
}

bool
pitot_clock_was_moved(const struct pitot_context *context)
{
   return context->clock.offset_ns != 0;
}

static bool
was_suspended(struct pitot_context *context)
{
   if (!context->info.suspended_ns)
      return false;

   const uint64_t suspended_ns = context->info.suspended_ns();
   if (!pitot_is_suspension(context->last_suspended_ns, suspended_ns))
      return false;
   context->last_suspended_ns = suspended_ns;
   return true;
}

bool
pitot_disjoint_take(struct pitot_context *context)
{
   struct pitot_driver *driver = context->head.driver;

   if (driver->ops->look_for_disjoint)
      driver->ops->look_for_disjoint(driver);

   const bool disjoint =
      was_suspended(context) || context->disjoint || driver->disjoint;
   context->disjoint = driver->disjoint = false;
   return disjoint;
}
