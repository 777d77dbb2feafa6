/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The hooks find the functions that they replaced in lists that they read
 * without a lock.  So the entries of the lists are never freed: an entry of a
 * context without a pipe serves the next context.
 *
 * The danger: a driver may replace a function at any draw, and the hook is
 * gone.  So each draw hooks again, except under u_threaded_context.
 */

#include "hooks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "pipe/p_screen.h"
#include "pipe/p_state.h"
#include "pitot_profile.h"
#include "util/format/u_format.h"
#include "versions.h"

/* A call that takes less has not waited for the GPU. */
#define MIN_WAIT_NS 1000

#define HOOKED(X)                                                            \
   X(blit)                                                                   \
   X(buffer_map)                                                             \
   X(buffer_subdata)                                                         \
   X(clear)                                                                  \
   X(clear_buffer)                                                           \
   X(clear_depth_stencil)                                                    \
   X(clear_render_target)                                                    \
   X(clear_texture)                                                          \
   X(draw_mesh_tasks)                                                        \
   X(flush)                                                                  \
   X(flush_resource)                                                         \
   X(generate_mipmap)                                                        \
   PITOT_SINCE_25_2(X(image_copy_buffer))                                    \
   X(launch_grid)                                                            \
   X(resource_copy_region)                                                   \
   X(set_framebuffer_state)                                                  \
   X(texture_map)                                                            \
   X(texture_subdata)

struct pitot_profile_hooks {
   struct pitot_profile_hooks *next;  /* in all_hooks, permanently */
   struct pipe_context *_Atomic pipe; /* or NULL: free for reuse */
   struct pitot_profiled *profiled;
   bool is_threaded;
   struct pipe_context driver; /* the context's own functions */
   const struct pipe_resource *target;
   unsigned transfer_depth; /* of uploads, which may map */
};

static struct pitot_profile_hooks *_Atomic all_hooks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of writers */

/* Returns NULL if the context is not hooked. */
static struct pitot_profile_hooks *
hooks_of(const struct pipe_context *pipe)
{
   struct pitot_profile_hooks *hooks = pipe ? atomic_load(&all_hooks) : NULL;

   while (hooks &&
          atomic_load_explicit(&hooks->pipe, memory_order_acquire) != pipe)
      hooks = hooks->next;
   return hooks;
}

/*
 * Work
 */

/* Reports work to the profile, right before it. */
static struct pitot_profile_hooks *
begin_work(struct pipe_context *pipe, enum pitot_profile_work work,
           const struct pipe_resource *target)
{
   struct pitot_profile_hooks *hooks = hooks_of(pipe);

   hooks->target = target;
   pitot_profile_before_work(hooks->profiled, work);
   return hooks;
}

/* Defines the hook of a function that sends work to a resource, or NULL: to
 * the framebuffer.  PARAMETERS are the function's without the context.
 */
#define WORK(FUNCTION, KIND, TARGET, PARAMETERS, ...)                        \
   static void pitot_profile_hook_##FUNCTION(struct pipe_context *pipe,      \
                                             PITOT_LIST PARAMETERS)          \
   {                                                                         \
      const struct pitot_profile_hooks *hooks =                              \
         begin_work(pipe, PITOT_PROFILE_##KIND, TARGET);                     \
                                                                             \
      hooks->driver.FUNCTION(pipe, __VA_ARGS__);                             \
      pitot_profile_after_work(hooks->profiled);                             \
   }

#define PITOT_LIST(...) __VA_ARGS__

WORK(draw_vertex_state, DRAW, NULL,
     (struct pipe_vertex_state * state, uint32_t velem_mask,
      struct pipe_draw_vertex_state_info info,
      const struct pipe_draw_start_count_bias *draws, unsigned count),
     state, velem_mask, info, draws, count)

WORK(draw_mesh_tasks, DRAW, NULL,
     (PITOT_BEFORE_25_2(unsigned drawid_offset,)
      const struct pipe_grid_info *info),
     PITOT_BEFORE_25_2(drawid_offset,) info)

WORK(launch_grid, DISPATCH, NULL, (const struct pipe_grid_info *info), info)

WORK(clear, CLEAR, NULL,
     (unsigned buffers,
      PITOT_SINCE_26_1(uint32_t color_mask, uint8_t stencil_mask,)
      const struct pipe_scissor_state *scissor,
      const union pipe_color_union *color, double depth, unsigned stencil),
     buffers, PITOT_SINCE_26_1(color_mask, stencil_mask,) scissor, color,
     depth, stencil)

WORK(clear_render_target, CLEAR, surface->texture,
     (struct pipe_surface * surface, const union pipe_color_union *color,
      unsigned x, unsigned y, unsigned width, unsigned height,
      bool is_conditional),
     surface, color, x, y, width, height, is_conditional)

WORK(clear_depth_stencil, CLEAR, surface->texture,
     (struct pipe_surface * surface, unsigned flags, double depth,
      unsigned stencil, unsigned x, unsigned y, unsigned width,
      unsigned height, bool is_conditional),
     surface, flags, depth, stencil, x, y, width, height, is_conditional)

WORK(clear_texture, CLEAR, resource,
     (struct pipe_resource * resource, unsigned level,
      const struct pipe_box *box, const void *data),
     resource, level, box, data)

WORK(clear_buffer, CLEAR, resource,
     (struct pipe_resource * resource, unsigned offset_B, unsigned size_B,
      const void *value, int value_size_B),
     resource, offset_B, size_B, value, value_size_B)

WORK(blit, BLIT, info->dst.resource, (const struct pipe_blit_info *info),
     info)

WORK(resource_copy_region, COPY, target,
     (struct pipe_resource * target, unsigned target_level, unsigned x,
      unsigned y, unsigned z, struct pipe_resource *source,
      unsigned source_level, const struct pipe_box *box),
     target, target_level, x, y, z, source, source_level, box)

PITOT_SINCE_25_2(WORK(
   image_copy_buffer, COPY, target,
   (struct pipe_resource * target, struct pipe_resource *source,
    unsigned offset_B, unsigned stride_B, unsigned layer_stride_B,
    unsigned level, const struct pipe_box *box),
   target, source, offset_B, stride_B, layer_stride_B, level, box))

/* Mesa calls this function before each swap.  It is not reported as work,
 * because most drivers do nothing in it.
 */
static void
pitot_profile_hook_flush_resource(struct pipe_context *pipe,
                                  struct pipe_resource *resource)
{
   const struct pitot_profile_hooks *hooks = hooks_of(pipe);

   pitot_profile_may_send(hooks->profiled);
   hooks->driver.flush_resource(pipe, resource);
}

/* If the driver cannot generate mipmaps, it returns false, and Mesa blits. */
static bool
pitot_profile_hook_generate_mipmap(struct pipe_context *pipe,
                                   struct pipe_resource *resource,
                                   enum pipe_format format,
                                   unsigned base_level, unsigned last_level,
                                   unsigned first_layer, unsigned last_layer)
{
   const struct pitot_profile_hooks *hooks =
      begin_work(pipe, PITOT_PROFILE_BLIT, resource);
   const bool is_done =
      hooks->driver.generate_mipmap(pipe, resource, format, base_level,
                                    last_level, first_layer, last_layer);

   pitot_profile_after_work(hooks->profiled);
   return is_done;
}

/*
 * Passes and flushes
 */

static void
pitot_profile_hook_set_framebuffer_state(
   struct pipe_context *pipe, const struct pipe_framebuffer_state *state)
{
   const struct pitot_profile_hooks *hooks = hooks_of(pipe);

   pitot_profile_pass_ends(hooks->profiled);
   hooks->driver.set_framebuffer_state(pipe, state);
}

/* A deferred flush without a fence does nothing: the pass continues. */
static void
pitot_profile_hook_flush(struct pipe_context *pipe,
                         struct pipe_fence_handle **fence_out, unsigned flags)
{
   struct pitot_profile_hooks *hooks = hooks_of(pipe);
   struct pipe_screen *screen = pipe->screen;
   struct pipe_fence_handle *fence = NULL;

   if (!fence_out && flags & PIPE_FLUSH_DEFERRED) {
      hooks->driver.flush(pipe, NULL, flags);
      return;
   }
   pitot_profile_before_flush(hooks->profiled,
                              flags & PIPE_FLUSH_END_OF_FRAME);
   hooks->driver.flush(pipe, fence_out ? fence_out : &fence, flags);
   if (fence_out && *fence_out)
      screen->fence_reference(screen, &fence, *fence_out);
   pitot_profile_flushed(hooks->profiled, fence);
}

/*
 * Uploads and readbacks: reported as CPU calls
 */

static uint64_t
size_of(const struct pipe_resource *resource, const struct pipe_box *box)
{
   if (resource->target == PIPE_BUFFER)
      return box->width;
   return (uint64_t)util_format_get_nblocks(resource->format, box->width,
                                            box->height) *
          box->depth * util_format_get_blocksize(resource->format);
}

/* Reports a call that ends now as a wait, if it took at least MIN_WAIT_NS. */
static void
tell_wait(const struct pitot_profile_hooks *hooks, const char *name,
          uint64_t begin_ns, uint64_t size_B)
{
   const uint64_t end_ns = pitot_profile_now_ns();

   if (end_ns - begin_ns >= MIN_WAIT_NS)
      pitot_profile_cpu_call(hooks->profiled, "wait", name, begin_ns, end_ns,
                             size_B);
}

/* A map.  begin_ns is 0 if the map is not reported. */
struct map {
   const struct pitot_profile_hooks *hooks;
   bool is_read, is_flush;
   uint64_t begin_ns;
};

/* Begins a map.  A map to read ends the pass first: otherwise the pass would
 * last until the CPU has waited for the data.
 */
static struct map
begin_map(struct pipe_context *pipe, unsigned usage)
{
   struct map map = { .hooks = hooks_of(pipe) };
   struct pitot_profiled *profiled = map.hooks->profiled;

   /* Another thread may be using the context. */
   if (usage & (PIPE_MAP_UNSYNCHRONIZED | PIPE_MAP_THREAD_SAFE) ||
       map.hooks->transfer_depth)
      return map;
   map.is_read = usage & PIPE_MAP_READ;
   map.is_flush = map.is_read && pitot_profile_wants_fence(profiled);
   if (map.is_flush)
      pitot_profile_before_flush(profiled, false);
   else if (map.is_read)
      pitot_profile_pass_ends(profiled);
   else
      pitot_profile_may_send(profiled);
   map.begin_ns = pitot_profile_now_ns();
   return map;
}

static void
end_map(const struct map *map, uint64_t size_B)
{
   const struct pitot_profile_hooks *hooks = map->hooks;
   struct pipe_fence_handle *fence = NULL;

   if (map->begin_ns == 0)
      return;

   const uint64_t end_ns = pitot_profile_now_ns();

   /* The driver has flushed to read the data: add a fence for the spans. */
   if (map->is_flush) {
      hooks->driver.flush(hooks->pipe, &fence, PIPE_FLUSH_DEFERRED);
      pitot_profile_flushed(hooks->profiled, fence);
   }
   if (map->is_read)
      pitot_profile_cpu_call(hooks->profiled, "readback", "map to read",
                             map->begin_ns, end_ns, size_B);
   else
      tell_wait(hooks, "map to write", map->begin_ns, size_B);
}

#define MAP(FUNCTION)                                                        \
   static void *pitot_profile_hook_##FUNCTION(                               \
      struct pipe_context *pipe, struct pipe_resource *resource,             \
      unsigned level, unsigned usage, const struct pipe_box *box,            \
      struct pipe_transfer **transfer_out)                                   \
   {                                                                         \
      const struct map map = begin_map(pipe, usage);                         \
      void *memory = map.hooks->driver.FUNCTION(pipe, resource, level,       \
                                                usage, box, transfer_out);   \
                                                                             \
      end_map(&map, memory ? size_of(resource, box) : 0);                    \
      return memory;                                                         \
   }

MAP(buffer_map)
MAP(texture_map)

/* Defines the hook of an upload, inside which maps are not reported. */
#define UPLOAD(FUNCTION, SIZE_B, PARAMETERS, ...)                            \
   static void pitot_profile_hook_##FUNCTION(struct pipe_context *pipe,      \
                                             PITOT_LIST PARAMETERS)          \
   {                                                                         \
      struct pitot_profile_hooks *hooks = hooks_of(pipe);                    \
      const uint64_t begin_ns = pitot_profile_now_ns();                      \
                                                                             \
      hooks->transfer_depth++;                                               \
      hooks->driver.FUNCTION(pipe, __VA_ARGS__);                             \
      pitot_profile_cpu_call(hooks->profiled, "upload", "upload", begin_ns,  \
                             pitot_profile_now_ns(), SIZE_B);                \
      hooks->transfer_depth--;                                               \
   }

UPLOAD(buffer_subdata, size_B,
       (struct pipe_resource * resource, unsigned usage, unsigned offset_B,
        unsigned size_B, const void *data),
       resource, usage, offset_B, size_B, data)

UPLOAD(texture_subdata, size_of(resource, box),
       (struct pipe_resource * resource, unsigned level, unsigned usage,
        const struct pipe_box *box, const void *data, unsigned stride_B,
        uintptr_t layer_stride_B),
       resource, level, usage, box, data, stride_B, layer_stride_B)

/*
 * Screens, which contexts and threads share: a wait for a fence is reported
 * to the context that waits, and presenting a picture ends a frame.
 */

#define SCREEN_FUNCTION(NAME) __typeof__(((struct pipe_screen *)NULL)->NAME)

/* Never freed, so that hooks find their screen without a lock.  The functions
 * are the screen's own.
 */
struct screen_hook {
   struct screen_hook *next;
   struct pipe_screen *screen;
   _Atomic(SCREEN_FUNCTION(fence_finish)) fence_finish;
   _Atomic(SCREEN_FUNCTION(flush_frontbuffer)) flush_frontbuffer;
   struct pipe_context *(*current)(void);
};

static struct screen_hook *_Atomic all_screens;

static struct screen_hook *
screen_hook_of(const struct pipe_screen *screen)
{
   struct screen_hook *hook = atomic_load(&all_screens);

   while (hook && hook->screen != screen)
      hook = hook->next;
   return hook;
}

static bool
pitot_profile_hook_fence_finish(struct pipe_screen *screen,
                                struct pipe_context *pipe,
                                struct pipe_fence_handle *fence,
                                uint64_t timeout_ns)
{
   const struct screen_hook *hook = screen_hook_of(screen);
   const struct pitot_profile_hooks *hooks = NULL;

   if (timeout_ns != 0)
      hooks = hooks_of(pipe ? pipe : hook->current());
   if (!hooks)
      return hook->fence_finish(screen, pipe, fence, timeout_ns);

   const uint64_t begin_ns = pitot_profile_now_ns();
   const bool is_done = hook->fence_finish(screen, pipe, fence, timeout_ns);

   tell_wait(hooks, "wait for a fence", begin_ns, 0);
   if (is_done)
      pitot_profile_waited(hooks->profiled);
   return is_done;
}

/* If Mesa presents a picture by the CPU, no flush has
 * PIPE_FLUSH_END_OF_FRAME: the frame ends here.
 */
static void
pitot_profile_hook_flush_frontbuffer(struct pipe_screen *screen,
                                     struct pipe_context *pipe,
                                     struct pipe_resource *resource,
                                     unsigned level, unsigned layer,
                                     void *drawable, unsigned box_count,
                                     struct pipe_box *boxes)
{
   const struct screen_hook *hook = screen_hook_of(screen);
   const struct pitot_profile_hooks *hooks = hooks_of(pipe);

   if (hooks)
      pitot_profile_frame_ends(hooks->profiled);
   hook->flush_frontbuffer(screen, pipe, resource, level, layer, drawable,
                           box_count, boxes);
}

/* Other threads may use the screen: store its function before the hook. */
#define HOOK_SCREEN(FUNCTION)                                                \
   if (screen->FUNCTION &&                                                   \
       screen->FUNCTION != pitot_profile_hook_##FUNCTION) {                  \
      atomic_store(&hook->FUNCTION, screen->FUNCTION);                       \
      __atomic_store_n(&screen->FUNCTION, pitot_profile_hook_##FUNCTION,     \
                       __ATOMIC_RELEASE);                                    \
   }

/* Hooks a screen permanently, if it is not hooked yet.  Returns false if
 * allocation fails.
 */
static bool
hook_screen(struct pipe_screen *screen, struct pipe_context *(*current)(void))
{
   struct screen_hook *hook = screen_hook_of(screen);

   if (!hook) { /* no earlier screen had this address either */
      hook = calloc(1, sizeof(*hook));
      if (!hook)
         return false;
      hook->next = atomic_load(&all_screens);
      hook->screen = screen;
      hook->current = current;
      atomic_store(&all_screens, hook);
   }
   HOOK_SCREEN(fence_finish)
   HOOK_SCREEN(flush_frontbuffer)
   return true;
}

/*
 * Hooking
 */

#define HOOK(FUNCTION)                                                       \
   if (pipe->FUNCTION && pipe->FUNCTION != pitot_profile_hook_##FUNCTION) {  \
      hooks->driver.FUNCTION = pipe->FUNCTION;                               \
      pipe->FUNCTION = pitot_profile_hook_##FUNCTION;                        \
   }

#define UNHOOK(FUNCTION)                                                     \
   if (pipe->FUNCTION == pitot_profile_hook_##FUNCTION)                      \
      pipe->FUNCTION = hooks->driver.FUNCTION;

/* Returns unused or new hooks; NULL if allocation fails. */
static struct pitot_profile_hooks *
take_hooks(void)
{
   struct pitot_profile_hooks *hooks = atomic_load(&all_hooks);

   while (hooks && atomic_load(&hooks->pipe))
      hooks = hooks->next;
   if (hooks)
      return hooks;

   hooks = calloc(1, sizeof(*hooks));
   if (hooks) {
      hooks->next = atomic_load(&all_hooks);
      atomic_store(&all_hooks, hooks);
   }
   return hooks;
}

static void
hook_functions(struct pitot_profile_hooks *hooks)
{
   struct pipe_context *pipe = hooks->pipe;

   HOOKED(HOOK)
   if (hooks->is_threaded)
      HOOK(draw_vertex_state)
}

struct pitot_profile_hooks *
pitot_profile_hook(struct pipe_context *pipe, struct pitot_profiled *profiled,
                   bool is_threaded, struct pipe_context *(*current)(void))
{
   pthread_mutex_lock(&lock);
   struct pitot_profile_hooks *hooks =
      hook_screen(pipe->screen, current) ? take_hooks() : NULL;
   if (hooks) {
      hooks->profiled = profiled;
      hooks->is_threaded = is_threaded;
      hooks->target = NULL;
      hooks->transfer_depth = 0;
      atomic_store_explicit(&hooks->pipe, pipe, memory_order_release);
      hook_functions(hooks);
   }
   pthread_mutex_unlock(&lock);
   return hooks;
}

void
pitot_profile_unhook(struct pitot_profile_hooks *hooks)
{
   struct pipe_context *pipe = hooks->pipe;

   HOOKED(UNHOOK)
   UNHOOK(draw_vertex_state)
   atomic_store_explicit(&hooks->pipe, NULL, memory_order_release);
}

struct pitot_profiled *
pitot_profile_before_draw(struct pipe_context *pipe)
{
   struct pitot_profile_hooks *hooks =
      begin_work(pipe, PITOT_PROFILE_DRAW, NULL);

   if (!hooks->is_threaded)
      hook_functions(hooks);
   return hooks->profiled;
}

const struct pipe_resource *
pitot_profile_target(const struct pitot_profile_hooks *hooks)
{
   return hooks->target;
}

/* Without a context and with a timeout of 0, no driver flushes or waits. */
bool
pitot_profile_fence_is_done(struct pipe_screen *screen, void *fence)
{
   return screen_hook_of(screen)->fence_finish(screen, NULL, fence, 0);
}

void
pitot_profile_fence_release(struct pipe_screen *screen, void *fence)
{
   struct pipe_fence_handle *handle = fence;

   screen->fence_reference(screen, &handle, NULL);
}
