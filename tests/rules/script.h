/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs scripts of rules.h on Pitot over the null driver (../gl/host.h), or on
 * a real GL (../conformance/real_gl.h).
 */

#ifndef PITOT_TESTS_SCRIPT_H
#define PITOT_TESTS_SCRIPT_H

#include <stdbool.h>

#include "entry_points.h"

#define SCRIPT_BUFFER_SIZE_B 64

/* Fills memory before a call writes to it. */
#define SCRIPT_UNTOUCHED_BYTE 0xaa

struct script_gl {
   const struct entry_points *entry_points;
   bool has_no_errors; /* KHR_no_error: mistakes make values undefined */
   uint32_t buffer;    /* name of a buffer of SCRIPT_BUFFER_SIZE_B */

   /* That buffer: binds it to QUERY_BUFFER, maps it, reads from it. */
   void (*bind_buffer)(bool is_bound);
   void (*map_buffer)(bool is_mapped);
   void (*read_buffer)(unsigned offset_B, unsigned size_B, void *data_out);

   /* Points of one sample.  The null driver counts them for the target only.
    */
   void (*draw_points)(uint64_t count, unsigned target);
   void (*draw_immediately)(unsigned count);

   /* Draws, and returns whether pixels change. */
   bool (*is_drawn)(void);
   void (*suspend)(void);

   /* Runs a verb of the null driver, or returns false; NULL on a real GL.
    * words end with NULL.
    */
   bool (*control)(char *const words[], uint64_t *value_out);

   const char *(*error_message)(void);
};

/* Runs a script.  A wrong value or error fails the test. */
void
script_run(const struct script_gl *gl, const char *script);

bool
script_has_counter(const struct entry_points *gl, uint32_t set,
                   const char *name);

/* The value of an integer counter in a record. */
uint64_t
script_counter_value(const struct entry_points *gl, uint32_t set,
                     const char *name, const uint8_t *record);

#endif /* PITOT_TESTS_SCRIPT_H */
