/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Queries by the GPU's own counters, sampled in a driver's command stream:
 * the layer below a Gallium driver's query hooks (pitot_pipe_driver.h), and
 * for any other owner of a command stream.  A query is a list of pairs of
 * samples; its result is the sum of their differences.
 *
 * Threads: once a query has ended and its batch was submitted, any thread may
 * call pitot_hw_query_result() and pitot_hw_query_free(), until the query is
 * begun or ended again, as u_threaded_context does.  The thread that records
 * commands calls all other functions, unless they say "any thread".
 */

#ifndef PITOT_HW_H
#define PITOT_HW_H

#include "pitot/cs.h"
#include "pitot/kind.h"
#include "pitot/result.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_hw;
struct pitot_hw_query;

/* Creates a sampler on a command stream, which must outlive it, and sets the
 * command stream's listener.  Returns 0 or -ENOMEM.
 */
int
pitot_hw_create(struct pitot_cs *cs, struct pitot_hw **hw_out);

/* Destroys a sampler, which must have no queries left.  Accepts NULL. */
void
pitot_hw_destroy(struct pitot_hw *hw);

/* Returns the command stream, with its GPU's device info and clock. */
const struct pitot_cs *
pitot_hw_cs(const struct pitot_hw *hw);

/* Returns how many bits a result of a kind has; 0 if the GPU cannot count it
 * without the driver's shaders.  Any thread.
 */
unsigned
pitot_hw_counter_bits(const struct pitot_hw *hw, enum pitot_kind kind);

/* The same without a sampler.  Any thread. */
unsigned
pitot_hw_gpu_counter_bits(const struct pitot_gpu *gpu, enum pitot_kind kind);

/* Creates a query.  Returns 0, -ENOMEM, or -ENOTSUP if the kind has 0 bits.
 * Any thread: u_threaded_context creates queries in the application's
 * thread.
 */
int
pitot_hw_query_create(struct pitot_hw *hw, enum pitot_kind kind,
                      unsigned stream, struct pitot_hw_query **query_out);

/* A count that is no kind: the primitives that transform feedback would have
 * written if its buffers had enough space.
 */
#define PITOT_HW_STORAGE_NEEDED PITOT_KIND_COUNT

/* A value that is always 0. */
#define PITOT_HW_NOTHING (PITOT_KIND_COUNT + 1)

/* One value of a query: an enum pitot_kind, or one of the two above. */
struct pitot_hw_count {
   unsigned kind;
   unsigned stream; /* a vertex stream */
};

/* Creates a query of several values, none of them a time.  Values that the
 * GPU cannot count are 0.  Returns 0 or -ENOMEM.
 */
int
pitot_hw_query_create_list(struct pitot_hw *hw,
                           const struct pitot_hw_count *counts,
                           unsigned count, struct pitot_hw_query **query_out);

/* Frees a query, which may be active or in flight.  Accepts NULL. */
void
pitot_hw_query_free(struct pitot_hw *hw, struct pitot_hw_query *query);

/* Begins a query, and drops an earlier result.  Returns 0, -ENOMEM, or -EIO
 * if the device is lost.
 */
int
pitot_hw_query_begin(struct pitot_hw *hw, struct pitot_hw_query *query);

/* Ends a query.  A query of an instant kind is never begun: this drops an
 * earlier result.  Returns 0; -ENOMEM, also if a segment since the begin was
 * lost because allocation failed; or -EIO if the device is lost.
 */
int
pitot_hw_query_end(struct pitot_hw *hw, struct pitot_hw_query *query);

/* Returns 1 and the result of an ended query; 0 if the result is not ready,
 * never with wait, or if the query is still active; or -EIO if the result
 * never will be ready, and then the result is 0.  Flushes the batch that the
 * result needs.  Times are in nanoseconds, extended past the counter's width.
 */
int
pitot_hw_query_result(struct pitot_hw *hw, struct pitot_hw_query *query,
                      bool wait, uint64_t *values_out);

/* Where to store the result of an ended query. */
struct pitot_hw_store {
   enum pitot_store kind;
   enum pitot_type type;
   unsigned index; /* which of the values */
   struct pitot_cs_buffer *buffer;
   unsigned offset_B; /* a multiple of the type's size */
};

/* Stores a result at the current position of the command stream, clamped to
 * its type.  If the GPU cannot compute the result, the CPU does; it waits
 * only for PITOT_STORE_RESULT.  PITOT_STORE_AVAILABLE stores 0 or 1, as it is
 * at that position.  For a GPU that waits for no sample, it flushes, so that
 * the result becomes available.  Returns 0, -EIO if the device is lost, or
 * -ENOMEM.
 *
 * On a tiler (has_tiles) the batch is submitted, so that all later commands
 * see the result.  There it returns -ENOTSUP if the CPU knows the result or
 * has to wait for it: then the caller stores it.
 */
int
pitot_hw_query_store(struct pitot_hw *hw, struct pitot_hw_query *query,
                     const struct pitot_hw_store *store);

enum pitot_hw_decision {
   PITOT_HW_DECISION_NEVER,
   PITOT_HW_DECISION_ALWAYS,
   PITOT_HW_DECISION_BY_GPU,
};

/* Kinds of records that a GPU reads for a condition.  A family may add kinds,
 * from the next number on.
 */
enum pitot_predicate {
   PITOT_PREDICATE_BOOLEAN, /* 8 bytes: 1 draws, 0 does not */
};

struct pitot_hw_record {
   struct pitot_cs_buffer *buffer;
   unsigned offset_B;
   struct pitot_hw_slab *slab; /* the sampler's own */
};

struct pitot_hw_condition {
   enum pitot_hw_decision decision;

   /* BY_GPU only.  The records stay valid until the next condition. */
   unsigned predicate; /* PITOT_PREDICATE_BOOLEAN, or one of the family's */
   const struct pitot_hw_record *records; /* draw if any of them is true */
   unsigned record_count;
   bool is_inverted; /* of what the records say */
   bool wait;        /* for records that are not written yet */

   /* The current batch, if it writes some of the records; else 0.  If that
    * batch is dropped, these records are never written, and nothing may wait
    * for them.
    */
   uint64_t batch;
};

/* Makes the commands that follow conditional on an ended query: they execute
 * if its result is not 0 (if is_inverted, is 0).  BY_GPU with
 * PITOT_PREDICATE_BOOLEAN: the predicate is already loaded on the ring of the
 * query, inversion included.  BY_GPU with another predicate: the driver emits
 * it for the records.  Otherwise the CPU decides; without wait, a result that
 * is not ready draws.
 */
void
pitot_hw_query_decide(struct pitot_hw *hw, struct pitot_hw_query *query,
                      bool is_inverted, bool wait,
                      struct pitot_hw_condition *condition_out);

/* Call this if the current batch of a ring other than the render ring reads
 * the last condition.
 */
void
pitot_hw_condition_use(struct pitot_hw *hw, enum pitot_ring ring);

/* Returns the GPU's time now in nanoseconds, on the clock of TIMESTAMP.  If
 * the counter cannot be read, returns the time that the CPU's clock expects
 * and sets the disjoint flag; 0 if the counter was never read.
 */
uint64_t
pitot_hw_timestamp_ns(struct pitot_hw *hw);

/* Returns whether results since the last call may be invalid.  Queries the
 * kernel for resets.
 */
bool
pitot_hw_take_disjoint(struct pitot_hw *hw);

/* The same, but queries the kernel only if a result of another batch has
 * arrived, or was stored by the GPU, since the last query: a reset spoils no
 * other results.  For a caller that calls often, on one thread at a time.
 */
bool
pitot_hw_poll_disjoint(struct pitot_hw *hw);

/* Call this before recording on another ring than the render ring, as for a
 * dispatch, if the driver has that ring.  Active queries are measured there
 * from then on.  So a program without dispatches records nothing there, and
 * need not flush that ring for a result.  Call this again afterwards if
 * recording may have begun another batch.
 */
void
pitot_hw_dispatch(struct pitot_hw *hw, enum pitot_ring ring);

/* Returns whether a query is active: then a driver that begins its batches
 * late has to begin one before it draws.
 */
bool
pitot_hw_has_active(const struct pitot_hw *hw);

/* Suspends all queries except times around internal draws, or resumes them.
 * Queries whose counters the driver stops (pitot_cs.stops_counting) are not
 * suspended; the driver stops the counters at the same time.
 */
void
pitot_hw_set_active(struct pitot_hw *hw, bool is_active);

/* Suspends all queries before batches that are recorded but not executed, or
 * resumes them afterwards: Gallium's set_frontend_noop, which implements
 * INTEL_blackhole_render.  Call this before the first such batch begins, and
 * when the next other batch has begun.
 */
void
pitot_hw_set_noop(struct pitot_hw *hw, bool is_noop);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_HW_H */
