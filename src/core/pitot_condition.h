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

/* For pitot_condition_begin(): measures nothing with a driver query of the
 * context's, unless that was done before.  Returns 0, -ENOMEM, or the
 * driver's error.
 */
PITOT_COLD int
pitot_condition_measure_nothing(struct pitot_context *context,
                                const struct pitot_query *query);

/* Has rendering depend on a query, which must be ended or available, until
 * the condition ends; there must be none.  Holds a reference.  mode is of
 * enum pitot_condition_flag.  Returns 0, -ENOMEM, or the driver's error.
 *
 * A query without a driver query, which was created with a result or whose
 * driver query failed, has a known result: the driver is given a query with a
 * result of 0, and the inverse of the mode if the known one is not 0.
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

/* Ends the condition, which must be there. */
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
