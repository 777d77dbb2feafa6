/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "fail_memory.h"
#include "null_host.h"
#include "pitot_perf_query.h"

static void
error(void *data, unsigned gl_error, const char *command, const char *reason)
{
   struct null_host *host = data;

   (void)command;
   (void)reason;
   if (!host->error)
      host->error = gl_error;
}

static void
flush(void *data)
{
   (void)data;
}

static void *
lookup_buffer(void *data, uint32_t name, const char *command)
{
   struct null_host *host = data;

   if (name >= 1 && name <= BUFFER_COUNT)
      return &host->buffers[name - 1];
   error(data, GL_INVALID_OPERATION, command, "buffer");
   return NULL;
}

static void
open_buffer(void *data, void *object,
            struct pitot_gl_destination *destination_out)
{
   struct null_buffer *buffer = object;

   flush(data);
   *destination_out = (struct pitot_gl_destination){
      .resource = buffer->bytes,
      .size_B = buffer->size_B,
      .is_mapped = buffer->is_mapped,
   };
}

static void
write_buffer(void *data, void *resource, uint64_t offset_B, unsigned size_B,
             const void *bytes)
{
   struct null_host *host = data;

   for (unsigned i = 0; i < BUFFER_COUNT; i++) {
      if (resource == host->buffers[i].bytes &&
          offset_B + size_B <= host->buffers[i].size_B) {
         memcpy(host->buffers[i].bytes + offset_B, bytes, size_B);
         return;
      }
   }
   abort();
}

static const struct pitot_gl_host_ops host_ops = {
   .error = error,
   .flush = flush,
   .lookup_buffer = lookup_buffer,
   .open_buffer = open_buffer,
   .write_buffer = write_buffer,
};

/* Before allocations fail: without memory there would be no sets. */
static void
list_sets(struct null_host *host)
{
   static const char *const names[SET_COUNT] = {
      [SET_STATISTICS] = "Pipeline Statistics",
      [SET_SAME] = "Same",
      [SET_ALONE] = "Alone",
      [SET_TIME] = "GPU Time",
   };

   for (unsigned i = 0; i < SET_COUNT; i++) {
      pitot_perf_intel_get_query_id_by_name(&host->perf, names[i],
                                            &host->set_ids[i]);
      pitot_perf_intel_get_query_info(&host->perf, host->set_ids[i], 0, NULL,
                                      &host->record_B[i], NULL, NULL, NULL);
   }
   (void)pitot_perf_group_count(host->perf.perf);
}

void
null_host_make(struct null_host *host, enum pitot_gl_api api,
               unsigned features)
{
   static const unsigned no_flags = 0;
   const struct pitot_gl_info info = {
      .host = host,
      .host_ops = &host_ops,
      .driver = &host->null.base,
      .query_buffer = &host->bound,
      .context_flags = &no_flags,
      .api = api,
      .features = features,
      .stream_count = PITOT_MAX_STREAMS,
   };

   /* Failing allocations are those of calls, not of the context. */
   const unsigned failing = fail_memory;

   fail_memory = 0;
   memset(host, 0, sizeof(*host));
   memset(host->buffers, UNTOUCHED_BYTE, sizeof(host->buffers));
   for (unsigned i = 0; i < BUFFER_COUNT; i++) {
      host->buffers[i].size_B = i ? SMALL_SIZE_B : BUFFER_SIZE_B;
      host->buffers[i].is_mapped = false;
   }
   pitot_null_init(&host->null);
   host->null.can_store = true;
   host->null.time_ns = 1000;
   if (pitot_gl_create(&info, &host->gl) ||
       pitot_perf_create(pitot_gl_context(host->gl),
                         null_sets_init(&host->sets, &host->null),
                         &host->perf.perf))
      abort();
   host->perf.gl = host->gl;
   list_sets(host);
   fail_memory = failing;
}

const char *
null_host_end(struct null_host *host)
{
   pitot_perf_destroy(host->perf.perf);
   pitot_gl_destroy(host->gl);
   host->gl = NULL;
   return host->null.alive ? "queries of the driver are left" : NULL;
}
