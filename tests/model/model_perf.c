/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * INTEL_performance_query, and Pitot's additions in docs/counters.md.
 */

#include <inttypes.h>
#include <string.h>

#include "model.h"

#define STATISTIC(KIND, ...) T_##KIND,

const uint8_t statistic_targets[STATISTIC_COUNT] = {
   EACH_STATISTIC(STATISTIC) EACH_MESH_STATISTIC(STATISTIC)
      T_PRIMITIVES_GENERATED,
   T_PRIMITIVES_WRITTEN
};

struct perf_query *
find_perf_query(struct model_context *context, uint32_t handle)
{
   for (unsigned i = 0; i < MAX_PERF_QUERIES && handle; i++)
      if (context->perf_queries[i].handle == handle &&
          !context->perf_queries[i].is_monitor)
         return &context->perf_queries[i];
   return NULL;
}

struct perf_query *
new_perf_query(struct model_context *context)
{
   for (unsigned i = 0; i < MAX_PERF_QUERIES; i++)
      if (!context->perf_queries[i].handle)
         return &context->perf_queries[i];
   return NULL;
}

static bool
measures(const struct model *model, const struct perf_query *perf_query,
         enum set_kind kind)
{
   if (!perf_query->is_monitor)
      return model->features->sets[perf_query->set] == kind;
   for (unsigned i = 0; i < model->features->set_count; i++)
      if (model->features->sets[i] == kind &&
          (perf_query->selected[i][0] || perf_query->selected[i][1]))
         return true;
   return false;
}

void
saw_no_record(struct model *model, struct perf_query *perf_query)
{
   saw_unavailable(model, &perf_query->result);
}

/* "cannot be nested if they refer to queries of such different types" */
unsigned
perf_begin_errors(const struct model *model,
                  const struct model_context *context,
                  const struct perf_query *perf_query)
{
   const bool is_same = measures(model, perf_query, SET_SAME);
   const bool is_alone = measures(model, perf_query, SET_ALONE);
   unsigned errors = E_NONE;

   if (is_same && is_alone)
      return E_OPERATION;
   for (unsigned i = 0; i < MAX_PERF_QUERIES && (is_same || is_alone); i++) {
      const struct perf_query *other = &context->perf_queries[i];

      if (!other->handle || !other->is_active || other == perf_query)
         continue;
      if (other->is_vague)
         errors |= E_OPERATION;
      else if (measures(model, other, SET_ALONE) ||
               (is_alone && measures(model, other, SET_SAME)))
         return E_OPERATION;
   }
   return errors;
}

static unsigned
data_errors(const struct model_context *context,
            const struct perf_query *perf_query, const struct call *call)
{
   const int64_t how = call->arguments[2];
   unsigned errors = 0;

   if (call->arguments[1] == FLAG_BAD || (how >= 1 && how <= 3))
      errors |= E_VALUE;
   if (perf_query->is_active || !perf_query->has_result ||
       perf_query->is_failed)
      errors |= E_OPERATION;
   if (context->is_lost && !perf_query->result.is_known)
      errors |= E_OPERATION | E_NONE;
   return errors ? errors : E_NONE;
}

unsigned
perf_errors(const struct model *model, const struct call *call)
{
   struct model_context *context =
      (struct model_context *)&model->contexts[call->context];
   const unsigned set = call->arguments[1];
   const struct perf_query *perf_query =
      find_perf_query(context,
                      context->variables.handles[call->arguments[0]]);

   if (call->op >= OP_MONITOR)
      return monitor_errors(model, call);
   if (!model->features->set_count ||
       (call->op == OP_PERF_QUERY && !new_perf_query(context)))
      return 0;
   if (call->op == OP_PERF_QUERY)
      return set < model->features->set_count ? E_NONE : E_VALUE;
   if (!perf_query)
      return E_VALUE;
   switch (call->op) {
   case OP_START:
      return perf_query->is_active
                ? E_OPERATION
                : perf_begin_errors(model, context, perf_query);
   case OP_STOP:
      return perf_query->is_active ? E_NONE : E_OPERATION;
   case OP_DATA:
      return data_errors(context, perf_query, call);
   default:
      return E_NONE;
   }
}

static void
step_create(struct model *model, struct model_context *context,
            const struct call *call, const struct outcome *outcome)
{
   const uint32_t handle = outcome->names[0];

   if (!handle || find_perf_query(context, handle)) {
      differ(model, "the handle %u is in use", handle);
      return;
   }
   *new_perf_query(context) = (struct perf_query){
      .handle = handle,
      .set = call->arguments[1],
   };
   context->variables.handles[call->arguments[0]] = handle;
   /* A handle may be reused, and other variables may still have it. */
   for (unsigned i = 0; i < HANDLE_COUNT; i++)
      if (context->variables.handles[i] == handle)
         context->variables.sets[i] = call->arguments[1];
}

void
begin_counting(const struct model *model, struct model_context *context,
               struct perf_query *perf_query, const struct outcome *outcome)
{
   /* Changing to another set of the unit may wait (docs/counters.md). */
   if (measures(model, perf_query, SET_SAME) ||
       measures(model, perf_query, SET_ALONE))
      waited(context);
   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      perf_query->values[i].lowest = context->lowest[statistic_targets[i]][0];
      perf_query->values[i].highest =
         context->highest[statistic_targets[i]][0];
      perf_query->allows_any[i] = false;
   }
   perf_query->begin_ns = outcome->now_ns;
   perf_query->is_active = true;
   perf_query->has_result = false;
   perf_query->is_failed = false;
}

void
end_counting(struct model_context *context, struct perf_query *perf_query,
             const struct outcome *outcome)
{
   const bool is_failed = outcome->error == E_MEMORY;

   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      struct set *value = &perf_query->values[i];
      const unsigned target = statistic_targets[i];

      value->lowest = context->lowest[target][0] - value->lowest;
      value->highest = context->highest[target][0] - value->highest;
      value->or_zero = context->is_lost;
      if (is_failed)
         value->lowest = value->highest = 0;
   }
   perf_query->end_ns = outcome->now_ns;
   perf_query->is_active = false;
   perf_query->has_result = true;
   perf_query->is_failed = is_failed;
   issue(context, &perf_query->result);
   if (is_failed)
      perf_query->result = (struct result){ .is_known = true };
}

/* Begin, end, elapsed, and disjoint, a BOOL32 (docs/counters.md). */
static void
check_times(struct model *model, const struct perf_query *perf_query,
            const uint64_t *record)
{
   const bool is_exact = model->features->has_exact_time;
   const uint64_t begin_ns = is_exact ? perf_query->begin_ns : record[0];
   const uint64_t end_ns = is_exact ? perf_query->end_ns : record[1];
   uint32_t disjoint;

   memcpy(&disjoint, &record[3], sizeof(disjoint));
   if (record[0] > record[1] || record[2] > record[1] - record[0])
      differ(model, "%" PRIu64 " ns from %" PRIu64 " to %" PRIu64, record[2],
             record[0], record[1]);
   else if (record[0] != begin_ns || record[1] != end_ns ||
            (is_exact && record[2] != end_ns - begin_ns))
      differ(model,
             "%" PRIu64 " ns from %" PRIu64 " to %" PRIu64
             ", not from %" PRIu64 " to %" PRIu64,
             record[2], record[0], record[1], begin_ns, end_ns);
   else if (disjoint > !is_exact)
      differ(model, "a record's times are disjoint: %u", disjoint);
}

static void
check_record(struct model *model, const struct model_context *context,
             struct perf_query *perf_query, const struct outcome *outcome)
{
   const enum set_kind kind = model->features->sets[perf_query->set];
   const uint64_t *record = outcome->record;

   if (kind == SET_TIME && !perf_query->is_failed && !context->is_lost)
      check_times(model, perf_query, record);
   for (unsigned i = 0; i < STATISTIC_COUNT && kind != SET_TIME; i++) {
      struct set *value = &perf_query->values[i];

      if ((kind == SET_STATISTICS && !model->features->statistics[i]) ||
          perf_query->allows_any[i])
         continue;
      if (!set_has(value, TYPE_U64, record[i]))
         differ(model, "%s is %" PRIu64 ", not in %" PRIu64 "..%" PRIu64,
                target_table[statistic_targets[i]].name, record[i],
                value->lowest, value->highest);
      *value = (struct set){ .lowest = record[i], .highest = record[i] };
   }
}

static void
step_data(struct model *model, struct model_context *context,
          struct perf_query *perf_query, const struct call *call,
          const struct outcome *outcome)
{
   if (outcome->error == E_OPERATION && !perf_query->has_result)
      return;
   if (outcome->error == E_OPERATION && perf_query->has_result)
      perf_query->is_failed = true; /* the device is lost */
   if (call->arguments[1] == FLAG_WAIT)
      waited(context);
   if (outcome->written_B == 0 && call->arguments[1] == FLAG_WAIT) {
      differ(model, "no record, in spite of waiting");
   } else if (outcome->written_B == 0) {
      saw_no_record(model, perf_query);
   } else if (outcome->written_B !=
              model->features->record_B[perf_query->set]) {
      differ(model, "%u bytes were written", outcome->written_B);
   } else {
      if (perf_query->result.held == HELD_YES)
         differ(model, "a record, but it is withheld");
      perf_query->result.is_known = true;
      check_record(model, context, perf_query, outcome);
   }
}

void
step_perf(struct model *model, const struct call *call,
          const struct outcome *outcome)
{
   struct model_context *context = &model->contexts[call->context];
   struct perf_query *perf_query =
      find_perf_query(context,
                      context->variables.handles[call->arguments[0]]);
   const bool is_good = outcome->error == E_NONE;
   const bool has_no_memory = outcome->error == E_MEMORY;

   if (call->op >= OP_MONITOR)
      step_monitor(model, call, outcome);
   else if (call->op == OP_PERF_QUERY && is_good)
      step_create(model, context, call, outcome);
   else if (call->op == OP_DROP && is_good)
      perf_query->handle = 0;
   else if (call->op == OP_START && is_good)
      begin_counting(model, context, perf_query, outcome);
   else if (call->op == OP_STOP && (is_good || has_no_memory))
      end_counting(context, perf_query, outcome);
   else if (call->op == OP_DATA &&
            (is_good ||
             (outcome->error == E_OPERATION && !perf_query->is_active)))
      step_data(model, context, perf_query, call, outcome);
}
