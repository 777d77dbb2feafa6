/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Submissions: queued, executed in order, or lost.
 */

#include <string.h>

#include "sim_priv.h"

struct sim_submission *
sim_new_submission(struct sim *sim)
{
   struct sim_kernel *kernel = sim->kernel;

   if (kernel->queued == SIM_MAX_SUBMISSIONS)
      return NULL;

   struct sim_submission *submission = &kernel->queue[kernel->queued];
   memset(submission, 0, sizeof(*submission));
   return submission;
}

static void
release(struct sim *sim, struct sim_submission *submission)
{
   sim_space_clear(sim, &submission->space);
   if (submission->status != NULL)
      sim_bo_unreference(sim, submission->status);
}

/* Returns the counters that a submission's work is counted in. */
static struct sim_counters *
counters_of(struct sim *sim, const struct sim_submission *submission,
            struct sim_object *context)
{
   return sim->gpu.facts.vendor == PITOT_VENDOR_INTEL && context != NULL
             ? &context->engines[submission->engine].counters
             : &sim->kernel->counters;
}

static void
execute(struct sim *sim, struct sim_submission *submission,
        struct sim_object *context)
{
   struct sim_engine *engine = &sim->kernel->engine;

   engine->sim = sim;
   engine->submission = submission;
   engine->counters = counters_of(sim, submission, context);
   engine->registers = context != NULL
                          ? &context->engines[submission->engine].registers
                          : &sim->kernel->registers;
   sim_execute(engine);
   if (submission->status != NULL) {
      uint8_t *status =
         submission->status->memory + submission->status_offset;

      __atomic_store_n((uint64_t *)status, submission->number,
                       __ATOMIC_RELEASE);
   }
}

static void
hang(struct sim *sim, struct sim_object *context)
{
   context->is_banned = true;
   context->lost_active++;
   sim->kernel->was_reset = true;
   if (sim->reset_clears_clock)
      sim->now_ticks = 0;
}

static void
complete_one(struct sim *sim)
{
   struct sim_kernel *kernel = sim->kernel;
   struct sim_submission *submission = &kernel->queue[0];
   struct sim_object *context =
      sim_object(sim, submission->context, SIM_CONTEXT);
   const bool is_hang = submission->number == sim->hang_on_submit;

   if (context != NULL && (context->is_banned || is_hang)) {
      kernel->last_lost = submission->number;
      if (context->is_banned)
         context->lost_pending++;
      else
         hang(sim, context);
   } else {
      execute(sim, submission, context);
   }

   kernel->completed = submission->number;
   release(sim, submission);
   kernel->queued--;
   memmove(&kernel->queue[0], &kernel->queue[1],
           kernel->queued * sizeof(kernel->queue[0]));
}

void
sim_submit(struct sim *sim, struct sim_submission *submission)
{
   struct sim_kernel *kernel = sim->kernel;

   submission->number = ++kernel->submitted;
   sim->submit_count++;
   kernel->queued++;
   if (!sim->is_delayed)
      complete_one(sim);
}

bool
sim_wait(struct sim *sim, uint64_t number, bool is_poll)
{
   while (!is_poll && sim->kernel->completed < number)
      complete_one(sim);
   return sim->kernel->completed >= number;
}

void
sim_complete(struct sim *sim, unsigned count)
{
   pthread_mutex_lock(&sim->kernel->lock);
   for (unsigned i = 0; i < count && sim->kernel->queued > 0; i++)
      complete_one(sim);
   pthread_mutex_unlock(&sim->kernel->lock);
}

void
sim_reset(struct sim *sim)
{
   struct sim_kernel *kernel = sim->kernel;

   pthread_mutex_lock(&kernel->lock);
   for (unsigned i = 0; i < kernel->object_end; i++) {
      if (kernel->objects[i].kind == SIM_CONTEXT)
         hang(sim, &kernel->objects[i]);
   }
   pthread_mutex_unlock(&kernel->lock);
}
