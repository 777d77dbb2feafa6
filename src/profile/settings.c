/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The settings of a profile, from the environment.  If one of them is
 * invalid, one line says so on stderr, and profiling is off.
 *
 * secure_getenv() ignores the settings in a setuid program: they would let
 * its user write files with its privileges.
 */

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile_priv.h"

#define MIB_B (UINT64_C(1) << 20)

const char *const pitot_profile_level_names[] = {
   [PITOT_PROFILE_LEVEL_FRAME] = "frame",
   [PITOT_PROFILE_LEVEL_PASS] = "pass",
   [PITOT_PROFILE_LEVEL_DRAW] = "draw",
   NULL,
};

static const char *const endings[] = { ".json", ".txt", ".svg", ".csv",
                                       NULL };

/* Returns the index of a string in a list that ends with NULL, or -1. */
static int
find_string(const char *const *list, const char *string)
{
   for (int i = 0; list[i]; i++) {
      if (strcmp(list[i], string) == 0)
         return i;
   }
   return -1;
}

bool
pitot_profile_is_trace_path(const char *path)
{
   return strcmp(strrchr(path, '.'), endings[0]) == 0;
}

char *
pitot_profile_trace_path(const char *path, bool has_process)
{
   const char *ending = strrchr(path, '.');
   char process[32] = "", *result;

   if (has_process)
      snprintf(process, sizeof(process), "-%ld", (long)getpid());
   return asprintf(&result, "%.*s%s%s%s", (int)(ending - path), path, process,
                   ending,
                   pitot_profile_is_trace_path(path) ? "" : ".json") < 0
             ? NULL
             : result;
}

/* Returns the absolute path, because the program may change its directory.
 * The process id replaces the first "%p" of the file's name.  malloc'ed; NULL
 * if allocation fails.
 */
static char *
full_path(const char *path)
{
   const char *slash = strrchr(path, '/');
   const char *place = strstr(slash ? slash : path, "%p");
   char *directory = path[0] == '/' ? NULL : get_current_dir_name();
   char process[32] = "", *result;

   if (place)
      snprintf(process, sizeof(process), "%ld", (long)getpid());
   else
      place = path + strlen(path);
   if (asprintf(&result, "%s%s%.*s%s%s", directory ? directory : "",
                directory ? "/" : "", (int)(place - path), path, process,
                *place ? place + 2 : "") < 0)
      result = NULL;
   free(directory);
   return result;
}

static bool
read_level(struct pitot_profile_settings *settings, const char *text)
{
   const int level = find_string(pitot_profile_level_names, text);

   settings->level = (enum pitot_profile_level)level;
   return level >= 0;
}

/* Returns the first character after the digits; NULL for no valid number. */
static const char *
read_number(const char *text, uint64_t *number_out)
{
   char *end;

   if (!isdigit((unsigned char)text[0]))
      return NULL;
   errno = 0;
   *number_out = strtoull(text, &end, 10);
   return errno ? NULL : end;
}

/* A, A-B or A-, counted from 1.  0 alone records no frame until SIGUSR2. */
static bool
read_frames(struct pitot_profile_settings *settings, const char *text)
{
   const char *end = read_number(text, &settings->first_frame);

   if (!end)
      return false;
   settings->last_frame = settings->first_frame;
   if (*end == '\0')
      return true;
   if (*end++ != '-' || settings->first_frame == 0)
      return false;
   settings->last_frame = UINT64_MAX;
   if (*end == '\0')
      return true;
   end = read_number(end, &settings->last_frame);
   return end && *end == '\0' &&
          settings->last_frame >= settings->first_frame;
}

static bool
read_limit(struct pitot_profile_settings *settings, const char *text)
{
   uint64_t limit_MiB;
   const char *end = read_number(text, &limit_MiB);

   if (!end || *end || limit_MiB == 0 || limit_MiB > UINT64_MAX / MIB_B)
      return false;
   settings->limit_B = limit_MiB * MIB_B;
   return true;
}

static bool
read_counters(struct pitot_profile_settings *settings, const char *text)
{
   settings->counters = strdup(text);
   return settings->counters;
}

static bool
read_path(struct pitot_profile_settings *settings, const char *text)
{
   const char *dot = strrchr(text, '.');

   if (!dot || dot == text || dot[-1] == '/' || find_string(endings, dot) < 0)
      return false;
   settings->path = full_path(text);
   return settings->path;
}

/* wrong is printed if read() rejects the value. */
static const struct {
   const char *name;
   bool (*read)(struct pitot_profile_settings *settings, const char *text);
   const char *wrong;
} variables[] = {
   { "PITOT_PROFILE", read_path,
     "does not end with .json, .txt, .svg or .csv" },
   { "PITOT_PROFILE_LEVEL", read_level, "is not frame, pass or draw" },
   { "PITOT_PROFILE_FRAMES", read_frames,
     "is not A-B, A- or A, of frames counted from 1, or 0" },
   { "PITOT_PROFILE_COUNTERS", read_counters, "cannot be kept" },
   { "PITOT_PROFILE_LIMIT", read_limit, "is not a number of MiB, from 1 on" },
};

int
pitot_profile_settings_read(struct pitot_profile_settings *settings_out)
{
   struct pitot_profile_settings settings = {
      .level = PITOT_PROFILE_LEVEL_PASS,
      .first_frame = 1,
      .last_frame = UINT64_MAX,
      .limit_B = 1024 * MIB_B,
   };

   if (!secure_getenv(variables[0].name))
      return -ENOENT;
   for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
      const char *text = secure_getenv(variables[i].name);

      if (text && !variables[i].read(&settings, text)) {
         fprintf(stderr, "pitot: %s=%s %s; profiling is off\n",
                 variables[i].name, text, variables[i].wrong);
         pitot_profile_settings_finish(&settings);
         return -EINVAL;
      }
   }
   *settings_out = settings;
   return 0;
}

void
pitot_profile_settings_finish(struct pitot_profile_settings *settings)
{
   free(settings->path);
   free(settings->counters);
}
