/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Sums over the slices of a report, for people.
 */

#ifndef PITOT_SUM_H
#define PITOT_SUM_H

#include "report.h"

/* All slices of one category, name and pass. */
struct pitot_sum {
   enum pitot_report_category category;
   const char *name;
   const char *pass; /* the name of the pass around a call, or "" */
   size_t count;
   uint64_t total_ns, highest_ns;
   uint64_t calls[PITOT_REPORT_COPY + 1]; /* from draw to copy */
   uint64_t size_B;
   double samples;
   uint64_t pixels; /* of the passes that have samples */
   bool has_samples;
};

struct pitot_sums {
   struct pitot_sum *list;
   size_t count;
   size_t merged_count; /* of those that differ, the first ones */
};

/* Adds the slices of a range of categories; false without memory. */
bool
pitot_sums_add(struct pitot_sums *sums, const struct pitot_report *report,
               enum pitot_report_category first,
               enum pitot_report_category last);

/* Merges and sorts the sums, the longest total first. */
void
pitot_sums_sort(struct pitot_sums *sums);

/* Returns the time that the GPU worked in a slice: its own, or that of the
 * slices in it, if there are any.
 */
uint64_t
pitot_sum_busy_ns(const struct pitot_report *report, size_t slice);

/* A tree of the groups, passes and calls of all frames: slices of one
 * category and name at one place are one node.
 */
struct pitot_node {
   enum pitot_report_category category;
   const char *name;
   size_t parent, first_child, next; /* or PITOT_REPORT_NONE */
   size_t count;
   uint64_t total_ns;
   unsigned depth;
};

struct pitot_tree {
   struct pitot_node *nodes; /* the root, and a node before its children */
   size_t count;
   unsigned depth; /* the nodes' largest, and 1 more */

   size_t *places; /* a hash table of the nodes but the root; 0: free */
   size_t room;    /* of the table, a power of two; half of that for nodes */
};

/* Begins a tree without nodes but the root; false without memory. */
bool
pitot_tree_init(struct pitot_tree *tree);

/* Adds the slices of a report, with the frames left out; false without
 * memory.
 */
bool
pitot_tree_add(struct pitot_tree *tree, const struct pitot_report *report);

/* Sorts the children of all nodes, the longest first; false without memory.
 */
bool
pitot_tree_sort(struct pitot_tree *tree);

void
pitot_tree_finish(struct pitot_tree *tree);

/* The lowest, highest, median, ... of values, which are sorted. */
enum pitot_rank {
   PITOT_RANK_LOWEST,
   PITOT_RANK_MEDIAN,
   PITOT_RANK_95,
   PITOT_RANK_99,
   PITOT_RANK_HIGHEST,
   PITOT_RANK_COUNT,
};

void
pitot_sum_sort(uint64_t *values, size_t count);

/* Returns one of the values, of which there is at least one. */
uint64_t
pitot_sum_rank(const uint64_t *values, size_t count, enum pitot_rank rank);

#define PITOT_TIME_TEXT_B 24

/* Writes a time with three or more digits and its unit, as "1.23 ms". */
const char *
pitot_time_text(char text_out[PITOT_TIME_TEXT_B], uint64_t time_ns);

#endif /* PITOT_SUM_H */
