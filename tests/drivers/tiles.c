/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Drivers that render in tiles, and keep a batch for each framebuffer. */

#include "defects.h"

/* Several tiles on any GPU. */
#define SIZE 2048

/* A clear makes the driver render in tiles. */
static GLuint
bind_large_framebuffer(void)
{
   const GLuint framebuffer = gl_make_framebuffer(GL_RGBA8, SIZE).framebuffer;

   glClear(GL_COLOR_BUFFER_BIT);
   return framebuffer;
}

static GLuint
current(GLenum binding)
{
   GLint name;

   glGetIntegerv(binding, &name);
   return (GLuint)name;
}

void
vertices_of_tiles_count_once(void)
{
   bind_large_framebuffer();
   expect(count(GL_VERTICES_SUBMITTED, 3), 3);
}

/* In most tiles the last draw is not visible. */
void
samples_outlast_the_last_draw_of_a_tile(void)
{
   const uint64_t samples = 1000000;

   sim_set("draw.samples", samples);
   bind_large_framebuffer();
   const GLuint query = begin(GL_SAMPLES_PASSED);
   draw_point();
   glEnable(GL_SCISSOR_TEST);
   glScissor(SIZE - 16, SIZE - 16, 16, 16);
   draw_point();
   glEndQuery(GL_SAMPLES_PASSED);
   expect(result64_of(query), 2 * samples);
}

/* Draws a point or patch with transform feedback.  Patches have a varying,
 * because freedreno divides by the size of all varyings
 * (src/mesa/fixes/freedreno-patches-without-varyings.patch).
 */
static void
capture(bool is_patch)
{
   static const char *const captured = "gl_Position";
   const GLuint draw_program = current(GL_CURRENT_PROGRAM);
   const GLuint program = glCreateProgram();

   gl_attach(program, GL_VERTEX_SHADER, "#version 330\n",
             "out vec4 position;\n"
             "void main() {\n"
             "   gl_Position = position = vec4(0, 0, 0, gl_VertexID + 1);\n"
             "}\n");
   if (is_patch)
      gl_attach(program, GL_TESS_EVALUATION_SHADER, "#version 330\n",
                "#extension GL_ARB_tessellation_shader : require\n"
                "layout(triangles, point_mode) in;\n"
                "in vec4 position[];\n"
                "void main() { gl_Position = position[0]; }\n");
   glTransformFeedbackVaryings(program, 1, &captured, GL_INTERLEAVED_ATTRIBS);
   glUseProgram(gl_link(program));
   gl_make_buffer_at(GL_TRANSFORM_FEEDBACK_BUFFER, 0, SIZE);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(is_patch ? GL_PATCHES : GL_POINTS, 0, is_patch ? 3 : 1);
   glEndTransformFeedback();
   glUseProgram(draw_program);
}

/* A framebuffer's batch continues after draws to another framebuffer. */
void
feedback_ends_in_all_framebuffers(void)
{
   const GLuint framebuffer = current(GL_DRAW_FRAMEBUFFER_BINDING);

   capture(false);
   bind_large_framebuffer();
   draw_point();
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   expect(count(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 1), 0);
}

/* Registers stay set after the batch. */
void
feedback_of_patches_ends(void)
{
   capture(true);
   glFlush();
   count(GL_SAMPLES_PASSED, 1);
}

/* Much more work takes much longer. */
static void
expect_growth(uint64_t one_ns, uint64_t many_ns)
{
   expect_least(one_ns, 1);
   expect_least(many_ns, 10 * one_ns + 1);
}

static uint64_t
time_between(GLuint before, GLuint after)
{
   const uint64_t after_ns = result64_of(after);
   const uint64_t before_ns = result64_of(before);
   return after_ns > before_ns ? after_ns - before_ns : 0;
}

static void
draw_points(unsigned draws)
{
   for (unsigned i = 0; i < draws; i++)
      draw_point();
}

/* Times draws on two framebuffers between timestamps; 0 if time went back. */
static uint64_t
time_framebuffers(unsigned draws)
{
   const GLuint before = make_timestamp();

   bind_large_framebuffer();
   draw_points(draws);
   bind_large_framebuffer();
   draw_point();
   return time_between(before, make_timestamp());
}

/* OpenGL 4.6 core, 4.3: "when all commands prior [...] have been fully
 * executed".
 */
void
timestamps_come_after_all_framebuffers(void)
{
   sim_set("draw.ticks", 1000000);
   const uint64_t one_ns = time_framebuffers(1);
   expect_growth(one_ns, time_framebuffers(400));
}

/* A fence that is not flushed may be all that orders two framebuffers: the
 * clear goes to one that must be submitted first.  With u_threaded_context
 * all fences are flushed.
 */
void
fences_leave_clears(void)
{
   const GLuint framebuffer = current(GL_DRAW_FRAMEBUFFER_BINDING);

   draw_point();
   bind_large_framebuffer();
   const GLuint before = measure(GL_SAMPLES_PASSED, 1);
   glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);

   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   const GLuint after = begin(GL_SAMPLES_PASSED);
   glClear(GL_COLOR_BUFFER_BIT);
   draw_point();
   glEndQuery(GL_SAMPLES_PASSED);
   expect(result64_of(after), 1);
   expect(result64_of(before), 1);
}

/* Times draws on another framebuffer, which a fence orders. */
static uint64_t
time_fence(unsigned draws)
{
   const GLuint framebuffer = current(GL_DRAW_FRAMEBUFFER_BINDING);

   draw_point();
   const GLuint before = make_timestamp();
   bind_large_framebuffer();
   draw_points(draws);
   glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   draw_point();
   return time_between(before, make_timestamp());
}

/* The fence orders the other framebuffer's draws after the first's. */
void
timestamps_come_after_fences(void)
{
   sim_set("draw.ticks", 1000000);
   const uint64_t many_ns = time_fence(400);
   expect_growth(time_fence(1), many_ns);
}

/* Work in batches of their own, on drivers that have such batches. */

static void
blit(void)
{
   static GLuint framebuffers[2];
   const GLuint framebuffer = current(GL_DRAW_FRAMEBUFFER_BINDING);

   for (unsigned i = 0; i < 2 && framebuffers[i] == 0; i++)
      framebuffers[i] = bind_large_framebuffer();
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

   if (buffer == 0)
      buffer =
         gl_make_buffer(GL_COPY_WRITE_BUFFER, SIZE, NULL, GL_STATIC_COPY);
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
time_work(void (*work)(void), unsigned repeats)
{
   work();
   draw_point();
   const GLuint before = make_timestamp();
   for (unsigned i = 0; i < repeats; i++)
      work();
   return time_between(before, make_timestamp());
}

static void
expect_time(void (*work)(void))
{
   const uint64_t one_ns = time_work(work, 1);
   expect_growth(one_ns, time_work(work, 100));
}

void
timestamps_come_after_blits(void)
{
   expect_time(blit);
}

void
timestamps_come_after_clears(void)
{
   expect_time(clear_buffer);
   expect_time(clear_texture);
}
