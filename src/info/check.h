/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info --check: does a GPU do what Pitot assumes?  Each check submits
 * its packets in a context of its own, one kind after another, so that the
 * one that hangs is known by its name.
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
   CHECK_VERDICT_COUNT,
};

/* A measured number.  Its unit is the end of its name. */
struct check_number {
   const char *name;
   double value;
};

#define CHECK_MAX_NUMBERS 6
#define CHECK_TEXT_SIZE   160

struct check_result {
   enum check_verdict verdict;
   char text[CHECK_TEXT_SIZE]; /* the reason of a verdict, or "" */
   struct check_number numbers[CHECK_MAX_NUMBERS];
   unsigned number_count;
};

#define CHECK_BUFFER_B  4096
#define CHECK_STEP_SIZE 64

/* A GPU, and the context of the check that is running. */
struct check_gpu {
   struct pitot_drm_device *device;
   struct pitot_cs *cs;
   struct pitot_hw *hw;
   struct pitot_cs_buffer *buffer; /* CHECK_BUFFER_B of memory */
   struct check_result *result;
   char step[CHECK_STEP_SIZE]; /* the name of the next submission */
   unsigned late_count;        /* of backends' samples, behind their word */
   bool is_lost;               /* nothing more is submitted */
};

/* A check: its name, and Pitot's assumption. */
struct check {
   const char *name;
   const char *assumption;
   void (*run)(struct check_gpu *gpu);
};

extern const struct check checks[];
extern const unsigned check_count;

/* check.c */

/* Runs all checks on a GPU, and prints each result at once, if out is not
 * NULL: the last line tells how far it came.  Returns whether all is as Pitot
 * assumes.
 */
bool
check_device(struct pitot_drm_device *device, FILE *out,
             struct check_result *results);

/* Makes the verdict CHECK_WRONG, with a reason.  The first one is kept. */
__attribute__((format(printf, 2, 3))) void
check_wrong(struct check_gpu *gpu, const char *format, ...);

/* Makes the verdict CHECK_ABSENT, with the reason. */
void
check_absent(struct check_gpu *gpu, const char *reason);

void
check_add_number(struct check_gpu *gpu, const char *name, double value);

/* Names the next submission. */
__attribute__((format(printf, 2, 3))) void
check_set_step(struct check_gpu *gpu, const char *format, ...);

/* Submits the batch of a ring, and returns its number. */
uint64_t
check_submit(struct check_gpu *gpu, enum pitot_ring ring);

/* Waits for a batch as long as the kernel does.  Returns whether it is done.
 * If not, the context is lost, and the result says at which step.
 */
bool
check_wait(struct check_gpu *gpu, enum pitot_ring ring, uint64_t batch);

/* Does both. */
bool
check_run(struct check_gpu *gpu, enum pitot_ring ring);

/* Memory that nobody wrote has this in each qword, without a valid bit. */
#define CHECK_POISON UINT64_C(0x5a5a5a5a5a5a5a5a)

void
check_poison(struct check_gpu *gpu);

/* Reads a qword of the buffer, which the GPU may be writing. */
uint64_t
check_read(const struct check_gpu *gpu, unsigned offset_B);

/* Checks that the buffer is poisoned yet but from one offset up to another.
 */
void
check_untouched(struct check_gpu *gpu, unsigned from_B, unsigned to_B);

uint64_t
check_cpu_ns(void);

/* The functions of checks[]. */
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

/* check_print.c */

/* Print a line about a device; the name of a check; behind it, its result;
 * and how many of them are wrong.
 */
void
check_print_device(FILE *out, const struct pitot_drm_device *device);

void
check_print_name(FILE *out, const struct check *check);

void
check_print_result(FILE *out, const struct check *check,
                   const struct check_result *result);

void
check_print_end(FILE *out, unsigned wrong_count);

/* Returns the results as a new value, or NULL without memory. */
json_t *
check_json(const struct pitot_drm_device *device,
           const struct check_result *results);

#endif /* PITOT_INFO_CHECK_H */
