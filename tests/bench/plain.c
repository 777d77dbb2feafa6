/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A frame without queries, which runs the code that the patches of
 * src/mesa/fixes change, as far as such a program reaches it.
 */

#include <stdlib.h>

#include "bench.h"

#define FRAMES  10
#define DRAWS   10 /* in one framebuffer */
#define TARGETS 2
#define SIZE    64 /* a framebuffer of one llvmpipe bin */

/* Primitives in a corner, without buffers; four vertices: a rectangle. */
#define VERTEX_SHADER                                                        \
   "#version 150\n"                                                          \
   "out vec4 captured;\n"                                                    \
   "out vec4 captured_apart;\n"                                              \
   "void main()\n"                                                           \
   "{\n"                                                                     \
   "   vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"             \
   "   captured = captured_apart = vec4(corner, 0.0, 1.0);\n"                \
   "   gl_Position = vec4(corner - 1.0, 0.0, 1.0);\n"                        \
   "}\n"

#define FRAGMENT_SHADER                                                      \
   "#version 150\n"                                                          \
   "out vec4 color;\n"                                                       \
   "void main()\n"                                                           \
   "{\n"                                                                     \
   "   color = vec4(1.0);\n"                                                 \
   "}\n"

/* Stages read their inputs: stock freedreno divides by their size. */
#define CONTROL_SHADER                                                       \
   "#version 150\n"                                                          \
   "#extension GL_ARB_tessellation_shader : require\n"                       \
   "layout(vertices = 3) out;\n"                                             \
   "in vec4 captured[];\n"                                                   \
   "out vec4 corner[];\n"                                                    \
   "void main()\n"                                                           \
   "{\n"                                                                     \
   "   corner[gl_InvocationID] = captured[gl_InvocationID];\n"               \
   "   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 1.0;\n"                 \
   "   gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1.0;\n"                 \
   "}\n"

#define EVALUATION_SHADER                                                    \
   "#version 150\n"                                                          \
   "#extension GL_ARB_tessellation_shader : require\n"                       \
   "layout(triangles) in;\n"                                                 \
   "in vec4 corner[];\n"                                                     \
   "void main()\n"                                                           \
   "{\n"                                                                     \
   "   gl_Position = vec4(gl_TessCoord.xy - 1.0, corner[0].xw);\n"           \
   "}\n"

#define COMPUTE_SHADER                                                       \
   "#version 150\n"                                                          \
   "#extension GL_ARB_compute_shader : require\n"                            \
   "layout(local_size_x = 4) in;\n"                                          \
   "void main()\n"                                                           \
   "{\n"                                                                     \
   "}\n"

static GLuint program, capturing, tessellating, computing;
static GLuint framebuffers[TARGETS], captures[2], pixels;

static void
attach(GLuint to, GLenum type, const char *source)
{
   const GLuint shader = glCreateShader(type);

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glAttachShader(to, shader);
   glDeleteShader(shader);
}

static void
link_program(GLuint linked)
{
   GLint is_linked;

   glLinkProgram(linked);
   glGetProgramiv(linked, GL_LINK_STATUS, &is_linked);
   if (!is_linked) {
      fprintf(stderr, "pitot-bench: the program does not link\n");
      exit(1);
   }
}

static GLuint
make_program(bool captures_outputs)
{
   static const char *const names[] = { "captured", "captured_apart" };
   const GLuint made = glCreateProgram();

   attach(made, GL_VERTEX_SHADER, VERTEX_SHADER);
   attach(made, GL_FRAGMENT_SHADER, FRAGMENT_SHADER);
   if (captures_outputs)
      glTransformFeedbackVaryings(made, ARRAY_LENGTH(names), names,
                                  GL_SEPARATE_ATTRIBS);
   return made;
}

static void
make_programs(void)
{
   link_program(program = make_program(false));
   link_program(capturing = make_program(true));
   if (epoxy_has_gl_extension("GL_ARB_tessellation_shader")) {
      tessellating = make_program(false);
      attach(tessellating, GL_TESS_CONTROL_SHADER, CONTROL_SHADER);
      attach(tessellating, GL_TESS_EVALUATION_SHADER, EVALUATION_SHADER);
      link_program(tessellating);
      glPatchParameteri(GL_PATCH_VERTICES, 3);
   }
   if (epoxy_has_gl_extension("GL_ARB_compute_shader")) {
      computing = glCreateProgram();
      attach(computing, GL_COMPUTE_SHADER, COMPUTE_SHADER);
      link_program(computing);
   }
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
   GLuint array;

   make_programs();
   glGenFramebuffers(TARGETS, framebuffers);
   for (unsigned i = 0; i < TARGETS; i++)
      make_framebuffer(framebuffers[i]);
   glViewport(0, 0, SIZE, SIZE);
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   glGenBuffers(ARRAY_LENGTH(captures), captures);
   for (unsigned i = 0; i < ARRAY_LENGTH(captures); i++) {
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, captures[i]);
      glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 4096, NULL, GL_DYNAMIC_COPY);
   }
   glGenBuffers(1, &pixels);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, pixels);
   glBufferData(GL_PIXEL_PACK_BUFFER, 16 * SIZE * SIZE, NULL, GL_STREAM_READ);
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
