/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The state that draws of all GPUs depend on, and their counts by it.
 *
 * No shader of a draw runs, and nothing is rasterized.  So unknown are the
 * number of primitives that a geometry shader emits, that a patch is divided
 * into, and of fragments that pass their tests.  Indices are not read,
 * either, so there is no primitive restart.
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

/* A buffer of stream-out. */
struct sim_target {
   bool is_on;
   uint64_t size_B, offset_B;
   uint32_t stride_B;
   uint64_t offset_address; /* Intel: of the offset, or 0 */
};

struct sim_pipeline {
   enum sim_topology topology;
   unsigned patch_vertices;
   bool has_tessellation, has_geometry;
   unsigned emitted_corners; /* of primitives of the geometry shader */
   bool is_dropped;          /* before the clipper */
   bool is_rejected;         /* by the clipper */

   bool streams;        /* stream-out is on, into targets or none */
   uint8_t target_mask; /* the targets of stream 0 */
   struct sim_target targets[SIM_TARGET_COUNT];

   /* AMD: the operands of draws and dispatches in earlier packets. */
   uint32_t instances;
   uint32_t threads[3];
   uint64_t indirect_address;
   uint32_t opaque_B, opaque_stride_B;
};

/* Adds the counts of a draw, and advances in the targets. */
void
sim_add_draw(const struct sim *sim, struct sim_pipeline *pipeline,
             uint32_t vertices, uint32_t instances, struct sim_work *work);

#endif /* PITOT_SIM_DRAWS_H */
