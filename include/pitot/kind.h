/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Kinds of queries.  The properties of a kind are in one table
 * (src/core/kind.c) and nowhere else.
 */

#ifndef PITOT_KIND_H
#define PITOT_KIND_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pitot_kind {
   PITOT_KIND_SAMPLES_PASSED,
   PITOT_KIND_ANY_SAMPLES_PASSED,
   PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE,
   PITOT_KIND_PRIMITIVES_GENERATED,
   PITOT_KIND_PRIMITIVES_WRITTEN,
   PITOT_KIND_STREAM_OVERFLOW,
   PITOT_KIND_ANY_STREAM_OVERFLOW,
   PITOT_KIND_TIME_ELAPSED,
   PITOT_KIND_TIMESTAMP,
   PITOT_KIND_VERTICES_SUBMITTED,
   PITOT_KIND_PRIMITIVES_SUBMITTED,
   PITOT_KIND_VS_INVOCATIONS,
   PITOT_KIND_TCS_PATCHES,
   PITOT_KIND_TES_INVOCATIONS,
   PITOT_KIND_GS_INVOCATIONS,
   PITOT_KIND_GS_PRIMITIVES,
   PITOT_KIND_FS_INVOCATIONS,
   PITOT_KIND_CS_INVOCATIONS,
   PITOT_KIND_CLIPPING_INPUT,
   PITOT_KIND_CLIPPING_OUTPUT,
   PITOT_KIND_COUNT,
   PITOT_KIND_FIRST_STATISTIC = PITOT_KIND_VERTICES_SUBMITTED,
   PITOT_KIND_NONE = PITOT_KIND_COUNT,
};

/* Vertex streams of an indexed kind (OpenGL 4.6 core, MAX_VERTEX_STREAMS). */
#define PITOT_MAX_STREAMS 4

/* Occlusion, time, any overflow; three indexed kinds; eleven statistics. */
#define PITOT_SLOT_COUNT (3 + 3 * PITOT_MAX_STREAMS + 11)

struct pitot_kind_info {
   const char *name;

   /* The performance counter that counts the same, or NULL; the description
    * ends with its unit.
    */
   const char *counter_name;
   const char *counter_description;

   unsigned slot;     /* slot of stream 0; kinds with the same one exclude
                       * each other */
   bool is_indexed;   /* one slot for each stream */
   bool is_boolean;   /* the result is 0 or 1 */
   bool is_instant;   /* ended without being begun; never in a slot */
   bool is_time;      /* nanoseconds; counts also while a driver suspends
                       * queries for its own draws */
   bool is_condition; /* may decide about conditional rendering */
};

extern const struct pitot_kind_info pitot_kinds[PITOT_KIND_COUNT];

/* Returns the info of a kind, which must not be PITOT_KIND_NONE. */
static inline const struct pitot_kind_info *
pitot_kind_info(enum pitot_kind kind)
{
   return &pitot_kinds[kind];
}

#ifdef __cplusplus
}
#endif

#endif /* PITOT_KIND_H */
