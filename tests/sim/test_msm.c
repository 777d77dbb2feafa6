/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The simulated kernel driver msm. */

#include <errno.h>
#include <string.h>

#include "msm_machine.h"

#define MEM_WRITE 0x3d
#define NOP       0x10

static int
ask(struct msm_machine *m, uint32_t param, uint64_t *value_out)
{
   struct drm_msm_param request = { .pipe = MSM_PIPE_3D0, .param = param };
   const int error = msm_call(m, DRM_IOCTL_MSM_GET_PARAM, &request);

   *value_out = request.value;
   return error;
}

static uint64_t
told(struct msm_machine *m, uint32_t param)
{
   uint64_t value;

   assert_int_equal(ask(m, param, &value), 0);
   return value;
}

static uint64_t
queue_faults(struct msm_machine *m)
{
   uint64_t faults = 0;
   struct drm_msm_submitqueue_query request = {
      .data = (uintptr_t)&faults,
      .id = m->queue,
      .param = MSM_SUBMITQUEUE_PARAM_FAULTS,
      .len = sizeof(faults),
   };

   assert_int_equal(msm_call(m, DRM_IOCTL_MSM_SUBMITQUEUE_QUERY, &request),
                    0);
   return faults;
}

TEST_ON_MSM("a630", NULL, facts_are_reported)
{
   uint64_t value = told(m, MSM_PARAM_TIMESTAMP);

   assert_true(told(m, MSM_PARAM_TIMESTAMP) > value);
   assert_int_equal(told(m, MSM_PARAM_GPU_ID), 630);
   assert_int_equal(told(m, MSM_PARAM_CHIP_ID), 0x06030001);
   assert_int_equal(told(m, MSM_PARAM_GMEM_SIZE), 1 << 20);
   assert_int_equal(ask(m, 0x7f, &value), EINVAL);
}

TEST_ON_MSM("a750", NULL, newer_gpus_have_only_a_chip_id)
{
   assert_int_equal(told(m, MSM_PARAM_GPU_ID), 0);
   assert_int_equal(told(m, MSM_PARAM_CHIP_ID), 0x43051401);
}

TEST_ON_MSM("a630", NULL, power_cannot_be_kept_on)
{
   struct drm_msm_param request = { .param = MSM_PARAM_SYSPROF, .value = 1 };

   assert_int_equal(msm_call(m, DRM_IOCTL_MSM_SET_PARAM, &request), EPERM);
}

TEST_ON_MSM("a630", NULL, a_fence_passes_when_its_work_is_done)
{
   m->sim->is_delayed = true;
   MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 0), 7);
   assert_int_equal(msm_flush(m), 0);
   assert_int_equal(msm_wait(m, m->fence, true), ETIMEDOUT);
   assert_int_equal(m->data[0], 0);
   assert_int_equal(msm_wait(m, m->fence, false), 0);
   assert_int_equal(msm_wait(m, m->fence, true), 0);
   assert_int_equal(m->data[0], 7);
   assert_int_equal(msm_wait(m, m->fence + 1, false), EINVAL);
}

static int
prepare(struct msm_machine *m, uint32_t handle, uint32_t op)
{
   struct drm_msm_gem_cpu_prep request = { .handle = handle, .op = op };

   return msm_call(m, DRM_IOCTL_MSM_GEM_CPU_PREP, &request);
}

TEST_ON_MSM("a630", NULL, memory_is_busy_while_it_is_used)
{
   const uint32_t other = msm_new_bo(m, 4096);

   m->sim->is_delayed = true;
   MSM_EMIT(m, NOP, 0);
   assert_int_equal(msm_flush(m), 0);
   assert_int_equal(prepare(m, m->data_handle, MSM_PREP_READ), ETIMEDOUT);
   assert_int_equal(prepare(m, m->data_handle,
                            MSM_PREP_READ | MSM_PREP_NOSYNC),
                    EBUSY);
   assert_int_equal(prepare(m, other, MSM_PREP_WRITE), 0);
   sim_complete(m->sim, 1);
   assert_int_equal(prepare(m, m->data_handle, MSM_PREP_WRITE), 0);
   struct drm_gem_close request = { .handle = other };
   assert_int_equal(msm_call(m, DRM_IOCTL_GEM_CLOSE, &request), 0);
}

/* Submits one command buffer; a test may change the request. */
struct submission {
   struct drm_msm_gem_submit_bo uses[2];
   struct drm_msm_gem_submit_cmd command;
   struct drm_msm_gem_submit request;
};

static void
fill_in(struct submission *s, const struct msm_machine *m)
{
   *s = (struct submission){
      .uses = { { MSM_SUBMIT_BO_READ, m->command_handle, 0 },
                { MSM_SUBMIT_BO_WRITE, m->data_handle, 0 } },
      .command = { .type = MSM_SUBMIT_CMD_BUF, .size = 8 },
      .request = { .flags = MSM_PIPE_3D0,
                   .queueid = m->queue,
                   .nr_bos = 2,
                   .nr_cmds = 1 },
   };
   s->request.bos = (uintptr_t)s->uses;
   s->request.cmds = (uintptr_t)&s->command;
}

static int
submit(struct msm_machine *m, struct submission *s)
{
   return msm_call(m, DRM_IOCTL_MSM_GEM_SUBMIT, &s->request);
}

/* Corrects the request afterwards. */
static void
expect_refusal(struct msm_machine *m, struct submission *s, int error)
{
   assert_int_equal(submit(m, s), error);
   fill_in(s, m);
}

TEST_ON_MSM("a630", NULL, bad_submissions_are_refused)
{
   struct submission s;

   MSM_EMIT(m, NOP, 0);
   fill_in(&s, m);
   assert_int_equal(submit(m, &s), 0);
   s.request.queueid = 77;
   expect_refusal(m, &s, ENOENT);
   s.uses[1].handle = m->command_handle; /* twice */
   expect_refusal(m, &s, EINVAL);
   s.uses[1].handle = 77;
   expect_refusal(m, &s, EINVAL);
   s.command.size = 1 << 20; /* beyond the buffer */
   expect_refusal(m, &s, EINVAL);
   s.command.submit_idx = 2;
   expect_refusal(m, &s, EINVAL);
   s.request.flags = 1; /* no such pipe */
   expect_refusal(m, &s, EINVAL);
}

TEST_ON_MSM("a630", NULL, addresses_are_written_into_commands)
{
   struct submission s;
   const struct drm_msm_gem_submit_reloc relocs[] = {
      { .submit_offset = 4, .reloc_idx = 1, .reloc_offset = 16 },
      { .submit_offset = 8,
        .reloc_idx = 1,
        .reloc_offset = 16,
        .shift = -32 },
   };

   MSM_EMIT(m, MEM_WRITE, 0, 0, 9);
   fill_in(&s, m);
   s.command.size = 16;
   s.command.nr_relocs = 2;
   s.command.relocs = (uintptr_t)relocs;
   assert_int_equal(submit(m, &s), 0);
   assert_int_equal(m->data[4], 9);
}

TEST_ON_MSM("a630", NULL, a_buffer_that_is_not_listed_is_out_of_reach)
{
   struct submission s;
   char violation[96];

   MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 0), 9);
   fill_in(&s, m);
   s.command.size = 16;
   s.request.nr_bos = 1;
   assert_int_equal(submit(m, &s), 0);
   assert_int_equal(m->data[0], 0);
   snprintf(violation, sizeof(violation),
            "memory: 0x%012llx is in a buffer that the submission does not "
            "list\n",
            (unsigned long long)m->data_address);
   msm_take_violations(m, violation);
}

/* msm's recover_worker() skips the guilty submission and continues. */
TEST_ON_MSM("a630", NULL, a_hang_loses_one_submission)
{
   m->sim->is_delayed = true;
   m->sim->hang_on_submit = 1;
   MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 0), 1);
   assert_int_equal(msm_flush(m), 0);
   MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 4), 2);
   msm_run(m);
   assert_int_equal(m->data[0], 0);
   assert_int_equal(m->data[1], 2);
   assert_int_equal(queue_faults(m), 1);
   assert_int_equal(told(m, MSM_PARAM_FAULTS), 1);
   assert_int_equal(told(m, MSM_PARAM_SUSPENDS), 1);
}

TEST_ON_MSM("a630", NULL, a_hang_of_another_process_loses_nothing)
{
   m->sim->is_delayed = true;
   MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 0), 1);
   assert_int_equal(msm_flush(m), 0);
   sim_reset(m->sim);
   assert_int_equal(msm_wait(m, m->fence, false), 0);
   assert_int_equal(m->data[0], 1);
   assert_int_equal(queue_faults(m), 0);
   assert_int_equal(told(m, MSM_PARAM_FAULTS), 1);
   assert_int_equal(told(m, MSM_PARAM_SUSPENDS), 1);
}
