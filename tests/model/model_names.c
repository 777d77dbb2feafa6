/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "model.h"

struct object *
find_object(struct model_context *context, uint32_t name)
{
   for (unsigned i = 0; i < MAX_OBJECTS && name; i++)
      if (context->objects[i].is_taken && context->objects[i].name == name)
         return &context->objects[i];
   return NULL;
}

struct object *
add_object(struct model_context *context, uint32_t name)
{
   for (unsigned i = 0; i < MAX_OBJECTS; i++) {
      if (!context->objects[i].is_taken) {
         context->objects[i] =
            (struct object){ .name = name, .is_taken = true };
         return &context->objects[i];
      }
   }
   return NULL;
}

/* OpenGL 4.6 core, 4.2.2: "unused", and all different */
void
step_gen(struct model *model, struct model_context *context,
         const struct call *call, const struct outcome *outcome)
{
   const bool creates = call->op == OP_CREATE;
   const unsigned first = call->arguments[creates];

   for (int i = 0; i < call->arguments[creates + 1]; i++) {
      const uint32_t name = outcome->names[i];
      struct object *object;

      if (!name || find_object(context, name)) {
         differ(model, "the name %u is in use", name);
         return;
      }
      object = add_object(context, name);
      if (creates) {
         /* "initially ... QUERY_RESULT 0, QUERY_RESULT_AVAILABLE TRUE" */
         object->is_object = true;
         object->target = call->arguments[0];
         object->has_result = true;
         object->result = (struct result){ .is_known = true,
                                           .is_kept = true,
                                           .must = true };
      }
      context->variables.names[(first + i) % GENERATED_VARIABLES] = name;
   }
}

/* An object stays alive as render condition, and on ES while active (OpenGL
 * ES 3.2, 5.1.3).
 */
static void
delete_object(const struct model *model, struct model_context *context,
              struct object *object)
{
   object->name = 0;
   if (object->is_active && !model->features->is_es) {
      context->slots[target_table[object->target].slot][object->index] = NULL;
      object->is_active = false;
   }
   object->is_taken = object->is_active || object->is_condition;
}

void
step_delete(const struct model *model, struct model_context *context,
            const struct call *call)
{
   for (int i = 0; i < deleted_count(call->arguments); i++) {
      struct object *object =
         find_object(context,
                     context->variables.names[call->arguments[0] + i]);

      if (object)
         delete_object(model, context, object);
   }
}

void
model_leftover(const struct model_context *context, struct leftover *leftover)
{
   memset(leftover, 0, sizeof(*leftover));
   for (unsigned i = 0; i < MAX_OBJECTS; i++) {
      const struct object *object = &context->objects[i];

      if (object->is_taken && object->name)
         leftover->names[leftover->name_count++] = object->name;
      if (object->is_taken && object->is_active) {
         leftover->targets[leftover->active_count] = object->target;
         leftover->indices[leftover->active_count++] = object->index;
      }
   }
   for (unsigned i = 0; i < MAX_PERF_QUERIES; i++) {
      const struct perf_query *perf_query = &context->perf_queries[i];

      if (perf_query->handle && perf_query->is_monitor)
         leftover->monitors[leftover->monitor_count++] = perf_query->handle;
      else if (perf_query->handle)
         leftover->handles[leftover->handle_count++] = perf_query->handle;
   }
   leftover->has_condition = context->condition;
   for (unsigned i = 0; i < BUFFER_COUNT; i++)
      leftover->is_mapped[i] = context->buffers[i].is_mapped;
}
