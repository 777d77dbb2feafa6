/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context of Pitot's own on a simulated GPU, with some memory.
 */

#ifndef PITOT_DRM_RIG_H
#define PITOT_DRM_RIG_H

#include "context.h"
#include "rows.h"
#include "schedules.h"
#include "sim.h"

#define RIG_BUFFER_B 4096

struct rig {
   struct sim *sim;
   struct pitot_drm_device *device;
   struct pitot_cs *cs;
   struct pitot_cs_buffer *buffer;
   uint32_t *(*reserve)(struct pitot_cs *cs, enum pitot_ring ring,
                        unsigned count_dw); /* rig_reserve(), of a context */
};

/* Returns whether the kernel's driver of a GPU is one for contexts. */
bool
rig_has_context(const struct sim_gpu *gpu);

struct pitot_drm_device *
rig_open_device(struct sim *sim);

void
rig_open(struct rig *rig, const char *gpu);

/* Fails the test if anything is left over or in flight, or was against the
 * rules.
 */
void
rig_close(struct rig *rig);

/* The same where the test wants to see a violation. */
void
rig_close_violated(struct rig *rig, const char *violations);

/* Returns room in the batch, or NULL if the context is lost. */
static inline uint32_t *
rig_reserve(struct pitot_cs *cs, enum pitot_ring ring, unsigned count_dw)
{
   (void)cs->ops->require(cs, ring, 1);
   return pitot_drm_reserve((struct pitot_drm_context *)cs, ring, count_dw);
}

void
rig_emit(struct rig *rig, enum pitot_ring ring, const uint32_t *commands,
         unsigned count_dw);

/* Has the command streamer of Intel's wait for all earlier work. */
void
rig_stall(struct rig *rig, enum pitot_ring ring);

void
rig_draw(struct rig *rig);

void
rig_dispatch(struct rig *rig, enum pitot_ring ring);

/* Has a packet of the GPU's own family write a value. */
void
rig_write(struct rig *rig, unsigned offset_B, uint32_t value);

/* Flushes a ring.  Returns the number of the batch. */
uint64_t
rig_flush(struct rig *rig, enum pitot_ring ring);

/* Flushes a ring and waits until its commands are done. */
void
rig_run(struct rig *rig, enum pitot_ring ring);

uint64_t
rig_read(const struct rig *rig, unsigned offset_B);

/* A test, with a rig or only a simulated machine, and the GPU that it runs
 * on; NULL: every GPU, or every one with contexts if the test needs any, one
 * after the other.
 */
struct rig_test {
   const char *name;
   const char *gpu;
   void (*with_rig)(struct rig *rig);
   void (*with_sim)(struct sim *sim);
   bool needs_contexts;
};

#define RIG_TEST(NAME)                                                       \
   {                                                                         \
      .name = #NAME, .with_rig = NAME, .needs_contexts = true                \
   }

#define CONTEXT_TEST(NAME)                                                   \
   {                                                                         \
      .name = #NAME, .with_sim = NAME, .needs_contexts = true                \
   }

#define SIM_TEST(GPU, NAME)                                                  \
   {                                                                         \
      .name = #NAME, .gpu = GPU, .with_sim = NAME                            \
   }

/* Runs a row that is a struct rig_test. */
void
rig_run_test(void **state);

#endif /* PITOT_DRM_RIG_H */
