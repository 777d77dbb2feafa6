/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The ways to draw and to dispatch: the entry points, and what Mesa does in
 * different ways.
 */

#ifndef PITOT_TESTS_DRAW_WAYS_H
#define PITOT_TESTS_DRAW_WAYS_H

#include <stdbool.h>

#include <epoxy/gl.h>

#define DRAW_POINTS 7 /* in most of them */

/* The objects that they need, made by the caller. */
extern struct draw_objects {
   GLuint array_buffer, element_buffer, group_buffer; /* of commands */
   GLuint no_program, plain_program, compute_program, group_size_program;
   GLuint feedback, list;
} objects;

struct draw_way {
   const char *name;
   void (*draw)(void);
   const GLuint *program;
   int version;           /* of GL, or */
   const char *extension; /* with it */
   bool is_compat;        /* in the compatibility profile only */
   bool is_compute;
};

/* The last one has no name. */
extern const struct draw_way draw_ways[];

void
draw_arrays(void);

void
draw_immediately(void);

void
draw_to_select(void);

#endif /* PITOT_TESTS_DRAW_WAYS_H */
