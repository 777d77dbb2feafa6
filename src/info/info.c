/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>

#include "info.h"

#define FIRST_NODE 128
#define NODE_COUNT 64

#define EXIT_NO_GPU    1
#define EXIT_BAD_USAGE 2

struct options {
   const char *path; /* NULL: all devices */
   bool json, help;
};

struct found {
   struct pitot_drm_device *devices[NODE_COUNT];
   struct info_device infos[NODE_COUNT];
   unsigned count;
};

static const struct option long_options[] = {
   { "device", required_argument, NULL, 'd' },
   { "help", no_argument, NULL, 'h' },
   { "json", no_argument, NULL, 'j' },
   { 0 },
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
   int option;

   opterr = 0;
   optind = 0; /* from the start, however often */
   while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
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

/* Adds a device to those found, or says what is wrong with it. */
static int
add(struct found *found, const struct pitot_drm_io *io, const char *path,
    char message[PITOT_DRM_MESSAGE_SIZE])
{
   struct pitot_drm_device **device = &found->devices[found->count];
   const int result = pitot_drm_open(io, path, device, message);

   if (result == 0)
      info_collect(&found->infos[found->count++], path, *device);
   return result;
}

/* Finds all there are.  Each that is of no use is said once, and that there
 * is none at all.
 */
static void
find_all(struct found *found, const struct pitot_drm_io *io, FILE *err)
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   bool is_any = false;

   for (unsigned i = 0; i < NODE_COUNT; i++) {
      char path[INFO_PATH_SIZE];

      snprintf(path, sizeof(path), "/dev/dri/renderD%u", FIRST_NODE + i);
      const int result = add(found, io, path, message);
      is_any |= result != -ENOENT;
      if (result != 0 && result != -ENOENT)
         fprintf(err, "pitot-info: %s\n", message);
   }
   if (!is_any) {
      fprintf(err, "pitot-info: no GPU: there is no /dev/dri/renderD*; is "
                   "its driver loaded in the kernel?\n");
   }
}

static void
find(struct found *found, const struct pitot_drm_io *io,
     const struct options *options, FILE *err)
{
   char message[PITOT_DRM_MESSAGE_SIZE];

   if (options->path == NULL)
      find_all(found, io, err);
   else if (add(found, io, options->path, message) != 0)
      fprintf(err, "pitot-info: %s\n", message);
}

static int
print(const struct found *found, const struct options *options, FILE *out,
      FILE *err)
{
   if (options->json) {
      if (info_print_json(out, found->infos, found->count) == 0)
         return 0;
      fprintf(err, "pitot-info: cannot write JSON\n");
      return EXIT_NO_GPU;
   }
   for (unsigned i = 0; i < found->count; i++)
      info_print_text(out, &found->infos[i]);
   return 0;
}

static int
report(const struct pitot_drm_io *io, const struct options *options,
       FILE *out, FILE *err)
{
   struct found found = { .count = 0 };

   find(&found, io, options, err);
   const int status =
      found.count == 0 ? EXIT_NO_GPU : print(&found, options, out, err);
   for (unsigned i = 0; i < found.count; i++)
      pitot_drm_close(found.devices[i]);
   return status;
}

int
info_main(const struct pitot_drm_io *io, int argc, char **argv, FILE *out,
          FILE *err)
{
   struct options options = { 0 };

   if (!parse(argc, argv, &options, err))
      return EXIT_BAD_USAGE;
   if (options.help) {
      print_help(out);
      return 0;
   }
   return report(io, &options, out, err);
}
