/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Pitot's copy of xe's interface must match the kernel's header. */

#include "listed.h"
#include "drm-uapi/xe_drm.h"
#include "xe_uapi.h"

/* A field of Pitot's copy, and of the kernel's header. */
#define FIELD(OURS, FIELD, KERNELS, THEIRS)                                  \
   {                                                                         \
#OURS "." #FIELD, offsetof(struct OURS, FIELD),                        \
         sizeof(((struct OURS *)NULL)->FIELD),                               \
         offsetof(struct KERNELS, THEIRS),                                   \
         sizeof(((struct KERNELS *)NULL)->THEIRS)                            \
   }

static const struct {
   const char *name;
   size_t offset_B, size_B, kernels_offset_B, kernels_size_B;
} fields[] = {
   FIELD(xe_device_query, query, drm_xe_device_query, query),
   FIELD(xe_device_query, size_B, drm_xe_device_query, size),
   FIELD(xe_device_query, data, drm_xe_device_query, data),
   FIELD(xe_query_config, info[0], drm_xe_query_config, info[0]),
   FIELD(xe_query_gts, gts[0], drm_xe_query_gt_list, gt_list[0]),
   FIELD(xe_gt, type, drm_xe_gt, type),
   FIELD(xe_gt, reference_clock_hz, drm_xe_gt, reference_clock),
   FIELD(xe_engine, engine_class, drm_xe_engine_class_instance, engine_class),
   FIELD(xe_engine_cycles, engine, drm_xe_query_engine_cycles, eci),
   FIELD(xe_engine_cycles, clock_id, drm_xe_query_engine_cycles, clockid),
   FIELD(xe_engine_cycles, width, drm_xe_query_engine_cycles, width),
   FIELD(xe_engine_cycles, engine_cycles, drm_xe_query_engine_cycles,
         engine_cycles),
   FIELD(xe_engine_cycles, cpu_ns, drm_xe_query_engine_cycles, cpu_timestamp),
   FIELD(xe_engine_cycles, cpu_delta_ns, drm_xe_query_engine_cycles,
         cpu_delta),
   FIELD(xe_exec_queue_get_property, queue, drm_xe_exec_queue_get_property,
         exec_queue_id),
   FIELD(xe_exec_queue_get_property, property, drm_xe_exec_queue_get_property,
         property),
   FIELD(xe_exec_queue_get_property, value, drm_xe_exec_queue_get_property,
         value),
};

TEST(fields_are_the_kernels)
{
   for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
      if (fields[i].offset_B != fields[i].kernels_offset_B ||
          fields[i].size_B != fields[i].kernels_size_B)
         fail_msg("%s", fields[i].name);
   }
}

static const struct {
   unsigned long ours, kernels;
} numbers[] = {
   { XE_DEVICE_QUERY, DRM_IOCTL_XE_DEVICE_QUERY }, /* with their sizes */
   { XE_EXEC_QUEUE_GET_PROPERTY, DRM_IOCTL_XE_EXEC_QUEUE_GET_PROPERTY },
   { XE_EXEC_QUEUE_PROPERTY_BAN, DRM_XE_EXEC_QUEUE_GET_PROPERTY_BAN },
   { XE_DEVICE_QUERY_CONFIG, DRM_XE_DEVICE_QUERY_CONFIG },
   { XE_DEVICE_QUERY_GTS, DRM_XE_DEVICE_QUERY_GT_LIST },
   { XE_DEVICE_QUERY_ENGINE_CYCLES, DRM_XE_DEVICE_QUERY_ENGINE_CYCLES },
   { XE_CONFIG_DEVICE_ID, DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID },
   { XE_GT_MAIN, DRM_XE_QUERY_GT_TYPE_MAIN },
   { XE_ENGINE_RENDER, DRM_XE_ENGINE_CLASS_RENDER },
};

TEST(numbers_are_the_kernels)
{
   for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
      assert_int_equal(numbers[i].ours, numbers[i].kernels);
}
