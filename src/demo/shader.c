/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "shader.h"

#include <stdio.h>

#include "fail.h"

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
   [SCENE_TRIANGLES] = {
      { GL_VERTEX_SHADER, vertex_source },
      { GL_FRAGMENT_SHADER, fragment_source },
   },
   [SCENE_GEOMETRY] = {
      { GL_VERTEX_SHADER, vertex_source },
      { GL_GEOMETRY_SHADER, geometry_source },
      { GL_FRAGMENT_SHADER, fragment_source },
   },
   [SCENE_TESSELLATION] = {
      { GL_VERTEX_SHADER, vertex_source },
      { GL_TESS_CONTROL_SHADER, control_source },
      { GL_TESS_EVALUATION_SHADER, evaluation_source },
      { GL_FRAGMENT_SHADER, fragment_source },
   },
   [SCENE_COMPUTE] = {
      { GL_COMPUTE_SHADER, compute_source },
   },
};

/* The first lines of every shader: the language. The later shader stages
 * are part of GLSL 4.30; before that, they are extensions.
 */
static const char *
language(const struct context *ctx)
{
   if (ctx->api == API_ES)
      return ctx->version >= 30 ? "#version 300 es\nprecision highp float;\n"
                                : "#version 100\nprecision mediump float;\n";
   if (ctx->version >= 43)
      return "#version 430 core\n";
   return "#version 330 core\n"
          "#extension GL_ARB_tessellation_shader : enable\n"
          "#extension GL_ARB_compute_shader : enable\n"
          "#extension GL_ARB_shader_storage_buffer_object : enable\n";
}

static GLuint
compile(const struct context *ctx, const struct scene *scene,
        const struct stage *stage)
{
   char constants[128];
   snprintf(constants, sizeof(constants),
            "#define LOOPS %u\n"
            "#define TARGET_SIZE %d.0\n"
            "#define GROUP_SIZE %d\n",
            scene->loops, TARGET_SIZE, GROUP_SIZE);
   const char *parts[] = { language(ctx), constants, stage->source };

   GLuint shader = glCreateShader(stage->type);
   glShaderSource(shader, 3, parts, NULL);
   glCompileShader(shader);

   GLint compiled;
   glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
   if (!compiled) {
      char log[512] = "";
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      fail("%s, scene \"%s\": a shader does not compile: %s",
           api_name(ctx->api), scene->name, log);
   }
   return shader;
}

GLuint
shader_program(const struct context *ctx, const struct scene *scene)
{
   const struct stage *stage = stages[scene->kind];
   if (!stage->source)
      return 0;

   GLuint program = glCreateProgram();
   for (; stage->source; stage++) {
      GLuint shader = compile(ctx, scene, stage);
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
      fail("%s, scene \"%s\": the shaders do not link: %s",
           api_name(ctx->api), scene->name, log);
   }
   context_check("building a shader");
   return program;
}
