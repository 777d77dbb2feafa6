/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info --check: does a GPU do what Pitot assumes?  Each submission has
 * one kind of packets, so that the one that hangs is known by its name.
 */

#ifndef PITOT_INFO_CHECK_H
#define PITOT_INFO_CHECK_H

#include <stdio.h>

#include <jansson.h>

#include "pitot/drm.h"
#include "pitot_hw_sample.h"

enum check_verdict {
   CHECK_RIGHT,
   CHECK_WRONG,
   CHECK_NOT_TRIED, /* nothing is submitted after a loss, or without limit */
   CHECK_ABSENT,    /* this GPU has no such thing */
};

#define CHECK_TEXT_SIZE 160
#define CHECK_STEP_SIZE 64
#define CHECK_BUFFER_B  4096

/* A GPU, its context, and the answer of the check that is running. */
struct check_gpu {
   struct pitot_drm_device *device;
   struct pitot_cs *cs; /* NULL: there is no context */
   struct pitot_hw *hw;
   struct pitot_cs_buffer *buffer; /* CHECK_BUFFER_B of memory */
   bool is_lost;                   /* nothing more is submitted */
   char step[CHECK_STEP_SIZE];     /* the name of the last submission */

   /* The sample that is looked at, from check_next_sample() on. */
   int sample; /* -1: none yet */
   struct pitot_hw_sample_info info;
   uint64_t value; /* its first qword, once check_take_sample() took it */

   enum check_verdict verdict;
   char text[CHECK_TEXT_SIZE]; /* the reason of the verdict, or "" */
   json_t *numbers; /* what was measured; a unit is the end of a name */
};

/* check.c */

/* Runs all checks on a GPU, and prints each answer at once: the last line
 * tells how far it came.  If list is not NULL, adds the answers to it
 * instead.  Returns whether all is as Pitot assumes.
 */
bool
check_device(struct pitot_drm_device *device, FILE *out, json_t *list);

/* Makes the verdict CHECK_WRONG, with a reason.  The first one is kept. */
__attribute__((format(printf, 2, 3))) void
check_wrong(struct check_gpu *gpu, const char *format, ...);

void
check_add_number(struct check_gpu *gpu, const char *name, double value);

/* check_sample.c */

/* Goes on to the next sample of the GPU, and after the last one to none.
 * Returns whether there is one, and may be taken.
 */
bool
check_next_sample(struct check_gpu *gpu);

/* Has the GPU take the sample, and looks whether it is written, and nothing
 * beside it.  Returns false if the context is lost.
 */
bool
check_take_sample(struct check_gpu *gpu);

/* The functions of the checks. */
void
check_hang_limit(struct check_gpu *gpu);
void
check_batches(struct check_gpu *gpu);
void
check_samples(struct check_gpu *gpu);
void
check_fences(struct check_gpu *gpu);
void
check_backends(struct check_gpu *gpu);
void
check_frequency(struct check_gpu *gpu);
void
check_clock_order(struct check_gpu *gpu);
void
check_clock_width(struct check_gpu *gpu);
void
check_empty_queries(struct check_gpu *gpu);

#endif /* PITOT_INFO_CHECK_H */
