/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The profile of a gl_context: measures with queries of its own on the same
 * pipe_context, whose functions are hooked.  Danger: Mesa compares these
 * functions and replaces them later: see hook_pipe() and update_array().
 */

#include "cso_cache/cso_context.h"
#include "main/context.h"
#include "main/glthread.h"
#include "pitot_clock.h"
#include "profile.h"
#include "state_tracker/st_atom.h"
#include "util/os_time.h"
#include "util/u_memory.h"
#include "util/u_thread.h"
#include "util/u_vbuf.h"
#include "versions.h"

/* Returns the context that the calling thread uses, or NULL.  With glthread,
 * its thread uses the context until its last batch is done.
 */
static struct pipe_context *
current_pipe(void)
{
   GET_CURRENT_CONTEXT(ctx);
   if (!ctx)
      return NULL;

   struct glthread_state *glthread = &ctx->GLThread;
   const bool is_here =
      !glthread->enabled || u_thread_is_self(glthread->queue.threads[0]) ||
      util_queue_fence_is_signalled(&glthread->batches[glthread->last].fence);

   return is_here ? ctx->pipe : NULL;
}

static bool
fence_is_done(void *data, void *fence)
{
   const struct pitot_mesa_profile *profile = data;

   return pitot_profile_fence_is_done(profile->ctx->screen, fence);
}

static void
fence_release(void *data, void *fence)
{
   const struct pitot_mesa_profile *profile = data;

   pitot_profile_fence_release(profile->ctx->screen, fence);
}

/*
 * The queries
 */

static bool
read_correlation(void *data, struct pitot_correlation *clocks_out)
{
   const struct pitot_mesa_profile *profile = data;

   (void)pitot_clock_read(profile->client.info.clock, clocks_out);
   clocks_out->gpu_ns =
      pitot_recorded_ns(profile->context, clocks_out->gpu_ns);
   return clocks_out->after_ns != 0;
}

/* Returns whether the kernel samples both clocks together, as xe does. */
static bool
is_correlated(const struct pitot_mesa_profile *profile)
{
   struct pitot_clock *clock = profile->client.info.clock;
   struct pitot_correlation clocks;

   return clock && pitot_clock_read(clock, &clocks) && clocks.after_ns != 0;
}

/* Internal draws are measured, too: the queries count in a counter of their
 * own, so nothing suspends them.  They neither call Mesa nor flush.
 */
static void
init_client(struct pitot_mesa_profile *profile, struct gl_context *ctx)
{
   struct pitot_pipe_info info = ctx->Pitot->client.info;

   info.counting = &profile->counting;
   info.render_condition = NULL;
   info.watch_draws = NULL;
   pitot_pipe_client_init(&profile->client, &info);
   profile->ops = *profile->client.base.ops;
   profile->ops.fence_create = NULL;
   profile->client.base.ops = &profile->ops;
}

static bool
create_queries(struct pitot_mesa_profile *profile)
{
   const struct pitot_context_info info = {
      .driver = &profile->client.base,
      .suspended_ns = pitot_mesa_suspended_ns,
      .cpu_time_ns = os_time_get_nano,
   };

   return pitot_context_create(&info, &profile->context) == 0 &&
          pitot_perf_create(profile->context,
                            pitot_perf_pipe_init(&profile->perf_pipe,
                                                 &profile->client),
                            &profile->perf) == 0;
}

static bool
create_profiled(struct pitot_mesa_profile *profile,
                struct pitot_profile *process)
{
   struct pipe_screen *screen = profile->ctx->screen;
   const struct pitot_profiled_info info = {
      .context = profile->context,
      .perf = profile->perf,
      .device = screen->get_name(screen),
      .correlate = is_correlated(profile) ? read_correlation : NULL,
      .is_executed_later = profile->client.info.is_threaded,
      .counts_one_by_one = screen->caps.query_pipeline_statistics_single &&
                           (!profile->client.info.has_struct ||
                            profile->client.info.counts_once),
      .fence_is_done = fence_is_done,
      .fence_release = fence_release,
      .describe_pass = pitot_mesa_describe_pass,
      .describe_work = pitot_mesa_describe_work,
      .pass_pixels = pitot_mesa_pass_pixels,
      .data = profile,
   };

   return pitot_profiled_create(process, &info, &profile->profiled) == 0;
}

/*
 * Hooking
 */

/* Replaces cso_context::draw_vbo. */
static void
draw_hooked(struct pipe_context *pipe, const struct pipe_draw_info *info,
            unsigned drawid_offset,
            const struct pipe_draw_indirect_info *indirect,
            const struct pipe_draw_start_count_bias *draws, unsigned count)
{
   struct pitot_profiled *profiled = pitot_profile_before_draw(pipe);
   const pipe_draw_func draw = pipe->vbuf ? u_vbuf_draw_vbo : pipe->draw_vbo;

   draw(pipe, info, drawid_offset, indirect, draws, count);
   pitot_profile_after_work(profiled);
}

/* Mesa's function takes a shortcut into u_threaded_context if
 * cso_context::draw_vbo is tc_draw_vbo, and may set another draw_vbo: it must
 * not find draw_hooked there.
 */
static void
update_array(struct st_context *st)
{
   struct pitot_mesa_profile *profile = st->ctx->Pitot->profile;
   struct cso_context *cso = st->cso_context;

   cso->draw_vbo = profile->draw_vbo;
   profile->update_array(st);
   profile->draw_vbo = cso->draw_vbo;
   cso->draw_vbo = draw_hooked;
}

/* Mesa chooses its function that updates arrays only after it created the
 * context.  The update of atomic buffers comes right before, and both are due
 * at the first draw: hook the arrays then.
 */
static void
update_first(struct st_context *st)
{
   struct pitot_mesa_profile *profile = st->ctx->Pitot->profile;
   st_update_func_t *functions = st->update_functions;

   functions[ST_INDEX(ST_NEW_HW_ATOMICS)] = profile->update_first;
   profile->update_array = functions[ST_INDEX(ST_NEW_VERTEX_ARRAYS)];
   functions[ST_INDEX(ST_NEW_VERTEX_ARRAYS)] = update_array;
   profile->update_first(st);
}

/* Mesa calls the hooks of pipe_context, but draws by cso_context::draw_vbo.
 * pipe_context::draw_vbo is not hooked: Mesa compares it with tc_draw_vbo,
 * and drivers without u_threaded_context may replace it.  In those, display
 * lists draw by draw_vertex_state, which is turned off.
 */
static bool
hook_pipe(struct pitot_mesa_profile *profile)
{
   struct gl_context *ctx = profile->ctx;
   st_update_func_t *functions = ctx->st->update_functions;

   profile->hooks =
      pitot_profile_hook(ctx->pipe, profile->profiled,
                         profile->client.info.is_threaded, current_pipe);
   if (!profile->hooks)
      return false;
   profile->draw_vbo = ctx->cso_context->draw_vbo;
   ctx->cso_context->draw_vbo = draw_hooked;
   if (profile->client.info.is_threaded) {
      profile->update_first = functions[ST_INDEX(ST_NEW_HW_ATOMICS)];
      functions[ST_INDEX(ST_NEW_HW_ATOMICS)] = update_first;
   } else {
      ctx->Const.HasDrawVertexState = false;
   }
   return true;
}

/* Restores Mesa's functions.  If context creation failed, ctx->st is NULL and
 * its functions are gone.
 */
static void
unhook_pipe(struct pitot_mesa_profile *profile)
{
   struct st_context *st = profile->ctx->st;

   pitot_profile_unhook(profile->hooks);
   if (!st)
      return;
   st->cso_context->draw_vbo = profile->draw_vbo;
   if (profile->update_array)
      st->update_functions[ST_INDEX(ST_NEW_VERTEX_ARRAYS)] =
         profile->update_array;
   else if (profile->update_first)
      st->update_functions[ST_INDEX(ST_NEW_HW_ATOMICS)] = profile->update_first;
}

void
pitot_mesa_profile_destroy(struct pitot_mesa_profile *profile)
{
   if (!profile)
      return;
   if (profile->hooks)
      unhook_pipe(profile);
   pitot_profiled_destroy(profile->profiled);
   pitot_perf_destroy(profile->perf);
   pitot_context_destroy(profile->context);
   pitot_pipe_client_finish(&profile->client);
   FREE(profile);
}

static bool
begin_profile(struct pitot_mesa_profile *profile,
              struct pitot_profile *process)
{
   if (profile->client.info.bins_time) {
      pitot_profile_print_reason(
         process, "this driver has to flush to measure a time");
      return false;
   }
   return create_queries(profile) && create_profiled(profile, process) &&
          hook_pipe(profile);
}

struct pitot_mesa_profile *
pitot_mesa_profile_create(struct gl_context *ctx)
{
   struct pitot_profile *process = pitot_profile_get();
   struct pitot_mesa_profile *profile =
      process ? CALLOC_STRUCT(pitot_mesa_profile) : NULL;

   if (!profile)
      return NULL;
   profile->ctx = ctx;
   init_client(profile, ctx);
   if (!begin_profile(profile, process)) {
      pitot_mesa_profile_destroy(profile);
      return NULL;
   }
   pitot_mesa_profile_set_calls(ctx->Dispatch.OutsideBeginEnd);
   if (ctx->Dispatch.Save) /* copied from OutsideBeginEnd */
      pitot_mesa_profile_set_calls(ctx->Dispatch.Save);
   return profile;
}
