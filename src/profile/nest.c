/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The slices that a slice is in.  On the GPU's tracks a slice comes before
 * those in it in the file, and category and time tell where it ends: times
 * alone do not where the GPU's clock is coarse, and slices begin where they
 * end.  A thread's slices come in any order, and time alone tells.
 */

#include "report.h"

#include <stdlib.h>

static int
compare(uint64_t a, uint64_t b)
{
   return (a > b) - (a < b);
}

static int
by_track(const void *a, const void *b)
{
   const struct pitot_report_slice *first = a, *second = b;
   const int order = compare(first->track, second->track);

   return order != 0 ? order : compare(first->order, second->order);
}

/* Those around others first. */
static int
by_time(const void *a, const void *b)
{
   const struct pitot_report_slice *first = a, *second = b;
   int order = compare(first->begin_ns, second->begin_ns);

   if (order == 0)
      order = compare(second->end_ns, first->end_ns);
   if (order == 0)
      order = compare(first->category, second->category);
   return order != 0 ? order : compare(first->order, second->order);
}

/* Returns whether a category may be in another one: a group in a group, but
 * no other in its like.
 */
static bool
may_be_in(enum pitot_report_category inner, enum pitot_report_category outer)
{
   return outer < PITOT_REPORT_DRAW &&
          (outer < inner || (outer == inner && inner == PITOT_REPORT_GROUP));
}

static bool
is_in(const struct pitot_report_slice *inner,
      const struct pitot_report_slice *outer, bool is_gpu)
{
   if (inner->begin_ns < outer->begin_ns || inner->end_ns > outer->end_ns)
      return false;
   return is_gpu ? may_be_in(inner->category, outer->category)
                 : inner->begin_ns < outer->end_ns;
}

static void
nest_track(struct pitot_report *report,
           const struct pitot_report_track *track)
{
   struct pitot_report_slice *slices = report->slices;
   const bool is_gpu = track->id.process == 0;
   size_t around = PITOT_REPORT_NONE;

   for (size_t i = track->begin; i < track->end; i++) {
      while (around != PITOT_REPORT_NONE &&
             (slices[around].depth + 1 == PITOT_REPORT_MAX_DEPTH ||
              !is_in(&slices[i], &slices[around], is_gpu))) {
         slices[around].after = i;
         around = slices[around].parent;
      }
      slices[i].parent = around;
      slices[i].depth =
         around == PITOT_REPORT_NONE ? 0 : slices[around].depth + 1;
      around = i;
   }
   for (; around != PITOT_REPORT_NONE; around = slices[around].parent)
      slices[around].after = track->end;
}

void
pitot_report_nest(struct pitot_report *report)
{
   struct pitot_report_slice *slices = report->slices;
   size_t begin = 0;

   if (report->slice_count > 0)
      qsort(slices, report->slice_count, sizeof(*slices), by_track);
   for (unsigned i = 0; i < report->track_count; i++) {
      struct pitot_report_track *track = &report->tracks[i];

      track->begin = begin;
      while (begin < report->slice_count && slices[begin].track == i)
         begin++;
      track->end = begin;
      if (track->id.process != 0 && track->begin < track->end)
         qsort(&slices[track->begin], track->end - track->begin,
               sizeof(*slices), by_time);
      nest_track(report, track);
   }
}
