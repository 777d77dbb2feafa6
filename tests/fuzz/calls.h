/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* State of the fuzzer of GL calls, and arguments taken from the input. */

#ifndef PITOT_TESTS_FUZZ_CALLS_H
#define PITOT_TESTS_FUZZ_CALLS_H

#include "fuzz.h"
#include "gl/host.h"

#define FUZZ_CALLS_MAX_NAMES 12

/* Fills memory for results. */
#define FUZZ_CALLS_GUARD 0xa5

struct fuzz_calls {
   struct fuzz_input *input;
   struct host host;
   uint32_t names[FUZZ_CALLS_MAX_NAMES];
   uint32_t handles[FUZZ_CALLS_MAX_NAMES]; /* of perf queries */
   uint32_t monitors[FUZZ_CALLS_MAX_NAMES];
};

/* Takes an enum, usually one of queries. */
unsigned
fuzz_calls_enum(struct fuzz_calls *f);

/* Takes a small number, or any. */
uint32_t
fuzz_calls_number(struct fuzz_calls *f);

/* Takes a name that GL gave, or any number. */
uint32_t
fuzz_calls_name(struct fuzz_calls *f, const uint32_t *given);

/* Allocates exactly size_B, so that a sanitizer sees each access beyond.  May
 * return NULL, which both extensions allow.
 */
void *
fuzz_calls_new_answer(struct fuzz_calls *f, size_t size_B);

/* Calls of INTEL_performance_query. */
void
fuzz_calls_find_set(struct fuzz_calls *f);

void
fuzz_calls_look_at_set(struct fuzz_calls *f);

void
fuzz_calls_look_at_counter(struct fuzz_calls *f);

void
fuzz_calls_create_perf_query(struct fuzz_calls *f);

void
fuzz_calls_use_perf_query(struct fuzz_calls *f);

void
fuzz_calls_read_perf_query(struct fuzz_calls *f);

/* Calls of AMD_performance_monitor. */
void
fuzz_calls_list_groups(struct fuzz_calls *f);

void
fuzz_calls_look_at_group(struct fuzz_calls *f);

void
fuzz_calls_make_monitors(struct fuzz_calls *f);

void
fuzz_calls_select_counters(struct fuzz_calls *f);

void
fuzz_calls_use_monitor(struct fuzz_calls *f);

void
fuzz_calls_read_monitor(struct fuzz_calls *f);

#endif /* PITOT_TESTS_FUZZ_CALLS_H */
