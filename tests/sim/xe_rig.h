/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A program on the simulated xe: an address space, a queue in it, and a batch
 * that writes XE_VALUE at XE_DATA_AT.
 */

#ifndef PITOT_SIM_XE_RIG_H
#define PITOT_SIM_XE_RIG_H

#include "drm-uapi/xe_drm.h"
#include "sim.h"

#include "test.h"

#define XE_FD       1000
#define XE_SIZE_B   4096
#define XE_BATCH_AT UINT64_C(0x100000)
#define XE_END_AT   (XE_BATCH_AT + 16) /* an empty batch */
#define XE_DATA_AT  UINT64_C(0x200000)
#define XE_VALUE    77u
#define XE_NONE     0xffffffffu /* no syncobj */

struct xe_memory {
   uint32_t handle;
   uint32_t *dw;
};

struct xe_rig {
   struct sim *sim;
   uint32_t vm, queue;
   struct xe_memory batch, data; /* the batch is bound */
};

int
xe_setup(void **state);

int
xe_teardown(void **state);

#define XE_TEST(NAME)                                                        \
   cmocka_unit_test_setup_teardown(NAME, xe_setup, xe_teardown)

/* Returns 0 or errno. */
int
xe_call(const struct xe_rig *rig, unsigned long request, void *argument);

uint32_t
xe_new_vm(const struct xe_rig *rig);

uint32_t
xe_new_queue(const struct xe_rig *rig, uint32_t vm);

int
xe_try_memory(const struct xe_rig *rig, uint32_t vm, uint64_t size_B,
              uint16_t caching, uint32_t *handle_out);

/* Memory that the CPU can read, and that the test unmaps. */
struct xe_memory
xe_new_memory(const struct xe_rig *rig);

void
xe_unmap(const struct xe_rig *rig, struct xe_memory *memory);

uint32_t
xe_new_syncobj(const struct xe_rig *rig);

/* A sync with a syncobj, or with a point of it. */
struct drm_xe_sync
xe_sync_with(uint32_t syncobj, uint64_t point, uint32_t flags);

/* Binds memory, or unbinds it if handle is 0. */
int
xe_bind_after(const struct xe_rig *rig, uint32_t vm, uint32_t handle,
              uint64_t address, const struct drm_xe_sync *syncs,
              uint32_t sync_count);

/* The same without waits; signals a syncobj if there is one. */
int
xe_bind(const struct xe_rig *rig, uint32_t vm, uint32_t handle,
        uint64_t address, uint32_t syncobj, uint64_t point);

/* Binds the data, or unbinds it, at XE_DATA_AT. */
void
xe_bind_data(const struct xe_rig *rig, uint32_t syncobj, uint64_t point);

void
xe_unbind_data(const struct xe_rig *rig, uint32_t syncobj);

/* Executes the commands at an address, or if that is 0 signals the syncobjs
 * when the queue is idle.
 */
int
xe_submit(const struct xe_rig *rig, uint32_t queue, uint64_t address,
          const struct drm_xe_sync *syncs, uint32_t sync_count);

/* Executes the batch that writes, after a syncobj if there is one. */
int
xe_write_value(const struct xe_rig *rig, uint32_t queue, uint32_t syncobj,
               uint64_t point);

/* Signals when the queue's batches so far are done. */
void
xe_signal_when_idle(const struct xe_rig *rig, uint32_t queue,
                    uint32_t syncobj);

void
xe_wait(const struct xe_rig *rig, uint32_t syncobj);

/* Expects that the batch wrote, or that it found no memory, and forgets it.
 */
void
xe_expect_value(const struct xe_rig *rig);

void
xe_expect_fault(const struct xe_rig *rig);

#endif /* PITOT_SIM_XE_RIG_H */
