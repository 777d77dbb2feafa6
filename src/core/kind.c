/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>

#include "core_priv.h"

/* Numbers of slots: an indexed kind takes one for each stream. */
enum {
   SLOT_OCCLUSION,
   SLOT_TIME_ELAPSED,
   SLOT_ANY_STREAM_OVERFLOW,
   SLOT_PRIMITIVES_GENERATED,
   SLOT_PRIMITIVES_WRITTEN = SLOT_PRIMITIVES_GENERATED + PITOT_MAX_STREAMS,
   SLOT_STREAM_OVERFLOW = SLOT_PRIMITIVES_WRITTEN + PITOT_MAX_STREAMS,
   SLOT_STATISTICS = SLOT_STREAM_OVERFLOW + PITOT_MAX_STREAMS,
};

static_assert(SLOT_STATISTICS + PITOT_STATISTIC_COUNT == PITOT_SLOT_COUNT,
              "PITOT_SLOT_COUNT of pitot/kind.h lacks a slot");

#define KIND(KIND, NAME, SLOT, ...)                                          \
   [PITOT_KIND_##KIND] = { .name = NAME, .slot = SLOT, __VA_ARGS__ }

#define COUNTER(NAME, DESCRIPTION)                                           \
   .counter_name = NAME, .counter_description = DESCRIPTION

#define STATISTIC(STATISTIC, NAME, ...)                                      \
   KIND(STATISTIC, NAME,                                                     \
        SLOT_STATISTICS + PITOT_KIND_##STATISTIC -                           \
           PITOT_KIND_FIRST_STATISTIC,                                       \
        COUNTER(__VA_ARGS__))

const struct pitot_kind_info pitot_kinds[PITOT_KIND_COUNT] = {
   /* "Only a single type of occlusion query can be active at one time"
    * (OpenGL 4.6 core, 4.2.1), hence one slot for three kinds.
    */
   KIND(SAMPLES_PASSED, "samples-passed", SLOT_OCCLUSION,
        .is_condition = true),
   KIND(ANY_SAMPLES_PASSED, "any-samples-passed", SLOT_OCCLUSION,
        .is_boolean = true, .is_condition = true),
   KIND(ANY_SAMPLES_PASSED_CONSERVATIVE, "any-samples-passed-conservative",
        SLOT_OCCLUSION, .is_boolean = true, .is_condition = true),

   KIND(PRIMITIVES_GENERATED, "primitives-generated",
        SLOT_PRIMITIVES_GENERATED, .is_indexed = true,
        COUNTER("Primitives Generated",
                "Primitives that reached transform feedback, or would have. "
                "Unit: primitives.")),
   KIND(PRIMITIVES_WRITTEN, "primitives-written", SLOT_PRIMITIVES_WRITTEN,
        .is_indexed = true,
        COUNTER("Primitives Written",
                "Primitives that transform feedback wrote. "
                "Unit: primitives.")),
   KIND(STREAM_OVERFLOW, "stream-overflow", SLOT_STREAM_OVERFLOW,
        .is_indexed = true, .is_boolean = true, .is_condition = true),
   KIND(ANY_STREAM_OVERFLOW, "any-stream-overflow", SLOT_ANY_STREAM_OVERFLOW,
        .is_boolean = true, .is_condition = true),

   KIND(TIME_ELAPSED, "time-elapsed", SLOT_TIME_ELAPSED, .is_time = true),
   KIND(TIMESTAMP, "timestamp", PITOT_SLOT_COUNT, .is_instant = true,
        .is_time = true),

   STATISTIC(VERTICES_SUBMITTED, "vertices-submitted", "Vertices Submitted",
             "Vertices transferred to the GL. Unit: vertices."),
   STATISTIC(PRIMITIVES_SUBMITTED, "primitives-submitted",
             "Primitives Submitted",
             "Primitives transferred to the GL. Unit: primitives."),
   STATISTIC(VS_INVOCATIONS, "vs-invocations", "Vertex Shader Invocations",
             "Times that a vertex shader ran. Unit: invocations."),
   STATISTIC(TCS_PATCHES, "tcs-patches", "Tessellation Control Patches",
             "Patches that a tessellation control shader processed. Unit: "
             "patches."),
   STATISTIC(TES_INVOCATIONS, "tes-invocations",
             "Tessellation Evaluation Invocations",
             "Times that a tessellation evaluation shader ran. Unit: "
             "invocations."),
   STATISTIC(GS_INVOCATIONS, "gs-invocations", "Geometry Shader Invocations",
             "Times that a geometry shader ran. Unit: invocations."),
   STATISTIC(GS_PRIMITIVES, "gs-primitives", "Geometry Shader Primitives",
             "Primitives that geometry shaders emitted. Unit: primitives."),
   STATISTIC(FS_INVOCATIONS, "fs-invocations", "Fragment Shader Invocations",
             "Times that a fragment shader ran. Unit: invocations."),
   STATISTIC(CS_INVOCATIONS, "cs-invocations", "Compute Shader Invocations",
             "Times that a compute shader ran. Unit: invocations."),
   STATISTIC(CLIPPING_INPUT, "clipping-input", "Clipping Input Primitives",
             "Primitives that reached clipping. Unit: primitives."),
   STATISTIC(CLIPPING_OUTPUT, "clipping-output", "Clipping Output Primitives",
             "Primitives that clipping let through. Unit: primitives."),
   STATISTIC(TS_INVOCATIONS, "ts-invocations", "Task Shader Invocations",
             "Times that a task shader ran. Unit: invocations."),
   STATISTIC(MS_INVOCATIONS, "ms-invocations", "Mesh Shader Invocations",
             "Times that a mesh shader ran. Unit: invocations."),
   STATISTIC(MS_PRIMITIVES, "ms-primitives", "Mesh Primitives Generated",
             "Primitives that mesh shaders emitted and nothing culled. Unit: "
             "primitives."),
};
