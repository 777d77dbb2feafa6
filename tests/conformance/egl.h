/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Contexts of a real GL, on EGL's surfaceless platform.
 */

#ifndef PITOT_TESTS_EGL_H
#define PITOT_TESTS_EGL_H

#include <stdbool.h>

struct gl_context_kind {
   const char *name;
   unsigned rule_api; /* IN_COMPAT etc. of rules.h */
   bool is_es;
   bool is_compat;
   bool has_no_errors;
   bool has_glthread; /* a thread of Mesa executes calls */
   bool is_untracked; /* zink does not know what a render pass will contain, as
                       * on most Vulkan drivers but lavapipe, and executes
                       * calls immediately */
   bool is_robust;    /* reports GPU resets */
   int major, minor;  /* minimum; ES 2: exact */
};

/* Names: compat, core, es2, es3.  Returns NULL for others. */
const struct gl_context_kind *
gl_context_kind_find(const char *name);

/* Initializes EGL.  Returns whether the kind of contexts is supported. */
bool
egl_open(const struct gl_context_kind *kind);

/* Makes a new context with a small framebuffer current, if supported. */
bool
egl_make_context(const struct gl_context_kind *kind);

void
egl_destroy_context(void);

/* 16 x 16 pixels.  Binds it. */
struct egl_framebuffer {
   unsigned framebuffer;
   unsigned renderbuffer;
};

struct egl_framebuffer
egl_make_framebuffer(void);

/* Makes another new context current; the test's first context stays. */
struct egl_context *
egl_push_context(void);

void
egl_use_context(struct egl_context *context);

/* Makes the test's context current again. */
void
egl_pop_context(struct egl_context *context);

#endif /* PITOT_TESTS_EGL_H */
