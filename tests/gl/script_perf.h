/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What can be checked of all sets of counters, whatever they are.
 */

#ifndef PITOT_TESTS_SCRIPT_PERF_H
#define PITOT_TESTS_SCRIPT_PERF_H

#include "script.h"

/* A set, as GetPerfQueryInfoINTEL tells it. */
struct script_set {
   uint32_t id;
   char name[256];
   uint32_t record_B;
   uint32_t counter_count;
};

/* A counter, as GetPerfCounterInfoINTEL does. */
struct script_counter {
   char name[256];
   char description[1024];
   uint32_t offset_B;
   uint32_t size_B;
   uint32_t type;
   uint32_t data_type;
   uint64_t raw_max;
};

/* Counters are numbered from 1. */
struct script_counter
script_counter_of(const struct script_perf_ops *perf, void *gl,
                  uint32_t set_id, uint32_t counter_id);

/* Returns an integer of a record. */
uint64_t
script_counter_value(const struct script_perf_ops *perf, void *gl,
                     uint32_t set_id, const char *name,
                     const uint8_t *record);

/* Follows the sets from the first to the last.  Returns how many there are,
 * each of which its name leads to.
 */
unsigned
script_check_chain(const struct script_perf_ops *perf, void *gl);

typedef void
script_check(const struct script_perf_ops *perf, void *gl,
             const struct script_set *set);

void
script_for_each_set(const struct script_perf_ops *perf, void *gl,
                    script_check *check);

/* Counters lie in the record, aligned to their size, and apart. */
script_check script_check_layout;

/* Names and descriptions are there, and fit in what GL says is enough. */
script_check script_check_lengths;

#endif /* PITOT_TESTS_SCRIPT_PERF_H */
