/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <stdlib.h>

/* The attribute of the vertex shader that has the position of a vertex. */
#define POSITION_LOCATION 0

/* Vertices in a cell of the grid: two triangles. */
#define CELL_VERTICES 6

/* Threads in a compute work group. */
#define GROUP_SIZE 64

/* In each group of scenes one thing grows: first the triangles, then the
 * work per fragment, then the stages that a triangle passes through.
 */
/* clang-format off */
static const struct scene scenes[SCENE_COUNT] = {
   { .name = "clear", .about = "every pixel", .kind = SCENE_CLEAR },
   { .name = "2 triangles", .about = "every pixel",
     .kind = SCENE_TRIANGLES, .columns = 1, .rows = 1 },
   { .name = "1k triangles", .about = "every pixel, 25 x 20 cells",
     .kind = SCENE_TRIANGLES, .columns = 25, .rows = 20 },
   { .name = "100k triangles", .about = "every pixel, 250 x 200 cells",
     .kind = SCENE_TRIANGLES, .columns = 250, .rows = 200 },
   { .name = "heavy fragments", .about = "2 triangles, 32 rounds a pixel",
     .kind = SCENE_TRIANGLES, .columns = 1, .rows = 1, .loops = 32 },
   { .name = "geometry shader", .about = "1k triangles, each split in 4",
     .kind = SCENE_GEOMETRY, .columns = 25, .rows = 20 },
   { .name = "tess shaders", .about = "1k patches, split at level 8",
     .kind = SCENE_TESSELLATION, .columns = 25, .rows = 20 },
   { .name = "compute shader", .about = "32k threads, 100 rounds each",
     .kind = SCENE_COMPUTE, .loops = 100, .groups = 500 },
};

#define SCENE_DRAWN (SCENE_TRIANGLES | SCENE_GEOMETRY | SCENE_TESSELLATION)

/* The shaders, and the kinds of scenes that have them. They are written for
 * GLSL 3.30, from which GLSL ES 3.00 does not differ here, and GLSL ES 1.00
 * only where __VERSION__ is asked for.
 */
static const struct stage {
   GLenum type;
   unsigned kinds;
   const char *source;
} stages[] = {
   { GL_VERTEX_SHADER, SCENE_DRAWN,
     "#if __VERSION__ == 100\n"
     "attribute vec2 position;\n"
     "#else\n"
     "in vec2 position;\n"
     "#endif\n"
     "void main()\n"
     "{\n"
     "   gl_Position = vec4(position, 0.0, 1.0);\n"
     "}\n" },

   { GL_TESS_CONTROL_SHADER, SCENE_TESSELLATION,
     "layout(vertices = 3) out;\n"
     "void main()\n"
     "{\n"
     "   gl_out[gl_InvocationID].gl_Position =\n"
     "      gl_in[gl_InvocationID].gl_Position;\n"
     "   for (int i = 0; i < 3; i++)\n"
     "      gl_TessLevelOuter[i] = 8.0;\n"
     "   gl_TessLevelInner[0] = 8.0;\n"
     "}\n" },

   { GL_TESS_EVALUATION_SHADER, SCENE_TESSELLATION,
     "layout(triangles, equal_spacing, ccw) in;\n"
     "void main()\n"
     "{\n"
     "   gl_Position = gl_TessCoord.x * gl_in[0].gl_Position +\n"
     "                 gl_TessCoord.y * gl_in[1].gl_Position +\n"
     "                 gl_TessCoord.z * gl_in[2].gl_Position;\n"
     "}\n" },

   /* Splits a triangle at the middles of its sides into four. */
   { GL_GEOMETRY_SHADER, SCENE_GEOMETRY,
     "layout(triangles) in;\n"
     "layout(triangle_strip, max_vertices = 12) out;\n"
     "void emit(vec4 a, vec4 b, vec4 c)\n"
     "{\n"
     "   gl_Position = a; EmitVertex();\n"
     "   gl_Position = b; EmitVertex();\n"
     "   gl_Position = c; EmitVertex();\n"
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
     "}\n" },

   /* Each round needs the round before, so none can be left out. */
   { GL_FRAGMENT_SHADER, SCENE_DRAWN,
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
     "}\n" },

   { GL_COMPUTE_SHADER, SCENE_COMPUTE,
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
     "}\n" },
};
/* clang-format on */

/* Returns whether the context has a feature, by its version (10 * major +
 * minor) or by an extension.
 */
static bool
has(int version, const char *extension)
{
   return epoxy_gl_version() >= version || epoxy_has_gl_extension(extension);
}

static bool
is_supported(enum scene_kind kind)
{
   switch (kind) {
   case SCENE_GEOMETRY:
      return epoxy_is_desktop_gl(); /* part of every core profile */
   case SCENE_TESSELLATION:
      return epoxy_is_desktop_gl() && has(40, "GL_ARB_tessellation_shader");
   case SCENE_COMPUTE:
      return epoxy_is_desktop_gl() && has(43, "GL_ARB_compute_shader") &&
             has(43, "GL_ARB_shader_storage_buffer_object");
   default:
      return true;
   }
}

/* Returns the first lines of every shader: the language. The later shader
 * stages are part of GLSL 4.30; before that, they are extensions.
 */
static const char *
language(void)
{
   if (!epoxy_is_desktop_gl())
      return epoxy_gl_version() >= 30
                ? "#version 300 es\nprecision highp float;\n"
                : "#version 100\nprecision mediump float;\n";
   if (epoxy_gl_version() >= 43)
      return "#version 430 core\n";
   return "#version 330 core\n"
          "#extension GL_ARB_tessellation_shader : enable\n"
          "#extension GL_ARB_compute_shader : enable\n"
          "#extension GL_ARB_shader_storage_buffer_object : enable\n";
}

/* Fails with the message of the compiler. */
static _Noreturn void
fail_to_build(const struct scene *scene, const char *problem, const char *log)
{
   fail("%s, scene \"%s\": %s: %s",
        api_names[epoxy_is_desktop_gl() ? API_GL : API_ES], scene->name,
        problem, log);
}

static void
add_shader(GLuint program, const struct scene *scene,
           const struct stage *stage)
{
   char constants[128], log[512] = "";
   snprintf(constants, sizeof(constants),
            "#define LOOPS %u\n"
            "#define TARGET_SIZE %d.0\n"
            "#define GROUP_SIZE %d\n",
            scene->loops, TARGET_SIZE, GROUP_SIZE);
   const char *sources[] = { language(), constants, stage->source };
   const GLuint shader = glCreateShader(stage->type);
   GLint compiled;

   glShaderSource(shader, 3, sources, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
   if (!compiled) {
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      fail_to_build(scene, "a shader does not compile", log);
   }
   glAttachShader(program, shader);
   glDeleteShader(shader); /* lives on as long as the program */
}

static GLuint
build_program(const struct scene *scene)
{
   const GLuint program = glCreateProgram();
   char log[512] = "";
   GLint linked;

   for (unsigned i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
      if (stages[i].kinds & scene->kind)
         add_shader(program, scene, &stages[i]);
   }
   glBindAttribLocation(program, POSITION_LOCATION, "position");
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   if (!linked) {
      glGetProgramInfoLog(program, sizeof(log), NULL, log);
      fail_to_build(scene, "the shaders do not link", log);
   }
   check_gl("building a shader");
   return program;
}

static void
upload_triangles(const struct scene *scene)
{
   static const unsigned corners[CELL_VERTICES][2] = {
      { 0, 0 }, { 1, 0 }, { 0, 1 }, /* the lower left triangle */
      { 1, 0 }, { 1, 1 }, { 0, 1 }, /* the upper right one */
   };
   const unsigned count = scene->columns * scene->rows * CELL_VERTICES;
   const size_t size_B = 2 * sizeof(float) * count;
   float *vertices = malloc(size_B);
   if (!vertices)
      fail("out of memory");

   for (unsigned i = 0; i < count; i++) {
      const unsigned *corner = corners[i % CELL_VERTICES];
      const unsigned cell = i / CELL_VERTICES;
      const unsigned column = cell % scene->columns + corner[0];
      const unsigned row = cell / scene->columns + corner[1];

      /* From -1 to 1. Cells beside each other agree on the line between them
       * to the last bit: no pixel falls in between.
       */
      vertices[2 * i] = 2.0f * column / scene->columns - 1.0f;
      vertices[2 * i + 1] = 2.0f * row / scene->rows - 1.0f;
   }
   glBindBuffer(GL_ARRAY_BUFFER, scene->buffer);
   glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size_B, vertices,
                GL_STATIC_DRAW);
   free(vertices);
}

void
scene_prepare(const struct scene *scene)
{
   glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   if (scene->kind == SCENE_CLEAR) {
      glClearColor(0.2f, 0.4f, 0.6f, 1.0f);
      return;
   }

   glUseProgram(scene->program);
   if (scene->kind == SCENE_COMPUTE) {
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, scene->buffer);
      return;
   }

   if (scene->kind == SCENE_TESSELLATION)
      glPatchParameteri(GL_PATCH_VERTICES, 3);
   glBindBuffer(GL_ARRAY_BUFFER, scene->buffer);
   glVertexAttribPointer(POSITION_LOCATION, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(POSITION_LOCATION);
}

void
scene_draw(const struct scene *scene)
{
   const GLenum mode =
      scene->kind == SCENE_TESSELLATION ? GL_PATCHES : GL_TRIANGLES;

   if (scene->kind == SCENE_CLEAR)
      glClear(GL_COLOR_BUFFER_BIT);
   else if (scene->kind == SCENE_COMPUTE)
      glDispatchCompute(scene->groups, 1, 1);
   else
      glDrawArrays(mode, 0,
                   (GLsizei)(scene->columns * scene->rows * CELL_VERTICES));
}

bool
scene_load(unsigned index, struct scene *scene)
{
   *scene = scenes[index];
   if (!is_supported(scene->kind))
      return false;

   if (scene->kind != SCENE_CLEAR) {
      scene->program = build_program(scene);
      glGenBuffers(1, &scene->buffer);
   }
   if (scene->kind == SCENE_COMPUTE) {
      glBindBuffer(GL_SHADER_STORAGE_BUFFER, scene->buffer);
      glBufferData(GL_SHADER_STORAGE_BUFFER,
                   scene->groups * GROUP_SIZE * (GLsizeiptr)sizeof(float),
                   NULL, GL_DYNAMIC_COPY);
   } else if (scene->kind != SCENE_CLEAR) {
      upload_triangles(scene);
   }
   check_gl("loading a scene");

   /* Drivers finish compiling a shader only when it is first drawn with, and
    * allocate memory when it is first touched. That is a cost of starting,
    * not of drawing.
    */
   scene_prepare(scene);
   scene_draw(scene);
   glFinish();
   check_gl("warming up");
   return true;
}
