/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Shared by the defects and promises of drivers: see defects.c. */

#ifndef PITOT_DEFECTS_H
#define PITOT_DEFECTS_H

#include <inttypes.h>
#include <stdbool.h>

#include "conformance/behaviour.h"

#define NS_PER_S UINT64_C(1000000000)

/* A defect or promise.  If a value is not as expected, the driver is wrong.
 */
struct defect {
   const char *name;
   const char *kind;
   const char *driver; /* the only affected one, or NULL */
   void (*run)(void);  /* NULL: of another row */

   /* What comes before run(), in this order. */
   const char *setting; /* of the simulator */
   uint64_t value;
   bool is_unthreaded; /* without u_threaded_context */
   bool is_unopened;   /* run() opens the context */
   bool is_es;         /* for GL_GPU_DISJOINT_EXT */
   bool survives;      /* a reset; otherwise it ends the context */
   bool is_known;      /* a first result shows which backends exist */
   bool is_delayed;    /* the GPU works only while it is waited for */

   bool is_anywhere; /* shown without a simulator */
   bool is_lawful;   /* after run(), no rule of the GPU was violated */
};

/* scene.c */

/* Opens a context as a defect needs it. */
void
open_context(const struct defect *defect);

/* Opens another context that a reset ends. */
void
open_new_context(void);

/* Stores a result in a buffer, and reads the buffer. */
uint64_t
read_by_buffer(GLuint query, GLenum parameter);

/* Measures draws of one point each. */
GLuint
measure(GLenum target, unsigned draws);

uint64_t
count(GLenum target, unsigned draws);

/* Measures a draw with rasterizer discard and an empty scissor: on freedreno,
 * discarded primitives count samples.
 */
GLuint
measure_nothing(void);

void
draw_point(void);

/* Draws have no program after this. */
void
use_compute_program(void);

/* Dispatches with a compute program, then binds the draws' program again. */
void
dispatch(void);

/* Measures a dispatch of one invocation. */
GLuint
measure_dispatch(void);

/* A value that is not as expected is printed, and ends the program. */
void
expect_about(uint64_t value, uint64_t expected, uint64_t error);

void
expect(uint64_t value, uint64_t expected);

void
expect_least(uint64_t value, uint64_t least);

void
expect_most(uint64_t value, uint64_t most);

/* From here on a call that never returns prints "wrong". */
void
open_watch(void);

#define DEFECT(NAME, ...)          void NAME(void);
#define DEFECT_BY(NAME, RUN, ...)  DEFECT(RUN)
#define PROMISE(NAME, ...)         DEFECT(NAME)
#define PROMISE_BY(NAME, RUN, ...) DEFECT(RUN)
#define LACK(NAME, ...)
#define WORSE(NAME, ...)
#include "defects.inc"
#undef DEFECT
#undef DEFECT_BY
#undef PROMISE
#undef PROMISE_BY
#undef LACK
#undef WORSE

#endif /* PITOT_DEFECTS_H */
