/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Faults of a pipe_context below Pitot's client, by --wrap of the calls that
 * create clients.
 */

#include "fault.h"
#include "pitot_pipe.h"

static struct pipe_context the;

static struct pipe_query *
create_query(struct pipe_context *pipe, unsigned type, unsigned index)
{
   return fault_take(FAULT_HOOK_CREATE) ? NULL
                                        : the.create_query(pipe, type, index);
}

static struct pipe_query *
create_batch_query(struct pipe_context *pipe, unsigned count, unsigned *types)
{
   return fault_take(FAULT_HOOK_CREATE)
             ? NULL
             : the.create_batch_query(pipe, count, types);
}

static bool
begin_query(struct pipe_context *pipe, struct pipe_query *query)
{
   return !fault_take(FAULT_HOOK_BEGIN) && the.begin_query(pipe, query);
}

/* Even if a driver fails to end a query, it has ended. */
static bool
end_query(struct pipe_context *pipe, struct pipe_query *query)
{
   const bool has_ended = the.end_query(pipe, query);

   return !fault_take(FAULT_HOOK_END) && has_ended;
}

/* A poll without a result is not a fault. */
static bool
get_query_result(struct pipe_context *pipe, struct pipe_query *query,
                 bool wait, union pipe_query_result *result)
{
   return !(wait && fault_take(FAULT_HOOK_RESULT)) &&
          the.get_query_result(pipe, query, wait, result);
}

static void
flush(struct pipe_context *pipe, struct pipe_fence_handle **fence,
      unsigned flags)
{
   const bool is_lacking = fence && fault_take(FAULT_HOOK_FENCE);

   the.flush(pipe, is_lacking ? NULL : fence, flags);
}

WRAPPED(void, pitot_pipe_client_init,
        (struct pitot_pipe_client *client,
         const struct pitot_pipe_info *info))
{
   struct pipe_context *pipe = info->pipe;

   the = *pipe;
   pipe->create_query = create_query;
   if (the.create_batch_query)
      pipe->create_batch_query = create_batch_query;
   pipe->begin_query = begin_query;
   pipe->end_query = end_query;
   pipe->get_query_result = get_query_result;
   pipe->flush = flush;
   __real_pitot_pipe_client_init(client, info);
}
