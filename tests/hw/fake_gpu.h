/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The GPU behind a fake stream.
 */

#ifndef PITOT_TESTS_FAKE_GPU_H
#define PITOT_TESTS_FAKE_GPU_H

#include "fake_stream.h"

/* One of each generation that differs in anything. */
#define FAKE_GPU_COUNT 14
extern const struct pitot_gpu fake_gpus[FAKE_GPU_COUNT];

const struct pitot_gpu *
fake_gpu(const char *name);

/* Returns a packet of one dword that does nothing. */
uint32_t
fake_gpu_nop(const struct fake_stream *fake);

/* Executes a packet.  Returns how many dwords it has. */
unsigned
fake_gpu_execute(struct fake_stream *fake, enum pitot_ring ring,
                 const uint32_t *dw);

/* Counts, if that is counting. */
void
fake_gpu_count(struct fake_stream *fake, enum pitot_kind kind,
               unsigned stream, uint64_t amount);

/* Counts what others do between two batches, where that shows. */
void
fake_gpu_count_others(struct fake_stream *fake);

/* The stream's: writes to memory when the batch is done. */
void
fake_gpu_write(struct fake_stream *fake, enum pitot_ring ring,
               uint64_t address, uint64_t value, unsigned size_B);

#endif /* PITOT_TESTS_FAKE_GPU_H */
