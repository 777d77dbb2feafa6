/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Faults of drivers, with Pitot or without: each widens what the model allows
 * in one situation.  DRIVER-differences.txt lists a driver's.
 */

#ifndef PITOT_MODEL_QUIRKS_H
#define PITOT_MODEL_QUIRKS_H

#include <stdbool.h>

#define QUIRKS(X)                                                            \
   /* CLIPPING_INPUT is anything if RASTERIZER_DISCARD was enabled */        \
   X(CLIPPING_DISCARDED, "clipping-discarded")                               \
   /* overflow without transform feedback while PRIMITIVES_GENERATED counts  \
    */                                                                       \
   X(OVERFLOW_BY_GENERATED, "overflow-by-generated")                         \
   /* the same while a performance query counts them */                      \
   X(OVERFLOW_BY_PERFORMANCE, "overflow-by-performance")                     \
   /* counts of geometry shaders are too small */                            \
   X(GEOMETRY_BY_SHADER, "geometry-by-shader")                               \
   /* polling an occlusion query early loses a part of its count; the CPU    \
    * and the GPU get different results                                      \
    */                                                                       \
   X(OCCLUSION_POLLED, "occlusion-polled")                                   \
   /* counts of compute shaders are too small */                             \
   X(COMPUTE_LOST, "compute-lost")                                           \
   /* a condition without a wait may draw or not while there is no result */ \
   X(CONDITION_UNKNOWN, "condition-unknown")                                 \
   /* PRIMITIVES_WRITTEN loses its count when another query of streams or a  \
    * performance query begins or ends                                       \
    */                                                                       \
   X(WRITTEN_BESIDE, "written-beside")                                       \
   /* a dispatch that a condition skips loses earlier draws */               \
   X(DISPATCH_CONDITIONAL, "dispatch-conditional")                           \
   /* occlusion is 0 after a timestamp */                                    \
   X(OCCLUSION_AFTER_TIMESTAMP, "occlusion-after-timestamp")                 \
   /* PRIMITIVES_GENERATED counts only during transform feedback */          \
   X(GENERATED_BY_FEEDBACK, "generated-by-feedback")                         \
   /* compute shaders count work groups */                                   \
   X(COMPUTE_GROUPS, "compute-groups")                                       \
   /* a megabyte stays with each context, so cycles destroy none, and some   \
    * are free only after dozens of cycles                                   \
    */                                                                       \
   X(MEMORY_KEPT, "memory-kept")

enum quirk {
#define MEMBER(NAME, WORD) QUIRK_##NAME,
   QUIRKS(MEMBER)
#undef MEMBER
      QUIRK_COUNT,
};

/* Parses names separated by commas into bits of 1 << enum quirk.  Prints an
 * error and returns false if a name is unknown.
 */
bool
quirks_parse(const char *names, unsigned *quirks_out);

#endif /* PITOT_MODEL_QUIRKS_H */
