/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info --list: the render nodes, their Mesa drivers, and whether Pitot
 * samples their GPUs.
 * Invariant: a node that exists gets a line, even if it cannot be opened.
 * Danger: scripts parse the lines (info.h).
 */

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "info.h"

#define FIRST_RENDER_NODE 128
#define RENDER_NODE_COUNT 64
#define DRM_MAJOR         226

#define LINE_SIZE 256

/* What the kernel reports of a render node; "-": unknown */
struct node {
   struct pitot_drm_version kernel;
   char pci_id[16], pci_tag[32]; /* "8086:1912", "pci-0000_00_02_0" */
};

/* Mesa's driver for GPUs of a kernel driver that Pitot samples, and for GPUs
 * that it does not know.  Nodes of other kernel drivers are unusable.
 */
static const struct {
   const char *kernel, *sampled, *unsampled;
} drivers[] = {
   { "i915", "iris", "crocus" }, /* before Gen8 */
   { "xe", "iris", "iris" },
   { "amdgpu", "radeonsi", "radeonsi" },
   { "msm", "freedreno", "freedreno" },
};

/* Every user may read the uevent file.  The node may deny access, but only it
 * reports the version of its driver.
 */
static void
read_node(const struct pitot_drm_io *io, unsigned minor, const char *path,
          struct node *node)
{
   unsigned vendor, device, domain, bus, slot, function;
   struct pitot_drm_version version;
   char line[LINE_SIZE];

   *node = (struct node){
      .kernel.driver = "-",
      .pci_id = "-",
      .pci_tag = "-",
   };
   snprintf(line, sizeof(line), "/sys/dev/char/%u:%u/device/uevent",
            DRM_MAJOR, minor);
   FILE *file = fopen(line, "re");
   while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
      sscanf(line, "DRIVER=%15s", node->kernel.driver);
      if (sscanf(line, "PCI_ID=%x:%x", &vendor, &device) == 2)
         snprintf(node->pci_id, sizeof(node->pci_id), "%04x:%04x",
                  vendor & 0xffff, device & 0xffff);
      if (sscanf(line, "PCI_SLOT_NAME=%x:%x:%x.%x", &domain, &bus, &slot,
                 &function) == 4)
         snprintf(node->pci_tag, sizeof(node->pci_tag),
                  "pci-%04x_%02x_%02x_%x", domain & 0xffff, bus & 0xff,
                  slot & 0x1f, function & 7);
   }
   if (file != NULL)
      fclose(file);

   const int fd = io->open(io->data, path, O_RDWR | O_CLOEXEC);
   if (fd == -1)
      return;
   if (pitot_drm_read_version(io, fd, &version) == 0 &&
       version.driver[0] != '\0')
      node->kernel = version;
   io->close(io->data, fd);
}

/* Returns whether the node exists. */
static bool
list_node(const struct pitot_drm_io *io, unsigned minor, FILE *out)
{
   char path[32], message[PITOT_DRM_MESSAGE_SIZE];
   char text[PITOT_DRM_MESSAGE_SIZE], generation[INFO_GENERATION_SIZE];
   const char *driver = "-", *state = "unusable";
   struct pitot_drm_device *device;
   struct node node;

   snprintf(path, sizeof(path), "/dev/dri/renderD%u", minor);
   const int result = pitot_drm_open(io, path, &device, message);
   if (result == -ENOENT)
      return false;
   read_node(io, minor, path, &node);
   if (result == 0) {
      info_generation(&device->gpu, generation);
      snprintf(text, sizeof(text), "%s, %s", generation, device->gpu.name);
      pitot_drm_close(device);
      state = "sampled";
   } else {
      snprintf(text, sizeof(text), "%s",
               message + strlen(path) + strlen(": "));
      if (result == -ENODEV)
         state = "unsampled";
   }
   for (unsigned i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
      if ((result == 0 || result == -ENODEV) &&
          strcmp(drivers[i].kernel, node.kernel.driver) == 0)
         driver = result == 0 ? drivers[i].sampled : drivers[i].unsampled;
   }
   fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", path, node.kernel.driver,
           driver, state, node.kernel.is_simulated ? "simulated" : "real",
           node.pci_id, node.pci_tag, text);
   return true;
}

unsigned
info_list(const struct pitot_drm_io *io, FILE *out)
{
   unsigned count = 0;

   for (unsigned i = 0; i < RENDER_NODE_COUNT; i++)
      count += list_node(io, FIRST_RENDER_NODE + i, out);
   return count;
}
