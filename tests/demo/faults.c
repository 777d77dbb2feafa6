/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A library to preload: plants a fault into the queries that pitot-demo gets
 * from any driver, as the variable PITOT_GL_FAULT says: what, the target, how
 * much, and after which call of eglMakeCurrent, if not after any.
 * "add 0x8914 1" adds one to each count of SAMPLES_PASSED.
 *
 * libepoxy calls EGL and GL through variables, which the definitions at the
 * end replace.
 */

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

/* One in so many results is early: odd, since reads come in pairs. */
#define BACK_EVERY 7

static struct {
   char what[16];
   unsigned target; /* 0: the clock of glGetInteger64v */
   int64_t amount;
   unsigned context;
} fault;

static GLuint query_buffer; /* bound */
static unsigned contexts; /* calls of eglMakeCurrent: two contexts in turn */

__attribute__((constructor)) static void
parse(void)
{
   if (sscanf(getenv("PITOT_GL_FAULT"), "%15s %x %" SCNi64 " %u", fault.what,
              &fault.target, &fault.amount, &fault.context) < 1)
      abort();
}

static bool
is(const char *what, GLenum target)
{
   return strcmp(fault.what, what) == 0 && fault.target == target &&
          (fault.context == 0 || fault.context == contexts);
}

/* The target of a query of the current context */
static GLenum *
target_of(GLuint id)
{
   static GLenum targets[2][65536];

   return &targets[contexts % 2][id];
}

static void *
real(const char *name)
{
   void *egl = dlopen("libEGL.so.1", RTLD_LAZY);
   void *(*get)(const char *);

   *(void **)&get = dlsym(egl, "eglGetProcAddress");
   return get(name);
}

/* Calls the function of EGL or GL. */
#define REAL(NAME) ((__typeof__(epoxy_##NAME))real(#NAME))

static uint64_t
changed(GLenum target, uint64_t value)
{
   static unsigned count;

   if (is("add", target) || (is("back", target) && ++count % BACK_EVERY == 0))
      return value + (uint64_t)fault.amount;
   if (is("rate", target)) /* in parts per million */
      return value + (uint64_t)((double)value * (double)fault.amount / 1e6);
   return value;
}

static EGLBoolean
make_current(EGLDisplay display, EGLSurface draw, EGLSurface read,
             EGLContext context)
{
   contexts++;
   return REAL(eglMakeCurrent)(display, draw, read, context);
}

static void
begin_query(GLenum target, GLuint id)
{
   *target_of(id) = target;
   REAL(glBeginQuery)(is("error", target) ? 0 : target, id);
}

static void
query_counter(GLuint id, GLenum target)
{
   *target_of(id) = target;
   REAL(glQueryCounter)(id, target);
}

static void
get_result(GLuint id, GLenum name, GLuint64 *result)
{
   const GLenum target = *target_of(id);

   if (query_buffer && is("stale", target))
      return;
   REAL(glGetQueryObjectui64v)(id, name, result);
   if (query_buffer && is("beside", target))
      REAL(glGetQueryObjectui64v)(id, name, result + fault.amount);
   if (!query_buffer)
      *result = changed(target, *result);
}

static GLboolean
is_query(GLuint id)
{
   return is("share", 0) || REAL(glIsQuery)(id);
}

static void
bind_buffer(GLenum target, GLuint buffer)
{
   if (target == GL_QUERY_BUFFER)
      query_buffer = buffer;
   REAL(glBindBuffer)(target, buffer);
}

/* Of one pixel */
static void
read_pixel(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
           GLenum type, void *pixel)
{
   REAL(glReadPixels)(x, y, width, height, format, type, pixel);
   if (is("blank", 0))
      memset(pixel, 0, 4);
}

static void
get_integer(GLenum name, GLint64 *value)
{
   REAL(glGetInteger64v)(name, value);
   if (name == GL_TIMESTAMP)
      *value = (GLint64)changed(0, (uint64_t)*value);
}

static void
begin_condition(GLuint id, GLenum mode)
{
   const GLenum distance = GL_QUERY_WAIT_INVERTED - GL_QUERY_WAIT;

   if (is("invert", 0))
      mode =
         mode < GL_QUERY_WAIT_INVERTED ? mode + distance : mode - distance;
   if (!is("ignore", 0))
      REAL(glBeginConditionalRender)(id, mode);
}

static void
end_condition(void)
{
   if (!is("ignore", 0))
      REAL(glEndConditionalRender)();
}

/* The demo's query.c calls the functions that this one finds. */
static __eglMustCastToProperFunctionPointerType
find(const char *name)
{
   void (*function)(void) =
      strcmp(name, "glBeginQuery") == 0     ? (void (*)(void))begin_query
      : strcmp(name, "glQueryCounter") == 0 ? (void (*)(void))query_counter
      : strcmp(name, "glGetQueryObjectui64v") == 0
         ? (void (*)(void))get_result
         : NULL;

   return function ? function : (void (*)(void))real(name);
}

PFNEGLGETPROCADDRESSPROC epoxy_eglGetProcAddress = find;
PFNEGLMAKECURRENTPROC epoxy_eglMakeCurrent = make_current;
PFNGLISQUERYPROC epoxy_glIsQuery = is_query;
PFNGLBINDBUFFERPROC epoxy_glBindBuffer = bind_buffer;
PFNGLREADPIXELSPROC epoxy_glReadPixels = read_pixel;
PFNGLGETINTEGER64VPROC epoxy_glGetInteger64v = get_integer;
PFNGLBEGINCONDITIONALRENDERPROC epoxy_glBeginConditionalRender =
   begin_condition;
PFNGLENDCONDITIONALRENDERPROC epoxy_glEndConditionalRender = end_condition;
