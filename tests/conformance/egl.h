/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Contexts of a real GL, without a display: EGL's surfaceless platform.
 */

#ifndef PITOT_TESTS_EGL_H
#define PITOT_TESTS_EGL_H

#include <stdbool.h>

/* A kind of context. */
struct gl_context_kind {
   const char *name;
   unsigned rule_api; /* IN_COMPAT and so on, of rules.h */
   bool is_es;
   bool is_compat;
   bool has_no_errors; /* KHR_no_error */
   bool has_glthread;  /* calls are made by a thread of Mesa's */
   bool is_robust;     /* a reset of the GPU is told */
   int major, minor;   /* at least; of ES 2 exactly */
};

/* Returns the kind of that name: compat, core, es2 or es3; NULL if there is
 * none.
 */
const struct gl_context_kind *
gl_context_kind_find(const char *name);

/* Initialises EGL for contexts of one kind.  Returns false if there is none.
 */
bool
egl_open(const struct gl_context_kind *kind);

/* Makes a context of that kind current, with a small framebuffer of its own.
 * Returns false if there is no such context here.
 */
bool
egl_make_context(const struct gl_context_kind *kind);

/* Destroys the current context. */
void
egl_destroy_context(void);

/* Makes a framebuffer of 16 x 16 pixels and binds it. */
struct egl_framebuffer {
   unsigned framebuffer;
   unsigned renderbuffer;
};

struct egl_framebuffer
egl_make_framebuffer(void);

/* Makes another context of the same kind, with a framebuffer, and makes it
 * current.  The first context remains that of the test.
 */
struct egl_context *
egl_push_context(void);

/* Makes a pushed context current. */
void
egl_use_context(struct egl_context *context);

/* Destroys it; the context of the test is current again. */
void
egl_pop_context(struct egl_context *context);

#endif /* PITOT_TESTS_EGL_H */
