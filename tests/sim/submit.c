/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Submissions: queued, executed in order, or lost. */

#include <stdlib.h>
#include <string.h>

#include "sim_priv.h"

struct sim_submission *
sim_wait_for_room(struct sim *sim)
{
   struct sim_kernel *kernel = sim->kernel;

   if (kernel->queued == SIM_MAX_SUBMISSIONS)
      sim_wait(sim, kernel->queue[0].number, false);

   struct sim_submission *submission = &kernel->queue[kernel->queued];
   memset(submission, 0, sizeof(*submission));
   return submission;
}

struct sim_ib *
sim_add_ib(struct sim_submission *submission, uint64_t address,
           uint64_t size_B, unsigned ring)
{
   const unsigned i = submission->ib_count++;

   submission->ibs =
      realloc(submission->ibs, (i + 1) * sizeof(struct sim_ib));
   submission->ibs[i] =
      (struct sim_ib){ address & SIM_ADDRESS_MASK, size_B, ring, false };
   return &submission->ibs[i];
}

void
sim_drop(struct sim *sim, struct sim_submission *submission)
{
   sim_space_clear(sim, &submission->space);
   sim_space_clear(sim, &submission->lost);
   free(submission->ibs);
   if (submission->status != NULL)
      sim_bo_unreference(sim, submission->status);
}

static struct sim_counters *
counters_of(struct sim *sim, const struct sim_submission *submission,
            struct sim_object *context)
{
   return sim->gpu.is_intel && context != NULL
             ? &context->engines[submission->engine].counters
             : &sim->kernel->counters;
}

/* Loads the context's state into the engine. */
static struct sim_engine *
prepare(struct sim *sim, struct sim_submission *submission,
        struct sim_object *context)
{
   struct sim_engine *engine = &sim->kernel->engine;

   engine->sim = sim;
   engine->submission = submission;
   engine->counters = counters_of(sim, submission, context);
   engine->registers = context != NULL
                          ? &context->engines[submission->engine].registers
                          : &sim->kernel->registers;
   return engine;
}

/* Executes a part of a submission.  Returns whether it ended. */
static bool
execute(struct sim *sim, struct sim_submission *submission,
        struct sim_object *context)
{
   struct sim_engine *engine = prepare(sim, submission, context);
   struct sim_kernel *kernel = sim->kernel;

   if (!kernel->is_executing) {
      if (!sim->gpu.is_intel && sim_schedule_is_on(&sim->schedule))
         sim_let_others_work(sim, true);
      if (sim->is_xe)
         sim_xe_begin(sim);
      sim_begin(engine);
      kernel->is_executing = true;
   }
   const enum sim_progress progress = sim_step(engine);
   if (progress == SIM_WAITS)
      sim_force_packet(engine);
   if (progress != SIM_ENDED || sim_write_one(engine, false) ||
       sim_write_one(engine, true))
      return false;
   sim_caches_end_batch(sim);
   return true;
}

static void
tell_status(const struct sim *sim, const struct sim_submission *submission)
{
   if (submission->status == NULL)
      return;
   if (submission->number == sim->faults.lost_status)
      return;
   uint8_t *status = submission->status->memory + submission->status_offset;

   __atomic_store_n((uint64_t *)status, submission->number, __ATOMIC_RELEASE);
}

/* Adreno loses its counters. */
static void
cut_power(struct sim *sim)
{
   sim->kernel->counters = (struct sim_counters){ 0 };
   sim->kernel->counters_off = 0;
   sim->suspend_count++;
}

/* msm lets a context continue after it lost a submission. */
static void
hang(struct sim *sim, struct sim_object *context)
{
   context->is_banned = !sim->gpu.is_adreno && !sim->keeps_contexts;
   context->lost_active++;
   if (sim->gpu.is_adreno) {
      cut_power(sim);
      sim->kernel->faults++;
   }
   sim->kernel->was_reset = true;
   sim_caches_reset(&sim->kernel->caches);
   if (sim->reset_clears_clock)
      sim->now_ticks = 0;
}

static void
finish(struct sim *sim)
{
   struct sim_kernel *kernel = sim->kernel;
   struct sim_submission *submission = &kernel->queue[0];

   kernel->is_executing = false;
   sim_drop(sim, submission);
   kernel->queued--;
   memmove(&kernel->queue[0], &kernel->queue[1],
           kernel->queued * sizeof(kernel->queue[0]));
   sim_xe_take_away(sim);
}

/* Writes of a lost submission do not arrive. */
static void
lose(struct sim *sim, struct sim_object *context)
{
   struct sim_kernel *kernel = sim->kernel;

   kernel->last_lost = kernel->queue[0].number;
   if (context->is_banned)
      context->lost_pending++;
   else
      hang(sim, context);
   kernel->engine.deferred_count = kernel->engine.left_count = 0;
   finish(sim);
}

/* Under a schedule, a submission may do much before it hangs. */
static bool
hangs_now(struct sim *sim)
{
   return sim->kernel->queue[0].number == sim->hang_on_submit &&
          (!sim_schedule_is_on(&sim->schedule) ||
           sim_choose(&sim->schedule, 20) == 0);
}

/* Executes a part of the oldest submission, or of one that number needs. */
static void
step(struct sim *sim, uint64_t number)
{
   if (sim->is_xe && !sim->kernel->is_executing)
      sim_xe_pick(sim, number);

   struct sim_submission *submission = &sim->kernel->queue[0];
   struct sim_object *context =
      sim_object(sim, submission->context, SIM_CONTEXT);
   const bool is_hang = context != NULL && hangs_now(sim);

   if (submission->is_killed) {
      sim->kernel->engine.deferred_count = sim->kernel->engine.left_count = 0;
      finish(sim);
   } else if (context != NULL && (context->is_banned || is_hang)) {
      lose(sim, context);
   } else if (execute(sim, submission, context)) {
      if (submission->number == sim->hang_on_submit && context != NULL) {
         lose(sim, context);
         return;
      }
      tell_status(sim, submission);
      finish(sim);
   }
}

static void
complete_one(struct sim *sim, uint64_t number)
{
   const unsigned queued = sim->kernel->queued;

   while (sim->kernel->queued == queued)
      step(sim, number);
}

void
sim_go_on(struct sim *sim)
{
   struct sim_schedule *schedule = &sim->schedule;

   if (!sim->is_running)
      return;
   for (unsigned i = sim_choose(schedule, schedule->max_steps) + 1;
        i > 0 && sim->kernel->queued > 0; i--)
      step(sim, sim->kernel->queue[0].number);
}

void
sim_advance(struct sim *sim)
{
   pthread_mutex_lock(&sim->kernel->lock);
   sim_go_on(sim);
   pthread_mutex_unlock(&sim->kernel->lock);
}

void
sim_kill(struct sim *sim, uint32_t context)
{
   for (unsigned i = 0; i < sim->kernel->queued; i++) {
      struct sim_submission *submission = &sim->kernel->queue[i];

      submission->is_killed |= submission->context == context;
   }
}

void
sim_submit(struct sim *sim, struct sim_submission *submission)
{
   struct sim_kernel *kernel = sim->kernel;

   submission->number = ++kernel->submitted;
   sim->submit_count++;
   kernel->queued++;
   if (!sim->is_delayed && !sim->is_running)
      complete_one(sim, submission->number);
   while (sim->is_running && kernel->queued == SIM_MAX_SUBMISSIONS)
      complete_one(sim, kernel->queue[0].number);
}

bool
sim_is_done(const struct sim *sim, uint64_t number)
{
   const struct sim_kernel *kernel = sim->kernel;
   unsigned i = 0;

   while (i < kernel->queued && kernel->queue[i].number != number)
      i++;
   return i == kernel->queued && number <= kernel->submitted;
}

bool
sim_wait(struct sim *sim, uint64_t number, bool is_poll)
{
   sim->wait_count += !is_poll;
   sim->blocked_count += !is_poll && !sim_is_done(sim, number);
   while (!is_poll && !sim_is_done(sim, number))
      complete_one(sim, number);
   return sim_is_done(sim, number);
}

void
sim_complete(struct sim *sim, unsigned count)
{
   pthread_mutex_lock(&sim->kernel->lock);
   for (unsigned i = 0; i < count && sim->kernel->queued > 0; i++)
      complete_one(sim, sim->kernel->queue[0].number);
   pthread_mutex_unlock(&sim->kernel->lock);
}

void
sim_reset(struct sim *sim)
{
   struct sim_kernel *kernel = sim->kernel;

   pthread_mutex_lock(&kernel->lock);
   if (sim->gpu.is_adreno) { /* replays unfinished submissions */
      cut_power(sim);
      kernel->faults++;
   }
   for (unsigned i = 1; i < kernel->object_end && !sim->gpu.is_adreno; i++) {
      if (kernel->objects[i].kind == SIM_CONTEXT)
         hang(sim, &kernel->objects[i]);
   }
   pthread_mutex_unlock(&kernel->lock);
}

void
sim_suspend(struct sim *sim)
{
   struct sim_kernel *kernel = sim->kernel;

   pthread_mutex_lock(&kernel->lock);
   if (sim->gpu.is_adreno)
      cut_power(sim);
   sim_tick(sim, 0); /* so that a live clock is not late by the time it was
                      * off
                      */
   sim->now_ticks = 0;
   pthread_mutex_unlock(&kernel->lock);
}
