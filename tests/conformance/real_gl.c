/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>
#include <string.h>

#include <epoxy/gl.h>

#include "../test.h"
#include "entry_points.h"
#include "real_gl.h"

static struct {
   const struct gl_context_kind *kind;
   struct entry_points gl;
   GLuint buffer;
   GLuint program;
   unsigned color; /* of the last draw */
} real;

/*
 * Drawing
 */

static GLuint
compile(GLenum type, const char *body)
{
   const char *const sources[] = {
      real.kind->is_es       ? "#version 100\n"
      : real.kind->is_compat ? "#version 110\n"
                             : "#version 150\n"
                               "#define attribute in\n"
                               "#define gl_FragColor color\n",
      body,
   };
   const GLuint shader = glCreateShader(type);
   GLint ok;

   glShaderSource(shader, 2, sources, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   assert_true(ok);
   return shader;
}

void
real_gl_init_drawing(void)
{
   real.program = glCreateProgram();
   glAttachShader(real.program,
                  compile(GL_VERTEX_SHADER,
                          "attribute vec2 position;\n"
                          "void main()\n"
                          "{\n"
                          "   gl_Position = vec4(position, 0.0, 1.0);\n"
                          "   gl_PointSize = 1.0;\n"
                          "}\n"));
   glAttachShader(real.program,
                  compile(GL_FRAGMENT_SHADER, "#ifdef gl_FragColor\n"
                                              "out vec4 color;\n"
                                              "#endif\n"
                                              "void main()\n"
                                              "{\n"
                                              "   gl_FragColor = vec4(1.0);\n"
                                              "}\n"));
   glBindAttribLocation(real.program, 0, "position");
   glLinkProgram(real.program);
}

const struct entry_points *
real_gl_entry_points(void)
{
   return &real.gl;
}

void
real_gl_draw_points(unsigned count)
{
   GLfloat points[16 * 16][2];
   GLuint array = 0, buffer;

   assert_true(count <= ARRAY_LENGTH(points));
   for (unsigned i = 0; i < count; i++) {
      points[i][0] = (i % 16 + 0.5f) / 8 - 1;
      points[i][1] = (i / 16 + 0.5f) / 8 - 1;
   }
   if (!real.kind->is_es)
      glGenVertexArrays(1, &array);
   if (array)
      glBindVertexArray(array);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(points), points, GL_STREAM_DRAW);
   glUseProgram(real.program);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_POINTS, 0, count);
   glDeleteBuffers(1, &buffer);
   if (array)
      glDeleteVertexArrays(1, &array);
}

/* Whether a clear, in a colour of its own, arrives. */
static bool
draw(void *gl)
{
   GLubyte pixel[4];

   (void)gl;
   real.color = (real.color + 1) % 15;
   glClearColor(real.color / 15.0f, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   return pixel[0] == real.color * 17;
}

static void
count(void *gl, const char *target, uint64_t amount)
{
   (void)gl;
   (void)target;
   real_gl_draw_points(amount);
}

/*
 * Calls
 */

static void
gen(void *gl, int n, uint32_t *ids)
{
   (void)gl;
   real.gl.GenQueries(n, ids);
}

static void
create(void *gl, unsigned target, int n, uint32_t *ids)
{
   (void)gl;
   real.gl.CreateQueries(target, n, ids);
}

static void
delete_ids(void *gl, int n, const uint32_t *ids)
{
   (void)gl;
   real.gl.DeleteQueries(n, ids);
}

static bool
is(void *gl, uint32_t id)
{
   (void)gl;
   return real.gl.IsQuery(id);
}

static void
begin(void *gl, unsigned target, int index, uint32_t id)
{
   (void)gl;
   if (index < 0)
      real.gl.BeginQuery(target, id);
   else
      real.gl.BeginQueryIndexed(target, index, id);
}

static void
end(void *gl, unsigned target, int index)
{
   (void)gl;
   if (index < 0)
      real.gl.EndQuery(target);
   else
      real.gl.EndQueryIndexed(target, index);
}

static void
counter(void *gl, uint32_t id, unsigned target)
{
   (void)gl;
   real.gl.QueryCounter(id, target);
}

static void
query(void *gl, unsigned target, int index, unsigned pname, int32_t *params)
{
   (void)gl;
   if (index < 0)
      real.gl.GetQueryiv(target, pname, params);
   else
      real.gl.GetQueryIndexediv(target, index, pname, params);
}

static void
get(void *gl, uint32_t id, unsigned pname, enum pitot_type type, void *params)
{
   (void)gl;
   switch (type) {
   case PITOT_TYPE_I32:
      real.gl.GetQueryObjectiv(id, pname, params);
      break;
   case PITOT_TYPE_U32:
      real.gl.GetQueryObjectuiv(id, pname, params);
      break;
   case PITOT_TYPE_I64:
      real.gl.GetQueryObjecti64v(id, pname, params);
      break;
   case PITOT_TYPE_U64:
      real.gl.GetQueryObjectui64v(id, pname, params);
      break;
   }
}

static void
put(void *gl, uint32_t id, int buffer, unsigned pname, enum pitot_type type,
    int64_t offset)
{
   const GLuint name = buffer < 0 ? real.buffer : (GLuint)buffer;
   void (*const puts[])(GLuint, GLuint, GLenum, GLintptr) = {
      [PITOT_TYPE_I32] = real.gl.GetQueryBufferObjectiv,
      [PITOT_TYPE_U32] = real.gl.GetQueryBufferObjectuiv,
      [PITOT_TYPE_I64] = real.gl.GetQueryBufferObjecti64v,
      [PITOT_TYPE_U64] = real.gl.GetQueryBufferObjectui64v,
   };

   (void)gl;
   puts[type](id, name, pname, offset);
}

static void
bind(void *gl, bool is_bound)
{
   (void)gl;
   glBindBuffer(GL_QUERY_BUFFER, is_bound ? real.buffer : 0);
}

static void
map(void *gl, bool is_mapped)
{
   (void)gl;
   glBindBuffer(GL_COPY_READ_BUFFER, real.buffer);
   if (is_mapped)
      glMapBufferRange(GL_COPY_READ_BUFFER, 0, SCRIPT_BUFFER_SIZE_B,
                       GL_MAP_READ_BIT);
   else
      glUnmapBuffer(GL_COPY_READ_BUFFER);
}

static void
read_buffer(void *gl, unsigned offset_B, unsigned size_B, void *data_out)
{
   (void)gl;
   glBindBuffer(GL_COPY_READ_BUFFER, real.buffer);
   glGetBufferSubData(GL_COPY_READ_BUFFER, offset_B, size_B, data_out);
}

static void
condition(void *gl, uint32_t id, unsigned mode)
{
   (void)gl;
   if (real.kind->is_es)
      glBeginConditionalRenderNV(id, mode);
   else
      glBeginConditionalRender(id, mode);
}

static void
endcondition(void *gl)
{
   (void)gl;
   if (real.kind->is_es)
      glEndConditionalRenderNV();
   else
      glEndConditionalRender();
}

static bool
disjoint(void *gl)
{
   GLint value = 0;

   (void)gl;
   glGetIntegerv(GL_GPU_DISJOINT_EXT, &value);
   return value;
}

static unsigned
take_error(void *gl)
{
   (void)gl;
   return glGetError();
}

static const char *
error_message(void *gl)
{
   (void)gl;
   return "glGetError";
}

const struct script_ops real_gl_ops = {
   .gen = gen,
   .create = create,
   .delete_ids = delete_ids,
   .is = is,
   .begin = begin,
   .end = end,
   .counter = counter,
   .query = query,
   .get = get,
   .put = put,
   .bind = bind,
   .map = map,
   .read_buffer = read_buffer,
   .condition = condition,
   .endcondition = endcondition,
   .draw = draw,
   .count = count,
   .disjoint = disjoint,
   .take_error = take_error,
   .error_message = error_message,
};

/*
 * What a context lacks
 */

/* What a word of a script needs: an extension of desktop GL, and one of ES;
 * "" is always there, NULL never.
 */
static const struct {
   const char *word;
   const char *desktop;
   const char *es;
   const char *reason;
} needs[] = {
   { "create", "GL_ARB_direct_state_access", NULL, "no CreateQueries" },
   { "QUERY_TARGET", "GL_ARB_direct_state_access", "", "no QUERY_TARGET" },
   { "put", "GL_ARB_query_buffer_object", NULL, "no query buffers" },
   { "bind", "GL_ARB_query_buffer_object", NULL, "no query buffers" },
   { "QUERY_RESULT_NO_WAIT", "GL_ARB_query_buffer_object", "",
     "no QUERY_RESULT_NO_WAIT" },
   { "counter", "GL_ARB_timer_query", "GL_EXT_disjoint_timer_query",
     "no timestamps" },
   { "TIMESTAMP", "GL_ARB_timer_query", "GL_EXT_disjoint_timer_query",
     "no timestamps" },
   { "TIME_ELAPSED", "GL_ARB_timer_query", "GL_EXT_disjoint_timer_query",
     "no timers" },
   { "ANY_SAMPLES_PASSED", "GL_ARB_occlusion_query2",
     "GL_EXT_occlusion_query_boolean", "no boolean occlusion" },
   { "ANY_SAMPLES_PASSED_CONSERVATIVE", "GL_ARB_ES3_compatibility",
     "GL_EXT_occlusion_query_boolean", "no conservative occlusion" },
   { "PRIMITIVES_GENERATED", "GL_EXT_transform_feedback",
     "GL_EXT_geometry_shader", "no PRIMITIVES_GENERATED" },
   { "TRANSFORM_FEEDBACK_OVERFLOW",
     "GL_ARB_transform_feedback_overflow_query", NULL, "no overflow" },
   { "TRANSFORM_FEEDBACK_STREAM_OVERFLOW",
     "GL_ARB_transform_feedback_overflow_query", NULL, "no overflow" },
   { "VERTICES_SUBMITTED", "GL_ARB_pipeline_statistics_query", NULL,
     "no statistics" },
   { "TESS_CONTROL_SHADER_PATCHES", "GL_ARB_tessellation_shader", NULL,
     "no tessellation" },
   { "COMPUTE_SHADER_INVOCATIONS", "GL_ARB_compute_shader", NULL,
     "no compute shaders" },
   { "condition", "GL_NV_conditional_render", "GL_NV_conditional_render",
     "no conditional rendering" },
   { "QUERY_WAIT_INVERTED", "GL_ARB_conditional_render_inverted", NULL,
     "no inverted conditions" },
   { "QUERY_NO_WAIT_INVERTED", "GL_ARB_conditional_render_inverted", NULL,
     "no inverted conditions" },
   { "disjoint", NULL, "GL_EXT_disjoint_timer_query", "no GPU_DISJOINT" },
};

static const char *
word_obstacle(void *data, const char *word)
{
   (void)data;
   for (unsigned i = 0; i < ARRAY_LENGTH(needs); i++) {
      const char *extension =
         real.kind->is_es ? needs[i].es : needs[i].desktop;

      if (strcmp(needs[i].word, word) == 0 &&
          (!extension ||
           (extension[0] && !epoxy_has_gl_extension(extension))))
         return needs[i].reason;
   }
   return NULL;
}

static const char *
control_word(void *data, const char *word)
{
   static const char *const words[] = {
      "time", "hold", "lose", "fail", "now", "5000000000",
   };
   static const char *const uncounted = "TRANSFORM_FEEDBACK_OVERFLOW";
   const char **last = data;
   const bool is_uncounted =
      strcmp(*last, "count") == 0 && strcmp(word, uncounted) == 0;

   *last = word;
   for (unsigned i = 0; i < ARRAY_LENGTH(words); i++) {
      if (strcmp(words[i], word) == 0)
         return word;
   }
   return is_uncounted ? word : NULL;
}

bool
real_gl_needs_control(const char *script)
{
   const char *last = "";

   return script_find_obstacle(script, control_word, &last) != NULL;
}

const char *
real_gl_obstacle(const char *script)
{
   return script_find_obstacle(script, word_obstacle, NULL);
}

static void
make_buffer(void)
{
   uint64_t untouched[SCRIPT_BUFFER_SIZE_B / 8];

   memset(untouched, 0xaa, sizeof(untouched));
   glGenBuffers(1, &real.buffer);
   glBindBuffer(GL_ARRAY_BUFFER, real.buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(untouched), untouched,
                GL_STREAM_DRAW);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void
real_gl_init(const struct gl_context_kind *kind, const char *suffix)
{
   real.kind = kind;
   real.color = 0;
   entry_points_load(&real.gl, kind->is_es && !suffix[0] ? "EXT" : suffix);
   make_buffer();
   real_gl_init_drawing();
   assert_int_equal(glGetError(), GL_NO_ERROR);
}
