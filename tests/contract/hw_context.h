/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context of a Gallium driver with Pitot's own queries, on a machine.
 */

#ifndef PITOT_TESTS_HW_CONTEXT_H
#define PITOT_TESTS_HW_CONTEXT_H

#include "backend.h"
#include "machine.h"
#include "pipe/p_screen.h"
#include "pitot_pipe_driver.h"
#include "util/list.h"

struct hw_context {
   struct pipe_context pipe;
   struct pitot_pipe_driver pitot;
   struct pipe_screen screen;
   struct machine *machine;
   struct pitot_cs_ops stream_ops;
   struct pitot_cs_ops counted_ops;
   struct pitot_hw *hw;
   struct pipe_context hooks; /* Pitot's, called by those that can fail */
   unsigned fail[PITOT_NULL_CALL_COUNT];
   unsigned alive;
   unsigned flushes;
   unsigned generation; /* of all flushes */
   unsigned waits;
   struct pipe_query *condition;

   /* This context also stands for u_threaded_context's thread. */
   bool is_threaded;
   bool is_outside; /* a call from another thread */
   unsigned drains;
   struct list_head unflushed;
};

void
hw_context_init(struct hw_context *context, struct machine *machine,
                bool is_threaded);

/* Destroys the machine, too. */
void
hw_context_finish(struct hw_context *context);

void
hw_context_flush(struct hw_context *context);

#endif /* PITOT_TESTS_HW_CONTEXT_H */
