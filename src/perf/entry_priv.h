/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the entry points of perf.
 */

#ifndef PITOT_PERF_ENTRY_PRIV_H
#define PITOT_PERF_ENTRY_PRIV_H

#include "pitot_perf_query.h"
#include "pitot_gl_call.h"

/* Writes as much of a string as there is room for, and terminates it.
 * Returns the length of the part that was written.
 */
uint32_t
pitot_perf_copy_string(char *out, uint32_t size_B, const char *string);

/* Sends a message, once, if the user is not permitted to see some counters.
 */
void
pitot_perf_tell_hidden(struct pitot_gl *gl, struct pitot_perf *perf);

#endif /* PITOT_PERF_ENTRY_PRIV_H */
