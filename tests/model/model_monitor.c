/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * AMD_performance_monitor, and Pitot's additions in docs/counters.md.
 */

#include <inttypes.h>
#include <string.h>

#include "model.h"

/* A result: two ids and a 64-bit value. */
#define RESULT_B 16

static struct perf_query *
find_monitor(struct model_context *context, uint32_t name)
{
   for (unsigned i = 0; i < MAX_PERF_QUERIES && name; i++)
      if (context->perf_queries[i].handle == name &&
          context->perf_queries[i].is_monitor)
         return &context->perf_queries[i];
   return NULL;
}

static unsigned
count_selected(const struct perf_query *monitor)
{
   unsigned count = 0;

   for (unsigned i = 0; i < SET_COUNT; i++)
      count += monitor->selected[i][0] + monitor->selected[i][1];
   return count;
}

static struct perf_query
select_counters(const struct perf_query *monitor, const struct call *call)
{
   struct perf_query changed = *monitor;
   const unsigned way = call->arguments[2];

   changed.selected[call->arguments[1]][way % SELECTED_COUNT] =
      way < DESELECT_FIRST;
   return changed;
}

/* Whether the counters can never be measured together. */
static bool
is_impossible(const struct model *model, const struct perf_query *monitor)
{
   static const struct model_context nothing;

   return perf_begin_errors(model, &nothing, monitor) == E_OPERATION;
}

static unsigned
select_errors(const struct model *model, const struct model_context *context,
              const struct perf_query *monitor, const struct call *call)
{
   if (call->arguments[1] >= model->features->set_count ||
       call->arguments[2] >= SELECT_BAD)
      return E_VALUE;
   if (!monitor->is_active)
      return E_NONE;
   struct perf_query changed = select_counters(monitor, call);

   /* The monitor ends first, and does not exclude itself. */
   for (unsigned i = 0; i < MAX_PERF_QUERIES; i++) {
      if (&context->perf_queries[i] == monitor) {
         struct model_context others = *context;

         others.perf_queries[i].handle = 0;
         return perf_begin_errors(model, &others, &changed);
      }
   }
   return E_NONE;
}

static unsigned
ask_errors(const struct model_context *context,
           const struct perf_query *monitor, const struct call *call)
{
   unsigned errors = 0;

   if (call->arguments[1] == ASK_BAD)
      errors |= E_ENUM;
   if (call->arguments[2] == 2)
      errors |= E_OPERATION;
   if (errors || call->arguments[1] != ASK_RESULT || !monitor->has_result)
      return errors ? errors : E_NONE;
   if (monitor->is_failed)
      return E_OPERATION;
   return context->is_lost ? E_OPERATION | E_NONE : E_NONE;
}

unsigned
monitor_errors(const struct model *model, const struct call *call)
{
   struct model_context *context =
      (struct model_context *)&model->contexts[call->context];
   const struct perf_query *monitor =
      find_monitor(context, context->variables.monitors[call->arguments[0]]);

   if (!model->features->set_count ||
       (call->op == OP_MONITOR && !new_perf_query(context)) ||
       (monitor && monitor->is_vague && call->op != OP_FORGET))
      return 0;
   if (call->op == OP_MONITOR)
      return E_NONE;
   if (!monitor)
      return E_VALUE;
   switch (call->op) {
   case OP_SELECT:
      return select_errors(model, context, monitor, call);
   case OP_WATCH:
      return monitor->is_active ? E_OPERATION
                                : perf_begin_errors(model, context, monitor);
   case OP_UNWATCH:
      return monitor->is_active ? E_NONE : E_OPERATION;
   case OP_ASK:
      return ask_errors(context, monitor, call);
   default:
      return E_NONE;
   }
}

static void
step_create(struct model *model, struct model_context *context,
            const struct call *call, const struct outcome *outcome)
{
   const uint32_t name = outcome->names[0];

   if (!name || find_monitor(context, name)) {
      differ(model, "the monitor %u is in use", name);
      return;
   }
   *new_perf_query(context) = (struct perf_query){
      .handle = name,
      .is_monitor = true,
   };
   context->variables.monitors[call->arguments[0]] = name;
}

/* A failure while active may have come before or after the change. */
static void
step_select(const struct model *model, struct model_context *context,
            struct perf_query *monitor, const struct call *call,
            const struct outcome *outcome)
{
   const bool was_active = monitor->is_active;

   if (outcome->error == E_VALUE)
      return;
   struct perf_query changed = select_counters(monitor, call);
   if (outcome->error != E_NONE) {
      monitor->is_vague = was_active && !is_impossible(model, &changed);
      return;
   }
   *monitor = changed;
   monitor->has_result = monitor->is_failed = false;
   if (was_active)
      begin_counting(model, context, monitor, outcome);
}

static void
step_unwatch(struct model_context *context, struct perf_query *monitor,
             const struct outcome *outcome)
{
   struct set values[SELECTED_COUNT];

   memcpy(values, monitor->values, sizeof(values));
   end_counting(context, monitor, outcome);
   for (unsigned i = 0; i < SELECTED_COUNT && monitor->is_failed; i++) {
      const unsigned target = statistic_targets[i];

      /* One of its perf queries failed, or all. */
      monitor->values[i] = (struct set){
         .lowest = context->lowest[target][0] - values[i].lowest,
         .highest = context->highest[target][0] - values[i].highest,
         .or_zero = true,
      };
   }
   if (monitor->is_failed) {
      issue(context, &monitor->result);
      if (monitor->result.held == HELD_YES)
         monitor->result.held = HELD_MAYBE; /* nothing left to wait for */
   }
   if (!count_selected(monitor))
      monitor->result = (struct result){ .is_known = true };
}

static void
check_time(struct model *model, const struct perf_query *monitor,
           uint64_t seen_ns, bool is_end)
{
   const uint64_t time_ns = is_end ? monitor->end_ns : monitor->begin_ns;

   if (model->features->has_exact_time && seen_ns != time_ns)
      differ(model, "a time is %" PRIu64 ", not %" PRIu64, seen_ns, time_ns);
}

/* Checks the results that were written: the first ones. */
static void
check_results(struct model *model, const struct model_context *context,
              struct perf_query *monitor, const struct outcome *outcome)
{
   unsigned count = 0;

   for (unsigned i = 0; i < SET_COUNT; i++) {
      const bool is_time = model->features->sets[i] == SET_TIME;

      for (unsigned k = 0; k < SELECTED_COUNT; k++) {
         const uint64_t seen = outcome->seen[i][k];

         count += outcome->has_seen[i][k];
         if (!outcome->has_seen[i][k])
            continue;
         if (!monitor->selected[i][k])
            differ(model, "a result that was not selected");
         else if (is_time && !monitor->is_failed && !context->is_lost)
            check_time(model, monitor, seen, k);
         else if (!is_time && !set_has(&monitor->values[k], TYPE_U64, seen))
            differ(model, "%s is %" PRIu64 ", not in %" PRIu64 "..%" PRIu64,
                   target_table[statistic_targets[k]].name, seen,
                   monitor->values[k].lowest, monitor->values[k].highest);
      }
   }
   if (count * RESULT_B != outcome->written_B)
      differ(model, "%u results in %u bytes", count, outcome->written_B);
}

/* The size of a reply: see ask() in monitor_call.c. */
static unsigned
written_B(const struct perf_query *monitor, const struct call *call)
{
   const unsigned all_B = RESULT_B * count_selected(monitor);
   const bool is_scant = call->arguments[2] == 1;

   if (call->arguments[1] == ASK_RESULT && monitor->has_result)
      return is_scant && all_B ? RESULT_B : all_B;
   return is_scant && call->arguments[1] != ASK_RESULT ? 0 : 4;
}

static void
step_available(struct model *model, struct perf_query *monitor,
               uint64_t value)
{
   if (value > 1)
      differ(model, "available: %" PRIu64, value);
   else if (value && monitor->result.held == HELD_YES)
      differ(model, "available, but the results are withheld");
   else if (value)
      monitor->result.is_known = true;
   else
      saw_no_record(model, monitor);
}

static void
step_ask(struct model *model, struct model_context *context,
         struct perf_query *monitor, const struct call *call,
         const struct outcome *outcome)
{
   const unsigned expected_B = written_B(monitor, call);
   const unsigned count = count_selected(monitor);
   const bool is_result = call->arguments[1] == ASK_RESULT;

   if (outcome->written_B != expected_B && call->arguments[2] != 3) {
      differ(model, "%u bytes were written, not %u", outcome->written_B,
             expected_B);
   } else if (!monitor->has_result) {
      if (expected_B && outcome->value)
         differ(model, "%" PRIu64 " before there are results",
                outcome->value);
   } else if (is_result) {
      if (!monitor->result.is_known)
         waited(context);
      monitor->result.is_known = true;
      monitor->is_failed |= outcome->error == E_OPERATION;
      if (call->arguments[2] != 3)
         check_results(model, context, monitor, outcome);
   } else if (expected_B && call->arguments[1] == ASK_SIZE) {
      if (outcome->value != RESULT_B * count)
         differ(model, "a size of %" PRIu64, outcome->value);
   } else if (expected_B) {
      step_available(model, monitor, outcome->value);
   }
}

void
step_monitor(struct model *model, const struct call *call,
             const struct outcome *outcome)
{
   struct model_context *context = &model->contexts[call->context];
   struct perf_query *monitor =
      find_monitor(context, context->variables.monitors[call->arguments[0]]);
   const bool is_good = outcome->error == E_NONE;
   const bool is_answer =
      is_good || (outcome->error == E_OPERATION && monitor &&
                  call->arguments[1] == ASK_RESULT &&
                  call->arguments[2] != 2 && monitor->has_result);

   if (call->op == OP_MONITOR && is_good)
      step_create(model, context, call, outcome);
   else if (call->op == OP_FORGET && is_good)
      monitor->handle = 0;
   else if (call->op == OP_SELECT && monitor)
      step_select(model, context, monitor, call, outcome);
   else if (call->op == OP_WATCH && is_good)
      begin_counting(model, context, monitor, outcome);
   else if (call->op == OP_UNWATCH && (is_good || outcome->error == E_MEMORY))
      step_unwatch(context, monitor, outcome);
   else if (call->op == OP_ASK && is_answer)
      step_ask(model, context, monitor, call, outcome);
}
