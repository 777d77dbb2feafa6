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

#include "pitot_compiler.h"
#include "pitot_in_flight.h"
#include "pitot_query.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_watch;

struct pitot_binding {
   struct pitot_query **slot; /* shared by kinds that exclude each other; NULL
                               * of an instant kind */
   struct pitot_in_flight *in_flight; /* of its type of query */
   struct pitot_driver_query *idle;   /* no object measures with them, though
                                       * the GPU may not be done */
   struct pitot_watch *watch; /* of a clock that wraps, which is read at a
                               * begin and an end; or NULL */
   unsigned idle_left;        /* how many more are kept before one is
                               * destroyed */
   uint8_t kind;              /* enum pitot_kind */
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

/* Creates a driver query.  Returns NULL without memory. */
struct pitot_driver_query *
pitot_driver_query_create(struct pitot_context *context,
                          struct pitot_binding *binding);

/* Destroys a driver query that no object measures with. */
PITOT_COLD void
pitot_driver_query_destroy(struct pitot_context *context,
                           struct pitot_driver_query *query);

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

/* Returns a driver query to begin: the object's own if its result is known,
 * else another one, so that a failure leaves the object as it was.  An idle
 * one may be in flight, for an object that was begun again or deleted: a
 * driver drops that result without waiting (pitot_driver_ops.query_begin).
 * NULL without memory.
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
   if (!fresh)
      return pitot_driver_query_create(context, binding);
   binding->idle = fresh->next;
   binding->idle_left++;
   return fresh;
}

/* Takes the driver query from an object that is not active, if it has one: it
 * is idle from now on, though the GPU may not be done with it, or destroyed
 * if enough of them are idle.  Asks the driver nothing, since some drivers
 * wait when they are asked.
 */
static inline void
pitot_query_drop_driver_query(struct pitot_context *context,
                              struct pitot_query *query)
{
   struct pitot_driver_query *dropped = query->driver_query;

   if (!dropped)
      return;
   if (query->state == PITOT_STATE_ENDED)
      pitot_in_flight_remove(dropped);

   struct pitot_binding *binding = dropped->binding;
   if (binding->idle_left == 0) {
      pitot_driver_query_destroy(context, dropped);
      return;
   }
   binding->idle_left--;
   dropped->next = binding->idle;
   binding->idle = dropped;
}

/* Has an object measure with a driver query that has just begun. */
static inline void
pitot_query_adopt(struct pitot_context *context,
                  const struct pitot_binding *binding,
                  struct pitot_query *query, struct pitot_driver_query *fresh)
{
   const uint8_t kind = binding->kind, stream = binding->stream;

   if (query->driver_query != fresh)
      pitot_query_drop_driver_query(context, query);
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

   struct pitot_driver *driver =
      ((const struct pitot_context_head *)context)->driver;
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
   struct pitot_driver *driver =
      ((const struct pitot_context_head *)context)->driver;
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

   struct pitot_driver *driver =
      ((const struct pitot_context_head *)context)->driver;
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
