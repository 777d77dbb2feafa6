/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the parts of the tiler: gpu.c executes what tiler.c records.
 */

#ifndef PITOT_TESTS_TILER_PRIV_H
#define PITOT_TESTS_TILER_PRIV_H

#include "tiler.h"

#define TILER_TIMESTAMP_BITS 48
#define TILER_MAX_BUFFERS    64

enum tiler_step_kind {
   TILER_STEP_WORK,
   TILER_STEP_TIME,
   TILER_STEP_COMMAND,
};

struct tiler_step {
   enum tiler_step_kind kind;
   enum pitot_kind counted;
   unsigned stream;
   uint64_t value; /* an amount, or ticks */
   struct pitot_cs_command command;
};

/* A batch, and the buffers that its kernel gives addresses. */
struct tiler_batch {
   struct tiler_batch *next;
   uint64_t number;
   unsigned step_count, buffer_count;
   struct tiler_step steps[TILER_BATCH_SIZE];
   struct tiler_buffer *buffers[TILER_MAX_BUFFERS];
};

struct tiler_buffer {
   struct pitot_cs_buffer base; /* without an address */
   unsigned references;         /* of the driver and of batches */
};

/* Frees a buffer that neither the driver nor a batch has any more. */
void
tiler_unreference(struct tiler_buffer *buffer);

void
tiler_free_batch(struct tiler_batch *batch);

/* Executes the batches of a ring up to a number, but for the one that is
 * being recorded.
 */
void
tiler_complete_ring(struct tiler *tiler, enum pitot_ring ring,
                    uint64_t number);

#endif /* PITOT_TESTS_TILER_PRIV_H */
