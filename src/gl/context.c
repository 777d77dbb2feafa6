/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Creates and destroys the query state of a GL context, and reads the state
 * that no query object has: TIMESTAMP and GPU_DISJOINT_EXT.
 *
 * The host's query_buffer and context_flags are pointers: Pitot reads them at
 * each call, so the host must keep them valid as long as the context exists.
 */

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "gl_priv.h"

static_assert(offsetof(struct pitot_gl, info) == 0,
              "pitot_gl_info() relies on it");

int
pitot_gl_create(const struct pitot_gl_info *info, struct pitot_gl **gl_out)
{
   const struct pitot_gl_host_ops *ops = info->host_ops;
   assert(ops->error && ops->flush && ops->lookup_buffer &&
          ops->open_buffer && ops->write_buffer);
   assert(info->query_buffer && info->context_flags);
   assert(info->stream_count <= PITOT_MAX_STREAMS);
   (void)ops;

   struct pitot_gl *gl = calloc(1, sizeof(*gl));
   if (!gl)
      return -ENOMEM;

   gl->info = *info;

   /* "If an active query object is deleted its name immediately becomes
    * unused, but the underlying object is not deleted until it is no longer
    * active" (OpenGL ES 3.2, 5.1.3).  Desktop drivers end the query instead,
    * and piglit gen_delete_while_active expects that.
    */
   const struct pitot_context_info core_info = {
      .driver = info->driver,
      .delete_ends_active = info->api != PITOT_GL_ES,
      .suspended_ns = info->suspended_ns,
      .cpu_time_ns = info->cpu_time_ns,
   };
   const int error = pitot_context_create(&core_info, &gl->core);
   if (error) {
      free(gl);
      return error;
   }
   pitot_gl_targets_init(gl);
   gl->condition_mode_count = pitot_gl_condition_mode_count(info->features);
   *gl_out = gl;
   return 0;
}

void
pitot_gl_destroy(struct pitot_gl *gl)
{
   if (!gl)
      return;
   pitot_context_destroy(gl->core);
   free(gl);
}

struct pitot_context *
pitot_gl_context(const struct pitot_gl *gl)
{
   return gl->core;
}

static PITOT_COLD void
trace_value(struct pitot_gl *gl, const char *name, uint64_t value)
{
   const struct pitot_gl_call call = { gl, name };

   pitot_gl_trace(&call, " = %" PRIu64, value);
}

uint64_t
pitot_gl_timestamp(struct pitot_gl *gl)
{
   const uint64_t now_ns = pitot_timestamp_ns(gl->core);

   if (gl->info.trace)
      trace_value(gl, "TIMESTAMP", now_ns);
   return now_ns;
}

bool
pitot_gl_gpu_disjoint(struct pitot_gl *gl)
{
   const bool disjoint = pitot_disjoint_take(gl->core);

   if (gl->info.trace)
      trace_value(gl, "GPU_DISJOINT", disjoint);
   return disjoint;
}

bool
pitot_gl_is_counting_samples(const struct pitot_gl *gl)
{
   return pitot_query_active(gl->core, PITOT_KIND_SAMPLES_PASSED, 0) != NULL;
}
