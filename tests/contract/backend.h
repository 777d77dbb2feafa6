/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_BACKEND_H
#define PITOT_TESTS_BACKEND_H

#include "pitot_null.h"
#include "pitot_perf_query.h"

struct backend {
   const struct backend_ops *ops;
   struct pitot_driver *driver;
   struct pitot_perf_provider *providers;
   unsigned *fail; /* as in struct pitot_null */
};

struct machine_ops;
struct sim_gpu;

struct backend_skip {
   const char *test; /* NULL ends the list */
   const char *why;
};

struct backend_ops {
   char name[32];

   const struct backend_skip *skips;

   /* Bits of enum pitot_type: types as which the driver stores a count. */
   unsigned stored_types;

   /* Counters are at 0, and results are available immediately. */
   struct backend *(*create)(const struct backend_ops *ops);
   void (*destroy)(struct backend *backend);

   /* Advances a counter, as a draw would. */
   void (*count)(struct backend *backend, enum pitot_kind kind,
                 unsigned stream, uint64_t amount);

   void (*set_time_ns)(struct backend *backend, uint64_t time_ns);

   /* Results become available when waited for, or never, or immediately. */
   void (*hold)(struct backend *backend);
   void (*lose)(struct backend *backend);
   void (*release)(struct backend *backend);

   /* Results become available after some looks. run NULL: immediately. */
   void (*run)(struct backend *backend);
   void (*look)(struct backend *backend);

   /* The application's flush; the number of flushes that the driver added. */
   void (*submit)(struct backend *backend);
   unsigned (*flush_count)(const struct backend *backend);

   /* Waits of the driver, and drains of its thread. */
   unsigned (*wait_count)(const struct backend *backend);

   /* The current result of the query that draws depend on, or -1. */
   int64_t (*condition_result)(const struct backend *backend);

   /* Live objects: 0 once everything is destroyed. */
   unsigned (*alive_count)(const struct backend *backend);

   /* Wraps memory for the driver's stores; NULL: no wrapping. */
   void *(*resource)(struct backend *backend, void *memory);

   /* For backend_pipe.c: sets what differs. */
   void (*configure)(struct backend *backend);

   /* For backend_hw.c. */
   const struct machine_ops *machine;
   const struct sim_gpu *gpu;
   bool is_threaded;
};

#define STORED_64  (1u << PITOT_TYPE_I64 | 1u << PITOT_TYPE_U64)
#define STORED_ALL (1u << PITOT_TYPE_I32 | 1u << PITOT_TYPE_U32 | STORED_64)

extern const struct backend_ops backend_null;

/* The fake pipe_context, in the ways in which drivers differ. */
extern const struct backend_ops backends_pipe[];
extern const unsigned backend_pipe_count;

/* A driver with Pitot's own queries, on a GPU of a machine. */
struct backend_ops
backend_hw(const struct machine_ops *machine, const struct sim_gpu *gpu,
           bool is_threaded);

#endif /* PITOT_TESTS_BACKEND_H */
