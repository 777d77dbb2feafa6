/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * tests/hw/test_programs.c under faults.  Each seed uses another GPU.
 */

#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "gpu.h"
#include "hw/fixture.h"
#include "pitot/hw.h"

/* Other rounds use other seeds. */
#define SEED_COUNT 40

/* No program has more queries at a time. */
#define MAX_QUERIES 64

static struct {
   struct sim_cs *cs;
   struct pitot_hw *hw; /* NULL: none is open */
   struct pitot_hw_query *queries[MAX_QUERIES];
   unsigned query_count;
   bool is_reported;
} the;

bool
rig_is_reported(const char *text)
{
   (void)text;
   return the.is_reported || faulty_gpu_refused_context() ||
          (the.hw && pitot_hw_take_disjoint(the.hw));
}

void
rig_begin(void)
{
   memset(&the, 0, sizeof(the));
   faulty_gpu_begin();
}

unsigned
rig_variants(void)
{
   return SEED_COUNT;
}

/* One seed for the GPU, its schedule and the program. */
void
rig_choose(unsigned variant, char *name, size_t size)
{
   const char *round = getenv("PITOT_FAULT_ROUND");
   const unsigned first = round ? SEED_COUNT * atoi(round) : 0;
   char seed[20];

   snprintf(seed, sizeof(seed), "%u", first + variant + 1);
   setenv("PITOT_SCHEDULE", seed, true);
   snprintf(name, size, ", %u", variant);
}

/*
 * Calls that report failures
 */

static int
note(int status)
{
   the.is_reported |= status < 0;
   return status;
}

/* clang-format off */
TELLING(pitot_hw_query_begin,
        (struct pitot_hw *hw, struct pitot_hw_query *query), hw, query)
TELLING(pitot_hw_query_end,
        (struct pitot_hw *hw, struct pitot_hw_query *query), hw, query)
TELLING(pitot_hw_query_result,
        (struct pitot_hw *hw, struct pitot_hw_query *query, bool wait,
         uint64_t *values_out), hw, query, wait, values_out)
TELLING(pitot_hw_query_store,
        (struct pitot_hw *hw, struct pitot_hw_query *query,
         const struct pitot_hw_store *store), hw, query, store)
/* clang-format on */

int
__real_pitot_hw_query_create(struct pitot_hw *hw, enum pitot_kind kind,
                             unsigned stream,
                             struct pitot_hw_query **query_out);
int
__wrap_pitot_hw_query_create(struct pitot_hw *hw, enum pitot_kind kind,
                             unsigned stream,
                             struct pitot_hw_query **query_out);

int
__wrap_pitot_hw_query_create(struct pitot_hw *hw, enum pitot_kind kind,
                             unsigned stream,
                             struct pitot_hw_query **query_out)
{
   const int status =
      note(__real_pitot_hw_query_create(hw, kind, stream, query_out));

   the.hw = hw;
   if (!status)
      the.queries[the.query_count++ % MAX_QUERIES] = *query_out;
   return status;
}

void
__real_prepare_target(struct fixture *f);
void
__wrap_prepare_target(struct fixture *f);

void
__wrap_prepare_target(struct fixture *f)
{
   fault_suspend();
   __real_prepare_target(f);
   fault_resume();
}

void
__real_pitot_hw_destroy(struct pitot_hw *hw);
void
__wrap_pitot_hw_destroy(struct pitot_hw *hw);

void
__wrap_pitot_hw_destroy(struct pitot_hw *hw)
{
   the.hw = NULL;
   __real_pitot_hw_destroy(hw);
}

/* Measures once more, and frees everything. */
bool
rig_finish(void)
{
   struct pitot_hw *hw = the.hw;
   struct pitot_hw_query *query;
   uint64_t value;

   if (!hw)
      return true;
   cases_end_fault();
   for (unsigned i = 0; i < the.query_count; i++)
      pitot_hw_query_free(hw, the.queries[i]);
   pitot_hw_set_active(hw, true);
   assert_int_equal(__real_pitot_hw_query_create(hw,
                                                 PITOT_KIND_SAMPLES_PASSED, 0,
                                                 &query),
                    0);
   the.is_reported = false;
   (void)pitot_hw_take_disjoint(hw);
   (void)pitot_hw_query_begin(hw, query);
   sim_cs_count(faulty_gpu_cs(), PITOT_KIND_SAMPLES_PASSED, 0, 7);
   (void)pitot_hw_query_end(hw, query);
   if (pitot_hw_query_result(hw, query, true, &value) == 1)
      assert_int_equal(value, 7);
   assert_true(!the.is_reported || pitot_hw_take_disjoint(hw));
   pitot_hw_query_free(hw, query);
   pitot_hw_destroy(hw);
   return true;
}
