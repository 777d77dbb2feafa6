/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The list of the machine's render nodes: for each of them, Mesa's driver,
 * and whether Pitot samples its GPU.
 */

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "info.h"

#define FIRST_RENDER_NODE 128
#define RENDER_NODE_COUNT 64
#define DRM_MAJOR         226

#define LINE_SIZE 256

/* A render node, as the list has it.  Unknown texts are "-". */
struct node {
   char path[32];
   struct pitot_drm_version kernel;
   const char *driver; /* Mesa's */
   const char *state;
   char pci_id[16], pci_tag[32]; /* "8086:1912", "pci-0000_00_02_0" */
   char text[PITOT_DRM_MESSAGE_SIZE];
};

/* Mesa's driver for the GPUs of a driver of the kernel's: for those that
 * Pitot samples, and for those that it does not.
 */
static const struct {
   const char *kernel, *sampled, *other;
} drivers[] = {
   { "i915", "iris", "crocus" }, /* before Gen8 */
   { "xe", "iris", "iris" },
   { "amdgpu", "radeonsi", "radeonsi" },
   { "msm", "freedreno", "freedreno" },
};

#define DRIVER_COUNT (sizeof(drivers) / sizeof(drivers[0]))

static const char *
find_driver(const char *kernel, bool is_sampled)
{
   for (unsigned i = 0; i < DRIVER_COUNT; i++) {
      if (strcmp(drivers[i].kernel, kernel) == 0)
         return is_sampled ? drivers[i].sampled : drivers[i].other;
   }
   return "-";
}

/* Takes the fact about the node's device that a line of the kernel's file
 * states, if any.
 */
static void
parse_line(struct node *node, const char *line)
{
   unsigned vendor, device, domain, bus, slot, function;

   sscanf(line, "DRIVER=%15s", node->kernel.driver);
   if (sscanf(line, "PCI_ID=%x:%x", &vendor, &device) == 2)
      snprintf(node->pci_id, sizeof(node->pci_id), "%04x:%04x",
               vendor & 0xffff, device & 0xffff);
   if (sscanf(line, "PCI_SLOT_NAME=%x:%x:%x.%x", &domain, &bus, &slot,
              &function) == 4)
      snprintf(node->pci_tag, sizeof(node->pci_tag), "pci-%04x_%02x_%02x_%x",
               domain & 0xffff, bus & 0xff, slot & 0x1f, function & 7);
}

/* Reads the kernel's file about the node's device, which every user may. */
static void
read_device_file(struct node *node, unsigned minor)
{
   char line[LINE_SIZE];

   snprintf(line, sizeof(line), "/sys/dev/char/%u:%u/device/uevent",
            DRM_MAJOR, minor);
   FILE *file = fopen(line, "re");
   if (file == NULL)
      return;
   while (fgets(line, sizeof(line), file) != NULL)
      parse_line(node, line);
   fclose(file);
}

/* Describes a GPU that Pitot samples. */
static void
describe_sampled(struct node *node, const struct pitot_drm_device *device)
{
   char generation[INFO_GENERATION_SIZE];

   info_generation(&device->gpu, generation);
   node->driver = find_driver(node->kernel.driver, true);
   node->state = "sampled";
   snprintf(node->text, sizeof(node->text), "%s, %s", generation,
            device->gpu.name);
}

/* Describes a node that pitot_drm_open() refused.  A GPU that Pitot does not
 * know has the queries of Mesa's driver; all others are of no use.
 */
static void
describe_other(struct node *node, int error, const char *message)
{
   if (error == -ENODEV) {
      node->driver = find_driver(node->kernel.driver, false);
      node->state = "unsampled";
   }
   snprintf(node->text, sizeof(node->text), "%s",
            message + strlen(node->path) + strlen(": "));
}

static void
read_kernel(const struct pitot_drm_io *io, struct node *node)
{
   struct pitot_drm_version version;
   const int fd = io->open(io->data, node->path, O_RDWR | O_CLOEXEC);

   if (fd == -1)
      return;
   if (pitot_drm_read_version(io, fd, &version) == 0)
      node->kernel = version;
   io->close(io->data, fd);
}

/* Describes a node.  Returns whether there is one of that number. */
static bool
describe(const struct pitot_drm_io *io, struct node *node, unsigned minor)
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device;

   *node = (struct node){
      .driver = "-",
      .state = "unusable",
      .pci_id = "-",
      .pci_tag = "-",
   };
   snprintf(node->path, sizeof(node->path), "/dev/dri/renderD%u", minor);
   const int result = pitot_drm_open(io, node->path, &device, message);
   if (result == -ENOENT)
      return false;

   read_device_file(node, minor);
   read_kernel(io, node);
   if (result == 0) {
      describe_sampled(node, device);
      pitot_drm_close(device);
   } else {
      describe_other(node, result, message);
   }
   return true;
}

unsigned
info_list(const struct pitot_drm_io *io, FILE *out)
{
   unsigned count = 0;
   struct node node;

   for (unsigned i = 0; i < RENDER_NODE_COUNT; i++) {
      if (!describe(io, &node, FIRST_RENDER_NODE + i))
         continue;
      fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", node.path,
              node.kernel.driver[0] != '\0' ? node.kernel.driver : "-",
              node.driver, node.state,
              node.kernel.is_simulated ? "simulated" : "real", node.pci_id,
              node.pci_tag, node.text);
      count++;
   }
   return count;
}
