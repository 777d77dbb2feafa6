/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "scene.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "shader.h"

/* In each group of scenes one thing grows: first the triangles, then the
 * work per fragment, then the stages that a triangle passes through.
 */
/* clang-format off */
const struct scene scenes[SCENE_COUNT] = {
   /* name, about, kind, columns, rows, loops, groups */
   { "clear", "every pixel",
     SCENE_CLEAR, 0, 0, 0, 0 },
   { "2 triangles", "every pixel",
     SCENE_TRIANGLES, 1, 1, 0, 0 },
   { "1k triangles", "every pixel, 25 x 20 cells",
     SCENE_TRIANGLES, 25, 20, 0, 0 },
   { "100k triangles", "every pixel, 250 x 200 cells",
     SCENE_TRIANGLES, 250, 200, 0, 0 },
   { "heavy fragments", "2 triangles, 32 rounds a pixel",
     SCENE_TRIANGLES, 1, 1, 32, 0 },
   { "geometry shader", "1k triangles, each split in 4",
     SCENE_GEOMETRY, 25, 20, 0, 0 },
   { "tess shaders", "1k patches, split at level 8",
     SCENE_TESSELLATION, 25, 20, 0, 0 },
   { "compute shader", "32k threads, 100 rounds each",
     SCENE_COMPUTE, 0, 0, 100, 500 },
};
/* clang-format on */

bool
scene_supported(const struct context *ctx, const struct scene *scene)
{
   switch (scene->kind) {
   case SCENE_GEOMETRY:
      return ctx->api == API_GL; /* part of every core profile */
   case SCENE_TESSELLATION:
      return ctx->api == API_GL &&
             context_has(ctx, 40, "GL_ARB_tessellation_shader");
   case SCENE_COMPUTE:
      return ctx->api == API_GL &&
             context_has(ctx, 43, "GL_ARB_compute_shader") &&
             context_has(ctx, 43, "GL_ARB_shader_storage_buffer_object");
   default:
      return true;
   }
}

#define CELL_VERTICES 6
#define CELL_FLOATS   (2 * CELL_VERTICES)

/* Where a line of the grid lies, from -1 to 1. Two cells find the same place
 * for the line between them, to the last bit: no pixel falls in between.
 */
static float
grid_line(unsigned line, unsigned count)
{
   return 2.0f * line / count - 1.0f;
}

static void
put_cell(float *vertices, const struct scene *scene, unsigned column,
         unsigned row)
{
   const float left = grid_line(column, scene->columns);
   const float right = grid_line(column + 1, scene->columns);
   const float bottom = grid_line(row, scene->rows);
   const float top = grid_line(row + 1, scene->rows);
   const float cell[CELL_FLOATS] = {
      left,  bottom, right, bottom, left, top,
      right, bottom, right, top,    left, top,
   };
   memcpy(vertices, cell, sizeof(cell));
}

static void
upload_triangles(const struct scene *scene)
{
   const size_t size_B =
      (size_t)scene->columns * scene->rows * CELL_FLOATS * sizeof(float);
   float *vertices = malloc(size_B);
   if (!vertices)
      fail("out of memory");

   float *cell = vertices;
   for (unsigned row = 0; row < scene->rows; row++) {
      for (unsigned column = 0; column < scene->columns; column++) {
         put_cell(cell, scene, column, row);
         cell += CELL_FLOATS;
      }
   }
   glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size_B, vertices,
                GL_STATIC_DRAW);
   free(vertices);
}

struct loaded_scene
scene_load(const struct context *ctx, const struct scene *scene)
{
   struct loaded_scene loaded = {
      .scene = scene,
      .program = shader_program(ctx, scene),
   };

   glGenBuffers(1, &loaded.buffer);
   if (scene->kind == SCENE_COMPUTE) {
      glBindBuffer(GL_SHADER_STORAGE_BUFFER, loaded.buffer);
      glBufferData(GL_SHADER_STORAGE_BUFFER,
                   scene->groups * GROUP_SIZE * (GLsizeiptr)sizeof(float),
                   NULL, GL_DYNAMIC_COPY);
   } else if (scene->kind != SCENE_CLEAR) {
      glBindBuffer(GL_ARRAY_BUFFER, loaded.buffer);
      upload_triangles(scene);
   }
   context_check("loading a scene");
   return loaded;
}

void
scene_unload(struct loaded_scene *loaded)
{
   glDeleteProgram(loaded->program);
   glDeleteBuffers(1, &loaded->buffer);
   context_check("unloading a scene");
}

void
scene_prepare(const struct loaded_scene *loaded)
{
   glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);

   switch (loaded->scene->kind) {
   case SCENE_CLEAR:
      glClearColor(0.2f, 0.4f, 0.6f, 1.0f);
      return;
   case SCENE_COMPUTE:
      glUseProgram(loaded->program);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, loaded->buffer);
      return;
   case SCENE_TESSELLATION:
      glPatchParameteri(GL_PATCH_VERTICES, 3);
      break;
   default:
      break;
   }
   glUseProgram(loaded->program);
   glBindBuffer(GL_ARRAY_BUFFER, loaded->buffer);
   glVertexAttribPointer(POSITION_LOCATION, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(POSITION_LOCATION);
}

void
scene_draw(const struct loaded_scene *loaded)
{
   const struct scene *scene = loaded->scene;
   const GLsizei vertices =
      (GLsizei)(scene->columns * scene->rows * CELL_VERTICES);

   switch (scene->kind) {
   case SCENE_CLEAR:
      glClear(GL_COLOR_BUFFER_BIT);
      break;
   case SCENE_COMPUTE:
      glDispatchCompute(scene->groups, 1, 1);
      break;
   case SCENE_TESSELLATION:
      glDrawArrays(GL_PATCHES, 0, vertices);
      break;
   default:
      glDrawArrays(GL_TRIANGLES, 0, vertices);
      break;
   }
}
