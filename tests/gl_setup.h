/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A real GL without a window, for all programs: contexts on EGL's surfaceless
 * platform, and the objects that draws need.  What fails to be made fails the
 * cmocka test, or ends the program.
 */

#ifndef PITOT_TESTS_GL_SETUP_H
#define PITOT_TESTS_GL_SETUP_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include "rules/entry_points.h"

/*
 * Contexts
 */

struct gl_context_kind {
   const char *name;
   const char *glsl;  /* the version of shaders */
   unsigned rule_api; /* IN_COMPAT etc. of rules.h */
   bool is_es;
   bool is_compat;
   bool has_no_errors;
   bool has_glthread; /* a thread of Mesa executes calls */
   bool is_untracked; /* zink does not know what a render pass will contain,
                       * as on most Vulkan drivers but lavapipe, and executes
                       * calls immediately */
   bool is_robust;    /* a GPU reset is reported, and ends the context */
   int major, minor;  /* minimum; ES 2: exact */
};

/* Names: compat, core, es2, es3.  Returns NULL for others. */
const struct gl_context_kind *
gl_context_kind_find(const char *name);

/* Initializes EGL.  Returns whether the kind of contexts is supported. */
bool
egl_open(const struct gl_context_kind *kind);

/* For this thread. */
void
egl_bind_api(const struct gl_context_kind *kind);

/* Returns EGL_NO_CONTEXT if the kind is not supported. */
EGLContext
egl_create_context(const struct gl_context_kind *kind, EGLContext shared);

/* Returns whether it is current; EGL_NO_CONTEXT: no context. */
bool
egl_use_context(EGLContext context);

/* Leaves no context current. */
void
egl_delete_context(EGLContext context);

/* Makes a new context with a small framebuffer current, if supported. */
bool
egl_make_context(const struct gl_context_kind *kind);

void
egl_destroy_context(void);

/* Makes another new context current; the test's first context stays. */
EGLContext
egl_push_context(void);

/* Makes the test's context current again. */
void
egl_pop_context(EGLContext context);

/*
 * Objects
 */

struct egl_framebuffer {
   GLuint framebuffer;
   GLuint renderbuffer;
};

/* Binds it; the viewport is all of it. */
struct egl_framebuffer
gl_make_framebuffer(GLenum format, GLsizei size);

/* 16 x 16 pixels, cleared. */
struct egl_framebuffer
egl_make_framebuffer(void);

void
gl_bind_vertex_array(void);

/* Binds a new buffer, and returns its name. */
GLuint
gl_make_buffer(GLenum target, GLsizeiptr size_B, const void *bytes,
               GLenum usage);

/* The same for an indexed target. */
GLuint
gl_make_buffer_at(GLenum target, GLuint index, GLsizeiptr size_B);

/* Vertex shaders of all versions may declare "in"; fragment shaders have the
 * output "painted".
 */
void
gl_attach(GLuint program, GLenum stage, const char *version,
          const char *source);

/* Returns the program, for a call in an expression. */
GLuint
gl_link(GLuint program);

/* Not linked yet.  The attribute "position" has location 0. */
GLuint
gl_start_program(const char *version, const char *vertex,
                 const char *fragment);

/* layout: of the work group.  Declarations and statements may be "". */
GLuint
gl_make_compute_program(const char *layout, const char *declarations,
                        const char *statements);

/* A fragment shader. */
#define GL_WHITE "void main() { painted = vec4(1.0); }\n"

/* CLOCK_MONOTONIC, or another clock. */
uint64_t
cpu_time_ns(void);

uint64_t
clock_ns(clockid_t clock);

/*
 * The preloaded simulator of GPUs (sim/preload.c).  Without it, nothing is
 * set, and numbers are 0.
 */

bool
sim_is_there(void);

bool
sim_set(const char *name, uint64_t value);

uint64_t
sim_get(const char *name);

/* Calls pitot_sim_NAME(). */
void
sim_call(const char *name);

/*
 * Entry points by name: no loader has the ANGLE suffix.
 */

/* suffix of timers: "EXT" or "ANGLE" on ES, else "".  Missing ones are NULL.
 */
void
entry_points_load(struct entry_points *points, const char *suffix);

#endif /* PITOT_TESTS_GL_SETUP_H */
