/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Sums over all slices of a trace, for people.
 */

#ifndef PITOT_SUM_H
#define PITOT_SUM_H

#include "report.h"

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
   size_t order;   /* of its slice in the file */
   unsigned track; /* its number */
   bool is_part;
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
   uint64_t draws, size_B, pixels; /* pixels: if there are samples */
   double samples;

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
   uint64_t draws;
   size_t disjoint_count;
   bool is_there[PITOT_REPORT_CATEGORY_COUNT];
};

/* Reads a trace, and sums it up.  Returns 0 and a summary, to be freed; or a
 * negative errno value.
 */
int
pitot_summary_read(const char *path, struct pitot_summary **summary_out);

void
pitot_summary_free(struct pitot_summary *summary);

/* Sorts the frames by one of their times, those without it behind all others.
 * Returns how many have it.
 */
size_t
pitot_summary_sort_frames(struct pitot_summary *summary,
                          enum pitot_frame_time time);

#endif /* PITOT_SUM_H */
