/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "fake_thread.h"

struct fake_call {
   struct list_head link;
   struct fake_query *ended; /* NULL: a flush */
};

static void
execute_end(struct fake_pipe *fake, struct fake_query *query)
{
   query->recorded_ends--;
   query->generation = fake->generation;
   list_delinit(&query->base.head_unflushed);
   list_addtail(&query->base.head_unflushed, &fake->unflushed);
}

/* Without src/mesa/fixes, a query that ended again is not marked. */
static void
mark_flushed(struct fake_query *query)
{
#if PITOT_HAS_MESA_FIXES
   query->base.flushed_end = query->base.recorded_end - query->recorded_ends;
   query->base.flushed = true;
#else
   query->base.flushed = query->recorded_ends == 0;
#endif
}

static void
execute_flush(struct fake_pipe *fake)
{
   fake->generation++;
   list_for_each_entry_safe(struct threaded_query, query, &fake->unflushed,
                            head_unflushed)
   {
      list_delinit(&query->head_unflushed);
      mark_flushed((struct fake_query *)query);
   }
}

static void
execute_calls(struct fake_pipe *fake, bool to_flush)
{
   list_for_each_entry_safe(struct fake_call, call, &fake->recorded, link)
   {
      const bool is_flush = !call->ended;

      if (is_flush)
         execute_flush(fake);
      else
         execute_end(fake, call->ended);
      list_del(&call->link);
      free(call);
      if (is_flush && to_flush)
         return;
   }
}

void
fake_pipe_run_thread(struct fake_pipe *fake)
{
   execute_calls(fake, false);
}

void
fake_pipe_run_thread_to_flush(struct fake_pipe *fake)
{
   execute_calls(fake, true);
}

void
fake_thread_record(struct fake_pipe *fake, struct fake_query *ended)
{
   /* aligned_alloc(): fail_memory.c must count only Pitot's allocations. */
   struct fake_call *call =
      aligned_alloc(_Alignof(struct fake_call), sizeof(*call));

   call->ended = ended;
   list_addtail(&call->link, &fake->recorded);
   if (!fake->is_threaded || !fake->is_thread_slow)
      fake_pipe_run_thread(fake);
}

bool
fake_thread_is_flushed(const struct fake_query *query)
{
   return query->base.flushed && query->recorded_ends == 0;
}

bool
fake_thread_submits(struct fake_pipe *fake, struct fake_query *query)
{
   if (!fake_thread_is_flushed(query)) {
      fake->drains++;
      fake_pipe_run_thread(fake);
      fake->generation++;
   }
   return query->recorded_ends == 0 && query->generation < fake->generation;
}

void
fake_thread_mark(struct fake_query *query)
{
   mark_flushed(query);
   list_delinit(&query->base.head_unflushed);
}
