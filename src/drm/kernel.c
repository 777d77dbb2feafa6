/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Reads clocks, resets and suspends from the kernel drivers, through a render
 * node that is already open: the part of src/drm that Mesa's drivers use.
 * Invariant: no read allocates, waits for the GPU or opens a file.  Any
 * thread may call it.
 */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <amdgpu_drm.h>
#include <drm.h>
#include <i915_drm.h>
#include <msm_drm.h>

#include "drm_priv.h"
#include "xe_uapi.h"

/* The render engine's TIMESTAMP register, up to Gen12.5. */
#define TIMESTAMP_REGISTER 0x2358
#define I915_CLOCK_BITS    36

#define AMDGPU_CLOCK_BITS 64

/* msm's, since Linux 5.2 and 6.0; libdrm's header lacks them. */
#define PARAM_FAULTS   0x09
#define PARAM_SUSPENDS 0x0a

static int
system_open(void *data, const char *path, int flags)
{
   (void)data;
   return open(path, flags);
}

static int
system_close(void *data, int fd)
{
   (void)data;
   return close(fd);
}

static int
system_ioctl(void *data, int fd, unsigned long request, void *argument)
{
   (void)data;
   return ioctl(fd, request, argument);
}

static void *
system_mmap(void *data, size_t size_B, int protection, int flags, int fd,
            off_t offset)
{
   (void)data;
   return mmap(NULL, size_B, protection, flags, fd, offset);
}

static int
system_munmap(void *data, void *address, size_t size_B)
{
   (void)data;
   return munmap(address, size_B);
}

const struct pitot_drm_io pitot_drm_system = {
   .open = system_open,
   .close = system_close,
   .ioctl = system_ioctl,
   .mmap = system_mmap,
   .munmap = system_munmap,
};

int
pitot_drm_call(const struct pitot_drm_io *io, int fd, unsigned long request,
               void *argument)
{
   int result;

   do {
      result = io->ioctl(io->data, fd, request, argument);
   } while (result == -1 && (errno == EINTR || errno == EAGAIN));

   return result == -1 ? -errno : 0;
}

/* The description of the driver of a simulated kernel; Linux's drivers name
 * the vendor there.
 */
#define SIMULATED "simulated"

int
pitot_drm_read_version(const struct pitot_drm_io *io, int fd,
                       struct pitot_drm_version *version_out)
{
   char description[sizeof(SIMULATED) + 1] = "";
   struct drm_version answer;

   /* memset() clears the padding, too, which the kernel reads. */
   memset(&answer, 0, sizeof(answer));
   answer.name = version_out->driver;
   answer.name_len = sizeof(version_out->driver) - 1;
   answer.desc = description;
   answer.desc_len = sizeof(description) - 1;

   *version_out = (struct pitot_drm_version){ 0 };
   const int result = pitot_drm_call(io, fd, DRM_IOCTL_VERSION, &answer);
   if (result != 0)
      return result;

   version_out->number[0] = answer.version_major;
   version_out->number[1] = answer.version_minor;
   version_out->number[2] = answer.version_patchlevel;
   version_out->is_simulated = strcmp(description, SIMULATED) == 0;
   return 0;
}

/*
 * Clocks
 */

static struct pitot_clock_reading
reading_of_bits(uint64_t value, unsigned bits)
{
   return (struct pitot_clock_reading){
      .ticks = value & UINT64_MAX >> (64 - bits),
      .bits = bits,
   };
}

int
pitot_i915_read_clock(const struct pitot_drm_io *io, int fd,
                      struct pitot_clock_reading *reading_out)
{
   struct drm_i915_reg_read request = {
      .offset = TIMESTAMP_REGISTER | I915_REG_READ_8B_WA,
   };
   const int result =
      pitot_drm_call(io, fd, DRM_IOCTL_I915_REG_READ, &request);

   if (result == 0)
      *reading_out = reading_of_bits(request.val, I915_CLOCK_BITS);
   return result;
}

/* The kernel reads the CPU's clock before and after the render engine's. */
int
pitot_xe_read_clock(const struct pitot_drm_io *io, int fd,
                    struct pitot_clock_reading *reading_out)
{
   struct xe_engine_cycles cycles = {
      .engine.engine_class = XE_ENGINE_RENDER,
      .clock_id = CLOCK_MONOTONIC,
   };
   struct xe_device_query request = {
      .query = XE_DEVICE_QUERY_ENGINE_CYCLES,
      .size_B = sizeof(cycles),
      .data = pitot_drm_pointer(&cycles),
   };
   const int result = pitot_drm_call(io, fd, XE_DEVICE_QUERY, &request);

   if (result != 0)
      return result;
   if (cycles.width == 0 || cycles.width > 64)
      return -EINVAL;
   *reading_out = reading_of_bits(cycles.engine_cycles, cycles.width);
   reading_out->before_ns = cycles.cpu_ns;
   reading_out->after_ns = cycles.cpu_ns + cycles.cpu_delta_ns;
   return 0;
}

int
pitot_amdgpu_read_clock(const struct pitot_drm_io *io, int fd,
                        struct pitot_clock_reading *reading_out)
{
   uint64_t value = 0;
   struct drm_amdgpu_info request = {
      .return_pointer = pitot_drm_pointer(&value),
      .return_size = sizeof(value),
      .query = AMDGPU_INFO_TIMESTAMP,
   };
   const int result = pitot_drm_call(io, fd, DRM_IOCTL_AMDGPU_INFO, &request);

   if (result == 0)
      *reading_out = reading_of_bits(value, AMDGPU_CLOCK_BITS);
   return result;
}

static int
read_msm(const struct pitot_drm_io *io, int fd, uint32_t param,
         uint64_t *value_out)
{
   struct drm_msm_param request = { .pipe = MSM_PIPE_3D0, .param = param };
   const int result =
      pitot_drm_call(io, fd, DRM_IOCTL_MSM_GET_PARAM, &request);

   if (result == 0)
      *value_out = request.value;
   return result;
}

int
pitot_msm_read_clock(const struct pitot_drm_io *io, int fd,
                     struct pitot_clock_reading *reading_out)
{
   uint64_t value;
   const int result = read_msm(io, fd, MSM_PARAM_TIMESTAMP, &value);

   if (result == 0)
      *reading_out = reading_of_bits(value, PITOT_ADRENO_TIMESTAMP_BITS);
   return result;
}

/*
 * Resets and suspends
 */

int
pitot_i915_read_resets(const struct pitot_drm_io *io, int fd,
                       uint32_t context, struct pitot_drm_resets *resets_out)
{
   struct drm_i915_reset_stats request = { .ctx_id = context };
   const int result =
      pitot_drm_call(io, fd, DRM_IOCTL_I915_GET_RESET_STATS, &request);

   if (result == 0)
      *resets_out = (struct pitot_drm_resets){ request.batch_active,
                                               request.batch_pending };
   return result;
}

int
pitot_xe_read_resets(const struct pitot_drm_io *io, int fd, uint32_t queue,
                     struct pitot_drm_resets *resets_out)
{
   struct xe_exec_queue_get_property request = {
      .queue = queue,
      .property = XE_EXEC_QUEUE_PROPERTY_BAN,
   };
   const int result =
      pitot_drm_call(io, fd, XE_EXEC_QUEUE_GET_PROPERTY, &request);

   if (result == 0)
      *resets_out = (struct pitot_drm_resets){ .guilty = request.value != 0 };
   return result;
}

int
pitot_msm_read_resets(const struct pitot_drm_io *io, int fd,
                      uint64_t *count_out)
{
   return read_msm(io, fd, PARAM_FAULTS, count_out);
}

int
pitot_msm_read_suspends(const struct pitot_drm_io *io, int fd,
                        uint64_t *count_out)
{
   return read_msm(io, fd, PARAM_SUSPENDS, count_out);
}
