/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The settings of a profile: settings.c.
 */

#ifndef PITOT_PROFILE_SETTINGS_H
#define PITOT_PROFILE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum pitot_profile_level {
   PITOT_PROFILE_LEVEL_FRAME,
   PITOT_PROFILE_LEVEL_PASS,
   PITOT_PROFILE_LEVEL_DRAW,
};

extern const char *const pitot_profile_level_names[];

struct pitot_profile_settings {
   char *path;     /* absolute */
   char *counters; /* the list, or NULL: the default ones */
   enum pitot_profile_level level;
   uint64_t first_frame, last_frame; /* counted from 1; both 0: none */
   uint64_t limit_B;                 /* of the trace */
};

/* Reads the settings from the environment.  Returns 0 and the settings; or,
 * with one line on stderr if PITOT_PROFILE is set, a negative errno value and
 * nothing.
 */
int
pitot_profile_settings_read(struct pitot_profile_settings *settings_out);

void
pitot_profile_settings_finish(struct pitot_profile_settings *settings);

/* Returns whether the path ends in .json: that of the trace itself. */
bool
pitot_profile_is_trace_path(const char *path);

/* Returns the path with "-SUFFIX" before its ending, malloc'ed, or NULL. */
char *
pitot_profile_path_with(const char *path, unsigned long suffix);

/* Prints one line on stderr. */
void
pitot_profile_say(const char *format, ...)
   __attribute__((format(printf, 1, 2)));

#endif /* PITOT_PROFILE_SETTINGS_H */
