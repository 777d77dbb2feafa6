/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Programs that draw in child processes, and their files.
 */

#ifndef PITOT_TESTS_PROFILE_PROGRAM_H
#define PITOT_TESTS_PROFILE_PROGRAM_H

#include "world.h"

/* Of the next program; NULL: the default */
extern const char *counters;

/* Called before the profile of the next program begins; or NULL */
extern void (*before)(void);

/* What the last program wrote to stderr. */
extern const char *run_text;

/* The result is valid until the next call. */
const char *
path_of(const char *name);

void
frame(struct world *world);

void
frames(struct world *world, unsigned count);

/* Programs that draw five frames and return, or are killed. */
void
return_from_main(struct world *world);

void
die(struct world *world);

/* Runs a program with a profile in that file.  Returns its status. */
int
run(void (*program)(struct world *world), const char *name);

/* Asserts that it wrote a single line, about that file. */
void
assert_says(const char *name, const char *end);

/* The result is valid until the next call. */
const char *
contents_of(const char *name);

bool
has_file(const char *name);

bool
ends_with(const char *text, const char *end);

unsigned
count_of(const char *text, const char *part);

unsigned
count_frames(const char *name);

/* Files whose names begin like this; each must have frame_count frames. */
unsigned
count_frames_of_others(const char *begin, unsigned frame_count);

/* A test with a directory of its own. */
#define PROGRAM_TEST(NAME) TEST_IN(make_directory, remove_directory, NAME)

int
make_directory(void **state);

int
remove_directory(void **state);

#endif /* PITOT_TESTS_PROFILE_PROGRAM_H */
