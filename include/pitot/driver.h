/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The interface that a driver implements.  Embed struct pitot_driver and
 * struct pitot_driver_query first in structs of your own, as the null driver
 * does (src/core/null.c), which is the one to copy.
 *
 * Core calls from the thread that owns the context, with arguments that are
 * in range, and never with a NULL query unless it is said.  Functions that
 * return int return 0, or a negative errno value.  A query whose begin or end
 * failed is destroyed without another call.
 */

#ifndef PITOT_DRIVER_H
#define PITOT_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "pitot/kind.h"
#include "pitot/result.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_binding;
struct pitot_driver_ops;
struct pitot_fence;
struct pitot_query;

/* Below u_threaded_context, begin and end took half as long again while
 * another thread wrote to the cache line of a query or of its driver. Structs
 * of theirs that are allocated one by one end with
 *
 *    uint8_t apart[PITOT_CACHE_LINE_B];
 *
 * so that the allocation behind them is in another line.
 */
#define PITOT_CACHE_LINE_B 64

struct pitot_driver {
   const struct pitot_driver_ops *ops;

   /* Set by the driver, before it is used, if a query must not be begun again
    * while it is in flight, nor for another object: each measurement in flight
    * gets a query of its own, which is destroyed if the object drops it.
    */
   bool keeps_queries_apart;

   /* Counted up by the driver, or by whoever owns it, when the application
    * has waited for the GPU: what ended before is available at the next poll.
    */
   unsigned wait_count;

   /* Set by the driver or by perf, at any call, when a measured time may be
    * worthless: the clock stepped back, or wrapped unseen, or the GPU was
    * reset.  Cleared by core, which latches it.
    */
   bool disjoint;
};

/* One begin-to-end measurement.  Core creates as many as are in flight. */
struct pitot_driver_query {
   /* Not the driver's. */
   struct pitot_driver_query *next;     /* in flight, or idle */
   struct pitot_driver_query *previous; /* in flight */
   uint64_t number;             /* in flight: how many ended, with this one */
   struct pitot_query *owner;   /* in flight */
   struct pitot_binding *binding; /* the kind and stream that it measures */

   /* Core's, for the driver to read: query_result() asks the GPU, even if that
    * syncs a driver thread, because the application waits for the result, or
    * may have read TRUE from a buffer in which query_store() stored the
    * availability of this query or of a later one of its type.
    */
   bool must_ask;
};

/* A mode of conditional rendering is a combination of these flags.  Without
 * any it waits for the result, and draws if that is not 0.
 */
enum pitot_condition_flag {
   PITOT_CONDITION_WAIT = 0,
   PITOT_CONDITION_NO_WAIT = 1,   /* draw while the result is unknown */
   PITOT_CONDITION_BY_REGION = 2, /* the driver may decide for each part of
                                   * the screen */
   PITOT_CONDITION_INVERTED = 4,  /* draw if the result is 0 */
};

struct pitot_driver_ops {
   /* Creates a query of that kind; stream is 0 unless the kind is indexed.
    * Returns 0 and the query, or -ENOMEM.
    */
   int (*query_create)(struct pitot_driver *driver, enum pitot_kind kind,
                       unsigned stream,
                       struct pitot_driver_query **query_out);

   /* Frees a query, which may be active or in flight: the GPU may still write
    * its result, and this does not wait for it.
    */
   void (*query_destroy)(struct pitot_driver *driver,
                         struct pitot_driver_query *query);

   /* Begins to measure, and drops an earlier result without waiting for it: it
    * may still be in flight, for another object as well, unless the driver
    * keeps queries apart.
    */
   int (*query_begin)(struct pitot_driver *driver,
                      struct pitot_driver_query *query);

   /* Ends an active query; for an instant kind, which is never begun, takes
    * the measurement, and drops an earlier result, likewise.
    */
   int (*query_end)(struct pitot_driver *driver,
                    struct pitot_driver_query *query);

   /* Returns 1 and the result of an ended query; 0 if it is not known yet,
    * which it never returns with wait; or -EIO if it will never be known.
    * Without wait it makes progress, so that asking again and again comes to
    * an end, and does not wait for the GPU nor for a driver thread.  Times
    * are in nanoseconds.
    */
   int (*query_result)(struct pitot_driver *driver,
                       struct pitot_driver_query *query, bool wait,
                       uint64_t *result_out);

   /* Optional, all three.  Creates a fence behind the commands recorded so
    * far and returns 0, -ENOMEM, or -ENOTSUP where that takes a flush; returns
    * whether the GPU is done with them, and neither flushes nor waits;
    * destroys the fence.
    */
   int (*fence_create)(struct pitot_driver *driver,
                       struct pitot_fence **fence_out);
   bool (*fence_is_done)(struct pitot_driver *driver,
                         struct pitot_fence *fence);
   void (*fence_destroy)(struct pitot_driver *driver,
                         struct pitot_fence *fence);

   /* Returns how many bits a result of that kind counts truly, in the unit
    * of the result; 0 if this driver cannot count it, and then every result
    * is 0.
    */
   unsigned (*counter_bits)(struct pitot_driver *driver,
                            enum pitot_kind kind);

   /* Optional.  Stores a result as pitot_query_store() says. */
   bool (*query_store)(struct pitot_driver *driver,
                       struct pitot_driver_query *query,
                       enum pitot_store store, enum pitot_type type,
                       void *resource, uint64_t offset_B);

   /* Optional.  Has draws depend on the result of an ended query from now
    * on, or on nothing if query is NULL; mode: enum pitot_condition_flag.
    */
   void (*render_condition)(struct pitot_driver *driver,
                            struct pitot_driver_query *query, unsigned mode);

   /* Optional.  Returns the GPU's time now, in nanoseconds; 0 if it counts no
    * bits of PITOT_KIND_TIMESTAMP.
    */
   uint64_t (*timestamp_ns)(struct pitot_driver *driver);

   /* Optional.  Sets pitot_driver.disjoint for reasons that do not show by
    * themselves.  Called when an application asks; does not wait for the GPU.
    */
   void (*look_for_disjoint)(struct pitot_driver *driver);
};

#ifdef __cplusplus
}
#endif

#endif /* PITOT_DRIVER_H */
