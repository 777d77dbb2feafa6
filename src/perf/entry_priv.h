/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * entry.c: what the entry points of both extensions have in common.
 */

#ifndef PITOT_PERF_ENTRY_PRIV_H
#define PITOT_PERF_ENTRY_PRIV_H

#include "perf_priv.h"
#include "pitot/perf_gl.h"
#include "pitot_gl_call.h"

/* Writes as much of a string as there is room for, and terminates it.
 * Returns the length of the part that was written.
 */
uint32_t
pitot_perf_copy_string(char *out, uint32_t size_B, const char *string);

/* Sends a message, once, if the user is not permitted to see some counters.
 */
void
pitot_perf_tell_hidden(struct pitot_perf_gl *perf_gl);

/* Creates a query of a set, or a monitor, with a name.  Returns NULL without
 * memory, and the name 0.
 */
struct pitot_perf_query *
pitot_perf_add(struct pitot_perf *perf, struct pitot_names *names,
               struct pitot_perf_set *set, uint32_t *name_out);

/* Deletes what has a name, unless nothing has. */
void
pitot_perf_remove(struct pitot_names *names, uint32_t name);

/* Returns what has a name.  Returns NULL after an error, INVALID_VALUE, if
 * nothing has: both documents say so.
 */
struct pitot_perf_query *
pitot_perf_find(const struct pitot_gl_call *call,
                const struct pitot_names *names, uint32_t name,
                const char *argument);

/* Reports a result of pitot_perf_query_begin(). */
void
pitot_perf_check_begin(const struct pitot_gl_call *call,
                       const struct pitot_perf_query *query, int result);

void
pitot_perf_begin(const struct pitot_gl_call *call,
                 struct pitot_perf_query *query);

void
pitot_perf_end(const struct pitot_gl_call *call,
               struct pitot_perf_query *query);

/* Waits for the records of an ended query, which an application asks for if
 * it reads them before they are available.  The noun, the name and the label
 * are for a message.
 */
void
pitot_perf_wait(const struct pitot_gl_call *call,
                struct pitot_perf_query *query, const char *noun,
                uint32_t name, const char *label);

#endif /* PITOT_PERF_ENTRY_PRIV_H */
