/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A command stream whose batches go straight to a simulated GPU, without a
 * kernel and libdrm.
 *
 *    struct sim_cs *cs = sim_cs_create("skl", false);
 *    pitot_hw_create(&cs->base, &hw);
 *    sim_cs_count(cs, PITOT_KIND_SAMPLES_PASSED, 0, 7);      a draw
 *    sim_cs_set_ticks(cs, cs->ticks + 12000);                some time later
 *    assert_string_equal(cs->sim->violations, "");
 *    assert_int_equal(sim_cs_destroy(cs), 0);
 *
 * A batch executes when it is submitted; with is_held, when a call waits for
 * it or at sim_cs_complete(); with is_running, some packets at each call of
 * the CPU, by the schedule.
 */

#ifndef PITOT_SIM_CS_H
#define PITOT_SIM_CS_H

#include <pthread.h>

#include "cue.h"
#include "pitot_clock.h"

/* Render and compute. */
#define SIM_RING_COUNT 2

#define SIM_CS_BATCH_DW    4096
#define SIM_CS_MAX_BUFFERS 512

/* The address of the first buffer, and from one to the next. */
#define SIM_CS_ADDRESS  UINT64_C(0x100000000)
#define SIM_CS_STRIDE_B UINT64_C(0x1000000)

struct sim_cs_batch;
struct sim_cs_buffer;
struct sim_cs_result;
struct sim_cs_tiles;
struct sim_engine_state;

struct sim_cs_ring {
   uint32_t commands[SIM_CS_BATCH_DW]; /* current batch */
   unsigned used_dw;
   uint64_t begin_ticks; /* of the current batch */
   uint64_t position;
   uint64_t batch;
   bool is_between;            /* between two batches */
   uint64_t after;             /* the other ring's batch to wait for */
   struct sim_cs_batch *first; /* oldest submitted one */
   struct sim_cs_batch **last;
   struct sim_cs_batch *running; /* on the GPU, or NULL */
   uint64_t executed;            /* seqno; writes may be in flight */
   uint64_t done;                /* seqno */
   uint64_t now_ticks;
};

struct sim_cs {
   struct pitot_cs base;
   struct pitot_cs_ops ops; /* a test may change it */
   struct pitot_cs_ops stock;
   union { /* a test may change it */
      struct pitot_gpu gpu;
      struct pitot_intel_gpu intel;
      struct pitot_amd_gpu amd;
   };
   struct sim *sim;
   struct pitot_clock clock; /* unless a test sets another one */
   struct sim_cs_ring rings[SIM_RING_COUNT];

   /* Set by tests at any time. */
   uint64_t ticks; /* for the CPU; cues set the GPU's */
   unsigned batch_dw;
   unsigned command_dw; /* most for a command */
   bool is_held;
   bool is_running;
   bool is_lost;           /* nothing else completes */
   bool writes_nothing;    /* batches complete without executing */
   uint64_t mute_backends; /* AMD: mask of backends that write nothing */
   bool was_reset;         /* reported once */
   bool is_stopped;        /* stoppable counters are stopped */
   int timestamp_error;
   uint64_t suspend_count; /* the kernel's count */
   uint64_t others;        /* AMD: work of other contexts per batch */

   /* Counts of calls and of their effects. */
   unsigned counting;     /* mask of enum pitot_counting */
   unsigned buffer_count; /* alive */
   unsigned buffers_made;
   unsigned reserve_count; /* not those of the test itself */
   unsigned flush_count;
   unsigned wait_count;
   unsigned state_count;
   unsigned timestamp_count;
   unsigned result_count; /* stored by the GPU */
   bool overflowed;       /* more was recorded than fits */

   /* The simulation's own. */
   pthread_mutex_t lock; /* submitted batches */
   struct sim_cues cues;
   unsigned context_count;        /* that replaced another one */
   struct sim_cs_result *results; /* latest first */
   struct sim_cs_tiles *tiles;    /* Adreno: of the current batch */
   struct sim_cs_buffer *buffers[SIM_CS_MAX_BUFFERS];
   struct sim_engine *engines;      /* per ring */
   struct sim_engine_state *states; /* AMD's rings share one */
   enum pitot_ring latest_ring;     /* that the GPU worked on */
};

/* The operations that a test's own ones may call. */
static inline const struct pitot_cs_ops *
sim_cs_stock(struct pitot_cs *cs)
{
   return &((struct sim_cs *)cs)->stock;
}

/* The GPU is one of sim_gpus.  Only sim_cs_set_ticks() and draws advance its
 * time.  Adreno has no compute ring.
 */
struct sim_cs *
sim_cs_create(const char *gpu, bool has_compute);

/* Returns space in the current batch, or NULL if the device is lost. */
uint32_t *
sim_cs_reserve(struct pitot_cs *cs, enum pitot_ring ring, unsigned count_dw);

/* Returns how many buffers leaked. */
unsigned
sim_cs_destroy(struct sim_cs *cs);

/* All hardware counters continue from a value. */
void
sim_cs_set_counters(struct sim_cs *cs, uint64_t value);

/* Records a draw that counts an amount, if the kind is enabled, or takes
 * time.
 */
void
sim_cs_count(struct sim_cs *cs, enum pitot_kind kind, unsigned stream,
             uint64_t amount);

/* Records a draw or dispatch that counts sim->draw when it executes. */
void
sim_cs_draw(struct sim_cs *cs);

void
sim_cs_dispatch(struct sim_cs *cs);

/* On all rings. */
void
sim_cs_set_ticks(struct sim_cs *cs, uint64_t ticks);

/* Changes the clock, which must not have been read. */
void
sim_cs_set_clock(struct sim_cs *cs, uint64_t frequency_hz, unsigned bits);

/* Records dwords without effect, so that later samples are not shared. */
void
sim_cs_fill(struct sim_cs *cs, enum pitot_ring ring, unsigned count_dw);

/* Submits the current batch, as a driver does. */
void
sim_cs_flush(struct sim_cs *cs, enum pitot_ring ring);

/* Completes all work.  A new hardware context executes the current batch. */
void
sim_cs_replace_context(struct sim_cs *cs);

/* The GPU does a few steps, if is_running is set. */
void
sim_cs_advance(struct sim_cs *cs);

/* Completes all submitted batches. */
void
sim_cs_complete(struct sim_cs *cs);

/* Executes all submitted batches, which are not done: they execute again. */
void
sim_cs_execute(struct sim_cs *cs);

#endif /* PITOT_SIM_CS_H */
