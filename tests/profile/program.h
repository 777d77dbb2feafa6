/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Programs that draw in a process of their own, and their files.
 */

#ifndef PITOT_TESTS_PROFILE_PROGRAM_H
#define PITOT_TESTS_PROFILE_PROGRAM_H

#include "capture.h"
#include "world.h"

extern const char *counters; /* of the programs; NULL: the default ones */
extern void (*before)(void); /* is called before the profile; or NULL */

/* Returns the path of a file, until the next call. */
const char *
path_of(const char *name);

void
frame(struct world *world);

void
frames(struct world *world, unsigned count);

/* Programs that draw five frames, and return, or are killed. */
void
return_from_main(struct world *world);

void
die(struct world *world);

/* Runs a program with a profile of that name.  Returns its status, and in
 * text_out the lines on stderr.
 */
int
run(void (*program)(struct world *world), const char *name, char *text_out,
    size_t text_B);

/* Returns the text of a file, until the next call. */
const char *
contents_of(const char *name);

bool
has_file(const char *name);

bool
ends_with(const char *text, const char *end);

unsigned
count_of(const char *text, const char *part);

/* Returns how many files there are whose names begin so, each of which has to
 * have that many frames.
 */
unsigned
count_frames_of_others(const char *begin, unsigned frame_count);

/* Make and remove the directory, for cmocka. */
int
make_directory(void **state);

int
remove_directory(void **state);

#endif /* PITOT_TESTS_PROFILE_PROGRAM_H */
