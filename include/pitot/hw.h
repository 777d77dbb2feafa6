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
 * Threads: pitot_hw_query_result() and pitot_hw_query_free() may be called by
 * any thread once a query has ended and its batch was submitted, until it is
 * begun or ended again, as u_threaded_context does; all other functions by
 * the thread that records commands, unless they say otherwise.
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

/* Creates a sampler on a command stream, which must outlive it, and becomes
 * its listener.  Returns 0 or -ENOMEM.
 */
int
pitot_hw_create(struct pitot_cs *cs, struct pitot_hw **hw_out);

/* Destroys a sampler, which has no queries left, or NULL. */
void
pitot_hw_destroy(struct pitot_hw *hw);

/* Returns the command stream, with the facts of its GPU and its clock. */
const struct pitot_cs *
pitot_hw_cs(const struct pitot_hw *hw);

/* Returns how many bits a result of that kind has; 0 if this GPU cannot count
 * it without the driver's shaders.  Any thread.
 */
unsigned
pitot_hw_counter_bits(const struct pitot_hw *hw, enum pitot_kind kind);

/* Does the same for a GPU without a sampler.  Any thread. */
unsigned
pitot_hw_gpu_counter_bits(const struct pitot_gpu *gpu, enum pitot_kind kind);

/* Creates a query.  Returns 0, -ENOMEM, or -ENOTSUP where the bits are 0.  Any
 * thread: u_threaded_context creates queries in the application's.
 */
int
pitot_hw_query_create(struct pitot_hw *hw, enum pitot_kind kind,
                      unsigned stream, struct pitot_hw_query **query_out);

/* A count besides the kinds: the primitives that transform feedback would
 * have written, had there been room.
 */
#define PITOT_HW_STORAGE_NEEDED PITOT_KIND_COUNT

/* No count: a value that is always 0. */
#define PITOT_HW_NOTHING (PITOT_KIND_COUNT + 1)

/* How many statistics there are, from PITOT_KIND_VERTICES_SUBMITTED on. */
#define PITOT_HW_STATISTIC_COUNT 11

/* One value of a query: a kind, or one of these. */
struct pitot_hw_count {
   unsigned kind;
   unsigned stream; /* of vertices */
};

/* Creates a query of several values, none of them times.  Values that the GPU
 * cannot count are 0.  Returns 0 or -ENOMEM.
 */
int
pitot_hw_query_create_list(struct pitot_hw *hw,
                           const struct pitot_hw_count *counts,
                           unsigned count, struct pitot_hw_query **query_out);

/* Frees a query, which may be active or in flight, or NULL. */
void
pitot_hw_query_free(struct pitot_hw *hw, struct pitot_hw_query *query);

/* Begins a query, dropping an earlier result.  Returns 0, -ENOMEM, or -EIO if
 * the device is lost.
 */
int
pitot_hw_query_begin(struct pitot_hw *hw, struct pitot_hw_query *query);

/* Ends a query.  One of an instant kind is only ended, and drops an earlier
 * result.  Returns 0, -ENOMEM, also if a part was lost for want of memory
 * since the begin, or -EIO if the device is lost.
 */
int
pitot_hw_query_end(struct pitot_hw *hw, struct pitot_hw_query *query);

/* Returns 1 and the result of an ended query; 0 if it is not known yet and
 * the caller does not wait, or if the query is still active; -EIO if it never
 * will be, with a result of 0.  Flushes the batch that it needs.  Times are
 * in nanoseconds, and extended beyond the width of the counter.
 */
int
pitot_hw_query_result(struct pitot_hw *hw, struct pitot_hw_query *query,
                      bool wait, uint64_t *values_out);

/* A store of an ended query's result. */
struct pitot_hw_store {
   enum pitot_store kind;
   enum pitot_type type;
   unsigned index; /* of the values */
   struct pitot_cs_buffer *buffer;
   unsigned offset_B; /* a multiple of the type's size */
};

/* Stores a result at the command stream's position, clamped to its type.  The
 * CPU waits for it only where the driver cannot have the GPU compute it, and
 * only for PITOT_STORE_RESULT.  PITOT_STORE_AVAILABLE stores 0 or 1, as it is
 * at that position; where the GPU waits for no sample it flushes, so that the
 * result will be available.  Returns 0, -EIO if the device is lost, or
 * -ENOMEM.
 *
 * On a tiler (has_tiles) the batch is submitted, so that all commands
 * after it see the result.  -ENOTSUP then: the CPU knows the result, or has
 * to wait for it, and the caller stores it.
 */
int
pitot_hw_query_store(struct pitot_hw *hw, struct pitot_hw_query *query,
                     const struct pitot_hw_store *store);

enum pitot_hw_decision {
   PITOT_HW_DECISION_NEVER,
   PITOT_HW_DECISION_ALWAYS,
   PITOT_HW_DECISION_BY_GPU,
};

/* Kinds of records by which a GPU decides.  A family may have more of them,
 * from the next number on.
 */
enum pitot_predicate {
   PITOT_PREDICATE_BOOLEAN, /* 8 bytes: 1 to draw, 0 not to */
};

struct pitot_hw_record {
   struct pitot_cs_buffer *buffer;
   unsigned offset_B;
   struct pitot_hw_slab *slab; /* the sampler's own */
};

struct pitot_hw_condition {
   enum pitot_hw_decision decision;

   /* If it is the GPU's: the records are good until the next condition. */
   unsigned predicate; /* PITOT_PREDICATE_BOOLEAN, or one of the family's */
   const struct pitot_hw_record *records; /* any of them may say yes */
   unsigned record_count;
   bool is_inverted; /* of what the records say */
   bool wait;        /* for records that are not written yet */

   /* The batch being recorded, if it writes some of the records, or 0: if it
    * is dropped, those are never written, and nothing may wait for them.
    */
   uint64_t batch;
};

/* Has an ended query decide about what follows in the command stream: whether
 * its result is not 0, or if inverted, is 0.  If the GPU decides by a
 * boolean, its predicate is set already on the ring where the query was
 * measured, and inversion is in it; any other record the driver has the GPU
 * look at.  If the GPU cannot decide, the CPU waits if wait is true; if it is
 * false, an unknown result draws.
 */
void
pitot_hw_query_decide(struct pitot_hw *hw, struct pitot_hw_query *query,
                      bool is_inverted, bool wait,
                      struct pitot_hw_condition *condition_out);

/* Says that the batch being recorded on a ring, other than the render ring,
 * looks at the last condition.
 */
void
pitot_hw_condition_use(struct pitot_hw *hw, enum pitot_ring ring);

/* Returns the GPU's time now in nanoseconds, on the clock of TIMESTAMP.  If
 * it cannot be read, the time that the CPU's clock expects, which is told as
 * disjoint; 0 if it never was read.
 */
uint64_t
pitot_hw_timestamp_ns(struct pitot_hw *hw);

/* Returns whether results since the last call may be invalid.  Asks the
 * kernel for resets.
 */
bool
pitot_hw_take_disjoint(struct pitot_hw *hw);

/* The same, but asks the kernel only if a result of another batch has come,
 * or was stored by the GPU, since it was last asked: a reset spoils no other
 * results.  For a caller that calls often, on one thread at a time.
 */
bool
pitot_hw_poll_disjoint(struct pitot_hw *hw);

/* Says that something is about to be recorded on another ring than the first,
 * as a dispatch, if the driver has that ring: active queries are measured
 * there from then on, so that a program that computes nothing records nothing
 * there, and need not flush that ring for a result.  To be called again after
 * it, if recording may have begun another batch.
 */
void
pitot_hw_dispatch(struct pitot_hw *hw, enum pitot_ring ring);

/* Returns whether there are active queries, so that a driver that begins its
 * batches late has to begin one before it draws.
 */
bool
pitot_hw_has_active(const struct pitot_hw *hw);

/* Suspends all queries but times, around draws of the driver's own, or
 * resumes them; but none that the driver stops by itself (see
 * struct pitot_cs), which does so at the same time.
 */
void
pitot_hw_set_active(struct pitot_hw *hw, bool is_active);

/* Suspends all queries before batches that are recorded and not executed, or
 * resumes them after these: Gallium's set_frontend_noop, by which GL has
 * INTEL_blackhole_render.  To be called before the first such batch is begun,
 * and when the next other one has begun.
 */
void
pitot_hw_set_noop(struct pitot_hw *hw, bool is_noop);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_HW_H */
