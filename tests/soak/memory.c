/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The memory in use: of the heap, as malloc counts it; mapped, which includes
 * buffers of a GPU; resident; and the open files.
 */

#include <dirent.h>
#include <malloc.h>
#include <unistd.h>

#include "soak.h"

static unsigned
count_open_files(void)
{
   DIR *directory = opendir("/proc/self/fd");
   unsigned count = 0;

   if (!directory)
      soak_fail("there is no /proc");
   while (readdir(directory))
      count++;
   closedir(directory);
   return count;
}

size_t
soak_heap_B(void)
{
   const struct mallinfo2 heap = mallinfo2();

   return heap.uordblks + heap.hblkhd;
}

void
soak_print_memory(void)
{
   const long page_B = sysconf(_SC_PAGESIZE);
   FILE *statm = fopen("/proc/self/statm", "r");
   unsigned long mapped, resident;

   if (!statm || fscanf(statm, "%lu %lu", &mapped, &resident) != 2)
      soak_fail("there is no /proc");
   fclose(statm);
   printf("heap_B %zu peak_B %zu mapped_B %lu resident_B %lu files %u",
          soak_heap_B(), soak_totals.peak_B, mapped * page_B,
          resident * page_B, count_open_files());
}
