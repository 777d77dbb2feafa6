/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The memory of a simulated command stream. */

#include <errno.h>
#include <stdlib.h>

#include "cs_priv.h"

/* From GFX12 on a driver must map memory of samples without L2. */
static bool
maps_without_l2(const struct sim_cs *cs)
{
   return cs->sim->gpu.is_amd && cs->gpu.generation >= GFX12;
}

struct sim_cs_buffer *
sim_cs_new_buffer(struct sim_cs *cs, uint64_t address, unsigned size_B)
{
   struct sim_cs_buffer *buffer = calloc(1, sizeof(*buffer));
   uint8_t *memory = calloc(1, size_B);

   if (buffer == NULL || memory == NULL) {
      free(buffer);
      free(memory);
      return NULL;
   }
   buffer->base = (struct pitot_cs_buffer){ address, memory, size_B };
   buffer->bo = (struct sim_bo){
      .memory = memory,
      .size_B = size_B,
      .references = 1, /* this one stays */
      .is_uncached = maps_without_l2(cs),
   };
   sim_space_add(&cs->sim->kernel->space,
                 (struct sim_map){ address, size_B, &buffer->bo, 0 });
   return buffer;
}

void
sim_cs_free_buffer(struct sim_cs *cs, struct sim_cs_buffer *buffer)
{
   sim_space_remove_bo(cs->sim, &cs->sim->kernel->space, &buffer->bo);
   free(buffer->base.memory);
   free(buffer);
}

int
sim_cs_buffer_create(struct pitot_cs *base, unsigned size_B,
                     struct pitot_cs_buffer **buffer_out)
{
   struct sim_cs *cs = (struct sim_cs *)base;
   const unsigned i = cs->buffers_made;

   if (i == SIM_CS_MAX_BUFFERS)
      return -ENOMEM;
   pthread_mutex_lock(&cs->lock);
   struct sim_cs_buffer *buffer =
      sim_cs_new_buffer(cs, SIM_CS_ADDRESS + i * SIM_CS_STRIDE_B, size_B);
   pthread_mutex_unlock(&cs->lock);
   if (buffer == NULL)
      return -ENOMEM;
   cs->buffers[i] = buffer;
   cs->buffers_made++;
   cs->buffer_count++;
   *buffer_out = &buffer->base;
   return 0;
}

/* sim_cs_destroy() frees it, since the GPU may still write to it. */
void
sim_cs_buffer_destroy(struct pitot_cs *base, struct pitot_cs_buffer *buffer)
{
   (void)buffer;
   ((struct sim_cs *)base)->buffer_count--;
}

/* The test's cues order nothing. */
void
sim_cs_use_buffer(struct pitot_cs *base, enum pitot_ring ring,
                  struct pitot_cs_buffer *buffer)
{
   struct sim_cs *cs = (struct sim_cs *)base;
   struct sim_cs_ring *r = &cs->rings[ring];
   uint64_t *last_batch = ((struct sim_cs_buffer *)buffer)->last_batch;
   const bool is_submitted = last_batch[!ring] < cs->rings[!ring].batch;

   if (buffer == cs->cues.buffer)
      return;
   if (is_submitted && last_batch[!ring] > r->after)
      r->after = last_batch[!ring];
   last_batch[ring] = r->batch;
}

static void
add_map(struct sim_space *space, struct sim_cs_buffer *buffer)
{
   sim_space_add(space, (struct sim_map){
                           .address = buffer->base.address,
                           .size_B = buffer->bo.size_B,
                           .bo = &buffer->bo,
                        });
}

void
sim_cs_map_buffers(struct sim_cs *cs, enum pitot_ring ring,
                   struct sim_space *space)
{
   for (unsigned i = 0; i < cs->buffers_made; i++) {
      struct sim_cs_buffer *buffer = cs->buffers[i];

      if (buffer->last_batch[ring] == cs->rings[ring].batch)
         add_map(space, buffer);
   }
   add_map(space, (struct sim_cs_buffer *)cs->cues.buffer);
}
