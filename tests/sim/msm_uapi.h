/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The part of msm's interface, version 1.12, that freedreno uses: libdrm's
 * header ends with version 1.1.
 */

#ifndef PITOT_SIM_MSM_UAPI_H
#define PITOT_SIM_MSM_UAPI_H

#include <stdint.h>

#include <drm.h>

enum {
   MSM_GET_PARAM = 0x00,
   MSM_SET_PARAM = 0x01,
   MSM_GEM_NEW = 0x02,
   MSM_GEM_INFO = 0x03,
   MSM_GEM_CPU_PREP = 0x04,
   MSM_GEM_CPU_FINI = 0x05,
   MSM_GEM_SUBMIT = 0x06,
   MSM_WAIT_FENCE = 0x07,
   MSM_GEM_MADVISE = 0x08,
   MSM_QUEUE_NEW = 0x0a,
   MSM_QUEUE_CLOSE = 0x0b,
   MSM_QUEUE_QUERY = 0x0c,
};

#define MSM_PIPE_3D0     0x10
#define MSM_PIPE_ID_MASK 0xffff

enum {
   MSM_PARAM_GPU_ID = 0x01,
   MSM_PARAM_GMEM_SIZE = 0x02,
   MSM_PARAM_CHIP_ID = 0x03,
   MSM_PARAM_MAX_FREQ = 0x04,
   MSM_PARAM_TIMESTAMP = 0x05,
   MSM_PARAM_GMEM_BASE = 0x06,
   MSM_PARAM_PRIORITIES = 0x07,
   MSM_PARAM_PP_PGTABLE = 0x08,
   MSM_PARAM_FAULTS = 0x09,
   MSM_PARAM_SUSPENDS = 0x0a,
   MSM_PARAM_SYSPROF = 0x0b,
   MSM_PARAM_COMM = 0x0c,
   MSM_PARAM_CMDLINE = 0x0d,
   MSM_PARAM_VA_START = 0x0e,
   MSM_PARAM_VA_SIZE = 0x0f,
   MSM_PARAM_HIGHEST_BANK_BIT = 0x10,
   MSM_PARAM_RAYTRACING = 0x11,
   MSM_PARAM_UBWC_SWIZZLE = 0x12,
   MSM_PARAM_MACROTILE_MODE = 0x13,
};

struct msm_timespec {
   int64_t tv_sec, tv_nsec;
};

struct msm_param {
   uint32_t pipe, param;
   uint64_t value;
   uint32_t length, pad;
};

#define MSM_BO_WC              0x00020000
#define MSM_BO_CACHED_COHERENT 0x00080000

struct msm_gem_new {
   uint64_t size_B;
   uint32_t flags, handle;
};

enum {
   MSM_INFO_GET_OFFSET = 0,
   MSM_INFO_GET_IOVA = 1,
   MSM_INFO_SET_NAME = 2,
   MSM_INFO_GET_FLAGS = 5,
   MSM_INFO_SET_METADATA = 6,
};

struct msm_gem_info {
   uint32_t handle, info;
   uint64_t value;
   uint32_t length, pad;
};

#define MSM_PREP_READ   (1u << 0)
#define MSM_PREP_WRITE  (1u << 1)
#define MSM_PREP_NOSYNC (1u << 2)

struct msm_gem_cpu_prep {
   uint32_t handle, op;
   struct msm_timespec timeout;
};

#define MSM_MADV_DONTNEED 1

struct msm_gem_madvise {
   uint32_t handle, advice, retained;
};

struct msm_reloc {
   uint32_t submit_offset, or ;
   int32_t shift;
   uint32_t index;
   uint64_t offset;
};

#define MSM_CMD_BUF 1

struct msm_cmd {
   uint32_t type, index, offset, size_B, pad, reloc_count;
   uint64_t relocs;
};

#define MSM_BO_READ  (1u << 0)
#define MSM_BO_WRITE (1u << 1)
#define MSM_BO_USES  0xf /* all such flags */

struct msm_bo_use {
   uint32_t flags, handle;
   uint64_t presumed;
};

#define MSM_SUBMIT_FENCE_FD_OUT 0x20000000
#define MSM_SUBMIT_SYNCOBJ_IN   0x08000000
#define MSM_SUBMIT_SYNCOBJ_OUT  0x04000000

struct msm_syncobj {
   uint32_t handle, flags;
   uint64_t point;
};

struct msm_submit {
   uint32_t flags, fence, bo_count, cmd_count;
   uint64_t bos, cmds;
   int32_t fence_fd;
   uint32_t queue;
   uint64_t in_syncobjs, out_syncobjs;
   uint32_t in_syncobj_count, out_syncobj_count, syncobj_stride_B, pad;
};

struct msm_wait_fence {
   uint32_t fence, flags;
   struct msm_timespec timeout;
   uint32_t queue;
};

struct msm_queue {
   uint32_t flags, priority, id;
};

#define MSM_QUEUE_FAULTS 0

struct msm_queue_query {
   uint64_t data;
   uint32_t id, param, length, pad;
};

#define MSM_IOWR(NAME, TYPE)                                                 \
   DRM_IOWR(DRM_COMMAND_BASE + MSM_##NAME, struct msm_##TYPE)
#define MSM_IOW(NAME, TYPE)                                                  \
   DRM_IOW(DRM_COMMAND_BASE + MSM_##NAME, struct msm_##TYPE)

#endif /* PITOT_SIM_MSM_UAPI_H */
