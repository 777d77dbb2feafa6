/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * src/drm, src/hw and pitot-info on kernels that fail, lie and hang
 * (kernel.h). The first bytes choose the GPU and the length of a program of
 * queries, the others are for the kernel.  Findings: a crash, a leak, endless
 * ioctls, and a wrong result without an error, unless the kernel lied.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "context.h"
#include "info.h"
#include "kernel.h"
#include "pitot/hw.h"
#include "wrapped.h"

#define QUERY_COUNT      6
#define MAX_VALUES       3
#define SAMPLES_PER_DRAW 7
#define TARGET_B         4096

struct fuzz_query {
   struct pitot_hw_query *hw;
   enum pitot_kind kind;
   bool is_active, is_ended, has_list;
   uint64_t expected; /* of SAMPLES_PASSED */
};

struct fuzz_drm {
   struct fuzz_kernel kernel;
   struct fuzz_input *input;
   struct pitot_cs *cs;
   struct pitot_hw *hw;
   struct pitot_cs_buffer *target;
   struct fuzz_query queries[QUERY_COUNT];
   bool is_inactive, is_noop;
};

static uint64_t now_ns;

/* The clock advances with each read, so that runs are reproducible. */
WRAPPED(int, clock_gettime, (clockid_t clock, struct timespec *now))
{
   (void)clock;
   now_ns += 1000;
   now->tv_sec = (time_t)(now_ns / 1000000000);
   now->tv_nsec = (long)(now_ns % 1000000000);
   return 0;
}

/* Steps */

static void
create(struct fuzz_drm *f, struct fuzz_query *q)
{
   struct pitot_hw_count counts[MAX_VALUES];
   const uint8_t kind = fuzz_u8(f->input);

   pitot_hw_query_free(f->hw, q->hw);
   *q = (struct fuzz_query){
      .kind = kind % PITOT_KIND_COUNT,
      .has_list = kind >= 192,
   };
   if (!q->has_list) {
      const unsigned stream = fuzz_below(f->input, 4);

      pitot_hw_query_create(f->hw, q->kind,
                            pitot_kind_info(q->kind)->is_indexed ? stream : 0,
                            &q->hw);
      return;
   }
   for (unsigned i = 0; i < MAX_VALUES; i++) {
      const unsigned statistic =
         fuzz_below(f->input, PITOT_STATISTIC_COUNT + 2);

      counts[i] = (struct pitot_hw_count){
         .kind = statistic < PITOT_STATISTIC_COUNT
                    ? PITOT_KIND_VERTICES_SUBMITTED + statistic
                    : PITOT_HW_STORAGE_NEEDED,
         .stream = statistic < PITOT_STATISTIC_COUNT ? 0 : statistic % 4,
      };
   }
   pitot_hw_query_create_list(f->hw, counts, 1 + kind % MAX_VALUES, &q->hw);
}

static void
begin(struct fuzz_drm *f, struct fuzz_query *q)
{
   if (q->hw == NULL || q->is_active ||
       (!q->has_list && pitot_kind_info(q->kind)->is_instant))
      return;
   const int status = pitot_hw_query_begin(f->hw, q->hw);

   fuzz_assert(status == 0 || status == -ENOMEM || status == -EIO);
   q->is_active = status == 0;
   q->is_ended = false;
   q->expected = 0;
}

static void
end(struct fuzz_drm *f, struct fuzz_query *q)
{
   const bool is_instant =
      !q->has_list && pitot_kind_info(q->kind)->is_instant;

   if (q->hw == NULL || (!q->is_active && !is_instant))
      return;
   const int status = pitot_hw_query_end(f->hw, q->hw);

   fuzz_assert(status == 0 || status == -ENOMEM || status == -EIO);
   q->is_active = false;
   q->is_ended = status == 0;
}

/* Records a draw or a dispatch, if it fits. */
static bool
record(struct fuzz_drm *f, enum pitot_ring ring, const uint32_t *dw,
       unsigned count_dw)
{
   uint32_t *room =
      pitot_drm_reserve((struct pitot_drm_context *)f->cs, ring, count_dw);

   if (room != NULL)
      memcpy(room, dw, count_dw * sizeof(dw[0]));
   return room != NULL;
}

static void
draw(struct fuzz_drm *f, struct fuzz_query *q)
{
   uint32_t dw[SIM_WORK_DW];

   (void)q;
   if (!record(f, PITOT_RING_RENDER, dw, sim_draw(f->kernel.sim, dw)))
      return;
   for (unsigned i = 0; i < QUERY_COUNT; i++) {
      if (f->queries[i].is_active && !f->is_inactive)
         f->queries[i].expected += SAMPLES_PER_DRAW;
   }
}

static void
dispatch(struct fuzz_drm *f, struct fuzz_query *q)
{
   const enum pitot_ring ring =
      f->cs->ring_count > 1 ? PITOT_RING_COMPUTE : PITOT_RING_RENDER;
   uint32_t dw[SIM_WORK_DW];

   (void)q;
   pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   record(f, ring, dw, sim_dispatch(f->kernel.sim, dw));
   pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
}

static void
ask(struct fuzz_drm *f, struct fuzz_query *q, bool is_waiting)
{
   uint64_t values[MAX_VALUES] = { 0 };

   if (q->hw == NULL || !q->is_ended)
      return;
   const int status = pitot_hw_query_result(f->hw, q->hw, is_waiting, values);

   fuzz_assert(status == 1 || status == -EIO || (status == 0 && !is_waiting));
   if (status == 1 && !q->has_list && !f->kernel.has_lied &&
       q->kind == PITOT_KIND_SAMPLES_PASSED && values[0] != q->expected)
      fuzz_fail("a result of %llu rather than %llu",
                (unsigned long long)values[0],
                (unsigned long long)q->expected);
}

static void
store(struct fuzz_drm *f, struct fuzz_query *q)
{
   const uint8_t way = fuzz_u8(f->input);
   const struct pitot_hw_store store = {
      .kind = way % 3,
      .type = (way >> 2) % PITOT_TYPE_COUNT,
      .buffer = f->target,
      .offset_B = (way >> 4) * 8,
   };

   if (q->hw == NULL || !q->is_ended || f->target == NULL)
      return;
   const int status = pitot_hw_query_store(f->hw, q->hw, &store);
   fuzz_assert(status == 0 || status == -EIO || status == -ENOMEM);
}

static void
decide(struct fuzz_drm *f, struct fuzz_query *q)
{
   const uint8_t way = fuzz_u8(f->input);
   struct pitot_hw_condition condition;

   if (q->hw == NULL || !q->is_ended)
      return;
   pitot_hw_query_decide(f->hw, q->hw, (way & 1) != 0, (way & 2) != 0,
                         &condition);
   if (condition.decision == PITOT_HW_DECISION_BY_GPU &&
       f->cs->ring_count > 1 && (way & 4) != 0)
      pitot_hw_condition_use(f->hw, PITOT_RING_COMPUTE);
}

static void
toggle(struct fuzz_drm *f, struct fuzz_query *q)
{
   (void)q;
   f->is_inactive = !f->is_inactive;
   pitot_hw_set_active(f->hw, !f->is_inactive);
}

static void
flush(struct fuzz_drm *f, struct fuzz_query *q)
{
   const bool is_compute =
      f->cs->ring_count > 1 && fuzz_below(f->input, 4) == 0;

   (void)q;
   f->cs->ops->flush(f->cs,
                     is_compute ? PITOT_RING_COMPUTE : PITOT_RING_RENDER);
}

static void
wait_for(struct fuzz_drm *f, struct fuzz_query *q)
{
   ask(f, q, true);
}

static void
poll(struct fuzz_drm *f, struct fuzz_query *q)
{
   ask(f, q, false);
}

static void
look(struct fuzz_drm *f, struct fuzz_query *q)
{
   (void)q;
   pitot_hw_take_disjoint(f->hw);
   pitot_hw_timestamp_ns(f->hw);
}

static void
do_step(struct fuzz_drm *f)
{
   static void (*const steps[16])(struct fuzz_drm *f,
                                  struct fuzz_query *q) = {
      create, begin, begin,  end,    end,  dispatch, flush, wait_for,
      poll,   store, decide, toggle, look, draw,     draw,  draw,
   };
   const uint8_t byte = fuzz_u8(f->input);

   steps[byte & 15](f, &f->queries[(byte >> 4) % QUERY_COUNT]);
}

/* The layers, from below */

static void
use_sampler(struct fuzz_drm *f)
{
   if (pitot_hw_create(f->cs, &f->hw) != 0)
      return;
   f->cs->ops->buffer_create(f->cs, TARGET_B, &f->target);
   while (f->input->left_B > 0)
      do_step(f);
   for (unsigned i = 0; i < QUERY_COUNT; i++) {
      end(f, &f->queries[i]);
      ask(f, &f->queries[i], true);
      pitot_hw_query_free(f->hw, f->queries[i].hw);
   }
   pitot_hw_destroy(f->hw);
   if (f->target != NULL)
      f->cs->ops->buffer_destroy(f->cs, f->target);
}

static void
use_device(struct fuzz_drm *f)
{
   char message[PITOT_DRM_MESSAGE_SIZE] = "";
   struct pitot_drm_device *device = NULL;
   uint64_t ticks;

   if (pitot_drm_open(&f->kernel.io, NULL, &device, message) != 0) {
      fuzz_assert(device == NULL && message[0] != '\0');
      return;
   }
   pitot_drm_timestamp(device, &ticks);
   if (pitot_drm_context_create(device, &f->cs) == 0) {
      use_sampler(f);
      pitot_drm_context_destroy(f->cs);
   }
   pitot_drm_close(device);
}

static void
use_info(struct fuzz_drm *f, unsigned way)
{
   static char *const options[] = { "--json", "--list", "--check" };
   static char out[1 << 15], err[1 << 12];
   char *argv[] = { "pitot-info", options[way], NULL };
   FILE *out_file = fmemopen(out, sizeof(out), "w");
   FILE *err_file = fmemopen(err, sizeof(err), "w");

   f->kernel.sim->is_live = true;
   const int status = info_main(&f->kernel.io, 2, argv, out_file, err_file);
   fclose(out_file);
   fclose(err_file);
   fuzz_assert(status == 0 || status == 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_B)
{
   struct fuzz_input input = { bytes, size_B };
   const char *gpu = sim_gpus[fuzz_u8(&input) % sim_gpu_count].key;
   const uint8_t way = fuzz_u8(&input);
   struct fuzz_input program = fuzz_split(&input);
   struct fuzz_drm f = { .input = &program };

   now_ns = 1000000000;
   fuzz_kernel_init(&f.kernel, gpu, input);
   f.kernel.sim->draw.samples = SAMPLES_PER_DRAW;
   if (way >= 3)
      use_device(&f);
   else
      use_info(&f, way);
   fuzz_kernel_finish(&f.kernel);
   return 0;
}
