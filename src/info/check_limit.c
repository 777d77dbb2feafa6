/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Checks that the kernel resets a GPU that hangs: otherwise no other check
 * may submit anything that could hang.
 */

#include <stdlib.h>
#include <string.h>

#include "check.h"

#define CARD_COUNT 64
#define PATH_SIZE  128

/* The default of amdgpu.gpu_recovery */
#define RECOVERY_AUTOMATIC -1

/* Returns false if the file does not begin with a number. */
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

/* The interval at which i915 checks whether the render engine hangs */
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

/* Chips that amdgpu does not reset with RECOVERY_AUTOMATIC */
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

/* is_off: with this value, the kernel does not reset a GPU that hangs. */
static void
tell_number(struct check_gpu *gpu, const char *name, long value, bool is_off)
{
   check_add_number(gpu, name, (double)value);
   if (!is_off)
      return;
   check_wrong(gpu, "%s is %ld: a GPU that hangs is not reset", name, value);
   gpu->is_lost = true;
}

/* Values that the kernel does not report are assumed to be fine. */
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
