/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* A drm context on a simulated GPU, with a buffer to write to. */

#ifndef PITOT_DRM_RIG_H
#define PITOT_DRM_RIG_H

#include "context.h"
#include "listed.h"
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

/* Whether src/drm has contexts on the kernel driver of a GPU. */
bool
rig_has_context(const struct sim_gpu *gpu);

struct pitot_drm_device *
rig_open_device(struct sim *sim);

/* Opens a device that is rejected with this error.  Returns the message. */
const char *
rig_refusal(struct sim *sim, const char *path, int error);

/* Puts a function in place of the simulated kernel's ioctl(), which it calls
 * as rig_ioctl().
 */
typedef int (*rig_ioctl_function)(void *data, int fd, unsigned long request,
                                  void *argument);

extern rig_ioctl_function rig_ioctl;

void
rig_replace_ioctl(struct sim *sim, rig_ioctl_function function);

void
rig_open(struct rig *rig, const char *gpu);

/* Fails on a leak, on work in flight, and on a violation of a GPU's rule. */
void
rig_close(struct rig *rig);

/* Expects these violations of a GPU's rules. */
void
rig_close_violated(struct rig *rig, const char *violations);

/* Returns space in the batch, or NULL if the context is lost. */
static inline uint32_t *
rig_reserve(struct pitot_cs *cs, enum pitot_ring ring, unsigned count_dw)
{
   (void)cs->ops->require(cs, ring, 1);
   return pitot_drm_reserve((struct pitot_drm_context *)cs, ring, count_dw);
}

void
rig_emit(struct rig *rig, enum pitot_ring ring, const uint32_t *commands,
         unsigned count_dw);

/* Makes Intel's command streamer wait for all earlier work. */
void
rig_stall(struct rig *rig, enum pitot_ring ring);

void
rig_draw(struct rig *rig);

void
rig_dispatch(struct rig *rig, enum pitot_ring ring);

/* Emits the family's packet that writes a value. */
void
rig_write(struct rig *rig, unsigned offset_B, uint32_t value);

/* Flushes a ring.  Returns the seqno of the batch. */
uint64_t
rig_flush(struct rig *rig, enum pitot_ring ring);

void
rig_run(struct rig *rig, enum pitot_ring ring);

uint64_t
rig_read(const struct rig *rig, unsigned offset_B);

/* Hears of the rig's batches of a ring: calls begin() and end(), unless NULL,
 * and reserves end_count commands for the end.
 */
struct rig_listener {
   struct pitot_cs_listener base; /* set by rig_listen() */
   struct rig *rig;
   void (*begin)(struct rig_listener *listener);
   void (*end)(struct rig_listener *listener);
   unsigned end_commands;

   unsigned begin_count, end_count;
};

/* To the render ring, until rig_listen(rig, NULL). */
void
rig_listen(struct rig *rig, struct rig_listener *listener);

/* A test on a rig, on only a simulated machine, or on one that it creates.
 * gpu NULL: runs on every GPU, or if needs_contexts is set on every one with
 * contexts.
 */
struct rig_test {
   const char *name;
   const char *gpu;
   void (*with_rig)(struct rig *rig);
   void (*with_sim)(struct sim *sim);
   void (*with_gpu)(const char *gpu);
   bool needs_contexts;
};

/* After the name, the GPU, or one of these. */
#define EVERY_GPU     NULL
#define EVERY_CONTEXT NULL, .needs_contexts = true

#define LIST_ON_RIG(NAME, ...)                                               \
   LIST_ROW(NAME, rig_run_test, schedules_tell, struct rig_test, __VA_ARGS__)

#define TEST_ON_RIG(NAME, ...)                                               \
   static void NAME(struct rig *rig);                                        \
   LIST_ON_RIG(NAME, .with_rig = NAME, .gpu = __VA_ARGS__)                   \
   static void NAME(struct rig *rig)

#define TEST_ON_SIM(NAME, ...)                                               \
   static void NAME(struct sim *sim);                                        \
   LIST_ON_RIG(NAME, .with_sim = NAME, .gpu = __VA_ARGS__)                   \
   static void NAME(struct sim *sim)

#define TEST_ON_SIM_AGAIN(NAME, FUNCTION, ...)                               \
   LIST_ON_RIG(NAME, .with_sim = FUNCTION, .gpu = __VA_ARGS__)

#define TEST_ON_GPU(NAME, ...)                                               \
   static void NAME(const char *gpu);                                        \
   LIST_ON_RIG(NAME, .with_gpu = NAME, .gpu = __VA_ARGS__)                   \
   static void NAME(const char *gpu)

/* For tables of tests. */
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

/* Runs the struct rig_test at *state. */
void
rig_run_test(void **state);

#endif /* PITOT_DRM_RIG_H */
