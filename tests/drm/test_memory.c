/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Allocations fail: a device, context or buffer is not created. */

#include <errno.h>
#include <string.h>

#include "fail_memory.h"
#include "rig.h"

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

TEST_ON_RIG(buffers_need_memory, EVERY_CONTEXT)
{
   const unsigned before = rig->sim->object_count;
   struct pitot_cs_buffer *buffer;

   fail_memory = 1;
   assert_int_equal(rig->cs->ops->buffer_create(rig->cs, 4096, &buffer),
                    -ENOMEM);
   fail_memory = 0;
   assert_int_equal(rig->sim->object_count, before);
}
