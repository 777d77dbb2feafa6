/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "calls.h"

/* A small size, sometimes negative. */
static int32_t
take_size(struct fuzz_calls *f)
{
   return (int32_t)fuzz_below(f->input, 68) - 4;
}

static size_t
memory_B(int32_t size)
{
   return size > 0 ? size : 0;
}

void
fuzz_calls_list_groups(struct fuzz_calls *f)
{
   struct pitot_perf_gl *amd = &f->host.perf;
   const bool is_of_group = fuzz_bool(f->input);
   const int32_t size = take_size(f);
   int32_t *count = fuzz_calls_new_answer(f, sizeof(*count));
   int32_t *most = fuzz_calls_new_answer(f, sizeof(*most));
   uint32_t *ids = fuzz_calls_new_answer(f, memory_B(size) * sizeof(*ids));

   if (is_of_group)
      pitot_perf_amd_get_counters(amd, fuzz_calls_number(f), count, most,
                                  size, ids);
   else
      pitot_perf_amd_get_groups(amd, count, size, ids);
   free(ids);
   free(most);
   free(count);
}

void
fuzz_calls_look_at_group(struct fuzz_calls *f)
{
   struct pitot_perf_gl *amd = &f->host.perf;
   const unsigned way = fuzz_below(f->input, 3);
   const uint32_t group = fuzz_calls_number(f), id = fuzz_calls_number(f);
   const int32_t size = take_size(f);
   int32_t *length = fuzz_calls_new_answer(f, sizeof(*length));
   void *answer = fuzz_calls_new_answer(f, way == 2 ? 16 : memory_B(size));

   if (way == 0)
      pitot_perf_amd_get_group_string(amd, group, size, length, answer);
   else if (way == 1)
      pitot_perf_amd_get_counter_string(amd, group, id, size, length, answer);
   else
      pitot_perf_amd_get_counter_info(amd, group, id,
                                      GL_COUNTER_TYPE_AMD +
                                         fuzz_below(f->input, 3),
                                      answer);
   free(answer);
   free(length);
}

void
fuzz_calls_make_monitors(struct fuzz_calls *f)
{
   const bool is_new = fuzz_bool(f->input);
   const int32_t count = (int32_t)fuzz_below(f->input, 16) - 4;
   uint32_t monitors[FUZZ_CALLS_MAX_NAMES] = { 0 };

   for (int32_t i = 0; i < count && !is_new; i++)
      monitors[i] = fuzz_calls_name(f, f->monitors);
   if (!is_new)
      pitot_perf_amd_delete_monitors(&f->host.perf, count, monitors);
   else
      pitot_perf_amd_gen_monitors(&f->host.perf, count, monitors);
   if (is_new && f->host.error == GL_NO_ERROR)
      memcpy(f->monitors, monitors, sizeof(monitors));
}

void
fuzz_calls_select_counters(struct fuzz_calls *f)
{
   const uint32_t monitor = fuzz_calls_name(f, f->monitors);
   const bool enable = fuzz_bool(f->input);
   const uint32_t group = fuzz_calls_number(f);
   const int32_t count = (int32_t)fuzz_below(f->input, 12) - 2;
   uint32_t *counters =
      fuzz_calls_new_answer(f, memory_B(count) * sizeof(*counters));

   for (int32_t i = 0; i < count && counters; i++)
      counters[i] = fuzz_calls_number(f);
   pitot_perf_amd_select_counters(&f->host.perf, monitor, enable, group,
                                  count, counters);
   free(counters);
}

void
fuzz_calls_use_monitor(struct fuzz_calls *f)
{
   const bool begins = fuzz_bool(f->input);
   const uint32_t monitor = fuzz_calls_name(f, f->monitors);

   if (begins)
      pitot_perf_amd_begin_monitor(&f->host.perf, monitor);
   else
      pitot_perf_amd_end_monitor(&f->host.perf, monitor);
}

void
fuzz_calls_read_monitor(struct fuzz_calls *f)
{
   const uint32_t monitor = fuzz_calls_name(f, f->monitors);
   const unsigned pname =
      GL_PERFMON_RESULT_AVAILABLE_AMD + fuzz_below(f->input, 4);
   const int32_t size = take_size(f);
   void *data = fuzz_calls_new_answer(f, memory_B(size));
   int32_t *written_B = fuzz_calls_new_answer(f, sizeof(*written_B));

   if (written_B)
      *written_B = 0; /* an error must not change it */
   pitot_perf_amd_get_counter_data(&f->host.perf, monitor, pname, size, data,
                                   written_B);
   if (written_B)
      fuzz_assert(*written_B >= 0 && (size_t)*written_B <= memory_B(size));
   free(written_B);
   free(data);
}
