/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A report: a trace in memory, and the outputs that are made from it.
 *
 * Threads: one at a time.
 */

#ifndef PITOT_REPORT_H
#define PITOT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace.h"

/* Outer ones first. */
enum pitot_report_category {
   PITOT_REPORT_FRAME,
   PITOT_REPORT_GROUP,
   PITOT_REPORT_PASS,
   PITOT_REPORT_DRAW,
   PITOT_REPORT_DISPATCH,
   PITOT_REPORT_CLEAR,
   PITOT_REPORT_BLIT,
   PITOT_REPORT_COPY,
   PITOT_REPORT_CALL,
   PITOT_REPORT_WAIT,
   PITOT_REPORT_UPLOAD,
   PITOT_REPORT_READBACK,
   PITOT_REPORT_CATEGORY_COUNT,
};

extern const char
   *const pitot_report_category_names[PITOT_REPORT_CATEGORY_COUNT];

/* No slice. */
#define PITOT_REPORT_NONE SIZE_MAX

struct pitot_report_values {
   size_t first;
   unsigned count;
};

struct pitot_report_slice {
   unsigned track;
   enum pitot_report_category category;
   const char *name;
   uint64_t begin_ns, end_ns;
   uint64_t flow; /* 0: none */
   struct pitot_report_values values;

   /* Of the slices of a track, each is followed by those in it. */
   size_t parent; /* or PITOT_REPORT_NONE */
   size_t after;  /* the first slice that is not in it */
   unsigned depth;
   size_t order; /* in the file */
};

struct pitot_report_track {
   struct pitot_trace_track id;
   const char *process, *thread; /* their names */
   size_t begin, end;            /* its slices */
};

struct pitot_report_mark {
   uint64_t time_ns;
   const char *name;
   struct pitot_report_values values;
};

/* Memory is allocated in powers of two. */
struct pitot_report {
   struct pitot_report_slice *slices;
   struct pitot_trace_value *values;
   struct pitot_report_track *tracks;
   struct pitot_report_mark *marks;
   const char **counters; /* their names, as they come */
   size_t slice_count, value_count, track_count, mark_count, counter_count;

   char **strings; /* a hash table of all, each one once */
   size_t string_count, string_room;

   size_t frame_count;
   size_t bad_line_count; /* that could not be read */
   bool is_cut;           /* the end is missing */
};

/* Reads a trace.  Returns 0 and a report of all that could be read, to be
 * freed; or a negative errno value and nothing: -ENODATA for a file that is
 * no trace.
 */
int
pitot_report_read(const char *path, struct pitot_report **report_out);

void
pitot_report_free(struct pitot_report *report);

/* Sorts the slices by their tracks, and finds out which of them is in which.
 */
void
pitot_report_nest(struct pitot_report *report);

/* Returns the only copy of a string, or NULL without memory. */
const char *
pitot_report_string(struct pitot_report *report, const char *string);

/* Returns whether a slice was executed by the GPU. */
static inline bool
pitot_report_is_gpu(const struct pitot_report *report,
                    const struct pitot_report_slice *slice)
{
   return report->tracks[slice->track].id.process == 0;
}

static inline uint64_t
pitot_report_ns(const struct pitot_report_slice *slice)
{
   return slice->end_ns - slice->begin_ns;
}

/* Returns a value by its name, or NULL. */
const struct pitot_trace_value *
pitot_report_value(const struct pitot_report *report,
                   struct pitot_report_values values, const char *name);

/* Returns a number by its name, or 0. */
uint64_t
pitot_report_u64(const struct pitot_report *report,
                 struct pitot_report_values values, const char *name);

/* Adds a counter up: the slice's own value, or else those of the slices in
 * it. Returns whether there is any.
 */
bool
pitot_report_count(const struct pitot_report *report, size_t slice,
                   const char *counter, double *sum_out);

/* Returns the calls of a category, from draw to copy, in a slice. */
uint64_t
pitot_report_calls(const struct pitot_report *report, size_t slice,
                   enum pitot_report_category category);

/* Returns the slice of that category around a slice, or the slice itself, or
 * PITOT_REPORT_NONE.
 */
size_t
pitot_report_around(const struct pitot_report *report, size_t slice,
                    enum pitot_report_category category);

/* The outputs.  frame: the number of the frame to draw, or 0 for the one of
 * median time.
 */
void
pitot_report_write_text(const struct pitot_report *report, FILE *out);
void
pitot_report_write_csv(const struct pitot_report *report, FILE *out);
void
pitot_report_write_svg(const struct pitot_report *report, FILE *out,
                       uint64_t frame);

/* Writes the output of a trace that the ending of the output's name says:
 * .txt, .csv or .svg, whatever the locale is.  Returns 0 or a negative errno
 * value: -EINVAL for another ending; -ENODATA for a file that is no trace.
 */
int
pitot_trace_convert(const char *trace_path, const char *output_path);

/* Returns whether pitot_trace_convert() knows the ending of a name. */
bool
pitot_trace_can_convert(const char *output_path);

#endif /* PITOT_REPORT_H */
