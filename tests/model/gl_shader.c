/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "gl_shader.h"
#include "gl_setup.h"

static const char vertex_source[] =
   "in vec2 position;\n"
   "void main() { gl_Position = vec4(position, 0.0, 1.0);"
   " gl_PointSize = 1.0; }\n";

static const char fragment_source[] = "uniform vec4 color;\n"
                                      "void main() { painted = color; }\n";

/* Three degenerate triangles for each point. */
static const char geometry_source[] =
   "layout(points) in;\n"
   "layout(triangle_strip, max_vertices = 9) out;\n"
   "void main() {\n"
   "   for (int i = 0; i < 3; i++) {\n"
   "      for (int j = 0; j < 3; j++) {\n"
   "         gl_Position = vec4(4.0, 4.0, 0.0, 1.0);\n"
   "         EmitVertex();\n"
   "      }\n"
   "      EndPrimitive();\n"
   "   }\n"
   "}\n";

/* For each point 1, 2, 0 and 3 points on the four streams. */
static const char streams_source[] =
   "layout(points) in;\n"
   "layout(points, max_vertices = 6) out;\n"
   "layout(stream = 0) out vec4 out0;\n"
   "layout(stream = 1) out vec4 out1;\n"
   "layout(stream = 2) out vec4 out2;\n"
   "layout(stream = 3) out vec4 out3;\n"
   "void main() {\n"
   "   gl_Position = vec4(4.0, 4.0, 0.0, 1.0);\n"
   "   out0 = vec4(0.0); out2 = vec4(2.0);\n"
   "   EmitStreamVertex(0); EndStreamPrimitive(0);\n"
   "   for (int i = 0; i < 2; i++) {\n"
   "      out1 = vec4(1.0); EmitStreamVertex(1); EndStreamPrimitive(1);\n"
   "   }\n"
   "   for (int i = 0; i < 3; i++) {\n"
   "      out3 = vec4(3.0); EmitStreamVertex(3); EndStreamPrimitive(3);\n"
   "   }\n"
   "}\n";

static const char control_source[] =
   "layout(vertices = 3) out;\n"
   "void main() {\n"
   "   gl_out[gl_InvocationID].gl_Position ="
   " gl_in[gl_InvocationID].gl_Position;\n"
   "   gl_TessLevelInner[0] = 1.0;\n"
   "   gl_TessLevelOuter[0] = 1.0;\n"
   "   gl_TessLevelOuter[1] = 1.0;\n"
   "   gl_TessLevelOuter[2] = 1.0;\n"
   "}\n";

static const char evaluation_source[] =
   "layout(triangles) in;\n"
   "void main() { gl_Position = vec4(4.0, 4.0, 0.0, 1.0); }\n";

static const char compute_source[] = "layout(local_size_x = 4) in;\n"
                                     "void main() { }\n";

/* The outputs that transform feedback captures. */
static void
set_varyings(unsigned program, enum scene scene)
{
   static const char *const position[] = { "gl_Position" };
   static const char *const streams[] = {
      "out0", "gl_NextBuffer", "out1", "gl_NextBuffer",
      "out2", "gl_NextBuffer", "out3",
   };

   if (scene == SCENE_STREAMS)
      glTransformFeedbackVaryings(program, 7, streams,
                                  GL_INTERLEAVED_ATTRIBS);
   else if (scene == SCENE_FEEDBACK || scene == SCENE_OVERFLOW)
      glTransformFeedbackVaryings(program, 1, position,
                                  GL_INTERLEAVED_ATTRIBS);
}

static const char *
later_version(enum kind kind)
{
   return kind == KIND_ES3 ? "#version 320 es\n" : "#version 430\n";
}

static void
attach_more(unsigned program, enum kind kind, const char *version,
            enum scene scene)
{
   const bool is_es = kind == KIND_ES3;

   if (scene == SCENE_GEOMETRY)
      gl_attach(program, GL_GEOMETRY_SHADER, version, geometry_source);
   if (scene == SCENE_STREAMS)
      gl_attach(program, GL_GEOMETRY_SHADER, "#version 400\n",
                streams_source);
   if (scene == SCENE_PATCHES) {
      const char *later = is_es ? version : "#version 400\n";

      gl_attach(program, GL_TESS_CONTROL_SHADER, later, control_source);
      gl_attach(program, GL_TESS_EVALUATION_SHADER, later, evaluation_source);
   }
}

unsigned
gl_program_make(enum kind kind, enum scene scene)
{
   const bool has_more = scene == SCENE_GEOMETRY || scene == SCENE_PATCHES;
   /* Shaders of ES that are linked together have the same version. */
   const char *version = has_more && kind == KIND_ES3
                            ? later_version(kind)
                            : gl_context_kind_find(kind_names[kind])->glsl;
   unsigned program;

   if (scene == SCENE_COMPUTE) {
      program = glCreateProgram();
      gl_attach(program, GL_COMPUTE_SHADER,
                kind == KIND_ES3 ? "#version 310 es\n" : later_version(kind),
                compute_source);
   } else {
      program = gl_start_program(version, vertex_source, fragment_source);
      attach_more(program, kind, version, scene);
      set_varyings(program, scene);
   }
   return gl_link(program);
}
