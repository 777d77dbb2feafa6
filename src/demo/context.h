/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_CONTEXT_H
#define PITOT_DEMO_CONTEXT_H

#include <stdbool.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

/* Width and height of the render target, in pixels. */
#define TARGET_SIZE 256

enum api {
   API_ES,
   API_GL,
   API_COUNT,
};

/* A context without a window, and the framebuffer it renders into. */
struct context {
   enum api api;
   int version; /* 10 * major + minor */
   EGLDisplay display;
   EGLContext egl;
   GLuint texture;
   GLuint framebuffer;
   GLuint vertex_array; /* desktop only */
};

const char *
api_name(enum api api);

/* On failure, false and a line of why in *why; then nothing is to be closed.
 */
bool
context_open(struct context *ctx, enum api api, const char **why);

void
context_close(struct context *ctx);

/* Whether the context has a feature, by its version or by an extension. */
bool
context_has(const struct context *ctx, int version, const char *extension);

/* Fails, saying what was being done, if a GL error was raised. */
void
context_check(const char *doing);

#endif
