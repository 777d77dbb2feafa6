/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "model.h"

void
model_init(struct model *model, const struct features *features,
           unsigned quirks)
{
   memset(model, 0, sizeof(*model));
   model->quirks = quirks;
   model->features = features;
   for (unsigned i = 0; i < MAX_CONTEXTS; i++) {
      struct variables *variables = &model->contexts[i].variables;

      variables->names[VARIABLE_RAW] = 77777;
      variables->names[VARIABLE_LARGEST] = UINT32_MAX;
      variables->handles[HANDLE_RAW] = 4000000;
      variables->monitors[HANDLE_RAW] = 4000000;
   }
}

void
differ(struct model *model, const char *format, ...)
{
   va_list arguments;

   if (model->difference[0])
      return;
   va_start(arguments, format);
   vsnprintf(model->difference, sizeof(model->difference), format, arguments);
   va_end(arguments);
}

static void
step_begin(struct model_context *context, const struct call *call,
           const struct outcome *outcome)
{
   const enum target target = call->arguments[0];
   const unsigned index = index_or_0(call->arguments[1]);
   const uint32_t name = context->variables.names[call->arguments[2]];
   struct object *object = find_object(context, name);

   if (!object)
      object = add_object(context, name);
   object->is_object = true;
   object->is_active = true;
   object->has_result = false;
   object->target = target;
   object->index = index;
   object->allows = (struct allowance){ .any = false };
   object->begin_ns = outcome->before_ns;
   object->begin_lowest = context->lowest[target][index];
   object->begin_highest = context->highest[target][index];
   context->slots[target_table[target].slot][index] = object;
}

static void
step_end(struct model *model, struct model_context *context,
         const struct call *call, const struct outcome *outcome)
{
   const unsigned index = index_or_0(call->arguments[1]);
   struct object **slot =
      &context->slots[target_table[call->arguments[0]].slot][index];
   struct object *object = *slot;

   *slot = NULL;
   object->is_active = false;
   object->is_taken = object->name || object->is_condition;
   end_object(model, context, object);
   if (outcome->error == E_MEMORY) {
      /* An end that fails still ends, with result 0. */
      object->value = (struct set){ .lowest = 0 };
      object->result.is_known = true;
      object->result.is_kept = true;
      object->result.held = HELD_NO;
   }
}

static void
step_counter(struct model *model, struct model_context *context,
             const struct call *call, const struct outcome *outcome)
{
   const uint32_t name = context->variables.names[call->arguments[0]];
   struct object *object = find_object(context, name);

   if (!object)
      object = add_object(context, name);
   object->is_object = true;
   object->target = T_TIMESTAMP;
   object->index = 0;
   end_object(model, context, object);
   object->value = (struct set){ .lowest = context->time_floor,
                                 .highest = UINT64_MAX,
                                 .or_zero = context->is_lost };
   if (model->features->has_exact_time)
      object->value.lowest = object->value.highest = outcome->now_ns;
}

static void
step_query(struct model *model, struct model_context *context,
           const struct call *call, const struct outcome *outcome)
{
   const enum target target = call->arguments[0];
   const unsigned index = index_or_0(call->arguments[1]);
   const struct object *object =
      context->slots[target_table[target].slot][index];

   if (call->arguments[2] == P_BITS) {
      const uint64_t fewest =
         target == T_TIME_ELAPSED || target == T_TIMESTAMP ? 30
         : target_table[target].is_boolean                 ? 1
                                                           : 32;
      /* "if the number of bits is non-zero" (EXT_mesh_shader) */
      const bool may_be_0 =
         target >= T_TS_INVOCATIONS && !model->features->is_controlled;

      if (outcome->value == 0 && may_be_0)
         return;
      if (outcome->value < fewest || outcome->value > 64)
         differ(model, "%" PRIu64 " counter bits", outcome->value);
      return;
   }
   if (object && object->target != target)
      object = NULL;
   if (object && !object->name)
      return; /* the name of a deleted active query may still be returned */
   if (outcome->value != (object ? object->name : 0))
      differ(model, "the active query is %" PRIu64 ", not %u", outcome->value,
             object ? object->name : 0);
}

/* No longer than from before the begin until the result is there. */
static void
limit_elapsed(struct object *object, const struct outcome *outcome)
{
   const uint64_t most_ns =
      outcome->after_ns - object->begin_ns + CLOCK_TICK_NS;

   if (object->target == T_TIME_ELAPSED && outcome->after_ns &&
       object->value.highest > most_ns)
      object->value.highest = most_ns;
}

static void
step_get(struct model *model, struct model_context *context,
         const struct call *call, const struct outcome *outcome)
{
   struct object *object =
      find_object(context, context->variables.names[call->arguments[0]]);
   const enum pname pname = call->arguments[1];
   const enum type type = call->arguments[2];
   const unsigned bound = context->variables.bound;

   if (bound) {
      step_write(context, object, pname, type, bound, call->arguments[3]);
      return;
   }
   if (!outcome->is_untouched && pname != P_TARGET)
      object->result.is_kept = pname != P_AVAILABLE || outcome->value;
   if (outcome->is_untouched && pname == P_NO_WAIT) {
      saw_unavailable(model, &object->result);
      return;
   }
   if (outcome->is_untouched) {
      differ(model, "no value was written");
   } else if (pname == P_TARGET) {
      if (outcome->value != target_table[object->target].gl)
         differ(model, "the target is 0x%" PRIx64, outcome->value);
   } else if (pname == P_AVAILABLE) {
      if (outcome->value > 1)
         differ(model, "available: %" PRIu64, outcome->value);
      else if (outcome->value)
         saw_available(model, context, object);
      else
         saw_unavailable(model, &object->result);
   } else {
      if (pname == P_RESULT)
         waited(context);
      saw_available(model, context, object);
      limit_elapsed(object, outcome);
      saw_value(model, context, object, type, outcome->value);
   }
}

static void
step_poll(struct model *model, struct model_context *context,
          const struct call *call, const struct outcome *outcome)
{
   struct object *object =
      find_object(context, context->variables.names[call->arguments[0]]);

   object->result.is_kept = outcome->value;
   if (outcome->value)
      saw_available(model, context, object);
   else if (object->result.held == HELD_NO)
      differ(model, "polling never ends");
}

static void
step_condition(struct model_context *context, const struct call *call)
{
   struct object *object =
      find_object(context, context->variables.names[call->arguments[0]]);

   context->condition = object;
   context->mode = call->arguments[1];
   /* A created object was never measured; a driver may have to measure. */
   context->condition_is_known =
      object->result.is_known && object->result.issue;
   object->is_condition = true;
}

static void
step_endcondition(struct model_context *context)
{
   struct object *object = context->condition;

   context->condition = NULL;
   object->is_condition = false;
   object->is_taken = object->name || object->is_active;
}

static void
step_finish(struct model_context *context)
{
   for (unsigned i = 0; i < MAX_OBJECTS; i++) {
      context->objects[i].result.held = HELD_NO;
      context->objects[i].result.must = true;
   }
   for (unsigned i = 0; i < MAX_PERF_QUERIES; i++) {
      context->perf_queries[i].result.held = HELD_NO;
      context->perf_queries[i].result.must = true;
   }
   context->is_holding = false;
}

static void
set_held(struct model_context *context, enum held held)
{
   for (unsigned i = 0; i < MAX_OBJECTS; i++)
      context->objects[i].result.held = held;
   for (unsigned i = 0; i < MAX_PERF_QUERIES; i++)
      context->perf_queries[i].result.held = held;
}

static void
step_lose(struct model_context *context)
{
   set_held(context, HELD_MAYBE);
   for (unsigned i = 0; i < MAX_OBJECTS; i++)
      if (!context->objects[i].result.is_kept)
         context->objects[i].value.or_zero = true;
   for (unsigned i = 0; i < MAX_PERF_QUERIES; i++)
      for (unsigned j = 0; j < STATISTIC_COUNT; j++)
         if (!context->perf_queries[i].result.is_known)
            context->perf_queries[i].values[j].or_zero = true;
   context->is_lost = true;
   context->is_holding = false;
   context->disjoint_after = context->issued;
}

static void
step_now(struct model *model, struct model_context *context,
         const struct outcome *outcome)
{
   if (model->features->has_exact_time ? outcome->value != outcome->now_ns
                                       : outcome->value < context->time_floor)
      differ(model, "the time is %" PRIu64, outcome->value);
   if (model->features->has_ordered_time)
      context->time_floor = outcome->value;
}

static void
step_other(struct model *model, struct model_context *context,
           const struct call *call, const struct outcome *outcome)
{
   switch (call->op) {
   case OP_IS: {
      const struct object *object =
         find_object(context, context->variables.names[call->arguments[0]]);

      if (outcome->value != (object && object->is_object))
         differ(model, "IsQuery: %" PRIu64, outcome->value);
      break;
   }
   case OP_BIND:
      context->variables.bound = call->arguments[0];
      break;
   case OP_MAP:
      context->buffers[call->arguments[0] - 1].is_mapped = true;
      break;
   case OP_UNMAP:
      context->buffers[call->arguments[0] - 1].is_mapped = false;
      break;
   case OP_READ:
      step_read(model, context, call->arguments[0], outcome->bytes);
      break;
   case OP_DRAW:
      step_draw(model, context, call->arguments[0], 1, outcome);
      break;
   case OP_BURST:
      step_draw(model, context, call->arguments[2], call->arguments[1],
                outcome);
      step_finish(context);
      if (outcome->value != (uint64_t)call->arguments[1])
         differ(model,
                "%" PRIu64 " of %" PRIi64 " are available after Finish",
                outcome->value, call->arguments[1]);
      break;
   case OP_PIXEL:
      step_pixel(model, context, outcome);
      break;
   case OP_FINISH:
      step_finish(context);
      break;
   case OP_NOW:
      step_now(model, context, outcome);
      break;
   case OP_DISJOINT:
      step_disjoint(model, context, outcome);
      break;
   case OP_HOLD:
   case OP_RELEASE:
      if (!context->is_lost)
         set_held(context, HELD_NO);
      context->is_holding = call->op == OP_HOLD && !context->is_lost;
      break;
   case OP_LOSE:
      step_lose(context);
      break;
   default:
      break;
   }
}

static void
step_good(struct model *model, struct model_context *context,
          const struct call *call, const struct outcome *outcome)
{
   switch (call->op) {
   case OP_GEN:
   case OP_CREATE:
      step_gen(model, context, call, outcome);
      break;
   case OP_DELETE:
      step_delete(model, context, call);
      break;
   case OP_BEGIN:
      step_begin(context, call, outcome);
      break;
   case OP_END:
      step_end(model, context, call, outcome);
      break;
   case OP_COUNTER:
      step_counter(model, context, call, outcome);
      break;
   case OP_QUERY:
      step_query(model, context, call, outcome);
      break;
   case OP_GET:
      step_get(model, context, call, outcome);
      break;
   case OP_PUT:
      step_write(context,
                 find_object(context,
                             context->variables.names[call->arguments[0]]),
                 call->arguments[1], call->arguments[2], call->arguments[3],
                 call->arguments[4]);
      break;
   case OP_POLL:
      step_poll(model, context, call, outcome);
      break;
   case OP_CONDITION:
      step_condition(context, call);
      break;
   case OP_ENDCONDITION:
      step_endcondition(context);
      break;
   default:
      step_other(model, context, call, outcome);
      break;
   }
}

const char *
model_step(struct model *model, const struct call *call, unsigned errors,
           const struct outcome *outcome)
{
   struct model_context *context = &model->contexts[call->context];
   const bool is_perf = call->op >= OP_PERF_QUERY && call->op <= OP_ASK;

   model->used[call->context] = true;
   model->difference[0] = '\0';
   quirk_call(model, call);
   may_disjoin(context, call);
   if (outcome->is_failed)
      errors |= E_MEMORY;
   if (!(outcome->error & errors))
      differ(model, "error 0x%x, not one of 0x%x", outcome->error, errors);
   else if (outcome->trouble)
      differ(model, "%s", outcome->trouble);
   else if (is_perf)
      step_perf(model, call, outcome);
   else if (outcome->error == E_NONE ||
            (outcome->error == E_MEMORY && call->op == OP_END))
      step_good(model, context, call, outcome);
   else if (call->op == OP_GET && !outcome->is_untouched)
      differ(model, "a value was written in spite of an error");
   return model->difference[0] ? model->difference : NULL;
}
