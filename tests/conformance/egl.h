/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Contexts of a real GL, without a window system: EGL's surfaceless platform.
 */

#ifndef PITOT_TESTS_EGL_H
#define PITOT_TESTS_EGL_H

#include <stdbool.h>

struct gl_context_kind {
   const char *name;
   unsigned rule_api; /* IN_COMPAT etc. of rules.h */
   bool is_es;
   bool is_compat;
   bool has_no_errors; /* KHR_no_error */
   bool has_glthread;  /* a thread of Mesa executes calls */
   bool is_robust;     /* reports GPU resets */
   int major, minor;   /* minimum; ES 2: exact */
};

/* Names: compat, core, es2, es3.  Returns NULL for others. */
const struct gl_context_kind *
gl_context_kind_find(const char *name);

/* Initializes EGL for contexts of one kind.  Returns whether it is supported.
 */
bool
egl_open(const struct gl_context_kind *kind);

/* Makes a new context current, with a small framebuffer.  Returns false if
 * this driver has no such context.
 */
bool
egl_make_context(const struct gl_context_kind *kind);

void
egl_destroy_context(void);

/* Creates a framebuffer of 16 x 16 pixels and binds it. */
struct egl_framebuffer {
   unsigned framebuffer;
   unsigned renderbuffer;
};

struct egl_framebuffer
egl_make_framebuffer(void);

/* Makes another new context of the same kind current, with a framebuffer.
 * The test's first context stays.
 */
struct egl_context *
egl_push_context(void);

void
egl_use_context(struct egl_context *context);

/* Destroys it, and makes the test's context current. */
void
egl_pop_context(struct egl_context *context);

#endif /* PITOT_TESTS_EGL_H */
