/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info: parses arguments and prints devices as text or JSON.
 * Invariant: scripts read the JSON, the list and the exit status.
 * Danger: jansson's functions return NULL if allocation fails: print_json()
 * must notice that a device is missing.
 */

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "check.h"
#include "info.h"

#include "pitot/clock.h"
#include "pitot/hw.h"

#define EXIT_FAILED    1
#define EXIT_BAD_USAGE 2

/* Seconds and nanoseconds, with all digits */
#define SECONDS PRIu64 ".%09" PRIu64

/* Why a kind of query has no bits */
#define REASON                                                               \
   "only the GPU's driver may count it, with shaders or other queues"

struct options {
   const char *path; /* NULL: all devices */
   int json, list, check, help;
};

static void
print_help(FILE *out)
{
   fputs(
      "Usage: pitot-info [--device PATH] [--json]\n"
      "       pitot-info --check [--device PATH] [--json]\n"
      "       pitot-info --list\n"
      "\n"
      "Says what Pitot can measure on the GPUs of this machine.\n"
      "\n"
      "  --check        compare the clocks, and the samples and statistics\n"
      "                 of i915 and amdgpu, with what Pitot assumes: a few\n"
      "                 seconds\n"
      "  --device PATH  only this one, such as /dev/dri/renderD128\n"
      "  --json         for programs to read\n"
      "  --list         one line a render node, with the driver of Mesa's\n"
      "                 that it has, for scripts to read\n"
      "  --help         print this and exit\n"
      "\n"
      "Exits with 1 if there is no GPU of use, or one that is not as Pitot\n"
      "assumes (--check); with 2 on bad arguments.\n",
      out);
}

static bool
parse_arguments(int argc, char **argv, struct options *options, FILE *err)
{
   const struct option known[] = {
      { "check", no_argument, &options->check, true },
      { "device", required_argument, NULL, 'd' },
      { "help", no_argument, &options->help, true },
      { "json", no_argument, &options->json, true },
      { "list", no_argument, &options->list, true },
      { 0 },
   };
   int option;

   opterr = 0;
   optind = 0; /* restart getopt: tests call info_main() several times */
   while ((option = getopt_long(argc, argv, "", known, NULL)) != -1 &&
          option != '?') {
      if (option == 'd')
         options->path = optarg;
   }
   if (option == -1 && optind == argc)
      return true;

   fprintf(err, "pitot-info: bad argument \"%s\": see --help\n",
           option == -1 ? argv[optind] : argv[optind - 1]);
   return false;
}

void
info_generation(const struct pitot_gpu *gpu, char text[INFO_GENERATION_SIZE])
{
   const bool is_intel = gpu->family == &pitot_hw_intel;

   if (gpu->family == &pitot_hw_adreno) {
      snprintf(text, INFO_GENERATION_SIZE, "A%uxx", gpu->generation);
      return;
   }
   const unsigned minor = gpu->generation % 10;
   const int length =
      snprintf(text, INFO_GENERATION_SIZE, "%s%u", is_intel ? "Gen" : "GFX",
               gpu->generation / 10);

   if (minor != 0)
      snprintf(text + length, INFO_GENERATION_SIZE - length, ".%u", minor);
}

/* Returns 0 for Adreno, which is a part of the chip. */
static unsigned
pci_vendor_of(const struct pitot_gpu *gpu)
{
   return gpu->family == &pitot_hw_intel ? 0x8086
          : gpu->family == &pitot_hw_amd ? 0x1002
                                         : 0;
}

static void
print_clock(FILE *out, struct pitot_drm_device *device)
{
   const struct pitot_gpu *gpu = &device->gpu;
   const uint64_t last_ticks = UINT64_MAX >> (64 - gpu->timestamp_bits);
   struct pitot_drm_calibration pair;

   fprintf(out,
           "  timestamp  %u bits at %" PRIu64 " Hz, wraps after %" PRIu64
           " s\n",
           gpu->timestamp_bits, gpu->timestamp_hz,
           pitot_ticks_to_ns(last_ticks, gpu->timestamp_hz) / PITOT_NS_PER_S);

   const int error = pitot_drm_calibrate(device, &pair);
   if (error != 0) {
      fprintf(out, "  clock      cannot be read: %s\n", strerror(-error));
      return;
   }
   const uint64_t gpu_ns =
      pitot_ticks_to_ns(pair.gpu_ticks, gpu->timestamp_hz);
   fprintf(out,
           "  clock      %" SECONDS " s when CLOCK_MONOTONIC is %" SECONDS
           " s, +- %" PRIu64 " ns\n",
           gpu_ns / PITOT_NS_PER_S, gpu_ns % PITOT_NS_PER_S,
           pair.cpu_ns / PITOT_NS_PER_S, pair.cpu_ns % PITOT_NS_PER_S,
           pair.error_ns);
}

static void
print_device(FILE *out, struct pitot_drm_device *device)
{
   const struct pitot_gpu *gpu = &device->gpu;
   const unsigned vendor = pci_vendor_of(gpu);
   char generation[INFO_GENERATION_SIZE];

   info_generation(gpu, generation);
   fprintf(out, "%s: %s, %s, ", device->path, gpu->name, generation);
   if (vendor != 0)
      fprintf(out, "%04x:%04x", vendor, device->device_id);
   else
      fprintf(out, "a part of the chip");
   fprintf(out, "%s\n", device->kernel.is_simulated ? ", simulated" : "");
   fprintf(out, "  driver     %s %d.%d.%d\n", device->kernel.driver,
           device->kernel.number[0], device->kernel.number[1],
           device->kernel.number[2]);
   print_clock(out, device);
   fprintf(out, "  queries\n");
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const char *name = pitot_kind_info(kind)->name;
      const unsigned bits = pitot_hw_gpu_counter_bits(gpu, kind);

      if (bits != 0)
         fprintf(out, "    %-34s %2u bit%s\n", name, bits,
                 bits == 1 ? "" : "s");
      else
         fprintf(out, "    %-34s no: %s\n", name, REASON);
   }
}

/* The functions below return a new reference, or NULL if allocation fails:
 * jansson's functions accept NULL and then return NULL.
 */

static json_t *
calibration_json(struct pitot_drm_device *device)
{
   struct pitot_drm_calibration pair;
   const int error = pitot_drm_calibrate(device, &pair);

   if (error != 0)
      return json_pack("{ss}", "error", strerror(-error));
   return json_pack("{sI sI sI sI}", "gpu_ticks", (json_int_t)pair.gpu_ticks,
                    "gpu_ns",
                    (json_int_t)pitot_ticks_to_ns(pair.gpu_ticks,
                                                  device->gpu.timestamp_hz),
                    "cpu_ns", (json_int_t)pair.cpu_ns, "error_ns",
                    (json_int_t)pair.error_ns);
}

static json_t *
queries_json(const struct pitot_gpu *gpu)
{
   json_t *list = json_array();

   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const int bits = (int)pitot_hw_gpu_counter_bits(gpu, kind);
      json_t *query =
         json_pack("{ss si ss*}", "name", pitot_kind_info(kind)->name, "bits",
                   bits, "reason", bits == 0 ? REASON : NULL);

      if (json_array_append_new(list, query) != 0) {
         json_decref(list);
         return NULL;
      }
   }
   return list;
}

static json_t *
device_json(struct pitot_drm_device *device)
{
   const struct pitot_gpu *gpu = &device->gpu;
   char generation[INFO_GENERATION_SIZE];

   info_generation(gpu, generation);
   return json_pack("{ss sb ss s[iii] ss ss s{si si} s{si sI} so so}", "path",
                    device->path, "simulated",
                    (int)device->kernel.is_simulated, "driver",
                    device->kernel.driver, "version",
                    device->kernel.number[0], device->kernel.number[1],
                    device->kernel.number[2], "name", gpu->name, "generation",
                    generation, "pci", "vendor", (int)pci_vendor_of(gpu),
                    "device", (int)device->device_id, "timestamp", "bits",
                    (int)gpu->timestamp_bits, "hz",
                    (json_int_t)gpu->timestamp_hz, "calibration",
                    calibration_json(device), "queries", queries_json(gpu));
}

/* Shows or checks the device of a path, or all devices: prints them, or adds
 * them to list if it is not NULL.  Prints a line for each device that cannot
 * be used, and one if no device exists.  Returns the number of devices that
 * were shown, and whether all checks passed.
 */
static unsigned
show_all(const struct pitot_drm_io *io, const struct options *options,
         FILE *out, json_t *list, FILE *err, bool *is_right_out)
{
   const char *path = options->path;
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device;
   unsigned index = 0, count = 0;
   bool is_any = false;
   int result;

   *is_right_out = true;
   do {
      result = path != NULL
                  ? pitot_drm_open(io, path, &device, message)
                  : pitot_drm_open_next(io, &index, &device, message);
      if (result == 0) {
         if (options->check)
            *is_right_out &= check_device(device, out, list);
         else if (list != NULL)
            json_array_append_new(list, device_json(device));
         else
            print_device(out, device);
         pitot_drm_close(device);
         count++;
      } else if (result != -ENOENT || !is_any) {
         fprintf(err, "pitot-info: %s\n", message);
      }
      is_any = true;
   } while (path == NULL && result != -ENOENT);
   return count;
}

/* Frees the list.  It has fewer than count devices if allocation failed.
 * Returns an exit status.
 */
static int
print_json(FILE *out, json_t *list, unsigned count, FILE *err)
{
   const bool is_complete = json_array_size(list) == count;
   json_t *root = json_pack("{so}", "devices", list);
   const bool is_printed =
      is_complete && json_dumpf(root, out, JSON_INDENT(2)) == 0;

   json_decref(root);
   fputs(is_printed ? "\n" : "pitot-info: cannot write JSON\n",
         is_printed ? out : err);
   return is_printed ? 0 : EXIT_FAILED;
}

int
info_main(const struct pitot_drm_io *io, int argc, char **argv, FILE *out,
          FILE *err)
{
   struct options options = { 0 };

   if (!parse_arguments(argc, argv, &options, err))
      return EXIT_BAD_USAGE;
   if (options.help) {
      print_help(out);
      return 0;
   }

   if (options.list)
      return info_list(io, out) != 0 ? 0 : EXIT_FAILED;

   json_t *list = options.json ? json_array() : NULL;
   bool is_right;
   const unsigned count = show_all(io, &options, out, list, err, &is_right);
   int status = count != 0 && is_right ? 0 : EXIT_FAILED;

   if (count != 0 && options.json)
      status |= print_json(out, list, count, err);
   else
      json_decref(list);
   return status;
}
