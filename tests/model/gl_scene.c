/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include <epoxy/gl.h>

#include "gl_scene.h"
#include "gl_shader.h"

enum {
   FIRST_QUAD = 0, /* a strip of 4 */
   FIRST_HALF = 4,
   FIRST_OUTSIDE = 8,
   FIRST_TRIANGLES = 12, /* 6 of two triangles */
   FIRST_POINTS = 18,    /* 5 points */
   FIRST_MANY = 23,      /* 50 degenerate triangles */
   VERTEX_COUNT = FIRST_MANY + 3 * MANY,
};

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
      glBeginTransformFeedback(GL_POINTS);
      glDrawArrays(GL_POINTS, FIRST_POINTS, 5);
      glDisable(GL_SCISSOR_TEST);
   } else {
      glBeginTransformFeedback(GL_TRIANGLES);
      if (scene == SCENE_OVERFLOW)
         glDrawArrays(GL_TRIANGLES, FIRST_MANY, 3 * MANY);
      else
         glDrawArrays(GL_TRIANGLES, FIRST_TRIANGLES, 6);
   }
   glEndTransformFeedback();
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
draw_between(unsigned capability, unsigned first)
{
   glEnable(capability);
   glDrawArrays(GL_TRIANGLE_STRIP, first, 4);
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
   case SCENE_HALF:
      glDrawArrays(GL_TRIANGLE_STRIP, FIRST_HALF, 4);
      break;
   case SCENE_OUTSIDE:
      glDrawArrays(GL_TRIANGLE_STRIP, FIRST_OUTSIDE, 4);
      break;
   case SCENE_NOTHING:
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 0);
      break;
   case SCENE_SCISSORED:
      glScissor(0, 0, 0, 0);
      draw_between(GL_SCISSOR_TEST, FIRST_QUAD);
      break;
   case SCENE_MANY:
      glDrawArrays(GL_TRIANGLES, FIRST_MANY, 3 * MANY);
      break;
   case SCENE_INSTANCED:
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, FIRST_QUAD, 4, 3);
      break;
   case SCENE_POINTS:
   case SCENE_GEOMETRY:
      glDrawArrays(GL_POINTS, FIRST_POINTS, 5);
      break;
   case SCENE_DISCARDED:
      draw_between(GL_RASTERIZER_DISCARD, FIRST_QUAD);
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
      glDrawArrays(GL_PATCHES, FIRST_TRIANGLES, 6);
      break;
   case SCENE_COMPUTE:
      glDispatchCompute(2, 3, 1);
      break;
   default:
      glDrawArrays(GL_TRIANGLE_STRIP, FIRST_QUAD, 4);
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
   const unsigned plain = gl_program_make(kind, SCENE_QUAD);

   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      const bool has_own = i >= SCENE_FEEDBACK && info[i].is_there;

      scenes->programs[i] = has_own ? gl_program_make(kind, i) : plain;
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
