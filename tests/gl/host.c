/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "host.h"

static void
error(void *data, unsigned gl_error, const char *command, const char *reason)
{
   struct host *host = data;

   if (!host->error)
      host->error = gl_error;
   snprintf(host->message, sizeof(host->message), "%s(%s)", command, reason);
}

static void
flush(void *data)
{
   struct host *host = data;

   host->flushes++;
   host->null.counters[PITOT_KIND_VERTICES_SUBMITTED][0] += host->held_back;
   host->held_back = 0;
}

static void *
lookup_buffer(void *data, uint32_t name, const char *command)
{
   if (name == HOST_BUFFER_NAME)
      return data;
   error(data, GL_INVALID_OPERATION, command, "buffer");
   return NULL;
}

static void
open_buffer(void *data, void *buffer,
            struct pitot_gl_destination *destination_out)
{
   struct host *host = buffer;

   flush(data);
   *destination_out = (struct pitot_gl_destination){
      .resource = host->buffer,
      .size_B = sizeof(host->buffer),
      .is_mapped = host->is_mapped,
   };
}

static void
write_buffer(void *data, void *resource, uint64_t offset_B, unsigned size_B,
             const void *bytes)
{
   struct host *host = data;

   assert_ptr_equal(resource, host->buffer);
   assert_true(offset_B + size_B <= sizeof(host->buffer));
   memcpy(host->buffer + offset_B, bytes, size_B);
}

static void
performance(void *data, const char *message)
{
   struct host *host = data;

   host->performance_count++;
   snprintf(host->performance, sizeof(host->performance), "%s", message);
}

static uint64_t
time_ns(void *data)
{
   struct host *host = data;

   host->time_ns += host->time_step_ns;
   return host->time_ns;
}

static uint64_t suspended_so_far_ns;

static uint64_t
suspended_ns(void)
{
   return suspended_so_far_ns;
}

void
host_suspend(void)
{
   suspended_so_far_ns += 1000000000;
}

static const struct pitot_gl_host_ops host_ops = {
   .error = error,
   .flush = flush,
   .lookup_buffer = lookup_buffer,
   .open_buffer = open_buffer,
   .write_buffer = write_buffer,
   .performance = performance,
   .time_ns = time_ns,
};

static void
make(struct host *host, struct pitot_perf_provider *providers)
{
   struct pitot_perf *perf;

   assert_int_equal(pitot_gl_create(&host->info, &host->gl), 0);
   assert_int_equal(pitot_perf_create(pitot_gl_context(host->gl), providers,
                                      &perf),
                    0);
   host->perf = (struct pitot_perf_gl){ .gl = host->gl, .perf = perf };
}

void
host_init(struct host *host, enum pitot_gl_api api, unsigned features)
{
   memset(host, 0, sizeof(*host));
   memset(host->buffer, SCRIPT_UNTOUCHED_BYTE, sizeof(host->buffer));
   pitot_null_init(&host->null);
   host->null.can_store = true;
   host->info = (struct pitot_gl_info){
      .host = host,
      .host_ops = &host_ops,
      .driver = &host->null.base,
      .query_buffer = &host->bound,
      .context_flags = &host->context_flags,
      .api = api,
      .features = features,
      .stream_count = PITOT_MAX_STREAMS,
      .suspended_ns = suspended_ns,
   };
   make(host, null_sets_init(&host->sets, &host->null));
}

static void
destroy(struct host *host)
{
   pitot_perf_destroy(host->perf.perf);
   pitot_gl_destroy(host->gl);
}

void
host_remake(struct host *host)
{
   destroy(host);
   make(host, &host->sets.base);
}

void
host_remove_sets(struct host *host)
{
   host->null.time_bits = 0;
   destroy(host);
   make(host, NULL);
}

void
host_finish(struct host *host)
{
   destroy(host);
   assert_int_equal(host->null.alive, 0);
}

int
host_set_up(void **state)
{
   static struct host host;

   host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
   *state = &host;
   return 0;
}

int
host_tear_down(void **state)
{
   host_finish(*state);
   return 0;
}

unsigned
host_take_error(struct host *host)
{
   const unsigned gl_error = host->error;

   host->error = GL_NO_ERROR;
   return gl_error;
}
