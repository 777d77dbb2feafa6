/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "msm_machine.h"

#define BO_B     UINT64_C(65536)
#define FOR_EVER (INT64_C(1) << 40)
#define ALL_USES (MSM_SUBMIT_BO_READ | MSM_SUBMIT_BO_WRITE)
#define NODE     "/dev/dri/renderD128"

#define OP_DRAW       0x38
#define OP_REG_TO_MEM 0x3e
#define OP_EVENT      0x46

#define START_PRIMITIVE_CTRS 11
#define START_FRAGMENT_CTRS  13

#define PRIMCTR(N) (1u << 30 | 2u << 18 | (0x540 + 2 * (N)))
#define TRIANGLES  (4u | 2u << 6 | 1u << 8)

int
msm_call(struct msm_machine *m, unsigned long request, void *argument)
{
   const struct pitot_drm_io *io = &m->sim->io;

   return io->ioctl(io->data, m->fd, request, argument) == 0 ? 0 : errno;
}

uint32_t
msm_new_bo(struct msm_machine *m, uint64_t size_B)
{
   struct drm_msm_gem_new request = { .size = size_B, .flags = MSM_BO_WC };

   assert_int_equal(msm_call(m, DRM_IOCTL_MSM_GEM_NEW, &request), 0);
   return request.handle;
}

static uint64_t
bo_info(struct msm_machine *m, uint32_t handle, uint32_t info)
{
   struct drm_msm_gem_info request = { .handle = handle, .info = info };

   assert_int_equal(msm_call(m, DRM_IOCTL_MSM_GEM_INFO, &request), 0);
   return request.value;
}

static uint32_t *
map(struct msm_machine *m, uint32_t handle)
{
   const struct pitot_drm_io *io = &m->sim->io;
   void *memory =
      io->mmap(io->data, BO_B, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd,
               (off_t)bo_info(m, handle, MSM_INFO_GET_OFFSET));

   assert_ptr_not_equal(memory, MAP_FAILED);
   return memory;
}

void
msm_open(struct msm_machine *m, const char *gpu)
{
   struct drm_msm_submitqueue queue = { .prio = 1 };

   *m = (struct msm_machine){ .sim = sim_create(gpu) };
   m->fd = m->sim->io.open(m->sim, NODE, O_RDWR);
   assert_int_equal(msm_call(m, DRM_IOCTL_MSM_SUBMITQUEUE_NEW, &queue), 0);
   m->queue = queue.id;
   m->command_handle = msm_new_bo(m, BO_B);
   m->data_handle = msm_new_bo(m, BO_B);
   m->commands = map(m, m->command_handle);
   m->data = map(m, m->data_handle);
   m->data_address = bo_info(m, m->data_handle, MSM_INFO_GET_IOVA);
   m->command_address = bo_info(m, m->command_handle, MSM_INFO_GET_IOVA);
}

void
msm_take_violations(struct msm_machine *m, const char *expected)
{
   sim_complete(m->sim, UINT32_MAX);
   assert_string_equal(m->sim->violations, expected);
   m->sim->violations[0] = '\0';
}

static void
close_bo(struct msm_machine *m, uint32_t handle, void *memory)
{
   struct drm_gem_close request = { .handle = handle };

   m->sim->io.munmap(m->sim, memory, BO_B);
   assert_int_equal(msm_call(m, DRM_IOCTL_GEM_CLOSE, &request), 0);
}

void
msm_close(struct msm_machine *m)
{
   msm_take_violations(m, "");
   close_bo(m, m->command_handle, m->commands);
   close_bo(m, m->data_handle, m->data);
   assert_int_equal(msm_call(m, DRM_IOCTL_MSM_SUBMITQUEUE_CLOSE, &m->queue),
                    0);
   m->sim->io.close(m->sim, m->fd);
   msm_take_violations(m, "");
   assert_int_equal(m->sim->object_count, 0);
   assert_int_equal(m->sim->memory_B, 0);
   sim_destroy(m->sim);
}

/* The bit that makes the parity odd. */
static uint32_t
odd(uint32_t bits)
{
   return __builtin_parity(bits) == 0;
}

static void
record(struct msm_machine *m, uint32_t header, const uint32_t *body,
       unsigned body_dw)
{
   m->commands[m->used_dw++] = header;
   if (body_dw != 0)
      memcpy(&m->commands[m->used_dw], body, body_dw * sizeof(*body));
   m->used_dw += body_dw;
}

void
msm_emit(struct msm_machine *m, uint32_t op, const uint32_t *body,
         unsigned body_dw)
{
   record(m,
          7u << 28 | odd(op) << 23 | op << 16 | odd(body_dw) << 15 | body_dw,
          body, body_dw);
}

void
msm_set_registers(struct msm_machine *m, uint32_t first, const uint32_t *body,
                  unsigned body_dw)
{
   record(m,
          4u << 28 | odd(first) << 27 | first << 8 | odd(body_dw) << 7 |
             body_dw,
          body, body_dw);
}

void
msm_emit_empty(struct msm_machine *m, uint32_t op)
{
   msm_emit(m, op, NULL, 0);
}

void
msm_count(struct msm_machine *m)
{
   sim_count_commands(m->sim);
   MSM_SET(m, 0x80b0, 0, 99 << 16 | 99); /* screen scissor */
   MSM_SET(m, 0x80d0, 0, 99 << 16 | 99); /* viewport scissor */
   MSM_SET(m, 0x80f0, 0, 99 << 16 | 99); /* window scissor */
   MSM_EMIT(m, OP_EVENT, START_PRIMITIVE_CTRS);
   MSM_EMIT(m, OP_EVENT, START_FRAGMENT_CTRS);
}

void
msm_draw(struct msm_machine *m, unsigned triangles)
{
   MSM_EMIT(m, OP_DRAW, TRIANGLES, 1, 3 * triangles);
}

void
msm_store(struct msm_machine *m, unsigned counter, unsigned offset_B)
{
   MSM_EMIT(m, OP_REG_TO_MEM, PRIMCTR(counter), MSM_AT(m, offset_B));
}

uint64_t
msm_qword(const struct msm_machine *m, unsigned offset_B)
{
   uint64_t value;

   memcpy(&value, (const char *)m->data + offset_B, sizeof(value));
   return value;
}

int
msm_flush(struct msm_machine *m)
{
   const struct drm_msm_gem_submit_bo uses[] = {
      { .flags = ALL_USES, .handle = m->command_handle },
      { .flags = ALL_USES, .handle = m->data_handle },
   };
   const struct drm_msm_gem_submit_cmd command = {
      .type = MSM_SUBMIT_CMD_BUF,
      .submit_offset = m->submitted_dw * (uint32_t)sizeof(uint32_t),
      .size = (m->used_dw - m->submitted_dw) * (uint32_t)sizeof(uint32_t),
   };
   struct drm_msm_gem_submit request = {
      .flags = MSM_PIPE_3D0,
      .queueid = m->queue,
      .nr_bos = 2,
      .nr_cmds = 1,
      .bos = (uintptr_t)uses,
      .cmds = (uintptr_t)&command,
   };
   const int error = msm_call(m, DRM_IOCTL_MSM_GEM_SUBMIT, &request);

   m->submitted_dw = m->used_dw;
   m->fence = request.fence;
   return error;
}

int
msm_wait(struct msm_machine *m, uint32_t fence, bool is_poll)
{
   struct drm_msm_wait_fence request = {
      .fence = fence,
      .queueid = m->queue,
      .timeout.tv_sec = is_poll ? 0 : FOR_EVER,
   };

   return msm_call(m, DRM_IOCTL_MSM_WAIT_FENCE, &request);
}

void
msm_run(struct msm_machine *m)
{
   assert_int_equal(msm_flush(m), 0);
   assert_int_equal(msm_wait(m, m->fence, false), 0);
}

void
msm_run_test(void **state)
{
   const struct msm_test *test = *state;
   struct msm_machine m;

   msm_open(&m, test->gpu);
   if (test->prepare != NULL)
      test->prepare(&m);
   test->run(&m);
   msm_close(&m);
}
