/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Tests of hw, and of what is built on it, on simulated GPUs.
 */

#ifndef PITOT_TESTS_HW_FIXTURE_H
#define PITOT_TESTS_HW_FIXTURE_H

#include "../rows.h"
#include "../schedules.h"
#include "../sim/cs.h"
#include "pitot/hw.h"
#include "pitot_clock.h"

#define NS_PER_S PITOT_NS_PER_S

struct fixture {
   struct sim_cs *cs;
   const struct pitot_gpu *gpu;
   struct pitot_hw *hw;
   struct pitot_hw_query **queries; /* that close_fixture() frees */
   unsigned query_count;
   struct pitot_cs_buffer *target; /* of stores, or NULL */
};

struct fixture *
open_fixture(const char *gpu, bool has_compute);

/* Frees the queries.  Fails if anything else is left over, or if something
 * was recorded that hardware would not have done as it was meant.
 */
void
close_fixture(struct fixture *f);

struct pitot_hw_query *
create(struct fixture *f, enum pitot_kind kind, unsigned stream);

/* Creates a query of several values, or of all statistics: those that the GPU
 * cannot count are 0.
 */
struct pitot_hw_query *
create_list(struct fixture *f, const struct pitot_hw_count *counts,
            unsigned count);

struct pitot_hw_query *
create_statistics(struct fixture *f);

/* Frees a query before close_fixture() does. */
void
drop(struct fixture *f, struct pitot_hw_query *query);

bool
is_supported(const struct fixture *f, enum pitot_kind kind);

void
begin(struct fixture *f, struct pitot_hw_query *query);

void
end(struct fixture *f, struct pitot_hw_query *query);

void
draw(struct fixture *f, enum pitot_kind kind, uint64_t amount);

/* Lets time pass. */
void
pass(struct fixture *f, uint64_t ticks);

/* Lets time pass for the CPU: the GPU gets times of its own by cues. */
void
pass_on_cpu(struct fixture *f, uint64_t ticks);

/* Records something of the driver's, so that the position is another one. */
void
move(struct fixture *f, enum pitot_ring ring);

void
flush(struct fixture *f);

int
poll(struct fixture *f, struct pitot_hw_query *query, uint64_t *value_out);

/* Waits for a single value. */
uint64_t
wait_for(struct fixture *f, struct pitot_hw_query *query);

/* Has the sampler learn which slots of a sample the render backends write: of
 * some GPUs, only a sample tells.
 */
void
learn_backends(struct fixture *f);

/* Expects that a query has no result and never will, waited for or not. */
void
expect_lost(struct fixture *f, struct pitot_hw_query *query, bool wait);

/* Makes memory for stores, if there is none yet, and fills it. */
#define TARGET_OFFSET_B 128
#define UNTOUCHED       UINT64_C(0x5555555555555555)

void
prepare_target(struct fixture *f);

/* Stores a result, where a tiler's driver would do it by the CPU as well. */
#define MAX_VALUES 16

void
store_any(struct fixture *f, struct pitot_hw_query *query,
          const struct pitot_hw_store *what);

/* Stores a result there. */
void
store(struct fixture *f, struct pitot_hw_query *query, enum pitot_store what,
      enum pitot_type type);

/* Reads it once all that was recorded is done. */
uint64_t
stored(struct fixture *f);

/* Submits what was recorded on all rings, and completes it. */
void
run(struct fixture *f);

/* Returns whether a GPU decides conditions and stores results: without one,
 * the CPU does.
 */
bool
is_deciding(const struct pitot_gpu *gpu);

/* A test, and which GPUs it runs on: EVERY_GPU, DECIDING_GPUS, one by its
 * name, or NO_GPU for a test that opens its fixtures itself.
 */
#define EVERY_GPU     NULL
#define DECIDING_GPUS "deciding"
#define NO_GPU        ""

struct hw_test {
   const char *name;
   void (*run)(struct fixture *f); /* NULL on NO_GPU */
   const char *gpu;
   bool has_compute; /* the compute ring is one of its own */
   bool is_long;     /* gets fewer schedules */
};

#define TEST_ON(GPU, NAME)                                                   \
   {                                                                         \
      .name = #NAME, .run = NAME, .gpu = GPU                                 \
   }

#define TEST_LONG_ON(GPU, NAME)                                              \
   {                                                                         \
      .name = #NAME, .run = NAME, .gpu = GPU, .is_long = true                \
   }

#define TEST_COMPUTE_ON(GPU, NAME)                                           \
   {                                                                         \
      .name = #NAME, .run = NAME, .gpu = GPU, .has_compute = true            \
   }

/* Returns each of the GPUs that a test has to run on, from an index of 0 on,
 * and then NULL: all of them, or under a schedule that of the seed.
 */
const char *
scheduled_gpu(unsigned *i_inout);

/* Runs a row that is a struct hw_test. */
void
run_hw_test(void **state);

#endif /* PITOT_TESTS_HW_FIXTURE_H */
