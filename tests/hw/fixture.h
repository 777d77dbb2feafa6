/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What the tests of hw share: queries on a fake stream.
 */

#ifndef PITOT_TESTS_HW_FIXTURE_H
#define PITOT_TESTS_HW_FIXTURE_H

#include "../test.h"
#include "fake_gpu.h"

struct fixture {
   struct fake_stream fake;
   struct pitot_hw *hw;
};

struct fixture *
open_fixture(const struct pitot_gpu *gpu, bool has_compute);

/* Nothing outlives it. */
void
close_fixture(struct fixture *f);

struct pitot_hw_query *
create(struct fixture *f, enum pitot_kind kind, unsigned stream);

/* Creates a query of all statistics; those that the GPU cannot count are 0.
 */
struct pitot_hw_query *
create_statistics(struct fixture *f);

void
begin(struct fixture *f, struct pitot_hw_query *query);

void
end(struct fixture *f, struct pitot_hw_query *query);

/* Waits for a single value. */
uint64_t
wait_for(struct fixture *f, struct pitot_hw_query *query);

void
draw(struct fixture *f, enum pitot_kind kind, uint64_t amount);

/* Runs a test on every GPU. */
#define FOR_EACH_GPU(GPU)                                                    \
   for (const struct pitot_gpu *GPU = fake_gpus;                             \
        GPU < fake_gpus + FAKE_GPU_COUNT; GPU++)

#endif /* PITOT_TESTS_HW_FIXTURE_H */
