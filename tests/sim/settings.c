/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "settings.h"

#define SETTING(NAME, FIELD)                                                 \
   {                                                                         \
      NAME, offsetof(struct sim, FIELD), sizeof(((struct sim *)0)->FIELD)    \
   }

/* Numbers of struct sim. */
static const struct {
   const char *name;
   size_t offset, size_B;
} settings[] = {
   SETTING("generation", gpu.facts.generation),
   SETTING("now_ticks", now_ticks),
   SETTING("is_live", is_live),
   SETTING("ticks_per_packet", ticks_per_packet),
   SETTING("ticks_per_read", ticks_per_read),
   SETTING("draw.ticks", draw.ticks),
   SETTING("draw.samples", draw.samples),
   SETTING("draw.gs_invocations", draw.statistics[SIM_GS_INVOCATIONS]),
   SETTING("draw.gs_primitives", draw.statistics[SIM_GS_PRIMITIVES]),
   SETTING("draw.hs_invocations", draw.statistics[SIM_HS_INVOCATIONS]),
   SETTING("draw.ds_invocations", draw.statistics[SIM_DS_INVOCATIONS]),
   SETTING("draw.needed", draw.streamout[0][SIM_NEEDED]),
   SETTING("draw.written", draw.streamout[0][SIM_WRITTEN]),
   SETTING("dispatch.ticks", dispatch.ticks),
   SETTING("hang_on_submit", hang_on_submit),
   SETTING("fail_ioctl_on", fail_ioctl_on),
   SETTING("fail_errno", fail_errno),
   SETTING("interruptions", interruptions),
   SETTING("reset_clears_clock", reset_clears_clock),
   SETTING("keeps_contexts", keeps_contexts),
   SETTING("is_delayed", is_delayed),
   SETTING("is_running", is_running),
   SETTING("ioctl_count", ioctl_count),
   SETTING("submit_count", submit_count),
   SETTING("blocked_count", blocked_count),
   SETTING("object_count", object_count),
   SETTING("fence_wait_count", fence_wait_count),
   SETTING("note_count", note_count),
   SETTING("violation_count", violation_count),
   SETTING("packs_backends", packs_backends),
   SETTING("delays_backends", delays_backends),
   SETTING("absent_backends", absent_backends),
   SETTING("has_tmz", has_tmz),
   SETTING("preempts", preempts),
   SETTING("others_draw", others_draw),
   SETTING("sees_posted", sees_posted),
   SETTING("suspend_count", suspend_count),
   SETTING("is_xe", is_xe),
   SETTING("hides_engines", hides_engines),
   SETTING("fault.lost_write", faults.lost_write),
   SETTING("fault.lost_status", faults.lost_status),
   SETTING("fault.lost_backends", faults.lost_backends),
   SETTING("fault.drift", faults.drift),
   SETTING("fault.reorders_fences", faults.reorders_fences),
   SETTING("fault.loses_carry", faults.loses_carry),
   SETTING("fault.ignores_predicate", faults.ignores_predicate),
   SETTING("fault.reported_ppm", faults.reported_ppm),
   SETTING("fault.ahead_ticks", faults.ahead_ticks),
   SETTING("fault.read_back_ticks", faults.read_back_ticks),
};

/* The start: beyond 32 bits of nanoseconds, but far from a wrap. */
#define BEGIN_TICKS (UINT64_C(1) << 34)

static struct sim_log sim_log;

static void
give_up(const char *problem, const char *value)
{
   fprintf(stderr, "pitot-sim: %s: %s\n", problem, value);
   exit(1);
}

bool
settings_set(struct sim *sim, const char *name, uint64_t value)
{
   if (strcmp(name, "schedule") == 0) {
      sim_schedule_begin(&sim->schedule, value);
      return true;
   }
   /* The CPU's clock advances as well, but never goes back. */
   if (strcmp(name, "now_ticks") == 0 && value > sim->now_ticks)
      sim_pass_ticks(sim, value - sim->now_ticks);
   for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
      if (strcmp(settings[i].name, name) != 0)
         continue;
      memcpy((char *)sim + settings[i].offset, &value, settings[i].size_B);
      return true;
   }
   return false;
}

uint64_t
settings_get(const struct sim *sim, const char *name)
{
   uint64_t value = 0;

   for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
      if (strcmp(settings[i].name, name) == 0)
         memcpy(&value, (const char *)sim + settings[i].offset,
                settings[i].size_B);
   }
   return value;
}

static void
set(struct sim *sim, const char *name, const char *value)
{
   char *end;
   const uint64_t number = strtoull(value, &end, 0);

   if (*value == '\0' || *end != '\0')
      give_up("not a number", value);
   if (!settings_set(sim, name, number))
      give_up("unknown setting in PITOT_SIM", name);
}

static void
open_log(struct sim *sim)
{
   const char *path = getenv("PITOT_SIM_LOG");

   if (path == NULL)
      return;

   FILE *file = fopen(path, "w");
   if (file == NULL)
      give_up(path, strerror(errno));
   sim_log_begin(&sim_log, sim, file);
}

void
settings_count_constants(struct sim *sim)
{
   sim_count_draws(sim);
   sim->is_live = false;
}

/* Not buffered: a program may end without its destructors. */
static void
print_violation(const char *packet, const char *rule)
{
   fprintf(stderr, "pitot-sim: violation: %s: %s\n", packet, rule);
}

struct sim *
settings_create_sim(void)
{
   const char *value = getenv("PITOT_SIM");
   if (value == NULL)
      give_up("no GPU named", "set PITOT_SIM=GPU, for example skl");

   char *copy = strdup(value), *rest;
   struct sim *sim = sim_create(strtok_r(copy, ",", &rest));

   if (strcmp(sim->gpu.key, "navi31") == 0) /* Linux's mask is too wide */
      sim->absent_backends = 1u << 23;
   sim_count_commands(sim);
   sim->now_ticks = BEGIN_TICKS;
   sim->is_live = true;
   sim->may_sample_uncounted = true;
   sim->sees_posted = true;
   sim->on_violation = print_violation;
   for (char *name; (name = strtok_r(NULL, ",", &rest)) != NULL;) {
      char *equals = strchr(name, '=');

      if (strcmp(name, "constants") == 0) {
         settings_count_constants(sim);
         continue;
      }

      if (equals == NULL)
         give_up("no value in PITOT_SIM for", name);
      *equals = '\0';
      set(sim, name, equals + 1);
   }
   free(copy);
   open_log(sim);
   return sim;
}

void
settings_mark(const char *text)
{
   sim_log_mark(&sim_log, text);
}

void
settings_finish(void)
{
   if (sim_log.file != NULL)
      fclose(sim_log.file);
}
