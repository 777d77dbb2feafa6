/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <stdlib.h>

/* The attribute of the vertex shader that has the position of a vertex. */
#define POSITION_LOCATION 0

/* Threads in a compute work group. */
#define GROUP_SIZE 64

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

/* The shaders are written for GLSL 3.30, from which GLSL ES 3.00 does not
 * differ here, and GLSL ES 1.00 only where __VERSION__ is asked for.
 */
static const char vertex_source[] =
   "#if __VERSION__ == 100\n"
   "attribute vec2 position;\n"
   "#else\n"
   "in vec2 position;\n"
   "#endif\n"
   "void main()\n"
   "{\n"
   "   gl_Position = vec4(position, 0.0, 1.0);\n"
   "}\n";

/* Each round needs the one before, so none can be left out. */
static const char fragment_source[] =
   "#if __VERSION__ == 100\n"
   "#define colour gl_FragColor\n"
   "#else\n"
   "out vec4 colour;\n"
   "#endif\n"
   "void main()\n"
   "{\n"
   "   vec2 shade = gl_FragCoord.xy / TARGET_SIZE;\n"
   "   for (int i = 0; i < LOOPS; i++)\n"
   "      shade = fract(shade.yx * 1.7 + shade * 0.9);\n"
   "   colour = vec4(shade, 0.5, 1.0);\n"
   "}\n";

/* Splits a triangle at the middles of its sides into four. */
static const char geometry_source[] =
   "layout(triangles) in;\n"
   "layout(triangle_strip, max_vertices = 12) out;\n"
   "void emit(vec4 a, vec4 b, vec4 c)\n"
   "{\n"
   "   gl_Position = a;\n"
   "   EmitVertex();\n"
   "   gl_Position = b;\n"
   "   EmitVertex();\n"
   "   gl_Position = c;\n"
   "   EmitVertex();\n"
   "   EndPrimitive();\n"
   "}\n"
   "void main()\n"
   "{\n"
   "   vec4 a = gl_in[0].gl_Position;\n"
   "   vec4 b = gl_in[1].gl_Position;\n"
   "   vec4 c = gl_in[2].gl_Position;\n"
   "   vec4 ab = (a + b) / 2.0;\n"
   "   vec4 bc = (b + c) / 2.0;\n"
   "   vec4 ca = (c + a) / 2.0;\n"
   "   emit(a, ab, ca);\n"
   "   emit(ab, b, bc);\n"
   "   emit(ca, bc, c);\n"
   "   emit(ab, bc, ca);\n"
   "}\n";

static const char control_source[] =
   "layout(vertices = 3) out;\n"
   "void main()\n"
   "{\n"
   "   gl_out[gl_InvocationID].gl_Position =\n"
   "      gl_in[gl_InvocationID].gl_Position;\n"
   "   gl_TessLevelOuter[0] = 8.0;\n"
   "   gl_TessLevelOuter[1] = 8.0;\n"
   "   gl_TessLevelOuter[2] = 8.0;\n"
   "   gl_TessLevelInner[0] = 8.0;\n"
   "}\n";

static const char evaluation_source[] =
   "layout(triangles, equal_spacing, ccw) in;\n"
   "void main()\n"
   "{\n"
   "   gl_Position = gl_TessCoord.x * gl_in[0].gl_Position +\n"
   "                 gl_TessCoord.y * gl_in[1].gl_Position +\n"
   "                 gl_TessCoord.z * gl_in[2].gl_Position;\n"
   "}\n";

static const char compute_source[] =
   "layout(local_size_x = GROUP_SIZE) in;\n"
   "layout(std430) buffer Cells {\n"
   "   float cells[];\n"
   "};\n"
   "void main()\n"
   "{\n"
   "   float cell = float(gl_GlobalInvocationID.x);\n"
   "   for (int i = 0; i < LOOPS; i++)\n"
   "      cell = fract(cell * 1.7 + 0.1);\n"
   "   cells[gl_GlobalInvocationID.x] = cell;\n"
   "}\n";

#define STAGES_MAX 4

struct stage {
   GLenum type;
   const char *source;
};

static const struct stage stages[SCENE_KIND_COUNT][STAGES_MAX + 1] = {
   [SCENE_TRIANGLES] = { { GL_VERTEX_SHADER, vertex_source },
                         { GL_FRAGMENT_SHADER, fragment_source } },
   [SCENE_GEOMETRY] = { { GL_VERTEX_SHADER, vertex_source },
                        { GL_GEOMETRY_SHADER, geometry_source },
                        { GL_FRAGMENT_SHADER, fragment_source } },
   [SCENE_TESSELLATION] = { { GL_VERTEX_SHADER, vertex_source },
                            { GL_TESS_CONTROL_SHADER, control_source },
                            { GL_TESS_EVALUATION_SHADER, evaluation_source },
                            { GL_FRAGMENT_SHADER, fragment_source } },
   [SCENE_COMPUTE] = { { GL_COMPUTE_SHADER, compute_source } },
};

/* Returns the first lines of every shader: the language. The later shader
 * stages are part of GLSL 4.30; before that, they are extensions.
 */
static const char *
language(void)
{
   const int version = epoxy_gl_version();

   if (!epoxy_is_desktop_gl())
      return version >= 30 ? "#version 300 es\nprecision highp float;\n"
                           : "#version 100\nprecision mediump float;\n";
   if (version >= 43)
      return "#version 430 core\n";
   return "#version 330 core\n"
          "#extension GL_ARB_tessellation_shader : enable\n"
          "#extension GL_ARB_compute_shader : enable\n"
          "#extension GL_ARB_shader_storage_buffer_object : enable\n";
}

static const char *
current_api(void)
{
   return api_name(epoxy_is_desktop_gl() ? API_GL : API_ES);
}

static GLuint
compile(const struct scene *scene, const struct stage *stage)
{
   char constants[128];
   snprintf(constants, sizeof(constants),
            "#define LOOPS %u\n"
            "#define TARGET_SIZE %d.0\n"
            "#define GROUP_SIZE %d\n",
            scene->loops, TARGET_SIZE, GROUP_SIZE);
   const char *sources[] = { language(), constants, stage->source };

   GLuint shader = glCreateShader(stage->type);
   glShaderSource(shader, 3, sources, NULL);
   glCompileShader(shader);

   GLint compiled;
   glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
   if (!compiled) {
      char log[512] = "";
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      fail("%s, scene \"%s\": a shader does not compile: %s", current_api(),
           scene->name, log);
   }
   return shader;
}

static GLuint
build_program(const struct scene *scene)
{
   GLuint program = glCreateProgram();

   for (const struct stage *stage = stages[scene->kind]; stage->source;
        stage++) {
      GLuint shader = compile(scene, stage);
      glAttachShader(program, shader);
      glDeleteShader(shader); /* lives on as long as the program */
   }
   glBindAttribLocation(program, POSITION_LOCATION, "position");
   glLinkProgram(program);

   GLint linked;
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   if (!linked) {
      char log[512] = "";
      glGetProgramInfoLog(program, sizeof(log), NULL, log);
      fail("%s, scene \"%s\": the shaders do not link: %s", current_api(),
           scene->name, log);
   }
   check_gl("building a shader");
   return program;
}

bool
scene_supported(const struct scene *scene)
{
   switch (scene->kind) {
   case SCENE_GEOMETRY:
      return epoxy_is_desktop_gl(); /* part of every core profile */
   case SCENE_TESSELLATION:
      return epoxy_is_desktop_gl() &&
             context_has(40, "GL_ARB_tessellation_shader");
   case SCENE_COMPUTE:
      return epoxy_is_desktop_gl() &&
             context_has(43, "GL_ARB_compute_shader") &&
             context_has(43, "GL_ARB_shader_storage_buffer_object");
   default:
      return true;
   }
}

#define CELL_VERTICES 6

static unsigned
vertex_count(const struct scene *scene)
{
   return scene->columns * scene->rows * CELL_VERTICES;
}

/* Returns the coordinate of a line of the grid, from -1 to 1. Two cells find
 * the same one for the line between them, to the last bit: no pixel falls in
 * between.
 */
static float
grid_line(unsigned line, unsigned count)
{
   return 2.0f * line / count - 1.0f;
}

static void
upload_triangles(const struct scene *scene)
{
   static const unsigned corners[CELL_VERTICES][2] = {
      { 0, 0 }, { 1, 0 }, { 0, 1 }, /* the lower left triangle */
      { 1, 0 }, { 1, 1 }, { 0, 1 }, /* the upper right one */
   };
   const size_t size_B = vertex_count(scene) * 2 * sizeof(float);
   float *vertices = malloc(size_B);
   if (!vertices)
      fail("out of memory");

   for (unsigned i = 0; i < vertex_count(scene); i++) {
      const unsigned *corner = corners[i % CELL_VERTICES];
      const unsigned cell = i / CELL_VERTICES;
      const unsigned column = cell % scene->columns + corner[0];
      const unsigned row = cell / scene->columns + corner[1];

      vertices[2 * i] = grid_line(column, scene->columns);
      vertices[2 * i + 1] = grid_line(row, scene->rows);
   }
   glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size_B, vertices,
                GL_STATIC_DRAW);
   free(vertices);
}

struct loaded_scene
scene_load(const struct scene *scene)
{
   struct loaded_scene loaded = { .scene = scene };

   if (scene->kind == SCENE_CLEAR)
      return loaded;
   loaded.program = build_program(scene);
   glGenBuffers(1, &loaded.buffer);
   if (scene->kind == SCENE_COMPUTE) {
      glBindBuffer(GL_SHADER_STORAGE_BUFFER, loaded.buffer);
      glBufferData(GL_SHADER_STORAGE_BUFFER,
                   scene->groups * GROUP_SIZE * (GLsizeiptr)sizeof(float),
                   NULL, GL_DYNAMIC_COPY);
   } else {
      glBindBuffer(GL_ARRAY_BUFFER, loaded.buffer);
      upload_triangles(scene);
   }
   check_gl("loading a scene");
   return loaded;
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
   const GLsizei count = (GLsizei)vertex_count(scene);

   switch (scene->kind) {
   case SCENE_CLEAR:
      glClear(GL_COLOR_BUFFER_BIT);
      break;
   case SCENE_COMPUTE:
      glDispatchCompute(scene->groups, 1, 1);
      break;
   case SCENE_TESSELLATION:
      glDrawArrays(GL_PATCHES, 0, count);
      break;
   default:
      glDrawArrays(GL_TRIANGLES, 0, count);
      break;
   }
}
