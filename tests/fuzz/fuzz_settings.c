/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Profile settings from an arbitrary environment, and counters chosen by such
 * names.  Findings: settings out of range, and counters that are chosen twice
 * or cannot be measured together.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail_memory.h"
#include "fuzz.h"
#include "gl/host.h"
#include "profile_priv.h"

/* Low byte values are indices of words, higher ones characters. */
static const char *const words[] = {
   "PITOT_PROFILE_LEVEL",
   "frame",
   "pass",
   "draw",
   ".json",
   ".svg",
   "/",
   "18446744073709551615",
   "none",
   "samples passed",
   "Pipeline Statistics",
   "GPU Time",
   "Same",
   "N vertices submitted",
   "N fragment shader invocations",
   ",",
};

#define FIRST_CHARACTER 32

static void
take_text(struct fuzz_input *input, char text_out[4096])
{
   struct fuzz_input part = fuzz_split(input);
   size_t size_B = 0;

   text_out[0] = '\0';
   while (part.left_B > 0 && size_B < 4000) {
      const uint8_t byte = fuzz_u8(&part);

      if (byte < ARRAY_LENGTH(words))
         size_B += (size_t)snprintf(text_out + size_B, 96, "%s", words[byte]);
      else if (byte >= FIRST_CHARACTER)
         text_out[size_B++] = (char)byte;
      text_out[size_B] = '\0';
   }
}

/* The first bits say which variables are set. */
static void
set_environment(struct fuzz_input *input)
{
   static const char *const names[] = {
      "PITOT_PROFILE",
      "PITOT_PROFILE_LEVEL",
      "PITOT_PROFILE_FRAMES",
      "PITOT_PROFILE_COUNTERS",
   };
   const unsigned set = fuzz_u8(input);
   char text[4096];

   for (unsigned i = 0; i < ARRAY_LENGTH(names); i++) {
      unsetenv(names[i]);
      if (set >> i & 1) {
         take_text(input, text);
         setenv(names[i], text, 1);
      }
   }
}

static void
check_settings(const struct pitot_profile_settings *settings)
{
   const char *counters = getenv("PITOT_PROFILE_COUNTERS");
   char *path;

   fuzz_assert(settings->path && settings->path[0] == '/');
   fuzz_assert(!counters == !settings->counters);
   fuzz_assert(!counters || strcmp(counters, settings->counters) == 0);
   fuzz_assert((unsigned)settings->level <= PITOT_PROFILE_LEVEL_DRAW);
   fuzz_assert(settings->first_frame <= settings->last_frame);
   fuzz_assert(settings->first_frame > 0 || settings->last_frame == 0);
   path = pitot_profile_trace_path(settings->path, true);
   if (path) {
      fuzz_assert(pitot_profile_is_trace_path(path));
      fuzz_assert(strlen(path) > strlen(settings->path) + 1);
   }
   free(path);
}

static void
check_counters(const struct pitot_profile_counters *counters)
{
   fuzz_assert(counters->set_count <= PITOT_PROFILE_MAX_SETS);
   for (unsigned i = 0; i < counters->set_count; i++) {
      for (unsigned other = 0; other < i; other++) {
         fuzz_assert(counters->sets[i] != counters->sets[other]);
         fuzz_assert(
            pitot_perf_may_overlap(counters->sets[i], counters->sets[other]));
      }
   }
   for (unsigned i = 0; i < counters->count; i++) {
      fuzz_assert(counters->list[i].set < counters->set_count);
      for (unsigned other = 0; other < i; other++)
         fuzz_assert(counters->list[i].set != counters->list[other].set ||
                     counters->list[i].counter !=
                        counters->list[other].counter);
   }
}

/* Every failure has a reason, unless memory ran out. */
static void
choose_counters(const char *names)
{
   struct host host;
   struct pitot_profile_counters counters;
   const unsigned failing = fail_memory;

   fail_memory = 0;
   host_init(&host, PITOT_GL_COMPAT, HOST_ALL_FEATURES);
   (void)pitot_perf_set_count(host.perf.perf);
   fail_memory = failing;
   const int error =
      pitot_profile_counters_choose(&counters, pitot_gl_context(host.gl),
                                    host.perf.perf, names);
   fail_memory = 0;
   fuzz_assert(error == 0 || error == -ENOMEM || counters.why[0]);
   if (error == 0)
      check_counters(&counters);
   free(counters.list);
   host_finish(&host);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_B)
{
   static FILE *nowhere;
   FILE *const screen = stderr;
   struct fuzz_input input = { bytes, size_B };
   struct pitot_profile_settings settings;

   if (!nowhere)
      nowhere = fopen("/dev/null", "w");
   set_environment(&input);
   stderr = nowhere;
   fail_memory = fuzz_u8(&input);
   const int error = pitot_profile_settings_read(&settings);
   stderr = screen;

   fuzz_assert(error == 0 || error == -EINVAL ||
               (error == -ENOENT && !getenv("PITOT_PROFILE")));
   if (error == 0) {
      check_settings(&settings);
      choose_counters(settings.counters);
      pitot_profile_settings_finish(&settings);
   }
   fail_memory = 0;
   return 0;
}
