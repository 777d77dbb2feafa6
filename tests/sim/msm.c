/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The ioctls of msm: parameters, memory, queues and waits. */

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "drm-uapi/msm_drm.h"
#include "faults.h"
#include "sim_priv.h"

#define NS_PER_S UINT64_C(1000000000)

#define PAGE_B 4096

#define ADDRESS_BEGIN    UINT64_C(0x100000000)
#define ADDRESS_SIZE     UINT64_C(0xffff00000000)
#define MAX_FREQUENCY_HZ UINT64_C(710000000)
#define PRIORITY_COUNT   3

/* On a6xx from the chip ID: major, minor, patch. */
static uint64_t
gpu_id(const struct sim_gpu *gpu)
{
   const uint64_t id = gpu->chip_id;

   if (gpu->facts.generation != 6)
      return 0;
   return (id >> 24) * 100 + (id >> 16 & 0xff) * 10 + (id >> 8 & 0xff);
}

static int
get_param(struct sim *sim, void *argument)
{
   struct drm_msm_param *request = argument;
   const struct sim_gpu *gpu = &sim->gpu;
   const bool is_new = gpu->facts.generation >= 7;
   const struct {
      uint32_t param;
      uint64_t value;
   } known[] = {
      { MSM_PARAM_GPU_ID, gpu_id(gpu) },
      { MSM_PARAM_GMEM_SIZE, gpu->gmem_KiB * UINT64_C(1024) },
      { MSM_PARAM_GMEM_BASE, is_new ? 0 : 0x100000 },
      { MSM_PARAM_CHIP_ID, gpu->chip_id },
      { MSM_PARAM_MAX_FREQ, MAX_FREQUENCY_HZ },
      { MSM_PARAM_PRIORITIES, PRIORITY_COUNT },
      { MSM_PARAM_PP_PGTABLE, 0 },
      { MSM_PARAM_FAULTS, sim->kernel->faults },
      { MSM_PARAM_SUSPENDS, sim->suspend_count },
      { MSM_PARAM_VA_START, ADDRESS_BEGIN },
      { MSM_PARAM_VA_SIZE, ADDRESS_SIZE },
      { MSM_PARAM_HIGHEST_BANK_BIT, is_new ? 16 : 15 },
      { MSM_PARAM_RAYTRACING, 0 },
      { MSM_PARAM_UBWC_SWIZZLE, 6 },
      { MSM_PARAM_MACROTILE_MODE, is_new },
   };

   if (request->pipe != MSM_PIPE_3D0)
      return -EINVAL;
   if (request->param == MSM_PARAM_TIMESTAMP) {
      request->value = sim_read_clock(sim);
      return 0;
   }
   for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
      if (known[i].param != request->param)
         continue;
      request->value = known[i].value;
      return 0;
   }
   return -EINVAL;
}

/* Only privileged processes may keep the GPU powered. */
static int
set_param(struct sim *sim, void *argument)
{
   const struct drm_msm_param *request = argument;

   (void)sim;
   switch (request->param) {
   case MSM_PARAM_COMM:
   case MSM_PARAM_CMDLINE:
      return 0;
   case MSM_PARAM_SYSPROF:
      return -EPERM;
   default:
      return -EINVAL;
   }
}

/* Memory */

static int
create_bo(struct sim *sim, void *argument)
{
   struct drm_msm_gem_new *request = argument;
   struct sim_kernel *kernel = sim->kernel;

   sim->untimely_count++;
   if (request->size == 0)
      return -EINVAL;
   const int result =
      sim_create_bo(sim, NULL, request->size, &request->handle);
   if (result != 0)
      return result;

   struct sim_bo *bo = kernel->objects[request->handle].bo;
   if (kernel->next_address == 0)
      kernel->next_address = ADDRESS_BEGIN;
   bo->flags = request->flags;
   bo->address = kernel->next_address;
   kernel->next_address += bo->size_B + PAGE_B;
   sim_space_add(&kernel->space, (struct sim_map){
                                    .address = bo->address,
                                    .size_B = bo->size_B,
                                    .bo = bo,
                                 });
   return 0;
}

static int
bo_info(struct sim *sim, void *argument)
{
   struct drm_msm_gem_info *request = argument;
   const struct sim_object *object = sim_object(sim, request->handle, SIM_BO);

   sim->untimely_count++;
   if (object == NULL)
      return -ENOENT;
   switch (request->info) {
   case MSM_INFO_GET_OFFSET:
      return sim_map_offset(sim, request->handle, &request->value);
   case MSM_INFO_GET_IOVA:
      request->value = object->bo->address;
      return 0;
   case MSM_INFO_SET_NAME:
   case MSM_INFO_SET_METADATA:
      return 0;
   case MSM_INFO_GET_FLAGS:
      request->value = object->bo->flags;
      return 0;
   default:
      return -EINVAL;
   }
}

static bool
is_past(const struct drm_msm_timespec *deadline)
{
   return sim_is_past((uint64_t)deadline->tv_sec * NS_PER_S +
                      (uint64_t)deadline->tv_nsec);
}

/* A reader waits for writers only. */
static int
prepare_bo(struct sim *sim, void *argument)
{
   const struct drm_msm_gem_cpu_prep *request = argument;
   const struct sim_object *object = sim_object(sim, request->handle, SIM_BO);

   if (object == NULL)
      return -ENOENT;
   const uint64_t number = (request->op & MSM_PREP_WRITE) != 0
                              ? object->bo->last_use
                              : object->bo->last_write;
   if ((request->op & MSM_PREP_NOSYNC) != 0)
      return sim_wait(sim, number, true) ? 0 : -EBUSY;
   return sim_wait(sim, number, is_past(&request->timeout)) ? 0 : -ETIMEDOUT;
}

static int
advise_bo(struct sim *sim, void *argument)
{
   struct drm_msm_gem_madvise *request = argument;

   sim->untimely_count++;
   if (sim_object(sim, request->handle, SIM_BO) == NULL)
      return -ENOENT;
   if (request->madv > MSM_MADV_DONTNEED)
      return -EINVAL;
   request->retained = 1;
   return 0;
}

/* Queues, and waits for fences */

static int
create_queue(struct sim *sim, void *argument)
{
   struct drm_msm_submitqueue *request = argument;
   if (request->prio >= PRIORITY_COUNT)
      return -EINVAL;
   return sim_create_object(sim, SIM_CONTEXT, &request->id);
}

static int
query_queue(struct sim *sim, void *argument)
{
   const struct drm_msm_submitqueue_query *request = argument;
   const struct sim_object *queue = sim_object(sim, request->id, SIM_CONTEXT);
   const uint64_t faults = queue != NULL ? queue->lost_active : 0;

   if (queue == NULL)
      return -ENOENT;
   if (request->param != MSM_SUBMITQUEUE_PARAM_FAULTS ||
       request->len > sizeof(faults))
      return -EINVAL;
   memcpy((void *)(uintptr_t)request->data, &faults, request->len);
   return 0;
}

static int
close_queue(struct sim *sim, void *argument)
{
   const uint32_t *id = argument;

   return *id != 0 ? sim_close(sim, *id, SIM_CONTEXT, -ENOENT) : 0;
}

/* Returns a fence's submission: fences have 32 bits. */
static uint64_t
submission_of(const struct sim *sim, uint32_t fence)
{
   const uint64_t submitted = sim->kernel->submitted;

   return submitted - (uint32_t)((uint32_t)submitted - fence);
}

static int
wait_fence(struct sim *sim, void *argument)
{
   const struct drm_msm_wait_fence *request = argument;
   const uint32_t ahead = request->fence - (uint32_t)sim->kernel->submitted;

   if (request->queueid != 0 &&
       sim_object(sim, request->queueid, SIM_CONTEXT) == NULL)
      return -ENOENT;
   if ((int32_t)ahead > 0)
      return -EINVAL;
   return sim_wait(sim, submission_of(sim, request->fence),
                   is_past(&request->timeout))
             ? 0
             : -ETIMEDOUT;
}

#define MSM(NAME) [_IOC_NR(DRM_IOCTL_MSM_##NAME)]

sim_handler *const sim_msm_ioctls[SIM_IOCTL_COUNT] = {
   MSM(GET_PARAM) = get_param,
   MSM(SET_PARAM) = set_param,
   MSM(GEM_NEW) = create_bo,
   MSM(GEM_INFO) = bo_info,
   MSM(GEM_CPU_PREP) = prepare_bo,
   MSM(GEM_CPU_FINI) = sim_do_nothing,
   MSM(GEM_SUBMIT) = sim_msm_submit,
   MSM(WAIT_FENCE) = wait_fence,
   MSM(GEM_MADVISE) = advise_bo,
   MSM(SUBMITQUEUE_NEW) = create_queue,
   MSM(SUBMITQUEUE_CLOSE) = close_queue,
   MSM(SUBMITQUEUE_QUERY) = query_queue,
};
