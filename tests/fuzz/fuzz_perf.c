/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Perf sets over a driver's lists and hooks.  The bytes are the listed
 * counters and groups, and a program of perf queries with late records,
 * failing calls and allocations, and lost devices.  Findings: counters that
 * overlap in a record, a wrong value in a record that is not lost, sets
 * active together that must not be, and a leak.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail_memory.h"
#include "fuzz.h"
#include "perf/fake_counters.h"
#include "pipe/fake_thread.h"
#include "pitot_perf_pipe.h"

#define MAX_COUNTERS 24
#define MAX_GROUPS   4
#define MAX_QUERIES  8

struct fuzz_perf {
   struct fuzz_input *input;
   struct fake_pipe fake;
   struct fake_intel *intel; /* or NULL */
   struct pitot_pipe_client client;
   struct pitot_perf_pipe pipe;
   struct pitot_context *context;
   struct pitot_perf *perf;
   struct pitot_perf_query *queries[MAX_QUERIES];
   unsigned counting;
};

/* The lists of the driver */

static struct {
   struct pipe_driver_query_info counters[MAX_COUNTERS];
   struct pipe_driver_query_group_info groups[MAX_GROUPS];
   char names[MAX_COUNTERS][8];
   unsigned counter_count, group_count;
   unsigned missing; /* mask of groups */
} the_lists;

static void
take_counter(struct fuzz_input *input, unsigned i)
{
   const unsigned bits = fuzz_u8(input);

   snprintf(the_lists.names[i], sizeof(the_lists.names[i]), "c%u",
            bits & 0x80 ? 0 : i);
   the_lists.counters[i] = (struct pipe_driver_query_info){
      .name = the_lists.names[i],
      .query_type = PIPE_QUERY_DRIVER_SPECIFIC + i,
      .type = fuzz_below(input, PIPE_DRIVER_QUERY_TYPE_AMPS + 1),
      .max_value.u64 = fuzz_bytes(input, bits & 8),
      .group_id = bits & 4 ? ~0u : bits & 3,
      .flags = (bits & 16 ? PIPE_DRIVER_QUERY_FLAG_BATCH : 0) |
               (bits & 32 ? PIPE_DRIVER_QUERY_FLAG_DONT_LIST : 0),
   };
}

static int
get_counter(struct pipe_screen *screen, unsigned index,
            struct pipe_driver_query_info *info)
{
   (void)screen;
   if (!info)
      return (int)the_lists.counter_count;
   *info = the_lists.counters[index];
   return 1;
}

static int
get_group(struct pipe_screen *screen, unsigned index,
          struct pipe_driver_query_group_info *info)
{
   (void)screen;
   if (!info)
      return (int)the_lists.group_count;
   *info = the_lists.groups[index];
   return !(the_lists.missing >> index & 1);
}

/* The fake driver measures at most FAKE_BATCH_MAX counters in a batch. */
static void
take_lists(struct fuzz_perf *f)
{
   the_lists.counter_count = fuzz_below(f->input, MAX_COUNTERS + 1);
   the_lists.group_count = fuzz_below(f->input, MAX_GROUPS + 1);
   the_lists.missing = fuzz_u8(f->input);
   for (unsigned i = 0; i < the_lists.group_count; i++)
      the_lists.groups[i] = (struct pipe_driver_query_group_info){
         .name = i & 1 ? "odd" : "even",
         .max_active_queries = 1 + fuzz_below(f->input, FAKE_BATCH_MAX),
      };
   for (unsigned i = 0; i < the_lists.counter_count; i++) {
      take_counter(f->input, i);
      if (the_lists.counters[i].group_id >= the_lists.group_count)
         the_lists.counters[i].flags &= ~PIPE_DRIVER_QUERY_FLAG_BATCH;
   }
   f->fake.screen.get_driver_query_info = get_counter;
   if (the_lists.group_count)
      f->fake.screen.get_driver_query_group_info = get_group;
}

/* Sets */

static void
check_set(const struct pitot_perf_set *set)
{
   uint8_t used[4096] = { 0 };

   fuzz_assert(set->name && set->counter_count > 0);
   fuzz_assert(set->record_B <= sizeof(used));
   for (unsigned i = 0; i < set->counter_count; i++) {
      const struct pitot_perf_counter *counter = &set->counters[i];

      fuzz_assert(counter->name && strstr(counter->description, "nit: "));
      fuzz_assert(counter->size_B == 4 || counter->size_B == 8);
      fuzz_assert(counter->offset_B % counter->size_B == 0);
      fuzz_assert(counter->offset_B + counter->size_B <= set->record_B);
      for (unsigned b = 0; b < counter->size_B; b++)
         fuzz_assert(!used[counter->offset_B + b]++);
   }
}

/* Each counter of the fake driver has its own value. */
static void
check_record(const struct fuzz_perf *f, const struct pitot_perf_query *query)
{
   const struct pitot_perf_set *set = query->set;
   static const uint8_t zeros[4096];

   if (query->is_lost) {
      fuzz_assert(memcmp(query->portions[0].record, zeros, set->record_B) ==
                  0);
      return;
   }
   if (set->provider != &f->pipe.driver.base)
      return;
   for (unsigned i = 0; i < set->counter_count; i++) {
      const struct pitot_perf_counter *counter = &set->counters[i];
      uint64_t value = 0;

      memcpy(&value,
             (const uint8_t *)query->portions[0].record + counter->offset_B,
             counter->size_B);
      fuzz_assert(value == 100 + counter->source);
   }
}

/* Queries */

static struct pitot_perf_query **
take_slot(struct fuzz_perf *f)
{
   return &f->queries[fuzz_below(f->input, MAX_QUERIES)];
}

static void
create_query(struct fuzz_perf *f)
{
   struct pitot_perf_query **slot = take_slot(f);
   const unsigned count = pitot_perf_set_count(f->perf);

   if (*slot || count == 0)
      return;
   *slot = pitot_perf_query_create(
      f->perf, pitot_perf_get_set(f->perf, fuzz_u8(f->input) % count));
   if (*slot)
      (*slot)->wants_fence = true;
}

static void
delete_query(struct fuzz_perf *f)
{
   struct pitot_perf_query **slot = take_slot(f);

   if (*slot)
      pitot_perf_query_delete(*slot);
   *slot = NULL;
}

static bool
is_excluded(const struct fuzz_perf *f, const struct pitot_perf_set *set)
{
   bool is_excluded = false;

   for (unsigned i = 0; i < MAX_QUERIES; i++) {
      const struct pitot_perf_query *query = f->queries[i];

      is_excluded |= query && query->state == PITOT_STATE_ACTIVE &&
                     !pitot_perf_may_overlap(query->set, set);
   }
   return is_excluded;
}

static void
begin_query(struct fuzz_perf *f)
{
   struct pitot_perf_query *query = *take_slot(f);
   enum pitot_state before;

   if (!query || query->state == PITOT_STATE_ACTIVE)
      return;
   before = query->state;
   const bool excluded = is_excluded(f, query->set);
   const int error = pitot_perf_query_begin(query);

   fuzz_assert(!excluded || error == -EBUSY);
   if (error == 0)
      fuzz_assert(query->state == PITOT_STATE_ACTIVE);
   else
      fuzz_assert(error < 0 && query->state == before);
}

static void
end_query(struct fuzz_perf *f)
{
   struct pitot_perf_query *query = *take_slot(f);

   if (!query || query->state != PITOT_STATE_ACTIVE)
      return;
   if (pitot_perf_query_end(query) == 0)
      fuzz_assert(query->state == PITOT_STATE_ENDED);
   else
      fuzz_assert(query->state == PITOT_STATE_AVAILABLE && query->is_lost);
}

static void
read_query(struct fuzz_perf *f)
{
   struct pitot_perf_query *query = *take_slot(f);
   const enum pitot_perf_flush flush = fuzz_below(f->input, 3);

   if (!query || query->state < PITOT_STATE_ENDED)
      return;
   const bool is_available = pitot_perf_query_resolve(query, flush);

   fuzz_assert(is_available || flush != PITOT_PERF_WAIT);
   fuzz_assert(is_available == (query->state == PITOT_STATE_AVAILABLE));
   if (is_available)
      check_record(f, query);
}

static void
control(struct fuzz_perf *f)
{
   struct fake_pipe *fake = &f->fake;
   const unsigned way = fuzz_below(f->input, 8), number = fuzz_u8(f->input);

   if (way < PITOT_NULL_CALL_COUNT)
      fake->fail[way] = number;
   else if (way == 3)
      fail_memory = number;
   else if (way == 4)
      fake->is_held = number & 1;
   else if (way == 5)
      fake->is_lost |= number == 77;
   else if (way == 6)
      pitot_pipe_flush(&f->client);
   else if (f->intel)
      *f->intel = (struct fake_intel){
         .is_permitted = f->intel->is_permitted,
         .is_ready = number & 1,
         .fails = number & 2,
         .is_late = number & 4,
         .writes_nothing = number & 8,
         .busy = f->intel->busy,
         .set = f->intel->set,
         .alive = f->intel->alive,
         .deleted_in_flight = f->intel->deleted_in_flight,
      };
}

/* The context */

static void
open_context(struct fuzz_perf *f)
{
   const unsigned bits = fuzz_u8(f->input);

   fake_pipe_init(&f->fake);
   f->fake.is_threaded = bits & 1;
   f->fake.is_thread_slow = bits & 2;
   take_lists(f);
   if (bits & 4)
      f->intel = fake_intel_init(&f->fake);
   if (f->intel)
      f->intel->is_permitted = bits & 8;
   pitot_pipe_client_init(&f->client, &(struct pitot_pipe_info){
                                         .pipe = &f->fake.base,
                                         .counting = &f->counting,
                                         .is_threaded = f->fake.is_threaded,
                                      });
   fuzz_assert(
      pitot_context_create(&(struct pitot_context_info){ .driver =
                                                            &f->client.base },
                           &f->context) == 0);
   fuzz_assert(pitot_perf_create(f->context,
                                 pitot_perf_pipe_init(&f->pipe, &f->client),
                                 &f->perf) == 0);
   fail_memory = fuzz_u8(f->input);
   for (unsigned i = 0; i < pitot_perf_set_count(f->perf); i++)
      check_set(pitot_perf_get_set(f->perf, i));
   fail_memory = 0;
}

static void
close_context(struct fuzz_perf *f)
{
   fail_memory = 0;
   memset(f->fake.fail, 0, sizeof(f->fake.fail));
   pitot_perf_destroy(f->perf);
   pitot_context_destroy(f->context);
   pitot_pipe_client_finish(&f->client);
   fake_pipe_run_thread(&f->fake);
   fuzz_assert(f->fake.alive == 0 && f->fake.active == 0);
   fuzz_assert(f->counting == 0);
   if (f->intel)
      fuzz_assert(f->intel->alive == 0 && f->intel->deleted_in_flight == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_B)
{
   static void (*const steps[])(struct fuzz_perf * f) = {
      create_query, delete_query, begin_query, end_query, read_query, control,
   };
   struct fuzz_input input = { bytes, size_B };
   struct fuzz_perf f = { .input = &input };

   open_context(&f);
   while (input.left_B > 0)
      steps[fuzz_below(&input, ARRAY_LENGTH(steps))](&f);
   close_context(&f);
   return 0;
}
