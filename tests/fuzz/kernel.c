/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <amdgpu_drm.h>
#include <drm.h>
#include <i915_drm.h>

#include "../fail_memory.h"
#include "kernel.h"
#include "sim_priv.h"

/* Beyond this, an endless loop of ioctls is a finding. */
#define MAX_IOCTLS 100000

/* Pitot's batch buffers, which only Pitot writes. */
#define BATCH_B 65536

/* The first errors mean that nothing was done: the call is repeated. */
#define REPEATED 2

static const int errors[] = {
   EINTR,  EAGAIN, ENOMEM, EIO,   EINVAL,    ENODEV,
   ENOENT, EACCES, ETIME,  EBUSY, ECANCELED, ENOSPC,
};

/* The value of fail_memory while the simulation runs, which must not fail. */
static unsigned failing;

/* Deeds */

struct answer {
   uint8_t *bytes;
   size_t size_B;
};

/* Returns the memory of an ioctl's reply, which may be behind a pointer. */
static struct answer
answer_of(unsigned long request, void *argument)
{
   struct answer answer = { argument, _IOC_SIZE(request) };

   if (request == DRM_IOCTL_I915_GETPARAM) {
      const drm_i915_getparam_t *param = argument;

      answer = (struct answer){ (uint8_t *)param->value, sizeof(int) };
   } else if (request == DRM_IOCTL_AMDGPU_INFO) {
      const struct drm_amdgpu_info *info = argument;

      answer.bytes = (uint8_t *)(uintptr_t)info->return_pointer;
      answer.size_B = info->return_size;
   } else if (request == DRM_IOCTL_VERSION) {
      const struct drm_version *version = argument;

      answer = (struct answer){ (uint8_t *)version->name, 8 };
   } else if ((_IOC_DIR(request) & _IOC_READ) == 0) {
      answer.size_B = 0;
   }
   return answer;
}

/* Overwrites a part of a reply. */
static void
lie(struct fuzz_kernel *kernel, struct answer answer)
{
   const size_t offset_B = fuzz_u8(&kernel->input) * sizeof(uint32_t);
   const unsigned size_B = 1u << fuzz_below(&kernel->input, 4);
   const uint64_t value = fuzz_bytes(&kernel->input, size_B);

   kernel->has_lied = true;
   if (offset_B + size_B <= answer.size_B)
      memcpy(answer.bytes + offset_B, &value, size_B);
}

/* Overwrites a qword that the GPU may have written. */
static void
write_memory(struct fuzz_kernel *kernel)
{
   unsigned skipped = fuzz_below(&kernel->input, 8);
   const unsigned offset_B = fuzz_u8(&kernel->input) * sizeof(uint64_t);
   const uint64_t value = fuzz_bytes(&kernel->input, sizeof(value));

   kernel->has_lied = true;
   for (const struct sim_bo *bo = kernel->sim->kernel->bos; bo != NULL;
        bo = bo->next) {
      if (bo->size_B == BATCH_B || skipped-- > 0)
         continue;
      memcpy(bo->memory + offset_B, &value, sizeof(value));
      return;
   }
}

enum deed {
   DEED_FAIL,       /* the ioctl is not done */
   DEED_FAIL_AFTER, /* it is done, but returns an error */
   DEED_LIE,
   DEED_WRITE,
   DEED_HANG,
   DEED_RESET,
   DEED_MMAP,
   DEED_MEMORY,
   DEED_DELAY,
   DEED_COUNT,
};

/* Deeds other than to the ioctl itself. */
static void
do_deed(struct fuzz_kernel *kernel, enum deed deed)
{
   struct sim *sim = kernel->sim;

   switch (deed) {
   case DEED_WRITE:
      write_memory(kernel);
      break;
   case DEED_HANG:
      sim->hang_on_submit =
         sim->submit_count + 1 + fuzz_below(&kernel->input, 4);
      sim->reset_clears_clock = fuzz_bool(&kernel->input);
      break;
   case DEED_RESET:
      sim_reset(sim);
      break;
   case DEED_MMAP:
      sim->mmap_errno = fuzz_bool(&kernel->input) ? ENOMEM : 0;
      break;
   case DEED_MEMORY:
      failing = fuzz_u8(&kernel->input);
      break;
   case DEED_DELAY: /* not forever, if no thread waits */
      sim->is_delayed = fuzz_bool(&kernel->input) && !sim->is_live;
      break;
   default:
      break;
   }
}

/* The kernel */

static int
fail(int error)
{
   errno = error;
   return -1;
}

static int
do_ioctl(struct fuzz_kernel *kernel, int fd, unsigned long request,
         void *argument)
{
   const struct pitot_drm_io *io = &kernel->sim->io;
   const enum deed deed = fuzz_below(&kernel->input, DEED_COUNT);
   int result;

   kernel->patience = fuzz_u8(&kernel->input);
   do_deed(kernel, deed);
   kernel->has_failed |= deed == DEED_FAIL || deed == DEED_FAIL_AFTER;
   if (deed == DEED_FAIL)
      return fail(errors[fuzz_below(&kernel->input, ARRAY_LENGTH(errors))]);
   result = io->ioctl(io->data, fd, request, argument);
   if (deed == DEED_FAIL_AFTER)
      return fail(
         errors[REPEATED +
                fuzz_below(&kernel->input, ARRAY_LENGTH(errors) - REPEATED)]);
   if (deed == DEED_LIE && result == 0)
      lie(kernel, answer_of(request, argument));
   return result;
}

/* Whose other calls go to the simulation directly. */
static struct fuzz_kernel *the_kernel;

static int
io_ioctl(void *data, int fd, unsigned long request, void *argument)
{
   struct fuzz_kernel *kernel = the_kernel;
   int result;

   if (++kernel->ioctl_count > MAX_IOCTLS)
      fuzz_fail("ioctl 0x%lx, again and again", request);
   failing = fail_memory;
   fail_memory = 0;
   if (kernel->input.left_B == 0 || kernel->patience-- > 0)
      result = kernel->sim->io.ioctl(data, fd, request, argument);
   else
      result = do_ioctl(kernel, fd, request, argument);
   fail_memory = failing;
   return result;
}

void
fuzz_kernel_init(struct fuzz_kernel *kernel, const char *gpu,
                 struct fuzz_input input)
{
   fail_memory = 0;
   fail_memory_growth = FAIL_MEMORY_COUNTS;
   *kernel = (struct fuzz_kernel){ .sim = sim_create(gpu), .input = input };
   kernel->io = kernel->sim->io;
   kernel->io.ioctl = io_ioctl;
   the_kernel = kernel;
   kernel->patience = fuzz_u8(&kernel->input);
}

void
fuzz_kernel_finish(struct fuzz_kernel *kernel)
{
   fail_memory = 0;
   fuzz_assert(kernel->sim->open_count == 0);
   fuzz_assert(kernel->sim->mapping_count == 0);
   if (!kernel->has_failed && !kernel->has_lied)
      fuzz_assert(kernel->sim->object_count == 0);
   sim_destroy(kernel->sim);
}
