/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include <epoxy/gl.h>

#include "gl_scene.h"

enum {
   FIRST_QUAD = 0, /* a strip of 4 */
   FIRST_HALF = 4,
   FIRST_OUTSIDE = 8,
   FIRST_TRIANGLES = 12, /* 6 of two triangles */
   FIRST_POINTS = 18,    /* 5 points */
   FIRST_MANY = 23,      /* 50 degenerate triangles */
   VERTEX_COUNT = FIRST_MANY + 3 * MANY,
};

static const struct {
   GLenum mode;
   GLint first;
   GLsizei count;
} draws[SCENE_COUNT] = {
   [SCENE_QUAD] = { GL_TRIANGLE_STRIP, FIRST_QUAD, 4 },
   [SCENE_HALF] = { GL_TRIANGLE_STRIP, FIRST_HALF, 4 },
   [SCENE_OUTSIDE] = { GL_TRIANGLE_STRIP, FIRST_OUTSIDE, 4 },
   [SCENE_NOTHING] = { GL_TRIANGLE_STRIP, 0, 0 },
   [SCENE_SCISSORED] = { GL_TRIANGLE_STRIP, FIRST_QUAD, 4 },
   [SCENE_MANY] = { GL_TRIANGLES, FIRST_MANY, 3 * MANY },
   [SCENE_POINTS] = { GL_POINTS, FIRST_POINTS, 5 },
   [SCENE_DISCARDED] = { GL_TRIANGLE_STRIP, FIRST_QUAD, 4 },
   [SCENE_FEEDBACK] = { GL_TRIANGLES, FIRST_TRIANGLES, 6 },
   [SCENE_OVERFLOW] = { GL_TRIANGLES, FIRST_MANY, 3 * MANY },
   [SCENE_STREAMS] = { GL_POINTS, FIRST_POINTS, 5 },
   [SCENE_GEOMETRY] = { GL_POINTS, FIRST_POINTS, 5 },
   [SCENE_PATCHES] = { GL_PATCHES, FIRST_TRIANGLES, 6 },
};

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

/* The program of a scene, or the plain one if the scene has none. */
static unsigned
make_program(enum kind kind, enum scene scene)
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

#define VERTEX_B   16 /* of captured vertices */
#define CAPTURED_B 4096

static void
fill_vertices(float (*vertices)[2])
{
   static const float shapes[][2] = {
      { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 }, /* quad */
      { -1, -1 }, { 0, -1 }, { -1, 1 }, { 0, 1 }, /* half */
      { 2, 2 },   { 3, 2 },  { 2, 3 },  { 3, 3 }, /* outside */
      { -1, -1 }, { 1, -1 }, { -1, 1 }, { -1, 1 }, { 1, -1 }, { 1, 1 },
   };

   memcpy(vertices, shapes, sizeof(shapes));
   for (unsigned i = 0; i < 5; i++) {
      /* In the centers of pixels; not the pixel that is read. */
      vertices[FIRST_POINTS + i][0] = (2 * i + 1) / 16.0f;
      vertices[FIRST_POINTS + i][1] = 1 / 16.0f;
   }
   for (unsigned i = FIRST_MANY; i < VERTEX_COUNT; i++)
      vertices[i][0] = vertices[i][1] = 0;
}

static void
set_color(int location, unsigned color)
{
   glUniform4f(location, (color >> 8 & 15) / 15.0f, (color >> 4 & 15) / 15.0f,
               (color & 15) / 15.0f, 1);
}

static unsigned
make_blit_source(void)
{
   const unsigned framebuffer = gl_make_framebuffer(GL_RGBA4, 16).framebuffer;

   glClearColor((BLIT_COLOR >> 8 & 15) / 15.0f,
                (BLIT_COLOR >> 4 & 15) / 15.0f, (BLIT_COLOR & 15) / 15.0f, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   return framebuffer;
}

static void
draw(enum scene scene)
{
   glDrawArrays(draws[scene].mode, draws[scene].first, draws[scene].count);
}

static void
capture(const struct gl_scenes *scenes, enum scene scene)
{
   const unsigned buffer =
      scene == SCENE_OVERFLOW ? scenes->captured_little : scenes->captured;

   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   if (scene == SCENE_STREAMS) {
      glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 1, scenes->captured,
                        CAPTURED_B / 4, FEW_POINTS * VERTEX_B);
      glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 2, scenes->captured,
                        CAPTURED_B / 2, CAPTURED_B / 4);
      glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 3, scenes->captured,
                        CAPTURED_B / 4 * 3, CAPTURED_B / 4);
      /* zink on lavapipe rasterizes all streams, not only stream 0. */
      glScissor(0, 0, 0, 0);
      glEnable(GL_SCISSOR_TEST);
   }
   glBeginTransformFeedback(draws[scene].mode);
   draw(scene);
   glEndTransformFeedback();
   glDisable(GL_SCISSOR_TEST);
}

static void
blit(const struct gl_scenes *scenes)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, scenes->blit_source);
   glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT,
                     GL_NEAREST);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, scenes->framebuffer);
}

static void
draw_between(unsigned capability, enum scene scene)
{
   glEnable(capability);
   draw(scene);
   glDisable(capability);
}

static void
clear(unsigned color)
{
   glClearColor((color >> 8 & 15) / 15.0f, (color >> 4 & 15) / 15.0f,
                (color & 15) / 15.0f, 1);
   glClear(GL_COLOR_BUFFER_BIT);
}

void
gl_scene_draw(const struct gl_scenes *scenes, enum scene scene,
              unsigned color)
{
   glUseProgram(scenes->programs[scene]);
   if (scene != SCENE_COMPUTE)
      set_color(scenes->colors[scene], color);
   switch (scene) {
   case SCENE_SCISSORED:
      glScissor(0, 0, 0, 0);
      draw_between(GL_SCISSOR_TEST, scene);
      break;
   case SCENE_INSTANCED:
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, FIRST_QUAD, 4, 3);
      break;
   case SCENE_DISCARDED:
      draw_between(GL_RASTERIZER_DISCARD, scene);
      break;
   case SCENE_CLEAR:
      clear(color);
      break;
   case SCENE_BLIT:
      blit(scenes);
      break;
   case SCENE_FEEDBACK:
   case SCENE_OVERFLOW:
   case SCENE_STREAMS:
      capture(scenes, scene);
      break;
   case SCENE_PATCHES:
      glPatchParameteri(GL_PATCH_VERTICES, 3);
      draw(scene);
      break;
   case SCENE_COMPUTE:
      glDispatchCompute(2, 3, 1);
      break;
   default:
      draw(scene);
      break;
   }
}

void
gl_scenes_make(enum kind kind, const struct scene_info *info,
               struct gl_scenes *scenes)
{
   float vertices[VERTEX_COUNT][2];

   fill_vertices(vertices);
   glGetIntegerv(GL_FRAMEBUFFER_BINDING, (int *)&scenes->framebuffer);
   if (kind == KIND_CORE)
      gl_bind_vertex_array();
   gl_make_buffer(GL_ARRAY_BUFFER, sizeof(vertices), vertices,
                  GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   const unsigned plain = make_program(kind, SCENE_QUAD);

   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      const bool has_own = i >= SCENE_FEEDBACK && info[i].is_there;

      scenes->programs[i] = has_own ? make_program(kind, i) : plain;
      scenes->colors[i] = glGetUniformLocation(scenes->programs[i], "color");
   }
   if (info[SCENE_FEEDBACK].is_there) {
      scenes->captured =
         gl_make_buffer_at(GL_TRANSFORM_FEEDBACK_BUFFER, 0, CAPTURED_B);
      scenes->captured_little =
         gl_make_buffer_at(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                           FEW * 3 * VERTEX_B);
   }
   if (info[SCENE_BLIT].is_there)
      scenes->blit_source = make_blit_source();
   glBindFramebuffer(GL_FRAMEBUFFER, scenes->framebuffer);
   glDisable(GL_DITHER);
   /* Compiles shaders, so that no program waits for it. */
   for (unsigned i = 0; i < SCENE_COUNT; i++)
      if (info[i].is_there)
         gl_scene_draw(scenes, i, 0);
   glFinish();
}
