/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>

#include "info.h"

#include "pitot/clock.h"
#include "pitot/hw.h"

#define FIRST_NODE 128
#define NODE_COUNT 64

#define EXIT_NO_GPU    1
#define EXIT_BAD_USAGE 2

struct options {
   const char *path; /* NULL: all devices */
   bool json, help;
};

struct found {
   struct info_device infos[NODE_COUNT];
   unsigned count;
};

static void
print_help(FILE *out)
{
   fputs("Usage: pitot-info [--device PATH] [--json]\n"
         "\n"
         "Says what Pitot can measure on the GPUs of this machine.\n"
         "\n"
         "  --device PATH  only this one, such as /dev/dri/renderD128\n"
         "  --json         for programs to read\n"
         "  --help         print this and exit\n"
         "\n"
         "Exits with 1 if there is no GPU of use, with 2 on bad arguments.\n",
         out);
}

/* Returns whether the arguments are right. */
static bool
parse(int argc, char **argv, struct options *options, FILE *err)
{
   static const struct option known[] = {
      { "device", required_argument, NULL, 'd' },
      { "help", no_argument, NULL, 'h' },
      { "json", no_argument, NULL, 'j' },
      { 0 },
   };
   int option;

   opterr = 0;
   optind = 0; /* from the start, however often */
   while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
      if (option == 'd')
         options->path = optarg;
      else if (option == 'h')
         options->help = true;
      else if (option == 'j')
         options->json = true;
      else
         break;
   }
   if (option == -1 && optind == argc)
      return true;

   fprintf(err, "pitot-info: bad argument \"%s\": see --help\n",
           option == -1 ? argv[optind] : argv[optind - 1]);
   return false;
}

static void
describe(struct info_device *info, const char *path)
{
   const struct pitot_gpu *gpu = &info->device->gpu;
   const bool is_intel = gpu->vendor == PITOT_VENDOR_INTEL;
   const unsigned minor = gpu->generation % 10;
   const int length =
      snprintf(info->generation, sizeof(info->generation), "%s%u",
               is_intel ? "Gen" : "GFX", gpu->generation / 10);

   if (minor != 0)
      snprintf(info->generation + length, sizeof(info->generation) - length,
               ".%u", minor);
   snprintf(info->path, sizeof(info->path), "%s", path);
   info->pci_vendor = is_intel ? 0x8086 : 0x1002;
   info->calibration_error =
      pitot_drm_calibrate(info->device, &info->calibration);
   info->gpu_ns =
      pitot_ticks_to_ns(info->calibration.gpu_ticks, gpu->timestamp_hz);
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++)
      info->bits[kind] = pitot_hw_gpu_counter_bits(gpu, kind);
}

/* Opens a device, and adds it to those found.  Returns 0; or -errno, and in
 * message the reason.
 */
static int
add(struct found *found, const struct pitot_drm_io *io, const char *path,
    char message[PITOT_DRM_MESSAGE_SIZE])
{
   struct info_device *info = &found->infos[found->count];
   const int result = pitot_drm_open(io, path, &info->device, message);

   if (result == 0) {
      describe(info, path);
      found->count++;
   }
   return result;
}

/* Finds a device by its path, or all devices if the path is NULL.  Prints a
 * line for each that is of no use, and one if there is no device at all.
 */
static void
find(struct found *found, const struct pitot_drm_io *io, const char *path,
     FILE *err)
{
   char message[PITOT_DRM_MESSAGE_SIZE], node[32];
   bool is_any = false;

   if (path != NULL) {
      if (add(found, io, path, message) != 0)
         fprintf(err, "pitot-info: %s\n", message);
      return;
   }
   for (unsigned i = 0; i < NODE_COUNT; i++) {
      snprintf(node, sizeof(node), "/dev/dri/renderD%u", FIRST_NODE + i);
      const int result = add(found, io, node, message);
      is_any |= result != -ENOENT;
      if (result != 0 && result != -ENOENT)
         fprintf(err, "pitot-info: %s\n", message);
   }
   if (!is_any) {
      fprintf(err, "pitot-info: no GPU: there is no /dev/dri/renderD*; is "
                   "its driver loaded in the kernel?\n");
   }
}

static int
print(const struct found *found, bool json, FILE *out, FILE *err)
{
   if (json && info_print_json(out, found->infos, found->count) != 0) {
      fprintf(err, "pitot-info: cannot write JSON\n");
      return EXIT_NO_GPU;
   }
   for (unsigned i = 0; !json && i < found->count; i++)
      info_print_text(out, &found->infos[i]);
   return 0;
}

int
info_main(const struct pitot_drm_io *io, int argc, char **argv, FILE *out,
          FILE *err)
{
   struct options options = { 0 };
   struct found found = { .count = 0 };
   int status = EXIT_NO_GPU;

   if (!parse(argc, argv, &options, err))
      return EXIT_BAD_USAGE;
   if (options.help) {
      print_help(out);
      return 0;
   }

   find(&found, io, options.path, err);
   if (found.count != 0)
      status = print(&found, options.json, out, err);
   for (unsigned i = 0; i < found.count; i++)
      pitot_drm_close(found.infos[i].device);
   return status;
}
