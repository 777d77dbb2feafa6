/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The hooks of uploads and readbacks, which a profile has as calls of the
 * CPU's.
 */

#include "hooks_priv.h"
#include "pipe/p_state.h"
#include "pitot_profile.h"
#include "util/format/u_format.h"

/* No GPU is waited for in less. */
#define MIN_WAIT_NS 1000

static uint64_t
size_of(const struct pipe_resource *resource, const struct pipe_box *box)
{
   if (resource->target == PIPE_BUFFER)
      return box->width;
   return (uint64_t)util_format_get_nblocks(resource->format, box->width,
                                            box->height) *
          box->depth * util_format_get_blocksize(resource->format);
}

typedef void *
map_function(struct pipe_context *pipe, struct pipe_resource *resource,
             unsigned level, unsigned usage, const struct pipe_box *box,
             struct pipe_transfer **transfer_out);

void
pitot_profile_tell_wait(const struct pitot_profile_hooks *hooks,
                        const char *name, uint64_t begin_ns, uint64_t size_B)
{
   const uint64_t end_ns = pitot_profile_now_ns();

   if (end_ns - begin_ns >= MIN_WAIT_NS)
      pitot_profile_cpu_call(hooks->profiled, PITOT_PROFILE_WAIT, name,
                             begin_ns, end_ns, size_B);
}

/* Maps what the GPU has written, for the CPU to read.  The pass ends before:
 * it would last until the CPU is back.
 */
static void *
map_to_read(const struct pitot_profile_hooks *hooks, map_function *driver_map,
            struct pipe_resource *resource, unsigned level, unsigned usage,
            const struct pipe_box *box, struct pipe_transfer **transfer_out)
{
   struct pipe_context *pipe = hooks->pipe;
   struct pipe_fence_handle *fence = NULL;
   const bool is_flush = pitot_profile_wants_fence(hooks->profiled);

   if (is_flush)
      pitot_profile_before_flush(hooks->profiled, false);
   else
      pitot_profile_pass_ends(hooks->profiled);

   const uint64_t begin_ns = pitot_profile_now_ns();
   void *memory = driver_map(pipe, resource, level, usage, box, transfer_out);
   const uint64_t end_ns = pitot_profile_now_ns();

   /* The driver has flushed to have the data. */
   if (is_flush) {
      hooks->driver.flush(pipe, &fence, PIPE_FLUSH_DEFERRED);
      pitot_profile_flushed(hooks->profiled, fence);
   }
   pitot_profile_cpu_call(hooks->profiled, PITOT_PROFILE_READBACK,
                          "map to read", begin_ns, end_ns,
                          memory ? size_of(resource, box) : 0);
   return memory;
}

/* Maps by a function of the driver's. */
static void *
map(const struct pitot_profile_hooks *hooks, map_function *driver_map,
    struct pipe_resource *resource, unsigned level, unsigned usage,
    const struct pipe_box *box, struct pipe_transfer **transfer_out)
{
   struct pipe_context *pipe = hooks->pipe;

   /* The context may be in use by another thread meanwhile. */
   if (usage & (PIPE_MAP_UNSYNCHRONIZED | PIPE_MAP_THREAD_SAFE) ||
       hooks->transfer_depth)
      return driver_map(pipe, resource, level, usage, box, transfer_out);
   if (usage & PIPE_MAP_READ)
      return map_to_read(hooks, driver_map, resource, level, usage, box,
                         transfer_out);

   pitot_profile_may_send(hooks->profiled);

   const uint64_t begin_ns = pitot_profile_now_ns();
   void *memory = driver_map(pipe, resource, level, usage, box, transfer_out);

   pitot_profile_tell_wait(hooks, "map to write", begin_ns,
                           memory ? size_of(resource, box) : 0);
   return memory;
}

void *
pitot_profile_hook_buffer_map(struct pipe_context *pipe,
                              struct pipe_resource *resource, unsigned level,
                              unsigned usage, const struct pipe_box *box,
                              struct pipe_transfer **transfer_out)
{
   const struct pitot_profile_hooks *hooks = pitot_profile_hooks_of(pipe);

   return map(hooks, hooks->driver.buffer_map, resource, level, usage, box,
              transfer_out);
}

void *
pitot_profile_hook_texture_map(struct pipe_context *pipe,
                               struct pipe_resource *resource, unsigned level,
                               unsigned usage, const struct pipe_box *box,
                               struct pipe_transfer **transfer_out)
{
   const struct pitot_profile_hooks *hooks = pitot_profile_hooks_of(pipe);

   return map(hooks, hooks->driver.texture_map, resource, level, usage, box,
              transfer_out);
}

/* Returns the hooks, with an upload that begins now. */
static struct pitot_profile_hooks *
begin_upload(struct pipe_context *pipe, uint64_t *begin_ns_out)
{
   struct pitot_profile_hooks *hooks = pitot_profile_hooks_of(pipe);

   hooks->transfer_depth++;
   *begin_ns_out = pitot_profile_now_ns();
   return hooks;
}

static void
end_upload(struct pitot_profile_hooks *hooks, uint64_t begin_ns,
           uint64_t size_B)
{
   pitot_profile_cpu_call(hooks->profiled, PITOT_PROFILE_UPLOAD, "upload",
                          begin_ns, pitot_profile_now_ns(), size_B);
   hooks->transfer_depth--;
}

void
pitot_profile_hook_buffer_subdata(struct pipe_context *pipe,
                                  struct pipe_resource *resource,
                                  unsigned usage, unsigned offset_B,
                                  unsigned size_B, const void *data)
{
   uint64_t begin_ns;
   struct pitot_profile_hooks *hooks = begin_upload(pipe, &begin_ns);

   hooks->driver.buffer_subdata(pipe, resource, usage, offset_B, size_B,
                                data);
   end_upload(hooks, begin_ns, size_B);
}

void
pitot_profile_hook_texture_subdata(struct pipe_context *pipe,
                                   struct pipe_resource *resource,
                                   unsigned level, unsigned usage,
                                   const struct pipe_box *box,
                                   const void *data, unsigned stride_B,
                                   uintptr_t layer_stride_B)
{
   uint64_t begin_ns;
   struct pitot_profile_hooks *hooks = begin_upload(pipe, &begin_ns);

   hooks->driver.texture_subdata(pipe, resource, level, usage, box, data,
                                 stride_B, layer_stride_B);
   end_upload(hooks, begin_ns, size_of(resource, box));
}
