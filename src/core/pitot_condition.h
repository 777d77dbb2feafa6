/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Begins and ends conditional rendering.
 */

#ifndef PITOT_CONDITION_H
#define PITOT_CONDITION_H

#include "pitot_binding.h"
#include "pitot_query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For pitot_condition_begin(): creates the context's driver query that
 * measured nothing, unless it exists.  Returns 0, -ENOMEM, or the driver's
 * error.
 */
PITOT_COLD int
pitot_condition_measure_nothing(struct pitot_context *context,
                                const struct pitot_query *query);

/* Makes rendering conditional on a query, which must be ended or available,
 * until pitot_condition_end().  There must be no other condition.  Holds a
 * reference.  mode: enum pitot_condition_flag.  Returns 0, -ENOMEM, or the
 * driver's error.
 *
 * A query without a driver query (created with a result, or its driver query
 * failed) has a known result.  Then the driver gets a query whose result is
 * 0, and the inverse of the mode if the known result is not 0.
 */
static inline int
pitot_condition_begin(struct pitot_context *context,
                      struct pitot_query *query, unsigned mode)
{
   struct pitot_context_head *head = (struct pitot_context_head *)context;
   struct pitot_driver_query *driver_query = query->driver_query;
   unsigned driver_mode = mode;

   assert(!head->condition && query->state >= PITOT_STATE_ENDED);
   if (!driver_query) {
      const int error = pitot_condition_measure_nothing(context, query);
      if (error)
         return error;
      driver_query = head->nothing;
      driver_mode ^= query->result ? PITOT_CONDITION_INVERTED : 0;
   }

   head->render_condition(head->driver, driver_query, driver_mode);
   query->refs++;
   head->condition = query;
   head->condition_mode = mode;
   return 0;
}

/* Ends the condition.  There must be one. */
static inline void
pitot_condition_end(struct pitot_context *context)
{
   struct pitot_context_head *head = (struct pitot_context_head *)context;
   struct pitot_query *query = head->condition;

   head->render_condition(head->driver, NULL, PITOT_CONDITION_WAIT);
   head->condition = NULL;
   pitot_query_unref(context, query);
}

#ifdef __cplusplus
}
#endif

#endif /* PITOT_CONDITION_H */
