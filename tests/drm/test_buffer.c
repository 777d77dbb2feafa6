/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Buffers of contexts: zeroed, and alive as long as the GPU uses them; and
 * what is not created without memory.
 */

#include <errno.h>
#include <string.h>

#include "context.h"
#include "fail_memory.h"
#include "rig.h"

#define RENDER PITOT_RING_RENDER

/* A buffer that is destroyed in flight is freed when its batch is done. */
TEST_ON_RIG(buffers_outlive_their_batches, EVERY_CONTEXT)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;
   const unsigned before = rig->sim->object_count;
   struct pitot_cs_buffer *own = rig->buffer;

   rig->sim->is_delayed = true;
   assert_int_equal(ops->buffer_create(rig->cs, 10000, &rig->buffer), 0);
   assert_int_equal(rig_read(rig, 8192), 0);
   rig_write(rig, 9996, 1);
   ops->buffer_destroy(rig->cs, rig->buffer);
   rig_flush(rig, RENDER);
   assert_int_equal(rig->sim->object_count, before + 1);
   sim_complete(rig->sim, 1);
   rig_flush(rig, RENDER);
   assert_int_equal(rig->sim->object_count, before);
   rig->buffer = own;
}

/* The same for a batch of the compute ring. */
TEST_ON_RIG(buffers_outlive_batches_of_both_rings, EVERY_CONTEXT)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;
   const unsigned before = rig->sim->object_count;
   struct pitot_cs_buffer *own = rig->buffer;

   if (rig->cs->ring_count == 1)
      return;
   rig->sim->is_delayed = true;
   assert_int_equal(ops->buffer_create(rig->cs, 4096, &rig->buffer), 0);
   rig_dispatch(rig, PITOT_RING_COMPUTE);
   ops->buffer_destroy(rig->cs, rig->buffer);
   assert_int_equal(rig->sim->object_count, before + 1);
   rig_flush(rig, PITOT_RING_COMPUTE);
   assert_int_equal(rig->sim->object_count, before + 1);
   sim_complete(rig->sim, 1);
   rig_flush(rig, RENDER);
   assert_int_equal(rig->sim->object_count, before);
   rig->buffer = own;
}

static void *(*sim_mmap)(void *data, size_t size_B, int protection, int flags,
                         int fd, off_t offset);

static size_t mapped_B;

static void *
fill_memory(void *data, size_t size_B, int protection, int flags, int fd,
            off_t offset)
{
   void *memory = sim_mmap(data, size_B, protection, flags, fd, offset);

   memset(memory, 0x5a, size_B);
   mapped_B = size_B;
   return memory;
}

/* Whole pages are zeroed: the kernel's memory is not. */
TEST_ON_RIG(buffers_are_zeroed, EVERY_CONTEXT)
{
   static const unsigned page_B = 4096;
   static const unsigned sizes_B[] = { 1, 4096, 4097, 4996 };
   struct pitot_cs_buffer *buffer;

   sim_mmap = rig->sim->io.mmap;
   rig->sim->io.mmap = fill_memory;
   for (unsigned s = 0; s < ARRAY_LENGTH(sizes_B); s++) {
      assert_int_equal(rig->cs->ops->buffer_create(rig->cs, sizes_B[s],
                                                   &buffer),
                       0);
      assert_int_equal(mapped_B, sizes_B[s] <= page_B ? page_B : 2 * page_B);
      for (unsigned i = 0; i < mapped_B; i++)
         assert_int_equal(buffer->memory[i], 0);
      rig->cs->ops->buffer_destroy(rig->cs, buffer);
   }
   rig->sim->io.mmap = sim_mmap;
}

/* A buffer for which the list of a submission cannot grow is not created. */
TEST_ON_RIG(buffers_need_memory, EVERY_CONTEXT)
{
   const unsigned before = rig->sim->object_count;
   struct pitot_cs_buffer *buffer;

   fail_memory_growth = FAIL_MEMORY_STAYS;
   assert_int_equal(rig->cs->ops->buffer_create(rig->cs, 100, &buffer),
                    -ENOMEM);
   fail_memory_growth = FAIL_MEMORY_GROWS;
   assert_int_equal(rig->sim->object_count, before);
   assert_int_equal(rig->cs->ops->buffer_create(rig->cs, 100, &buffer), 0);
   rig->cs->ops->buffer_destroy(rig->cs, buffer);
}

/* The list of a submission counts existing buffers, not destroyed ones. */
TEST_ON_RIG(lists_have_room_for_what_there_is, EVERY_CONTEXT)
{
   const struct pitot_drm_context *context =
      (const struct pitot_drm_context *)rig->cs;
   const unsigned before = context->buffer_count;
   struct pitot_cs_buffer *buffer;

   for (unsigned i = 0; i < 3; i++) {
      assert_int_equal(rig->cs->ops->buffer_create(rig->cs, 100, &buffer), 0);
      assert_int_equal(context->buffer_count, before + 1);
      rig->cs->ops->buffer_destroy(rig->cs, buffer);
      assert_int_equal(context->buffer_count, before);
   }
}

/* If an allocation fails, a device, context or buffer is not created. */
TEST_ON_SIM(devices_need_memory, "skl")
{
   struct pitot_drm_device *device;
   char message[PITOT_DRM_MESSAGE_SIZE];

   fail_memory = 1;
   assert_int_equal(pitot_drm_open(&sim->io, "/dev/dri/renderD128", &device,
                                   message),
                    -ENOMEM);
   fail_memory = 0;
   assert_non_null(strstr(message, "memory"));
   assert_int_equal(sim->open_count, 0);
}

TEST_ON_RIG(contexts_need_memory, EVERY_CONTEXT)
{
   struct pitot_cs *cs;

   fail_memory = 1;
   assert_int_equal(pitot_drm_context_create(rig->device, &cs), -ENOMEM);
   fail_memory = 0;
}

TEST_ON_RIG(new_buffers_need_memory, EVERY_CONTEXT)
{
   const unsigned before = rig->sim->object_count;
   struct pitot_cs_buffer *buffer;

   fail_memory = 1;
   assert_int_equal(rig->cs->ops->buffer_create(rig->cs, 4096, &buffer),
                    -ENOMEM);
   fail_memory = 0;
   assert_int_equal(rig->sim->object_count, before);
}
