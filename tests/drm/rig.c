/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "rig.h"
#include "sim_priv.h"

bool
rig_has_context(const struct sim_gpu *gpu)
{
   return strcmp(gpu->driver, "i915") == 0 ||
          strcmp(gpu->driver, "amdgpu") == 0;
}

struct pitot_drm_device *
rig_open_device(struct sim *sim)
{
   struct pitot_drm_device *device = NULL;
   char message[PITOT_DRM_MESSAGE_SIZE] = "";

   if (pitot_drm_open(&sim->io, NULL, &device, message) != 0)
      fail_msg("%s", message);
   return device;
}

const char *
rig_refusal(struct sim *sim, const char *path, int error)
{
   static char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device;

   message[0] = '\0';
   assert_int_equal(pitot_drm_open(&sim->io, path, &device, message), -error);
   assert_int_equal(sim->open_count, 0);
   assert_null(strchr(message, '\n'));
   return message;
}

rig_ioctl_function rig_ioctl;

void
rig_replace_ioctl(struct sim *sim, rig_ioctl_function function)
{
   rig_ioctl = sim->io.ioctl;
   sim->io.ioctl = function;
}

void
rig_open(struct rig *rig, const char *gpu)
{
   rig->sim = sim_create(gpu);
   rig->reserve = rig_reserve;
   rig->device = rig_open_device(rig->sim);
   assert_int_equal(pitot_drm_context_create(rig->device, &rig->cs), 0);
   assert_int_equal(rig->cs->ops->buffer_create(rig->cs, RIG_BUFFER_B,
                                                &rig->buffer),
                    0);
}

void
rig_close_violated(struct rig *rig, const char *violations)
{
   rig->cs->ops->buffer_destroy(rig->cs, rig->buffer);
   pitot_drm_context_destroy(rig->cs);
   assert_int_equal(rig->sim->kernel->queued, 0);
   assert_int_equal(rig->sim->object_count, 0);
   assert_int_equal(rig->sim->mapping_count, 0);
   pitot_drm_close(rig->device);
   assert_int_equal(rig->sim->open_count, 0);
   assert_string_equal(rig->sim->violations, violations);
   sim_destroy(rig->sim);
}

void
rig_close(struct rig *rig)
{
   rig_close_violated(rig, "");
}

void
rig_emit(struct rig *rig, enum pitot_ring ring, const uint32_t *commands,
         unsigned count_dw)
{
   uint32_t *room = rig->reserve(rig->cs, ring, count_dw);

   assert_non_null(room);
   memcpy(room, commands, count_dw * sizeof(*commands));
   rig->cs->ops->use_buffer(rig->cs, ring, rig->buffer);
}

void
rig_stall(struct rig *rig, enum pitot_ring ring)
{
   uint32_t dw[PITOT_DRM_MAX_PACKETS_DW];
   struct pitot_drm_packets packets = {
      .gpu = rig->cs->gpu,
      .ring = ring,
      .next = dw,
      .scratch_address = rig->buffer->address + RIG_BUFFER_B - 8,
   };

   pitot_drm_intel_stall(&packets);
   rig_emit(rig, ring, dw, (unsigned)(packets.next - dw));
}

void
rig_draw(struct rig *rig)
{
   uint32_t commands[SIM_WORK_DW];
   const unsigned count_dw = sim_draw(rig->sim, commands);

   rig_emit(rig, PITOT_RING_RENDER, commands, count_dw);
}

void
rig_dispatch(struct rig *rig, enum pitot_ring ring)
{
   uint32_t commands[SIM_WORK_DW];
   const unsigned count_dw = sim_dispatch(rig->sim, commands);

   rig_emit(rig, ring, commands, count_dw);
}

void
rig_write(struct rig *rig, unsigned offset_B, uint32_t value)
{
   const uint64_t address = rig->buffer->address + offset_B;
   const uint32_t low = (uint32_t)address;
   const uint32_t high = (uint32_t)(address >> 32);
   const uint32_t store_data_imm[] = { 0x10000002, low, high, value };
   const uint32_t write_data[] = { 0xc0033700, 5 << 8, low, high, value };

   if (rig->device->gpu.family == &pitot_hw_intel)
      rig_emit(rig, PITOT_RING_RENDER, store_data_imm, 4);
   else
      rig_emit(rig, PITOT_RING_RENDER, write_data, 5);
}

uint64_t
rig_flush(struct rig *rig, enum pitot_ring ring)
{
   const uint64_t batch = rig->cs->ops->current_batch(rig->cs, ring);

   rig->cs->ops->flush(rig->cs, ring);
   return batch;
}

void
rig_run(struct rig *rig, enum pitot_ring ring)
{
   const uint64_t batch = rig_flush(rig, ring);

   rig->cs->ops->wait(rig->cs, ring, batch);
   assert_int_equal(rig->cs->ops->batch_state(rig->cs, ring, batch),
                    PITOT_BATCH_DONE);
}

uint64_t
rig_read(const struct rig *rig, unsigned offset_B)
{
   uint64_t value;

   memcpy(&value, rig->buffer->memory + offset_B, sizeof(value));
   return value;
}

static void
batch_begin(struct pitot_cs_listener *base, enum pitot_ring ring)
{
   struct rig_listener *listener = (struct rig_listener *)base;

   listener->begin_count += ring == PITOT_RING_RENDER;
   if (listener->begin && ring == PITOT_RING_RENDER)
      listener->begin(listener);
}

static void
batch_end(struct pitot_cs_listener *base, enum pitot_ring ring)
{
   struct rig_listener *listener = (struct rig_listener *)base;

   listener->end_count += ring == PITOT_RING_RENDER;
   if (listener->end && ring == PITOT_RING_RENDER)
      listener->end(listener);
}

static unsigned
end_count(struct pitot_cs_listener *base, enum pitot_ring ring)
{
   const struct rig_listener *listener = (struct rig_listener *)base;

   return ring == PITOT_RING_RENDER ? listener->end_commands : 0;
}

void
rig_listen(struct rig *rig, struct rig_listener *listener)
{
   rig->cs->listener = listener ? &listener->base : NULL;
   if (!listener)
      return;
   listener->rig = rig;
   listener->base.batch_begin = batch_begin;
   listener->base.batch_end = batch_end;
   listener->base.end_count = end_count;
}

static void
run_on(const struct rig_test *test, const char *gpu)
{
   struct sim *sim;
   struct rig rig;

   if (test->with_rig) {
      rig_open(&rig, gpu);
      test->with_rig(&rig);
      rig_close(&rig);
   } else if (test->with_gpu) {
      test->with_gpu(gpu);
   } else {
      sim = sim_create(gpu);
      test->with_sim(sim);
      assert_int_equal(sim->mapping_count, 0);
      sim_destroy(sim);
   }
}

static void
run_once(void *data)
{
   const struct rig_test *test = data;

   if (test->gpu)
      run_on(test, test->gpu);
   for (unsigned i = 0; i < sim_gpu_count && !test->gpu; i++) {
      if (!test->needs_contexts || rig_has_context(&sim_gpus[i]))
         run_on(test, sim_gpus[i].key);
   }
}

void
rig_run_test(void **state)
{
   schedules_run(run_once, *state, true);
}
