/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The tables of the output for people.
 */

#ifndef PITOT_TEXT_H
#define PITOT_TEXT_H

#include "sum.h"

/* Sums of all batches, for the tables of work. */
struct pitot_text_work {
   struct pitot_tree tree;
   struct pitot_sums passes, calls, stalls;
   uint64_t draws;
   struct pitot_text_counter {
      double total, of_frames[PITOT_REPORT_KIND_COUNT];
   } * counters; /* in the report's order */
   size_t counter_count;
};

/* Returns false without memory, as the next one. */
bool
pitot_text_work_init(struct pitot_text_work *work);

bool
pitot_text_work_add(struct pitot_text_work *work,
                    const struct pitot_report *report);

/* Writes the passes, the groups, the calls and the counters; and the calls on
 * the CPU that waited or moved data.  Returns false without memory.
 */
bool
pitot_text_work_write(struct pitot_text_work *work,
                      const struct pitot_report *report, FILE *out);

void
pitot_text_work_finish(struct pitot_text_work *work);

#endif /* PITOT_TEXT_H */
