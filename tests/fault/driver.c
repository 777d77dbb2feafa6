/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>

#include "driver.h"
#include "fault.h"

#define MAX_PROVIDERS 16

/* A lost result.  A read that fails flushes and waits as any other. */
#define GARBAGE UINT64_C(0xdeadbeefdeadbeef)

static struct {
   const struct pitot_driver_ops *ops;
   struct pitot_driver_ops faulty_ops;
   unsigned provider_count;
   struct {
      const struct pitot_perf_provider *provider;
      const struct pitot_perf_provider_ops *ops;
      struct pitot_perf_provider_ops faulty_ops;
   } providers[MAX_PROVIDERS];
} the;

/* The error of the call, or 0. */
static int
error_at(enum fault_site site)
{
   const struct fault_kind *kind = fault_take(site);

   return kind ? -kind->error : 0;
}

static int
query_create(struct pitot_driver *driver, enum pitot_kind kind,
             unsigned stream, struct pitot_driver_query **query_out)
{
   const int error = error_at(FAULT_DRIVER_CREATE);

   return error ? error
                : the.ops->query_create(driver, kind, stream, query_out);
}

static int
query_begin(struct pitot_driver *driver, struct pitot_driver_query *query)
{
   const int error = error_at(FAULT_DRIVER_BEGIN);

   return error ? error : the.ops->query_begin(driver, query);
}

static int
query_end(struct pitot_driver *driver, struct pitot_driver_query *query)
{
   const int error = error_at(FAULT_DRIVER_END);

   return error ? error : the.ops->query_end(driver, query);
}

static int
query_result(struct pitot_driver *driver, struct pitot_driver_query *query,
             bool wait, uint64_t *result_out)
{
   const int error = error_at(FAULT_DRIVER_RESULT);
   const int status = the.ops->query_result(driver, query, wait, result_out);

   if (error)
      *result_out = GARBAGE;
   return error ? error : status;
}

static int
fence_create(struct pitot_driver *driver, struct pitot_fence **fence_out)
{
   const int error = error_at(FAULT_DRIVER_FENCE);

   return error ? error : the.ops->fence_create(driver, fence_out);
}

static bool
query_store(struct pitot_driver *driver, struct pitot_driver_query *query,
            enum pitot_store store, enum pitot_type type, void *resource,
            uint64_t offset_B)
{
   return !error_at(FAULT_DRIVER_STORE) &&
          the.ops->query_store(driver, query, store, type, resource,
                               offset_B);
}

static const struct pitot_perf_provider_ops *
ops_of(const struct pitot_perf_set *set)
{
   unsigned i = 0;

   while (the.providers[i].provider != set->provider)
      i++;
   return the.providers[i].ops;
}

static struct pitot_perf_measurement *
create(struct pitot_perf_set *set)
{
   return error_at(FAULT_DRIVER_CREATE) ? NULL : ops_of(set)->create(set);
}

static int
begin(struct pitot_perf_measurement *measurement)
{
   const int error = error_at(FAULT_DRIVER_BEGIN);

   return error ? error : ops_of(measurement->set)->begin(measurement);
}

static int
end(struct pitot_perf_measurement *measurement)
{
   const int error = error_at(FAULT_DRIVER_END);

   /* "A begin or end that fails leaves nothing begun." */
   if (error)
      (void)ops_of(measurement->set)->end(measurement);
   return error ? error : ops_of(measurement->set)->end(measurement);
}

static int
read_record(struct pitot_perf_measurement *measurement, bool wait,
            void *record_out)
{
   const int error = error_at(FAULT_DRIVER_RESULT);
   const int status =
      ops_of(measurement->set)->read(measurement, wait, record_out);

   return error ? error : status;
}

static void
break_provider(struct pitot_perf_provider *provider)
{
   const unsigned i = the.provider_count++;

   if (i == MAX_PROVIDERS)
      abort();
   the.providers[i].provider = provider;
   the.providers[i].ops = provider->ops;
   the.providers[i].faulty_ops = *provider->ops;
   the.providers[i].faulty_ops.create = create;
   the.providers[i].faulty_ops.begin = begin;
   the.providers[i].faulty_ops.end = end;
   the.providers[i].faulty_ops.read = read_record;
   provider->ops = &the.providers[i].faulty_ops;
}

void
faulty_driver_forget(void)
{
   the.provider_count = 0;
}

void
faulty_driver_add(struct pitot_driver *driver,
                  struct pitot_perf_provider *providers)
{
   the.ops = driver->ops;
   the.faulty_ops = *driver->ops;
   the.faulty_ops.query_create = query_create;
   the.faulty_ops.query_begin = query_begin;
   the.faulty_ops.query_end = query_end;
   the.faulty_ops.query_result = query_result;
   if (the.ops->fence_create)
      the.faulty_ops.fence_create = fence_create;
   if (the.ops->query_store)
      the.faulty_ops.query_store = query_store;
   driver->ops = &the.faulty_ops;
   for (struct pitot_perf_provider *p = providers; p; p = p->next)
      break_provider(p);
}
