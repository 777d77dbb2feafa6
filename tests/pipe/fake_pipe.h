/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A pipe_context with only query hooks, over counters in memory.
 */

#ifndef PITOT_TESTS_FAKE_PIPE_H
#define PITOT_TESTS_FAKE_PIPE_H

#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "pipe/p_state.h"
#include "pitot_null.h"
#include "util/list.h"

struct fake_pipe {
   struct pipe_context base;
   struct pipe_screen screen;

   /* Inputs. */
   uint64_t counters[PIPE_QUERY_TYPES][PIPE_MAX_VERTEX_STREAMS];
   uint64_t statistics[13];
   unsigned lacking_statistics; /* mask: a struct has only the one of its own
                                 * index
                                 */
   uint64_t time_ns;
   bool is_held;         /* results need a wait, */
   unsigned held_from;   /* from the query with this number on, */
   unsigned held_count;  /* for this many queries; 0: all */
   unsigned empty_waits; /* this many waits return no result */
   bool counts_reads;    /* each read of a result returns one more */
   bool is_lost;         /* results never come; reported once */
   bool is_threaded;     /* reading an unflushed query drains */
   bool is_thread_slow;  /* its thread runs only when it must */
   unsigned fail[PITOT_NULL_CALL_COUNT]; /* as in struct pitot_null */

   /* Outputs. */
   unsigned alive;
   unsigned created;
   unsigned created_structs; /* of all statistics */
   unsigned active;
   uint8_t active_alike[PIPE_QUERY_TYPES][16]; /* of a type and index; a
                                                * struct is of all */
   bool has_two_alike; /* ever had more than one of them active */
   unsigned waits;
   bool has_reported_loss;
   unsigned end_count;
   unsigned lost_ends;    /* end_count at the hang */
   unsigned status_calls; /* of get_device_reset_status() */
   unsigned drains;
   unsigned flushes;
   unsigned result_calls;
   unsigned generation;        /* of real flushes, for any reason */
   struct list_head unflushed; /* threaded_query.head_unflushed */
   struct list_head recorded;  /* ends and flushes for the thread */
   struct pipe_query *condition;
   bool condition_inverted;
   enum pipe_render_cond_flag condition_mode;
};

/* Creates a context with every cap that matters except struct statistics. */
void
fake_pipe_init(struct fake_pipe *fake);

/* Queries that ended and are held get no result, later ones do. */
void
fake_pipe_hang(struct fake_pipe *fake);

/* All recorded commands, or those up to a flush. */
void
fake_pipe_run_thread(struct fake_pipe *fake);

void
fake_pipe_run_thread_to_flush(struct fake_pipe *fake);

struct pipe_resource *
fake_pipe_resource(struct fake_pipe *fake, void *memory);

uint64_t
fake_pipe_value(const struct pipe_query *query);

#endif /* PITOT_TESTS_FAKE_PIPE_H */
