/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <string.h>

#include "cases.h"
#include "pitot_condition.h"
#include "pitot_perf_query.h"
#include "pitot_pipe.h"
#include "reports.h"

struct reports reports;

/* NULL: none is open. */
static struct pitot_context *open_context;

static unsigned active_count; /* queries that measure */

void
reports_forget(void)
{
   memset(&reports, 0, sizeof(reports));
   open_context = NULL;
   active_count = 0;
}

bool
reports_is_disjoint(void)
{
   return reports.is_disjoint ||
          (open_context && pitot_disjoint_take(open_context));
}

static int
note_call(int status)
{
   reports.last_call = status < 0;
   return status;
}

static int
note_begin(int status)
{
   reports.draw &= status || active_count > 0;
   active_count += !status;
   return note_call(status);
}

static int
note_end(int status)
{
   active_count -= active_count > 0;
   return note_call(status);
}

#define TELLING(NOTE, NAME, PARAMETERS, ...)                                 \
   WRAPPED(int, NAME, PARAMETERS)                                            \
   {                                                                         \
      return NOTE(__real_##NAME(__VA_ARGS__));                               \
   }

/* clang-format off */
TELLING(note_call, pitot_query_obtain,
        (struct pitot_context *context, uint32_t name,
         struct pitot_query **query_out), context, name, query_out)
TELLING(note_call, pitot_query_create,
        (struct pitot_context *context, uint32_t name, enum pitot_kind kind),
        context, name, kind)
TELLING((pitot_kind_info(kind)->is_instant ? note_call : note_begin), pitot_query_begin,
        (struct pitot_context *context, struct pitot_query *query,
         enum pitot_kind kind, unsigned stream), context, query, kind, stream)
TELLING(note_end, pitot_query_end,
        (struct pitot_context *context, enum pitot_kind kind,
         unsigned stream), context, kind, stream)
TELLING(note_call, pitot_condition_measure_nothing,
        (struct pitot_context *context, struct pitot_query *query),
        context, query)
TELLING(note_begin, pitot_perf_query_begin,
        (struct pitot_perf_query *query), query)
TELLING(note_end, pitot_perf_query_end, (struct pitot_perf_query *query), query)
/* clang-format on */

WRAPPED(int, pitot_pipe_client_before_draw,
        (struct pitot_pipe_client *client))
{
   const int status = note_call(__real_pitot_pipe_client_before_draw(client));

   reports.draw |= status < 0;
   return status;
}

WRAPPED(struct pitot_perf_query *, pitot_perf_query_create,
        (struct pitot_perf *perf, struct pitot_perf_set *set))
{
   struct pitot_perf_query *query = __real_pitot_perf_query_create(perf, set);

   (void)note_call(query ? 0 : -ENOMEM);
   return query;
}

WRAPPED(bool, pitot_perf_query_resolve,
        (struct pitot_perf_query *query, enum pitot_perf_flush flush))
{
   const bool is_available = __real_pitot_perf_query_resolve(query, flush);

   (void)note_call(query->is_lost ? -EIO : 0);
   return is_available;
}

WRAPPED(bool, pitot_disjoint_take, (struct pitot_context *context))
{
   const bool is_disjoint = __real_pitot_disjoint_take(context);

   reports.is_disjoint |= is_disjoint;
   return is_disjoint;
}

WRAPPED(int, pitot_context_create,
        (const struct pitot_context_info *info,
         struct pitot_context **context_out))
{
   const int status = note_call(__real_pitot_context_create(info, context_out));

   open_context = status ? NULL : *context_out;
   return status;
}

WRAPPED(void, pitot_context_destroy, (struct pitot_context *context))
{
   open_context = NULL;
   __real_pitot_context_destroy(context);
}
