/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The answers of the checks, for people and for programs.
 */

#include <string.h>

#include "check.h"

#define NAME_WIDTH 16

static const char *const verdicts[CHECK_VERDICT_COUNT] = {
   [CHECK_RIGHT] = "right",
   [CHECK_WRONG] = "WRONG",
   [CHECK_NOT_TRIED] = "not tried",
   [CHECK_ABSENT] = "absent",
};

/* For programs: not to be changed. */
static const char *const json_verdicts[CHECK_VERDICT_COUNT] = {
   [CHECK_RIGHT] = "right",
   [CHECK_WRONG] = "wrong",
   [CHECK_NOT_TRIED] = "not tried",
   [CHECK_ABSENT] = "absent",
};

static void
print_numbers(FILE *out, const struct check_result *result)
{
   if (result->number_count == 0)
      return;
   fprintf(out, "  %*s", NAME_WIDTH, "");
   for (unsigned i = 0; i < result->number_count; i++) {
      const double value = result->numbers[i].value;
      const bool is_integer = value == (double)(int64_t)value;
      const bool is_mask = strstr(result->numbers[i].name, "_mask") != NULL;

      fprintf(out, "%s%s ", i == 0 ? "" : ", ", result->numbers[i].name);
      if (is_mask)
         fprintf(out, "0x%llx", (unsigned long long)value);
      else
         fprintf(out, "%.*f", is_integer ? 0 : 1, value);
   }
   fputc('\n', out);
}

void
check_print_device(FILE *out, const struct pitot_drm_device *device)
{
   fprintf(out, "%s: %s, %s %d.%d.%d%s\n", device->path, device->gpu.name,
           device->driver, device->version[0], device->version[1],
           device->version[2], device->is_simulated ? ", simulated" : "");
}

/* The machine may not come back from what is submitted next. */
void
check_print_name(FILE *out, const struct check *check)
{
   fprintf(out, "  %-*s", NAME_WIDTH, check->name);
   fflush(out);
}

void
check_print_result(FILE *out, const struct check *check,
                   const struct check_result *result)
{
   fputs(verdicts[result->verdict], out);
   if (result->text[0] != '\0')
      fprintf(out, ": %s", result->text);
   fputc('\n', out);
   if (result->verdict == CHECK_WRONG)
      fprintf(out, "  %*sassumed: %s\n", NAME_WIDTH, "", check->assumption);
   print_numbers(out, result);
}

void
check_print_end(FILE *out, unsigned wrong_count)
{
   if (wrong_count == 0)
      fprintf(out, "  All is as Pitot assumes.\n");
   else
      fprintf(out, "  NOT as Pitot assumes: %u of %u checks.\n", wrong_count,
              check_count);
}

/* The following functions return a new value, or NULL without memory, which
 * Jansson's functions accept and pass on.
 */

static json_t *
result_json(const struct check *check, const struct check_result *result)
{
   json_t *numbers = json_object();

   for (unsigned i = 0; i < result->number_count; i++)
      json_object_set_new(numbers, result->numbers[i].name,
                          json_real(result->numbers[i].value));
   return json_pack("{ss ss ss ss so}", "name", check->name, "assumes",
                    check->assumption, "verdict",
                    json_verdicts[result->verdict], "text", result->text,
                    "numbers", numbers);
}

json_t *
check_json(const struct pitot_drm_device *device,
           const struct check_result *results)
{
   json_t *list = json_array();

   for (unsigned i = 0; i < check_count; i++)
      json_array_append_new(list, result_json(&checks[i], &results[i]));
   return json_pack("{ss sb ss s[iii] ss so}", "path", device->path,
                    "simulated", (int)device->is_simulated, "driver",
                    device->driver, "version", device->version[0],
                    device->version[1], device->version[2], "name",
                    device->gpu.name, "checks", list);
}
