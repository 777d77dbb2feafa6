/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "sum.h"

#include <stdlib.h>
#include <string.h>

static const struct pitot_node root = {
   .parent = PITOT_REPORT_NONE,
   .first_child = PITOT_REPORT_NONE,
   .next = PITOT_REPORT_NONE,
   .name = "",
};

/* Returns the child of a node that a slice belongs to, which may be new. */
static size_t
child_of(struct pitot_tree *tree, size_t parent,
         const struct pitot_report_slice *slice)
{
   struct pitot_node *nodes = tree->nodes;
   size_t *link = &nodes[parent].first_child;

   for (; *link != PITOT_REPORT_NONE; link = &nodes[*link].next) {
      if (nodes[*link].category == slice->category &&
          strcmp(nodes[*link].name, slice->name) == 0)
         return *link;
   }
   *link = tree->count++;
   nodes[*link] = root;
   nodes[*link].category = slice->category;
   nodes[*link].name = slice->name;
   nodes[*link].parent = parent;
   nodes[*link].depth = nodes[parent].depth + 1;
   if (tree->depth < nodes[*link].depth + 1)
      tree->depth = nodes[*link].depth + 1;
   return *link;
}

/* Adds the slices of a range, and of those in them, below a node. */
static void
add_slices(struct pitot_tree *tree, const struct pitot_report *report,
           size_t begin, size_t end, size_t parent)
{
   for (size_t i = begin; i < end; i = report->slices[i].after) {
      const struct pitot_report_slice *slice = &report->slices[i];
      size_t node = parent;

      if (slice->category != PITOT_REPORT_FRAME) {
         node = child_of(tree, parent, slice);
         tree->nodes[node].count++;
         tree->nodes[node].total_ns += pitot_sum_busy_ns(report, i);
      }
      add_slices(tree, report, i + 1, slice->after, node);
   }
}

/* Sorts the children of a node, the longest first, by insertion: they are
 * few.
 */
static void
sort_children(struct pitot_node *nodes, size_t parent)
{
   size_t sorted = PITOT_REPORT_NONE;

   for (size_t i = nodes[parent].first_child, next; i != PITOT_REPORT_NONE;
        i = next) {
      size_t *link = &sorted;

      next = nodes[i].next;
      while (*link != PITOT_REPORT_NONE &&
             nodes[*link].total_ns >= nodes[i].total_ns)
         link = &nodes[*link].next;
      nodes[i].next = *link;
      *link = i;
   }
   nodes[parent].first_child = sorted;
}

bool
pitot_tree_build(const struct pitot_report *report,
                 struct pitot_tree *tree_out)
{
   struct pitot_tree *tree = tree_out;

   *tree = (struct pitot_tree){ .count = 1, .depth = 1 };
   tree->nodes = malloc((report->slice_count + 1) * sizeof(*tree->nodes));
   if (!tree->nodes)
      return false;
   tree->nodes[0] = root;
   for (size_t i = 0; i < report->track_count; i++) {
      const struct pitot_report_track *track = &report->tracks[i];

      if (track->id.process == 0)
         add_slices(tree, report, track->begin, track->end, 0);
   }
   for (size_t i = 0; i < tree->count; i++) {
      sort_children(tree->nodes, i);
      if (tree->nodes[i].parent == 0)
         tree->nodes[0].total_ns += tree->nodes[i].total_ns;
   }
   return true;
}
