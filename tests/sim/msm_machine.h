/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The fixture of Adreno tests: a machine, a queue, and memory for commands
 * and data.
 *
 *    TEST_ON_MSM("a630", NULL, memory_is_written)
 *    {
 *       MSM_EMIT(m, 0x3d, MSM_AT(m, 8), 7);        CP_MEM_WRITE
 *       msm_run(m);
 *       assert_int_equal(m->data[2], 7);
 *    }
 */

#ifndef PITOT_MSM_MACHINE_H
#define PITOT_MSM_MACHINE_H

#include <stddef.h>

#include "drm-uapi/msm_drm.h"
#include "listed.h"
#include "sim.h"

struct msm_machine {
   struct sim *sim;
   int fd;
   uint32_t queue;
   uint32_t command_handle, data_handle;
   uint64_t command_address, data_address;
   uint32_t *commands, *data;
   unsigned used_dw, submitted_dw;
   uint32_t fence; /* of the last submission */
};

void
msm_open(struct msm_machine *m, const char *gpu);

/* Fails on a violation or a leak. */
void
msm_close(struct msm_machine *m);

/* Compares and clears the violations so far. */
void
msm_take_violations(struct msm_machine *m, const char *expected);

/* A test on a GPU, with a machine. */
struct msm_test {
   const char *name;
   const char *gpu;
   void (*prepare)(struct msm_machine *m); /* or NULL */
   void (*run)(struct msm_machine *m);
};

#define TEST_ON_MSM(GPU, PREPARE, NAME)                                      \
   static void NAME(struct msm_machine *m);                                  \
   LIST_ROW(NAME, msm_run_test, NULL, struct msm_test, GPU, PREPARE, NAME)   \
   static void NAME(struct msm_machine *m)

void
msm_run_test(void **state);

/* Returns 0 or the error. */
int
msm_call(struct msm_machine *m, unsigned long request, void *argument);

uint32_t
msm_new_bo(struct msm_machine *m, uint64_t size_B);

/* Records a type-7 packet, or a type-4 packet with registers. */
void
msm_emit(struct msm_machine *m, uint32_t op, const uint32_t *body,
         unsigned body_dw);

void
msm_set_registers(struct msm_machine *m, uint32_t first, const uint32_t *body,
                  unsigned body_dw);

#define MSM_BODY(...)                                                        \
   (const uint32_t[]){ __VA_ARGS__ },                                        \
      sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)
#define MSM_EMIT(M, OP, ...) msm_emit(M, OP, MSM_BODY(__VA_ARGS__))
#define MSM_SET(M, FIRST, ...)                                               \
   msm_set_registers(M, FIRST, MSM_BODY(__VA_ARGS__))

void
msm_emit_empty(struct msm_machine *m, uint32_t op);

/* Counts draws by commands from here on, on a 100x100 screen. */
void
msm_count(struct msm_machine *m);

void
msm_draw(struct msm_machine *m, unsigned triangles);

void
msm_store(struct msm_machine *m, unsigned counter, unsigned offset_B);

/* An address in the data, as two dwords. */
#define MSM_AT(M, OFFSET_B)                                                  \
   (uint32_t)((M)->data_address + (OFFSET_B)),                               \
      (uint32_t)(((M)->data_address + (OFFSET_B)) >> 32)

uint64_t
msm_qword(const struct msm_machine *m, unsigned offset_B);

/* Submits the recorded commands.  Returns 0 or the error. */
int
msm_flush(struct msm_machine *m);

/* The same, and waits. */
void
msm_run(struct msm_machine *m);

/* Waits for a fence: a poll has a past deadline. */
int
msm_wait(struct msm_machine *m, uint32_t fence, bool is_poll);

#endif /* PITOT_MSM_MACHINE_H */
