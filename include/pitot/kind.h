/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Kinds of queries.  One table has all properties of a kind: src/core/kind.c.
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
   PITOT_KIND_TS_INVOCATIONS,
   PITOT_KIND_MS_INVOCATIONS,
   PITOT_KIND_MS_PRIMITIVES,
   PITOT_KIND_COUNT,
   PITOT_KIND_FIRST_STATISTIC = PITOT_KIND_VERTICES_SUBMITTED,
   PITOT_KIND_NONE = PITOT_KIND_COUNT,
};

/* Vertex streams of an indexed kind (OpenGL 4.6 core, MAX_VERTEX_STREAMS). */
#define PITOT_MAX_STREAMS 4

#define PITOT_STATISTIC_COUNT (PITOT_KIND_COUNT - PITOT_KIND_FIRST_STATISTIC)

/* Occlusion, elapsed time, any overflow; three indexed kinds; statistics. */
#define PITOT_SLOT_COUNT (3 + 3 * PITOT_MAX_STREAMS + PITOT_STATISTIC_COUNT)

struct pitot_kind_info {
   const char *name;

   /* The performance counter that counts the same, or NULL.  The description
    * ends with its unit.
    */
   const char *counter_name;
   const char *counter_description;

   unsigned slot;   /* of stream 0; kinds that share it are exclusive */
   bool is_indexed; /* one slot for each stream */
   bool is_boolean; /* the result is 0 or 1 */
   bool is_instant; /* ended without a begin; never in a slot */
   bool is_time; /* nanoseconds; keeps running while a driver suspends queries
                  * around internal draws */
   bool is_condition; /* usable for conditional rendering */
};

extern const struct pitot_kind_info pitot_kinds[PITOT_KIND_COUNT];

/* kind must not be PITOT_KIND_NONE. */
static inline const struct pitot_kind_info *
pitot_kind_info(enum pitot_kind kind)
{
   return &pitot_kinds[kind];
}

#ifdef __cplusplus
}
#endif

#endif /* PITOT_KIND_H */
