/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The interface that a driver implements for core.  Embed struct pitot_driver
 * and struct pitot_driver_query first in structs of your own, as in the null
 * driver (src/core/null.c), which is the one to copy.
 *
 * Core calls from the thread that owns the context, with arguments in range,
 * and never with a NULL query unless stated.  Functions that return int
 * return 0, or a negative errno value.  A query whose begin or end failed is
 * destroyed without another call.
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

/* Pads structs that both threads of u_threaded_context touch: false sharing
 * made a begin and an end 50 % slower.  Structs that are allocated one by one
 * end with
 *
 *    uint8_t apart[PITOT_CACHE_LINE_B];
 *
 * so that the next allocation is in another cache line.
 */
#define PITOT_CACHE_LINE_B 64

struct pitot_driver {
   const struct pitot_driver_ops *ops;

   /* Set by the driver before its first use: a query must not be begun again
    * while it is in flight, nor for another object.  Each measurement in
    * flight then has a query of its own, which is destroyed when its object
    * drops it.
    */
   bool keeps_queries_apart;

   /* Incremented by the driver, or by its owner, when the application has
    * waited for the GPU: what ended before must be available at the next
    * poll.
    */
   unsigned wait_count;

   /* Set by the driver or by perf, in any call, when a measured time may be
    * invalid: the clock went back or wrapped undetected, or the GPU was
    * reset.  Cleared by core, which latches it.
    */
   bool disjoint;
};

/* One measurement, from begin to end.  Core creates as many as are in flight.
 */
struct pitot_driver_query {
   /* Core's, not for the driver. */
   struct pitot_driver_query *next;     /* in flight, or idle */
   struct pitot_driver_query *previous; /* in flight */
   uint64_t seqno; /* in flight: of its end, from 1, among its type's */
   struct pitot_query *owner;     /* in flight */
   struct pitot_binding *binding; /* the kind and stream that it measures */

   /* Set by core, read by the driver: query_result() polls the GPU, even if
    * that syncs a driver thread.  Either the application waits for the
    * result, or it may have read TRUE from a buffer in which query_store()
    * stored the availability of this query or of a later one of its type.
    */
   bool must_ask;
};

/* Flags of a mode of conditional rendering.  Without a flag, rendering waits
 * for the result, and draws if the result is not 0.
 */
enum pitot_condition_flag {
   PITOT_CONDITION_WAIT = 0,
   PITOT_CONDITION_NO_WAIT = 1,   /* draw if the result is not ready */
   PITOT_CONDITION_BY_REGION = 2, /* the driver may decide for each part of
                                   * the screen */
   PITOT_CONDITION_INVERTED = 4,  /* draw if the result is 0 */
};

struct pitot_driver_ops {
   /* Creates a query of a kind; stream is 0 unless the kind is indexed.
    * Returns 0 and the query, or -ENOMEM.
    */
   int (*query_create)(struct pitot_driver *driver, enum pitot_kind kind,
                       unsigned stream,
                       struct pitot_driver_query **query_out);

   /* Frees a query, which may be active or in flight.  Does not wait: the GPU
    * may still write the result.
    */
   void (*query_destroy)(struct pitot_driver *driver,
                         struct pitot_driver_query *query);

   /* Begins to measure.  Drops an earlier result without waiting, even if it
    * is in flight, also for another object (unless keeps_queries_apart).
    */
   int (*query_begin)(struct pitot_driver *driver,
                      struct pitot_driver_query *query);

   /* Ends an active query.  A query of an instant kind is never begun: this
    * takes the measurement, and drops an earlier result without waiting.
    */
   int (*query_end)(struct pitot_driver *driver,
                    struct pitot_driver_query *query);

   /* Returns 1 and the result of an ended query; 0 if the result is not
    * ready, never with wait; or -EIO if it never will be.  Without wait,
    * makes progress, so that a loop of polls ends, but does not wait for the
    * GPU or a driver thread.  Times are in nanoseconds.
    */
   int (*query_result)(struct pitot_driver *driver,
                       struct pitot_driver_query *query, bool wait,
                       uint64_t *result_out);

   /* Optional, all three.  fence_create() adds a fence after the commands
    * recorded so far.  It returns 0, -ENOMEM, or -ENOTSUP if a fence takes a
    * flush.  fence_is_done() returns whether the GPU is done with these
    * commands, and neither flushes nor waits.
    */
   int (*fence_create)(struct pitot_driver *driver,
                       struct pitot_fence **fence_out);
   bool (*fence_is_done)(struct pitot_driver *driver,
                         struct pitot_fence *fence);
   void (*fence_destroy)(struct pitot_driver *driver,
                         struct pitot_fence *fence);

   /* Returns how many bits of a result are valid, in the unit of the result;
    * 0 if the driver cannot count the kind: then every result is 0.
    */
   unsigned (*counter_bits)(struct pitot_driver *driver,
                            enum pitot_kind kind);

   /* Optional.  Stores a result: see pitot_query_store(). */
   bool (*query_store)(struct pitot_driver *driver,
                       struct pitot_driver_query *query,
                       enum pitot_store store, enum pitot_type type,
                       void *resource, uint64_t offset_B);

   /* Optional.  Makes later draws conditional on the result of an ended
    * query; NULL ends conditional rendering.  mode: enum
    * pitot_condition_flag.
    */
   void (*render_condition)(struct pitot_driver *driver,
                            struct pitot_driver_query *query, unsigned mode);

   /* Optional.  Returns the GPU's time now, in nanoseconds; 0 if
    * PITOT_KIND_TIMESTAMP has no bits.
    */
   uint64_t (*timestamp_ns)(struct pitot_driver *driver);

   /* Optional.  Sets pitot_driver.disjoint for causes that no other call
    * shows.  Called when an application reads GPU_DISJOINT.  Does not wait
    * for the GPU.
    */
   void (*poll_disjoint)(struct pitot_driver *driver);
};

#ifdef __cplusplus
}
#endif

#endif /* PITOT_DRIVER_H */
