/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "batch.h"

#include <time.h>

#include "fail.h"

/* How long results may take before we stop asking and simply wait. */
#define PATIENCE_MS 5000

void
batch_start(struct batch *batch, const struct query_functions *query)
{
   batch->query = query;
   batch->count = 0;
}

GLuint
batch_query(struct batch *batch, uint64_t *result)
{
   if (batch->count == BATCH_MAX)
      fail("more than %d queries in one batch", BATCH_MAX);

   struct pending *pending = &batch->pending[batch->count++];
   batch->query->gen(1, &pending->id);
   pending->result = result;
   return pending->id;
}

/* Asking for a result that is not there yet would wait for the GPU. */
static bool
is_available(const struct batch *batch, const struct pending *pending)
{
   GLuint available = GL_FALSE;
   batch->query->get_uint(pending->id, GL_QUERY_RESULT_AVAILABLE, &available);
   return available;
}

static void
read_result(const struct batch *batch, struct pending *pending)
{
   GLuint64 result = 0;
   batch->query->get_uint64(pending->id, GL_QUERY_RESULT, &result);
   batch->query->remove(1, &pending->id);
   *pending->result = result;
   pending->result = NULL;
}

/* Reads what is there, and returns how many results are still missing. */
static unsigned
read_available(struct batch *batch)
{
   unsigned missing = 0;
   for (unsigned i = 0; i < batch->count; i++) {
      struct pending *pending = &batch->pending[i];
      if (!pending->result)
         continue;
      if (is_available(batch, pending))
         read_result(batch, pending);
      else
         missing++;
   }
   return missing;
}

static void
read_rest(struct batch *batch)
{
   for (unsigned i = 0; i < batch->count; i++) {
      if (batch->pending[i].result)
         read_result(batch, &batch->pending[i]);
   }
}

void
batch_collect(struct batch *batch)
{
   /* A game would draw its next frame between two looks at the results;
    * this program has nothing better to do than to sleep.
    */
   const struct timespec nap = { .tv_nsec = 1000000 };

   /* Without a flush the GPU may never get to see the queries, and we would
    * ask for ever.
    */
   glFlush();
   for (unsigned ms = 0; ms < PATIENCE_MS; ms++) {
      if (read_available(batch) == 0)
         break;
      nanosleep(&nap, NULL);
   }
   read_rest(batch);
   context_check("collecting query results");
}
