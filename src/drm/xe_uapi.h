/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The part of xe's uAPI (Linux 6.8) that Pitot uses; libdrm lacks it.
 */

#ifndef PITOT_DRM_XE_UAPI_H
#define PITOT_DRM_XE_UAPI_H

#include <stdint.h>

#include <drm.h>

/* The kernel's layouts: fields that Pitot does not set must be 0. */
struct xe_device_query {
   uint64_t extensions;
   uint32_t query;
   uint32_t size_B; /* 0: the kernel sets it and writes no data */
   uint64_t data;
   uint64_t reserved[2];
};

#define XE_DEVICE_QUERY_CONFIG        2
#define XE_DEVICE_QUERY_GTS           3
#define XE_DEVICE_QUERY_ENGINE_CYCLES 6

struct xe_query_config {
   uint32_t count;
   uint32_t pad;
   uint64_t info[];
};

#define XE_CONFIG_DEVICE_ID 0 /* its low 16 bits */

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
   uint64_t cpu_ns;        /* of clock_id, before the counter was read */
   uint64_t cpu_delta_ns;  /* the time that the read took */
};

struct xe_exec_queue_get_property {
   uint64_t extensions;
   uint32_t queue;
   uint32_t property;
   uint64_t value;
   uint64_t reserved[2];
};

#define XE_EXEC_QUEUE_PROPERTY_BAN 0

#define XE_DEVICE_QUERY                                                      \
   DRM_IOWR(DRM_COMMAND_BASE + 0x0, struct xe_device_query)
#define XE_EXEC_QUEUE_GET_PROPERTY                                           \
   DRM_IOWR(DRM_COMMAND_BASE + 0x8, struct xe_exec_queue_get_property)

#endif /* PITOT_DRM_XE_UAPI_H */
