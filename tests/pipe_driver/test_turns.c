/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Two threads read one result, as with u_threaded_context.
 */

#include "../turns.h"
#include "driver.h"
#include "util/u_atomic.h"

static struct {
   struct driver *driver;
   struct pipe_query *query;
   unsigned reported_count; /* reads that reported the loss */
} shared;

static void
ask(void *unused)
{
   struct pipe_context *pipe = &shared.driver->pipe;
   union pipe_query_result result;

   (void)unused;
   if (!pipe->get_query_result(pipe, shared.query, true, &result))
      p_atomic_inc(&shared.reported_count);
}

DRIVER_TEST(a_loss_is_reported_to_one_thread, "skl")
{
   struct turns turns = { .first = ask, .second = ask };

   shared.driver = d;
   do {
      shared.query = measure(d, PIPE_QUERY_OCCLUSION_COUNTER, 0,
                             PITOT_KIND_SAMPLES_PASSED, 7);
      shared.reported_count = 0;
      d->f->cs->is_held = true;
      flush(d->f);
      d->f->cs->is_lost = true;
      turns_run(&turns);
      assert_int_equal(shared.reported_count, 1);
      d->pipe.destroy_query(&d->pipe, shared.query);
      d->f->cs->is_lost = false;
   } while (turns_next(&turns));
}
