/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Faults of drivers, with Pitot or without: each one widens what the model
 * allows in one situation.  DRIVER-differences.txt names those of a driver.
 */

#ifndef PITOT_MODEL_QUIRKS_H
#define PITOT_MODEL_QUIRKS_H

#include <stdbool.h>

#define QUIRKS(X)                                                            \
   /* CLIPPING_INPUT is anything if RASTERIZER_DISCARD was on meanwhile */   \
   X(CLIPPING_DISCARDED, "clipping-discarded")                               \
   /* overflow without transform feedback, while PRIMITIVES_GENERATED is     \
    * active                                                                 \
    */                                                                       \
   X(OVERFLOW_BY_GENERATED, "overflow-by-generated")                         \
   /* the same while a performance query is active, which counts them, too   \
    */                                                                       \
   X(OVERFLOW_BY_PERFORMANCE, "overflow-by-performance")                     \
   /* a count of geometry shaders is anything, and is not stored in buffers  \
    */                                                                       \
   X(GEOMETRY_BY_SHADER, "geometry-by-shader")                               \
   /* an occlusion query that is asked for before it is available loses what \
    * it had, in part: the CPU and the GPU see other results                 \
    */                                                                       \
   X(OCCLUSION_POLLED, "occlusion-polled")                                   \
   /* a count of compute shaders is less */                                  \
   X(COMPUTE_LOST, "compute-lost")                                           \
   /* a condition that does not wait may be taken for met, or not met, while \
    * the result is not there                                                \
    */                                                                       \
   X(CONDITION_UNKNOWN, "condition-unknown")                                 \
   /* PRIMITIVES_WRITTEN loses what it had when another query of streams, or \
    * a performance query, begins or ends                                    \
    */                                                                       \
   X(WRITTEN_BESIDE, "written-beside")                                       \
   /* a dispatch under a condition that does not pass loses what was drawn   \
    * before                                                                 \
    */                                                                       \
   X(DISPATCH_CONDITIONAL, "dispatch-conditional")                           \
   /* occlusion is 0 once there was a timestamp */                           \
   X(OCCLUSION_AFTER_TIMESTAMP, "occlusion-after-timestamp")                 \
   /* PRIMITIVES_GENERATED counts during transform feedback only */          \
   X(GENERATED_BY_FEEDBACK, "generated-by-feedback")                         \
   /* compute shaders count work groups */                                   \
   X(COMPUTE_GROUPS, "compute-groups")

enum quirk {
#define MEMBER(NAME, WORD) QUIRK_##NAME,
   QUIRKS(MEMBER)
#undef MEMBER
      QUIRK_COUNT,
};

/* Reads names with commas between them as bits of 1 << enum quirk.  Returns
 * false, after a message, if there is no such quirk.
 */
bool
quirks_parse(const char *names, unsigned *quirks_out);

#endif /* PITOT_MODEL_QUIRKS_H */
