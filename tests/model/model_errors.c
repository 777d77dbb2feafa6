/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The errors of a call.  If several apply, any of them may be reported.
 */

#include "model.h"

static const struct model_context *
context_of(const struct model *model, const struct call *call)
{
   return &model->contexts[call->context];
}

static const struct object *
object_of(const struct model *model, const struct call *call,
          int64_t variable)
{
   struct model_context *context =
      (struct model_context *)context_of(model, call);

   return find_object(context, context->variables.names[variable]);
}

static bool
has_target(const struct model *model, unsigned target)
{
   return target < T_COUNT && model->features->targets[target];
}

/* -1: an entry point without index. */
static bool
is_index_good(const struct model *model, unsigned target, int64_t index)
{
   const unsigned count =
      target_table[target].is_indexed ? model->features->stream_count : 1;

   return index < 0 || index < count;
}

static bool
is_any_samples(unsigned target)
{
   return target == T_ANY_SAMPLES_PASSED ||
          target == T_ANY_SAMPLES_PASSED_CONSERVATIVE;
}

/* OpenGL 4.6 core, 4.2.2: "whose type does not match target" */
static bool
is_type_other(const struct model *model, const struct object *object,
              unsigned target)
{
   if (!object || !object->is_object || object->target == target)
      return false;
   return !model->features->has_alias || !is_any_samples(target) ||
          !is_any_samples(object->target);
}

/* Whether creating an object with this name is an error. */
static bool
is_name_bad(const struct model *model, const struct object *object,
            uint32_t name)
{
   return name == 0 || (!object && !model->features->is_compat);
}

static unsigned
or_none(unsigned errors)
{
   return errors ? errors : E_NONE;
}

static unsigned
count_errors(const struct call *call, unsigned n)
{
   return call->arguments[n] < 0 ? E_VALUE : 0;
}

static unsigned
free_objects(const struct model_context *context)
{
   unsigned count = 0;

   for (unsigned i = 0; i < MAX_OBJECTS; i++)
      count += !context->objects[i].is_taken;
   return count;
}

/* OpenGL 4.6 core, 4.2.2 and 4.2.3: GenQueries, CreateQueries */
static unsigned
gen_errors(const struct model *model, const struct call *call)
{
   const bool creates = call->op == OP_CREATE;
   unsigned errors = count_errors(call, creates ? 2 : 1);

   if ((creates && !model->features->has_create) ||
       free_objects(context_of(model, call)) < GENERATED_VARIABLES)
      return 0;
   if (creates && !has_target(model, call->arguments[0]))
      errors |= E_ENUM;
   return or_none(errors);
}

static unsigned
begin_errors(const struct model *model, const struct call *call)
{
   const unsigned target = call->arguments[0];
   const uint32_t name =
      context_of(model, call)->variables.names[call->arguments[2]];
   const struct object *object = object_of(model, call, call->arguments[2]);
   unsigned errors = 0;

   if (!object && free_objects(context_of(model, call)) == 0)
      return 0;
   if (!has_target(model, target) || target == T_TIMESTAMP)
      return E_ENUM;
   if (!is_index_good(model, target, call->arguments[1]))
      errors |= E_VALUE;
   else if (context_of(model, call)
               ->slots[target_table[target].slot]
                      [index_or_0(call->arguments[1])])
      errors |= E_OPERATION;
   if (is_name_bad(model, object, name) ||
       is_type_other(model, object, target) ||
       (object && (object->is_active || object->is_condition)))
      errors |= E_OPERATION;
   return or_none(errors);
}

static unsigned
end_errors(const struct model *model, const struct call *call)
{
   const unsigned target = call->arguments[0];
   const struct object *active;

   if (!has_target(model, target) || target == T_TIMESTAMP)
      return E_ENUM;
   if (!is_index_good(model, target, call->arguments[1]))
      return E_VALUE;
   active =
      context_of(model, call)
         ->slots[target_table[target].slot][index_or_0(call->arguments[1])];
   return active && active->target == target ? E_NONE : E_OPERATION;
}

/* OpenGL 4.6 core, 4.3 */
static unsigned
counter_errors(const struct model *model, const struct call *call)
{
   const uint32_t name =
      context_of(model, call)->variables.names[call->arguments[0]];
   const struct object *object = object_of(model, call, call->arguments[0]);
   unsigned errors = 0;

   if (!model->features->targets[T_TIMESTAMP] ||
       (!object && free_objects(context_of(model, call)) == 0))
      return 0;
   if (call->arguments[1] != T_TIMESTAMP)
      errors |= E_ENUM;
   if (is_name_bad(model, object, name) ||
       is_type_other(model, object, T_TIMESTAMP) ||
       (object && object->is_active))
      errors |= E_OPERATION;
   return or_none(errors);
}

static unsigned
query_errors(const struct model *model, const struct call *call)
{
   const unsigned target = call->arguments[0];
   const unsigned pname = call->arguments[2];
   const bool is_pname_good =
      pname == P_CURRENT || (pname == P_BITS && model->features->has_bits);

   if (!has_target(model, target))
      return E_ENUM;
   return or_none(
      (is_index_good(model, target, call->arguments[1]) ? 0 : E_VALUE) |
      (is_pname_good ? 0 : E_ENUM));
}

static bool
is_result_pname(const struct model *model, unsigned pname)
{
   return pname == P_RESULT || pname == P_AVAILABLE ||
          (pname == P_NO_WAIT && model->features->has_buffers) ||
          (pname == P_TARGET && model->features->has_target);
}

/* OpenGL 4.6 core, 4.2.3: all reads of results */
static unsigned
ask_errors(const struct model *model, const struct call *call, unsigned pname)
{
   const struct object *object = object_of(model, call, call->arguments[0]);
   unsigned errors = is_result_pname(model, pname) ? 0 : E_ENUM;

   if (!object || !object->is_object || object->is_active)
      errors |= E_OPERATION;
   return errors;
}

static unsigned
place_errors(unsigned buffer, enum type type, int64_t offset)
{
   const int64_t size_B = type <= TYPE_U32 ? 4 : 8;
   const int64_t end_B = buffer == 1 ? BUFFER_SIZE_B : SMALL_SIZE_B;

   if (buffer == 0 || buffer > BUFFER_COUNT)
      return E_OPERATION; /* no such buffer */
   if (offset < 0)
      return E_VALUE;
   return offset > end_B - size_B ? E_OPERATION : 0;
}

static unsigned
write_errors(const struct model *model, const struct call *call,
             unsigned buffer, int64_t offset)
{
   const struct model_context *context = context_of(model, call);
   unsigned errors = ask_errors(model, call, call->arguments[1]);

   errors |= place_errors(buffer, call->arguments[2], offset);
   if (buffer >= 1 && buffer <= BUFFER_COUNT &&
       context->buffers[buffer - 1].is_mapped)
      errors |= E_OPERATION; /* OpenGL 4.6 core, 6.3.2 */
   return or_none(errors);
}

static unsigned
get_errors(const struct model *model, const struct call *call)
{
   const unsigned bound = context_of(model, call)->variables.bound;

   if (!model->features->has_types[call->arguments[2]])
      return 0;
   if (bound)
      return write_errors(model, call, bound, call->arguments[3]);
   return or_none(ask_errors(model, call, call->arguments[1]));
}

static unsigned
put_errors(const struct model *model, const struct call *call)
{
   if (!model->features->has_buffers)
      return 0;
   return write_errors(model, call, call->arguments[3], call->arguments[4]);
}

/* OpenGL 4.6 core, 10.9 */
static unsigned
condition_errors(const struct model *model, const struct call *call)
{
   const struct object *object = object_of(model, call, call->arguments[0]);
   const unsigned mode = call->arguments[1];
   unsigned errors = 0;

   if (!model->features->has_condition)
      return 0;
   if (mode == MODE_BAD ||
       ((mode & MODE_INVERTED) && !model->features->has_inverted))
      errors |= E_ENUM;
   if (context_of(model, call)->condition)
      errors |= E_OPERATION;
   if (!object || !object->is_object)
      errors |= E_VALUE;
   else if (object->is_active || !target_table[object->target].is_condition)
      errors |= E_OPERATION;
   return or_none(errors);
}

/* Programs make mistakes with queries only, not with buffers. */
static unsigned
buffer_call_errors(const struct model *model, const struct call *call)
{
   const struct model_context *context = context_of(model, call);
   const unsigned buffer = call->arguments[0];

   if (!model->features->has_buffers || buffer > BUFFER_COUNT)
      return 0;
   if (call->op == OP_BIND)
      return E_NONE;
   if (!buffer)
      return 0;
   return context->buffers[buffer - 1].is_mapped == (call->op == OP_UNMAP)
             ? E_NONE
             : 0;
}

static unsigned
poll_errors(const struct model *model, const struct call *call)
{
   const struct object *object = object_of(model, call, call->arguments[0]);

   return !ask_errors(model, call, P_AVAILABLE) && object->has_result &&
                object->result.held != HELD_YES &&
                !context_of(model, call)->variables.bound
             ? E_NONE
             : 0;
}

static unsigned
burst_errors(const struct model *model, const struct call *call)
{
   const unsigned target = call->arguments[0];
   const struct model_context *context = context_of(model, call);

   return has_target(model, target) && target != T_TIMESTAMP &&
                !context->slots[target_table[target].slot][0] &&
                !context->variables.bound && !context->is_holding &&
                model->features->scenes[call->arguments[2]].is_there
             ? E_NONE
             : 0;
}

static unsigned
if_any(bool is_there)
{
   return is_there ? E_NONE : 0;
}

static unsigned
other_errors(const struct model *model, const struct call *call)
{
   const struct features *features = model->features;

   switch (call->op) {
   case OP_ENDCONDITION:
      return !features->has_condition             ? 0
             : context_of(model, call)->condition ? E_NONE
                                                  : E_OPERATION;
   case OP_PIXEL:
      return if_any(features->has_pixels);
   case OP_DRAW:
      return if_any(features->scenes[call->arguments[0]].is_there);
   case OP_NOW:
      return if_any(features->has_now);
   case OP_DISJOINT:
      return if_any(features->has_disjoint);
   case OP_HOLD:
   case OP_RELEASE:
   case OP_FAIL:
   case OP_LOSE:
      return if_any(features->is_controlled);
   default:
      return E_NONE;
   }
}

unsigned
model_errors(const struct model *model, const struct call *call)
{
   switch (call->op) {
   case OP_GEN:
   case OP_CREATE:
      return gen_errors(model, call);
   case OP_DELETE:
      return or_none(count_errors(call, 1));
   case OP_BEGIN:
      return begin_errors(model, call);
   case OP_END:
      return end_errors(model, call);
   case OP_COUNTER:
      return counter_errors(model, call);
   case OP_QUERY:
      return query_errors(model, call);
   case OP_GET:
      return get_errors(model, call);
   case OP_PUT:
      return put_errors(model, call);
   case OP_CONDITION:
      return condition_errors(model, call);
   case OP_BIND:
   case OP_MAP:
   case OP_UNMAP:
   case OP_READ:
      return buffer_call_errors(model, call);
   case OP_POLL:
      return poll_errors(model, call);
   case OP_BURST:
      return burst_errors(model, call);
   default:
      return call->op >= OP_PERF_QUERY && call->op <= OP_ASK
                ? perf_errors(model, call)
                : other_errors(model, call);
   }
}
