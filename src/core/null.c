/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The null driver: counters in memory.  Each measurement has a serial, in the
 * order of the ends, and is available if its serial is at most null->done, so
 * results cannot come out of order.  A read of a measurement that is not
 * submitted flushes, because a loop of polls has to end.
 */

#include <errno.h>
#include <stdlib.h>

#include "pitot/clock.h"
#include "pitot_null.h"

struct pitot_null_query {
   struct pitot_driver_query base;
   enum pitot_kind kind;
   unsigned stream;
   uint64_t begin;
   uint64_t result;
   uint64_t serial; /* pitot_null.issued when it ended */
};

static struct pitot_null *
null_driver(struct pitot_driver *driver)
{
   return (struct pitot_null *)driver;
}

static struct pitot_null_query *
null_query(struct pitot_driver_query *query)
{
   return (struct pitot_null_query *)query;
}

bool
pitot_null_fails(unsigned fail[PITOT_NULL_CALL_COUNT],
                 enum pitot_null_call call)
{
   return fail[call] && --fail[call] == 0;
}

static uint64_t
null_timestamp_ns(struct pitot_driver *driver)
{
   const struct pitot_null *null = null_driver(driver);

   if (!null->time_bits)
      return 0;
   return null->time_ns & UINT64_MAX >> (64 - null->time_bits);
}

static uint64_t
counter_now(struct pitot_null *null, const struct pitot_null_query *query)
{
   return pitot_kind_info(query->kind)->is_time
             ? null_timestamp_ns(&null->base)
             : null->counters[query->kind][query->stream];
}

static int
null_query_create(struct pitot_driver *driver, enum pitot_kind kind,
                  unsigned stream, struct pitot_driver_query **query_out)
{
   struct pitot_null *null = null_driver(driver);
   struct pitot_null_query *query = NULL;

   if (!pitot_null_fails(null->fail, PITOT_NULL_CREATE))
      query = calloc(1, sizeof(*query));
   if (!query)
      return -ENOMEM;

   query->kind = kind;
   query->stream = stream;
   null->alive++;
   null->created++;
   *query_out = &query->base;
   return 0;
}

static void
null_query_destroy(struct pitot_driver *driver,
                   struct pitot_driver_query *query)
{
   null_driver(driver)->alive--;
   free(null_query(query));
}

static int
null_query_begin(struct pitot_driver *driver, struct pitot_driver_query *base)
{
   struct pitot_null *null = null_driver(driver);
   struct pitot_null_query *query = null_query(base);

   if (pitot_null_fails(null->fail, PITOT_NULL_BEGIN))
      return -ENOMEM;
   query->begin = counter_now(null, query);
   return 0;
}

static int
null_query_end(struct pitot_driver *driver, struct pitot_driver_query *base)
{
   struct pitot_null *null = null_driver(driver);
   struct pitot_null_query *query = null_query(base);

   if (pitot_null_fails(null->fail, PITOT_NULL_END))
      return -EIO;
   const uint64_t now = counter_now(null, query);
   query->result = pitot_kind_info(query->kind)->is_time
                      ? pitot_ns_elapsed(query->begin, now, &driver->disjoint)
                      : now - query->begin;
   query->serial = ++null->issued;
   return 0;
}

void
pitot_null_flush(struct pitot_null *null)
{
   null->submitted = null->issued;
}

int
pitot_null_read(struct pitot_null *null, uint64_t serial, bool wait)
{
   null->polls += !wait;
   null->waits += wait && serial > null->done;
   if (null->is_lost)
      return -EIO;
   if (serial > null->submitted) {
      null->flushes++;
      pitot_null_flush(null);
   }
   if (serial <= null->done)
      return 1;
   if (wait)
      null->done = serial;
   return wait;
}

static int
null_query_result(struct pitot_driver *driver,
                  struct pitot_driver_query *base, bool wait,
                  uint64_t *result_out)
{
   const struct pitot_null_query *query = null_query(base);

   *result_out = query->result;
   return pitot_null_read(null_driver(driver), query->serial, wait);
}

/* A fence holds the serial of the last measurement before it. */
static int
null_fence_create(struct pitot_driver *driver, struct pitot_fence **fence_out)
{
   struct pitot_null *null = null_driver(driver);
   uint64_t *fence = calloc(1, sizeof(*fence));

   if (!fence)
      return -ENOMEM;
   *fence = null->issued;
   null->alive++;
   *fence_out = (struct pitot_fence *)fence;
   return 0;
}

static bool
null_fence_is_done(struct pitot_driver *driver, struct pitot_fence *fence)
{
   const struct pitot_null *null = null_driver(driver);
   const uint64_t serial = *(const uint64_t *)fence;

   return null->is_lost ||
          (serial <= null->submitted && serial <= null->done);
}

static void
null_fence_destroy(struct pitot_driver *driver, struct pitot_fence *fence)
{
   null_driver(driver)->alive--;
   free(fence);
}

static unsigned
null_counter_bits(struct pitot_driver *driver, enum pitot_kind kind)
{
   const struct pitot_kind_info *info = pitot_kind_info(kind);

   if (info->is_time)
      return null_driver(driver)->time_bits;
   return info->is_boolean ? 1 : 64;
}

static bool
null_query_store(struct pitot_driver *driver, struct pitot_driver_query *base,
                 enum pitot_store store, enum pitot_type type, void *resource,
                 uint64_t offset_B)
{
   struct pitot_null *null = null_driver(driver);
   const struct pitot_null_query *query = null_query(base);
   uint8_t *memory = (uint8_t *)resource + offset_B;

   if (!null->can_store || null->is_lost)
      return false;
   if (store == PITOT_STORE_RESULT && query->serial > null->done)
      null->done = query->serial;

   const bool is_available = query->serial <= null->done;
   if (store == PITOT_STORE_AVAILABLE)
      pitot_type_write(type, is_available, memory);
   else if (is_available)
      pitot_type_write(type,
                       pitot_kind_info(query->kind)->is_boolean
                          ? query->result != 0
                          : query->result,
                       memory);
   return true;
}

static void
null_render_condition(struct pitot_driver *driver,
                      struct pitot_driver_query *query, unsigned mode)
{
   struct pitot_null *null = null_driver(driver);

   null->condition = query;
   null->condition_mode = mode;
}

static const struct pitot_driver_ops null_ops = {
   .query_create = null_query_create,
   .query_destroy = null_query_destroy,
   .query_begin = null_query_begin,
   .query_end = null_query_end,
   .query_result = null_query_result,
   .fence_create = null_fence_create,
   .fence_is_done = null_fence_is_done,
   .fence_destroy = null_fence_destroy,
   .counter_bits = null_counter_bits,
   .query_store = null_query_store,
   .render_condition = null_render_condition,
   .timestamp_ns = null_timestamp_ns,
};

void
pitot_null_init(struct pitot_null *null)
{
   *null = (struct pitot_null){
      .base = { .ops = &null_ops },
      .time_bits = 64,
      .done = UINT64_MAX,
   };
}
