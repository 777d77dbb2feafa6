/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TRACE_FIXTURE_H
#define PITOT_TRACE_FIXTURE_H

#include "listed.h"
#include "trace.h"

#define TRACE_TEST(NAME) TEST_IN(trace_set_up, trace_tear_down, NAME)

#define TRACE_ROWS(PARAMETER, NAME, ROWS)                                    \
   TEST_ROWS(trace_set_up, trace_tear_down, PARAMETER, NAME, ROWS)

extern char trace_path[64];
extern char trace_text[1 << 20];

int
trace_set_up(void **state);
int
trace_tear_down(void **state);

/* Reads a file into trace_text, and returns that. */
const char *
trace_contents_of(const char *path);

const char *
trace_contents(void);

struct pitot_trace *
trace_create(void);

/* Adds a slice to the GPU's first track, from 1 us to 2.5 us. */
void
trace_add_slice(struct pitot_trace *trace, const char *name);

void
trace_write_file(const char *bytes, size_t size_B);

#endif /* PITOT_TRACE_FIXTURE_H */
