/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The state that all GPUs' draws depend on, and their counts.
 *
 * No shader of a draw runs, and nothing is rasterized, so some numbers are
 * unknown: primitives from a geometry shader or a patch, and fragments that
 * pass their tests.  Indices are not read, so there is no primitive restart.
 */

#ifndef PITOT_SIM_DRAWS_H
#define PITOT_SIM_DRAWS_H

#include "sim.h"

#define SIM_TARGET_COUNT 4

enum sim_topology {
   SIM_NO_TOPOLOGY,
   SIM_POINTS,
   SIM_LINES,
   SIM_LINE_STRIP,
   SIM_LINE_LOOP,
   SIM_TRIANGLES,
   SIM_TRIANGLE_STRIP,
   SIM_TRIANGLE_FAN,
   SIM_QUADS,
   SIM_QUAD_STRIP,
   SIM_POLYGON,
   SIM_RECTANGLES,
   SIM_LINES_ADJACENT,
   SIM_LINE_STRIP_ADJACENT,
   SIM_TRIANGLES_ADJACENT,
   SIM_TRIANGLE_STRIP_ADJACENT,
   SIM_PATCHES,
   SIM_TOPOLOGY_COUNT,
};

/* A stream-out buffer. */
struct sim_target {
   bool is_on;
   uint64_t size_B, offset_B;
   uint32_t stride_B;
   uint64_t offset_address; /* Intel: where the offset is stored, or 0 */
};

struct sim_pipeline {
   enum sim_topology topology;
   unsigned patch_vertices;
   bool has_tessellation, has_geometry;
   unsigned emitted_corners; /* per primitive of the geometry shader */
   bool is_dropped;          /* by rasterizer discard, before the clipper */
   bool is_rejected;         /* at the clipper */

   bool streams;        /* stream-out is on, perhaps without targets */
   uint8_t target_mask; /* targets of stream 0 */
   struct sim_target targets[SIM_TARGET_COUNT];

   /* AMD: operands from earlier packets. */
   uint32_t instances;
   uint32_t threads[3];
   uint64_t indirect_address;
   uint32_t opaque_B, opaque_stride_B;
};

/* Counts a draw, and advances in the targets. */
void
sim_add_draw(const struct sim *sim, struct sim_pipeline *pipeline,
             uint32_t vertices, uint32_t instances, struct sim_work *work);

#endif /* PITOT_SIM_DRAWS_H */
