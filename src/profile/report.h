/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A report: a trace in memory, or batches of it, and the outputs that are
 * made from it.  Outputs hold what they need of all batches: memory does not
 * grow with the length of a trace, but with the number of frames and of
 * names.
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

/* More than a trace has: Mesa has 64 groups in each other at most.  Slices
 * that are deeper lie beside the one around them.
 */
#define PITOT_REPORT_MAX_DEPTH 128

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
   size_t order; /* in the file, from 1 */
};

struct pitot_report_track {
   struct pitot_trace_track id;
   const char *process, *thread; /* their names */
   size_t begin, end;            /* its slices */
};

/* All marks of a name. */
struct pitot_report_mark {
   const char *name;
   size_t count;
   uint64_t time_ns;                  /* of the last one */
   struct pitot_report_values values; /* of the last one */
   uint64_t calls;                    /* the sum */
   uint64_t error_ns;                 /* the highest */
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

   /* Of the whole trace, though slices and values may be those of a batch. */
   size_t order;                   /* slices so far */
   size_t frame_count, part_count; /* whole frames, and parts of others */
   size_t bad_line_count;          /* that could not be read */
   bool is_cut;                    /* the end is missing */
};

/* Takes a batch: the slices of whole frames.  Returns 0 or a negative errno
 * value, which ends the reading.
 */
typedef int
pitot_report_take(void *data, const struct pitot_report *report);

/* Reads a trace, and calls take for each batch; or, if it is NULL, reads all
 * slices.  Returns 0 and a report of all that could be read, but for the
 * slices, to be freed; or a negative errno value and nothing: -ENODATA for a
 * file that is no trace.
 */
int
pitot_report_read(const char *path, pitot_report_take *take, void *data,
                  struct pitot_report **report_out);

void
pitot_report_free(struct pitot_report *report);

/* Sorts the slices by their tracks, and finds out which of them is in which.
 */
void
pitot_report_nest(struct pitot_report *report);

/* Returns the only copy of a string, or NULL without memory.  Its characters
 * are those of a line: others are blanks, and those that change the direction
 * of a text are question marks.
 */
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

/* Frames are counted apart from parts of frames, which only count if no frame
 * is whole: a program may never end one.
 */
enum pitot_report_kind {
   PITOT_REPORT_WHOLE,
   PITOT_REPORT_PART,
   PITOT_REPORT_KIND_COUNT,
};

/* Returns the kind that counts, when the whole trace was read. */
static inline enum pitot_report_kind
pitot_report_kind(const struct pitot_report *report)
{
   return report->frame_count > 0 ? PITOT_REPORT_WHOLE : PITOT_REPORT_PART;
}

/* Returns how many of these there are. */
static inline size_t
pitot_report_frames(const struct pitot_report *report)
{
   return report->frame_count > 0 ? report->frame_count : report->part_count;
}

/* Returns whether a slice is a frame or a part of one, and which. */
bool
pitot_report_is_frame(const struct pitot_report *report, size_t slice,
                      enum pitot_report_kind *kind_out);

/* Returns a value by its name, or NULL. */
const struct pitot_trace_value *
pitot_report_value(const struct pitot_report *report,
                   struct pitot_report_values values, const char *name);

/* Returns a number by its name, or 0. */
uint64_t
pitot_report_u64(const struct pitot_report *report,
                 struct pitot_report_values values, const char *name);

/* Returns a string by its name, or "?". */
const char *
pitot_report_text(const struct pitot_report *report,
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

/* Write an output of a trace, and return 0 or a negative errno value.  The
 * locale has to be "C".
 */
int
pitot_report_write_text(const char *trace_path, FILE *out);
int
pitot_report_write_csv(const char *trace_path, FILE *out);

/* Draws the frame of that number, or returns -ESRCH if there is none; 0: the
 * one of median time.
 */
int
pitot_report_write_svg(const char *trace_path, FILE *out, uint64_t frame);

enum pitot_report_format {
   PITOT_REPORT_TXT,
   PITOT_REPORT_CSV,
   PITOT_REPORT_SVG,
   PITOT_REPORT_FORMAT_COUNT,
};

/* Returns the format of an output by the ending of its name, ".txt" and so
 * on, or PITOT_REPORT_FORMAT_COUNT.
 */
enum pitot_report_format
pitot_report_format_of(const char *output_path);

/* Writes an output of a trace, the same in each locale; to stdout for "-".
 * frame as above.  Returns 0; or a negative errno value, with a regular file
 * as it was: -ENODATA for a file that is no trace, and -EINVAL for an output
 * that is the trace.
 */
int
pitot_report_write(const char *trace_path, enum pitot_report_format format,
                   const char *output_path, uint64_t frame);

/* Writes the output of a trace whose format the name of the output says.
 * Returns 0 or a negative errno value: -EINVAL for a name of another ending,
 * -ENODATA for a file that is no trace.
 */
int
pitot_trace_convert(const char *trace_path, const char *output_path);

#endif /* PITOT_REPORT_H */
