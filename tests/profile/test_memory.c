/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Each allocation fails once: missing measurements are counted.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fail_memory.h"
#include "profile_priv.h"
#include "world.h"
#include "wrapped.h"

#define DRAW_COUNT 12

/* The C library's strdup() would not call the wrapped malloc(). */
WRAPPED(char *, strdup, (const char *text))
{
   const size_t size_B = strlen(text) + 1;
   char *copy = malloc(size_B);

   return copy ? memcpy(copy, text, size_B) : NULL;
}

static void
frame(struct world *world)
{
   pitot_profile_push_group(world->profiled, "outer", 5);
   world_work(world, PITOT_PROFILE_DRAW, 5, 10, 1);
   pitot_profile_push_group(world->profiled, "inner", 5);
   world_work(world, PITOT_PROFILE_DRAW, 5, 10, 1);
   pitot_profile_pop_group(world->profiled);
   pitot_profile_pop_group(world->profiled);
   world_work(world, PITOT_PROFILE_DRAW, 5, 10, 1);
   world_flush(world, true);
}

/* A group that was not allocated must not end another one. */
static void
check_trace(void)
{
   assert_int_equal(fake_slice_count(true, "draw") + fake_unmeasured(),
                    DRAW_COUNT);
   for (unsigned i = 0; i < fake_slice_count(true, "group"); i++) {
      const char *name = fake_slice(true, "group", i)->name;

      assert_true(strcmp(name, "outer") == 0 || strcmp(name, "inner") == 0);
   }
}

/* A span without all of its queries leaves no names in use. */
static void
check_names(const struct world *world)
{
   const struct pitot_profiled *profiled = world->profiled;
   const unsigned count =
      profiled->span_count * (profiled->counters.has_samples ? 3 : 2);

   for (uint32_t name = 1; name <= count; name++)
      assert_true(pitot_name_is_used(profiled->info.context, name));
   assert_false(pitot_name_is_used(profiled->info.context, count + 1));
}

static bool
run_without(unsigned nth, const char *counters)
{
   const struct world_settings settings = { .level = "draw",
                                            .counters = counters };
   struct world world;

   world_prepare(&world, &settings);
   fail_memory = nth;
   fail_memory_growth = FAIL_MEMORY_COUNTS;
   const int error = world_profile(&world);
   fail_memory_growth = FAIL_MEMORY_GROWS; /* in the fake trace */
   for (unsigned i = 0; error == 0 && i < DRAW_COUNT / 3; i++)
      frame(&world);
   const bool has_failed = fail_memory == 0;
   fail_memory = 0;
   if (error)
      world.profiled = NULL;
   else
      check_names(&world);
   world_end(&world);
   if (error)
      assert_int_equal(error, -ENOMEM);
   else
      check_trace();
   return has_failed;
}

TEST(each_allocation_fails)
{
   static const char *const counters[] = { NULL, "samples passed" };

   for (unsigned i = 0; i < ARRAY_LENGTH(counters); i++) {
      unsigned nth = 1;

      world_listen();
      while (run_without(nth, counters[i]))
         nth++;
      (void)world_said();
      assert_in_range(nth, 20, 1000);
   }
}

TEST(a_span_has_all_its_queries_or_none)
{
   const struct world_settings settings = { .level = "draw",
                                            .counters =
                                               "Pipeline Statistics,Same" };
   bool has_failed = true;

   world_listen();
   fail_memory_growth = FAIL_MEMORY_GROWS;
   for (unsigned nth = 1; has_failed; nth++) {
      struct world world;

      world_begin(&world, &settings);
      fail_memory = nth;
      frame(&world);
      has_failed = fail_memory == 0;
      fail_memory = 0;
      check_names(&world);
      world_end(&world);
   }
   (void)world_said();
}

/* The line with the command is complete or missing. */
TEST(a_command_is_said_as_a_whole)
{
   const struct world_settings none = { .level = NULL };
   bool has_failed = true;

   for (unsigned nth = 1; has_failed; nth++) {
      struct world world;

      world_listen();
      world_set("/x.svg", &none);
      const int error = world_try_set(&world);
      world_end_context(&world);
      fail_memory = nth;
      world_end_process();
      has_failed = fail_memory == 0;
      fail_memory = 0;
      const char *text = world_said();
      assert_int_equal(error, 0);
      assert_string_equal(text, has_failed
                                   ? ""
                                   : "pitot: for the output: pitot-profile "
                                     "'/x.svg.json' --svg '/x.svg'\n");
   }
}
