/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs the scripts of rules.h on a GL: Pitot's layer over the null driver
 * (../gl/host.h), or a real one (../conformance/real_gl.h).
 */

#ifndef PITOT_TESTS_SCRIPT_H
#define PITOT_TESTS_SCRIPT_H

#include <stdbool.h>

#include "entry_points.h"

#define SCRIPT_BUFFER_SIZE_B 64

/* Each byte of memory before a call writes to it. */
#define SCRIPT_UNTOUCHED_BYTE 0xaa

/* The GL that a script runs on. */
struct script_gl {
   const struct entry_points *entry_points;
   bool has_no_errors; /* KHR_no_error: after a mistake values are undefined,
                        * and not looked at */
   uint32_t buffer;    /* the name of a buffer of SCRIPT_BUFFER_SIZE_B */

   /* Binds that buffer to QUERY_BUFFER, maps it, and reads from it. */
   void (*bind_buffer)(bool is_bound);
   void (*map_buffer)(bool is_mapped);
   void (*read_buffer)(unsigned offset_B, unsigned size_B, void *data_out);

   /* Draws so many points, each of them a sample.  The null driver counts
    * them for that target alone, so that each is known to count its own.
    */
   void (*draw_points)(uint64_t count, unsigned target);
   void (*draw_immediately)(unsigned count);

   /* Draws something, and returns whether it is there. */
   bool (*is_drawn)(void);
   void (*suspend)(void);

   /* Runs one of the verbs that are for the null driver alone: the words of
    * the statement, behind which there are NULLs.  Returns false if it is
    * none of them.  NULL elsewhere.
    */
   bool (*control)(char *const words[], uint64_t *value_out);

   /* Returns a text about the last error. */
   const char *(*error_message)(void);
};

/* Runs a script; a statement that does not do what it says fails the test. */
void
script_run(const struct script_gl *gl, const char *script);

bool
script_has_counter(const struct entry_points *gl, uint32_t set,
                   const char *name);

/* Returns the value of an integer counter in a record of a perf set. */
uint64_t
script_counter_value(const struct entry_points *gl, uint32_t set,
                     const char *name, const uint8_t *record);

#endif /* PITOT_TESTS_SCRIPT_H */
