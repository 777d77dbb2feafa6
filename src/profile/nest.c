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

/* By their tracks; on those of threads, slices around others first. */
static int
by_place(const void *a, const void *b)
{
   const struct pitot_report_slice *first = a, *second = b;
   int order = compare(first->track->number, second->track->number);

   if (order == 0 && !pitot_report_is_gpu(first)) {
      order = compare(first->begin_ns, second->begin_ns);
      if (order == 0)
         order = compare(second->end_ns, first->end_ns);
      if (order == 0)
         order = compare(first->category, second->category);
   }
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
      const struct pitot_report_slice *outer)
{
   if (inner->track != outer->track ||
       outer->depth + 1 == PITOT_REPORT_MAX_DEPTH ||
       inner->begin_ns < outer->begin_ns || inner->end_ns > outer->end_ns)
      return false;
   return pitot_report_is_gpu(inner)
             ? may_be_in(inner->category, outer->category)
             : inner->begin_ns < outer->end_ns;
}

void
pitot_report_nest(struct pitot_report_slice *slices, size_t count)
{
   struct pitot_report_slice *around = NULL;

   if (count > 0)
      qsort(slices, count, sizeof(*slices), by_place);
   for (size_t i = 0; i < count; i++) {
      struct pitot_report_slice *slice = &slices[i];

      for (; around && !is_in(slice, around); around = around->parent)
         around->after = slice;
      slice->parent = around;
      slice->depth = around ? around->depth + 1 : 0;
      slice->after = &slices[count];
      around = slice;
   }
}
