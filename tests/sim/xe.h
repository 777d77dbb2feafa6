/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The part of xe's interface that iris uses: Debian 12's libdrm lacks it. */

#ifndef PITOT_SIM_XE_H
#define PITOT_SIM_XE_H

#include <stdint.h>

/* Relative to DRM_COMMAND_BASE. */
enum {
   XE_DEVICE_QUERY,
   XE_GEM_CREATE,
   XE_GEM_MMAP_OFFSET,
   XE_VM_CREATE,
   XE_VM_DESTROY,
   XE_VM_BIND,
   XE_EXEC_QUEUE_CREATE,
   XE_EXEC_QUEUE_DESTROY,
   XE_EXEC_QUEUE_GET_PROPERTY,
   XE_EXEC,
};

/* XE_DEVICE_QUERY. */
enum {
   XE_QUERY_ENGINES = 0,
   XE_QUERY_MEMORY = 1,
   XE_QUERY_CONFIG = 2,
   XE_QUERY_GTS = 3,
   XE_QUERY_TOPOLOGY = 5,
   XE_QUERY_CYCLES = 6,
};

struct xe_query {
   uint64_t extensions;
   uint32_t question, size_B;
   uint64_t data;
   uint64_t reserved[2];
};

enum {
   XE_CLASS_RENDER = 0,
   XE_CLASS_COPY = 1,
   XE_CLASS_COMPUTE = 4,
};

struct xe_instance {
   uint16_t engine_class, number, gt, pad;
};

struct xe_engine {
   struct xe_instance instance;
   uint64_t reserved[3];
};

struct xe_engines {
   uint32_t count, pad;
   struct xe_engine engines[];
};

struct xe_region {
   uint16_t memory_class, instance;
   uint32_t min_page_size_B;
   uint64_t total_size_B, used_B;
   uint64_t cpu_visible_size_B, cpu_visible_used_B;
   uint64_t reserved[6];
};

struct xe_regions {
   uint32_t count, pad;
   struct xe_region regions[];
};

enum {
   XE_CONFIG_DEVICE, /* revision and ID */
   XE_CONFIG_HAS_CARD_MEMORY,
   XE_CONFIG_ALIGNMENT_B,
   XE_CONFIG_VA_BITS,
   XE_CONFIG_MAX_PRIORITY,
   XE_CONFIG_COUNT,
};

struct xe_config {
   uint32_t count, pad;
   uint64_t info[];
};

enum {
   XE_GT_MAIN,
   XE_GT_MEDIA,
};

struct xe_gt {
   uint16_t type, tile, number, pad[3];
   uint32_t reference_clock_hz;
   uint64_t near_regions, far_regions;
   uint16_t version[3], pad2;
   uint64_t reserved[7];
};

struct xe_gts {
   uint32_t count, pad;
   struct xe_gt gts[];
};

enum xe_topology {
   XE_TOPOLOGY_SUBSLICES = 1,
   XE_TOPOLOGY_L3_BANKS = 3,
   XE_TOPOLOGY_UNITS_PER_SUBSLICE = 4,
   XE_TOPOLOGY_SIMD16_UNITS_PER_SUBSLICE = 5,
};

struct xe_mask {
   uint16_t gt, type;
   uint32_t size_B;
   uint64_t bits;
};

struct xe_cycles {
   struct xe_instance instance;
   int32_t clock_id;
   uint32_t width;
   uint64_t cycles, cpu_ns, cpu_delta_ns;
};

enum {
   XE_CACHING_WB = 1,
   XE_CACHING_WC,
};

struct xe_gem_create {
   uint64_t extensions, size_B;
   uint32_t placement, flags, vm, handle;
   uint16_t caching, pad[3];
   uint64_t reserved[2];
};

struct xe_mmap_offset {
   uint64_t extensions;
   uint32_t handle, flags;
   uint64_t offset;
   uint64_t reserved[2];
};

struct xe_vm_create {
   uint64_t extensions;
   uint32_t flags, vm;
   uint64_t reserved[2];
};

struct xe_vm_destroy {
   uint32_t vm, pad;
   uint64_t reserved[2];
};

enum {
   XE_BIND_MAP,
   XE_BIND_UNMAP,
   XE_BIND_MAP_USER, /* the offset is a CPU address */
};

struct xe_bind {
   uint64_t extensions;
   uint32_t handle;
   uint16_t cache_policy, pad;
   uint64_t offset_B, range_B, address;
   uint32_t op, flags, prefetch_region, pad2;
   uint64_t reserved[3];
};

struct xe_vm_bind {
   uint64_t extensions;
   uint32_t vm, queue, pad, bind_count;
   struct xe_bind bind; /* if there is one */
   uint32_t pad2, sync_count;
   uint64_t syncs;
   uint64_t reserved[2];
};

enum {
   XE_SYNC_SYNCOBJ,
   XE_SYNC_TIMELINE, /* a point of a syncobj */
   XE_SYNC_USER_FENCE,
};

#define XE_SYNC_SIGNAL (1u << 0)

struct xe_sync {
   uint64_t extensions;
   uint32_t type, flags;
   uint64_t handle;
   uint64_t timeline_value;
   uint64_t reserved[2];
};

struct xe_queue_create {
   uint64_t extensions;
   uint16_t width, placement_count;
   uint32_t vm, flags, queue;
   uint64_t instances;
   uint64_t reserved[2];
};

struct xe_queue_destroy {
   uint32_t queue, pad;
   uint64_t reserved[2];
};

struct xe_queue_property {
   uint64_t extensions;
   uint32_t queue, property; /* whether it is banned */
   uint64_t value;
   uint64_t reserved[2];
};

struct xe_exec {
   uint64_t extensions;
   uint32_t queue, sync_count;
   uint64_t syncs, address;
   uint16_t batch_count, pad[3];
   uint64_t reserved[2];
};

#endif /* PITOT_SIM_XE_H */
