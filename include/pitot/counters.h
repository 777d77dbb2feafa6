/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Counter sets: what INTEL_performance_query calls query types, and sessions,
 * its query instances.  A session measures its set as often as it is begun
 * and ended.  The sets are those of the driver's providers and one of core's
 * own, "GPU Time".
 *
 * States are those of a query (pitot/query.h); here, too, a function that
 * fails returns a negative errno value and changes no state nor record, but
 * for pitot_session_end().
 *
 * Threads: those of the context.
 */

#ifndef PITOT_COUNTERS_H
#define PITOT_COUNTERS_H

#include "pitot/provider.h"
#include "pitot/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How to ask for a record. */
enum pitot_ask {
   PITOT_ASK_LOOK,  /* neither flush nor wait */
   PITOT_ASK_FLUSH, /* see to it that it will be there soon */
   PITOT_ASK_WAIT,
};

/* A session.  Callers may read the fields. */
struct pitot_session {
   uint32_t handle;
   unsigned set_index;
   enum pitot_state state;

   /* Meaningful when available: set->record_B bytes.  is_lost says that they
    * are 0 because the measurement failed.
    */
   void *record;
   bool is_lost;

   struct pitot_measurement *measurement; /* core's */
};

/* Returns how many sets there are, which are numbered from 0 and stay the
 * same; 0 without memory, too.
 */
unsigned
pitot_set_count(struct pitot_context *context);

/* Returns a set.  The context owns it. */
const struct pitot_counter_set *
pitot_set(struct pitot_context *context, unsigned index);

/* Returns how many sessions of a set there are. */
unsigned
pitot_set_session_count(struct pitot_context *context, unsigned index);

/* Returns what to do to see the counters that the user is not allowed to see,
 * as a sentence, or NULL if there are none.
 */
const char *
pitot_sets_hidden(struct pitot_context *context);

/* Makes an idle session of a set, which the context owns until it is deleted.
 * Returns 0 and its handle, which is not 0, or -ENOMEM.
 */
int
pitot_session_create(struct pitot_context *context, unsigned set_index,
                     uint32_t *handle_out);

/* Returns the session of a handle, or NULL. */
struct pitot_session *
pitot_session_lookup(const struct pitot_context *context, uint32_t handle);

/* Deletes a session, which may be active or in flight.  Does not wait for the
 * GPU, unless thousands of records were never read.
 */
void
pitot_session_delete(struct pitot_context *context,
                     struct pitot_session *session);

/* Begins a session, which must not be active.  A record still in flight is
 * dropped without waiting for it; only where what measures it still holds
 * records of another set (PITOT_OVERLAP_SAME) are these waited for first.
 * Returns 0; -EBUSY if it cannot overlap with a session that is active;
 * -ENOMEM or -EIO.
 */
int
pitot_session_begin(struct pitot_context *context,
                    struct pitot_session *session);

/* Ends a session, which must be active and is not any more whatever is
 * returned.  Returns 0, or what the provider returned: then the record is all
 * 0 and available.
 */
int
pitot_session_end(struct pitot_context *context,
                  struct pitot_session *session);

/* Makes the record of an ended session available.  Returns whether it is now;
 * always true with PITOT_ASK_WAIT: on a lost device the record is all 0, and
 * the disjoint latch is set.
 */
bool
pitot_session_resolve(struct pitot_context *context,
                      struct pitot_session *session, enum pitot_ask ask);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_COUNTERS_H */
