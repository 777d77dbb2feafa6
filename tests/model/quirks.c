/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>
#include <string.h>

#include "model.h"

static const char *const names[QUIRK_COUNT] = {
#define MEMBER(NAME, WORD) WORD,
   QUIRKS(MEMBER)
#undef MEMBER
};

static bool
parse_one(const char *name, size_t length, unsigned *quirks_out)
{
   for (unsigned i = 0; i < QUIRK_COUNT; i++) {
      if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) {
         *quirks_out |= 1u << i;
         return true;
      }
   }
   fprintf(stderr, "pitot-model: no quirk %s\n", name);
   return false;
}

bool
quirks_parse(const char *text, unsigned *quirks_out)
{
   *quirks_out = 0;
   while (*text) {
      const size_t length = strcspn(text, ",");

      if (!parse_one(text, length, quirks_out))
         return false;
      text += length + (text[length] == ',');
   }
   return true;
}

static bool
is_occlusion(enum target target)
{
   return target <= T_ANY_SAMPLES_PASSED_CONSERVATIVE;
}

static bool
is_overflow(enum target target)
{
   return target == T_STREAM_OVERFLOW || target == T_ANY_STREAM_OVERFLOW;
}

static bool
is_geometry(enum target target)
{
   return target == T_GS_INVOCATIONS || target == T_GS_PRIMITIVES;
}

/* A read of a query that may not be available yet. */
static void
ask(struct model *model, struct model_context *context,
    const struct call *call)
{
   struct object *object =
      find_object(context, context->variables.names[call->arguments[0]]);
   const bool is_poll = call->op == OP_POLL || call->arguments[1] != P_RESULT;

   if (!object || !object->has_result || !is_poll ||
       !is_occlusion(object->target) ||
       !has_quirk(model, QUIRK_OCCLUSION_POLLED))
      return;
   /* Older queries are read as well. */
   for (unsigned i = 0; i < MAX_OBJECTS; i++) {
      struct object *other = &context->objects[i];

      if (other->is_taken && other->has_result &&
          is_occlusion(other->target) && !other->result.is_known &&
          other->result.issue <= object->result.issue) {
         other->value.lowest = 0;
         other->allows.two_faces = true;
      }
   }
}

static bool
begins_or_ends(const struct call *call)
{
   const bool is_query = call->op == OP_BEGIN || call->op == OP_END;

   return (call->op >= OP_START && call->op <= OP_ASK) ||
          (is_query && (is_overflow(call->arguments[0]) ||
                        call->arguments[0] == T_PRIMITIVES_WRITTEN ||
                        call->arguments[0] == T_PRIMITIVES_GENERATED));
}

static void
disturb_written(struct model_context *context)
{
   for (unsigned i = 0; i < MAX_STREAMS; i++)
      if (context->slots[target_table[T_PRIMITIVES_WRITTEN].slot][i])
         context->slots[target_table[T_PRIMITIVES_WRITTEN].slot][i]
            ->allows.any = true;
   for (unsigned i = 0; i < MAX_PERF_QUERIES; i++)
      context->perf_queries[i].allows_any[STATISTIC_WRITTEN] = true;
}

void
quirk_call(struct model *model, const struct call *call)
{
   struct model_context *context = &model->contexts[call->context];

   if (call->op == OP_COUNTER || call->op == OP_START ||
       call->op == OP_WATCH || call->op == OP_SELECT ||
       (call->op == OP_BEGIN && call->arguments[0] == T_TIME_ELAPSED))
      context->has_taken_time = true;
   if (call->op == OP_GET || call->op == OP_PUT || call->op == OP_POLL)
      ask(model, context, call);
   if (begins_or_ends(call) && has_quirk(model, QUIRK_WRITTEN_BESIDE))
      disturb_written(context);
}

static bool
is_performing(const struct model_context *context)
{
   for (unsigned i = 0; i < MAX_PERF_QUERIES; i++)
      if (context->perf_queries[i].is_active)
         return true;
   return false;
}

void
quirk_draw(struct model *model, struct model_context *context,
           enum scene scene)
{
   const bool is_generating =
      context->slots[target_table[T_PRIMITIVES_GENERATED].slot][0] ||
      context->slots[target_table[T_PRIMITIVES_GENERATED].slot][1] ||
      context->slots[target_table[T_PRIMITIVES_GENERATED].slot][2] ||
      context->slots[target_table[T_PRIMITIVES_GENERATED].slot][3];

   if (scene == SCENE_COMPUTE && context->condition &&
       has_quirk(model, QUIRK_DISPATCH_CONDITIONAL))
      context->color_count = 0;
   for (unsigned i = 0; i < MAX_OBJECTS; i++) {
      struct object *object = &context->objects[i];

      if (!object->is_taken || !object->is_active)
         continue;
      if (object->target == T_CLIPPING_INPUT && scene == SCENE_DISCARDED &&
          has_quirk(model, QUIRK_CLIPPING_DISCARDED))
         object->allows.any = true;
      if (is_overflow(object->target) &&
          ((is_generating && has_quirk(model, QUIRK_OVERFLOW_BY_GENERATED)) ||
           (is_performing(context) &&
            has_quirk(model, QUIRK_OVERFLOW_BY_PERFORMANCE))))
         object->allows.more = true;
   }
   for (unsigned i = 0; i < MAX_PERF_QUERIES; i++)
      if (scene == SCENE_DISCARDED &&
          has_quirk(model, QUIRK_CLIPPING_DISCARDED))
         context->perf_queries[i].allows_any[STATISTIC_CLIP_IN] = true;
}

void
quirk_end(const struct model *model, const struct model_context *context,
          const struct object *object, struct set *value)
{
   const bool is_lost = is_occlusion(object->target) &&
                        context->has_taken_time &&
                        has_quirk(model, QUIRK_OCCLUSION_AFTER_TIMESTAMP);

   const bool is_less = is_geometry(object->target) &&
                        has_quirk(model, QUIRK_GEOMETRY_BY_SHADER);

   if (object->allows.any || is_lost || is_less)
      value->lowest = 0;
   if (object->allows.more)
      value->highest = 1;
   if (object->allows.any)
      value->highest = UINT64_MAX;
}

struct amount
quirk_amount(const struct model *model, const struct scene_info *scene,
             const struct amount *amount)
{
   struct amount changed = *amount;
   bool is_captured = false;

   for (unsigned i = 0; i < MAX_AMOUNTS; i++)
      is_captured |= scene->amounts[i].target == T_PRIMITIVES_WRITTEN;
   if (amount->target == T_PRIMITIVES_GENERATED && !is_captured &&
       has_quirk(model, QUIRK_GENERATED_BY_FEEDBACK))
      changed.lowest = 0;
   if (amount->target == T_CS_INVOCATIONS &&
       has_quirk(model, QUIRK_COMPUTE_GROUPS))
      changed.lowest = 1;
   if (amount->target == T_CS_INVOCATIONS &&
       has_quirk(model, QUIRK_COMPUTE_LOST))
      changed.lowest = 0;
   return changed;
}
