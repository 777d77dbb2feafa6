/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>

#include "model.h"

/* More than any measured time: an hour. */
#define LONGEST_NS UINT64_C(3600000000000)

static const uint64_t type_max[TYPE_COUNT] = {
   [TYPE_I32] = INT32_MAX,
   [TYPE_U32] = UINT32_MAX,
   [TYPE_I64] = INT64_MAX,
   [TYPE_U64] = UINT64_MAX,
};

uint64_t
clamp_value(enum type type, uint64_t value)
{
   return value > type_max[type] ? type_max[type] : value;
}

bool
set_has(const struct set *set, enum type type, uint64_t value)
{
   return (value == 0 && set->or_zero) ||
          (value >= clamp_value(type, set->lowest) &&
           value <= clamp_value(type, set->highest));
}

void
issue(struct model_context *context, struct result *result)
{
   *result = (struct result){
      .issue = ++context->issued,
      .held = context->is_holding ? HELD_YES
              : context->is_lost  ? HELD_MAYBE
                                  : HELD_NO,
   };
}

static void
see(struct model *model, struct result *result)
{
   if (result->held == HELD_YES)
      differ(model, "available, but the result is withheld");
   result->is_known = true;
   result->must = true;
   result->held = HELD_NO;
}

/* "a non-zero value if a disjoint operation occurred since the last time
 * GetIntegerv was used with GPU_DISJOINT_EXT" (EXT_disjoint_timer_query)
 */
void
step_disjoint(struct model *model, struct model_context *context,
              const struct outcome *outcome)
{
   if (outcome->value && context->disjoint == DISJOINT_NO)
      differ(model, "the time is disjoint");
   if (!outcome->value && context->disjoint == DISJOINT_YES)
      differ(model, "a lost time was read, but is not disjoint");
   context->disjoint = DISJOINT_NO;
   context->disjoint_after = context->issued;
}

/* Any call may detect the loss of the device. */
void
may_disjoin(struct model_context *context, const struct call *call)
{
   if ((context->is_lost || call->op == OP_LOSE) && call->op != OP_DISJOINT &&
       context->disjoint == DISJOINT_NO)
      context->disjoint = DISJOINT_MAYBE;
}

/* A time of a lost device, after the last read: the call that detects the
 * loss must set disjoint.
 */
static void
must_disjoin(struct model_context *context, const struct object *object)
{
   if (context->is_lost &&
       (object->target == T_TIME_ELAPSED || object->target == T_TIMESTAMP) &&
       object->result.issue > context->disjoint_after)
      context->disjoint = DISJOINT_YES;
}

/* "If ... TRUE, all queries of the same type issued prior to that query must
 * also return TRUE" (OpenGL 4.6 core, 4.2.3).
 */
void
saw_available(struct model *model, struct model_context *context,
              struct object *object)
{
   if (object->result.is_known)
      return;
   see(model, &object->result);
   must_disjoin(context, object);
   for (unsigned i = 0; i < MAX_OBJECTS; i++) {
      struct object *other = &context->objects[i];

      if (other->is_taken && other->has_result &&
          target_table[other->target].slot ==
             target_table[object->target].slot &&
          other->result.issue < object->result.issue)
         other->result.must = true;
   }
}

void
saw_unavailable(struct model *model, const struct result *result)
{
   if (result->is_known)
      differ(model, "not available any more");
   else if (result->must)
      differ(model, "not available, but what came later is, or after Finish");
}

void
waited(struct model_context *context)
{
   for (unsigned i = 0; i < MAX_OBJECTS; i++)
      if (context->objects[i].result.held == HELD_YES)
         context->objects[i].result.held = HELD_MAYBE;
   for (unsigned i = 0; i < MAX_PERF_QUERIES; i++)
      if (context->perf_queries[i].result.held == HELD_YES)
         context->perf_queries[i].result.held = HELD_MAYBE;
}

/* Timestamps in order of issue never decrease (docs/timing.md). */
static void
order_times(struct model_context *context, const struct object *object)
{
   const uint64_t time = object->value.lowest;

   for (unsigned i = 0; i < MAX_OBJECTS; i++) {
      struct object *other = &context->objects[i];

      if (!other->is_taken || !other->has_result ||
          other->target != T_TIMESTAMP)
         continue;
      if (other->result.issue > object->result.issue &&
          other->value.lowest < time)
         other->value.lowest = time;
      if (other->result.issue < object->result.issue &&
          other->value.highest > time)
         other->value.highest = time;
   }
   if (context->time_floor < time)
      context->time_floor = time;
}

void
saw_value(struct model *model, struct model_context *context,
          struct object *object, enum type type, uint64_t value)
{
   struct set *set = &object->value;
   const bool may_be_lost = context->is_lost && !object->result.is_kept;

   if (!set_has(set, type, value)) {
      differ(model,
             "the result is %" PRIu64 ", not in %" PRIu64 "..%" PRIu64 "%s",
             value, clamp_value(type, set->lowest),
             clamp_value(type, set->highest), set->or_zero ? " or 0" : "");
      return;
   }
   if (value == type_max[type] && set->highest > value) {
      if (set->lowest < value)
         set->lowest = value;
      return;
   }
   if (object->allows.two_faces)
      return;
   *set = (struct set){ .lowest = value,
                        .highest = value,
                        .or_zero = may_be_lost };
   if (object->target == T_TIMESTAMP && model->features->has_ordered_time &&
       !context->is_lost)
      order_times(context, object);
}

void
end_object(struct model *model, struct model_context *context,
           struct object *object)
{
   struct set *value = &object->value;

   value->lowest =
      context->lowest[object->target][object->index] - object->begin_lowest;
   value->highest =
      context->highest[object->target][object->index] - object->begin_highest;
   if (target_table[object->target].is_boolean) {
      value->lowest = value->lowest > 0;
      value->highest = value->highest > 0;
   }
   /* "may use a less precise algorithm" (OpenGL 4.6 core, 17.3.5) */
   if (object->target == T_ANY_SAMPLES_PASSED_CONSERVATIVE &&
       !model->features->is_controlled)
      value->highest = 1;
   if (object->target == T_TIME_ELAPSED && !model->features->has_exact_time) {
      value->lowest = 0;
      value->highest = LONGEST_NS;
   }
   value->or_zero = context->is_lost;
   quirk_end(model, context, object, value);
   object->has_result = true;
   issue(context, &object->result);
}
