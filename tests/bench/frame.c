/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* A profiler's frames: each draw or pass is measured, and read a frame later.
 */

#include <string.h>

#include "bench.h"

#define FRAMES 4
#define DRAWS  1000 /* of a frame */
#define PASSES 100  /* of another frame */
#define POLLS  64

static GLuint framebuffers[2];

/* A triangle in a corner, without buffers. */
static const char vertex[] =
   "void main()\n"
   "{\n"
   "   vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
   "   gl_Position = vec4(corner - 1.0, 0.0, 1.0);\n"
   "}\n";

void
frame_init(const struct gl_context_kind *kind)
{
   glUseProgram(gl_link(gl_start_program(kind->glsl, vertex, GL_WHITE)));
   gl_bind_vertex_array();
   for (unsigned i = 0; i < ARRAY_LENGTH(framebuffers); i++)
      framebuffers[i] = gl_make_framebuffer(GL_RGBA4, 16).framebuffer;
}

static void
draw(void)
{
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void
read_results(const GLuint *names, unsigned count)
{
   GLuint result;

   for (unsigned i = 0; i < count; i++)
      glGetQueryObjectuiv(names[i], GL_QUERY_RESULT, &result);
}

/* Measures each draw or pass with the target, if there is one, and all
 * statistics.
 */
static void
run_frames(const struct bench *bench)
{
   GLenum targets[1 + STATISTIC_COUNT] = { bench->target };
   const unsigned first = bench->target != 0;
   const unsigned target_count =
      first + (bench->has_all_statistics ? STATISTIC_COUNT : 0);
   const unsigned measured = bench->count / FRAMES;
   const unsigned draws = bench->pass_draws ? bench->pass_draws : 1;
   const unsigned count = measured * target_count;

   memcpy(&targets[first], statistics, sizeof(statistics));
   for (unsigned frame = 0; frame < FRAMES; frame++) {
      const GLuint *name = &ids[frame % 2 * count];

      for (unsigned i = 0; i < measured; i++) {
         if (bench->pass_draws)
            glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[i % 2]);
         for (unsigned j = 0; j < target_count; j++)
            glBeginQuery(targets[j], *name++);
         for (unsigned j = 0; j < draws; j++)
            draw();
         for (unsigned j = 0; j < target_count; j++)
            glEndQuery(targets[j]);
      }
      glFlush();
      if (frame > 0)
         read_results(&ids[(frame + 1) % 2 * count], count);
   }
}

static void
run_draw_and_poll(const struct bench *bench)
{
   GLuint is_available;

   for (unsigned i = 0; i < POLLS; i++) {
      glBeginQuery(bench->target, ids[i]);
      draw();
      glEndQuery(bench->target);
      glGetQueryObjectuiv(ids[i], GL_QUERY_RESULT_AVAILABLE, &is_available);
   }
}

#define TIMER .es_extension = "GL_EXT_disjoint_timer_query"
#define STATISTICS                                                           \
   .gl_extension = "GL_ARB_pipeline_statistics_query", .is_desktop = true,   \
   .has_all_statistics = true

#define PASS .pass_draws = 10, .run = run_frames, .count = FRAMES * PASSES

/* tests/bench/run subtracts "a draw" and "a pass" from those that are
 * measured.
 */
const struct bench frame_benches[] = {
   { "a draw", .run = run_frames, .count = FRAMES * DRAWS },
   { "a draw, whether it is seen", GL_ANY_SAMPLES_PASSED, 2 * DRAWS,
     .run = run_frames, .count = FRAMES * DRAWS },
   { "a draw, timed", GL_TIME_ELAPSED, 2 * DRAWS, .run = run_frames,
     .count = FRAMES * DRAWS, TIMER },
   { "a draw, counted by eleven statistics", 0, 2 * DRAWS *STATISTIC_COUNT,
     .run = run_frames, .count = FRAMES * DRAWS, STATISTICS },
   { "a draw, timed and counted by eleven statistics", GL_TIME_ELAPSED,
     MAX_IDS, .run = run_frames, .count = FRAMES * DRAWS, STATISTICS },
   { "a pass", PASS },
   { "a pass, timed", GL_TIME_ELAPSED, 2 * PASSES, PASS, TIMER },
   { "a pass, counted by eleven statistics", 0, 2 * PASSES *STATISTIC_COUNT,
     PASS, STATISTICS },
   { "a pass, timed and counted by eleven statistics", GL_TIME_ELAPSED,
     2 * PASSES *(1 + STATISTIC_COUNT), PASS, STATISTICS },
   { "a draw, polled at once", GL_ANY_SAMPLES_PASSED, POLLS,
     .run = run_draw_and_poll, .count = POLLS },
};

const unsigned frame_bench_count = ARRAY_LENGTH(frame_benches);
