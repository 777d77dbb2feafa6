/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the defects and promises of drivers: see defects.c.
 */

#ifndef PITOT_DEFECTS_H
#define PITOT_DEFECTS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#define LENGTH(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

#define NS_PER_S UINT64_C(1000000000)

/* The simulator's functions; it is preloaded. */
extern bool (*sim_set)(const char *name, uint64_t value);
extern uint64_t (*sim_get)(const char *name);
extern void (*sim_hang)(void);

/*
 * scene.c
 */

/* Opens a context with EGL's strategy after resets: it ends with the device
 * or goes on.
 */
void
open_context_with(EGLint reset_strategy);

/* The same of OpenGL ES, which has GL_GPU_DISJOINT_EXT. */
void
open_es_context_with(EGLint reset_strategy);

/* Opens a context that a reset ends. */
void
open_context(void);

GLuint
make_query(void);

uint64_t
read_query(GLuint query);

/* Has the GPU write a result to memory, and reads that. */
uint64_t
read_by_buffer(GLuint query, GLenum parameter);

/* Measures draws of a point each.  Returns the query. */
GLuint
measure(GLenum target, unsigned draws);

/* Measures a draw where nothing is rasterized, and nothing is within the
 * scissor: freedreno has primitives that are discarded count samples.
 */
GLuint
measure_nothing(void);

/* Uses a program that dispatches run, and draws no longer. */
void
use_compute_program(void);

/* Dispatches a program, and goes on using that of draws. */
void
dispatch(void);

/* Measures the invocations of such a dispatch: one.  Returns the query. */
GLuint
measure_dispatch(void);

/* Returns whether a value is as expected, and prints it if it is not. */
bool
is_about(uint64_t value, uint64_t expected, uint64_t error);

/* Says "wrong" if a call never ends. */
void
open_watch(void);

/*
 * Defects and promises: each returns whether the driver is right.
 */

#define DEFECT(NAME)             bool NAME(void);
#define PROMISE(NAME)            DEFECT(NAME)
#define DEFECT_ANYWHERE(NAME)    DEFECT(NAME)
#define PROMISE_ANYWHERE(NAME)   DEFECT(NAME)
#define DEFECT_OF(DRIVER, NAME)  DEFECT(NAME)
#define PROMISE_OF(DRIVER, NAME) DEFECT(NAME)
#define LACK(DRIVER, NAME)
#define WORSE(DRIVER, NAME)
#include "defects.inc"
#undef DEFECT
#undef PROMISE
#undef DEFECT_ANYWHERE
#undef PROMISE_ANYWHERE
#undef DEFECT_OF
#undef PROMISE_OF
#undef LACK
#undef WORSE

#endif /* PITOT_DEFECTS_H */
