/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_PIPE_STATISTICS_H
#define PITOT_TESTS_PIPE_STATISTICS_H

#include "fixture.h"
#include "targets.h"

#define COUNT EACH_STATISTIC_COUNT

struct statistics {
   struct fixture f; /* first */
   bool is_watched;  /* the client wants the next draw */
   unsigned watches;
   int error;
};

int
set_up_statistics(void **state);

#define STATISTICS_TEST(NAME)                                                \
   TEST_WITH(set_up_statistics, tear_down_fake, struct statistics *s, NAME)

#define STATISTICS_TEST_EACH(NAME, INDEX, COUNT)                             \
   TEST_EACH_WITH(set_up_statistics, tear_down_fake, struct statistics *s,   \
                  NAME, INDEX, COUNT)

/* For pitot_pipe_info.watch_draws. */
void
watch_draws(void *statistics);

/* The fake has the struct of statistics, and with has_single single ones. */
void
open_statistics(struct statistics *s, bool has_single, bool is_apart);

enum pitot_kind
kind_at(unsigned i);

/* Counts 1 for the first statistic, 2 for the second, ... */
void
draw(struct statistics *s);

/* Begins the i-th statistic with the name i + 1. */
struct pitot_query *
begin(struct statistics *s, unsigned i);

void
end(struct statistics *s, unsigned i);

void
begin_all(struct statistics *s, struct pitot_query *queries[COUNT]);

void
end_all(struct statistics *s);

void
check_draws(struct statistics *s, struct pitot_query *query, unsigned i,
            unsigned draws);

#endif /* PITOT_TESTS_PIPE_STATISTICS_H */
