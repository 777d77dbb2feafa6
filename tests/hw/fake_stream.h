/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A stream that records what is written into it, and a GPU behind it that
 * does no more than the few packets of hw.  What it samples is what it
 * counted when that was recorded; it gets to memory when the batch is done.
 */

#ifndef PITOT_TESTS_FAKE_STREAM_H
#define PITOT_TESTS_FAKE_STREAM_H

#include "pitot/hw.h"

#define FAKE_LOG_DW      8192
#define FAKE_MAX_BUFFERS 256
#define FAKE_BATCH_DW    4096

/* The address of the first buffer; further ones follow at this distance. */
#define FAKE_ADDRESS  UINT64_C(0x100000000)
#define FAKE_STRIDE_B UINT64_C(0x1000000)

/* A barrier, in the log. */
#define FAKE_BARRIER(BARRIER) (0xbabe0000u + (BARRIER))

struct fake_write {
   uint64_t batch;
   uint64_t address;
   uint64_t value;
   unsigned size_B;
};

struct fake_ring {
   uint32_t log[FAKE_LOG_DW]; /* of the batch being recorded */
   unsigned used_dw;
   unsigned executed_dw;
   uint64_t position;
   uint64_t batch;
   uint64_t done; /* batches up to this one */
   bool is_ending;
   struct fake_write *writes; /* of batches that are not done */
   unsigned write_count;
   unsigned write_room;
};

struct fake_stream {
   struct pitot_cs base;
   struct pitot_gpu gpu;
   struct fake_ring rings[PITOT_RING_COUNT];
   struct pitot_cs_buffer *buffers[FAKE_MAX_BUFFERS];

   /* Read and written by the owner. */
   uint64_t ticks;
   unsigned batch_dw;
   bool is_held;     /* batches are done only when they are waited for */
   bool is_lost;     /* what is not done never will be */
   bool never_lands; /* batches are done without having written */
   uint64_t mute_backends; /* AMD: a mask of those that write nothing */
   bool was_reset;         /* said once */
   int timestamp_error;
   unsigned fail_buffer; /* the nth one from now */
   uint64_t others;      /* AMD: what others count between two batches */

   /* What it counted. */
   uint64_t registers[0x6000 / 8]; /* Intel's, by their offset */
   uint64_t depth_count;
   uint64_t backends[64];
   uint64_t block[14];
   uint64_t streamout[PITOT_MAX_STREAMS][2];

   /* Read by the owner. */
   unsigned counting;
   unsigned barriers[PITOT_BARRIER_COUNT];
   unsigned buffer_count; /* alive */
   unsigned buffers_made;
   unsigned reserve_count;
   unsigned flush_count;
   unsigned wait_count;
   unsigned state_count;
   unsigned timestamp_count;
   bool overflowed; /* more was recorded than there is room for */
};

void
fake_stream_init(struct fake_stream *fake, const struct pitot_gpu *gpu);

/* Frees what is left; returns how many buffers nobody destroyed. */
unsigned
fake_stream_finish(struct fake_stream *fake);

/* Draws: what is counted grows, as far as it is counting. */
void
fake_stream_draw(struct fake_stream *fake, enum pitot_kind kind,
                 unsigned stream, uint64_t amount);

/* Records something of the driver's, so that the place is another one. */
void
fake_stream_move(struct fake_stream *fake, enum pitot_ring ring);

/* Records so many dwords of the driver's. */
void
fake_stream_fill(struct fake_stream *fake, enum pitot_ring ring,
                 unsigned count_dw);

void
fake_stream_flush(struct fake_stream *fake, enum pitot_ring ring);

/* Finishes all that was submitted. */
void
fake_stream_complete(struct fake_stream *fake);

#endif /* PITOT_TESTS_FAKE_STREAM_H */
