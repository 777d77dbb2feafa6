/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A made-up GPU, as unlike the real ones as the contract of command streams
 * allows: of a family of its own, with three rings; a tiler, which executes
 * each batch of the first ring once for each tile; with buffers that have no
 * addresses, because its kernel puts in those of the buffers that a batch
 * lists; and with batches of commands rather than of dwords.
 *
 *    struct tiler *tiler = tiler_create();
 *    pitot_hw_create(&tiler->base, &hw);
 *    tiler_draw(tiler, PITOT_KIND_SAMPLES_PASSED, 0, 7);
 *    assert_string_equal(tiler->violation, "");
 *    assert_int_equal(tiler_destroy(tiler), 0);
 */

#ifndef PITOT_TESTS_TILER_H
#define PITOT_TESTS_TILER_H

#include "pitot/cs.h"
#include "pitot_hw_family.h"

#define TILER_RING_COUNT   3
#define TILER_RING_BINNING 2 /* that vertices are counted on */
#define TILER_TILE_COUNT   3
#define TILER_BATCH_SIZE   128 /* commands */

/* The argument of a time that is told once. */
#define TILER_ONCE 1

extern const struct pitot_hw_family tiler_family;

struct tiler_batch;
struct tiler_buffer;

struct tiler_ring {
   uint64_t done;                    /* batches up to this one are */
   struct tiler_batch *first, *last; /* the last one is being recorded */
   bool is_ending;
};

struct tiler {
   struct pitot_cs base;
   struct pitot_gpu gpu;
   struct tiler_ring rings[TILER_RING_COUNT];

   /* May be set by a test at any time. */
   uint64_t ticks;      /* the CPU's view; the GPU's comes from the stream */
   bool is_held;        /* batches are executed when they are waited for */
   bool is_lost;        /* what is not done never will be */
   bool was_reset;      /* told once */
   unsigned batch_size; /* no more than TILER_BATCH_SIZE */

   /* The GPU's. */
   uint64_t now_ticks;
   uint64_t counters[PITOT_HW_MEASURE_COUNT][PITOT_MAX_STREAMS];

   /* Results. */
   const char *violation; /* of a rule: the first one, or "" */
   unsigned counting;     /* a mask of enum pitot_counting */
   unsigned stall_count;
   unsigned buffer_count; /* alive */
   unsigned batch_count;  /* that were submitted */
};

struct tiler *
tiler_create(void);

/* Returns how many buffers nobody destroyed. */
unsigned
tiler_destroy(struct tiler *tiler);

/* Returns the ring that counts a kind. */
enum pitot_ring
tiler_ring_of(enum pitot_kind kind);

/* Records work that counts an amount of a kind, if that is being counted. */
void
tiler_draw(struct tiler *tiler, enum pitot_kind kind, unsigned stream,
           uint64_t amount);

/* Sets the time, on all rings. */
void
tiler_set_ticks(struct tiler *tiler, uint64_t ticks);

/* Executes all that was submitted. */
void
tiler_complete(struct tiler *tiler);

#endif /* PITOT_TESTS_TILER_H */
