/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A pipe_context that has nothing but the query hooks, over counters in
 * memory.
 */

#ifndef PITOT_TESTS_FAKE_PIPE_H
#define PITOT_TESTS_FAKE_PIPE_H

#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "pipe/p_state.h"
#include "util/list.h"

struct fake_pipe {
   struct pipe_context base;
   struct pipe_screen screen;

   /* Read and written by the owner. */
   uint64_t counters[PIPE_QUERY_TYPES][PIPE_MAX_VERTEX_STREAMS];
   uint64_t statistics[13];
   unsigned lacking_statistics; /* by bits: a struct has only that of its own
                                 * index */
   uint64_t time_ns;
   bool is_held;         /* results are available only after a wait, */
   unsigned held_from;   /* of queries with this number and later ones, */
   unsigned held_count;  /* so many; 0: all */
   unsigned vain_waits;  /* so many waits have no result */
   bool counts_reads;    /* each time a result is read it is one more */
   bool is_lost;         /* results never come; reported once */
   bool is_threaded;     /* to ask for an unflushed query drains */
   bool is_thread_slow;  /* its thread executes nothing before it has to */
   unsigned fail_create; /* fail the nth call from now */
   unsigned fail_begin;
   unsigned fail_end;

   /* Read by the owner. */
   unsigned alive;
   unsigned created;
   unsigned created_structs;                   /* of all statistics */
   unsigned active;                            /* begun and not ended */
   uint8_t active_alike[PIPE_QUERY_TYPES][16]; /* of a type and index */
   bool has_two_alike; /* or had: more than one of them */
   unsigned waits;
   bool has_reported_loss;
   unsigned end_count;
   unsigned lost_ends;    /* the count when it hung */
   unsigned status_calls; /* for the reset status */
   unsigned drains;       /* of the driver thread, where there is one */
   unsigned flushes;
   unsigned result_calls;
   unsigned generation;        /* real flushes, for any reason */
   struct list_head unflushed; /* threaded_query.head_unflushed */
   struct list_head recorded;  /* for the thread: ends, and flushes */
   struct pipe_query *condition;
   bool condition_inverted;
   enum pipe_render_cond_flag condition_mode;
};

/* Creates a context with every cap that matters, but for struct statistics.
 */
void
fake_pipe_init(struct fake_pipe *fake);

/* The device hangs, and the driver goes on: what has ended and is held never
 * comes, and what ends later does.
 */
void
fake_pipe_hang(struct fake_pipe *fake);

/* The thread executes the recorded commands, or those up to a flush. */
void
fake_pipe_run_thread(struct fake_pipe *fake);

void
fake_pipe_run_thread_to_flush(struct fake_pipe *fake);

/* Returns a resource whose contents are that memory. */
struct pipe_resource *
fake_pipe_resource(struct fake_pipe *fake, void *memory);

/* Returns the result so far, whether it is available or not. */
uint64_t
fake_pipe_value(const struct pipe_query *query);

#endif /* PITOT_TESTS_FAKE_PIPE_H */
