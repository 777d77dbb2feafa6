/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Shared by the defects and promises of drivers: see defects.c. */

#ifndef PITOT_DEFECTS_H
#define PITOT_DEFECTS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#define LENGTH(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

#define NS_PER_S UINT64_C(1000000000)

/* Functions of the preloaded simulator. */
extern bool (*sim_set)(const char *name, uint64_t value);
extern uint64_t (*sim_get)(const char *name);
extern void (*sim_hang)(void);

/* scene.c */

/* EGL's strategy says whether the context survives a reset. */
void
open_context_with(EGLint reset_strategy);

/* The same for OpenGL ES, which has GL_GPU_DISJOINT_EXT. */
void
open_es_context_with(EGLint reset_strategy);

/* Opens a context that a reset ends. */
void
open_context(void);

GLuint
make_query(void);

uint64_t
read_query(GLuint query);

/* Stores a result in a buffer, and reads the buffer. */
uint64_t
read_by_buffer(GLuint query, GLenum parameter);

/* Measures draws of one point each. */
GLuint
measure(GLenum target, unsigned draws);

/* Measures a draw with rasterizer discard and an empty scissor: on freedreno,
 * discarded primitives count samples.
 */
GLuint
measure_nothing(void);

/* Draws have no program after this. */
void
use_compute_program(void);

/* Dispatches with a compute program, then binds the draws' program again. */
void
dispatch(void);

/* Measures a dispatch of one invocation. */
GLuint
measure_dispatch(void);

/* Prints the value if it is not about as expected. */
bool
is_about(uint64_t value, uint64_t expected, uint64_t error);

/* From here on a call that never returns prints "wrong". */
void
open_watch(void);

/* Each defect or promise returns whether the driver is right. */

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
