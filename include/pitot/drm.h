/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GPU through libdrm: its facts, its clock, and on i915 and amdgpu a small
 * context of Pitot's own.
 *
 * Threads: a device may be used by any thread, a context by one at a time.
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

/* The calls to the kernel, so that a simulated kernel can stand in for it.
 * Each is the system's function of that name, errno included.  Pitot repeats
 * an ioctl that was interrupted.
 */
struct pitot_drm_io {
   int (*open)(void *data, const char *path, int flags);
   int (*close)(void *data, int fd);
   int (*ioctl)(void *data, int fd, unsigned long request, void *argument);
   void *(*mmap)(void *data, size_t size_B, int protection, int flags, int fd,
                 off_t offset);
   int (*munmap)(void *data, void *address, size_t size_B);
   uint64_t (*cpu_ns)(void); /* of a simulated GPU: CLOCK_MONOTONIC
                              * if it is NULL */
   void *data;
};

/* The system's own. */
extern const struct pitot_drm_io pitot_drm_system;

#define PITOT_DRM_MESSAGE_SIZE 160

/* The answer of a node about its driver in the kernel. */
struct pitot_drm_version {
   char driver[16]; /* the kernel's name for it: "i915", "xe", "amdgpu" */
   int number[3];
   bool is_simulated; /* the kernel is a simulator, and says so */
};

/*
 * Reports of the kernel's drivers on a GPU, for whoever has its node open, as
 * a driver has.  No report allocates, waits for the GPU, or opens anything,
 * and any thread may ask for it.  All functions return 0, or -errno and leave
 * the answer alone.
 */

/* The counter behind TIMESTAMP: with CLOCK_MONOTONIC on xe. */
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

/* Resets of the GPU that a hardware context caused, and that it suffered. */
struct pitot_drm_resets {
   uint32_t guilty;
   uint32_t innocent;
};

int
pitot_i915_read_resets(const struct pitot_drm_io *io, int fd,
                       uint32_t context, struct pitot_drm_resets *resets_out);

/* A queue is a hardware context.  The kernel tells it of no others' resets.
 */
int
pitot_xe_read_resets(const struct pitot_drm_io *io, int fd, uint32_t queue,
                     struct pitot_drm_resets *resets_out);

/* Counts the resets that all contexts together caused. */
int
pitot_msm_read_resets(const struct pitot_drm_io *io, int fd,
                      uint64_t *count_out);

/* Counts how often the GPU was powered off, and powers nothing on. */
int
pitot_msm_read_suspends(const struct pitot_drm_io *io, int fd,
                        uint64_t *count_out);

/* A device.  Its facts may be read. */
struct pitot_drm_device {
   union {
      struct pitot_gpu gpu;
      struct pitot_intel_gpu intel;
      struct pitot_amd_gpu amd;
   };
   char path[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_version kernel;
   unsigned device_id; /* PCI; 0: it is a part of the chip */
   bool is_discrete;   /* Intel: with memory of its own */
   bool has_llc;       /* Intel: the GPU looks into the CPU's caches */
   bool has_pat;       /* Intel: buffers are created with a cache policy */
   bool has_no_reset;  /* Intel: the kernel resets no GPU that hangs */

   struct pitot_clock *clock; /* which all its contexts share */
   const struct pitot_drm_io *io;
   const struct pitot_drm_family *family;
   int fd;
};

/* Opens a render node, or the first one with a GPU that Pitot knows if path
 * is NULL.  Returns 0; or -errno, and in message one line with the reason and
 * the remedy.
 */
int
pitot_drm_open(const struct pitot_drm_io *io, const char *path,
               struct pitot_drm_device **device_out,
               char message[PITOT_DRM_MESSAGE_SIZE]);

/* Opens the next render node that there is, from *index_inout on, which is 0
 * for the first one.  Returns as pitot_drm_open(): -ENOENT after the last
 * one.
 */
int
pitot_drm_open_next(const struct pitot_drm_io *io, unsigned *index_inout,
                    struct pitot_drm_device **device_out,
                    char message[PITOT_DRM_MESSAGE_SIZE]);

/* Asks an open node for its driver in the kernel, of whatever vendor.
 * Returns 0 or -errno.
 */
int
pitot_drm_read_version(const struct pitot_drm_io *io, int fd,
                       struct pitot_drm_version *version_out);

/* Accepts NULL. */
void
pitot_drm_close(struct pitot_drm_device *device);

/* Reads the GPU's counter behind TIMESTAMP.  Returns 0 or -errno. */
int
pitot_drm_timestamp(struct pitot_drm_device *device, uint64_t *ticks_out);

/* The GPU's clock beside CLOCK_MONOTONIC, read at the same moment but for an
 * error of error_ns either way.
 */
struct pitot_drm_calibration {
   uint64_t gpu_ticks;
   uint64_t cpu_ns;
   uint64_t error_ns;
};

/* Reads both, several times, and returns the best pair.  Returns 0 or -errno.
 */
int
pitot_drm_calibrate(struct pitot_drm_device *device,
                    struct pitot_drm_calibration *calibration_out);

/* Creates a context of Pitot's own as a command stream, with one render ring
 * (and a compute ring if statistics of compute need one).  A batch is
 * submitted when it is flushed or full.  Returns 0 or -errno: -ENOTSUP on xe
 * and msm.
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
