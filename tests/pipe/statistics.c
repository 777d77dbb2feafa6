/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "pitot_pipe_kind.h"
#include "statistics.h"

void
watch_draws(void *data)
{
   struct statistics *s = data;

   s->is_watched = true;
   s->watches++;
}

void
open_statistics(struct statistics *s, bool has_single, bool is_apart)
{
   caps_of(&s->f)->query_pipeline_statistics = true;
   caps_of(&s->f)->query_pipeline_statistics_single = has_single;
   open_info_fixture(&s->f, (struct pitot_pipe_info){
                               .watch_draws = watch_draws,
                               .data = s,
                               .struct_statistics = PITOT_PIPE_ALL_STATISTICS,
                               .keeps_queries_apart = is_apart,
                            });
}

int
set_up_statistics(void **state)
{
   struct statistics *s = calloc(1, sizeof(*s));

   fake_pipe_init(&s->f.fake);
   *state = s;
   return 0;
}

enum pitot_kind
kind_at(unsigned i)
{
   return PITOT_KIND_FIRST_STATISTIC + i;
}

void
draw(struct statistics *s)
{
   if (s->is_watched) {
      s->is_watched = false;
      s->error = pitot_pipe_client_before_draw(&s->f.client);
   }
   for (unsigned i = 0; i < COUNT; i++)
      s->f.fake.statistics[pitot_pipe_kind(kind_at(i))->statistic] += i + 1;
}

struct pitot_query *
begin(struct statistics *s, unsigned i)
{
   struct pitot_query *query;

   assert_int_equal(pitot_query_obtain(s->f.context, i + 1, &query), 0);
   assert_int_equal(pitot_query_begin(s->f.context, query, kind_at(i), 0), 0);
   return query;
}

void
end(struct statistics *s, unsigned i)
{
   assert_int_equal(pitot_query_end(s->f.context, kind_at(i), 0), 0);
}

void
begin_all(struct statistics *s, struct pitot_query *queries[COUNT])
{
   for (unsigned i = 0; i < COUNT; i++)
      queries[i] = begin(s, i);
}

void
end_all(struct statistics *s)
{
   for (unsigned i = 0; i < COUNT; i++)
      end(s, i);
}

void
check_draws(struct statistics *s, struct pitot_query *query, unsigned i,
            unsigned draws)
{
   assert_true(pitot_query_resolve(s->f.context, query, true));
   assert_int_equal(query->result, draws * (i + 1));
}
