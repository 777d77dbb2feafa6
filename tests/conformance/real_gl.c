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
#include "suspend.h"

static struct {
   const struct gl_context_kind *kind;
   struct entry_points gl;
   GLuint buffer;
   unsigned color; /* of the last draw */
} real;

/* As simulated GPUs do. */
static bool renders_nothing;

const struct entry_points *
real_gl_entry_points(void)
{
   return &real.gl;
}

const struct gl_context_kind *
real_gl_kind(void)
{
   return real.kind;
}

/*
 * Drawing
 */

/* Whether a clear, in a colour of its own, arrives. */
static bool
draw_pixels(void)
{
   GLubyte pixel[4];

   real.color = (real.color + 1) % 15;
   glClearColor(real.color / 15.0f, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   return pixel[0] == real.color * 17;
}

/* Whether a point is counted, which has to do where no pixel tells. */
static bool
draw_samples(void)
{
   const GLenum target =
      real.kind->is_es ? GL_ANY_SAMPLES_PASSED : GL_SAMPLES_PASSED;
   GLuint id, samples = 99;

   real.gl.GenQueries(1, &id);
   real.gl.BeginQuery(target, id);
   real_gl_draw_points(1);
   real.gl.EndQuery(target);
   real.gl.GetQueryObjectuiv(id, GL_QUERY_RESULT, &samples);
   real.gl.DeleteQueries(1, &id);
   return samples == 1;
}

static bool
draw(void *gl)
{
   (void)gl;
   return renders_nothing ? draw_samples() : draw_pixels();
}

static void
clear(void *gl)
{
   (void)gl;
   glClear(GL_COLOR_BUFFER_BIT);
}

void
real_gl_look_for_pixels(void)
{
   renders_nothing = !draw_pixels();
}

bool
real_gl_renders(void)
{
   return !renders_nothing;
}

static void
immediate(void *gl, unsigned count)
{
   (void)gl;
   glBegin(GL_POINTS);
   for (unsigned i = 0; i < count; i++)
      glVertex2f(0, 0);
   glEnd();
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

static uint64_t
disjoint(void *gl, enum script_getter getter)
{
   GLboolean as_boolean = GL_FALSE;
   GLint as_integer = 0;
   GLint64 as_integer64 = 0;
   GLfloat as_float = 0;

   (void)gl;
   switch (getter) {
   case SCRIPT_GET_BOOLEAN:
      glGetBooleanv(GL_GPU_DISJOINT_EXT, &as_boolean);
      return as_boolean;
   case SCRIPT_GET_INTEGER:
      glGetIntegerv(GL_GPU_DISJOINT_EXT, &as_integer);
      return as_integer;
   case SCRIPT_GET_INTEGER64:
      real.gl.GetInteger64v(GL_GPU_DISJOINT_EXT, &as_integer64);
      return as_integer64;
   case SCRIPT_GET_FLOAT:
      glGetFloatv(GL_GPU_DISJOINT_EXT, &as_float);
      return as_float != 0;
   }
   return 0;
}

static void
suspend(void *gl)
{
   (void)gl;
   suspend_system();
}

static void
flush(void *gl)
{
   (void)gl;
   glFlush();
}

static void
finish(void *gl)
{
   (void)gl;
   glFinish();
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
   .clear = clear,
   .count = count,
   .disjoint = disjoint,
   .suspend = suspend,
   .immediate = immediate,
   .flush = flush,
   .finish = finish,
   .perf = &real_gl_perf_ops,
   .take_error = take_error,
   .error_message = error_message,
};

static void
make_buffer(void)
{
   uint64_t untouched[SCRIPT_BUFFER_SIZE_B / 8];

   memset(untouched, 0xaa, sizeof(untouched));
   glGenBuffers(1, &real.buffer);
   glBindBuffer(GL_ARRAY_BUFFER, real.buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(untouched), untouched,
                real.kind->is_es ? GL_STREAM_DRAW : GL_STREAM_READ);
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
