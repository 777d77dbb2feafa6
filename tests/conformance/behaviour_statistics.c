/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "behaviour.h"

static const struct {
   const char *name;
   GLenum target;
} statistics[] = {
   { "VERTICES_SUBMITTED", GL_VERTICES_SUBMITTED },
   { "PRIMITIVES_SUBMITTED", GL_PRIMITIVES_SUBMITTED },
   { "VERTEX_SHADER_INVOCATIONS", GL_VERTEX_SHADER_INVOCATIONS },
   { "TESS_CONTROL_SHADER_PATCHES", GL_TESS_CONTROL_SHADER_PATCHES },
   { "TESS_EVALUATION_SHADER_INVOCATIONS",
     GL_TESS_EVALUATION_SHADER_INVOCATIONS },
   { "GEOMETRY_SHADER_INVOCATIONS", GL_GEOMETRY_SHADER_INVOCATIONS },
   { "GEOMETRY_SHADER_PRIMITIVES_EMITTED",
     GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED },
   { "FRAGMENT_SHADER_INVOCATIONS", GL_FRAGMENT_SHADER_INVOCATIONS },
   { "COMPUTE_SHADER_INVOCATIONS", GL_COMPUTE_SHADER_INVOCATIONS },
   { "CLIPPING_INPUT_PRIMITIVES", GL_CLIPPING_INPUT_PRIMITIVES },
   { "CLIPPING_OUTPUT_PRIMITIVES", GL_CLIPPING_OUTPUT_PRIMITIVES },
};

#define MAX_COUNT ARRAY_LENGTH(statistics)

/* Returns how many of them this context has. */
static unsigned
find_targets(GLenum targets_out[MAX_COUNT])
{
   unsigned count = 0;

   for (unsigned i = 0; i < MAX_COUNT; i++) {
      if (!real_gl_obstacle(statistics[i].name))
         targets_out[count++] = statistics[i].target;
   }
   return count;
}

/* Draws so many points, and waits, so that all that there is to count of them
 * depends on their number alone.
 */
static void
draw(unsigned count)
{
   real_gl_draw_points(count);
   glFinish();
}

static GLuint
measure_alone(GLenum target, unsigned count)
{
   const GLuint id = generate();

   gl.BeginQuery(target, id);
   draw(count);
   gl.EndQuery(target);
   return result_of(id);
}

static void
points_count_as_vertices(void)
{
   assert_int_equal(measure_alone(GL_VERTICES_SUBMITTED, 7), 7);
   assert_int_equal(measure_alone(GL_PRIMITIVES_SUBMITTED, 7), 7);
   assert_true(measure_alone(GL_VERTEX_SHADER_INVOCATIONS, 7) >= 7);
   assert_true(measure_alone(GL_FRAGMENT_SHADER_INVOCATIONS, 7) >= 7);
}

static void
all_at_once_as_each_alone(void)
{
   GLenum targets[MAX_COUNT];
   GLuint ids[MAX_COUNT];
   const unsigned count = find_targets(targets);

   gl.GenQueries(count, ids);
   for (unsigned i = 0; i < count; i++)
      gl.BeginQuery(targets[i], ids[i]);
   draw(9);
   for (unsigned i = 0; i < count; i++)
      gl.EndQuery(targets[i]);
   draw(3);
   for (unsigned i = 0; i < count; i++)
      assert_int_equal(result_of(ids[i]), measure_alone(targets[i], 9));
}

/* Begun one after the other, and ended in that order. */
static void
check_pair(GLenum first, GLenum second)
{
   const GLuint a = generate(), b = generate();

   gl.BeginQuery(first, a);
   draw(1);
   gl.BeginQuery(second, b);
   draw(2);
   gl.EndQuery(first);
   draw(4);
   gl.EndQuery(second);
   assert_int_equal(result_of(a),
                    measure_alone(first, 1) + measure_alone(first, 2));
   assert_int_equal(result_of(b),
                    measure_alone(second, 2) + measure_alone(second, 4));
}

static void
each_pair_overlaps(void)
{
   GLenum targets[MAX_COUNT];
   const unsigned count = find_targets(targets);

   for (unsigned i = 0; i < count; i++) {
      for (unsigned j = 0; j < count; j++) {
         if (i != j)
            check_pair(targets[i], targets[j]);
      }
   }
}

const struct behaviour behaviours_of_statistics[] = {
   { "statistics: what points count as", "ARB_pipeline_statistics_query",
     IN_DESKTOP, "VERTICES_SUBMITTED", points_count_as_vertices },
   { "statistics: all at once count as each alone",
     "ARB_pipeline_statistics_query", IN_DESKTOP, "VERTICES_SUBMITTED",
     all_at_once_as_each_alone },
   { "statistics: each pair overlaps", "ARB_pipeline_statistics_query",
     IN_DESKTOP, "VERTICES_SUBMITTED", each_pair_overlaps },
   { .name = NULL },
};
