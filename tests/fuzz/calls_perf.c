/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "calls.h"

void
fuzz_calls_find_set(struct fuzz_calls *f)
{
   static const char *const names[] = {
      "Pipeline Statistics", "Same", "GPU Time", "",
      "pipeline statistics", "?",
   };
   struct pitot_perf_gl *intel = &f->host.perf;
   const unsigned way = fuzz_below(f->input, 3);
   uint32_t *set = fuzz_calls_new_answer(f, sizeof(*set));

   if (way == 0)
      pitot_perf_intel_get_first_query_id(intel, set);
   else if (way == 1)
      pitot_perf_intel_get_next_query_id(intel, fuzz_calls_number(f), set);
   else
      pitot_perf_intel_get_query_id_by_name(
         intel, names[fuzz_below(f->input, ARRAY_LENGTH(names))], set);
   free(set);
}

void
fuzz_calls_look_at_set(struct fuzz_calls *f)
{
   const uint32_t set = fuzz_calls_number(f), size = fuzz_below(f->input, 64);
   char *name = fuzz_calls_new_answer(f, size);
   uint32_t *numbers[4];

   for (unsigned i = 0; i < ARRAY_LENGTH(numbers); i++)
      numbers[i] = fuzz_calls_new_answer(f, sizeof(*numbers[i]));
   pitot_perf_intel_get_query_info(&f->host.perf, set, size, name, numbers[0],
                                   numbers[1], numbers[2], numbers[3]);
   for (unsigned i = 0; i < ARRAY_LENGTH(numbers); i++)
      free(numbers[i]);
   free(name);
}

void
fuzz_calls_look_at_counter(struct fuzz_calls *f)
{
   const uint32_t set = fuzz_calls_number(f), index = fuzz_calls_number(f);
   const uint32_t size = fuzz_below(f->input, 64);
   char *name = fuzz_calls_new_answer(f, size),
        *text = fuzz_calls_new_answer(f, size);
   uint64_t *most = fuzz_calls_new_answer(f, sizeof(*most));
   uint32_t *numbers[4];

   for (unsigned i = 0; i < ARRAY_LENGTH(numbers); i++)
      numbers[i] = fuzz_calls_new_answer(f, sizeof(*numbers[i]));
   pitot_perf_intel_get_counter_info(&f->host.perf, set, index, size, name,
                                     size, text, numbers[0], numbers[1],
                                     numbers[2], numbers[3], most);
   for (unsigned i = 0; i < ARRAY_LENGTH(numbers); i++)
      free(numbers[i]);
   free(most);
   free(text);
   free(name);
}

void
fuzz_calls_create_perf_query(struct fuzz_calls *f)
{
   const uint32_t set = fuzz_calls_number(f);
   uint32_t handle = 0;

   pitot_perf_intel_create_query(&f->host.perf, set, &handle);
   f->handles[fuzz_below(f->input, FUZZ_CALLS_MAX_NAMES)] = handle;
}

void
fuzz_calls_use_perf_query(struct fuzz_calls *f)
{
   struct pitot_perf_gl *intel = &f->host.perf;
   const unsigned way = fuzz_below(f->input, 3);
   const uint32_t handle = fuzz_calls_name(f, f->handles);

   if (way == 0)
      pitot_perf_intel_begin_query(intel, handle);
   else if (way == 1)
      pitot_perf_intel_end_query(intel, handle);
   else
      pitot_perf_intel_delete_query(intel, handle);
}

void
fuzz_calls_read_perf_query(struct fuzz_calls *f)
{
   const uint32_t handle = fuzz_calls_name(f, f->handles);
   const unsigned flags = fuzz_calls_enum(f);
   const int size_B = (int)fuzz_calls_number(f);
   void *data =
      fuzz_calls_new_answer(f, size_B >= 0 && size_B < 4096 ? size_B : 4096);
   uint32_t *written_B = fuzz_calls_new_answer(f, sizeof(*written_B));

   /* A size beyond the memory would be the application's fault. */
   if (size_B < 4096)
      pitot_perf_intel_get_query_data(&f->host.perf, handle, flags, size_B,
                                      data, written_B);
   free(written_B);
   free(data);
}
