/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The ways to draw and dispatch that Mesa treats differently.
 */

#ifndef PITOT_TESTS_DRAW_WAYS_H
#define PITOT_TESTS_DRAW_WAYS_H

#include <stdbool.h>

#include <epoxy/gl.h>

#define DRAW_POINTS 7 /* of most ways */

/* Objects that the caller creates. */
extern struct draw_objects {
   GLuint array_buffer, element_buffer, group_buffer; /* indirect commands */
   GLuint no_program, plain_program, compute_program, group_size_program;
   GLuint feedback, list;
} objects;

struct draw_way {
   const char *name;
   void (*draw)(void);
   const GLuint *program;
   int version;           /* GL version, or */
   const char *extension; /* extension, that has it */
   bool is_compat;        /* compatibility profile only */
   bool is_compute;
};

/* Ends with a row without a name. */
extern const struct draw_way draw_ways[];

void
draw_arrays(void);

void
draw_immediately(void);

void
draw_to_select(void);

#endif /* PITOT_TESTS_DRAW_WAYS_H */
