/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "works.h"
#include "behaviour.h"

#define SIZE 128
#define TILE 16

/* Vertices of a triangle that covers everything, and of clipped triangles. */
#define COVER_VERTICES   3
#define CLIPPED_VERTICES 30000

/* Per part of a work. softpipe draws immediately, interprets shaders, and is
 * fifty times slower.
 */
static unsigned repeats;

static GLuint framebuffers[3];
static GLuint draw_program, compute_program;

static void
make_framebuffers(void)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(framebuffers); i++)
      framebuffers[i] = gl_make_framebuffer(GL_RGBA4, SIZE).framebuffer;
}

static void
make_vertices(void)
{
   static GLfloat positions[COVER_VERTICES + CLIPPED_VERTICES][2] = {
      { -1, -1 },
      { 3, -1 },
      { -1, 3 },
   };

   for (unsigned i = COVER_VERTICES; i < ARRAY_LENGTH(positions); i++) {
      positions[i][0] = 2 + i % 3;
      positions[i][1] = 2 + i % 2;
   }
   gl_make_buffer(GL_ARRAY_BUFFER, sizeof(positions), positions,
                  GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
}

static void
make_compute_program(void)
{
   compute_program =
      gl_make_compute_program("local_size_x = 64",
                              "layout(std430) buffer Cells { float cells[]; "
                              "};\n",
                              "float cell = float(gl_GlobalInvocationID.x);\n"
                              "for (int i = 0; i < 100; i++)\n"
                              "   cell = fract(cell * 1.7 + 0.1);\n"
                              "cells[gl_LocalInvocationID.x] = cell;\n");
   gl_make_buffer_at(GL_SHADER_STORAGE_BUFFER, 0, 64 * sizeof(GLfloat));
}

/* Blending keeps draws from hiding each other. */
static void
draw_pixels(void)
{
   for (unsigned i = 0; i < 16 * repeats; i++)
      glDrawArrays(GL_TRIANGLES, 0, COVER_VERTICES);
}

static void
draw_tile(void)
{
   glEnable(GL_SCISSOR_TEST);
   draw_pixels();
   glDisable(GL_SCISSOR_TEST);
}

static void
draw_vertices(void)
{
   for (unsigned i = 0; i < repeats; i++)
      glDrawArrays(GL_TRIANGLES, COVER_VERTICES, CLIPPED_VERTICES);
}

static void
draw_to_framebuffers(void)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(framebuffers); i++) {
      glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[i]);
      draw_pixels();
   }
}

static void
dispatch(void)
{
   glUseProgram(compute_program);
   for (unsigned i = 0; i < repeats; i++)
      glDispatchCompute(50, 1, 1);
   glUseProgram(draw_program);
}

static void
draw_and_dispatch(void)
{
   draw_pixels();
   dispatch();
   draw_pixels();
   dispatch();
}

void (*const works[WORKS])(void) = {
   draw_pixels,   draw_tile, draw_to_framebuffers,
   draw_vertices, dispatch,  draw_and_dispatch,
};

unsigned
works_prepare(void)
{
   const bool has_compute = !real_gl_obstacle("COMPUTE_SHADER_INVOCATIONS");
   const unsigned count = has_compute ? ARRAY_LENGTH(works) : 4;

   repeats = real_gl_obstacle("behind") ? 1 : 8;
   make_framebuffers();
   make_vertices();
   if (has_compute)
      make_compute_program();
   glScissor(0, 0, TILE, TILE);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   draw_program = real_gl_make_program(NULL);
   glUseProgram(draw_program);
   for (unsigned i = 0; i < count; i++)
      works[i]();
   glFinish();
   return count;
}
