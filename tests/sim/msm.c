/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The ioctls of msm: parameters, memory, queues and waits. */

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "faults.h"
#include "msm.h"

#define NS_PER_S UINT64_C(1000000000)

#define PAGE_SHIFT 12
#define PAGE_B     (UINT64_C(1) << PAGE_SHIFT)

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
get_param(struct sim *sim, struct drm_msm_param *request)
{
   const struct sim_gpu *gpu = &sim->gpu;
   const bool is_new = gpu->facts.generation >= 7;

   if (request->pipe != MSM_PIPE_3D0)
      return -EINVAL;
   switch (request->param) {
   case MSM_PARAM_GPU_ID:
      request->value = gpu_id(gpu);
      return 0;
   case MSM_PARAM_GMEM_SIZE:
      request->value = gpu->gmem_KiB * UINT64_C(1024);
      return 0;
   case MSM_PARAM_GMEM_BASE:
      request->value = is_new ? 0 : 0x100000;
      return 0;
   case MSM_PARAM_CHIP_ID:
      request->value = gpu->chip_id;
      return 0;
   case MSM_PARAM_MAX_FREQ:
      request->value = MAX_FREQUENCY_HZ;
      return 0;
   case MSM_PARAM_TIMESTAMP:
      request->value = sim_read_clock(sim);
      return 0;
   case MSM_PARAM_PRIORITIES:
      request->value = PRIORITY_COUNT;
      return 0;
   case MSM_PARAM_PP_PGTABLE:
      request->value = 0;
      return 0;
   case MSM_PARAM_FAULTS:
      request->value = sim->kernel->faults;
      return 0;
   case MSM_PARAM_SUSPENDS:
      request->value = sim->suspend_count;
      return 0;
   case MSM_PARAM_VA_START:
      request->value = MSM_ADDRESS_BEGIN;
      return 0;
   case MSM_PARAM_VA_SIZE:
      request->value = MSM_ADDRESS_SIZE;
      return 0;
   case MSM_PARAM_HIGHEST_BANK_BIT:
      request->value = is_new ? 16 : 15;
      return 0;
   case MSM_PARAM_RAYTRACING:
      request->value = 0;
      return 0;
   case MSM_PARAM_UBWC_SWIZZLE:
      request->value = 6;
      return 0;
   case MSM_PARAM_MACROTILE_MODE:
      request->value = is_new;
      return 0;
   default:
      return -EINVAL;
   }
}

/* Only privileged processes may keep the GPU powered. */
static int
set_param(struct sim *sim, const struct drm_msm_param *request)
{
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
create_bo(struct sim *sim, struct drm_msm_gem_new *request)
{
   struct sim_kernel *kernel = sim->kernel;

   if (request->size == 0)
      return -EINVAL;
   request->handle = sim_new_bo(sim, NULL, request->size);
   if (request->handle == 0)
      return -ENOMEM;

   struct sim_bo *bo = kernel->objects[request->handle].bo;
   if (kernel->next_address == 0)
      kernel->next_address = MSM_ADDRESS_BEGIN;
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
bo_info(struct sim *sim, struct drm_msm_gem_info *request)
{
   const struct sim_object *object = sim_object(sim, request->handle, SIM_BO);

   if (object == NULL)
      return -ENOENT;
   switch (request->info) {
   case MSM_INFO_GET_OFFSET:
      request->value = (uint64_t)request->handle << PAGE_SHIFT;
      return 0;
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

bool
sim_msm_is_past(const struct drm_msm_timespec *deadline)
{
   return sim_is_past((uint64_t)deadline->tv_sec * NS_PER_S +
                      (uint64_t)deadline->tv_nsec);
}

/* A reader waits for writers only. */
static int
prepare_bo(struct sim *sim, const struct drm_msm_gem_cpu_prep *request)
{
   const struct sim_object *object = sim_object(sim, request->handle, SIM_BO);

   if (object == NULL)
      return -ENOENT;
   const uint64_t number = (request->op & MSM_PREP_WRITE) != 0
                              ? object->bo->last_use
                              : object->bo->last_write;
   if ((request->op & MSM_PREP_NOSYNC) != 0)
      return sim_wait(sim, number, true) ? 0 : -EBUSY;
   return sim_wait(sim, number, sim_msm_is_past(&request->timeout))
             ? 0
             : -ETIMEDOUT;
}

static int
advise_bo(struct sim *sim, struct drm_msm_gem_madvise *request)
{
   if (sim_object(sim, request->handle, SIM_BO) == NULL)
      return -ENOENT;
   if (request->madv > MSM_MADV_DONTNEED)
      return -EINVAL;
   request->retained = 1;
   return 0;
}

/* Queues, and waits for fences */

static int
create_queue(struct sim *sim, struct drm_msm_submitqueue *request)
{
   if (request->prio >= PRIORITY_COUNT)
      return -EINVAL;
   request->id = sim_new_object(sim, SIM_CONTEXT);
   return request->id != 0 ? 0 : -ENOMEM;
}

static int
query_queue(struct sim *sim, const struct drm_msm_submitqueue_query *request)
{
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
close_queue(struct sim *sim, const uint32_t *id)
{
   if (*id == 0)
      return 0;
   if (sim_object(sim, *id, SIM_CONTEXT) == NULL)
      return -ENOENT;
   sim_free_object(sim, *id);
   return 0;
}

uint64_t
sim_msm_submission(const struct sim *sim, uint32_t fence)
{
   const uint64_t submitted = sim->kernel->submitted;

   return submitted - (uint32_t)((uint32_t)submitted - fence);
}

static int
wait_fence(struct sim *sim, const struct drm_msm_wait_fence *request)
{
   const uint32_t ahead = request->fence - (uint32_t)sim->kernel->submitted;

   if (request->queueid != 0 &&
       sim_object(sim, request->queueid, SIM_CONTEXT) == NULL)
      return -ENOENT;
   if ((int32_t)ahead > 0)
      return -EINVAL;
   return sim_wait(sim, sim_msm_submission(sim, request->fence),
                   sim_msm_is_past(&request->timeout))
             ? 0
             : -ETIMEDOUT;
}

int
sim_msm_ioctl(struct sim *sim, unsigned long request, void *argument)
{
   const unsigned number = _IOC_NR(request) - DRM_COMMAND_BASE;

   sim->untimely_count += number == DRM_MSM_GEM_NEW ||
                          number == DRM_MSM_GEM_INFO ||
                          number == DRM_MSM_GEM_MADVISE;
   switch (number) {
   case DRM_MSM_GET_PARAM:
      return get_param(sim, argument);
   case DRM_MSM_SET_PARAM:
      return set_param(sim, argument);
   case DRM_MSM_GEM_NEW:
      return create_bo(sim, argument);
   case DRM_MSM_GEM_INFO:
      return bo_info(sim, argument);
   case DRM_MSM_GEM_CPU_PREP:
      return prepare_bo(sim, argument);
   case DRM_MSM_GEM_CPU_FINI:
      return 0;
   case DRM_MSM_GEM_SUBMIT:
      return sim_msm_submit(sim, argument);
   case DRM_MSM_WAIT_FENCE:
      return wait_fence(sim, argument);
   case DRM_MSM_GEM_MADVISE:
      return advise_bo(sim, argument);
   case DRM_MSM_SUBMITQUEUE_NEW:
      return create_queue(sim, argument);
   case DRM_MSM_SUBMITQUEUE_CLOSE:
      return close_queue(sim, argument);
   case DRM_MSM_SUBMITQUEUE_QUERY:
      return query_queue(sim, argument);
   default:
      return -ENOTTY;
   }
}
