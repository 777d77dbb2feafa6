/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The layouts and numbers of xe's interface beside the kernel's header, of
 * which Mesa has a copy.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "drm-uapi/xe_drm.h"
#include "xe_uapi.h"

/* A field of ours, and of the kernel's. */
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
   FIELD(xe_query_regions, regions[0], drm_xe_query_mem_regions,
         mem_regions[0]),
   FIELD(xe_memory_region, region_class, drm_xe_mem_region, mem_class),
   FIELD(xe_memory_region, instance, drm_xe_mem_region, instance),
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
   FIELD(xe_gem_create, size_B, drm_xe_gem_create, size),
   FIELD(xe_gem_create, placement, drm_xe_gem_create, placement),
   FIELD(xe_gem_create, vm, drm_xe_gem_create, vm_id),
   FIELD(xe_gem_create, handle, drm_xe_gem_create, handle),
   FIELD(xe_gem_create, cpu_caching, drm_xe_gem_create, cpu_caching),
   FIELD(xe_gem_mmap_offset, handle, drm_xe_gem_mmap_offset, handle),
   FIELD(xe_gem_mmap_offset, offset, drm_xe_gem_mmap_offset, offset),
   FIELD(xe_vm_create, flags, drm_xe_vm_create, flags),
   FIELD(xe_vm_create, vm, drm_xe_vm_create, vm_id),
   FIELD(xe_vm_destroy, vm, drm_xe_vm_destroy, vm_id),
   FIELD(xe_vm_bind, vm, drm_xe_vm_bind, vm_id),
   FIELD(xe_vm_bind, count, drm_xe_vm_bind, num_binds),
   FIELD(xe_vm_bind, bind, drm_xe_vm_bind, bind),
   FIELD(xe_vm_bind, sync_count, drm_xe_vm_bind, num_syncs),
   FIELD(xe_vm_bind, syncs, drm_xe_vm_bind, syncs),
   FIELD(xe_vm_bind_op, handle, drm_xe_vm_bind_op, obj),
   FIELD(xe_vm_bind_op, pat_index, drm_xe_vm_bind_op, pat_index),
   FIELD(xe_vm_bind_op, offset_B, drm_xe_vm_bind_op, obj_offset),
   FIELD(xe_vm_bind_op, range_B, drm_xe_vm_bind_op, range),
   FIELD(xe_vm_bind_op, address, drm_xe_vm_bind_op, addr),
   FIELD(xe_vm_bind_op, op, drm_xe_vm_bind_op, op),
   FIELD(xe_sync, type, drm_xe_sync, type),
   FIELD(xe_sync, flags, drm_xe_sync, flags),
   FIELD(xe_sync, handle, drm_xe_sync, addr),
   FIELD(xe_sync, timeline_value, drm_xe_sync, timeline_value),
   FIELD(xe_exec_queue_create, width, drm_xe_exec_queue_create, width),
   FIELD(xe_exec_queue_create, placement_count, drm_xe_exec_queue_create,
         num_placements),
   FIELD(xe_exec_queue_create, vm, drm_xe_exec_queue_create, vm_id),
   FIELD(xe_exec_queue_create, queue, drm_xe_exec_queue_create,
         exec_queue_id),
   FIELD(xe_exec_queue_create, instances, drm_xe_exec_queue_create,
         instances),
   FIELD(xe_exec_queue_destroy, queue, drm_xe_exec_queue_destroy,
         exec_queue_id),
   FIELD(xe_exec_queue_get_property, queue, drm_xe_exec_queue_get_property,
         exec_queue_id),
   FIELD(xe_exec_queue_get_property, property, drm_xe_exec_queue_get_property,
         property),
   FIELD(xe_exec_queue_get_property, value, drm_xe_exec_queue_get_property,
         value),
   FIELD(xe_exec, queue, drm_xe_exec, exec_queue_id),
   FIELD(xe_exec, sync_count, drm_xe_exec, num_syncs),
   FIELD(xe_exec, syncs, drm_xe_exec, syncs),
   FIELD(xe_exec, address, drm_xe_exec, address),
   FIELD(xe_exec, batch_count, drm_xe_exec, num_batch_buffer),
};

static void
fields_are_the_kernels(void **state)
{
   (void)state;
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
   { XE_GEM_CREATE, DRM_IOCTL_XE_GEM_CREATE },
   { XE_GEM_MMAP_OFFSET, DRM_IOCTL_XE_GEM_MMAP_OFFSET },
   { XE_VM_CREATE, DRM_IOCTL_XE_VM_CREATE },
   { XE_VM_DESTROY, DRM_IOCTL_XE_VM_DESTROY },
   { XE_VM_BIND, DRM_IOCTL_XE_VM_BIND },
   { XE_EXEC_QUEUE_CREATE, DRM_IOCTL_XE_EXEC_QUEUE_CREATE },
   { XE_EXEC_QUEUE_DESTROY, DRM_IOCTL_XE_EXEC_QUEUE_DESTROY },
   { XE_EXEC_QUEUE_GET_PROPERTY, DRM_IOCTL_XE_EXEC_QUEUE_GET_PROPERTY },
   { XE_EXEC, DRM_IOCTL_XE_EXEC },
   { XE_DEVICE_QUERY_REGIONS, DRM_XE_DEVICE_QUERY_MEM_REGIONS },
   { XE_DEVICE_QUERY_CONFIG, DRM_XE_DEVICE_QUERY_CONFIG },
   { XE_DEVICE_QUERY_GTS, DRM_XE_DEVICE_QUERY_GT_LIST },
   { XE_DEVICE_QUERY_ENGINE_CYCLES, DRM_XE_DEVICE_QUERY_ENGINE_CYCLES },
   { XE_CONFIG_DEVICE_ID, DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID },
   { XE_CONFIG_ALIGNMENT_B, DRM_XE_QUERY_CONFIG_MIN_ALIGNMENT },
   { XE_REGION_SYSTEM, DRM_XE_MEM_REGION_CLASS_SYSMEM },
   { XE_GT_MAIN, DRM_XE_QUERY_GT_TYPE_MAIN },
   { XE_ENGINE_RENDER, DRM_XE_ENGINE_CLASS_RENDER },
   { XE_CPU_CACHING_WB, DRM_XE_GEM_CPU_CACHING_WB },
   { XE_VM_CREATE_SCRATCH_PAGE, DRM_XE_VM_CREATE_FLAG_SCRATCH_PAGE },
   { XE_VM_BIND_OP_MAP, DRM_XE_VM_BIND_OP_MAP },
   { XE_VM_BIND_OP_UNMAP, DRM_XE_VM_BIND_OP_UNMAP },
   { XE_SYNC_SYNCOBJ, DRM_XE_SYNC_TYPE_SYNCOBJ },
   { XE_SYNC_TIMELINE_SYNCOBJ, DRM_XE_SYNC_TYPE_TIMELINE_SYNCOBJ },
   { XE_SYNC_FLAG_SIGNAL, DRM_XE_SYNC_FLAG_SIGNAL },
   { XE_EXEC_QUEUE_PROPERTY_BAN, DRM_XE_EXEC_QUEUE_GET_PROPERTY_BAN },
};

static void
numbers_are_the_kernels(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
      assert_int_equal(numbers[i].ours, numbers[i].kernels);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_are_the_kernels),
      cmocka_unit_test(numbers_are_the_kernels),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
