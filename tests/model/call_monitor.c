/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "call.h"

/* Invalid group and counter ids. */
#define NO_ID 99999

#define RESULT_B 16
#define MOST_B   (RESULT_B * SET_COUNT * SELECTED_COUNT)

static void
choose(const struct entry_points *gl, const struct features *features,
       const struct call *call, uint32_t monitor)
{
   const unsigned set = call->arguments[1], way = call->arguments[2];
   const bool has_set = set < features->set_count;
   uint32_t counter = has_set && way < SELECT_BAD
                         ? features->counters[set][way % SELECTED_COUNT]
                         : NO_ID;

   gl->SelectPerfMonitorCounters(monitor, way < DESELECT_FIRST,
                                 has_set ? features->groups[set] : NO_ID,
                                 way == SELECT_LESS ? -1 : 1, &counter);
}

/* Where a result belongs; NULL if programs do not select it. */
static uint64_t *
find_place(const struct features *features, const uint32_t ids[2],
           struct outcome *outcome)
{
   for (unsigned i = 0; i < features->set_count; i++) {
      for (unsigned k = 0; k < SELECTED_COUNT; k++) {
         if (features->groups[i] == ids[0] &&
             features->counters[i][k] == ids[1]) {
            outcome->has_seen[i][k] = true;
            return &outcome->seen[i][k];
         }
      }
   }
   return NULL;
}

static void
read_results(const struct features *features, const uint32_t *data,
             struct outcome *outcome)
{
   for (unsigned at = 0; at < outcome->written_B / 4; at += 4) {
      uint64_t *value = find_place(features, &data[at], outcome);

      if (value)
         memcpy(value, &data[at + 2], sizeof(*value));
      else
         outcome->trouble = "a result that was not selected";
   }
}

/* 0: enough space, 1: for one result, or less than a number, 2: no memory, 3:
 * no bytesWritten, 4: more than enough.
 */
static void
ask(const struct entry_points *gl, const struct features *features,
    const struct call *call, uint32_t monitor, struct outcome *outcome)
{
   const unsigned pname = call->arguments[1], how = call->arguments[2];
   const bool is_result = pname == ASK_RESULT;
   uint32_t data[MOST_B / 4 + 2];
   int written_B = 0, room_B = how == 4 ? MOST_B + 8 : MOST_B;

   if (how == 1)
      room_B = is_result ? RESULT_B : 3;
   memset(data, UNTOUCHED_BYTE, sizeof(data));
   gl->GetPerfMonitorCounterData(monitor, ask_table[pname], room_B,
                                 how == 2 ? NULL : data,
                                 how == 3 ? NULL : &written_B);
   outcome->written_B = written_B;
   outcome->value = data[0];
   for (unsigned i = (written_B + 3) / 4; i < sizeof(data) / 4 && how != 3;
        i++)
      if (data[i] != (uint32_t)UNTOUCHED)
         outcome->trouble = "more than bytesWritten was written";
   if (is_result && written_B >= RESULT_B)
      read_results(features, data, outcome);
}

void
call_monitor(const struct entry_points *gl, const struct features *features,
             const struct call *call, const struct variables *variables,
             struct outcome *outcome)
{
   uint32_t monitor = variables->monitors[call->arguments[0]];

   switch (call->op) {
   case OP_MONITOR:
      gl->GenPerfMonitors(1, &outcome->names[0]);
      break;
   case OP_FORGET:
      gl->DeletePerfMonitors(1, &monitor);
      break;
   case OP_SELECT:
      choose(gl, features, call, monitor);
      break;
   case OP_WATCH:
      gl->BeginPerfMonitor(monitor);
      break;
   case OP_UNWATCH:
      gl->EndPerfMonitor(monitor);
      break;
   default:
      ask(gl, features, call, monitor, outcome);
      break;
   }
}
