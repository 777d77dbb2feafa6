/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Handles: numbers by which an application knows its perf queries, or its
 * monitors.
 */

#include <stdlib.h>
#include <string.h>

#include "perf_priv.h"

static bool
grow(struct pitot_perf_handles *handles)
{
   const unsigned old = handles->capacity;
   void **grown = calloc(2 * old + 16, sizeof(grown[0]));

   if (!grown)
      return false;
   if (old)
      memcpy(grown, handles->objects, old * sizeof(grown[0]));
   free(handles->objects);
   handles->objects = grown;
   handles->capacity = 2 * old + 16;
   return true;
}

uint32_t
pitot_perf_handles_add(struct pitot_perf_handles *handles, void *object)
{
   unsigned index = handles->lowest_maybe_free;

   while (index < handles->capacity && handles->objects[index])
      index++;
   handles->lowest_maybe_free = index;
   if (index == handles->capacity && !grow(handles))
      return 0;
   handles->objects[index] = object;
   return index + 1;
}

void *
pitot_perf_handles_find(const struct pitot_perf_handles *handles,
                        uint32_t handle)
{
   return handle && handle <= handles->capacity ? handles->objects[handle - 1]
                                                : NULL;
}

void
pitot_perf_handles_remove(struct pitot_perf_handles *handles, uint32_t handle)
{
   const unsigned index = handle - 1;

   handles->objects[index] = NULL;
   if (handles->lowest_maybe_free > index)
      handles->lowest_maybe_free = index;
}
