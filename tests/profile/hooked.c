/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "hooked.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pitot_profile.h"
#include "wrapped.h"

#define LOG_SIZE 512

static char call_log[LOG_SIZE];
static uint64_t now_ns = 1;

uint64_t wait_ns;
int fence_refs;
bool wants_fence, has_no_fence;
struct pipe_context *current_pipe;

void
log_call(const char *format, ...)
{
   const size_t used = strlen(call_log);
   va_list arguments;

   va_start(arguments, format);
   snprintf(call_log + used, LOG_SIZE - used, " ");
   vsnprintf(call_log + used + 1, LOG_SIZE - used - 1, format, arguments);
   va_end(arguments);
}

void
expect(const char *calls)
{
   assert_string_equal(call_log, calls);
   call_log[0] = '\0';
}

static const char *const work_names[PITOT_PROFILE_WORK_COUNT] = {
   [PITOT_PROFILE_DRAW] = "draw",   [PITOT_PROFILE_DISPATCH] = "dispatch",
   [PITOT_PROFILE_CLEAR] = "clear", [PITOT_PROFILE_BLIT] = "blit",
   [PITOT_PROFILE_COPY] = "copy",
};

void
pitot_profile_before_work(struct pitot_profiled *profiled,
                          enum pitot_profile_work work)
{
   log_call("%c:%s", profiled->name, work_names[work]);
}

void
pitot_profile_after_work(struct pitot_profiled *profiled)
{
   log_call("%c:done", profiled->name);
}

void
pitot_profile_may_send(struct pitot_profiled *profiled)
{
   log_call("%c:may_send", profiled->name);
}

void
pitot_profile_pass_ends(struct pitot_profiled *profiled)
{
   log_call("%c:pass_ends", profiled->name);
}

void
pitot_profile_frame_ends(struct pitot_profiled *profiled)
{
   log_call("%c:frame_ends", profiled->name);
}

void
pitot_profile_before_flush(struct pitot_profiled *profiled,
                           bool is_end_of_frame)
{
   log_call("%c:%s", profiled->name,
            is_end_of_frame ? "end_of_frame" : "flush");
}

void
pitot_profile_flushed(struct pitot_profiled *profiled, void *fence)
{
   log_call("%c:flushed%s", profiled->name, fence ? "(fence)" : "");
}

void
pitot_profile_waited(struct pitot_profiled *profiled)
{
   log_call("%c:waited", profiled->name);
}

bool
pitot_profile_wants_fence(const struct pitot_profiled *profiled)
{
   return wants_fence;
}

void
pitot_profile_cpu_call(struct pitot_profiled *profiled, const char *category,
                       const char *name, uint64_t begin_ns, uint64_t end_ns,
                       uint64_t size_B)
{
   assert_true(begin_ns <= end_ns);
   if (strstr(name, "fence"))
      assert_int_equal(size_B, 0);
   if (strcmp(category, "wait") == 0)
      log_call("%c:wait", profiled->name);
   else
      log_call("%c:%s(%u)", profiled->name, category, (unsigned)size_B);
}

WRAPPED(int, clock_gettime, (clockid_t id, struct timespec *time_out))
{
   *time_out = (struct timespec){ .tv_sec = (time_t)(now_ns / 1000000000),
                                  .tv_nsec = (long)(now_ns % 1000000000) };
   return 0;
}

static void
wait_for_gpu(void)
{
   now_ns += wait_ns;
}

static void
driver_draw_vbo(struct pipe_context *pipe, const struct pipe_draw_info *info,
                unsigned drawid_offset,
                const struct pipe_draw_indirect_info *indirect,
                const struct pipe_draw_start_count_bias *draws,
                unsigned count)
{
   log_call("DRAW(%u,%u)", drawid_offset, count);
}

static void
driver_draw_vertex_state(struct pipe_context *pipe,
                         struct pipe_vertex_state *state, uint32_t velem_mask,
                         struct pipe_draw_vertex_state_info info,
                         const struct pipe_draw_start_count_bias *draws,
                         unsigned count)
{
   log_call("DRAW(%u,%u)", velem_mask, count);
}

static void
driver_draw_mesh_tasks(struct pipe_context *pipe,
                       PITOT_BEFORE_25_2(unsigned drawid_offset,)
                       const struct pipe_grid_info *info)
{
   log_call("DRAW(%u)", info->block[0]);
}

static void
driver_launch_grid(struct pipe_context *pipe,
                   const struct pipe_grid_info *info)
{
   log_call("GRID");
}

static void
driver_clear(struct pipe_context *pipe, unsigned buffers,
             PITOT_SINCE_26_1(uint32_t color_mask, uint8_t stencil_mask,)
             const struct pipe_scissor_state *scissor,
             const union pipe_color_union *color, double depth,
             unsigned stencil)
{
   log_call("CLEAR(%u,%g,%u)", buffers, depth, stencil);
}

static void
driver_clear_render_target(struct pipe_context *pipe,
                           struct pipe_surface *surface,
                           const union pipe_color_union *color, unsigned x,
                           unsigned y, unsigned width, unsigned height,
                           bool is_conditional)
{
   log_call("CLEAR(%u,%u,%u,%u,%u)", x, y, width, height, is_conditional);
}

static void
driver_clear_depth_stencil(struct pipe_context *pipe,
                           struct pipe_surface *surface, unsigned flags,
                           double depth, unsigned stencil, unsigned x,
                           unsigned y, unsigned width, unsigned height,
                           bool is_conditional)
{
   log_call("CLEAR(%u,%g,%u,%u,%u,%u,%u,%u)", flags, depth, stencil, x, y,
            width, height, is_conditional);
}

static void
driver_clear_texture(struct pipe_context *pipe,
                     struct pipe_resource *resource, unsigned level,
                     const struct pipe_box *box, const void *data)
{
   log_call("CLEAR(%u)", level);
}

static void
driver_clear_buffer(struct pipe_context *pipe, struct pipe_resource *resource,
                    unsigned offset_B, unsigned size_B, const void *value,
                    int value_size_B)
{
   log_call("CLEAR(%u,%u,%d)", offset_B, size_B, value_size_B);
}

/* Like drivers that blit by drawing with the context's functions. */
static void
driver_blit(struct pipe_context *pipe, const struct pipe_blit_info *info)
{
   log_call("BLIT(");
   pipe->set_framebuffer_state(pipe, NULL);
   pipe->clear(pipe, 1, PITOT_SINCE_26_1(0, 0,) NULL, NULL, 0.0, 0);
   log_call(")");
}

static void
driver_resource_copy_region(struct pipe_context *pipe,
                            struct pipe_resource *target,
                            unsigned target_level, unsigned x, unsigned y,
                            unsigned z, struct pipe_resource *source,
                            unsigned source_level, const struct pipe_box *box)
{
   log_call("COPY(%u,%u,%u,%u,%u)", target_level, x, y, z, source_level);
}

static bool
driver_generate_mipmap(struct pipe_context *pipe,
                       struct pipe_resource *resource,
                       enum pipe_format format, unsigned base_level,
                       unsigned last_level, unsigned first_layer,
                       unsigned last_layer)
{
   log_call("MIPMAP(%u,%u,%u,%u)", base_level, last_level, first_layer,
            last_layer);
   return base_level == 1;
}

static void
driver_flush_resource(struct pipe_context *pipe,
                      struct pipe_resource *resource)
{
   log_call("RESOLVE");
}

static void
driver_set_framebuffer_state(struct pipe_context *pipe,
                             const struct pipe_framebuffer_state *state)
{
   log_call("FRAMEBUFFER");
}

static void
driver_flush(struct pipe_context *pipe, struct pipe_fence_handle **fence_out,
             unsigned flags)
{
   log_call("FLUSH(%u)", flags);
   if (!fence_out || has_no_fence)
      return;
   *fence_out = (struct pipe_fence_handle *)&fence_refs;
   fence_refs++;
}

static void *
driver_texture_map(struct pipe_context *pipe, struct pipe_resource *resource,
                   unsigned level, unsigned usage, const struct pipe_box *box,
                   struct pipe_transfer **transfer_out)
{
   log_call("MAP(%u)", level);
   wait_for_gpu();
   return level == 9 ? NULL : resource;
}

/* As Mesa's default does. */
static void
driver_texture_subdata(struct pipe_context *pipe,
                       struct pipe_resource *resource, unsigned level,
                       unsigned usage, const struct pipe_box *box,
                       const void *data, unsigned stride_B,
                       uintptr_t layer_stride_B)
{
   log_call("SUBDATA(");
   pipe->texture_map(pipe, resource, level, PIPE_MAP_WRITE, box, NULL);
   log_call(")");
}

static void
driver_buffer_subdata(struct pipe_context *pipe,
                      struct pipe_resource *resource, unsigned usage,
                      unsigned offset_B, unsigned size_B, const void *data)
{
   log_call("SUBDATA(%u,%u)", offset_B, size_B);
}

static void
driver_fence_reference(struct pipe_screen *screen,
                       struct pipe_fence_handle **fence,
                       struct pipe_fence_handle *other)
{
   fence_refs += (other != NULL) - (*fence != NULL);
   *fence = other;
}

static bool
driver_fence_finish(struct pipe_screen *screen, struct pipe_context *pipe,
                    struct pipe_fence_handle *fence, uint64_t timeout_ns)
{
   log_call("WAIT(%u,%u)", pipe != NULL, (unsigned)timeout_ns);
   wait_for_gpu();
   return fence;
}

static void
driver_flush_frontbuffer(struct pipe_screen *screen,
                         struct pipe_context *pipe,
                         struct pipe_resource *resource, unsigned level,
                         unsigned layer, void *drawable, unsigned box_count,
                         struct pipe_box *boxes)
{
   log_call("SHOW(%u,%u,%u)", level, layer, box_count);
}

void
set_up_context(struct pipe_context *pipe, struct pipe_screen *screen)
{
   *pipe = (struct pipe_context){
      .screen = screen,
      .draw_vbo = driver_draw_vbo,
      .draw_vertex_state = driver_draw_vertex_state,
      .draw_mesh_tasks = driver_draw_mesh_tasks,
      .launch_grid = driver_launch_grid,
      .clear = driver_clear,
      .clear_render_target = driver_clear_render_target,
      .clear_depth_stencil = driver_clear_depth_stencil,
      .clear_texture = driver_clear_texture,
      .clear_buffer = driver_clear_buffer,
      .blit = driver_blit,
      .resource_copy_region = driver_resource_copy_region,
      .generate_mipmap = driver_generate_mipmap,
      .flush_resource = driver_flush_resource,
      .set_framebuffer_state = driver_set_framebuffer_state,
      .flush = driver_flush,
      .buffer_map = driver_texture_map,
      .texture_map = driver_texture_map,
      .buffer_subdata = driver_buffer_subdata,
      .texture_subdata = driver_texture_subdata,
   };
}

void
set_up_screen(struct pipe_screen *screen)
{
   screen->fence_reference = driver_fence_reference;
   screen->fence_finish = driver_fence_finish;
   screen->flush_frontbuffer = driver_flush_frontbuffer;
}

struct pipe_context *
current(void)
{
   return current_pipe;
}

int
set_up(void **state)
{
   struct machine *m = calloc(1, sizeof(*m));

   set_up_screen(&m->screen);
   set_up_context(&m->own, &m->screen);
   m->pipe = m->other = m->own;
   m->texture.target = PIPE_TEXTURE_2D;
   m->texture.format = PIPE_FORMAT_R8G8B8A8_UNORM;
   m->buffer.target = PIPE_BUFFER;
   m->surface.texture = &m->texture;
   m->profiled.name = 'a';
   m->other_profiled.name = 'b';
   m->hooks = pitot_profile_hook(&m->pipe, &m->profiled, true, current);
   assert_non_null(m->hooks);
   current_pipe = NULL;
   fence_refs = 0;
   wants_fence = has_no_fence = false;
   wait_ns = 1000;
   call_log[0] = '\0';
   *state = m;
   return 0;
}

int
tear_down(void **state)
{
   struct machine *m = *state;

   pitot_profile_unhook(m->hooks);
   assert_memory_equal(&m->pipe, &m->own, sizeof(m->own));
   assert_int_equal(fence_refs, 0);
   free(m);
   return 0;
}
