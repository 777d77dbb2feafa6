/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Facts about the drivers of Mesa 25.0 that their caps lack.
 *
 * Invariant: the first entry that matches the screen's name counts; a driver
 * without an entry gets zeroes.
 * Danger: a screen that Mesa renames loses its facts without an error.
 */

#include <string.h>

#include "pipe_priv.h"
#include "versions.h"

/* Counters that crash their driver, by prefixes of their names:
 * tests/perf/test_pipe_sets.c, counters_that_crash_are_left_out.
 */
static const char *const radeonsi_broken[] = {
   "GFX-BO-list-size", /* divides by the submissions, even by 0 */
#if !PITOT_HAS_MESA_FIXES
   "SQ_WGP", /* radeonsi-block-without-streams.patch */
#endif
   NULL,
};

/* Without llvmpipe-times.patch (src/mesa/fixes), llvmpipe bins times; without
 * llvmpipe-unfinished-query.patch, beginning its queries in flight waits or
 * loses counts.  Without zink-compute-in-render-pass.patch and
 * zink-query-without-start.patch, a query of zink's that is begun again may
 * count no compute shaders, and a poll of one without a draw may crash
 * (tests/model/kept/compute-again.txt and begun-again-without-draw.txt).
 * zink has no struct without zink-struct-of-statistics.patch.
 */
#define WITHOUT_FIXES (!PITOT_HAS_MESA_FIXES)

/* Mesa 26.2: llvmpipe reports 0, and zink reads past its table of flags. */
#define MESH_PRIMITIVES (1u << PIPE_STAT_QUERY_MS_PRIMITIVES)

static const struct driver {
   const char *begin; /* how the name begins; NULL: see part */
   const char *part;  /* what the name contains */
   struct pitot_pipe_info info;
   const char *const *broken_counters;
} drivers[] = {
   /* zink and virgl name the driver below them, hence come first.
    * clamps_times: zink reads and clamps a time that it stores on the CPU, in
    * u_threaded_context's thread.
    * counts_once: a command buffer has one active query of statistics
    * (VUID-vkCmdBeginQuery-queryPool-01922).  Of two of one statistic,
    * NVIDIA's driver counts only the later one right.
    * counts_ticks: zink reports Vulkan's timestampValidBits.
    * polls_sync: after a flush, zink knows the whole render pass before it
    * begins, and omits a depth buffer that is not used.  lavapipe then moves
    * lines by a pixel (dEQP-GLES3.functional.transform_feedback).
    */
   { .begin = "zink",
     .info = { .clamps_times = true,
               .counts_once = true,
               .counts_ticks = true,
               .polls_sync = true,
               .has_cheap_reset_status = true,
               .has_struct = !WITHOUT_FIXES,
               .struct_statistics = PITOT_PIPE_ALL_STATISTICS,
               .lacking_statistics = MESH_PRIMITIVES,
               .keeps_queries_apart = WITHOUT_FIXES } },
   { .begin = "virgl" },

   { .begin = "llvmpipe",
     .info = { .stores_wait = true,
               .bins_time = WITHOUT_FIXES,
               .keeps_queries_apart = WITHOUT_FIXES,
               .fences_flush = true,
               .struct_statistics = PITOT_PIPE_ALL_STATISTICS,
               .lacking_statistics = MESH_PRIMITIVES } },

   { .begin = "softpipe",
     .info = { .fences_flush = true,
               .struct_statistics = PITOT_PIPE_ALL_STATISTICS } },

   /* GALLIUM_NOOP: wraps any driver and executes nothing. */
   { .begin = "NOOP",
     .info = { .struct_statistics = PITOT_PIPE_ALL_STATISTICS } },

   /* iris counts ticks of 36 bits; crocus cuts nanoseconds to 36 bits. */
   { .begin = "iris", .info = { .time_bits = 36, .counts_ticks = true } },
   { .begin = "crocus", .info = { .time_bits = 36 } },

   /* radeonsi and r600 compute ticks * 10^6 / kHz in 64 bits, which overflows
    * after 2^64 / 10^6 ticks (51 hours at 100 MHz): 44 bits are safe.
    */
   { .part = "(radeonsi",
     .info = { .stores_clamped = true,
               .time_bits = 44,
               .counts_ticks = true,
               .generated_overflows = true },
     .broken_counters = radeonsi_broken },
   /* r600 */
   { .begin = "AMD ",
     .info = { .time_bits = 44,
               .counts_ticks = true,
               .generated_overflows = true } },

   /* begin_query() clears memory by the CPU, even of a query in flight. */
   { .begin = "Apple", .info = { .keeps_queries_apart = true } },
   { .begin = "SVGA3D", .info = { .keeps_queries_apart = true } },

   /* The same, and ticks * 10^9 is computed in 64 bits. */
   { .part = "(Panfrost)",
     .info = { .time_bits = 34,
               .counts_ticks = true,
               .keeps_queries_apart = true } },

   /* freedreno uses Qualcomm's names and its own.  turnip's
    * timestampValidBits, for the same counter, are 48, too.
    */
   { .begin = "FD", .info = { .time_bits = 48, .counts_ticks = true } },
   { .begin = "Adreno", .info = { .time_bits = 48, .counts_ticks = true } },
};

/* iris and crocus have one name; only iris reports the size of memory. */
static const char *
name_of(struct pipe_screen *screen)
{
   const char *name = screen->get_name(screen);

   if (strncmp(name, "Mesa Intel", 10) != 0)
      return name;
   return screen->caps.query_memory_info ? "iris" : "crocus";
}

static bool
is_named(const struct driver *driver, const char *name)
{
   return driver->begin
             ? strncmp(name, driver->begin, strlen(driver->begin)) == 0
             : strstr(name, driver->part) != NULL;
}

static const struct driver *
driver_of(struct pipe_screen *screen)
{
   static const struct driver unknown = { 0 };
   const char *name = name_of(screen);

   for (unsigned i = 0; i < ARRAY_SIZE(drivers); i++) {
      if (is_named(&drivers[i], name))
         return &drivers[i];
   }
   return &unknown;
}

struct pitot_pipe_info
pitot_pipe_info_of(struct pipe_screen *screen)
{
   return driver_of(screen)->info;
}

bool
pitot_pipe_counter_is_broken(struct pipe_screen *screen, const char *counter)
{
   const char *const *begin = driver_of(screen)->broken_counters;

   while (begin && *begin) {
      if (strncmp(counter, *begin, strlen(*begin)) == 0)
         return true;
      begin++;
   }
   return false;
}
