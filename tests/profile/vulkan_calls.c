/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A library to preload: counts zink's calls of its Vulkan driver that queries
 * take or that separate work: command buffers and render passes.  When the
 * program ends, it writes a line for each function to the file
 * PITOT_VULKAN_CALLS:
 *
 *    FUNCTION CALLS
 *
 * A program that calls pitot_vulkan_calls() gets the sum so far.
 */

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PUBLIC __attribute__((visibility("default")))

/* All have at most eight parameters, numbers or pointers: they can be called
 * alike.
 */
#define COUNTED(X)                                                           \
   X(vkBeginCommandBuffer)                                                   \
   X(vkCmdBeginRendering)                                                    \
   X(vkCmdBeginQuery)                                                        \
   X(vkCmdBeginQueryIndexedEXT)                                              \
   X(vkCmdCopyQueryPoolResults)                                              \
   X(vkCmdEndQuery)                                                          \
   X(vkCmdEndQueryIndexedEXT)                                                \
   X(vkCmdResetQueryPool)                                                    \
   X(vkCmdWriteTimestamp)                                                    \
   X(vkQueueSubmit)

typedef uintptr_t any_function(uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                               uintptr_t, uintptr_t, uintptr_t, uintptr_t);
typedef any_function *
get_function(void *object, const char *name);

enum counted {
#define INDEX(NAME) INDEX_##NAME,
   COUNTED(INDEX) COUNT
};

static any_function *driver[COUNT];
static atomic_uint calls[COUNT];
static get_function *driver_device_function;

#define COUNT_CALLS(NAME)                                                    \
   static uintptr_t count_##NAME(uintptr_t a, uintptr_t b, uintptr_t c,      \
                                 uintptr_t d, uintptr_t e, uintptr_t f,      \
                                 uintptr_t g, uintptr_t h)                   \
   {                                                                         \
      atomic_fetch_add(&calls[INDEX_##NAME], 1);                             \
      return driver[INDEX_##NAME](a, b, c, d, e, f, g, h);                   \
   }

COUNTED(COUNT_CALLS)

static const struct {
   const char *name;
   any_function *function;
} counted[] = {
#define ROW(NAME) { #NAME, count_##NAME },
   COUNTED(ROW)
};

/* Replaces a driver function by one that counts, if it is in the list. */
static any_function *
counted_function(const char *name, any_function *function)
{
   for (unsigned i = 0; function && i < COUNT; i++) {
      const size_t length = strlen(counted[i].name);

      if (strncmp(name, counted[i].name, length) != 0 ||
          (name[length] && strcmp(name + length, "KHR") != 0))
         continue;
      driver[i] = function;
      return counted[i].function;
   }
   return function;
}

static any_function *
device_function(void *device, const char *name)
{
   return counted_function(name, driver_device_function(device, name));
}

/* zink gets the driver's functions from this function of the loader. */
PUBLIC void *
dlsym(void *handle, const char *name)
{
   static void *(*real)(void *, const char *);

   if (!real)
      real = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym",
                                                     "GLIBC_2.2.5");
   if (strcmp(name, "vkGetDeviceProcAddr") != 0)
      return real(handle, name);
   driver_device_function = (get_function *)real(handle, name);
   return (void *)device_function;
}

PUBLIC unsigned
pitot_vulkan_calls(void)
{
   unsigned sum = 0;

   for (unsigned i = 0; i < COUNT; i++)
      sum += calls[i];
   return sum;
}

static void __attribute__((destructor)) finish(void)
{
   const char *path = getenv("PITOT_VULKAN_CALLS");
   FILE *file;

   if (!path || !driver_device_function || !(file = fopen(path, "w")))
      return;
   for (unsigned i = 0; i < COUNT; i++)
      fprintf(file, "%s %u\n", counted[i].name, calls[i]);
   fclose(file);
}
