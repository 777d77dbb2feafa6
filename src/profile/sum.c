/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Sums up a trace, batch by batch: frames, rows of tables, and a tree of the
 * GPU's work.  A sum outlives the slices of its batch, so it may keep only
 * their names, which the report owns.
 */

#include "report.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/*
 * Frames
 */

/* Parts of frames do not count if there is a whole frame. */
static void
add_frame(struct pitot_summary *summary,
          const struct pitot_report_slice *slice)
{
   const bool is_part = json_object_get(slice->values, "part");
   uint64_t *last_ns = &slice->track->last_frame_ns[is_part];
   const bool is_later = *last_ns <= slice->begin_ns;
   struct pitot_frame *frame;

   if (summary->frame_count == 0 || !is_part) {
      if (summary->are_parts && !is_part)
         summary->frame_count = 0;
      summary->are_parts = is_part;
   }
   if (summary->are_parts != is_part)
      return;
   frame = pitot_report_add((void **)&summary->frames, &summary->frame_count,
                            sizeof(*frame));
   *frame = (struct pitot_frame){
      .order = slice->order,
      .number = pitot_report_u64(slice->values, "frame"),
      .begin_ns = slice->begin_ns,
      .first_flow = UINT64_MAX,
      .times_ns = {
         [PITOT_FRAME_GPU] = pitot_report_ns(slice),
         [PITOT_FRAME_BUSY] = slice->after > slice + 1
                                 ? pitot_report_busy_ns(slice)
                                 : PITOT_FRAME_NO_TIME,
         [PITOT_FRAME_APART] =
            is_later ? slice->begin_ns - *last_ns : PITOT_FRAME_NO_TIME,
         [PITOT_FRAME_COST] = json_object_get(slice->values, "profile_cpu_ns")
                                 ? pitot_report_u64(slice->values,
                                                    "profile_cpu_ns")
                                 : PITOT_FRAME_NO_TIME,
      },
   };
   for (const struct pitot_report_slice *s = slice; s < slice->after; s++) {
      if (s->flow != 0 && s->flow < frame->first_flow)
         frame->first_flow = s->flow;
      if (s->flow > frame->last_flow)
         frame->last_flow = s->flow;
   }
   *last_ns = slice->begin_ns;
}

static int
by_time(const void *a, const void *b, void *data)
{
   const enum pitot_frame_time time = *(enum pitot_frame_time *)data;
   const struct pitot_frame *first = a, *second = b;
   const int order =
      pitot_report_compare(first->times_ns[time], second->times_ns[time]);

   return order != 0 ? order
                     : pitot_report_compare(first->order, second->order);
}

size_t
pitot_summary_sort_frames(struct pitot_summary *summary,
                          enum pitot_frame_time time)
{
   const struct pitot_frame *frames = summary->frames;
   size_t count = summary->frame_count;

   if (count > 0)
      qsort_r(summary->frames, count, sizeof(*frames), by_time, &time);
   while (count > 0 &&
          frames[count - 1].times_ns[time] == PITOT_FRAME_NO_TIME)
      count--;
   return count;
}

/*
 * Sums
 */

static int
by_name(const struct pitot_sum *first, const struct pitot_sum *second)
{
   int order = (int)first->category - (int)second->category;

   if (order == 0)
      order = strcmp(first->name, second->name);
   return order == 0 && first->pass ? strcmp(first->pass, second->pass)
                                    : order;
}

/* Either all sums of a parent have a pass, or none has. */
static int
by_key(const void *a, const void *b)
{
   const struct pitot_sum *first = a, *second = b;
   const int order = pitot_report_compare((uintptr_t)first->parent,
                                          (uintptr_t)second->parent);

   return order != 0 ? order : by_name(first, second);
}

/* Adds a slice to its sum, which may be new, and returns the sum. */
static struct pitot_sum *
add_to_sum(struct pitot_summary *summary, struct pitot_sum *parent,
           const struct pitot_report_slice *slice, const char *pass,
           uint64_t time_ns)
{
   const struct pitot_sum fresh = {
      .parent = parent,
      .category = slice->category,
      .name = slice->name,
      .pass = pass,
      .depth = parent->depth + 1,
   };
   struct pitot_sum *sum =
      pitot_report_keep(&summary->set, &fresh, sizeof(fresh), by_key);

   if (sum->order == 0) {
      struct pitot_sum **place =
         pitot_report_add((void **)&summary->sums, &summary->sum_count,
                          sizeof(*place));

      *place = sum;
      sum->order = summary->sum_count;
   }
   sum->count++;
   sum->total_ns += time_ns;
   if (sum->highest_ns < time_ns)
      sum->highest_ns = time_ns;
   return sum;
}

static double
draws_in(const struct pitot_report_slice *slice)
{
   double draws;

   (void)pitot_report_count(slice, "draws", &draws);
   return draws;
}

static void
add_row(struct pitot_summary *summary, struct pitot_sum *table,
        const struct pitot_report_slice *slice)
{
   const bool is_gpu = pitot_report_is_gpu(slice);
   const struct pitot_report_slice *pass =
      pitot_report_around(slice, PITOT_REPORT_PASS);
   struct pitot_sum *sum = add_to_sum(summary, table, slice,
                                      pass && pass != slice ? pass->name : "",
                                      is_gpu ? pitot_report_busy_ns(slice)
                                             : pitot_report_ns(slice));
   double samples;

   sum->draws += draws_in(slice);
   sum->size_B += pitot_report_u64(slice->values, "size_B");
   if (pitot_report_count(slice, "samples passed", &samples)) {
      sum->samples += samples;
      sum->pixels += pitot_report_u64(slice->values, "pixels");
   }
}

/* Adds a slice and the slices inside it to the tree, which has no frames. */
static void
add_node(struct pitot_summary *summary,
         const struct pitot_report_slice *slice, struct pitot_sum *parent)
{
   struct pitot_sum *node = parent;

   if (slice->category != PITOT_REPORT_FRAME) {
      const uint64_t busy_ns = pitot_report_busy_ns(slice);

      node = add_to_sum(summary, parent, slice, NULL, busy_ns);
      if (parent == &summary->tree)
         parent->total_ns += busy_ns;
      if (summary->tree_depth < node->depth)
         summary->tree_depth = node->depth;
   }
   for (const struct pitot_report_slice *inner = slice + 1;
        inner < slice->after; inner = inner->after)
      add_node(summary, inner, node);
}

/* Adds a GPU slice that is in no other one.  Only whole frames count for the
 * means of counters: a context may never end a frame.
 */
static void
add_work(struct pitot_summary *summary, struct pitot_report *report,
         const struct pitot_report_slice *slice)
{
   const bool is_frame = slice->category == PITOT_REPORT_FRAME &&
                         !json_object_get(slice->values, "part");

   if (summary->begin_ns > slice->begin_ns)
      summary->begin_ns = slice->begin_ns;
   if (summary->end_ns < slice->end_ns)
      summary->end_ns = slice->end_ns;
   summary->busy_ns += pitot_report_busy_ns(slice);
   summary->draws += draws_in(slice);
   for (size_t i = 0; i < report->counter_count; i++) {
      struct pitot_report_counter *counter = &report->counters[i];
      double sum;

      (void)pitot_report_count(slice, counter->name, &sum);
      counter->total += sum;
      if (is_frame)
         counter->of_frames += sum;
   }
   add_node(summary, slice, &summary->tree);
}

static struct pitot_sum *
table_of(struct pitot_summary *summary,
         const struct pitot_report_slice *slice)
{
   if (slice->category == PITOT_REPORT_PASS)
      return &summary->passes;
   if (slice->category >= PITOT_REPORT_WAIT)
      return &summary->stalls;
   return slice->category >= PITOT_REPORT_DRAW &&
                slice->category <= PITOT_REPORT_COPY
             ? &summary->calls
             : NULL;
}

static void
take_batch(void *data, struct pitot_report *report)
{
   struct pitot_summary *summary = data;

   for (size_t i = 0; i < report->slice_count; i++) {
      const struct pitot_report_slice *slice = &report->slices[i];
      struct pitot_sum *table = table_of(summary, slice);

      summary->is_there[slice->category] = true;
      summary->disjoint_count +=
         pitot_report_u64(slice->values, "disjoint") != 0;
      if (slice->category == PITOT_REPORT_FRAME)
         add_frame(summary, slice);
      if (table)
         add_row(summary, table, slice);
      if (!slice->parent && pitot_report_is_gpu(slice))
         add_work(summary, report, slice);
   }
}

/* By parent, the longest first; rows of equal time by name, and nodes of
 * equal time in order of creation.
 */
static int
by_total(const void *a, const void *b)
{
   const struct pitot_sum *first = *(struct pitot_sum *const *)a;
   const struct pitot_sum *second = *(struct pitot_sum *const *)b;
   int order = pitot_report_compare((uintptr_t)first->parent,
                                    (uintptr_t)second->parent);

   if (order == 0)
      order = pitot_report_compare(second->total_ns, first->total_ns);
   if (order == 0 && first->pass)
      order = by_name(first, second);
   return order != 0 ? order
                     : pitot_report_compare(first->order, second->order);
}

static void
finish_sums(struct pitot_summary *summary)
{
   if (summary->sum_count > 0)
      qsort(summary->sums, summary->sum_count, sizeof(*summary->sums),
            by_total);
   for (size_t i = 0; i < summary->sum_count; i++) {
      struct pitot_sum *parent = summary->sums[i]->parent;

      if (parent->child_count++ == 0)
         parent->children = &summary->sums[i];
   }
}

int
pitot_summary_read(const char *path, struct pitot_summary *summary_out)
{
   int error;

   *summary_out = (struct pitot_summary){ .begin_ns = UINT64_MAX };
   error =
      pitot_report_read(path, take_batch, summary_out, &summary_out->report);
   if (error == 0)
      finish_sums(summary_out);
   else
      pitot_summary_finish(summary_out);
   return error;
}

void
pitot_summary_finish(struct pitot_summary *summary)
{
   if (summary->report)
      pitot_report_free(summary->report);
   tdestroy(summary->set, free);
   free(summary->sums);
   free(summary->frames);
}
