/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "wrapped.h"

#define AHEAD_NS UINT64_C(5000000000)

const struct world_settings at_frame = { .level = "frame" };
const struct world_settings at_pass = { .level = "pass" };
const struct world_settings at_draw = { .level = "draw" };

static _Thread_local const struct world *the_world;
/* For worlds created later. */
static bool has_no_clock, is_executed_later, counts_one_by_one;

WRAPPED(int, clock_gettime, (clockid_t id, struct timespec *time_out))
{
   if (id != CLOCK_MONOTONIC || !the_world)
      return __real_clock_gettime(id, time_out);
   const uint64_t now_ns = world_cpu_ns(the_world);
   time_out->tv_sec = (time_t)(now_ns / 1000000000);
   time_out->tv_nsec = (long)(now_ns % 1000000000);
   return 0;
}

static FILE *heard;
static int saved_stderr;

void
world_listen(void)
{
   heard = tmpfile();
   assert_non_null(heard);
   fflush(stderr);
   saved_stderr = dup(STDERR_FILENO);
   dup2(fileno(heard), STDERR_FILENO);
}

const char *
world_said(void)
{
   static char text[1 << 16];

   fflush(stderr);
   dup2(saved_stderr, STDERR_FILENO);
   close(saved_stderr);
   rewind(heard);
   const size_t length_B = fread(text, 1, sizeof(text), heard);
   assert_true(length_B < sizeof(text));
   text[length_B] = '\0';
   fclose(heard);
   return text;
}

void
world_use(const struct world *world)
{
   the_world = world;
}

void
world_hold(struct world *world, uint64_t done)
{
   world->fence_done = world->null.done = done;
}

void
world_step(struct world *world, int64_t step_ns)
{
   const uint64_t before_ns = world_cpu_ns(world);

   world->null.time_ns += (uint64_t)step_ns;
   world->cpu_only_ns += before_ns - world_cpu_ns(world);
}

uint64_t
world_cpu_ns(const struct world *world)
{
   return world->null.time_ns + world->null.time_ns / DRIFT_PART + AHEAD_NS +
          world->cpu_only_ns;
}

static bool
fence_is_done(void *data, void *fence)
{
   const struct world *world = data;

   return *(uint64_t *)fence <= world->fence_done;
}

static void
fence_release(void *data, void *fence)
{
   struct world *world = data;

   world->fences--;
   free(fence);
}

static void
describe_pass(void *data, char *text_out, size_t size_B)
{
   const struct world *world = data;

   snprintf(text_out, size_B, "%s", world->pass);
}

static void
describe_work(void *data, enum pitot_profile_work work, char *text_out,
              size_t size_B)
{
   const struct world *world = data;

   snprintf(text_out, size_B, "%s %u", world->work, work);
}

static uint64_t
pass_pixels(void *data)
{
   (void)data;
   return 640 * 480;
}

static void
set(const char *name, const char *value)
{
   if (value)
      setenv(name, value, 1);
   else
      unsetenv(name);
}

void
world_set(const char *path, const struct world_settings *settings)
{
   set("PITOT_PROFILE", path);
   set("PITOT_PROFILE_LEVEL", settings->level);
   set("PITOT_PROFILE_FRAMES", settings->frames);
   set("PITOT_PROFILE_COUNTERS", settings->counters);
   has_no_clock = settings->has_no_clock;
   is_executed_later = settings->is_executed_later;
   counts_one_by_one = settings->counts_one_by_one;
}

static void
prepare(struct world *world)
{
   *world = (struct world){ .pass = "window", .work = "program" };
   pitot_null_init(&world->null);
   world->ops = *world->null.base.ops;
   world->null.base.ops = &world->ops;
   world->null.time_ns = 1000000;
   if (has_no_clock)
      world->null.time_bits = 0;
   the_world = world;
   world->fence_done = UINT64_MAX;
   const struct pitot_context_info context_info = {
      .driver = &world->null.base,
   };
   assert_int_equal(pitot_context_create(&context_info, &world->context), 0);
   assert_int_equal(pitot_perf_create(world->context,
                                      null_sets_init(&world->sets,
                                                     &world->null),
                                      &world->perf),
                    0);
   world->info = (struct pitot_profiled_info){
      .context = world->context,
      .perf = world->perf,
      .device = "null",
      .is_executed_later = is_executed_later,
      .counts_one_by_one = counts_one_by_one,
      .fence_is_done = fence_is_done,
      .fence_release = fence_release,
      .describe_pass = describe_pass,
      .describe_work = describe_work,
      .pass_pixels = pass_pixels,
      .data = world,
   };
}

int
world_profile(struct world *world)
{
   world->profile = pitot_profile_get();
   if (!world->profile)
      return -ENOMEM;
   return pitot_profiled_create(world->profile, &world->info,
                                &world->profiled);
}

void
world_prepare(struct world *world, const struct world_settings *settings)
{
   world_set("/pitot-world.json", settings);
   prepare(world);
}

int
world_try_set(struct world *world)
{
   prepare(world);
   return world_profile(world);
}

int
world_try(struct world *world, const struct world_settings *settings)
{
   world_prepare(world, settings);
   return world_profile(world);
}

void
world_begin(struct world *world, const struct world_settings *settings)
{
   assert_int_equal(world_try(world, settings), 0);
}

int
world_set_up(void **state)
{
   static struct world world;

   world_begin(&world, &at_pass);
   *state = &world;
   return 0;
}

void
world_end_context(struct world *world)
{
   pitot_profiled_destroy(world->profiled);
   pitot_perf_destroy(world->perf);
   pitot_context_destroy(world->context);
   assert_int_equal(world->null.alive, 0);
   assert_int_equal(world->fences, 0);
   the_world = NULL;
}

void
world_end_process(void)
{
   struct pitot_profile_of_process *process = &pitot_profile_of_process;

   pitot_profile_finish();
   if (process->profile) {
      free(process->profile->path);
      pitot_profile_settings_finish(&process->profile->settings);
      pthread_mutex_destroy(&process->profile->lock);
      free(process->profile);
   }
   process->profile = NULL;
   process->is_asked = false;
   process->is_over = false;
}

void
world_end(struct world *world)
{
   world_end_context(world);
   world_end_process();
   assert_false(fake_trace_is_open);
}

void
world_work(struct world *world, enum pitot_profile_work work, uint64_t gap_ns,
           uint64_t duration_ns, uint64_t samples)
{
   world->null.time_ns += gap_ns;
   pitot_profile_before_work(world->profiled, work);
   world->null.time_ns += duration_ns;
   world->null.counters[PITOT_KIND_SAMPLES_PASSED][0] += samples;
   world->null.counters[PITOT_KIND_FS_INVOCATIONS][0] += 2 * samples;
   pitot_profile_after_work(world->profiled);
}

void
world_flush(struct world *world, bool is_end_of_frame)
{
   uint64_t *fence = malloc(sizeof(*fence)); /* may fail */

   pitot_profile_before_flush(world->profiled, is_end_of_frame);
   if (fence) {
      *fence = world->null.issued;
      world->fences++;
   }
   pitot_null_flush(&world->null);
   pitot_profile_flushed(world->profiled, fence);
}
