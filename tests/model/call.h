/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_MODEL_CALL_H
#define PITOT_MODEL_CALL_H

#include "rules/entry_points.h"
#include "world.h"

/* How a world executes calls in its current context. */
struct caller {
   const struct entry_points *gl;
   uint32_t (*buffer_name)(unsigned buffer);
   void (*draw)(unsigned scene, unsigned color, struct outcome *outcome);

   /* Polls until a result is available.  Returns 0 if it hangs. */
   uint64_t (*poll)(uint32_t name);

   /* Calls that are not about queries. */
   void (*other)(const struct call *call, struct outcome *outcome);
};

void
execute_call(const struct caller *caller, const struct features *features,
             const struct call *call, const struct variables *variables,
             struct outcome *outcome);

void
end_query(const struct entry_points *gl, unsigned target, int64_t index);

/* AMD_performance_monitor (call_monitor.c). */
void
call_monitor(const struct entry_points *gl, const struct features *features,
             const struct call *call, const struct variables *variables,
             struct outcome *outcome);

#endif /* PITOT_MODEL_CALL_H */
