/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The scenes, their shaders, and how they are loaded and drawn.
 * Invariant: scenes that every context can draw come first, so that a scene
 * has the same index in all APIs.
 * Danger: OpenGL ES 3.00 compiles these shaders, too.
 */

#include "demo.h"

/* Vertices in a cell of the grid: two triangles */
#define CELL_VERTICES 6

/* In each group of scenes one thing grows: first the number of triangles,
 * then the work per fragment, then the number of stages.
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
     .kind = SCENE_COMPUTE, .loops = 100 },
};

#define SCENE_DRAWN (SCENE_TRIANGLES | SCENE_GEOMETRY | SCENE_TESSELLATION)

/* Shaders and the kinds of scenes that use them, in the common subset of GLSL
 * 3.30 and GLSL ES 3.00
 */
static const struct stage {
   GLenum type;
   unsigned kinds;
   const char *source;
} stages[] = {
   /* An instance is a row of cells.  Adjacent cells compute their common edge
    * with the same bits, so that no pixel is missed between them.
    */
   { GL_VERTEX_SHADER, SCENE_DRAWN,
     "const vec2 corners[] = vec2[](\n"
     "   vec2(0, 0), vec2(1, 0), vec2(0, 1),\n"
     "   vec2(1, 0), vec2(1, 1), vec2(0, 1)\n"
     ");\n"
     "void main()\n"
     "{\n"
     "   vec2 cell = vec2(gl_VertexID / 6, gl_InstanceID);\n"
     "   vec2 corner = cell + corners[gl_VertexID % 6];\n"
     "   vec2 position = 2.0 * corner / vec2(COLUMNS, ROWS) - 1.0;\n"
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

   /* Splits a triangle into four, at the midpoints of its edges. */
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

   /* Each round depends on the last one, so no compiler can omit a round. */
   { GL_FRAGMENT_SHADER, SCENE_DRAWN,
     "out vec4 colour;\n"
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

static bool
is_supported(enum scene_kind kind)
{
   if (kind == SCENE_CLEAR || kind == SCENE_TRIANGLES)
      return true;
   if (!epoxy_is_desktop_gl())
      return false;
   if (kind == SCENE_TESSELLATION)
      return epoxy_has_gl_extension("GL_ARB_tessellation_shader");
   return kind == SCENE_GEOMETRY || /* part of every core profile */
          (epoxy_has_gl_extension("GL_ARB_compute_shader") &&
           epoxy_has_gl_extension("GL_ARB_shader_storage_buffer_object"));
}

static void
add_shader(const struct scene *scene, const struct stage *stage)
{
   /* Up to GLSL 4.30, the later shader stages are extensions. */
   const char *language =
      epoxy_is_desktop_gl()
         ? "#version 330 core\n"
           "#extension GL_ARB_tessellation_shader : enable\n"
           "#extension GL_ARB_compute_shader : enable\n"
           "#extension GL_ARB_shader_storage_buffer_object : enable\n"
         : "#version 300 es\nprecision highp float;\n";
   char constants[128], log[512] = "";
   snprintf(constants, sizeof(constants),
            "#define COLUMNS %u\n"
            "#define ROWS %u\n"
            "#define LOOPS %u\n"
            "#define TARGET_SIZE %d.0\n"
            "#define GROUP_SIZE %d\n",
            scene->columns, scene->rows, scene->loops, TARGET_SIZE,
            GROUP_SIZE);
   const char *sources[] = { language, constants, stage->source };
   const GLuint shader = glCreateShader(stage->type);
   GLint compiled;

   glShaderSource(shader, 3, sources, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
   if (!compiled) {
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      fail("scene \"%s\": a shader does not compile: %s", scene->name, log);
   }
   glAttachShader(scene->program, shader);
   glDeleteShader(shader); /* the program keeps it alive */
}

void
scene_prepare(const struct scene *scene)
{
   glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   if (scene->kind == SCENE_CLEAR)
      glClearColor(0.2f, 0.4f, 0.6f, 1.0f);
   else
      glUseProgram(scene->program);
   if (scene->kind == SCENE_TESSELLATION)
      glPatchParameteri(GL_PATCH_VERTICES, 3);
}

void
scene_draw(const struct scene *scene)
{
   const GLenum mode =
      scene->kind == SCENE_TESSELLATION ? GL_PATCHES : GL_TRIANGLES;

   if (scene->kind == SCENE_CLEAR)
      glClear(GL_COLOR_BUFFER_BIT);
   else if (scene->kind == SCENE_COMPUTE)
      glDispatchCompute(GROUP_COUNT, 1, 1);
   else
      glDrawArraysInstanced(mode, 0, (GLsizei)scene->columns * CELL_VERTICES,
                            (GLsizei)scene->rows);
}

bool
scene_load(unsigned index, struct scene *scene)
{
   *scene = scenes[index];
   if (!is_supported(scene->kind))
      return false;

   if (scene->kind != SCENE_CLEAR) {
      char log[512] = "";
      GLint linked;

      scene->program = glCreateProgram();
      for (unsigned i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
         if (stages[i].kinds & scene->kind)
            add_shader(scene, &stages[i]);
      }
      glLinkProgram(scene->program);
      glGetProgramiv(scene->program, GL_LINK_STATUS, &linked);
      if (!linked) {
         glGetProgramInfoLog(scene->program, sizeof(log), NULL, log);
         fail("scene \"%s\": the shaders do not link: %s", scene->name, log);
      }
   }
   if (scene->kind == SCENE_COMPUTE) {
      GLuint cells; /* the shader writes it; stays bound */

      glGenBuffers(1, &cells);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, cells);
      glBufferData(GL_SHADER_STORAGE_BUFFER,
                   GROUP_COUNT * GROUP_SIZE * sizeof(float), NULL,
                   GL_DYNAMIC_COPY);
   }
   check_gl("loading a scene");

   /* Drivers finish compiling a shader at its first draw, and allocate memory
    * at its first use.  Do not measure that as a cost of the draw.
    */
   scene_prepare(scene);
   scene_draw(scene);
   glFinish();
   check_gl("warming up");
   return true;
}
