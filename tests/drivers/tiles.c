/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Drivers that render in tiles, and keep a batch for each framebuffer. */

#include <stdlib.h>

#include "defects.h"
#include "gl_setup.h"

/* Several tiles on any GPU. */
#define SIZE 2048

/* A clear makes the driver render in tiles. */
static void
bind_large_framebuffer(void)
{
   GLuint framebuffer, renderbuffer;

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, renderbuffer);
   glViewport(0, 0, SIZE, SIZE);
   glClear(GL_COLOR_BUFFER_BIT);
}

bool
vertices_of_tiles_count_once(void)
{
   open_context();
   bind_large_framebuffer();
   return is_about(read_query(measure(GL_VERTICES_SUBMITTED_ARB, 3)), 3, 0);
}

/* In most tiles the last draw is not visible. */
bool
samples_outlast_the_last_draw_of_a_tile(void)
{
   const uint64_t samples = 1000000;

   open_context();
   const GLuint query = make_query();
   sim_set("draw.samples", samples);
   bind_large_framebuffer();
   glBeginQuery(GL_SAMPLES_PASSED, query);
   glDrawArrays(GL_POINTS, 0, 1);
   glEnable(GL_SCISSOR_TEST);
   glScissor(SIZE - 16, SIZE - 16, 16, 16);
   glDrawArrays(GL_POINTS, 0, 1);
   glEndQuery(GL_SAMPLES_PASSED);
   return is_about(read_query(query), 2 * samples, 0);
}

/* Draws a point or patch with transform feedback.  Patches have a varying,
 * because freedreno divides by the size of all varyings
 * (src/mesa/fixes/freedreno-patches-without-varyings.patch).
 */
static void
capture(bool is_patch)
{
   static const char *const source =
      "#version 330\n"
      "out vec4 position;\n"
      "void main() { gl_Position = position = vec4(0, 0, 0, gl_VertexID + 1); }\n";
   static const char *const evaluation =
      "#version 330\n"
      "#extension GL_ARB_tessellation_shader : require\n"
      "layout(triangles, point_mode) in;\n"
      "in vec4 position[];\n"
      "void main() { gl_Position = position[0]; }\n";
   static const char *const captured = "gl_Position";
   const GLuint program = glCreateProgram();
   GLuint buffer;

   gl_attach(program, GL_VERTEX_SHADER, source);
   if (is_patch)
      gl_attach(program, GL_TESS_EVALUATION_SHADER, evaluation);
   glTransformFeedbackVaryings(program, 1, &captured, GL_INTERLEAVED_ATTRIBS);
   glLinkProgram(program);
   glUseProgram(program);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, SIZE, NULL, GL_DYNAMIC_DRAW);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(is_patch ? GL_PATCHES : GL_POINTS, 0, is_patch ? 3 : 1);
   glEndTransformFeedback();
}

/* A framebuffer's batch continues after draws to another framebuffer. */
bool
feedback_ends_in_all_framebuffers(void)
{
   const GLenum written = GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN;
   GLint framebuffer, program;

   open_context();
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   capture(false);
   glUseProgram((GLuint)program);
   bind_large_framebuffer();
   glDrawArrays(GL_POINTS, 0, 1);
   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)framebuffer);
   return is_about(read_query(measure(written, 1)), 0, 0);
}

/* Registers stay set after the batch. */
bool
feedback_of_patches_ends(void)
{
   GLint program;

   open_context();
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   capture(true);
   glUseProgram((GLuint)program);
   glFlush();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   return is_about(sim_get("violation_count"), 0, 0);
}

/* Whether much more work takes much longer. */
static bool
grows(uint64_t one_ns, uint64_t many_ns)
{
   const bool is_right = one_ns > 0 && many_ns > 10 * one_ns;

   if (!is_right)
      printf("# %" PRIu64 ", %" PRIu64 "\n", one_ns, many_ns);
   return is_right;
}

/* Times draws on two framebuffers between timestamps; 0 if time went back. */
static uint64_t
time_framebuffers(unsigned draws)
{
   const GLuint before = make_query(), after = make_query();

   glQueryCounter(before, GL_TIMESTAMP);
   bind_large_framebuffer();
   for (unsigned i = 0; i < draws; i++)
      glDrawArrays(GL_POINTS, 0, 1);
   bind_large_framebuffer();
   glDrawArrays(GL_POINTS, 0, 1);
   glQueryCounter(after, GL_TIMESTAMP);
   const uint64_t after_ns = read_query(after);
   const uint64_t before_ns = read_query(before);
   return after_ns > before_ns ? after_ns - before_ns : 0;
}

/* OpenGL 4.6 core, 4.3: "when all commands prior [...] have been fully
 * executed".
 */
bool
timestamps_come_after_all_framebuffers(void)
{
   open_context();
   sim_set("draw.ticks", 1000000);
   const uint64_t one_ns = time_framebuffers(1);
   const uint64_t many_ns = time_framebuffers(400);

   return grows(one_ns, many_ns);
}

/* A fence that is not flushed may be all that orders two framebuffers: the
 * clear goes to one that must be submitted first.  With u_threaded_context
 * all fences are flushed.
 */
bool
fences_leave_clears(void)
{
   GLint framebuffer;

   setenv("GALLIUM_THREAD", "0", 1);
   open_context();
   const GLuint before = make_query(), after = make_query();
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
   glDrawArrays(GL_POINTS, 0, 1);
   bind_large_framebuffer();
   glBeginQuery(GL_SAMPLES_PASSED, before);
   glDrawArrays(GL_POINTS, 0, 1);
   glEndQuery(GL_SAMPLES_PASSED);
   glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);

   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)framebuffer);
   glBeginQuery(GL_SAMPLES_PASSED, after);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_POINTS, 0, 1);
   glEndQuery(GL_SAMPLES_PASSED);
   return is_about(read_query(after), 1, 0) &&
          is_about(read_query(before), 1, 0);
}

static GLuint
current_framebuffer(void)
{
   GLint framebuffer;

   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
   return (GLuint)framebuffer;
}

/* Times draws on another framebuffer, which a fence orders. */
static uint64_t
time_fence(unsigned draws)
{
   const GLuint before = make_query(), after = make_query();
   const GLuint framebuffer = current_framebuffer();

   glDrawArrays(GL_POINTS, 0, 1);
   glQueryCounter(before, GL_TIMESTAMP);
   bind_large_framebuffer();
   for (unsigned i = 0; i < draws; i++)
      glDrawArrays(GL_POINTS, 0, 1);
   glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glDrawArrays(GL_POINTS, 0, 1);
   glQueryCounter(after, GL_TIMESTAMP);
   return read_query(after) - read_query(before);
}

/* The fence orders the other framebuffer's draws after the first's. */
bool
timestamps_come_after_fences(void)
{
   setenv("GALLIUM_THREAD", "0", 1);
   open_context();
   sim_set("draw.ticks", 1000000);
   const uint64_t many_ns = time_fence(400);
   const uint64_t one_ns = time_fence(1);

   return grows(one_ns, many_ns);
}

/* Work in batches of their own, on drivers that have such batches. */

static void
blit(void)
{
   static GLuint framebuffers[2];
   const GLuint framebuffer = current_framebuffer();

   for (unsigned i = 0; i < 2 && framebuffers[i] == 0; i++) {
      bind_large_framebuffer();
      framebuffers[i] = current_framebuffer();
   }
   glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[1]);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT,
                     GL_NEAREST);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

static void
clear_buffer(void)
{
   static GLuint buffer;

   if (buffer == 0) {
      glGenBuffers(1, &buffer);
      glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
      glBufferData(GL_COPY_WRITE_BUFFER, SIZE, NULL, GL_STATIC_COPY);
   }
   glClearBufferData(GL_COPY_WRITE_BUFFER, GL_R8, GL_RED, GL_UNSIGNED_BYTE,
                     NULL);
}

static void
clear_texture(void)
{
   static GLuint texture;

   if (texture == 0) {
      glGenTextures(1, &texture);
      glBindTexture(GL_TEXTURE_2D, texture);
      glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, SIZE);
   }
   glClearTexImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
}

/* The work ran once before, so that only its time is measured. */
static uint64_t
time_work(void (*work)(void), unsigned count)
{
   const GLuint before = make_query(), after = make_query();

   work();
   glDrawArrays(GL_POINTS, 0, 1);
   glQueryCounter(before, GL_TIMESTAMP);
   for (unsigned i = 0; i < count; i++)
      work();
   glQueryCounter(after, GL_TIMESTAMP);
   return read_query(after) - read_query(before);
}

static bool
takes_time(void (*work)(void))
{
   const uint64_t one_ns = time_work(work, 1);
   const uint64_t many_ns = time_work(work, 100);

   return grows(one_ns, many_ns);
}

bool
timestamps_come_after_blits(void)
{
   open_context();
   return takes_time(blit);
}

bool
timestamps_come_after_clears(void)
{
   open_context();
   return takes_time(clear_buffer) && takes_time(clear_texture);
}
