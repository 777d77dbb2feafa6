/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_MODEL_MONITOR_CALL_H
#define PITOT_MODEL_MONITOR_CALL_H

#include "program.h"
#include "world.h"

/* Entry points of a world, by name without "PerfMonitorAMD". */
struct monitor_entry_points {
   void (*gen)(int n, uint32_t *monitors);
   void (*del)(int n, uint32_t *monitors);
   void (*select)(uint32_t monitor, unsigned char enable, uint32_t group,
                  int count, uint32_t *counters);
   void (*begin)(uint32_t monitor);
   void (*end)(uint32_t monitor);
   void (*get)(uint32_t monitor, unsigned pname, int size_B, uint32_t *data,
               int *written_B);
};

void
call_monitor(const struct monitor_entry_points *gl,
             const struct features *features, const struct call *call,
             const struct variables *variables, struct outcome *outcome);

#endif /* PITOT_MODEL_MONITOR_CALL_H */
