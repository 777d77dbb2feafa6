/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * tests/hw/test_programs.c under faults.  Each seed uses another GPU.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "gpu.h"
#include "hw/fixture.h"
#include "hw_query.h"
#include "pitot/hw.h"

/* Other rounds use other seeds. */
#define SEED_COUNT 40

/* No program creates more queries. */
#define MAX_QUERIES 64

/* Failures that a query's calls reported since it last began explain its
 * results; a query is in use for others later.
 */
static struct {
   struct sim_cs *cs;
   struct pitot_hw *hw; /* NULL: none is open */
   struct query {
      struct pitot_hw_query *query;
      bool has_failed; /* since its begin */
   } queries[MAX_QUERIES];
   unsigned query_count;
   struct query *last; /* of the last call */
   bool is_reported;   /* by that call */
} the;

/* Stores are lost with the device only. */
bool
rig_is_reported(const char *text)
{
   if (strstr(text, ": stored is "))
      return the.hw && pitot_hw_take_disjoint(the.hw);
   return the.is_reported || (the.last && the.last->has_failed) ||
          faulty_gpu_refused_context();
}

enum rig_next
rig_after_step(void)
{
   return RIG_GOES_ON;
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
note_status(int status)
{
   the.is_reported = status < 0;
   return status;
}

static int
note_query(struct pitot_hw_query *query, bool begins, int status)
{
   the.last = the.queries;
   while (the.last->query != query)
      the.last++;
   the.last->has_failed = (the.last->has_failed && !begins) || status < 0;
   return note_status(status);
}

static int
note_begin(struct pitot_hw_query *query, int status)
{
   return note_query(query, true, status);
}

static int
note_end(struct pitot_hw_query *query, int status)
{
   return note_query(query, query->is_instant, status);
}

/* A lost result is a report only of a lost device. */
static int
note_result(struct pitot_hw_query *query, int status)
{
   const bool can_lose = !fault_armed() || fault_armed()->error != ENOMEM;

   (void)note_query(query, false, can_lose ? status : 0);
   return status;
}

/* A store that fails leaves the result. */
static int
note_store(struct pitot_hw_query *query, int status)
{
   (void)note_query(query, false, 0);
   return note_status(status);
}

#define TELLING(NOTE, NAME, PARAMETERS, ...)                                 \
   WRAPPED(int, NAME, PARAMETERS)                                            \
   {                                                                         \
      return NOTE(query, __real_##NAME(__VA_ARGS__));                        \
   }

/* clang-format off */
TELLING(note_begin, pitot_hw_query_begin,
        (struct pitot_hw *hw, struct pitot_hw_query *query), hw, query)
TELLING(note_end, pitot_hw_query_end,
        (struct pitot_hw *hw, struct pitot_hw_query *query), hw, query)
TELLING(note_result, pitot_hw_query_result,
        (struct pitot_hw *hw, struct pitot_hw_query *query, bool wait,
         uint64_t *values_out), hw, query, wait, values_out)
TELLING(note_store, pitot_hw_query_store,
        (struct pitot_hw *hw, struct pitot_hw_query *query,
         const struct pitot_hw_store *store), hw, query, store)
/* clang-format on */

WRAPPED(int, pitot_hw_query_create,
        (struct pitot_hw *hw, enum pitot_kind kind, unsigned stream,
         struct pitot_hw_query **query_out))
{
   const int status =
      note_status(__real_pitot_hw_query_create(hw, kind, stream, query_out));

   the.hw = hw;
   assert_true(the.query_count < MAX_QUERIES);
   if (!status)
      the.queries[the.query_count++] = (struct query){ *query_out, false };
   return status;
}

WRAPPED(void, prepare_target, (struct fixture *f))
{
   fault_suspend();
   __real_prepare_target(f);
   fault_resume();
}

WRAPPED(void, pitot_hw_destroy, (struct pitot_hw *hw))
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
      pitot_hw_query_free(hw, the.queries[i].query);
   pitot_hw_set_active(hw, true);
   assert_int_equal(__real_pitot_hw_query_create(hw,
                                                 PITOT_KIND_SAMPLES_PASSED, 0,
                                                 &query),
                    0);
   (void)pitot_hw_take_disjoint(hw);
   int status = __real_pitot_hw_query_begin(hw, query);
   sim_cs_count(faulty_gpu_cs(), PITOT_KIND_SAMPLES_PASSED, 0, 7);
   status |= __real_pitot_hw_query_end(hw, query);
   status |= __real_pitot_hw_query_result(hw, query, true, &value);
   if (status == 1)
      assert_int_equal(value, 7);
   else
      assert_true(pitot_hw_take_disjoint(hw));
   pitot_hw_query_free(hw, query);
   pitot_hw_destroy(hw);
   return true;
}
