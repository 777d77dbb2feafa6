/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Measuring the counters that a driver lists for Gallium's own tools.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "set_driver.h"

/* The queries of a set: one for each counter, but one for all in the batch,
 * which is the last.
 */
struct driver_measurement {
   struct pitot_measurement base;
   union pipe_query_result *result; /* with room for the batch */
   union pipe_numeric_type_union *singles;
   unsigned known_count; /* of the first parts: some count anew when asked */
   unsigned part_count;
   struct pitot_pipe_query parts[];
};

static struct driver_measurement *
measurement_of(struct pitot_measurement *base)
{
   return (struct driver_measurement *)base;
}

static void
destroy(struct pitot_provider *provider, struct pitot_measurement *base)
{
   struct pipe_context *pipe = pitot_pipe_of(provider);
   struct driver_measurement *m = measurement_of(base);

   for (unsigned i = 0; i < m->part_count; i++)
      pipe->destroy_query(pipe, m->parts[i].pq);
   free(m->singles);
   free(m->result);
   free(m);
}

static bool
add_part(struct driver_measurement *m, struct pipe_query *pq)
{
   if (pq)
      m->parts[m->part_count++].pq = pq;
   return pq != NULL;
}

static bool
add_batch(struct pitot_provider *provider, const struct driver_set *details,
          unsigned counter_count, struct driver_measurement *m)
{
   struct pipe_context *pipe = pitot_pipe_of(provider);
   unsigned *types = calloc(details->batch_count, sizeof(*types));
   unsigned count = 0;
   if (!types)
      return false;

   for (unsigned i = 0; i < counter_count; i++) {
      if (details->counters[i].is_batch)
         types[count++] = details->counters[i].query_type;
   }
   const bool ok = pipe->create_batch_query &&
                   add_part(m, pipe->create_batch_query(pipe, count, types));
   free(types);
   return ok;
}

static bool
add_parts(struct pitot_provider *provider, const struct driver_set *details,
          unsigned counter_count, struct driver_measurement *m)
{
   struct pipe_context *pipe = pitot_pipe_of(provider);

   for (unsigned i = 0; i < counter_count; i++) {
      const struct driver_counter *counter = &details->counters[i];

      if (!counter->is_batch &&
          !add_part(m, pipe->create_query(pipe, counter->query_type, 0)))
         return false;
   }
   return !details->batch_count ||
          add_batch(provider, details, counter_count, m);
}

static int
create(struct pitot_provider *provider, const struct pitot_counter_set *set,
       struct pitot_measurement **measurement_out)
{
   const struct driver_set *details = driver_set_of(provider, set);
   struct driver_measurement *m =
      calloc(1, sizeof(*m) + set->counter_count * sizeof(m->parts[0]));
   if (!m)
      return -ENOMEM;

   m->result = calloc(1, sizeof(*m->result) +
                            details->batch_count * sizeof(m->singles[0]));
   m->singles = calloc(set->counter_count, sizeof(m->singles[0]));
   if (!m->result || !m->singles ||
       !add_parts(provider, details, set->counter_count, m)) {
      destroy(provider, &m->base);
      return -ENOMEM;
   }
   *measurement_out = &m->base;
   return 0;
}

/* Ends the first parts, all of them even if one fails. */
static bool
end_parts(struct pitot_provider *provider, struct driver_measurement *m,
          unsigned count)
{
   const struct pitot_pipe_client *client =
      pitot_pipe_provider_of(provider)->client;
   struct pipe_context *pipe = client->info.pipe;
   bool ok = true;

   for (unsigned i = 0; i < count; i++) {
      pitot_pipe_note_end(client, &m->parts[i]);
      ok &= pipe->end_query(pipe, m->parts[i].pq);
   }
   return ok;
}

/* What a driver has few of may be taken by somebody else. */
static int
begin(struct pitot_provider *provider, struct pitot_measurement *base)
{
   struct pipe_context *pipe = pitot_pipe_of(provider);
   struct driver_measurement *m = measurement_of(base);

   m->known_count = 0;
   for (unsigned i = 0; i < m->part_count; i++) {
      if (!pipe->begin_query(pipe, m->parts[i].pq)) {
         (void)end_parts(provider, m, i);
         return -EBUSY;
      }
   }
   return 0;
}

static int
end(struct pitot_provider *provider, struct pitot_measurement *base)
{
   struct driver_measurement *m = measurement_of(base);

   return end_parts(provider, m, m->part_count) ? 0 : -EIO;
}

static void
write_record(const struct pitot_counter_set *set,
             const struct driver_set *details,
             const struct driver_measurement *m, uint8_t *record)
{
   memset(record, 0, set->record_B);
   for (unsigned i = 0; i < set->counter_count; i++) {
      const struct driver_counter *counter = &details->counters[i];
      const union pipe_numeric_type_union *values =
         counter->is_batch ? m->result->batch : m->singles;

      memcpy(record + set->counters[i].offset_B, &values[counter->slot],
             set->counters[i].size_B);
   }
}

static int
read_record(struct pitot_provider *provider, struct pitot_measurement *base,
            bool wait, void *record_out)
{
   struct pitot_pipe_client *client =
      pitot_pipe_provider_of(provider)->client;
   const struct driver_set *details = driver_set_of(provider, base->set);
   struct driver_measurement *m = measurement_of(base);
   const unsigned single_count = m->part_count - (details->batch_count > 0);

   for (; m->known_count < m->part_count; m->known_count++) {
      const unsigned i = m->known_count;
      const int status = pitot_pipe_fetch(client, &m->parts[i],
                                          m->parts[i].pq, wait, m->result);

      if (status <= 0)
         return status;
      if (i < single_count)
         m->singles[i] = m->result->batch[0];
   }
   write_record(base->set, details, m, record_out);
   return 1;
}

const struct pitot_provider_ops pitot_pipe_driver_ops = {
   .list = pitot_pipe_driver_sets_list,
   .finish = pitot_pipe_driver_sets_finish,
   .create = create,
   .destroy = destroy,
   .begin = begin,
   .end = end,
   .read = read_record,
};
