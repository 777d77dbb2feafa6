/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Who handles an ioctl.
 */

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "sim_priv.h"

#define MAX_ARGUMENT_B 512

static int
dispatch(struct sim *sim, unsigned long request, void *argument)
{
   const int result = sim_core_ioctl(sim, request, argument);

   if (result != -ENOTTY)
      return result;
   if (strcmp(sim->gpu.driver, "i915") == 0)
      return sim_i915_ioctl(sim, request, argument);
   if (strcmp(sim->gpu.driver, "amdgpu") == 0)
      return sim_amdgpu_ioctl(sim, request, argument);
   return -ENOTTY;
}

/* As in DRM, the number says what is wanted, and the size how much of the
 * argument there is: drivers may have been built for other kernels.
 */
int
sim_ioctl(struct sim *sim, unsigned long request, void *argument)
{
   const size_t size_B = _IOC_SIZE(request);
   uint64_t copy[MAX_ARGUMENT_B / sizeof(uint64_t)] = { 0 };

   if (size_B > sizeof(copy))
      return -ENOTTY;
   memcpy(copy, argument, size_B);

   const int result = dispatch(sim, request, copy);
   if ((_IOC_DIR(request) & _IOC_READ) != 0)
      memcpy(argument, copy, size_B);
   return result;
}
