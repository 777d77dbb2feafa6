/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The table of checks, and a context for each of them.
 */

#include "check.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

const struct check checks[] = {
   { "hang limit", "The kernel resets a GPU that hangs, after some seconds.",
     check_hang_limit },
   { "batches",
     "A batch runs to its end, which the GPU itself writes to memory.",
     check_batches },
   { "samples", "Each sample is written, whole, and nothing beside it.",
     check_samples },
   { "fences",
     "A sample is written before its availability word; that of a render "
     "backend, before its batch is done.",
     check_fences },
   { "backends",
     "The enabled render backends write to slots of their own, the same each "
     "time; up to GFX8, to those of their numbers.",
     check_backends },
   { "clock frequency",
     "The clock runs at the frequency that the kernel tells.",
     check_frequency },
   { "clock order",
     "The clock never steps back, and the CPU and the GPU read the same one.",
     check_clock_order },
   { "clock width", "The clock has as many bits as Pitot takes.",
     check_clock_width },
   { "empty queries", "A query of nothing counts nothing.",
     check_empty_queries },
};

const unsigned check_count = sizeof(checks) / sizeof(checks[0]);

void
check_wrong(struct check_gpu *gpu, const char *format, ...)
{
   struct check_result *result = gpu->result;
   va_list arguments;

   if (result->verdict == CHECK_WRONG)
      return;
   va_start(arguments, format);
   vsnprintf(result->text, sizeof(result->text), format, arguments);
   va_end(arguments);
   result->verdict = CHECK_WRONG;
}

void
check_absent(struct check_gpu *gpu, const char *reason)
{
   gpu->result->verdict = CHECK_ABSENT;
   snprintf(gpu->result->text, sizeof(gpu->result->text), "%s", reason);
}

void
check_add_number(struct check_gpu *gpu, const char *name, double value)
{
   struct check_result *result = gpu->result;

   if (result->number_count < CHECK_MAX_NUMBERS)
      result->numbers[result->number_count++] =
         (struct check_number){ name, value };
}

void
check_set_step(struct check_gpu *gpu, const char *format, ...)
{
   va_list arguments;

   va_start(arguments, format);
   vsnprintf(gpu->step, sizeof(gpu->step), format, arguments);
   va_end(arguments);
}

uint64_t
check_submit(struct check_gpu *gpu, enum pitot_ring ring)
{
   const uint64_t batch = gpu->cs->ops->position(gpu->cs, ring).batch;

   gpu->cs->ops->flush(gpu->cs, ring);
   return batch;
}

bool
check_wait(struct check_gpu *gpu, enum pitot_ring ring, uint64_t batch)
{
   struct pitot_cs *cs = gpu->cs;

   cs->ops->wait(cs, ring, batch);
   if (cs->ops->batch_state(cs, ring, batch) == PITOT_BATCH_DONE)
      return true;
   check_wrong(gpu, "the context is lost: a batch was never done: %s",
               gpu->step);
   gpu->is_lost = true;
   return false;
}

bool
check_run(struct check_gpu *gpu, enum pitot_ring ring)
{
   return check_wait(gpu, ring, check_submit(gpu, ring));
}

void
check_poison(struct check_gpu *gpu)
{
   memset(gpu->buffer->memory, (int)(CHECK_POISON & 0xff), CHECK_BUFFER_B);
}

uint64_t
check_read(const struct check_gpu *gpu, unsigned offset_B)
{
   const uint8_t *memory = gpu->buffer->memory;

   return __atomic_load_n((const uint64_t *)(memory + offset_B),
                          __ATOMIC_ACQUIRE);
}

void
check_untouched(struct check_gpu *gpu, unsigned from_B, unsigned to_B)
{
   for (unsigned i = 0; i < CHECK_BUFFER_B; i += sizeof(uint64_t)) {
      if ((i < from_B || i >= to_B) && check_read(gpu, i) != CHECK_POISON)
         check_wrong(gpu, "a write is %d bytes beside its target: %s",
                     (int)i - (int)from_B, gpu->step);
   }
}

uint64_t
check_cpu_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Creates a check's context.  Returns 0 or -errno. */
static int
open_context(struct check_gpu *gpu)
{
   int result = pitot_drm_context_create(gpu->device, &gpu->cs);

   if (result == 0)
      result = pitot_hw_create(gpu->cs, &gpu->hw);
   if (result == 0)
      result =
         gpu->cs->ops->buffer_create(gpu->cs, CHECK_BUFFER_B, &gpu->buffer);
   return result;
}

static void
close_context(struct check_gpu *gpu)
{
   if (gpu->buffer != NULL)
      gpu->cs->ops->buffer_destroy(gpu->cs, gpu->buffer);
   pitot_hw_destroy(gpu->hw);
   pitot_drm_context_destroy(gpu->cs);
   gpu->buffer = NULL;
   gpu->hw = NULL;
   gpu->cs = NULL;
}

static void
run_check(struct check_gpu *gpu, const struct check *check)
{
   const int result = open_context(gpu);

   check_set_step(gpu, "nothing yet");
   if (result == 0)
      check->run(gpu);
   else
      check_wrong(gpu, "there is no context: %s", strerror(-result));
   if (result == 0 && gpu->cs->ops->take_reset(gpu->cs)) {
      check_wrong(gpu, "the kernel has reset the GPU: %s", gpu->step);
      gpu->is_lost = true;
   }
   close_context(gpu);
}

/* Runs a check, unless the GPU has lost one before. */
static void
try_check(struct check_gpu *gpu, const struct check *check)
{
   struct check_result *result = gpu->result;

   *result = (struct check_result){ .verdict = CHECK_RIGHT };
   if (!gpu->is_lost) {
      run_check(gpu, check);
      return;
   }
   result->verdict = CHECK_NOT_TRIED;
   snprintf(result->text, sizeof(result->text), "%s",
            "nothing more is submitted");
}

bool
check_device(struct pitot_drm_device *device, FILE *out,
             struct check_result *results)
{
   struct check_gpu gpu = { .device = device };
   unsigned wrong_count = 0;

   if (out != NULL)
      check_print_device(out, device);
   for (unsigned i = 0; i < check_count; i++) {
      gpu.result = &results[i];
      if (out != NULL)
         check_print_name(out, &checks[i]);
      try_check(&gpu, &checks[i]);
      if (out != NULL)
         check_print_result(out, &checks[i], &results[i]);
      wrong_count += results[i].verdict == CHECK_WRONG;
   }
   if (out != NULL)
      check_print_end(out, wrong_count);
   return wrong_count == 0;
}
