/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info --check: does a GPU do what Pitot assumes?  Each submission has
 * one kind of packet, so that the name of the submission that hangs is known.
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
   CHECK_NOT_TRIED, /* after a loss, or if the kernel does not reset hangs */
   CHECK_ABSENT,    /* this GPU or its kernel driver lacks what is checked */
};

#define CHECK_TEXT_SIZE 160
#define CHECK_STEP_SIZE 64
#define CHECK_BUFFER_B  4096

/* A GPU, its context, and the result of the current check. */
struct check_gpu {
   struct pitot_drm_device *device;
   struct pitot_cs *cs; /* NULL: no context */
   struct pitot_hw *hw;
   struct pitot_cs_buffer *buffer; /* CHECK_BUFFER_B of memory */
   bool is_lost;                   /* nothing more is submitted */
   char step[CHECK_STEP_SIZE];     /* the name of the last submission */

   /* The current sample, set by check_next_sample(). */
   int sample; /* -1: none yet */
   struct pitot_hw_sample_info info;
   uint64_t value; /* its first qword, set by check_take_sample() */

   enum check_verdict verdict;
   char text[CHECK_TEXT_SIZE]; /* the reason of the verdict, or "" */
   json_t *numbers; /* measured values; a name ends with the unit */
};

/* check.c */

/* Runs all checks on a GPU and prints each name before, and each result after
 * its check: if the machine hangs, the last line names the check.  If list is
 * not NULL, adds the results to it instead.  Returns whether all are right.
 */
bool
check_device(struct pitot_drm_device *device, FILE *out, json_t *list);

/* Makes the verdict CHECK_WRONG, with a reason.  Keeps the first reason. */
__attribute__((format(printf, 2, 3))) void
check_wrong(struct check_gpu *gpu, const char *format, ...);

void
check_add_number(struct check_gpu *gpu, const char *name, double value);

/* check_sample.c */

/* Selects the next sample of the GPU; after the last one, or without a
 * context, selects none and returns false.
 */
bool
check_next_sample(struct check_gpu *gpu);

/* Takes the sample, waits, and checks that the GPU wrote it and nothing else.
 * Returns false if the context is lost.
 */
bool
check_take_sample(struct check_gpu *gpu);

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
