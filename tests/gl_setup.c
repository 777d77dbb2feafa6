/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "gl_setup.h"
#include "rules/rules.h"
#include "test.h"

static const struct gl_context_kind kinds[] = {
   { .name = "compat",
     .glsl = "#version 150\n",
     .rule_api = IN_COMPAT,
     .is_compat = true,
     .major = 3 },
   { .name = "core",
     .glsl = "#version 150\n",
     .rule_api = IN_CORE,
     .major = 3,
     .minor = 2 },
   { .name = "es2",
     .glsl = "#version 100\n",
     .rule_api = IN_ES2,
     .is_es = true,
     .major = 2 },
   { .name = "es3",
     .glsl = "#version 300 es\n",
     .rule_api = IN_ES3,
     .is_es = true,
     .major = 3 },
};

static EGLDisplay display;
static EGLContext first;
static const struct gl_context_kind *current_kind;

const struct gl_context_kind *
gl_context_kind_find(const char *name)
{
   for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
      if (strcmp(kinds[i].name, name) == 0)
         return &kinds[i];
   }
   return NULL;
}

void
egl_bind_api(const struct gl_context_kind *kind)
{
   eglBindAPI(kind->is_es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
}

bool
egl_open(const struct gl_context_kind *kind)
{
   /* Without the override, Mesa creates ES 3 when ES 2 is requested. */
   if (kind->is_es && kind->major == 2)
      setenv("MESA_GLES_VERSION_OVERRIDE", "2.0", 1);
   if (kind->has_glthread)
      setenv("mesa_glthread", "true", 1);
   if (kind->is_untracked) {
      setenv("ZINK_DEBUG", "norp", 1);
      setenv("GALLIUM_THREAD", "0", 1);
   }

   display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                      EGL_DEFAULT_DISPLAY, NULL);
   egl_bind_api(kind);
   return display && eglInitialize(display, NULL, NULL);
}

EGLContext
egl_create_context(const struct gl_context_kind *kind, EGLContext shared)
{
   const EGLint strategy =
      kind->is_es ? EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT
                  : EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY;
   const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION,
      kind->major,
      EGL_CONTEXT_MINOR_VERSION,
      kind->minor,
      EGL_CONTEXT_OPENGL_NO_ERROR_KHR,
      kind->has_no_errors,
      /* ES has no profiles: repeats the version. */
      kind->is_es ? EGL_CONTEXT_MAJOR_VERSION
                  : EGL_CONTEXT_OPENGL_PROFILE_MASK,
      kind->is_es       ? kind->major
      : kind->is_compat ? EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT
                        : EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
      /* softpipe rejects the attribute on ES. */
      kind->is_robust ? strategy : EGL_NONE,
      EGL_LOSE_CONTEXT_ON_RESET,
      EGL_NONE,
   };

   egl_bind_api(kind);
   return eglCreateContext(display, EGL_NO_CONFIG_KHR, shared, attributes);
}

bool
egl_use_context(EGLContext context)
{
   return eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

bool
egl_make_context(const struct gl_context_kind *kind)
{
   current_kind = kind;
   first = egl_create_context(kind, EGL_NO_CONTEXT);
   if (!first || !egl_use_context(first))
      return false;
   egl_make_framebuffer();
   return true;
}

void
egl_delete_context(EGLContext context)
{
   egl_use_context(EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
}

void
egl_destroy_context(void)
{
   egl_delete_context(first);
}

EGLContext
egl_push_context(void)
{
   EGLContext pushed = egl_create_context(current_kind, EGL_NO_CONTEXT);

   assert_true(pushed && egl_use_context(pushed));
   egl_make_framebuffer();
   return pushed;
}

void
egl_pop_context(EGLContext pushed)
{
   egl_use_context(first);
   eglDestroyContext(display, pushed);
}

struct egl_framebuffer
gl_make_framebuffer(GLenum format, GLsizei size)
{
   struct egl_framebuffer made;

   glGenFramebuffers(1, &made.framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, made.framebuffer);
   glGenRenderbuffers(1, &made.renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, made.renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, format, size, size);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, made.renderbuffer);
   glViewport(0, 0, size, size);
   return made;
}

struct egl_framebuffer
egl_make_framebuffer(void)
{
   const struct egl_framebuffer made = gl_make_framebuffer(GL_RGBA4, 16);

   glClear(GL_COLOR_BUFFER_BIT);
   glFinish(); /* a driver may merge it with later clears */
   return made;
}

void
gl_bind_vertex_array(void)
{
   GLuint array;

   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
}

GLuint
gl_make_buffer(GLenum target, GLsizeiptr size_B, const void *bytes,
               GLenum usage)
{
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(target, buffer);
   glBufferData(target, size_B, bytes, usage);
   return buffer;
}

GLuint
gl_make_buffer_at(GLenum target, GLuint index, GLsizeiptr size_B)
{
   const GLuint buffer =
      gl_make_buffer(target, size_B, NULL, GL_DYNAMIC_COPY);

   glBindBufferBase(target, index, buffer);
   return buffer;
}

void
gl_attach(GLuint program, GLenum stage, const char *version,
          const char *source)
{
   const bool is_es2 = strstr(version, "100") != NULL;
   const char *const sources[] = {
      version,
      stage == GL_FRAGMENT_SHADER ? "precision mediump float;\n" : "",
      stage != GL_FRAGMENT_SHADER ? is_es2 ? "#define in attribute\n" : ""
      : is_es2                    ? "#define painted gl_FragColor\n"
                                  : "out vec4 painted;\n",
      source,
   };
   const GLuint shader = glCreateShader(stage);

   glShaderSource(shader, ARRAY_LENGTH(sources), sources, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
   glDeleteShader(shader);
}

GLuint
gl_link(GLuint program)
{
   char log[500] = "";
   GLint is_linked;

   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
   if (!is_linked) {
      glGetProgramInfoLog(program, sizeof(log), NULL, log);
      fail_msg("a program does not link: %s", log);
   }
   return program;
}

GLuint
gl_start_program(const char *version, const char *vertex,
                 const char *fragment)
{
   const GLuint program = glCreateProgram();

   gl_attach(program, GL_VERTEX_SHADER, version, vertex);
   gl_attach(program, GL_FRAGMENT_SHADER, version, fragment);
   glBindAttribLocation(program, 0, "position");
   return program;
}

GLuint
gl_make_compute_program(const char *layout, const char *declarations,
                        const char *statements)
{
   const GLuint program = glCreateProgram();
   char source[1000];

   snprintf(source, sizeof(source), "layout(%s) in;\n%svoid main() { %s }\n",
            layout, declarations, statements);
   gl_attach(program, GL_COMPUTE_SHADER,
             "#version 330\n"
             "#extension GL_ARB_compute_shader : require\n"
             "#extension GL_ARB_compute_variable_group_size : enable\n"
             "#extension GL_ARB_shader_storage_buffer_object : enable\n",
             source);
   return gl_link(program);
}

uint64_t
clock_ns(clockid_t clock)
{
   struct timespec time;

   clock_gettime(clock, &time);
   return time.tv_sec * UINT64_C(1000000000) + time.tv_nsec;
}

uint64_t
cpu_time_ns(void)
{
   return clock_ns(CLOCK_MONOTONIC);
}

bool
sim_is_there(void)
{
   return dlsym(RTLD_DEFAULT, "pitot_sim_set") != NULL;
}

bool
sim_set(const char *name, uint64_t value)
{
   bool (*set)(const char *, uint64_t);

   *(void **)&set = dlsym(RTLD_DEFAULT, "pitot_sim_set");
   return set && set(name, value);
}

uint64_t
sim_get(const char *name)
{
   uint64_t (*get)(const char *);

   *(void **)&get = dlsym(RTLD_DEFAULT, "pitot_sim_get");
   return get ? get(name) : 0;
}

void
sim_call(const char *name)
{
   char full_name[64];
   void (*function)(void);

   snprintf(full_name, sizeof(full_name), "pitot_sim_%s", name);
   *(void **)&function = dlsym(RTLD_DEFAULT, full_name);
   assert_non_null(*(void **)&function);
   function();
}

static void *
look_up(const char *name, const char *suffix)
{
   char full_name[64];

   snprintf(full_name, sizeof(full_name), "gl%s%s", name, suffix);
   return (void *)eglGetProcAddress(full_name);
}

void
entry_points_load(struct entry_points *points, const char *suffix)
{
   const bool is_es = suffix[0] != '\0';
   const char *used = suffix;

#define LOAD(RETURN, NAME, PARAMETERS) points->NAME = look_up(#NAME, used);
   TIMER_ENTRY_POINTS(LOAD)
   used = is_es ? "EXT" : "";
   INTEGER64_ENTRY_POINTS(LOAD)
   used = is_es ? "NV" : "";
   CONDITION_ENTRY_POINTS(LOAD)
   used = "INTEL";
   PERF_ENTRY_POINTS(LOAD)
   used = "AMD";
   MONITOR_ENTRY_POINTS(LOAD)
   used = "";
   DESKTOP_ENTRY_POINTS(LOAD)
   COMMON_ENTRY_POINTS(LOAD)
#undef LOAD
}
