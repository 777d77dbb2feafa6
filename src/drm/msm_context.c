/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A context through msm: one ring, which draws without tiles and computes.
 */

#include <errno.h>

#include "drm_priv.h"
#include "msm_uapi.h"

/* A wait has no limit: some thousand years. */
#define FOR_EVER_S (INT64_C(1) << 37)

/* Packets of type 7. */
#define CP_WAIT_FOR_IDLE 0x70268000
#define CP_EVENT_WRITE_1 0x70460001
#define CP_EVENT_WRITE_4 0x70460004
#define CP_SET_MARKER    0x70e50001
#define CP_WAIT_REG_MEM  0x70bc8006
#define CP_COND_WRITE    0x70450008

/* Conditions. */
#define IF_EQUAL    3
#define IN_MEMORY   (1u << 4)
#define TO_MEMORY   (1u << 8)
#define POLL_CYCLES 16

#define MARKER_DIRECT_RENDER 1

/* Events, and flags of a7xx. */
#define CACHE_FLUSH_TS       4 /* a6xx */
#define START_PRIMITIVE_CTRS 11
#define START_FRAGMENT_CTRS  13
#define START_COMPUTE_CTRS   15
#define CACHE_CLEAN          49 /* a7xx */
#define EVENT_WRITE_ENABLED  (1u << 27)
#define A7XX                 7

struct msm_context {
   struct pitot_drm_context base;
   uint32_t queue;
   uint64_t fault_count; /* of all processes, when it was created */
};

static struct msm_context *
to_msm(struct pitot_drm_context *context)
{
   return (struct msm_context *)context;
}

static int
count_faults(const struct pitot_drm_context *context, uint64_t *count_out)
{
   struct msm_param request = {
      .pipe = MSM_PIPE_3D0,
      .param = MSM_PARAM_FAULTS,
   };
   const int result =
      pitot_drm_ioctl(context->device, MSM_IOWR(GET_PARAM, param), &request);

   *count_out = request.value;
   return result;
}

static int
create(struct pitot_drm_context *base)
{
   struct msm_context *context = to_msm(base);
   struct msm_queue request = { 0 };
   int result = count_faults(base, &context->fault_count);

   if (result == 0)
      result =
         pitot_drm_ioctl(base->device, MSM_IOWR(QUEUE_NEW, queue), &request);
   if (result == 0)
      context->queue = request.id;
   return result;
}

static void
destroy(struct pitot_drm_context *base)
{
   struct msm_context *context = to_msm(base);

   if (context->queue != 0)
      pitot_drm_ioctl(base->device,
                      DRM_IOW(DRM_COMMAND_BASE + MSM_QUEUE_CLOSE, uint32_t),
                      &context->queue);
}

static int
ask(const struct pitot_drm_context *context, uint32_t handle, uint32_t info,
    uint64_t *value_out)
{
   struct msm_gem_info request = { .handle = handle, .info = info };
   const int result = pitot_drm_ioctl(context->device,
                                      MSM_IOWR(GEM_INFO, gem_info), &request);

   *value_out = request.value;
   return result;
}

/* The kernel chooses the address.  Memory is combined writes: the CPU polls
 * what the GPU writes, on every chip.
 */
static int
allocate(struct pitot_drm_context *context, struct pitot_drm_buffer *buffer,
         uint64_t *offset_out)
{
   struct msm_gem_new request = {
      .size_B = buffer->mapped_B,
      .flags = MSM_BO_WC,
   };
   int result =
      pitot_drm_ioctl(context->device, MSM_IOWR(GEM_NEW, gem_new), &request);

   if (result != 0)
      return result;
   buffer->handle = request.handle;
   result =
      ask(context, buffer->handle, MSM_INFO_GET_IOVA, &buffer->base.address);
   if (result != 0)
      return result;
   return ask(context, buffer->handle, MSM_INFO_GET_OFFSET, offset_out);
}

/*
 * Commands
 */

static void
emit_event(struct pitot_drm_context *context, uint32_t event)
{
   const uint32_t packet[] = { CP_EVENT_WRITE_1, event };

   pitot_drm_emit(context, PITOT_RING_RENDER, packet, 2);
}

static void
barrier(struct pitot_drm_context *context, enum pitot_ring ring,
        unsigned kind)
{
   static const uint32_t packet = CP_WAIT_FOR_IDLE;

   if (kind == PITOT_BARRIER_STALL)
      pitot_drm_emit(context, ring, &packet, 1);
}

/* An event that stops counters has the number behind that of its start. */
static void
count(struct pitot_drm_context *context)
{
   const uint32_t stop =
      (context->counting &
       (PITOT_COUNTING_STATISTICS | PITOT_COUNTING_GENERATED)) == 0;

   emit_event(context, START_PRIMITIVE_CTRS + stop);
   emit_event(context, START_FRAGMENT_CTRS + stop);
   emit_event(context, START_COMPUTE_CTRS + stop);
}

/* Others may have changed the counting since the last batch. */
static void
begin(struct pitot_drm_context *context, enum pitot_ring ring)
{
   static const uint32_t marker[] = { CP_SET_MARKER, MARKER_DIRECT_RENDER };

   pitot_drm_emit(context, ring, marker, 2);
   count(context);
}

/* Writes the batch's number when all its work is done and has written; but
 * only if the batch before it did: the kernel leaves out a batch that hung,
 * and goes on with the next one.
 */
static void
end(struct pitot_drm_context *context, enum pitot_ring ring)
{
   const uint64_t spare =
      pitot_drm_status_address(context, PITOT_DRM_MAX_RINGS);
   const uint64_t status = pitot_drm_status_address(context, ring);
   const uint32_t number =
      (uint32_t)atomic_load(&context->rings[ring].recording);
   const uint32_t event = context->base.gpu->generation >= A7XX
                             ? CACHE_CLEAN | EVENT_WRITE_ENABLED
                             : CACHE_FLUSH_TS;
   const uint32_t packets[] = {
      /* clang-format off */
      CP_EVENT_WRITE_4, event,
         (uint32_t)spare, (uint32_t)(spare >> 32), number,
      CP_WAIT_REG_MEM, IF_EQUAL | IN_MEMORY,
         (uint32_t)spare, (uint32_t)(spare >> 32), number, UINT32_MAX,
         POLL_CYCLES,
      CP_COND_WRITE, IF_EQUAL | IN_MEMORY | TO_MEMORY,
         (uint32_t)status, (uint32_t)(status >> 32), number - 1, UINT32_MAX,
         (uint32_t)status, (uint32_t)(status >> 32), number,
      /* clang-format on */
   };

   pitot_drm_emit(context, ring, packets,
                  sizeof(packets) / sizeof(packets[0]));
}

/* Lists the buffers of a batch.  Returns their count. */
static unsigned
list_entries(const struct pitot_drm_context *context, enum pitot_ring ring,
             const struct pitot_drm_batch *batch, uint32_t *index_out)
{
   struct msm_bo_use *entries = context->entries;
   unsigned entry_count = 0;

   for (const struct pitot_drm_buffer *buffer = context->buffers;
        buffer != NULL; buffer = buffer->next) {
      if (buffer->last_batch[ring] != batch->number)
         continue;
      if (buffer == batch->memory)
         *index_out = entry_count;
      entries[entry_count++] = (struct msm_bo_use){
         .flags = MSM_BO_READ | MSM_BO_WRITE,
         .handle = buffer->handle,
      };
   }
   return entry_count;
}

static int
submit(struct pitot_drm_context *context, enum pitot_ring ring,
       struct pitot_drm_batch *batch)
{
   struct msm_cmd command = {
      .type = MSM_CMD_BUF,
      .size_B = context->rings[ring].count_dw * (uint32_t)sizeof(uint32_t),
   };
   struct msm_submit request = {
      .flags = MSM_PIPE_3D0,
      .bo_count = list_entries(context, ring, batch, &command.index),
      .cmd_count = 1,
      .bos = pitot_drm_pointer(context->entries),
      .cmds = pitot_drm_pointer(&command),
      .queue = to_msm(context)->queue,
   };

   batch->seqno = batch->number;
   return pitot_drm_ioctl(context->device, MSM_IOWR(GEM_SUBMIT, submit),
                          &request);
}

/* The commands are free when the kernel has finished the batch. */
static int
wait(struct pitot_drm_context *context, enum pitot_ring ring,
     const struct pitot_drm_batch *batch, bool is_poll)
{
   struct msm_gem_cpu_prep request = {
      .handle = batch->memory->handle,
      .op = MSM_PREP_READ | MSM_PREP_WRITE | (is_poll ? MSM_PREP_NOSYNC : 0),
      .timeout = { .tv_sec = FOR_EVER_S },
   };
   const int result =
      pitot_drm_ioctl(context->device, MSM_IOW(GEM_CPU_PREP, gem_cpu_prep),
                      &request);

   (void)ring;
   return result == -EBUSY || result == -ETIMEDOUT ? -ETIME : result;
}

/* Recovery from a hang, of whatever process, takes the power away: counters
 * begin anew.
 */
static int
check_health(struct pitot_drm_context *context)
{
   uint64_t fault_count;
   const int result = count_faults(context, &fault_count);

   if (result != 0)
      return result;
   return fault_count != to_msm(context)->fault_count ? -EIO : 0;
}

const struct pitot_drm_context_ops pitot_msm_context = {
   .size_B = sizeof(struct msm_context),
   .entry_size_B = sizeof(struct msm_bo_use),
   .ring_count = 1,
   .create = create,
   .destroy = destroy,
   .allocate = allocate,
   .begin = begin,
   .end = end,
   .submit = submit,
   .wait = wait,
   .barrier = barrier,
   .count = count,
   .check_health = check_health,
};
