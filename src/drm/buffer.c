/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Memory of a context.  Addresses are given out once and never again: there
 * are enough of them, and what the kernel still knows under an old one is
 * then never in the way.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <drm.h>

#include "context.h"

/* Makes room for one more buffer in each list, so that neither using a buffer
 * nor submitting needs memory.
 */
static int
grow_lists(struct pitot_drm_context *context)
{
   const unsigned capacity = context->buffer_capacity * 2 + 16;

   if (context->buffer_count < context->buffer_capacity)
      return 0;

   for (unsigned ring = 0; ring < context->ring_count; ring++) {
      struct pitot_drm_buffer **used =
         realloc(context->rings[ring].used, capacity * sizeof(*used));

      if (used == NULL)
         return -ENOMEM;
      context->rings[ring].used = used;
   }
   void *entries =
      realloc(context->entries, capacity * context->ops->entry_size_B);
   if (entries == NULL)
      return -ENOMEM;
   context->entries = entries;
   context->buffer_capacity = capacity;
   return 0;
}

static int
map(struct pitot_drm_context *context, struct pitot_drm_buffer *buffer)
{
   const struct pitot_drm_device *device = context->device;
   uint64_t offset = 0;
   const int result =
      context->ops->map_offset(context, buffer->handle, &offset);

   if (result != 0)
      return result;

   void *memory = device->io->mmap(device->io->data, buffer->mapped_B,
                                   PROT_READ | PROT_WRITE, MAP_SHARED,
                                   device->fd, (off_t)offset);
   if (memory == MAP_FAILED)
      return -errno;

   buffer->base.memory = memory;
   memset(memory, 0, buffer->mapped_B);
   return 0;
}

static void
free_buffer(struct pitot_drm_context *context,
            struct pitot_drm_buffer *buffer)
{
   const struct pitot_drm_io *io = context->device->io;

   if (buffer->base.memory != NULL)
      io->munmap(io->data, buffer->base.memory, buffer->mapped_B);
   struct drm_gem_close request = { .handle = buffer->handle };
   if (request.handle != 0)
      pitot_drm_ioctl(context->device, DRM_IOCTL_GEM_CLOSE, &request);
   free(buffer);
}

static int
fill(struct pitot_drm_context *context, struct pitot_drm_buffer *buffer)
{
   const int result = context->ops->allocate(context, buffer);

   return result != 0 ? result : map(context, buffer);
}

int
pitot_drm_buffer_create(struct pitot_drm_context *context, unsigned size_B,
                        struct pitot_drm_buffer **buffer_out)
{
   int result = grow_lists(context);
   if (result != 0)
      return result;

   struct pitot_drm_buffer *buffer = calloc(1, sizeof(*buffer));
   if (buffer == NULL)
      return -ENOMEM;

   buffer->base.size_B = size_B;
   buffer->mapped_B = pitot_drm_align(size_B, PITOT_DRM_PAGE_B);
   buffer->base.address = context->next_address;
   context->next_address += buffer->mapped_B;

   result = fill(context, buffer);
   if (result != 0) {
      free_buffer(context, buffer);
      return result;
   }

   buffer->next = context->buffers;
   context->buffers = buffer;
   context->buffer_count++;
   *buffer_out = buffer;
   return 0;
}

/* Takes a buffer out of a list that has it. */
static void
unlink_buffer(struct pitot_drm_buffer **list, struct pitot_drm_buffer *buffer)
{
   while (*list != buffer)
      list = &(*list)->next;
   *list = buffer->next;
}

void
pitot_drm_buffer_destroy(struct pitot_drm_context *context,
                         struct pitot_drm_buffer *buffer)
{
   unlink_buffer(&context->buffers, buffer);
   buffer->next = context->retired;
   context->retired = buffer;
   pitot_drm_buffer_collect(context);
}

static bool
is_idle(struct pitot_drm_context *context,
        const struct pitot_drm_buffer *buffer)
{
   for (unsigned ring = 0; ring < context->ring_count; ring++) {
      const uint64_t batch = buffer->last_batch[ring];
      const enum pitot_batch_state state =
         batch == 0
            ? PITOT_BATCH_DONE
            : context->base.ops->batch_state(&context->base, ring, batch);
      if (state == PITOT_BATCH_RECORDING || state == PITOT_BATCH_SUBMITTED)
         return false;
   }
   return true;
}

void
pitot_drm_buffer_collect(struct pitot_drm_context *context)
{
   struct pitot_drm_buffer **link = &context->retired;

   while (*link != NULL) {
      struct pitot_drm_buffer *buffer = *link;

      if (!is_idle(context, buffer)) {
         link = &buffer->next;
         continue;
      }
      *link = buffer->next;
      context->buffer_count--;
      free_buffer(context, buffer);
   }
}

static void
free_list(struct pitot_drm_context *context, struct pitot_drm_buffer *list)
{
   while (list != NULL) {
      struct pitot_drm_buffer *next = list->next;

      free_buffer(context, list);
      list = next;
   }
}

void
pitot_drm_buffer_destroy_all(struct pitot_drm_context *context)
{
   free_list(context, context->retired);
   free_list(context, context->buffers);
   for (unsigned ring = 0; ring < context->ring_count; ring++)
      free(context->rings[ring].used);
   free(context->entries);
}

void
pitot_drm_buffer_use(struct pitot_drm_context *context, enum pitot_ring ring,
                     struct pitot_drm_buffer *buffer)
{
   struct pitot_drm_ring *state = &context->rings[ring];
   const uint64_t batch = atomic_load(&state->recording);

   if (buffer->last_batch[ring] == batch)
      return;
   buffer->last_batch[ring] = batch;
   state->used[state->used_count++] = buffer;
}
