/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The time of a context: keeps it from going back, and determines whether
 * times are disjoint.  (clock.c makes a time of a GPU's counter.)  No time is
 * less than the one before it in its order (enum pitot_time_order).  A step
 * back of the clock moves all later times on, in both orders.
 */

#include "core_priv.h"

/* The time for which the system was suspended is the difference of two
 * clocks, which are not read at the same moment: it always varies a little.
 */
#define SUSPENDED_MIN_NS 1000000

uint64_t
pitot_make_monotonic_ns(struct pitot_monotonic_times *times,
                        enum pitot_time_order order, uint64_t time_ns,
                        bool *disjoint_out)
{
   const uint64_t moved_ns = time_ns + times->offset_ns;
   uint64_t *last_ns = &times->last_ns[order];
   const bool is_later = moved_ns - *last_ns <= INT64_MAX;

   if (is_later || *last_ns == 0)
      *last_ns = moved_ns;
   else
      times->offset_ns += *last_ns - moved_ns;
   *disjoint_out |= !is_later;
   return *last_ns;
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

/* Notes that a clock is read: reads the CPU's time if the clock wraps. */
static void
watch_reading(struct pitot_context *context, struct pitot_watch *watch)
{
   if (watch->period_ns == 0)
      return;

   const uint64_t now_ns = context->info.cpu_time_ns();
   if (watch->last_ns && now_ns - watch->last_ns >= watch->period_ns)
      context->disjoint = true;
   watch->last_ns = now_ns;
}

void
pitot_binding_watch(struct pitot_context *context,
                    const struct pitot_binding *binding, bool is_begin)
{
   if (is_begin)
      binding->watch->last_ns = 0;
   watch_reading(context, binding->watch);
}

/* Returns 0 without the CPU's time, which is needed to detect a wrap. */
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
   for (unsigned i = 0; i < PITOT_TIME_ORDER_COUNT; i++) {
      context->time_watches[i].period_ns =
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
   watch_reading(context, &context->time_watches[PITOT_TIME_NOW]);
   return pitot_make_monotonic_ns(&context->times, PITOT_TIME_NOW,
                                  driver->ops->timestamp_ns(driver),
                                  &context->disjoint);
}

uint64_t
pitot_recorded_ns(const struct pitot_context *context, uint64_t time_ns)
{
   return time_ns + context->times.offset_ns;
}

bool
pitot_clock_was_moved(const struct pitot_context *context)
{
   return context->times.offset_ns != 0;
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

   if (driver->ops->poll_disjoint)
      driver->ops->poll_disjoint(driver);

   const bool disjoint =
      was_suspended(context) || context->disjoint || driver->disjoint;
   context->disjoint = driver->disjoint = false;
   return disjoint;
}
