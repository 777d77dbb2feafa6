/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The kernel's own limit for a GPU that hangs: without one nothing may be
 * submitted that could hang.
 */

#include <stdlib.h>
#include <string.h>

#include "check.h"

#define CARD_COUNT 64
#define PATH_SIZE  128

/* Of gpu_recovery, by default. */
#define RECOVERY_AUTOMATIC -1

/* Reads the number that a file begins with.  Returns whether it does. */
static bool
read_number(const char *path, long *value_out)
{
   char text[32] = "", *end;
   FILE *file = fopen(path, "re");

   if (file == NULL)
      return false;
   fgets(text, sizeof(text), file);
   fclose(file);
   *value_out = strtol(text, &end, 10);
   return end != text;
}

/* Reads after how long i915 looks whether its render engine hangs. */
static bool
read_heartbeat(const char *node, long *value_out)
{
   const char *digits = strpbrk(node, "0123456789");
   char path[PATH_SIZE];

   for (unsigned card = 0; digits != NULL && card < CARD_COUNT; card++) {
      snprintf(path, sizeof(path),
               "/sys/dev/char/226:%.8s/device/drm/card%u/engine/rcs0/"
               "heartbeat_interval_ms",
               digits, card);
      if (read_number(path, value_out))
         return true;
   }
   return false;
}

/* Returns whether amdgpu resets no such chip while it decides by itself. */
static bool
is_never_reset(const char *chip)
{
   static const char *const names[] = {
      "verde",  "tahiti", "pitcairn", "oland",  "hainan",
      "kaveri", "kabini", "carrizo",  "stoney",
   };

   for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
      if (strcmp(names[i], chip) == 0)
         return true;
   }
   return false;
}

/* Tells a number of the kernel's, and whether it means that there is no
 * limit.
 */
static void
tell_number(struct check_gpu *gpu, const char *name, long value, bool is_off)
{
   check_add_number(gpu, name, (double)value);
   if (!is_off)
      return;
   check_wrong(gpu, "%s is %ld: a GPU that hangs is not reset", name, value);
   gpu->is_lost = true;
}

/* A number that the kernel does not tell is not held against it. */
void
check_hang_limit(struct check_gpu *gpu)
{
   const struct pitot_drm_device *device = gpu->device;
   long value;

   if (device->has_no_reset) {
      check_wrong(gpu, "%s says that it does not reset a GPU that hangs",
                  device->kernel.driver);
      gpu->is_lost = true;
   }
   if (strcmp(device->kernel.driver, "i915") == 0 &&
       read_heartbeat(device->path, &value))
      tell_number(gpu, "heartbeat_interval_ms", value, value == 0);
   if (strcmp(device->kernel.driver, "amdgpu") != 0)
      return;
   if (read_number("/sys/module/amdgpu/parameters/gpu_recovery", &value))
      tell_number(gpu, "gpu_recovery", value,
                  value == 0 || (value == RECOVERY_AUTOMATIC &&
                                 is_never_reset(device->gpu.name)));
   if (read_number("/sys/module/amdgpu/parameters/lockup_timeout", &value))
      tell_number(gpu, "lockup_timeout", value, value < 0);
}
