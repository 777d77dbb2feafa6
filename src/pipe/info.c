/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Facts about the drivers of Mesa 25.0 that their caps lack.
 */

#include <string.h>

#include "pipe_priv.h"

/* Counters that crash their driver, by how their names begin:
 * tests/perf/test_pipe_sets.c, counters_that_crash_are_left_out.
 */
static const char *const radeonsi_broken[] = {
   "GFX-BO-list-size", /* a division by the submissions meanwhile, if none */
   "SQ_WGP",           /* GFX11's block lacks registers that it sets */
   NULL,
};

/* Without src/mesa/fixes/llvmpipe-times.patch, llvmpipe bins times, and without
 * llvmpipe-unfinished-query.patch its queries in flight are not begun again,
 * which would wait or lose counts; without zink-compute-in-render-pass.patch
 * and zink-query-without-start.patch, zink's are not.
 */
#define WITHOUT_FIXES (!PITOT_HAS_MESA_FIXES)

static const struct driver {
   const char *begin; /* of its name, or */
   const char *part;  /* of it, anywhere */
   struct pitot_pipe_info info;
   const char *const *broken_counters;
} drivers[] = {
   /* These name the driver below them, hence come first.  zink reports the
    * ticks of Vulkan's timestampValidBits; a time that it stores it reads and
    * clamps by the CPU, in u_threaded_context's thread; it begins a Vulkan
    * query for each of two active queries of one statistic, of which NVIDIA's
    * driver counts only the later one right, as it may
    * (VUID-vkCmdBeginQuery-queryPool-01922); and it leaves a depth buffer out
    * of a render pass that does not use it if it sees the whole of it, up to
    * a flush, before it begins, which moves lavapipe's lines by a pixel
    * (dEQP-GLES3.functional.transform_feedback).  Unless it is mended, a
    * query that is begun again may count no compute shaders, and a poll of
    * one without a draw may crash (tests/model/kept/compute-again.txt and
    * begun-again-without-draw.txt).
    */
   { .begin = "zink",
     .info = { .clamps_times = true,
               .counts_once = true,
               .counts_ticks = true,
               .polls_drain = true,
               .has_cheap_reset_status = true,
               .keeps_queries_apart = WITHOUT_FIXES } },
   { .begin = "virgl" },

   { .begin = "llvmpipe",
     .info = { .stores_wait = true,
               .bins_time = WITHOUT_FIXES,
               .keeps_queries_apart = WITHOUT_FIXES,
               .fences_flush = true,
               .struct_statistics = PITOT_PIPE_ALL_STATISTICS } },

   { .begin = "softpipe",
     .info = { .fences_flush = true,
               .struct_statistics = PITOT_PIPE_ALL_STATISTICS } },

   /* Over any of them, and does nothing: GALLIUM_NOOP. */
   { .begin = "NOOP",
     .info = { .struct_statistics = PITOT_PIPE_ALL_STATISTICS } },

   /* Ticks of 36 bits; crocus cuts its nanoseconds to 36 bits. */
   { .begin = "iris", .info = { .time_bits = 36, .counts_ticks = true } },
   { .begin = "crocus", .info = { .time_bits = 36 } },

   /* 10^6 times the ticks are computed in 64 bits. */
   { .part = "(radeonsi",
     .info = { .stores_clamped = true,
               .time_bits = 44,
               .counts_ticks = true,
               .generated_overflows = true },
     .broken_counters = radeonsi_broken },
   /* r600, likewise. */
   { .begin = "AMD ",
     .info = { .time_bits = 44,
               .counts_ticks = true,
               .generated_overflows = true } },

   /* The CPU clears the memory of a query that is begun. */
   { .begin = "Apple", .info = { .keeps_queries_apart = true } },
   { .begin = "SVGA3D", .info = { .keeps_queries_apart = true } },

   /* The same; 10^9 times the ticks are computed in 64 bits. */
   { .part = "(Panfrost)",
     .info = { .time_bits = 34,
               .counts_ticks = true,
               .keeps_queries_apart = true } },

   /* freedreno has names of Qualcomm's and of its own.  turnip's
    * timestampValidBits are those of the same counter.
    */
   { .begin = "FD", .info = { .time_bits = 48, .counts_ticks = true } },
   { .begin = "Adreno", .info = { .time_bits = 48, .counts_ticks = true } },
};

/* iris and crocus have the same name; only iris reports the size of memory.
 */
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
