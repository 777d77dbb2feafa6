/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A trace in memory instead of src/profile/trace.c.
 */

#ifndef PITOT_TESTS_FAKE_TRACE_H
#define PITOT_TESTS_FAKE_TRACE_H

#include "trace.h"

#define FAKE_TRACE_VALUES 40

struct fake_event {
   enum {
      FAKE_SLICE,
      FAKE_COUNTERS,
      FAKE_MARK,
      FAKE_TRACK,
   } type;
   struct pitot_trace_track track;
   char category[16];
   char name[128];
   uint64_t begin_ns, end_ns;
   uint64_t flow;
   struct {
      char name[64];
      double number;
      char string[64];
   } values[FAKE_TRACE_VALUES];
   unsigned value_count;
};

/* The events of the last trace, in order. */
extern struct fake_event *fake_events;
extern unsigned fake_event_count;

extern bool fake_trace_is_open;
extern int fake_trace_error; /* of the next pitot_trace_create() */
extern int fake_trace_close_error;
extern char fake_trace_path[4096];

bool
fake_has_value(const struct fake_event *event, const char *name);

/* Called by pitot_trace_flush() unless NULL. */
extern void (*fake_trace_at_flush)(void);

/* The value with that name, or -1. */
double
fake_value(const struct fake_event *event, const char *name);

/* The nth slice of a category (NULL: any) on the GPU, or the CPU; or NULL. */
const struct fake_event *
fake_slice(bool is_gpu, const char *category, unsigned n);

unsigned
fake_slice_count(bool is_gpu, const char *category);

/* The nth instant event with that name, or NULL. */
const struct fake_event *
fake_mark(const char *name, unsigned n);

/* The calls that are in no slice, according to the trace. */
double
fake_unmeasured(void);

void
fake_trace_clear(void);

#endif /* PITOT_TESTS_FAKE_TRACE_H */
