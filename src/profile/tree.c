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

/* Returns where a node is in a table, or the free place for it.  Equal names
 * are one string.
 */
static size_t *
find_place(const struct pitot_tree *tree, size_t *places, size_t room,
           const struct pitot_node *wanted)
{
   uint64_t hash = (uintptr_t)wanted->name;
   size_t i;

   hash = (hash ^ wanted->parent << 4) * UINT64_C(0x9e3779b97f4a7c15);
   for (i = hash >> 32 & (room - 1); places[i] != 0;
        i = (i + 1) & (room - 1)) {
      const struct pitot_node *node = &tree->nodes[places[i]];

      if (node->parent == wanted->parent && node->name == wanted->name &&
          node->category == wanted->category)
         break;
   }
   return &places[i];
}

static bool
grow(struct pitot_tree *tree)
{
   const size_t room = tree->room ? 2 * tree->room : 64;
   size_t *places = calloc(room, sizeof(*places));
   struct pitot_node *nodes =
      places ? realloc(tree->nodes, room / 2 * sizeof(*nodes)) : NULL;

   if (!nodes) {
      free(places);
      return false;
   }
   tree->nodes = nodes;
   for (size_t i = 1; i < tree->count; i++)
      *find_place(tree, places, room, &nodes[i]) = i;
   free(tree->places);
   tree->places = places;
   tree->room = room;
   return true;
}

bool
pitot_tree_init(struct pitot_tree *tree)
{
   *tree = (struct pitot_tree){ .depth = 1 };
   if (!grow(tree))
      return false;
   tree->nodes[tree->count++] = root;
   return true;
}

void
pitot_tree_finish(struct pitot_tree *tree)
{
   free(tree->nodes);
   free(tree->places);
}

/* Returns the child of a node that a slice belongs to, which may be new; 0
 * without memory.
 */
static size_t
find_child(struct pitot_tree *tree, size_t parent,
           const struct pitot_report_slice *slice)
{
   const struct pitot_node wanted = {
      .category = slice->category,
      .name = slice->name,
      .parent = parent,
      .first_child = PITOT_REPORT_NONE,
      .next = tree->nodes[parent].first_child,
      .depth = tree->nodes[parent].depth + 1,
   };
   size_t *place = find_place(tree, tree->places, tree->room, &wanted);

   if (*place != 0)
      return *place;
   if (tree->count == tree->room / 2) {
      if (!grow(tree))
         return 0;
      place = find_place(tree, tree->places, tree->room, &wanted);
   }
   *place = tree->count;
   tree->nodes[parent].first_child = tree->count;
   tree->nodes[tree->count] = wanted;
   if (tree->depth < wanted.depth + 1)
      tree->depth = wanted.depth + 1;
   return tree->count++;
}

/* Adds the slices of a range, and of those in them, below a node. */
static bool
add_slices(struct pitot_tree *tree, const struct pitot_report *report,
           size_t begin, size_t end, size_t parent)
{
   for (size_t i = begin; i < end; i = report->slices[i].after) {
      const struct pitot_report_slice *slice = &report->slices[i];
      size_t node = parent;

      if (slice->category != PITOT_REPORT_FRAME) {
         const uint64_t busy_ns = pitot_sum_busy_ns(report, i);

         node = find_child(tree, parent, slice);
         if (node == 0)
            return false;
         tree->nodes[node].count++;
         tree->nodes[node].total_ns += busy_ns;
         if (parent == 0)
            tree->nodes[0].total_ns += busy_ns;
      }
      if (!add_slices(tree, report, i + 1, slice->after, node))
         return false;
   }
   return true;
}

bool
pitot_tree_add(struct pitot_tree *tree, const struct pitot_report *report)
{
   for (size_t i = 0; i < report->track_count; i++) {
      const struct pitot_report_track *track = &report->tracks[i];

      if (track->id.process == 0 &&
          !add_slices(tree, report, track->begin, track->end, 0))
         return false;
   }
   return true;
}

/* A node, to be sorted: of equal times the one that came first. */
struct sorted {
   size_t parent, node;
   uint64_t total_ns;
};

static int
by_time(const void *a, const void *b)
{
   const struct sorted *first = a, *second = b;

   if (first->parent != second->parent)
      return first->parent < second->parent ? -1 : 1;
   if (first->total_ns != second->total_ns)
      return first->total_ns > second->total_ns ? -1 : 1;
   return (first->node > second->node) - (first->node < second->node);
}

bool
pitot_tree_sort(struct pitot_tree *tree)
{
   const size_t count = tree->count - 1;
   struct sorted *sorted = malloc(tree->count * sizeof(*sorted));

   if (!sorted)
      return false;
   for (size_t i = 0; i < count; i++)
      sorted[i] = (struct sorted){ tree->nodes[i + 1].parent, i + 1,
                                   tree->nodes[i + 1].total_ns };
   qsort(sorted, count, sizeof(*sorted), by_time);
   for (size_t i = 0; i < count; i++) {
      const bool is_first =
         i == 0 || sorted[i - 1].parent != sorted[i].parent;
      const bool is_last =
         i + 1 == count || sorted[i + 1].parent != sorted[i].parent;

      if (is_first)
         tree->nodes[sorted[i].parent].first_child = sorted[i].node;
      tree->nodes[sorted[i].node].next =
         is_last ? PITOT_REPORT_NONE : sorted[i + 1].node;
   }
   free(sorted);
   return true;
}
