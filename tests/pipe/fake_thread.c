/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "fake_thread.h"

/* A call that the thread has yet to execute. */
struct fake_call {
   struct list_head link;
   struct fake_query *ended; /* NULL: a flush */
};

static void
execute_end(struct fake_pipe *fake, struct fake_query *query)
{
   query->is_recorded = false;
   query->generation = fake->generation;
   list_delinit(&query->base.head_unflushed);
   list_addtail(&query->base.head_unflushed, &fake->unflushed);
}

static void
execute_flush(struct fake_pipe *fake)
{
   fake->generation++;
   list_for_each_entry_safe(struct threaded_query, query, &fake->unflushed,
                            head_unflushed)
   {
      list_delinit(&query->head_unflushed);
      query->flushed = !((struct fake_query *)query)->is_recorded;
   }
}

void
fake_pipe_run_thread(struct fake_pipe *fake)
{
   list_for_each_entry_safe(struct fake_call, call, &fake->recorded, link)
   {
      if (call->ended)
         execute_end(fake, call->ended);
      else
         execute_flush(fake);
      list_del(&call->link);
      free(call);
   }
}

void
fake_thread_record(struct fake_pipe *fake, struct fake_query *ended)
{
   /* fail_memory.c does not count this one, which is not Pitot's. */
   struct fake_call *call =
      aligned_alloc(_Alignof(struct fake_call), sizeof(*call));

   call->ended = ended;
   list_addtail(&call->link, &fake->recorded);
   if (!fake->is_threaded || !fake->is_thread_slow)
      fake_pipe_run_thread(fake);
}

bool
fake_thread_submits(struct fake_pipe *fake, struct fake_query *query)
{
   if (!query->base.flushed) {
      fake->drains++;
      fake_pipe_run_thread(fake);
      fake->generation++;
   }
   return !query->is_recorded && query->generation < fake->generation;
}

void
fake_thread_mark(struct fake_query *query)
{
   query->base.flushed = true;
   list_delinit(&query->base.head_unflushed);
}
