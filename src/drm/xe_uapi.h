/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The interface of the kernel's driver xe (Linux 6.8), as far as Pitot needs
 * it: the headers of libdrm do not have it yet.
 */

#ifndef PITOT_DRM_XE_UAPI_H
#define PITOT_DRM_XE_UAPI_H

#include <stdint.h>

#include <drm.h>

/* Layouts are the kernel's: a field that is not named here must be 0. */
struct xe_device_query {
   uint64_t extensions;
   uint32_t query;
   uint32_t size_B; /* 0 asks for it */
   uint64_t data;
   uint64_t reserved[2];
};

#define XE_DEVICE_QUERY_REGIONS       1
#define XE_DEVICE_QUERY_CONFIG        2
#define XE_DEVICE_QUERY_GTS           3
#define XE_DEVICE_QUERY_ENGINE_CYCLES 6

struct xe_query_config {
   uint32_t count;
   uint32_t pad;
   uint64_t info[];
};

#define XE_CONFIG_DEVICE_ID   0 /* its low 16 bits */
#define XE_CONFIG_ALIGNMENT_B 2

struct xe_memory_region {
   uint16_t region_class;
   uint16_t instance;
   uint32_t min_page_size_B;
   uint64_t total_size_B;
   uint64_t used_B;
   uint64_t cpu_visible_size_B;
   uint64_t cpu_visible_used_B;
   uint64_t reserved[6];
};

#define XE_REGION_SYSTEM 0

struct xe_query_regions {
   uint32_t count;
   uint32_t pad;
   struct xe_memory_region regions[];
};

struct xe_gt {
   uint16_t type;
   uint16_t tile;
   uint16_t id;
   uint16_t pad[3];
   uint32_t reference_clock_hz;
   uint64_t near_regions, far_regions;
   uint16_t ip_major, ip_minor, ip_revision;
   uint16_t pad2;
   uint64_t reserved[7];
};

#define XE_GT_MAIN 0

struct xe_query_gts {
   uint32_t count;
   uint32_t pad;
   struct xe_gt gts[];
};

struct xe_engine {
   uint16_t engine_class;
   uint16_t instance;
   uint16_t gt;
   uint16_t pad;
};

#define XE_ENGINE_RENDER 0

struct xe_engine_cycles {
   struct xe_engine engine;
   int32_t clock_id;
   uint32_t width;         /* of the counter, in bits */
   uint64_t engine_cycles; /* the counter */
   uint64_t cpu_ns;        /* by the CPU's clock, before it was read */
   uint64_t cpu_delta_ns;  /* that reading it took */
};

struct xe_gem_create {
   uint64_t extensions;
   uint64_t size_B;
   uint32_t placement; /* a mask of instances of regions */
   uint32_t flags;
   uint32_t vm;
   uint32_t handle;
   uint16_t cpu_caching;
   uint16_t pad[3];
   uint64_t reserved[2];
};

#define XE_CPU_CACHING_WB 1

struct xe_gem_mmap_offset {
   uint64_t extensions;
   uint32_t handle;
   uint32_t flags;
   uint64_t offset;
   uint64_t reserved[2];
};

struct xe_vm_create {
   uint64_t extensions;
   uint32_t flags;
   uint32_t vm;
   uint64_t reserved[2];
};

#define XE_VM_CREATE_SCRATCH_PAGE 1

struct xe_vm_destroy {
   uint32_t vm;
   uint32_t pad;
   uint64_t reserved[2];
};

struct xe_vm_bind_op {
   uint64_t extensions;
   uint32_t handle;
   uint16_t pat_index;
   uint16_t pad;
   uint64_t offset_B;
   uint64_t range_B;
   uint64_t address;
   uint32_t op;
   uint32_t flags;
   uint32_t prefetch_region;
   uint32_t pad2;
   uint64_t reserved[3];
};

#define XE_VM_BIND_OP_MAP   0
#define XE_VM_BIND_OP_UNMAP 1

struct xe_vm_bind {
   uint64_t extensions;
   uint32_t vm;
   uint32_t queue;
   uint32_t pad;
   uint32_t count;
   struct xe_vm_bind_op bind; /* if there is one */
   uint32_t pad2;
   uint32_t sync_count;
   uint64_t syncs;
   uint64_t reserved[2];
};

struct xe_sync {
   uint64_t extensions;
   uint32_t type;
   uint32_t flags;
   uint64_t handle;
   uint64_t timeline_value;
   uint64_t reserved[2];
};

#define XE_SYNC_SYNCOBJ          0
#define XE_SYNC_TIMELINE_SYNCOBJ 1
#define XE_SYNC_FLAG_SIGNAL      1

struct xe_exec_queue_create {
   uint64_t extensions;
   uint16_t width;
   uint16_t placement_count;
   uint32_t vm;
   uint32_t flags;
   uint32_t queue;
   uint64_t instances;
   uint64_t reserved[2];
};

struct xe_exec_queue_destroy {
   uint32_t queue;
   uint32_t pad;
   uint64_t reserved[2];
};

struct xe_exec_queue_get_property {
   uint64_t extensions;
   uint32_t queue;
   uint32_t property;
   uint64_t value;
   uint64_t reserved[2];
};

#define XE_EXEC_QUEUE_PROPERTY_BAN 0

struct xe_exec {
   uint64_t extensions;
   uint32_t queue;
   uint32_t sync_count;
   uint64_t syncs;
   uint64_t address;
   uint16_t batch_count;
   uint16_t pad[3];
   uint64_t reserved[2];
};

#define XE_IOWR(NUMBER, TYPE)                                                \
   DRM_IOWR(DRM_COMMAND_BASE + (NUMBER), struct TYPE)
#define XE_IOW(NUMBER, TYPE) DRM_IOW(DRM_COMMAND_BASE + (NUMBER), struct TYPE)

#define XE_DEVICE_QUERY            XE_IOWR(0x0, xe_device_query)
#define XE_GEM_CREATE              XE_IOWR(0x1, xe_gem_create)
#define XE_GEM_MMAP_OFFSET         XE_IOWR(0x2, xe_gem_mmap_offset)
#define XE_VM_CREATE               XE_IOWR(0x3, xe_vm_create)
#define XE_VM_DESTROY              XE_IOW(0x4, xe_vm_destroy)
#define XE_VM_BIND                 XE_IOW(0x5, xe_vm_bind)
#define XE_EXEC_QUEUE_CREATE       XE_IOWR(0x6, xe_exec_queue_create)
#define XE_EXEC_QUEUE_DESTROY      XE_IOW(0x7, xe_exec_queue_destroy)
#define XE_EXEC_QUEUE_GET_PROPERTY XE_IOWR(0x8, xe_exec_queue_get_property)
#define XE_EXEC                    XE_IOW(0x9, xe_exec)

#endif /* PITOT_DRM_XE_UAPI_H */
