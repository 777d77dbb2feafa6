/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * EXT_mesh_shader: what draws of task and mesh shaders count.
 */

#include "behaviour.h"

#ifndef GL_EXT_mesh_shader /* in older headers */
#define GL_MESH_SHADER_EXT 0x9559
#define GL_TASK_SHADER_EXT 0x955A
#endif

/* Of each group of tasks, and of each group of a mesh shader. */
#define TASKS      2
#define GROUPS     3
#define MESHES     4
#define PRIMITIVES 2

#define TASK_SHADER                                                          \
   "layout(local_size_x = 2) in;\n"                                          \
   "void main() { EmitMeshTasksEXT(3u, 1u, 1u); }\n"

/* A rectangle of everything. */
#define MESH_SHADER                                                          \
   "layout(local_size_x = 4) in;\n"                                          \
   "layout(triangles, max_vertices = 4, max_primitives = 2) out;\n"          \
   "void main()\n"                                                           \
   "{\n"                                                                     \
   "   uint i = gl_LocalInvocationIndex;\n"                                  \
   "   vec2 corner = vec2(float(i & 1u), float(i >> 1u));\n"                 \
   "   SetMeshOutputsEXT(4u, 2u);\n"                                         \
   "   gl_MeshVerticesEXT[i].gl_Position =\n"                                \
   "      vec4(2.0 * corner - 1.0, 0.0, 1.0);\n"                             \
   "   if (i < 2u)\n"                                                        \
   "      gl_PrimitiveTriangleIndicesEXT[i] = uvec3(i, i + 1u, 2u + i);\n"   \
   "}\n"

/* Not on ES: Mesa 26.2 links no mesh shader to a fragment shader there. */
static void
use_meshes(bool has_tasks)
{
   static const char version[] =
      "#version 450\n#extension GL_EXT_mesh_shader : require\n";
   const GLuint program = glCreateProgram();

   if (has_tasks)
      gl_attach(program, GL_TASK_SHADER_EXT, version, TASK_SHADER);
   gl_attach(program, GL_MESH_SHADER_EXT, version, MESH_SHADER);
   gl_attach(program, GL_FRAGMENT_SHADER, version, GL_WHITE);
   glUseProgram(gl_link(program));
}

static void
draw_meshes(unsigned groups)
{
   void (*draw_mesh_tasks)(GLuint x, GLuint y, GLuint z);

   *(void (**)(void)) & draw_mesh_tasks =
      eglGetProcAddress("glDrawMeshTasksEXT");
   assert_non_null(draw_mesh_tasks);
   draw_mesh_tasks(groups, 1, 1);
}

static GLuint
measure_meshes(GLenum target, unsigned groups)
{
   const GLuint id = begin(target);

   draw_meshes(groups);
   return end(target, id);
}

static void
invocations_of_groups_count(void)
{
   use_meshes(true);
   assert_int_equal(measure_meshes(GL_TASK_SHADER_INVOCATIONS_EXT, 5),
                    5 * TASKS);
   assert_int_equal(measure_meshes(GL_MESH_SHADER_INVOCATIONS_EXT, 5),
                    5 * GROUPS * MESHES);
   use_meshes(false);
   assert_int_equal(measure_meshes(GL_TASK_SHADER_INVOCATIONS_EXT, 5), 0);
   assert_int_equal(measure_meshes(GL_MESH_SHADER_INVOCATIONS_EXT, 5),
                    5 * MESHES);
}

static GLint
bits_of(GLenum target)
{
   GLint bits = -1;

   gl.GetQueryiv(target, GL_QUERY_COUNTER_BITS, &bits);
   return bits;
}

/* "if the number of bits is non-zero, the minimum ... is 32" */
static void
counters_have_bits(void)
{
   static const GLenum targets[] = { EACH_MESH_STATISTIC(TARGET_GL) };

   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++) {
      const GLint bits = bits_of(targets[i]);

      assert_true(bits == 0 || (bits >= 32 && bits <= 64));
   }
}

/* Without bits, nothing is counted. */
static void
primitives_of_groups_count(void)
{
   const bool is_counted = bits_of(GL_MESH_PRIMITIVES_GENERATED_EXT) != 0;

   for (unsigned has_tasks = 0; has_tasks < 2; has_tasks++) {
      const unsigned groups = 5 * (has_tasks ? GROUPS : 1);

      use_meshes(has_tasks);
      assert_int_equal(measure_meshes(GL_MESH_PRIMITIVES_GENERATED_EXT, 5),
                       is_counted ? groups * PRIMITIVES : 0);
   }
}

static void
queries_overlap(void)
{
   use_meshes(true);
   draw_meshes(1);
   const GLuint tasks = begin(GL_TASK_SHADER_INVOCATIONS_EXT);
   draw_meshes(1);
   const GLuint meshes = begin(GL_MESH_SHADER_INVOCATIONS_EXT);
   draw_meshes(2);
   gl.EndQuery(GL_TASK_SHADER_INVOCATIONS_EXT);
   draw_meshes(4);
   gl.EndQuery(GL_MESH_SHADER_INVOCATIONS_EXT);
   draw_meshes(8);
   assert_int_equal(result_of(tasks), (1 + 2) * TASKS);
   assert_int_equal(result_of(meshes), (2 + 4) * GROUPS * MESHES);
}

static void
vertices_do_not_count(void)
{
   const GLuint tasks = begin(GL_TASK_SHADER_INVOCATIONS_EXT);
   const GLuint meshes = begin(GL_MESH_SHADER_INVOCATIONS_EXT);
   const GLuint primitives = begin(GL_MESH_PRIMITIVES_GENERATED_EXT);

   real_gl_draw_points(7);
   assert_int_equal(end(GL_TASK_SHADER_INVOCATIONS_EXT, tasks), 0);
   assert_int_equal(end(GL_MESH_SHADER_INVOCATIONS_EXT, meshes), 0);
   assert_int_equal(end(GL_MESH_PRIMITIVES_GENERATED_EXT, primitives), 0);
}

static void
statistics_count_meshes(void)
{
   use_meshes(true);
   assert_true(measure_meshes(GL_FRAGMENT_SHADER_INVOCATIONS, 1) > 0);
   assert_int_equal(measure_meshes(GL_VERTEX_SHADER_INVOCATIONS, 1), 0);
}

#define ALL_TARGETS                                                          \
   "TASK_SHADER_INVOCATIONS_EXT MESH_SHADER_INVOCATIONS_EXT "                \
   "MESH_PRIMITIVES_GENERATED_EXT"

const struct behaviour behaviours_of_meshes[] = {
   { "mesh: invocations of work groups", EMS, IN_DESKTOP,
     ALL_TARGETS " rendered", invocations_of_groups_count },
   { "mesh: bits of the counters", EMS, IN_DESKTOP | IN_ES3,
     ALL_TARGETS " counter", counters_have_bits },
   { "mesh: primitives of work groups", EMS, IN_DESKTOP,
     ALL_TARGETS " rendered", primitives_of_groups_count },
   { "mesh: queries overlap", EMS, IN_DESKTOP, ALL_TARGETS " rendered",
     queries_overlap },
   { "mesh: draws of vertices do not count", EMS, IN_DESKTOP | IN_ES3,
     ALL_TARGETS, vertices_do_not_count },
   { "mesh: other statistics count them", EMS, IN_DESKTOP,
     ALL_TARGETS " FRAGMENT_SHADER_INVOCATIONS rendered",
     statistics_count_meshes },
   { .name = NULL },
};
