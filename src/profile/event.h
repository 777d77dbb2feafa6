/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A line of a trace, read back.
 */

#ifndef PITOT_EVENT_H
#define PITOT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "trace.h"

/* Strings are in the line that was read, which must outlive the event. */
struct pitot_event {
   char phase; /* of Chrome's trace format: X, M, C, i, s, f; 0: none */
   struct pitot_trace_track track;
   uint64_t time_ns, duration_ns;
   uint64_t id;
   const char *name, *category; /* "" if there is none */

   /* The event's own, and used again by the next one. */
   struct pitot_trace_value *values;
   unsigned value_count, value_room;
};

/* Reads a line, and changes it.  Returns 0 and an event; phase 0 for a line
 * that has none (the begin and the end of the array); -EINVAL for a line that
 * pitot_trace_*() did not write, or which was cut off; or -ENOMEM.
 */
int
pitot_event_read(struct pitot_event *event, char *line);

void
pitot_event_finish(struct pitot_event *event);

#endif /* PITOT_EVENT_H */
