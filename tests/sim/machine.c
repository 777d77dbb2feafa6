/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine.h"

#define SYS_NODE "/sys/dev/char/226:128"
#define DEVICE   SYS_NODE "/device"

#define VENDOR_INTEL 0x8086
#define VENDOR_AMD   0x1002

/* Paths on the simulated machine. */
static const char *const prefixes[] = { "/dev/dri", SYS_NODE };

static const char *const directories[] = {
   "/dev",     "/dev/dri",      "/sys",
   "/sys/dev", "/sys/dev/char", SYS_NODE,
   DEVICE,     DEVICE "/drm",   DEVICE "/drm/renderD128",
};

static int
make_directories(const char *root)
{
   char path[MACHINE_PATH_SIZE];

   for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
      snprintf(path, sizeof(path), "%s%s", root, directories[i]);
      if (mkdir(path, 0700) != 0)
         return -errno;
   }
   return 0;
}

__attribute__((format(printf, 3, 4))) static int
make_file(const char *root, const char *name, const char *format, ...)
{
   char path[MACHINE_PATH_SIZE];
   va_list arguments;

   snprintf(path, sizeof(path), "%s%s", root, name);
   FILE *file = fopen(path, "w");
   if (file == NULL)
      return -errno;

   va_start(arguments, format);
   vfprintf(file, format, arguments);
   va_end(arguments);
   return fclose(file) == 0 ? 0 : -errno;
}

static int
make_link(const char *root, const char *name, const char *target)
{
   char path[MACHINE_PATH_SIZE];

   snprintf(path, sizeof(path), "%s%s", root, name);
   return symlink(target, path) == 0 ? 0 : -errno;
}

static int
first_error(const int *results, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      if (results[i] != 0)
         return results[i];
   }
   return 0;
}

static int
make_pci_files(const char *root, const struct sim_gpu *gpu)
{
   const unsigned vendor = gpu->is_intel ? VENDOR_INTEL : VENDOR_AMD;
   const int results[] = {
      make_file(root, DEVICE "/uevent",
                "DRIVER=%s\nPCI_ID=%04X:%04X\nPCI_SLOT_NAME=0000:03:00.0\n",
                gpu->driver, vendor, gpu->device_id),
      make_file(root, DEVICE "/vendor", "0x%04x\n", vendor),
      make_file(root, DEVICE "/device", "0x%04x\n", gpu->device_id),
      make_file(root, DEVICE "/subsystem_vendor", "0x%04x\n", vendor),
      make_file(root, DEVICE "/subsystem_device", "0x0001\n"),
      make_file(root, DEVICE "/revision", "0x%02x\n", gpu->pci_revision),
      make_link(root, DEVICE "/subsystem", "../../../../bus/pci"),
   };

   return first_error(results, sizeof(results) / sizeof(results[0]));
}

/* Part of a chip, as a device tree describes. */
static int
make_platform_files(const char *root, const struct sim_gpu *gpu)
{
   const int results[] = {
      make_file(
         root, DEVICE "/uevent",
         "DRIVER=%s\nOF_NAME=gpu\nOF_FULLNAME=/soc@0/gpu@5000000\n"
         "OF_COMPATIBLE_0=qcom,adreno-%08x\nOF_COMPATIBLE_1=qcom,adreno"
         "\nOF_COMPATIBLE_N=2\n",
         gpu->driver, (unsigned)gpu->chip_id),
      make_link(root, DEVICE "/subsystem", "../../../../bus/platform"),
   };

   return first_error(results, sizeof(results) / sizeof(results[0]));
}

static int
make_files(const char *root, const struct sim_gpu *gpu)
{
   const int results[] = {
      make_file(root, "/dev/dri/renderD128", "%s", ""),
      make_file(root, SYS_NODE "/uevent", "DEVNAME=dri/renderD128\n"),
      gpu->is_adreno ? make_platform_files(root, gpu)
                     : make_pci_files(root, gpu),
   };

   return first_error(results, sizeof(results) / sizeof(results[0]));
}

int
machine_create(struct machine *machine, const struct sim_gpu *gpu)
{
   const char *directory = getenv("TMPDIR");

   snprintf(machine->root, sizeof(machine->root), "%.40s/pitot-sim-XXXXXX",
            directory != NULL ? directory : "/tmp");
   if (mkdtemp(machine->root) == NULL)
      return -errno;

   const int result = make_directories(machine->root);
   return result != 0 ? result : make_files(machine->root, gpu);
}

static int
remove_one(const char *path, const struct stat *status, int type,
           struct FTW *walk)
{
   (void)status, (void)type, (void)walk;
   return remove(path);
}

void
machine_destroy(const struct machine *machine)
{
   nftw(machine->root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static bool
is_below(const char *path, const char *prefix)
{
   const size_t length = strlen(prefix);

   return strncmp(path, prefix, length) == 0 &&
          (path[length] == '/' || path[length] == '\0');
}

const char *
machine_path(const struct machine *machine, const char *path,
             char buffer[MACHINE_PATH_SIZE])
{
   for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
      if (!is_below(path, prefixes[i]))
         continue;
      snprintf(buffer, MACHINE_PATH_SIZE, "%s%s", machine->root, path);
      return buffer;
   }
   return path;
}
