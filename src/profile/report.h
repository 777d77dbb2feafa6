/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A report: a trace as it is read, and the outputs that are made of it.  The
 * slices are read in batches: memory does not grow with the length of a
 * trace, but with the number of frames and of names.
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

/* More than a trace has: Mesa has 64 groups in each other at most.  Slices
 * that are deeper lie beside the one around them.
 */
#define PITOT_REPORT_MAX_DEPTH 128

struct pitot_report_track {
   struct pitot_trace_track id;
   unsigned number;              /* from 0, in the order of the file */
   const char *process, *thread; /* their names */
   uint64_t last_frame_ns[2];    /* its begin: of the last frame, or part */
   double y;                     /* of the track in a picture */
};

struct pitot_report_slice {
   struct pitot_report_track *track;
   enum pitot_report_category category;
   const char *name;
   uint64_t begin_ns, end_ns;
   uint64_t flow;  /* 0: none */
   json_t *values; /* numbers and strings by their names; or NULL */
   size_t order;   /* in the file, from 1 */

   /* The slices of a track are together, each followed by those in it. */
   struct pitot_report_slice *parent;      /* or NULL */
   const struct pitot_report_slice *after; /* where those in it end */
   unsigned depth;
};

struct pitot_report_counter {
   const char *name;
   double total, of_frames; /* sums: see struct pitot_summary */
};

struct pitot_report;

/* Takes a batch: the slices of whole frames. */
typedef void
pitot_report_take(void *data, struct pitot_report *report);

struct pitot_report {
   pitot_report_take *take;
   void *data; /* of the function that takes batches */

   struct pitot_report_slice *slices; /* of a batch */
   size_t slice_count;

   /* By their names: how many there are (count), the sum of their calls, and
    * the values of the last one.
    */
   json_t *marks;
   struct pitot_report_counter *counters; /* of slices on the GPU */
   size_t counter_count;
   uint64_t error_ns; /* the highest of all marks */

   void *strings, *tracks; /* sets: see pitot_report_keep() */
   unsigned track_count;
   size_t order;          /* of the last slice */
   size_t bad_line_count; /* that could not be read */
   bool is_cut;           /* the end is missing */
};

/* Reads a trace, and calls take, or NULL, for each batch.  Returns 0 and a
 * report, to be freed, with the last batch in it; or a negative errno value
 * and nothing: -ENODATA for a file that is no trace.
 */
int
pitot_report_read(const char *path, pitot_report_take *take, void *data,
                  struct pitot_report **report_out);

void
pitot_report_free(struct pitot_report *report);

/* Sorts slices by their tracks, and finds out which of them is in which. */
void
pitot_report_nest(struct pitot_report_slice *slices, size_t count);

/* Returns whether a slice was executed by the GPU. */
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

/* Returns the time that the GPU worked in a slice: its own, or that of the
 * slices in it, if there are any.
 */
uint64_t
pitot_report_busy_ns(const struct pitot_report_slice *slice);

/* Adds a counter up: the slice's own value, or else those of the slices in
 * it.  Returns whether there is any.
 */
bool
pitot_report_count(const struct pitot_report_slice *slice,
                   const char *counter, double *sum_out);

/* Returns the slice of that category around a slice, or the slice itself, or
 * NULL.
 */
const struct pitot_report_slice *
pitot_report_around(const struct pitot_report_slice *slice,
                    enum pitot_report_category category);

/* Returns a whole number by its name, or 0. */
uint64_t
pitot_report_u64(const json_t *values, const char *name);

/* Returns a string by its name, or "?". */
const char *
pitot_report_text(const json_t *values, const char *name);

/* Returns less than 0, 0 or more, as qsort() wants it. */
static inline int
pitot_report_compare(uint64_t a, uint64_t b)
{
   return (a > b) - (a < b);
}

/* Of a program that ends without memory: 1, unless it is set. */
extern int pitot_report_failure;

/* Returns what was allocated.  Without memory, NULL, the program ends with
 * that status and a line that names the trace, and leaves regular files as
 * they were.
 */
void *
pitot_report_need(void *memory);

/* Returns the member of a set (of tsearch()) that compares as equal to this
 * one, or else a new copy of this one.
 */
void *
pitot_report_keep(void **set, const void *member, size_t member_B,
                  int (*compare)(const void *, const void *));

/* Returns a new element of an array, which is 0. */
void *
pitot_report_add(void **array, size_t *count, size_t element_B);

/*
 * sum.c: sums over all slices of a trace, for people
 */

enum pitot_frame_time {
   PITOT_FRAME_GPU,   /* from its begin to its end */
   PITOT_FRAME_BUSY,  /* at work */
   PITOT_FRAME_APART, /* since the begin of the one before */
   PITOT_FRAME_COST,  /* of the profile, on the CPU */
   PITOT_FRAME_TIME_COUNT,
};

/* It is not known. */
#define PITOT_FRAME_NO_TIME UINT64_MAX

/* A frame, or a part of one. */
struct pitot_frame {
   size_t order; /* of its slice in the file */
   uint64_t number;
   uint64_t begin_ns;
   uint64_t first_flow, last_flow; /* of the calls that sent it */
   uint64_t times_ns[PITOT_FRAME_TIME_COUNT];
};

/* Slices of one category and name at one place: a row of a table, or a node
 * of the tree of the GPU's work.
 */
struct pitot_sum {
   /* No other sum has all of these. */
   struct pitot_sum *parent; /* that of the slices around, or a table */
   enum pitot_report_category category;
   const char *name;
   const char *pass; /* of a row: the pass around a call, or ""; or NULL */

   size_t order; /* from 1, as they come */
   unsigned depth;
   size_t count;
   uint64_t total_ns, highest_ns;
   uint64_t size_B, pixels; /* pixels: if there are samples */
   double draws, samples;

   struct pitot_sum **children; /* sorted: the longest total first */
   size_t child_count;
};

struct pitot_summary {
   struct pitot_report *report; /* marks, counters, and the last batch */

   /* Parts only count if no frame is whole: a program may never end one. */
   struct pitot_frame *frames;
   size_t frame_count;
   bool are_parts;

   /* The roots of the sums, of which the tree has the GPU's work in frames,
    * and the time of it.
    */
   struct pitot_sum tree, passes, calls, stalls;
   unsigned tree_depth; /* of all nodes, the root at 0 */
   struct pitot_sum **sums;
   size_t sum_count;
   void *set; /* of the same sums */

   /* The GPU's work: its first and last moment, and the time of it all. */
   uint64_t begin_ns, end_ns, busy_ns;
   double draws;
   size_t disjoint_count;
   bool is_there[PITOT_REPORT_CATEGORY_COUNT];
};

/* Reads a trace, and sums it up.  Returns 0 and a summary, to be finished and
 * not to be moved; or a negative errno value.
 */
int
pitot_summary_read(const char *path, struct pitot_summary *summary_out);

void
pitot_summary_finish(struct pitot_summary *summary);

/* Sorts the frames by one of their times, those without it behind all others.
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

/* Returns the format of an output by the ending of its name, ".txt" and so
 * on, or PITOT_REPORT_FORMAT_COUNT.
 */
enum pitot_report_format
pitot_report_format_of(const char *output_path);

/* Writes an output of a trace; to stdout for "-".  frame is the one that is
 * drawn.  An error leaves a regular file as it was: -ENODATA for a file that
 * is no trace, and -EINVAL for an output that is the trace.
 */
int
pitot_report_write(const char *trace_path, enum pitot_report_format format,
                   const char *output_path, uint64_t frame);

int
pitot_report_write_text(const char *trace_path, FILE *out);
int
pitot_report_write_csv(const char *trace_path, FILE *out);

/* Draws the frame of that number, or returns -ESRCH if there is none; 0: the
 * one of median time.
 */
int
pitot_report_write_svg(const char *trace_path, FILE *out, uint64_t frame);

/* Writes the first character of a text as it may be in a line of an output:
 * escaped; a blank for one that ends lines or controls terminals; a question
 * mark for one that changes the direction of text.  Returns the rest of the
 * text.
 */
const char *
pitot_report_put_character(FILE *out, enum pitot_report_format format,
                           const char *text);

#define PITOT_TIME_TEXT_B 24

/* Writes a time with three or more digits and its unit, as "1.23 ms". */
const char *
pitot_time_text(char text_out[PITOT_TIME_TEXT_B], uint64_t time_ns);

/* run.c: runs a program, which ends with NULL, and all that it starts, with a
 * trace for each process, and makes outputs of these.  Returns the exit
 * status, or ends with it: the program's; 128 and the number of the signal
 * that it died of; 1 if an output could not be made of a program that
 * succeeded; 2 for a bad name.
 */
int
pitot_profile_run(const char *output, char **command);

#endif /* PITOT_REPORT_H */
