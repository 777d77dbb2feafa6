/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver under the contract suite, and what a test does with it.
 */

#ifndef PITOT_TESTS_BACKEND_H
#define PITOT_TESTS_BACKEND_H

#include "pitot_perf_query.h"

enum backend_call {
   BACKEND_CREATE,
   BACKEND_BEGIN,
   BACKEND_END,
};

struct backend {
   const struct backend_ops *ops;
   struct pitot_driver *driver;
   struct pitot_perf_provider *providers;
};

struct machine_ops;
struct sim_gpu;

/* A test that a driver cannot pass, and why. */
struct backend_skip {
   const char *test; /* NULL: no more of them */
   const char *why;
};

struct backend_ops {
   char name[32];

   const struct backend_skip *skips; /* or NULL: none */

   /* A bit for each enum pitot_type in which the driver stores a count. */
   unsigned stored_types;

   /* Creates a driver with counters at 0 whose results are available at once.
    */
   struct backend *(*create)(const struct backend_ops *ops);
   void (*destroy)(struct backend *backend);

   /* Moves a counter on, as a draw would. */
   void (*count)(struct backend *backend, enum pitot_kind kind,
                 unsigned stream, uint64_t amount);

   /* Sets the GPU's time. */
   void (*set_time_ns)(struct backend *backend, uint64_t time_ns);

   /* From now on results are available when they are waited for, or never, or
    * at once.
    */
   void (*hold)(struct backend *backend);
   void (*lose)(struct backend *backend);
   void (*release)(struct backend *backend);

   /* From now on results are available after some looks, or earlier.  NULL:
    * they are available at once.
    */
   void (*run)(struct backend *backend);
   void (*look)(struct backend *backend);

   /* Flushes, as an application does; and how often the driver did so because
    * it was asked for something.
    */
   void (*submit)(struct backend *backend);
   unsigned (*flush_count)(const struct backend *backend);

   /* Makes the next call of a function fail. */
   void (*fail_next)(struct backend *backend, enum backend_call call);

   /* How often the driver had to wait, or to drain a thread. */
   unsigned (*wait_count)(const struct backend *backend);

   /* The query that draws depend on: its result so far, or -1. */
   int64_t (*condition_result)(const struct backend *backend);

   /* The count of live objects: 0 once everything is destroyed. */
   unsigned (*alive_count)(const struct backend *backend);

   /* Memory that the driver stores results to; NULL: as it is. */
   void *(*resource)(struct backend *backend, void *memory);

   /* Of backend_pipe.c: what differs. */
   void (*configure)(struct backend *backend);

   /* Of backend_hw.c. */
   const struct machine_ops *machine;
   const struct sim_gpu *gpu;
   bool is_threaded;
};

#define STORED_64  (1u << PITOT_TYPE_I64 | 1u << PITOT_TYPE_U64)
#define STORED_ALL (1u << PITOT_TYPE_I32 | 1u << PITOT_TYPE_U32 | STORED_64)

extern const struct backend_ops backend_null;

/* The fake pipe_context, in each way that drivers differ. */
extern const struct backend_ops backends_pipe[];
extern const unsigned backend_pipe_count;

/* A driver whose queries are Pitot's, on a GPU of a machine. */
struct backend_ops
backend_hw(const struct machine_ops *machine, const struct sim_gpu *gpu,
           bool is_threaded);

#endif /* PITOT_TESTS_BACKEND_H */
