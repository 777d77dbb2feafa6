/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>

#include "model.h"

/* Whether a condition draws: several outcomes may be allowed. */
struct passes {
   bool yes, no;
};

/* OpenGL 4.6 core, 10.9 */
static struct passes
condition_passes(const struct model *model,
                 const struct model_context *context)
{
   const struct object *object = context->condition;
   const unsigned mode = context->mode;
   struct passes passes = { .yes = true };
   bool zero, more;

   if (!object)
      return passes;
   zero = object->value.lowest == 0 || object->value.or_zero ||
          object->allows.two_faces;
   more = object->value.highest > 0 || object->allows.two_faces;
   passes.yes = mode & MODE_INVERTED ? zero : more;
   passes.no = mode & MODE_INVERTED ? more : zero;
   if ((mode & MODE_NO_WAIT) && !context->condition_is_known)
      passes.yes = true;
   if ((mode & MODE_NO_WAIT) && !context->condition_is_known &&
       has_quirk(model, QUIRK_CONDITION_UNKNOWN))
      passes.no = true;
   if ((mode & MODE_BY_REGION) && more && !model->features->is_controlled)
      passes.yes = passes.no = true; /* each region may differ */
   return passes;
}

static void
count(struct model_context *context, const struct amount *amount,
      struct passes passes, unsigned times)
{
   const uint64_t lowest = passes.no ? 0 : amount->lowest * times;
   const uint64_t highest = passes.yes ? amount->highest * times : 0;
   const unsigned last = amount->target == T_SAMPLES_PASSED
                            ? T_ANY_SAMPLES_PASSED_CONSERVATIVE
                            : amount->target;

   /* Samples also count for the boolean targets. */
   for (unsigned target = amount->target; target <= last; target++) {
      context->lowest[target][amount->index] += lowest;
      context->highest[target][amount->index] += highest;
   }
}

/* The pixel has, or may have, the color. */
static void
paint(struct model_context *context, struct passes passes, unsigned color)
{
   if (!passes.no)
      context->color_count = 0;
   else if (context->color_count == 0)
      return; /* any color is allowed already */
   if (passes.yes && context->color_count < MAX_COLORS)
      context->colors[context->color_count++] = color & 0xfff;
   else if (passes.yes)
      context->color_count = 0;
}

static void
count_scene(const struct model *model, struct model_context *context,
            const struct scene_info *scene, struct passes passes,
            unsigned times)
{
   for (unsigned i = 0; i < MAX_AMOUNTS && scene->amounts[i].highest; i++) {
      const struct amount amount =
         quirk_amount(model, scene, &scene->amounts[i]);

      count(context, &amount, passes, times);
   }
   if (scene->paints) {
      context->variables.color += times;
      paint(context, passes,
            scene->fixed_color ? scene->fixed_color
                               : context->variables.color);
   }
}

void
step_draw(struct model *model, struct model_context *context,
          unsigned scene_index, unsigned times, const struct outcome *outcome)
{
   const struct scene_info *scene = &model->features->scenes[scene_index];
   struct passes passes = condition_passes(model, context);

   if (context->condition && !(context->mode & MODE_NO_WAIT))
      waited(context);
   if (outcome->has_drawn) {
      if (!(outcome->is_drawn ? passes.yes : passes.no))
         differ(model, outcome->is_drawn ? "it is drawn" : "it is not drawn");
      passes.yes = outcome->is_drawn;
      passes.no = !outcome->is_drawn;
   }
   count_scene(model, context, scene, passes, times);
   quirk_draw(model, context, scene_index);
}

void
step_pixel(struct model *model, struct model_context *context,
           const struct outcome *outcome)
{
   if (context->color_count == 0)
      return;
   for (unsigned i = 0; i < context->color_count; i++)
      if (outcome->value == context->colors[i])
         return;
   differ(model, "the picture is of %" PRIu64 ", not of %u", outcome->value,
          context->colors[context->color_count - 1]);
}
