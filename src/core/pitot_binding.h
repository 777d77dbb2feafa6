/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Where queries of a kind and a stream begin and end, as GL's binding point
 * of a target and an index.  The begin and the end are inline, because
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
                               * for an instant kind */
   struct pitot_in_flight *in_flight; /* of its type of query */
   struct pitot_driver_query *idle;   /* unused, though maybe in flight */
   struct pitot_watch *watch; /* of a clock that wraps and is read at a begin
                               * and an end; or NULL */
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

/* Creates the object of a generated name, whose entry pitot_names_find()
 * returned.  Returns NULL if allocation fails.
 */
struct pitot_query *
pitot_query_create_at(struct pitot_context *context, uint32_t name,
                      void **entry);

/*
 * For the inline functions below only
 */

/* Creates a driver query.  Returns NULL if that fails. */
struct pitot_driver_query *
pitot_driver_query_create(struct pitot_context *context,
                          struct pitot_binding *binding);

/* Destroys a driver query that no object uses. */
PITOT_COLD void
pitot_driver_query_destroy(struct pitot_context *context,
                           struct pitot_driver_query *query);

/* Notes that a begin or an end reads the clock. */
void
pitot_binding_watch(struct pitot_context *context,
                    const struct pitot_binding *binding, bool is_begin);

/* Destroys a driver query that the driver failed to begin.  The object keeps
 * its result if that is available.  Returns the error.
 */
PITOT_COLD int
pitot_query_fail_begin(struct pitot_context *context,
                       struct pitot_query *query,
                       struct pitot_driver_query *failed, int error);

/* After the driver failed to end a query: its result is 0 and available.
 * Returns the error.
 */
PITOT_COLD int
pitot_query_fail_end(struct pitot_context *context, struct pitot_query *query,
                     int error);

/* Frees an object that has no reference. */
void
pitot_query_free(struct pitot_context *context, struct pitot_query *query);

/* Drops a reference.  Frees the object with the last one. */
static inline void
pitot_query_unref(struct pitot_context *context, struct pitot_query *query)
{
   assert(query->refs > 0);
   if (--query->refs == 0)
      pitot_query_free(context, query);
}

/* Returns a driver query to begin: the object's own if its result is
 * available, else another one, so that a failure leaves the object as it was.
 * An idle driver query may be in flight, for an object that was begun again
 * or deleted: the driver drops that result without waiting
 * (pitot_driver_ops.query_begin).  Returns NULL if creation fails.
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

/* Takes the driver query, if any, from an object that is not active.  The
 * driver query becomes idle, though the GPU may still write it; if enough are
 * idle, it is destroyed.  Does not poll the driver, because some drivers wait
 * in a poll.
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

/* Makes an object measure with a driver query that has just begun. */
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

/* Appends an object whose driver query has just ended to the list of its
 * type.
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

/* As pitot_query_begin(), for a kind that has a slot. */
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

/* As pitot_query_end(). */
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

/* As pitot_query_begin(), for an instant kind. */
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
