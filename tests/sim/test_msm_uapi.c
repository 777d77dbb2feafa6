/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The simulator's copy of msm's interface must match the kernel's header. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "msm_uapi.h"

/* Names that are the same in the kernel's header. */
#define NUMBERS                                                              \
   MSM_PARAM_GPU_ID, MSM_PARAM_GMEM_SIZE, MSM_PARAM_CHIP_ID,                 \
      MSM_PARAM_MAX_FREQ, MSM_PARAM_TIMESTAMP, MSM_PARAM_GMEM_BASE,          \
      MSM_PARAM_FAULTS, MSM_PARAM_SUSPENDS, MSM_PARAM_VA_START,              \
      MSM_PARAM_VA_SIZE, MSM_BO_WC, MSM_BO_CACHED_COHERENT,                  \
      MSM_INFO_GET_OFFSET, MSM_INFO_GET_IOVA, MSM_INFO_GET_FLAGS,            \
      MSM_PREP_READ, MSM_PREP_WRITE, MSM_PREP_NOSYNC,                        \
      MSM_SUBMIT_FENCE_FD_OUT, MSM_SUBMIT_SYNCOBJ_IN,                        \
      MSM_SUBMIT_SYNCOBJ_OUT, MSM_PIPE_3D0

/* Before the kernel's header defines them. */
static const uint32_t numbers[] = {
   NUMBERS,      MSM_CMD_BUF, MSM_BO_READ,
   MSM_BO_WRITE, MSM_BO_USES, MSM_QUEUE_FAULTS,
};

#undef MSM_BO_CACHED_COHERENT
#undef MSM_PREP_READ
#undef MSM_PREP_WRITE
#undef MSM_PREP_NOSYNC
#include "drm-uapi/msm_drm.h"

static const uint32_t kernels_numbers[] = {
   NUMBERS,
   MSM_SUBMIT_CMD_BUF,
   MSM_SUBMIT_BO_READ,
   MSM_SUBMIT_BO_WRITE,
   MSM_SUBMIT_BO_FLAGS,
   MSM_SUBMITQUEUE_PARAM_FAULTS,
};

#define REQUEST(OURS, KERNELS)                                               \
   {                                                                         \
#OURS, OURS, KERNELS                                                   \
   }

static const struct {
   const char *name;
   unsigned long ours, kernels;
} requests[] = {
   REQUEST(MSM_IOWR(GET_PARAM, param), DRM_IOCTL_MSM_GET_PARAM),
   REQUEST(MSM_IOW(SET_PARAM, param), DRM_IOCTL_MSM_SET_PARAM),
   REQUEST(MSM_IOWR(GEM_NEW, gem_new), DRM_IOCTL_MSM_GEM_NEW),
   REQUEST(MSM_IOWR(GEM_INFO, gem_info), DRM_IOCTL_MSM_GEM_INFO),
   REQUEST(MSM_IOW(GEM_CPU_PREP, gem_cpu_prep), DRM_IOCTL_MSM_GEM_CPU_PREP),
   REQUEST(MSM_IOWR(GEM_SUBMIT, submit), DRM_IOCTL_MSM_GEM_SUBMIT),
   REQUEST(MSM_IOW(WAIT_FENCE, wait_fence), DRM_IOCTL_MSM_WAIT_FENCE),
   REQUEST(MSM_IOWR(GEM_MADVISE, gem_madvise), DRM_IOCTL_MSM_GEM_MADVISE),
   REQUEST(MSM_IOWR(QUEUE_NEW, queue), DRM_IOCTL_MSM_SUBMITQUEUE_NEW),
   REQUEST(MSM_IOW(QUEUE_QUERY, queue_query),
           DRM_IOCTL_MSM_SUBMITQUEUE_QUERY),
};

/* A field of the copy, and of the kernel's header. */
#define FIELD(OURS, FIELD, KERNELS, THEIRS)                                  \
   {                                                                         \
#OURS "." #FIELD, offsetof(struct OURS, FIELD),                        \
         offsetof(struct KERNELS, THEIRS)                                    \
   }

static const struct {
   const char *name;
   size_t offset_B, kernels_offset_B;
} fields[] = {
   FIELD(msm_param, value, drm_msm_param, value),
   FIELD(msm_gem_new, handle, drm_msm_gem_new, handle),
   FIELD(msm_gem_info, value, drm_msm_gem_info, value),
   FIELD(msm_gem_cpu_prep, op, drm_msm_gem_cpu_prep, op),
   FIELD(msm_gem_cpu_prep, timeout, drm_msm_gem_cpu_prep, timeout),
   FIELD(msm_reloc, or, drm_msm_gem_submit_reloc, or),
   FIELD(msm_reloc, shift, drm_msm_gem_submit_reloc, shift),
   FIELD(msm_reloc, index, drm_msm_gem_submit_reloc, reloc_idx),
   FIELD(msm_reloc, offset, drm_msm_gem_submit_reloc, reloc_offset),
   FIELD(msm_cmd, index, drm_msm_gem_submit_cmd, submit_idx),
   FIELD(msm_cmd, offset, drm_msm_gem_submit_cmd, submit_offset),
   FIELD(msm_cmd, size_B, drm_msm_gem_submit_cmd, size),
   FIELD(msm_cmd, reloc_count, drm_msm_gem_submit_cmd, nr_relocs),
   FIELD(msm_cmd, relocs, drm_msm_gem_submit_cmd, relocs),
   FIELD(msm_bo_use, handle, drm_msm_gem_submit_bo, handle),
   FIELD(msm_submit, fence, drm_msm_gem_submit, fence),
   FIELD(msm_submit, bo_count, drm_msm_gem_submit, nr_bos),
   FIELD(msm_submit, cmd_count, drm_msm_gem_submit, nr_cmds),
   FIELD(msm_submit, bos, drm_msm_gem_submit, bos),
   FIELD(msm_submit, cmds, drm_msm_gem_submit, cmds),
   FIELD(msm_submit, fence_fd, drm_msm_gem_submit, fence_fd),
   FIELD(msm_submit, queue, drm_msm_gem_submit, queueid),
   FIELD(msm_submit, in_syncobjs, drm_msm_gem_submit, in_syncobjs),
   FIELD(msm_submit, out_syncobjs, drm_msm_gem_submit, out_syncobjs),
   FIELD(msm_submit, in_syncobj_count, drm_msm_gem_submit, nr_in_syncobjs),
   FIELD(msm_submit, syncobj_stride_B, drm_msm_gem_submit, syncobj_stride),
   FIELD(msm_wait_fence, timeout, drm_msm_wait_fence, timeout),
   FIELD(msm_wait_fence, queue, drm_msm_wait_fence, queueid),
   FIELD(msm_queue, id, drm_msm_submitqueue, id),
   FIELD(msm_queue_query, id, drm_msm_submitqueue_query, id),
   FIELD(msm_queue_query, length, drm_msm_submitqueue_query, len),
};

#define LENGTH(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

static void
numbers_are_the_kernels(void **state)
{
   (void)state;
   assert_int_equal(LENGTH(numbers), LENGTH(kernels_numbers));
   for (size_t i = 0; i < LENGTH(numbers); i++)
      assert_int_equal(numbers[i], kernels_numbers[i]);
}

static void
requests_are_the_kernels(void **state)
{
   (void)state;
   for (size_t i = 0; i < LENGTH(requests); i++) {
      if (requests[i].ours != requests[i].kernels)
         print_error("%s\n", requests[i].name);
      assert_int_equal(requests[i].ours, requests[i].kernels);
   }
}

static void
fields_are_the_kernels(void **state)
{
   (void)state;
   for (size_t i = 0; i < LENGTH(fields); i++) {
      if (fields[i].offset_B != fields[i].kernels_offset_B)
         print_error("%s\n", fields[i].name);
      assert_int_equal(fields[i].offset_B, fields[i].kernels_offset_B);
   }
   assert_int_equal(sizeof(struct msm_syncobj),
                    sizeof(struct drm_msm_gem_submit_syncobj));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_the_kernels),
      cmocka_unit_test(requests_are_the_kernels),
      cmocka_unit_test(fields_are_the_kernels),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
