/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Tests of src/hw, and of what is built on it, on simulated GPUs. */

#ifndef PITOT_TESTS_HW_FIXTURE_H
#define PITOT_TESTS_HW_FIXTURE_H

#include "../listed.h"
#include "../schedules.h"
#include "../sim/cs.h"
#include "pitot/hw.h"
#include "pitot_clock.h"

#define NS_PER_S PITOT_NS_PER_S

struct fixture {
   struct sim_cs *cs;
   const struct pitot_gpu *gpu;
   struct pitot_hw *hw;
   struct pitot_hw_query **queries; /* freed by close_fixture() */
   unsigned query_count;
   struct pitot_cs_buffer *target; /* buffer of stores, or NULL */
};

struct fixture *
open_fixture(const char *gpu, bool has_compute);

/* Frees the queries.  Fails on a leak, or a command invalid on hardware. */
void
close_fixture(struct fixture *f);

struct pitot_hw_query *
create(struct fixture *f, enum pitot_kind kind, unsigned stream);

/* Creates a query of several values, of two, or of all statistics. */
struct pitot_hw_query *
create_list(struct fixture *f, const struct pitot_hw_count *counts,
            unsigned count);

struct pitot_hw_query *
create_pair(struct fixture *f, unsigned first_kind, unsigned second_kind);

struct pitot_hw_query *
create_statistics(struct fixture *f);

void
drop(struct fixture *f, struct pitot_hw_query *query);

bool
is_supported(const struct fixture *f, enum pitot_kind kind);

void
begin(struct fixture *f, struct pitot_hw_query *query);

void
end(struct fixture *f, struct pitot_hw_query *query);

/* Creates a query and begins it. */
struct pitot_hw_query *
begin_new(struct fixture *f, enum pitot_kind kind);

void
draw(struct fixture *f, enum pitot_kind kind, uint64_t amount);

void
pass(struct fixture *f, uint64_t ticks);

/* Begins a query, draws or passes time, and ends it. */
void
measure_work(struct fixture *f, struct pitot_hw_query *query,
             enum pitot_kind kind, uint64_t amount);

/* Creates a query of samples that measures a draw of this many. */
struct pitot_hw_query *
measure_samples(struct fixture *f, uint64_t amount);

void
measure_time(struct fixture *f, struct pitot_hw_query *query, uint64_t ticks);

/* Only the CPU's clock advances: cues set the GPU's time. */
void
pass_on_cpu(struct fixture *f, uint64_t ticks);

/* Records a driver's command, so that later samples are not shared. */
void
move(struct fixture *f, enum pitot_ring ring);

void
flush(struct fixture *f);

int
poll(struct fixture *f, struct pitot_hw_query *query, uint64_t *value_out);

/* Waits for the result of a query of one value. */
uint64_t
wait_for(struct fixture *f, struct pitot_hw_query *query);

uint64_t
end_and_wait(struct fixture *f, struct pitot_hw_query *query);

/* Measures once, after which the sampler knows the slots that the GPU's
 * render backends write: of some GPUs only a sample shows them.
 */
void
learn_backends(struct fixture *f);

/* Expects that a query is lost, and stays lost. */
void
expect_lost(struct fixture *f, struct pitot_hw_query *query, bool wait);

/* Fills the buffer in which results are stored; creates it at first. */
#define TARGET_OFFSET_B 128
#define UNTOUCHED       UINT64_C(0x5555555555555555)

void
prepare_target(struct fixture *f);

/* Stores a result, by the CPU if the GPU cannot, as a tiler's driver does. */
#define MAX_VALUES 16

void
store_any(struct fixture *f, struct pitot_hw_query *query,
          const struct pitot_hw_store *what);

/* Says to store one of a query's values, as a U64, at TARGET_OFFSET_B. */
struct pitot_hw_store
to_target(const struct fixture *f, enum pitot_store kind, unsigned index);

/* Stores a result at TARGET_OFFSET_B. */
void
store(struct fixture *f, struct pitot_hw_query *query, enum pitot_store what,
      enum pitot_type type);

/* Runs the GPU.  Returns what store() stored. */
uint64_t
stored(struct fixture *f);

/* Submits and completes what is recorded on all rings. */
void
run(struct fixture *f);

/* Submits the current batch, which completes without executing. */
void
flush_nothing(struct fixture *f);

/* Whether the GPU decides conditions and stores results, not the CPU. */
bool
is_deciding(const struct pitot_gpu *gpu);

/* A test and its GPUs: EVERY_GPU, DECIDING_GPUS, or the name of one; or a
 * test that opens its own fixtures.
 */
#define EVERY_GPU     NULL
#define DECIDING_GPUS "deciding"

struct hw_test {
   const char *name;
   void (*run)(struct fixture *f);
   void (*run_alone)(void);
   const char *gpu;
   bool has_compute; /* has a compute ring next to the render ring */
   bool is_long;     /* gets fewer schedules */
};

#define LIST_HW_TEST(NAME, ...)                                              \
   LIST_ROW(NAME, run_hw_test, schedules_tell, struct hw_test, __VA_ARGS__)

/* After the name, the GPU, and what else differs. */
#define HW_TEST(NAME, ...)                                                   \
   static void NAME(struct fixture *f);                                      \
   LIST_HW_TEST(NAME, .run = NAME, .gpu = __VA_ARGS__)                       \
   static void NAME(struct fixture *f)

/* The same function on another GPU. */
#define HW_TEST_AGAIN(NAME, FUNCTION, ...)                                   \
   LIST_HW_TEST(NAME, .run = FUNCTION, .gpu = __VA_ARGS__)

#define HW_TEST_ALONE(NAME, ...)                                             \
   static void NAME(void);                                                   \
   LIST_HW_TEST(NAME, .run_alone = NAME, __VA_ARGS__)                        \
   static void NAME(void)

/* Iterates over the GPUs of a test: all, or under a schedule only the seed's.
 * *i_inout is 0 at first; returns NULL at the end.
 */
const char *
scheduled_gpu(unsigned *i_inout);

/* Runs the struct hw_test at *state. */
void
run_hw_test(void **state);

#endif /* PITOT_TESTS_HW_FIXTURE_H */
