/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The kernel's own limit for a GPU that hangs: without one nothing may be
 * submitted that could hang.
 */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define CARD_COUNT 64
#define PATH_SIZE  128

/* The numbers by which the kernel tells of its limit, and those that mean
 * that it has none.
 */
static const struct limit {
   const char *driver;
   const char *name; /* of the file in the directory below */
   long first_off, last_off;
} limits[] = {
   { "i915", "heartbeat_interval_ms", 0, 0 },
   { "amdgpu", "gpu_recovery", 0, 0 },
   { "amdgpu", "lockup_timeout", LONG_MIN, -1 },
};

#define LIMIT_COUNT (sizeof(limits) / sizeof(limits[0]))

/* The chips that amdgpu does not reset while it decides by itself: while
 * gpu_recovery is -1, as by default.
 */
#define RECOVERY_AUTOMATIC -1

static const char *const never_reset[] = {
   "verde",  "tahiti", "pitcairn", "oland",  "hainan",
   "kaveri", "kabini", "carrizo",  "stoney",
};

#define NEVER_RESET_COUNT (sizeof(never_reset) / sizeof(never_reset[0]))

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

/* Reads a number of i915's render engine. */
static bool
read_engine_number(const char *node, const char *name, long *value_out)
{
   const char *digits = strpbrk(node, "0123456789");
   char path[PATH_SIZE];

   for (unsigned card = 0; digits != NULL && card < CARD_COUNT; card++) {
      snprintf(path, sizeof(path),
               "/sys/dev/char/226:%.8s/device/drm/card%u/engine/rcs0/%s",
               digits, card, name);
      if (read_number(path, value_out))
         return true;
   }
   return false;
}

static bool
read_limit(const struct pitot_drm_device *device, const struct limit *limit,
           long *value_out)
{
   char path[PATH_SIZE];

   if (device->gpu.family == &pitot_hw_intel)
      return read_engine_number(device->path, limit->name, value_out);
   snprintf(path, sizeof(path), "/sys/module/%s/parameters/%s", limit->driver,
            limit->name);
   return read_number(path, value_out);
}

static bool
is_never_reset(const char *chip)
{
   for (unsigned i = 0; i < NEVER_RESET_COUNT; i++) {
      if (strcmp(never_reset[i], chip) == 0)
         return true;
   }
   return false;
}

/* Returns whether a number means that the kernel has no limit for this GPU.
 */
static bool
is_off(const struct pitot_gpu *gpu, const struct limit *limit, long value)
{
   if (value >= limit->first_off && value <= limit->last_off)
      return true;
   return strcmp(limit->name, "gpu_recovery") == 0 &&
          value == RECOVERY_AUTOMATIC && is_never_reset(gpu->name);
}

/* A number that the kernel does not tell is not held against it. */
void
check_hang_limit(struct check_gpu *gpu)
{
   const struct pitot_drm_device *device = gpu->device;

   if (device->has_no_reset) {
      check_wrong(gpu, "%s says that it does not reset a GPU that hangs",
                  device->driver);
      gpu->is_lost = true;
   }
   for (unsigned i = 0; i < LIMIT_COUNT; i++) {
      const struct limit *limit = &limits[i];
      long value;

      if (strcmp(limit->driver, device->driver) != 0 ||
          !read_limit(device, limit, &value))
         continue;
      check_add_number(gpu, limit->name, (double)value);
      if (!is_off(&device->gpu, limit, value))
         continue;
      check_wrong(gpu, "%s is %ld: a GPU that hangs is not reset",
                  limit->name, value);
      gpu->is_lost = true;
   }
}
