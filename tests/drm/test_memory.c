/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Allocations fail: a device, context or buffer is not created. */

#include <errno.h>
#include <string.h>

#include "fail_memory.h"
#include "rig.h"

static void
devices_need_memory(struct sim *sim)
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

static void
contexts_need_memory(struct rig *rig)
{
   struct pitot_cs *cs;

   fail_memory = 1;
   assert_int_equal(pitot_drm_context_create(rig->device, &cs), -ENOMEM);
   fail_memory = 0;
}

static void
buffers_need_memory(struct rig *rig)
{
   const unsigned before = rig->sim->object_count;
   struct pitot_cs_buffer *buffer;

   fail_memory = 1;
   assert_int_equal(rig->cs->ops->buffer_create(rig->cs, 4096, &buffer),
                    -ENOMEM);
   fail_memory = 0;
   assert_int_equal(rig->sim->object_count, before);
}

int
main(void)
{
   static const struct rig_test tests[] = {
      SIM_TEST("skl", devices_need_memory),
      RIG_TEST(contexts_need_memory),
      RIG_TEST(buffers_need_memory),
   };

   return RUN_ROWS("memory", tests, rig_run_test);
}
