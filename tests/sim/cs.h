/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A command stream whose batches go straight to a simulated GPU: no kernel
 * and no libdrm in between.
 *
 *    struct sim_cs *cs = sim_cs_create("skl", false);
 *    pitot_hw_create(&cs->base, &hw);
 *    sim_cs_count(cs, PITOT_KIND_SAMPLES_PASSED, 0, 7);      a draw
 *    sim_cs_set_ticks(cs, cs->ticks + 12000);                some time later
 *    assert_string_equal(cs->sim->violations, "");
 *    assert_int_equal(sim_cs_destroy(cs), 0);
 *
 * A batch is executed when it is submitted; when is_held is set, not before
 * somebody waits for it, or sim_cs_complete(); and when is_running is set,
 * while the CPU calls, some packets at a time, as the schedule has it.
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

/* The address of the first buffer, and the distance to the next one. */
#define SIM_CS_ADDRESS  UINT64_C(0x100000000)
#define SIM_CS_STRIDE_B UINT64_C(0x1000000)

struct sim_cs_batch;
struct sim_cs_buffer;
struct sim_cs_result;
struct sim_cs_tiles;
struct sim_engine_state;

struct sim_cs_ring {
   uint32_t commands[SIM_CS_BATCH_DW]; /* of the batch being recorded */
   unsigned used_dw;
   uint64_t begin_ticks; /* when it was begun */
   uint64_t position;
   uint64_t batch;
   bool is_between; /* one batch ends and the next one begins */
   uint64_t
      after; /* the other ring's batch that the one recorded waits for */
   struct sim_cs_batch *first; /* of those that were submitted */
   struct sim_cs_batch **last;
   struct sim_cs_batch *running; /* by the GPU, or NULL */
   uint64_t executed; /* up to this one: writes may be on their way */
   uint64_t done;     /* batches up to this one are */
   uint64_t now_ticks;
};

struct sim_cs {
   struct pitot_cs base;
   struct pitot_cs_ops ops; /* a copy, in which functions may be changed */
   union {                  /* a copy, in which facts may be changed */
      struct pitot_gpu gpu;
      struct pitot_intel_gpu intel;
      struct pitot_amd_gpu amd;
   };
   struct sim *sim;
   struct pitot_clock clock; /* the command stream's, unless a test has
                              * another one */
   struct sim_cs_ring rings[SIM_RING_COUNT];

   /* May be set by a test at any time. */
   uint64_t ticks; /* the CPU's view; the GPU's comes from the stream */
   unsigned batch_dw;
   unsigned command_dw; /* at most, of a command */
   bool is_held;
   bool is_running;
   bool is_lost;           /* what is not done never will be */
   bool writes_nothing;    /* batches are done without being executed */
   uint64_t mute_backends; /* AMD: a mask of those that write nothing */
   bool was_reset;         /* told once */
   bool is_stopped;        /* what can be stopped counts nothing */
   int timestamp_error;
   uint64_t suspend_count; /* of the GPU, as the kernel counts */
   uint64_t others;        /* AMD: what others count after each batch */

   /* The calls so far, and their effects. */
   unsigned counting; /* a mask of enum pitot_counting */
   unsigned buffer_count; /* alive */
   unsigned buffers_made;
   unsigned reserve_count; /* without what the test recorded itself */
   unsigned flush_count;
   unsigned wait_count;
   unsigned state_count;
   unsigned timestamp_count;
   unsigned result_count; /* that the GPU stores */
   bool overflowed;       /* more was recorded than there is room for */

   /* The simulation's. */
   pthread_mutex_t lock; /* of submitted batches */
   struct sim_cues cues;
   unsigned context_count;        /* that took the place of another one */
   struct sim_cs_result *results; /* the latest one first */
   struct sim_cs_tiles *tiles;    /* Adreno: of the batch being recorded */
   struct sim_cs_buffer *buffers[SIM_CS_MAX_BUFFERS];
   struct sim_engine *engines;      /* of each ring */
   struct sim_engine_state *states; /* the same; AMD's share the first */
   enum pitot_ring latest_ring;     /* of the GPU's steps */
};

/* Creates one on a GPU of sim_gpus.  Its time stands still but for
 * sim_cs_set_ticks() and what sim->draw takes.  Adreno has no compute ring.
 */
struct sim_cs *
sim_cs_create(const char *gpu, bool has_compute);

/* Returns room in the batch being recorded, or NULL if the device is lost. */
uint32_t *
sim_cs_reserve(struct pitot_cs *cs, enum pitot_ring ring, unsigned count_dw);

/* Returns how many buffers nobody destroyed. */
unsigned
sim_cs_destroy(struct sim_cs *cs);

/* Has all counters of the hardware go on from a value. */
void
sim_cs_set_counters(struct sim_cs *cs, uint64_t value);

/* Records a draw that counts an amount of a kind, if that is being counted,
 * or takes so many ticks of time.
 */
void
sim_cs_count(struct sim_cs *cs, enum pitot_kind kind, unsigned stream,
             uint64_t amount);

/* Records a draw, or a dispatch, that counts what sim->draw says when it is
 * executed.
 */
void
sim_cs_draw(struct sim_cs *cs);

void
sim_cs_dispatch(struct sim_cs *cs);

/* Sets the time, on all rings. */
void
sim_cs_set_ticks(struct sim_cs *cs, uint64_t ticks);

/* Has the GPU have another clock, which nobody has read yet. */
void
sim_cs_set_clock(struct sim_cs *cs, uint64_t frequency_hz, unsigned bits);

/* Records so many dwords that do nothing: the position is another one. */
void
sim_cs_fill(struct sim_cs *cs, enum pitot_ring ring, unsigned count_dw);

/* Ends and submits the batch being recorded, as a driver does. */
void
sim_cs_flush(struct sim_cs *cs, enum pitot_ring ring);

/* Completes all that was submitted, and has another hardware context execute
 * what is being recorded: its counters begin somewhere else.
 */
void
sim_cs_replace_context(struct sim_cs *cs);

/* Returns whether the latest result that was stored looks at an availability
 * word.
 */
bool
sim_cs_looks_at(const struct sim_cs *cs, const struct pitot_cs_buffer *buffer,
                unsigned available_B);

/* Lets the GPU do a few things, if it is running. */
void
sim_cs_look(struct sim_cs *cs);

/* Executes all that was submitted, which is done then. */
void
sim_cs_complete(struct sim_cs *cs);

/* Executes all that was submitted without getting done, so that it will be
 * executed again.
 */
void
sim_cs_execute(struct sim_cs *cs);

#endif /* PITOT_SIM_CS_H */
