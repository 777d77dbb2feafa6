/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A frame without queries, which runs the code that the patches of
 * src/mesa/fixes change, as far as such a program reaches it.
 */

#include "bench.h"

#define FRAMES  10
#define DRAWS   10 /* in one framebuffer */
#define TARGETS 2
#define SIZE    64 /* a framebuffer of one llvmpipe bin */

/* Primitives in a corner, without buffers; four vertices: a rectangle. */
static const char vertex[] =
   "out vec4 captured;\n"
   "out vec4 captured_apart;\n"
   "void main()\n"
   "{\n"
   "   vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
   "   captured = captured_apart = vec4(corner, 0.0, 1.0);\n"
   "   gl_Position = vec4(corner - 1.0, 0.0, 1.0);\n"
   "}\n";

#define VERSION "#version 150\n"
#define TESSELLATION                                                         \
   VERSION "#extension GL_ARB_tessellation_shader : require\n"

/* Stages read their inputs: stock freedreno divides by their size. */
static const char control[] =
   "layout(vertices = 3) out;\n"
   "in vec4 captured[];\n"
   "out vec4 corner[];\n"
   "void main()\n"
   "{\n"
   "   corner[gl_InvocationID] = captured[gl_InvocationID];\n"
   "   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 1.0;\n"
   "   gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1.0;\n"
   "}\n";

static const char evaluation[] =
   "layout(triangles) in;\n"
   "in vec4 corner[];\n"
   "void main()\n"
   "{\n"
   "   gl_Position = vec4(gl_TessCoord.xy - 1.0, corner[0].xw);\n"
   "}\n";

static GLuint program, capturing, tessellating, computing;
static GLuint framebuffers[TARGETS];

static void
make_programs(void)
{
   static const char *const names[] = { "captured", "captured_apart" };

   program = gl_link(gl_start_program(VERSION, vertex, GL_WHITE));
   capturing = gl_start_program(VERSION, vertex, GL_WHITE);
   glTransformFeedbackVaryings(capturing, ARRAY_LENGTH(names), names,
                               GL_SEPARATE_ATTRIBS);
   gl_link(capturing);
   if (epoxy_has_gl_extension("GL_ARB_tessellation_shader")) {
      tessellating = gl_start_program(VERSION, vertex, GL_WHITE);
      gl_attach(tessellating, GL_TESS_CONTROL_SHADER, TESSELLATION, control);
      gl_attach(tessellating, GL_TESS_EVALUATION_SHADER, TESSELLATION,
                evaluation);
      gl_link(tessellating);
      glPatchParameteri(GL_PATCH_VERTICES, 3);
   }
   if (epoxy_has_gl_extension("GL_ARB_compute_shader"))
      computing = gl_make_compute_program("local_size_x = 4", "", "");
}

static void
make_framebuffer(GLuint name)
{
   GLuint color, depth;

   glGenTextures(1, &color);
   glBindTexture(GL_TEXTURE_2D, color);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA,
                GL_UNSIGNED_BYTE, NULL);
   glGenRenderbuffers(1, &depth);
   glBindRenderbuffer(GL_RENDERBUFFER, depth);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, SIZE, SIZE);
   glBindFramebuffer(GL_FRAMEBUFFER, name);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                          color, 0);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT,
                             GL_RENDERBUFFER, depth);
}

void
plain_init(void)
{
   make_programs();
   glGenFramebuffers(TARGETS, framebuffers);
   for (unsigned i = 0; i < TARGETS; i++)
      make_framebuffer(framebuffers[i]);
   glViewport(0, 0, SIZE, SIZE);
   gl_bind_vertex_array();
   for (unsigned i = 0; i < 2; i++)
      gl_make_buffer_at(GL_TRANSFORM_FEEDBACK_BUFFER, i, 4096);
   gl_make_buffer(GL_PIXEL_PACK_BUFFER, 16 * SIZE * SIZE, NULL,
                  GL_STREAM_READ);
   glDepthFunc(GL_LEQUAL);
}

/* Clears all of a framebuffer, then a part. */
static void
clear(void)
{
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glEnable(GL_SCISSOR_TEST);
   glScissor(0, 0, SIZE / 4, SIZE / 4);
   glClear(GL_COLOR_BUFFER_BIT);
   glDisable(GL_SCISSOR_TEST);
}

static void
draw_frame(void)
{
   glUseProgram(program);
   for (unsigned i = 0; i < DRAWS; i++)
      glDrawArrays(GL_TRIANGLES, 0, 3);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glDrawArrays(GL_POINTS, 0, 3);
   glDrawArrays(GL_LINES, 0, 2);
   glEnable(GL_DEPTH_TEST);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glDisable(GL_DEPTH_TEST);
   if (tessellating) {
      glUseProgram(tessellating);
      glDrawArrays(GL_PATCHES, 0, 3);
   }
}

static void
capture(void)
{
   glUseProgram(capturing);
   glBeginTransformFeedback(GL_TRIANGLES);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glEndTransformFeedback();
   glUseProgram(program);
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void
dispatch(void)
{
   if (computing) {
      glUseProgram(computing);
      glDispatchCompute(1, 1, 1);
   }
}

/* With scaling and a conversion of the format. */
static void
copy(GLuint from, GLuint to)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE / 2, SIZE / 2,
                     GL_COLOR_BUFFER_BIT, GL_LINEAR);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, NULL);
}

static void
delete_buffer(void)
{
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glDeleteBuffers(1, &buffer);
}

static void
wait_for_frame(void)
{
   const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);

   glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, GL_TIMEOUT_IGNORED);
   glDeleteSync(fence);
}

static void
run(const struct bench *bench)
{
   for (unsigned frame = 0; frame < bench->count; frame++) {
      for (unsigned i = 0; i < TARGETS; i++) {
         glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[i]);
         clear();
         draw_frame();
      }
      capture();
      dispatch();
      copy(framebuffers[0], framebuffers[1]);
      delete_buffer();
      wait_for_frame();
   }
}

const struct bench plain_bench = {
   "a frame without queries",
   .run = run,
   .count = FRAMES,
   .is_desktop = true,
};
