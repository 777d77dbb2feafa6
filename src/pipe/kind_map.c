/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stddef.h>

#include "pipe_priv.h"
#include "util/u_math.h"
#include "versions.h"

#define CAP(NAME) offsetof(struct pipe_caps, NAME)

#define KIND(KIND, TYPE, BITS, ...)                                          \
   [PITOT_KIND_##KIND] = { .type = PIPE_QUERY_##TYPE,                        \
                           .bits = BITS,                                     \
                           .either_cap = { __VA_ARGS__ } }

#define STATISTIC(KIND, INDEX)                                               \
   [PITOT_KIND_##KIND] = {                                                   \
      .type = PIPE_QUERY_PIPELINE_STATISTICS_SINGLE,                         \
      .statistic = PIPE_STAT_QUERY_##INDEX,                                  \
      .bits = 64,                                                            \
      .either_cap = { CAP(query_pipeline_statistics_single),                 \
                      CAP(query_pipeline_statistics) },                      \
   }

static const struct pitot_pipe_kind kinds[PITOT_KIND_COUNT] = {
   KIND(SAMPLES_PASSED, OCCLUSION_COUNTER, 64, CAP(occlusion_query)),
   KIND(ANY_SAMPLES_PASSED, OCCLUSION_PREDICATE, 1, CAP(occlusion_query)),
   KIND(ANY_SAMPLES_PASSED_CONSERVATIVE, OCCLUSION_PREDICATE_CONSERVATIVE, 1,
        CAP(occlusion_query)),
   KIND(PRIMITIVES_GENERATED, PRIMITIVES_GENERATED, 64, 0),
   KIND(PRIMITIVES_WRITTEN, PRIMITIVES_EMITTED, 64, 0),
   KIND(STREAM_OVERFLOW, SO_OVERFLOW_PREDICATE, 1, CAP(query_so_overflow)),
   KIND(ANY_STREAM_OVERFLOW, SO_OVERFLOW_ANY_PREDICATE, 1,
        CAP(query_so_overflow)),
   KIND(TIME_ELAPSED, TIME_ELAPSED, 0, CAP(query_time_elapsed),
        CAP(query_timestamp)),
   KIND(TIMESTAMP, TIMESTAMP, 0, CAP(query_timestamp)),

   STATISTIC(VERTICES_SUBMITTED, IA_VERTICES),
   STATISTIC(PRIMITIVES_SUBMITTED, IA_PRIMITIVES),
   STATISTIC(VS_INVOCATIONS, VS_INVOCATIONS),
   STATISTIC(TCS_PATCHES, HS_INVOCATIONS),
   STATISTIC(TES_INVOCATIONS, DS_INVOCATIONS),
   STATISTIC(GS_INVOCATIONS, GS_INVOCATIONS),
   STATISTIC(GS_PRIMITIVES, GS_PRIMITIVES),
   STATISTIC(FS_INVOCATIONS, PS_INVOCATIONS),
   STATISTIC(CS_INVOCATIONS, CS_INVOCATIONS),
   STATISTIC(CLIPPING_INPUT, C_INVOCATIONS),
   STATISTIC(CLIPPING_OUTPUT, C_PRIMITIVES),
   STATISTIC(TS_INVOCATIONS, TS_INVOCATIONS),
   STATISTIC(MS_INVOCATIONS, MS_INVOCATIONS),
   STATISTIC(MS_PRIMITIVES, MS_PRIMITIVES),
};

const struct pitot_pipe_kind *
pitot_pipe_kind(enum pitot_kind kind)
{
   return &kinds[kind];
}

static bool
has_cap(const struct pipe_caps *caps, size_t offset)
{
   return offset && *(const bool *)((const char *)caps + offset);
}

/* Results are nanoseconds, of which a tick may have many. */
static unsigned
time_bits(const struct pitot_pipe_info *info)
{
   const struct pipe_caps *caps = &info->pipe->screen->caps;
   unsigned bits =
      info->time_bits ? info->time_bits : caps->query_timestamp_bits;

   if (info->counts_ticks)
      bits += util_logbase2(caps->timer_resolution);
   return MIN2(bits, 64);
}

unsigned
pitot_pipe_kind_bits(const struct pitot_pipe_kind *kind,
                     const struct pitot_pipe_info *info)
{
   const struct pipe_caps *caps = &info->pipe->screen->caps;

   if (kind->either_cap[0] && !has_cap(caps, kind->either_cap[0]) &&
       !has_cap(caps, kind->either_cap[1]))
      return 0;
   if (kind->statistic >= PIPE_STAT_QUERY_TS_INVOCATIONS &&
       (!PITOT_COUNTS_MESHES(caps) ||
        info->lacking_statistics & 1u << kind->statistic))
      return 0;
   return kind->bits ? kind->bits : time_bits(info);
}
