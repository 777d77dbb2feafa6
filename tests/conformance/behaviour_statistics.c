/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "../test.h"
#include "behaviours.h"
#include "egl.h"
#include "measure.h"
#include "real_gl.h"

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
measure_alone(const struct entry_points *gl, GLenum target, unsigned count)
{
   const GLuint id = generate(gl);

   gl->BeginQuery(target, id);
   draw(count);
   gl->EndQuery(target);
   return result_of(gl, id);
}

void
points_count_as_vertices(const struct entry_points *gl)
{
   assert_int_equal(measure_alone(gl, GL_VERTICES_SUBMITTED, 7), 7);
   assert_int_equal(measure_alone(gl, GL_PRIMITIVES_SUBMITTED, 7), 7);
   assert_true(measure_alone(gl, GL_VERTEX_SHADER_INVOCATIONS, 7) >= 7);
   assert_true(measure_alone(gl, GL_FRAGMENT_SHADER_INVOCATIONS, 7) >= 7);
   assert_no_error();
}

void
all_at_once_as_each_alone(const struct entry_points *gl)
{
   GLenum targets[MAX_COUNT];
   GLuint ids[MAX_COUNT];
   const unsigned count = find_targets(targets);

   gl->GenQueries(count, ids);
   for (unsigned i = 0; i < count; i++)
      gl->BeginQuery(targets[i], ids[i]);
   draw(9);
   for (unsigned i = 0; i < count; i++)
      gl->EndQuery(targets[i]);
   draw(3);
   for (unsigned i = 0; i < count; i++)
      assert_int_equal(result_of(gl, ids[i]),
                       measure_alone(gl, targets[i], 9));
   assert_no_error();
}

/* Begun one after the other, and ended in that order. */
static void
check_pair(const struct entry_points *gl, GLenum first, GLenum second)
{
   const GLuint a = generate(gl), b = generate(gl);

   gl->BeginQuery(first, a);
   draw(1);
   gl->BeginQuery(second, b);
   draw(2);
   gl->EndQuery(first);
   draw(4);
   gl->EndQuery(second);
   assert_int_equal(result_of(gl, a), measure_alone(gl, first, 1) +
                                         measure_alone(gl, first, 2));
   assert_int_equal(result_of(gl, b), measure_alone(gl, second, 2) +
                                         measure_alone(gl, second, 4));
}

void
each_pair_overlaps(const struct entry_points *gl)
{
   GLenum targets[MAX_COUNT];
   const unsigned count = find_targets(targets);

   for (unsigned i = 0; i < count; i++) {
      for (unsigned j = 0; j < count; j++) {
         if (i != j)
            check_pair(gl, targets[i], targets[j]);
      }
   }
   assert_no_error();
}
