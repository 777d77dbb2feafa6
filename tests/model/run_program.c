/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "judge.h"

static struct model model;

static const char *
clean(const struct world *world)
{
   const char *trouble = NULL;
   struct leftover leftover;

   for (unsigned i = 0; i < MAX_CONTEXTS; i++) {
      if (model.used[i]) {
         const char *found;

         model_leftover(&model.contexts[i], &leftover);
         found = world->clean(i, &leftover);
         trouble = trouble ? trouble : found;
      }
   }
   return trouble;
}

/* How the outcome differs from the model, or NULL. */
static const char *
run_call(const struct job *job, const struct call *call, unsigned errors)
{
   struct outcome outcome = { .expected = errors };

   job->world->call(call, &model.contexts[call->context].variables, &outcome);
   return model_step(&model, call, errors, &outcome);
}

const char *
run_program(const struct job *job, const struct program *program,
            struct report *report)
{
   const char *trouble = NULL;

   model_init(&model, job->world->features(), job->quirks);
   job->world->begin();
   for (unsigned i = 0; i < program->count && !trouble; i++) {
      const struct call *call = &program->calls[i];
      const unsigned errors = model_errors(&model, call);

      if (!errors || (job->has_no_errors && errors != E_NONE)) {
         if (!report->left_out)
            report->left_out = i + 1;
         continue;
      }
      report->at = i;
      report->calls++;
      trouble = run_call(job, call, errors);
   }
   if (trouble)
      return trouble;
   report->at = program->count;
   trouble = clean(job->world);
   const char *at_end = job->world->end();

   return trouble ? trouble : at_end;
}
