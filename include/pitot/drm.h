/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GPU through libdrm: its device info, its clock, and on i915 and amdgpu a
 * small context of Pitot's own.
 *
 * Threads: any thread may use a device, one thread at a time a context.
 */

#ifndef PITOT_DRM_H
#define PITOT_DRM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pitot/adreno.h"
#include "pitot/amd.h"
#include "pitot/clock.h"
#include "pitot/intel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The system calls that reach the kernel, so that a simulated kernel can
 * replace it.  Each behaves as the system's function of the same name, errno
 * included.  Pitot repeats an ioctl that was interrupted.
 */
struct pitot_drm_io {
   int (*open)(void *data, const char *path, int flags);
   int (*close)(void *data, int fd);
   int (*ioctl)(void *data, int fd, unsigned long request, void *argument);
   void *(*mmap)(void *data, size_t size_B, int protection, int flags, int fd,
                 off_t offset);
   int (*munmap)(void *data, void *address, size_t size_B);
   uint64_t (*cpu_ns)(void); /* of a simulated GPU; NULL: CLOCK_MONOTONIC */
   void *data;
};

/* The real system calls. */
extern const struct pitot_drm_io pitot_drm_system;

#define PITOT_DRM_MESSAGE_SIZE 160

/* What a node reports about its kernel driver. */
struct pitot_drm_version {
   char driver[16]; /* its name: "i915", "xe", "amdgpu" */
   int number[3];
   bool is_simulated; /* the kernel reports that it is a simulator */
};

/*
 * What kernel drivers report about a GPU whose node the caller has open, as a
 * driver has.  No function allocates, waits for the GPU, or opens anything.
 * Any thread may call them.  All return 0, or -errno and leave the result
 * alone.
 */

/* The counter that TIMESTAMP samples; xe reads CLOCK_MONOTONIC with it. */
int
pitot_i915_read_clock(const struct pitot_drm_io *io, int fd,
                      struct pitot_clock_reading *reading_out);

int
pitot_xe_read_clock(const struct pitot_drm_io *io, int fd,
                    struct pitot_clock_reading *reading_out);

int
pitot_amdgpu_read_clock(const struct pitot_drm_io *io, int fd,
                        struct pitot_clock_reading *reading_out);

int
pitot_msm_read_clock(const struct pitot_drm_io *io, int fd,
                     struct pitot_clock_reading *reading_out);

/* Resets of the GPU that a hardware context caused (guilty) or suffered
 * (innocent).
 */
struct pitot_drm_resets {
   uint32_t guilty;
   uint32_t innocent;
};

int
pitot_i915_read_resets(const struct pitot_drm_io *io, int fd,
                       uint32_t context, struct pitot_drm_resets *resets_out);

/* A queue is a hardware context.  xe does not report resets that others
 * caused.
 */
int
pitot_xe_read_resets(const struct pitot_drm_io *io, int fd, uint32_t queue,
                     struct pitot_drm_resets *resets_out);

/* Counts the resets that all contexts together caused. */
int
pitot_msm_read_resets(const struct pitot_drm_io *io, int fd,
                      uint64_t *count_out);

/* Counts how often the GPU was powered off.  Does not power it on. */
int
pitot_msm_read_suspends(const struct pitot_drm_io *io, int fd,
                        uint64_t *count_out);

/* A device.  Callers may read its device info. */
struct pitot_drm_device {
   union {
      struct pitot_gpu gpu;
      struct pitot_intel_gpu intel;
      struct pitot_amd_gpu amd;
   };
   char path[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_version kernel;
   unsigned device_id; /* PCI; 0: the GPU is part of a SoC */
   bool is_discrete;   /* Intel: with memory of its own */
   bool has_llc;       /* Intel: the GPU shares the CPU's last cache */
   bool has_pat;       /* Intel: buffers are created with a cache policy */
   bool has_no_reset;  /* Intel: the kernel does not reset a GPU that hangs */

   struct pitot_clock *clock; /* shared by all its contexts */
   const struct pitot_drm_io *io;
   const struct pitot_drm_family *family;
   int fd;
};

/* Opens a render node, or the first one with a GPU that Pitot knows if path
 * is NULL.  Returns 0, or -errno and in message one line with the reason and
 * the remedy.
 */
int
pitot_drm_open(const struct pitot_drm_io *io, const char *path,
               struct pitot_drm_device **device_out,
               char message[PITOT_DRM_MESSAGE_SIZE]);

/* Opens the next render node that exists, from *index_inout on, which is 0
 * for the first one.  Returns as pitot_drm_open(), and -ENOENT after the last
 * node.
 */
int
pitot_drm_open_next(const struct pitot_drm_io *io, unsigned *index_inout,
                    struct pitot_drm_device **device_out,
                    char message[PITOT_DRM_MESSAGE_SIZE]);

/* Reads the name and version of the kernel driver of an open node, of any
 * vendor.  Returns 0 or -errno.
 */
int
pitot_drm_read_version(const struct pitot_drm_io *io, int fd,
                       struct pitot_drm_version *version_out);

/* Accepts NULL. */
void
pitot_drm_close(struct pitot_drm_device *device);

/* Reads the counter that TIMESTAMP samples.  Returns 0 or -errno. */
int
pitot_drm_timestamp(struct pitot_drm_device *device, uint64_t *ticks_out);

/* A clock sample: the GPU's clock and CLOCK_MONOTONIC at the same moment,
 * with an error of at most error_ns either way.
 */
struct pitot_drm_calibration {
   uint64_t gpu_ticks;
   uint64_t cpu_ns;
   uint64_t error_ns;
};

/* Takes several clock samples and returns the one with the smallest error.
 * Returns 0 or -errno.
 */
int
pitot_drm_calibrate(struct pitot_drm_device *device,
                    struct pitot_drm_calibration *calibration_out);

/* Creates a context of Pitot's own as a command stream, with a render ring,
 * and a compute ring if statistics of compute need one.  Submits a batch when
 * it is flushed or full.  Returns 0 or -errno: -ENOTSUP on xe and msm.
 */
int
pitot_drm_context_create(struct pitot_drm_device *device,
                         struct pitot_cs **cs_out);

/* Accepts NULL. */
void
pitot_drm_context_destroy(struct pitot_cs *cs);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_DRM_H */
