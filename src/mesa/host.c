/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot_gl_host_ops over a gl_context, and the life of gl_context::Pitot:
 * from pitot_mesa_init() to _mesa_free_queryobj_data(), which also runs if
 * context creation failed.  Then it may be NULL.
 */

#include <string.h>
#include <time.h>

#include "cso_cache/cso_context.h"
#include "main/bufferobj.h"
#include "main/context.h"
#include "main/debug_output.h"
#include "main/errors.h"
#include "main/extensions.h"
#include "main/queryobj.h"
#include "pitot/clock.h"
#include "pitot_compiler.h"
#include "pitot_mesa.h"
#include "pitot_pipe_driver.h"
#include "profile.h"
#include "state_tracker/st_cb_bitmap.h"
#include "state_tracker/st_context.h"
#include "util/os_misc.h"
#include "util/os_time.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_threaded_context.h"
#include "versions.h"

static void
host_error(void *host, unsigned gl_error, const char *command,
           const char *reason)
{
   _mesa_error(host, gl_error, "%s(%s)", command, reason);
}

static PITOT_COLD void
flush_buffered(struct gl_context *ctx)
{
   FLUSH_VERTICES(ctx, 0, 0);
   st_flush_bitmap_cache(ctx->st);
}

static void
host_flush(void *host)
{
   struct gl_context *ctx = host;

   if (ctx->Driver.NeedFlush & FLUSH_STORED_VERTICES ||
       !ctx->st->bitmap.cache.empty)
      flush_buffered(ctx);
}

static void *
host_lookup_buffer(void *host, uint32_t name, const char *command)
{
   return _mesa_lookup_bufferobj_err(host, name, command);
}

static void
host_open_buffer(void *host, void *buffer,
                 struct pitot_gl_destination *destination_out)
{
   struct gl_buffer_object *object = buffer;
   const struct gl_buffer_mapping *map = &object->Mappings[MAP_USER];

   *destination_out = (struct pitot_gl_destination){
      .resource = object->buffer,
      .size_B = object->Size,
      .is_mapped =
         map->Pointer && !(map->AccessFlags & GL_MAP_PERSISTENT_BIT),
   };
   object->MinMaxCacheDirty = true;
   host_flush(host);
}

/* The memory of a buffer that may be mapped cannot be replaced. */
static void
host_write_buffer(void *host, void *resource, uint64_t offset_B,
                  unsigned size_B, const void *data)
{
   struct pipe_context *pipe = ((struct gl_context *)host)->pipe;
   const struct pipe_resource *buffer = resource;
   const unsigned usage = buffer->flags & PIPE_RESOURCE_FLAG_MAP_PERSISTENT
                             ? PIPE_MAP_DIRECTLY
                             : 0;

   pipe->buffer_subdata(pipe, resource, PIPE_MAP_WRITE | usage, offset_B,
                        size_B, data);
}

static void
host_performance(void *host, const char *message)
{
   static GLuint id = 0;

   _mesa_gl_debugf(host, &id, MESA_DEBUG_SOURCE_API,
                   MESA_DEBUG_TYPE_PERFORMANCE, MESA_DEBUG_SEVERITY_MEDIUM,
                   "%s", message);
}

static uint64_t
host_time_ns(void *host)
{
   return os_time_get_nano();
}

static const struct pitot_gl_host_ops host_ops = {
   .error = host_error,
   .flush = host_flush,
   .lookup_buffer = host_lookup_buffer,
   .open_buffer = host_open_buffer,
   .write_buffer = host_write_buffer,
   .performance = host_performance,
   .time_ns = host_time_ns,
};

/* cso suspends the condition around Mesa's internal draws. */
static void
render_condition(void *data, struct pipe_query *query, bool condition,
                 enum pipe_render_cond_flag mode)
{
   cso_set_render_condition(data, query, condition, mode);
}

/* Some drivers report a reset only once: keep it for the application. */
static bool
is_lost(void *data)
{
   struct gl_context *ctx = data;
   struct pipe_context *pipe = ctx->pipe;
   const enum pipe_reset_status status =
      pipe->get_device_reset_status ? pipe->get_device_reset_status(pipe)
                                    : PIPE_NO_RESET;

   if (status != PIPE_NO_RESET)
      ctx->st->reset_status = status;
   return status != PIPE_NO_RESET;
}

static unsigned
features_of(const struct gl_context *ctx)
{
   const bool is_desktop = _mesa_is_desktop_gl(ctx);
   const bool has_disjoint = _mesa_has_EXT_disjoint_timer_query(ctx);
   const bool has_arb_timer = _mesa_has_ARB_timer_query(ctx);
   const struct {
      enum pitot_gl_feature feature;
      bool is_there;
   } features[] = {
      { PITOT_GL_OCCLUSION, _mesa_has_occlusion_query(ctx) },
      { PITOT_GL_OCCLUSION_BOOLEAN, _mesa_has_occlusion_query_boolean(ctx) },
      { PITOT_GL_OCCLUSION_CONSERVATIVE,
        _mesa_has_ARB_ES3_compatibility(ctx) ||
           _mesa_has_EXT_occlusion_query_boolean(ctx) },
      { PITOT_GL_OCCLUSION_ALIAS, _mesa_has_ARB_ES3_compatibility(ctx) ||
                                     (!is_desktop && ctx->Version >= 30) },
      { PITOT_GL_TIME_ELAPSED,
        _mesa_has_EXT_timer_query(ctx) || has_arb_timer || has_disjoint },
      { PITOT_GL_TIMESTAMP, has_arb_timer || has_disjoint },
      { PITOT_GL_PRIMITIVES_GENERATED,
        _mesa_has_EXT_transform_feedback(ctx) ||
           _mesa_has_EXT_tessellation_shader(ctx) ||
           _mesa_has_OES_geometry_shader(ctx) },
      { PITOT_GL_PRIMITIVES_WRITTEN,
        _mesa_has_EXT_transform_feedback(ctx) || _mesa_is_gles3(ctx) },
      { PITOT_GL_OVERFLOW,
        _mesa_has_ARB_transform_feedback_overflow_query(ctx) },
      { PITOT_GL_STATISTICS, _mesa_has_pipeline_statistics(ctx) },
      { PITOT_GL_GEOMETRY, _mesa_has_geometry_shaders(ctx) },
      { PITOT_GL_TESSELLATION, _mesa_has_tessellation(ctx) },
      { PITOT_GL_COMPUTE, _mesa_has_compute_shaders(ctx) },
      { PITOT_GL_COUNTER_BITS, is_desktop || has_disjoint },
      { PITOT_GL_QUERY_BUFFER, _mesa_has_ARB_query_buffer_object(ctx) },
      { PITOT_GL_QUERY_TARGET, _mesa_has_ARB_direct_state_access(ctx) },
      { PITOT_GL_CONDITION, _mesa_has_NV_conditional_render(ctx) },
      { PITOT_GL_CONDITION_INVERTED,
        _mesa_has_ARB_conditional_render_inverted(ctx) },
      { PITOT_GL_MESH, _mesa_has_EXT_mesh_shader(ctx) },
   };
   unsigned all = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(features); i++)
      all |= features[i].is_there ? features[i].feature : 0;
   return all;
}

/* Unlike CLOCK_MONOTONIC, CLOCK_BOOTTIME runs while the system sleeps. */
uint64_t
pitot_mesa_suspended_ns(void)
{
#ifdef CLOCK_BOOTTIME
   struct timespec boot, awake;

   clock_gettime(CLOCK_MONOTONIC, &awake);
   clock_gettime(CLOCK_BOOTTIME, &boot);
   return (boot.tv_sec - awake.tv_sec) * (int64_t)PITOT_NS_PER_S +
          boot.tv_nsec - awake.tv_nsec;
#else
   return 0;
#endif
}

/* PITOT_DEBUG=trace: see docs/environment.md. */
static FILE *
trace_file(void)
{
   const char *debug = os_get_option("PITOT_DEBUG");

   return debug && strcmp(debug, "trace") == 0 ? stderr : NULL;
}

static enum pitot_gl_api
api_of(const struct gl_context *ctx)
{
   if (_mesa_is_gles(ctx))
      return PITOT_GL_ES;
   return _mesa_is_desktop_gl_core(ctx) ? PITOT_GL_CORE : PITOT_GL_COMPAT;
}

/* Every driver exposes INTEL_performance_query and AMD_performance_monitor,
 * if need be with Pitot's counters, and EXT_disjoint_timer_query, if need be
 * without timestamps ("the number of query counter bits may be zero").
 */
static void
expose_extensions(struct gl_context *ctx)
{
   struct gl_extensions *extensions = &ctx->Extensions;

   extensions->INTEL_performance_query =
      _mesa_is_gles2(ctx) || ctx->Version >= 30;
   extensions->AMD_performance_monitor = true;
   if (_mesa_is_gles2(ctx) && extensions->EXT_timer_query)
      extensions->EXT_disjoint_timer_query = GL_TRUE;
   _mesa_override_extensions(ctx);
}

/* Weak: defined only if Mesa has a driver whose queries are Pitot's. */
#pragma weak pitot_pipe_driver_info

/* Describes the queries of this context: Pitot's, or the driver's own, also
 * where Pitot had no memory.  So the context decides, not the screen.
 */
static struct pitot_pipe_info
describe_context(struct gl_context *ctx)
{
   const bool is_threaded = ctx->pipe->draw_vbo == tc_draw_vbo;
   const struct pitot_pipe_driver *driver =
      is_threaded ? threaded_context(ctx->pipe)->pipe->pitot
                  : ctx->pipe->pitot;
   struct pitot_pipe_info info = driver
                                    ? pitot_pipe_driver_info(driver)
                                    : pitot_pipe_info_of(ctx->pipe->screen);

   info.pipe = ctx->pipe;
   info.counting = &ctx->st->active_queries;
   info.render_condition = render_condition;
   info.condition_data = ctx->cso_context;
   info.watch_draws = pitot_mesa_watch_draws;
   info.data = ctx;
   info.is_lost = is_lost;
   info.is_threaded = is_threaded;

   /* Not needed with u_threaded_context-flushed-before-end.patch. */
   info.keeps_queries_apart |= info.is_threaded && !PITOT_HAS_MESA_FIXES;
   return info;
}

static bool
init_perf(struct pitot_mesa *pitot)
{
   struct pitot_perf *perf;

   if (pitot_perf_create(pitot_gl_context(pitot->gl),
                         pitot_perf_pipe_init(&pitot->perf_pipe,
                                              &pitot->client),
                         &perf))
      return false;
   pitot->perf = (struct pitot_perf_gl){ .gl = pitot->gl, .perf = perf };
   return true;
}

static void
destroy_pitot(struct pitot_mesa *pitot)
{
   pitot_mesa_profile_destroy(pitot->profile);
   pitot_perf_destroy(pitot->perf.perf);
   pitot_gl_destroy(pitot->gl);
   pitot_pipe_client_finish(&pitot->client);
   FREE(pitot);
}

bool
pitot_mesa_init(struct gl_context *ctx)
{
   struct pitot_mesa *pitot = CALLOC_STRUCT(pitot_mesa);
   if (!pitot)
      return false;

   expose_extensions(ctx);
   pitot->ctx = ctx;
   const struct pitot_pipe_info pipe_info = describe_context(ctx);
   pitot_pipe_client_init(&pitot->client, &pipe_info);
   pitot_mesa_init_watch(ctx);

   const struct pitot_gl_info info = {
      .host = ctx,
      .host_ops = &host_ops,
      .driver = &pitot->client.base,
      .query_buffer = (void *const *)&ctx->QueryBuffer,
      .context_flags = &ctx->Const.ContextFlags,
      .api = api_of(ctx),
      .features = features_of(ctx),
      .suspended_ns = pitot_mesa_suspended_ns,
      .cpu_time_ns = os_time_get_nano,
      .trace = trace_file(),
      .stream_count =
         CLAMP(ctx->Const.MaxVertexStreams, 1, PITOT_MAX_STREAMS),
   };
   if (pitot_gl_create(&info, &pitot->gl) || !init_perf(pitot)) {
      destroy_pitot(pitot);
      return false;
   }
   ctx->Pitot = pitot;
   pitot_mesa_set_calls(ctx->Dispatch.OutsideBeginEnd);
   if (ctx->Dispatch.Save) /* copied from OutsideBeginEnd */
      pitot_mesa_set_calls(ctx->Dispatch.Save);
   pitot->profile = pitot_mesa_profile_create(ctx);
   return true;
}

/* Empty: pitot_mesa_init() needs the GL version, which is not known yet. */
void
_mesa_init_queryobj(struct gl_context *ctx)
{
}

void
_mesa_free_queryobj_data(struct gl_context *ctx)
{
   if (!ctx->Pitot)
      return;
   destroy_pitot(ctx->Pitot);
   ctx->Pitot = NULL;
}

uint64_t
_mesa_get_timestamp(struct gl_context *ctx)
{
   return pitot_gl_timestamp(ctx->Pitot->gl);
}
