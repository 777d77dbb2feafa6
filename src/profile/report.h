/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A report: a trace as pitot-profile reads it, and the outputs made from it.
 * Slices are read in batches, so that memory grows with the number of frames
 * and of names, but not with the length of the trace.
 *
 * Functions return 0 or a negative errno value, unless they say otherwise.
 * Threads: one at a time.
 */

#ifndef PITOT_REPORT_H
#define PITOT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "trace.h"

/*
 * read.c, report.c: the trace
 */

/* Outer categories come first: report.c compares the numbers. */
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

/* More than a trace needs: Mesa limits debug groups to 64 levels.  Deeper
 * slices become siblings of the slice around them.
 */
#define PITOT_REPORT_MAX_DEPTH 128

struct pitot_report_track {
   struct pitot_trace_track id;
   unsigned number;              /* from 0, in the order of the file */
   const char *process, *thread; /* their names */
   uint64_t last_frame_ns[2]; /* start of the last frame, of the last part */
   double y;                  /* position in the picture */
};

struct pitot_report_slice {
   struct pitot_report_track *track;
   enum pitot_report_category category;
   const char *name;
   uint64_t begin_ns, end_ns;
   uint64_t flow;  /* 0: none */
   json_t *values; /* numbers and strings by name; or NULL */
   size_t order;   /* in the file, from 1 */

   /* Slices of a track are contiguous, each before the slices inside it. */
   struct pitot_report_slice *parent;      /* or NULL */
   const struct pitot_report_slice *after; /* the first one not inside */
   unsigned depth;
};

struct pitot_report_counter {
   const char *name;
   double total, of_frames; /* of all work, of whole frames; by sum.c */
};

struct pitot_report;

/* Reads a batch: the slices of whole frames. */
typedef void
pitot_report_take(void *data, struct pitot_report *report);

struct pitot_report {
   pitot_report_take *take;
   void *data; /* for take() */

   struct pitot_report_slice *slices; /* of the current batch */
   size_t slice_count;

   /* Instant events by name: how many there are (count), the sum of their
    * calls, and the values of the last one.
    */
   json_t *marks;
   struct pitot_report_counter *counters; /* of slices on the GPU */
   size_t counter_count;
   uint64_t error_ns; /* the largest clock error */

   void *strings, *tracks; /* of tsearch(): see pitot_report_keep() */
   unsigned track_count;
   size_t order;          /* of the last slice */
   size_t bad_line_count; /* that could not be read */
   bool is_cut;           /* the closing bracket is missing */
};

/* Reads a trace, and calls take for each batch, unless it is NULL.  On
 * success returns a report with the last batch in it; the caller frees it.
 * -ENODATA: the file is not a trace.
 */
int
pitot_report_read(const char *path, pitot_report_take *take, void *data,
                  struct pitot_report **report_out);

void
pitot_report_free(struct pitot_report *report);

/* Sorts slices by track, and sets their parent, after and depth. */
void
pitot_report_nest(struct pitot_report_slice *slices, size_t count);

static inline bool
pitot_report_is_gpu(const struct pitot_report_slice *slice)
{
   return slice->track->id.process == 0;
}

static inline uint64_t
pitot_report_ns(const struct pitot_report_slice *slice)
{
   return slice->end_ns - slice->begin_ns;
}

/* Returns the sum of the slices inside a slice, or the length of a slice that
 * has none.
 */
uint64_t
pitot_report_busy_ns(const struct pitot_report_slice *slice);

/* Computes a counter: the slice's own value, or else the sum of the slices
 * inside.  Returns whether there is a value; if not, the sum is 0.
 */
bool
pitot_report_count(const struct pitot_report_slice *slice,
                   const char *counter, double *sum_out);

/* Returns the innermost slice of that category around a slice, which may be
 * the slice itself; or NULL.
 */
const struct pitot_report_slice *
pitot_report_around(const struct pitot_report_slice *slice,
                    enum pitot_report_category category);

/* Returns a positive integer by name, or 0. */
uint64_t
pitot_report_u64(const json_t *values, const char *name);

/* Returns a string by name, or "?". */
const char *
pitot_report_text(const json_t *values, const char *name);

static inline int
pitot_report_compare(uint64_t a, uint64_t b)
{
   return (a > b) - (a < b);
}

/* The exit status of pitot-profile if it runs out of memory; 1 by default. */
extern int pitot_report_failure;

/* Returns memory, if it is not NULL.  Otherwise prints a line that names the
 * trace, and exits with that status.  Regular output files then stay as they
 * were.
 */
void *
pitot_report_need(void *memory);

/* Returns the member of a tsearch() set that compares as equal to this one.
 * If there is none, adds a copy of this one.
 */
void *
pitot_report_keep(void **set, const void *member, size_t member_B,
                  int (*compare)(const void *, const void *));

/* Appends an element of zeros to an array, which may move. */
void *
pitot_report_add(void **array, size_t *count, size_t element_B);

/*
 * sum.c: sums over all slices of a trace, for tables and pictures
 */

enum pitot_frame_time {
   PITOT_FRAME_GPU,   /* from its start to its end */
   PITOT_FRAME_BUSY,  /* sum of its spans */
   PITOT_FRAME_APART, /* since the start of the frame before */
   PITOT_FRAME_COST,  /* of the profile, on the CPU */
   PITOT_FRAME_TIME_COUNT,
};

/* An unknown time. */
#define PITOT_FRAME_NO_TIME UINT64_MAX

/* A frame, or a part of one. */
struct pitot_frame {
   size_t order; /* of its slice in the file */
   uint64_t number;
   uint64_t begin_ns;
   uint64_t first_flow, last_flow; /* of the calls that sent it */
   uint64_t times_ns[PITOT_FRAME_TIME_COUNT];
};

/* The sum of all slices of one category and name in one place: a row of a
 * table, or a node in the tree of the GPU's work.
 */
struct pitot_sum {
   /* The key of a sum. */
   struct pitot_sum *parent; /* of the slices around, or a table */
   enum pitot_report_category category;
   const char *name;
   const char *pass; /* row: the pass around a call, or ""; node: NULL */

   size_t order; /* of creation, from 1 */
   unsigned depth;
   size_t count;
   uint64_t total_ns, highest_ns;
   uint64_t size_B, pixels; /* pixels: of slices with samples */
   double draws, samples;

   struct pitot_sum **children; /* sorted: the longest total first */
   size_t child_count;
};

struct pitot_summary {
   struct pitot_report *report; /* marks, counters, and the last batch */

   /* Whole frames; or parts, if the program never ended a frame. */
   struct pitot_frame *frames;
   size_t frame_count;
   bool are_parts;

   /* The roots of the sums.  Only tree, the GPU's work in all frames, has a
    * total_ns.
    */
   struct pitot_sum tree, passes, calls, stalls;
   unsigned tree_depth; /* of the deepest node; the root has 0 */
   struct pitot_sum **sums;
   size_t sum_count;
   void *set; /* of tsearch(): the same sums */

   /* The GPU's work: its start, its end, and the sum of all spans. */
   uint64_t begin_ns, end_ns, busy_ns;
   double draws;
   size_t disjoint_count;
   bool is_there[PITOT_REPORT_CATEGORY_COUNT];
};

/* Reads and sums up a trace.  On success the caller finishes the summary.  It
 * must not move, because sums point to their roots in it.
 */
int
pitot_summary_read(const char *path, struct pitot_summary *summary_out);

void
pitot_summary_finish(struct pitot_summary *summary);

/* Sorts the frames by one of their times; frames without that time come last.
 * Returns how many have it.
 */
size_t
pitot_summary_sort_frames(struct pitot_summary *summary,
                          enum pitot_frame_time time);

/*
 * output.c, text.c, csv.c, svg.c: outputs of a trace
 */

enum pitot_report_format {
   PITOT_REPORT_TXT,
   PITOT_REPORT_CSV,
   PITOT_REPORT_SVG,
   PITOT_REPORT_FORMAT_COUNT,
};

/* Returns the format of an output by the ending of its name (".txt"), or
 * PITOT_REPORT_FORMAT_COUNT.
 */
enum pitot_report_format
pitot_report_format_of(const char *output_path);

/* Writes an output of a trace; to stdout for "-".  frame is for
 * pitot_report_write_svg().  An error leaves a regular file as it was.
 * -ENODATA: the file is not a trace; -EINVAL: the output is the trace.
 */
int
pitot_report_write(const char *trace_path, enum pitot_report_format format,
                   const char *output_path, uint64_t frame);

int
pitot_report_write_text(const char *trace_path, FILE *out);
int
pitot_report_write_csv(const char *trace_path, FILE *out);

/* Draws the frame of that number, or for 0 the frame of median time.  -ESRCH:
 * there is no such frame.
 */
int
pitot_report_write_svg(const char *trace_path, FILE *out, uint64_t frame);

/* Writes the first character of a text, escaped for the format.  Characters
 * that end lines or control terminals become blanks, and those that change
 * the direction of text become question marks.  Returns the rest of the text.
 */
const char *
pitot_report_put_character(FILE *out, enum pitot_report_format format,
                           const char *text);

#define PITOT_TIME_TEXT_B 24

/* Writes a time with its unit, such as "1.23 ms". */
const char *
pitot_time_text(char text_out[PITOT_TIME_TEXT_B], uint64_t time_ns);

/* run.c: runs a command, which ends with NULL, collects a trace of each of
 * its processes, and converts the traces.  Returns the exit status, or exits
 * with it: the program's; 128 plus the signal that killed the program; 1 if
 * the program succeeded, but an output failed; 2 for an unknown ending of
 * output.
 */
int
pitot_profile_run(const char *output, char **command);

#endif /* PITOT_REPORT_H */
