/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs the checks of pitot-info --check and prints their results, as text or
 * JSON.
 * Invariant: after a loss nothing more is submitted (is_lost).
 * Danger: a check may hang the machine, so its name is flushed first.
 */

#include "check.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#define NAME_WIDTH 16

/* is_submitted: the check needs a context.  Without contexts (xe, msm) it is
 * skipped, and "samples" reports that.
 */
struct check {
   const char *name, *assumption;
   void (*run)(struct check_gpu *gpu);
   bool is_submitted;
};

static const struct check checks[] = {
   { "hang limit", "The kernel resets a GPU that hangs, after some seconds.",
     check_hang_limit, false },
   { "batches",
     "A batch runs to its end, which the GPU itself writes to memory.",
     check_batches, true },
   { "samples", "Each sample is written, whole, and nothing beside it.",
     check_samples, false },
   { "fences",
     "A sample is written before its availability word; that of a render "
     "backend, before its batch is done.",
     check_fences, true },
   { "backends",
     "The enabled render backends write to slots of their own, the same each "
     "time; up to GFX8, to those of their numbers.",
     check_backends, true },
   { "clock frequency",
     "The clock runs at the frequency that the kernel tells.",
     check_frequency, false },
   { "clock order",
     "The clock never steps back, and the CPU and the GPU read the same one.",
     check_clock_order, false },
   { "clock width", "The clock has as many bits as Pitot takes.",
     check_clock_width, true },
   { "empty queries", "A query of nothing counts nothing.",
     check_empty_queries, true },
};

#define CHECK_COUNT (sizeof(checks) / sizeof(checks[0]))

/* Part of the JSON output, so they must not change. */
static const char *const verdicts[] = {
   [CHECK_RIGHT] = "right",
   [CHECK_WRONG] = "wrong",
   [CHECK_NOT_TRIED] = "not tried",
   [CHECK_ABSENT] = "absent",
};

void
check_wrong(struct check_gpu *gpu, const char *format, ...)
{
   va_list arguments;

   if (gpu->verdict == CHECK_WRONG)
      return;
   va_start(arguments, format);
   vsnprintf(gpu->text, sizeof(gpu->text), format, arguments);
   va_end(arguments);
   gpu->verdict = CHECK_WRONG;
}

void
check_add_number(struct check_gpu *gpu, const char *name, double value)
{
   json_object_set_new(gpu->numbers, name, json_real(value));
}

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
}

static void
run_check(struct check_gpu *gpu, const struct check *check, int context_error)
{
   gpu->verdict = CHECK_RIGHT;
   gpu->text[0] = '\0';
   gpu->sample = -1;
   gpu->numbers = json_object();
   snprintf(gpu->step, sizeof(gpu->step), "nothing yet");
   if (gpu->is_lost) {
      gpu->verdict = CHECK_NOT_TRIED;
      snprintf(gpu->text, sizeof(gpu->text), "nothing more is submitted");
   } else if (context_error != 0) {
      check_wrong(gpu, "there is no context: %s", strerror(-context_error));
   } else {
      check->run(gpu);
      if (gpu->cs != NULL && gpu->cs->ops->take_reset(gpu->cs)) {
         check_wrong(gpu, "the kernel has reset the GPU: %s", gpu->step);
         gpu->is_lost = true;
      }
   }
}

static void
print_answer(FILE *out, const struct check_gpu *gpu,
             const struct check *check)
{
   const char *separator = "";
   const char *name;
   json_t *number;

   fputs(gpu->verdict == CHECK_WRONG ? "WRONG" : verdicts[gpu->verdict], out);
   fprintf(out, "%s%s\n", gpu->text[0] != '\0' ? ": " : "", gpu->text);
   if (gpu->verdict == CHECK_WRONG)
      fprintf(out, "  %*sassumed: %s\n", NAME_WIDTH, "", check->assumption);
   if (json_object_size(gpu->numbers) == 0)
      return;
   fprintf(out, "  %*s", NAME_WIDTH, "");
   json_object_foreach(gpu->numbers, name, number)
   {
      const double value = json_real_value(number);
      const bool is_integer = value == (double)(int64_t)value;

      fprintf(out, "%s%s ", separator, name);
      if (strstr(name, "_mask") != NULL)
         fprintf(out, "0x%llx", (unsigned long long)value);
      else
         fprintf(out, "%.*f", is_integer ? 0 : 1, value);
      separator = ", ";
   }
   fputc('\n', out);
}

bool
check_device(struct pitot_drm_device *device, FILE *out, json_t *list)
{
   struct check_gpu gpu = { .device = device };
   json_t *answers = list != NULL ? json_array() : NULL;
   const bool has_contexts = strcmp(device->kernel.driver, "i915") == 0 ||
                             strcmp(device->kernel.driver, "amdgpu") == 0;
   unsigned count = 0, wrong_count = 0;

   if (list == NULL)
      fprintf(out, "%s: %s, %s %d.%d.%d%s\n", device->path, device->gpu.name,
              device->kernel.driver, device->kernel.number[0],
              device->kernel.number[1], device->kernel.number[2],
              device->kernel.is_simulated ? ", simulated" : "");

   const int context_error = has_contexts ? open_context(&gpu) : 0;
   for (unsigned i = 0; i < CHECK_COUNT; i++) {
      const struct check *check = &checks[i];

      if (check->is_submitted && !has_contexts)
         continue;
      if (list == NULL) {
         /* The next submission may hang the machine: show which one. */
         fprintf(out, "  %-*s", NAME_WIDTH, check->name);
         fflush(out);
      }
      run_check(&gpu, check, context_error);
      if (list == NULL)
         print_answer(out, &gpu, check);
      else
         json_array_append_new(answers,
                               json_pack("{ss ss ss ss sO}", "name",
                                         check->name, "assumes",
                                         check->assumption, "verdict",
                                         verdicts[gpu.verdict], "text",
                                         gpu.text, "numbers", gpu.numbers));
      json_decref(gpu.numbers);
      wrong_count += gpu.verdict == CHECK_WRONG;
      count++;
   }
   close_context(&gpu);

   if (list != NULL)
      json_array_append_new(
         list,
         json_pack("{ss sb ss s[iii] ss so}", "path", device->path,
                   "simulated", (int)device->kernel.is_simulated, "driver",
                   device->kernel.driver, "version", device->kernel.number[0],
                   device->kernel.number[1], device->kernel.number[2], "name",
                   device->gpu.name, "checks", answers));
   else if (wrong_count == 0)
      fprintf(out, "  All is as Pitot assumes.\n");
   else
      fprintf(out, "  NOT as Pitot assumes: %u of %u checks.\n", wrong_count,
              count);
   return wrong_count == 0;
}
