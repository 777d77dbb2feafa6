/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A driver under the contract suite, and the strings to pull.
 */

#ifndef PITOT_TESTS_BACKEND_H
#define PITOT_TESTS_BACKEND_H

#include "pitot/perf.h"

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

/* A test that asks for what a driver is not, and why. */
struct backend_skip {
   const char *test; /* NULL: no more of them */
   const char *why;
};

struct backend_ops {
   const char *name;

   const struct backend_skip *skips; /* or NULL: none */

   /* A bit for each enum pitot_type in which the driver stores a count. */
   unsigned stored_types;

   /* Makes a driver with counters at 0 whose results land at once. */
   struct backend *(*create)(void);
   void (*destroy)(struct backend *backend);

   /* Moves a counter on, as a draw would. */
   void (*count)(struct backend *backend, enum pitot_kind kind,
                 unsigned stream, uint64_t amount);

   /* Sets the GPU's time. */
   void (*set_time_ns)(struct backend *backend, uint64_t time_ns);

   /* From now on results land only when they are waited for, or never, or
    * at once.
    */
   void (*hold)(struct backend *backend);
   void (*lose)(struct backend *backend);
   void (*release)(struct backend *backend);

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

   /* What is alive: 0 once everything is destroyed. */
   unsigned (*alive_count)(const struct backend *backend);

   /* Memory that the driver stores results to. */
   void *(*resource)(struct backend *backend, void *memory);
};

#define STORED_64  (1u << PITOT_TYPE_I64 | 1u << PITOT_TYPE_U64)
#define STORED_ALL (1u << PITOT_TYPE_I32 | 1u << PITOT_TYPE_U32 | STORED_64)

extern const struct backend_ops backend_null;
extern const struct backend_ops backend_pipe;
extern const struct backend_ops backend_pipe_struct;
extern const struct backend_ops backend_pipe_timestamps;
extern const struct backend_ops backend_pipe_threaded;
extern const struct backend_ops backend_pipe_bins;

/* A driver of Pitot's own, on GPUs that are faked, and that are
 * simulated with their kernel.
 */
#define BACKENDS_OF(MACHINE)                                                 \
   extern const struct backend_ops backend_##MACHINE##_bdw;                  \
   extern const struct backend_ops backend_##MACHINE##_skl;                  \
   extern const struct backend_ops backend_##MACHINE##_icl;                  \
   extern const struct backend_ops backend_##MACHINE##_tgl;                  \
   extern const struct backend_ops backend_##MACHINE##_dg2;                  \
   extern const struct backend_ops backend_##MACHINE##_pitcairn;             \
   extern const struct backend_ops backend_##MACHINE##_bonaire;              \
   extern const struct backend_ops backend_##MACHINE##_polaris10;            \
   extern const struct backend_ops backend_##MACHINE##_vega10;               \
   extern const struct backend_ops backend_##MACHINE##_navi10;               \
   extern const struct backend_ops backend_##MACHINE##_navi21;               \
   extern const struct backend_ops backend_##MACHINE##_navi31;               \
   extern const struct backend_ops backend_##MACHINE##_threaded_tgl;         \
   extern const struct backend_ops backend_##MACHINE##_threaded_vega10;

/* clang-format off */
BACKENDS_OF(fake)
BACKENDS_OF(sim)
/* clang-format on */

#define BACKEND_LIST_OF(MACHINE)                                             \
   &backend_##MACHINE##_bdw, &backend_##MACHINE##_skl,                       \
      &backend_##MACHINE##_icl, &backend_##MACHINE##_tgl,                    \
      &backend_##MACHINE##_dg2, &backend_##MACHINE##_pitcairn,               \
      &backend_##MACHINE##_bonaire, &backend_##MACHINE##_polaris10,          \
      &backend_##MACHINE##_vega10, &backend_##MACHINE##_navi10,              \
      &backend_##MACHINE##_navi21, &backend_##MACHINE##_navi31,              \
      &backend_##MACHINE##_threaded_tgl,                                     \
      &backend_##MACHINE##_threaded_vega10

#endif /* PITOT_TESTS_BACKEND_H */
