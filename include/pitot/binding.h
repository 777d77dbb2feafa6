/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The place in which queries of a kind and a stream begin and end, as GL's
 * binding point of a target and an index.  A begin and an end are inline:
 * applications call them before and after each draw.
 */

#ifndef PITOT_BINDING_H
#define PITOT_BINDING_H

#include <assert.h>
#include <errno.h>

#include "pitot/compiler.h"
#include "pitot/in_flight.h"
#include "pitot/query.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_watch;

struct pitot_binding {
   struct pitot_query **slot;         /* NULL of an instant kind */
   struct pitot_in_flight *in_flight; /* of its type of query */
   struct pitot_driver_query *idle;   /* neither active nor in flight */
   struct pitot_watch *watch; /* of a clock that wraps, which is read at a
                               * begin and an end; or NULL */
   unsigned idle_count;
   unsigned reuse_count; /* given up, after which the oldest measures again;
                          * UINT_MAX: it never does */
   uint8_t kind;         /* enum pitot_kind */
   uint8_t stream;
};

/* Returns the binding of a kind and a stream, which lives as long as the
 * context.
 */
struct pitot_binding *
pitot_binding_of(struct pitot_context *context, enum pitot_kind kind,
                 unsigned stream);

/* Creates the object of a name that is only generated, whose entry was found.
 * Returns NULL without memory.
 */
struct pitot_query *
pitot_query_create_at(struct pitot_context *context, uint32_t name,
                      void **entry);

/*
 * For the inline functions below only
 */

/* An application that begins a query again without reading it has a few
 * frames of them in flight; after that many the oldest is taken to be done,
 * and beginning it again drops a result that the application does not want.
 * A driver that keeps queries apart has it destroyed instead.
 */
#define PITOT_REUSE_COUNT 64

/* Creates a driver query, or takes one of very many that were given up.
 * Returns NULL without memory.
 */
struct pitot_driver_query *
pitot_binding_create(struct pitot_context *context,
                     struct pitot_binding *binding);

/* Has a query that is neither active nor in flight measure again later, or
 * destroys it if there are enough of them.
 */
void
pitot_driver_query_give_idle(struct pitot_context *context,
                             struct pitot_driver_query *query);

/* Destroys the oldest of the queries of a list that were given up, or all of
 * them if an older query still has an owner.
 */
PITOT_COLD void
pitot_in_flight_shrink(struct pitot_context *context,
                       struct pitot_in_flight *list);

/* Says that the clock is read where a query begins or ends. */
void
pitot_binding_watch(struct pitot_context *context,
                    const struct pitot_binding *binding, bool is_begin);

/* Destroys a query that the driver failed to begin; a known result stays.
 * Returns the error.
 */
PITOT_COLD int
pitot_query_fail_begin(struct pitot_context *context,
                       struct pitot_query *query,
                       struct pitot_driver_query *failed, int error);

/* Makes the result of a query 0 that the driver failed to end.  Returns the
 * error.
 */
PITOT_COLD int
pitot_query_fail_end(struct pitot_context *context, struct pitot_query *query,
                     int error);

/* Frees an object that nothing refers to any more. */
void
pitot_query_free(struct pitot_context *context, struct pitot_query *query);

/* Drops a reference; frees the object with the last one. */
static inline void
pitot_query_unref(struct pitot_context *context, struct pitot_query *query)
{
   assert(query->refs > 0);
   if (--query->refs == 0)
      pitot_query_free(context, query);
}

/* Returns the oldest of the queries in flight if it is one of many that were
 * given up, and hence taken to be done; or NULL, also if there may be one
 * among those that polls have passed.
 */
static inline struct pitot_driver_query *
pitot_binding_take_given_up(struct pitot_binding *binding)
{
   struct pitot_in_flight *list = binding->in_flight;
   struct pitot_driver_query *oldest = list->oldest;

   if (list->given_up_count < binding->reuse_count || list->passed ||
       oldest->owner || oldest->binding != binding)
      return NULL;
   list->given_up_count--;
   return pitot_in_flight_take_oldest(list);
}

/* Returns a driver query that can be begun without waiting and without losing
 * the object's result: its own if its result is known, else another one, so
 * that a failure leaves the object as it was.  NULL without memory.
 */
static inline struct pitot_driver_query *
pitot_binding_take(struct pitot_context *context,
                   struct pitot_binding *binding,
                   const struct pitot_query *query)
{
   struct pitot_driver_query *fresh = query->driver_query;

   assert(query->state != PITOT_STATE_ACTIVE);
   if (query->state == PITOT_STATE_AVAILABLE && fresh &&
       fresh->binding == binding)
      return fresh;
   fresh = binding->idle;
   if (fresh) {
      binding->idle = fresh->next;
      binding->idle_count--;
      return fresh;
   }
   fresh = pitot_binding_take_given_up(binding);
   return fresh ? fresh : pitot_binding_create(context, binding);
}

/* Gives up the object's driver query, if it has one.  Asks the driver
 * nothing, since some drivers wait when they are asked.
 */
static inline void
pitot_query_give_up(struct pitot_context *context, struct pitot_query *query)
{
   struct pitot_driver_query *driver_query = query->driver_query;

   if (query->state == PITOT_STATE_ENDED) {
      struct pitot_in_flight *list = driver_query->binding->in_flight;

      driver_query->owner = NULL;
      if (++list->given_up_count > PITOT_GIVEN_UP_COUNT)
         pitot_in_flight_shrink(context, list);
   } else if (driver_query) {
      pitot_driver_query_give_idle(context, driver_query);
   }
}

/* Has an object measure with a driver query that has just begun. */
static inline void
pitot_query_adopt(struct pitot_context *context,
                  const struct pitot_binding *binding,
                  struct pitot_query *query, struct pitot_driver_query *fresh)
{
   const uint8_t kind = binding->kind, stream = binding->stream;

   if (query->driver_query != fresh)
      pitot_query_give_up(context, query);
   query->driver_query = fresh;
   query->kind = kind;
   query->stream = stream;
}

/* Puts an object whose driver query has just ended behind those of its type
 * that ended before.
 */
static inline void
pitot_binding_add_in_flight(const struct pitot_binding *binding,
                            struct pitot_query *query)
{
   query->state = PITOT_STATE_ENDED;
   query->driver_query->owner = query;
   pitot_in_flight_add(binding->in_flight, query->driver_query);
}

/*
 * Measuring
 */

/* Begins a query, which must not be active, in a slot, which must be empty.
 * A result still in flight is dropped without waiting for it.  Returns 0,
 * -ENOMEM, or the driver's error.
 */
static inline int
pitot_binding_begin(struct pitot_context *context,
                    struct pitot_binding *binding, struct pitot_query *query)
{
   struct pitot_driver_query *fresh =
      pitot_binding_take(context, binding, query);
   if (!fresh)
      return -ENOMEM;

   struct pitot_driver *driver = pitot_context_head(context)->driver;
   const int error = driver->ops->query_begin(driver, fresh);
   if (error)
      return pitot_query_fail_begin(context, query, fresh, error);

   pitot_query_adopt(context, binding, query, fresh);
   assert(!*binding->slot);
   *binding->slot = query;
   query->state = PITOT_STATE_ACTIVE;
   query->refs++;
   if (binding->watch)
      pitot_binding_watch(context, binding, true);
   return 0;
}

/* Ends the query in a slot, which must not be empty.  The slot is empty
 * afterwards whatever is returned.  Returns 0, or the driver's error: then
 * the result is 0 and available.
 */
static inline int
pitot_binding_end(struct pitot_context *context,
                  struct pitot_binding *binding)
{
   struct pitot_driver *driver = pitot_context_head(context)->driver;
   struct pitot_query *query = *binding->slot;

   assert(query && query->state == PITOT_STATE_ACTIVE);
   const int error = driver->ops->query_end(driver, query->driver_query);

   *binding->slot = NULL;
   if (error)
      return pitot_query_fail_end(context, query, error);
   pitot_binding_add_in_flight(binding, query);
   if (binding->watch)
      pitot_binding_watch(context, binding, false);
   pitot_query_unref(context, query);
   return 0;
}

/* Begins and ends a query of an instant kind: it records the time when all
 * commands so far are done (glQueryCounter, OpenGL 4.6 core, 4.3).  Otherwise
 * as pitot_binding_begin().
 */
static inline int
pitot_binding_record(struct pitot_context *context,
                     struct pitot_binding *binding, struct pitot_query *query)
{
   struct pitot_driver_query *fresh =
      pitot_binding_take(context, binding, query);
   if (!fresh)
      return -ENOMEM;

   struct pitot_driver *driver = pitot_context_head(context)->driver;
   const int error = driver->ops->query_end(driver, fresh);
   if (error)
      return pitot_query_fail_begin(context, query, fresh, error);

   pitot_query_adopt(context, binding, query, fresh);
   pitot_binding_add_in_flight(binding, query);
   if (binding->watch)
      pitot_binding_watch(context, binding, false);
   return 0;
}

#ifdef __cplusplus
}
#endif

#endif /* PITOT_BINDING_H */
