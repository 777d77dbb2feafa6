/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Buffers of a context: created, mapped, and freed when the GPU is idle.
 * Invariant: an address is never used again.  There are enough addresses, and
 * the kernel may still have a mapping at an old one.
 * Danger: a destroyed buffer is only retired: the GPU may still write to it
 * until its last batches are done (pitot_drm_buffer_collect()).
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <drm.h>

#include "context.h"

static int
allocate_and_map(struct pitot_drm_context *context,
                 struct pitot_drm_buffer *buffer)
{
   const struct pitot_drm_device *device = context->device;
   uint64_t offset = 0;
   const int result = context->ops->allocate(context, buffer, &offset);

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
   struct drm_gem_close request = { .handle = buffer->handle };

   if (buffer->base.memory != NULL)
      io->munmap(io->data, buffer->base.memory, buffer->mapped_B);
   if (request.handle != 0)
      pitot_drm_ioctl(context->device, DRM_IOCTL_GEM_CLOSE, &request);
   free(buffer);
}

/* Reserves space in the list of a submission for one more buffer, so that
 * submitting does not allocate.
 */
static int
grow_entries(struct pitot_drm_context *context)
{
   const size_t count = context->buffer_count + 1;
   void *entries =
      realloc(context->entries, count * context->ops->entry_size_B);

   if (entries == NULL)
      return -ENOMEM;
   context->entries = entries;
   return 0;
}

int
pitot_drm_buffer_create(struct pitot_drm_context *context, unsigned size_B,
                        struct pitot_drm_buffer **buffer_out)
{
   int result = grow_entries(context);
   if (result != 0)
      return result;

   struct pitot_drm_buffer *buffer = calloc(1, sizeof(*buffer));
   if (buffer == NULL)
      return -ENOMEM;

   buffer->base.size_B = size_B;
   buffer->mapped_B = ((uint64_t)size_B + PITOT_DRM_PAGE_B - 1) /
                      PITOT_DRM_PAGE_B * PITOT_DRM_PAGE_B;
   buffer->base.address = context->next_address;
   context->next_address += buffer->mapped_B;

   result = allocate_and_map(context, buffer);
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

static bool
is_idle(struct pitot_drm_context *context,
        const struct pitot_drm_buffer *buffer)
{
   struct pitot_cs *cs = &context->base;

   for (unsigned ring = 0; ring < context->ops->ring_count; ring++) {
      const uint64_t batch = buffer->last_batch[ring];

      /* 0, no batch, is done. */
      const enum pitot_batch_state state =
         cs->ops->batch_state(cs, ring, batch);
      if (state == PITOT_BATCH_RECORDING || state == PITOT_BATCH_SUBMITTED)
         return false;
   }
   return true;
}

void
pitot_drm_buffer_collect(struct pitot_drm_context *context)
{
   struct pitot_drm_buffer **link = &context->buffers;

   while (*link != NULL) {
      struct pitot_drm_buffer *buffer = *link;

      if (!buffer->is_retired || !is_idle(context, buffer)) {
         link = &buffer->next;
         continue;
      }
      *link = buffer->next;
      context->buffer_count--;
      free_buffer(context, buffer);
   }
}

void
pitot_drm_buffer_destroy_all(struct pitot_drm_context *context)
{
   struct pitot_drm_buffer *next;

   for (struct pitot_drm_buffer *buffer = context->buffers; buffer != NULL;
        buffer = next) {
      next = buffer->next;
      free_buffer(context, buffer);
   }
   free(context->entries);
}
