/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * GL calls with arbitrary arguments: names, targets, parameters, indices,
 * counts, offsets, and for INTEL_performance_query and
 * AMD_performance_monitor also NULL pointers.  The first bytes choose API,
 * features, debug context and trace.  The null driver fails calls and
 * allocations, delays results and loses its device.  Findings: a crash, a
 * write beyond an object, and a value despite an error.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "fail_memory.h"
#include "fuzz.h"
#include "gl/host.h"

#define MAX_NAMES     12
#define MAX_ARGUMENTS 8

/* Fills memory for results. */
#define GUARD 0xa5

struct fuzz_calls {
   struct fuzz_input *input;
   struct host host;
   uint32_t names[MAX_NAMES];
   uint32_t handles[MAX_NAMES]; /* of perf queries */
   uint32_t monitors[MAX_NAMES];

   /* Of the current call. */
   int64_t numbers[MAX_ARGUMENTS];
   void *answers[MAX_ARGUMENTS];
   unsigned number_count, answer_count;
};

/*
 * Arguments
 */

/* Takes an enum, usually one of queries. */
static unsigned
take_enum(struct fuzz_calls *f)
{
   static const unsigned enums[] = {
      GL_SAMPLES_PASSED,
      GL_ANY_SAMPLES_PASSED,
      GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
      GL_PRIMITIVES_GENERATED,
      GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
      GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW,
      GL_TRANSFORM_FEEDBACK_OVERFLOW,
      GL_TIME_ELAPSED,
      GL_TIMESTAMP,
      GL_VERTICES_SUBMITTED,
      GL_TESS_CONTROL_SHADER_PATCHES,
      GL_GEOMETRY_SHADER_INVOCATIONS,
      GL_COMPUTE_SHADER_INVOCATIONS,
      GL_CLIPPING_INPUT_PRIMITIVES,
      GL_QUERY_RESULT,
      GL_QUERY_RESULT_AVAILABLE,
      GL_QUERY_RESULT_NO_WAIT,
      GL_QUERY_TARGET,
      GL_CURRENT_QUERY,
      GL_QUERY_COUNTER_BITS,
      GL_QUERY_WAIT,
      GL_QUERY_NO_WAIT,
      GL_QUERY_BY_REGION_WAIT,
      GL_QUERY_BY_REGION_NO_WAIT_INVERTED,
      GL_PERFQUERY_WAIT_INTEL,
      GL_PERFQUERY_FLUSH_INTEL,
      GL_PERFQUERY_DONOT_FLUSH_INTEL,
   };
   const uint8_t byte = fuzz_u8(f->input);

   return byte < ARRAY_LENGTH(enums) ? enums[byte] : fuzz_u32(f->input);
}

/* Takes a small number, or any. */
static uint32_t
take_number(struct fuzz_calls *f)
{
   const uint8_t byte = fuzz_u8(f->input);

   return byte < 250 ? byte : fuzz_u32(f->input);
}

/* Takes a name that GL gave, or any number. */
static uint32_t
take_name(struct fuzz_calls *f, const uint32_t *given)
{
   const uint8_t byte = fuzz_u8(f->input);

   return byte < 2 * MAX_NAMES ? given[byte % MAX_NAMES] : take_number(f);
}

static intptr_t
take_offset(struct fuzz_calls *f)
{
   const uint8_t byte = fuzz_u8(f->input);

   return byte < 200 ? byte : (intptr_t)fuzz_bytes(f->input, 8);
}

/* Allocates exactly size_B until the end of the call, so that a sanitizer
 * sees each access beyond.  May return NULL, which both extensions allow.
 */
static void *
add_answer(struct fuzz_calls *f, size_t size_B)
{
   void *answer = fuzz_below(f->input, 8) == 0 ? NULL : malloc(size_B);

   if (answer != NULL)
      memset(answer, GUARD, size_B);
   f->answers[f->answer_count++] = answer;
   return answer;
}

static size_t
size_B_of(int64_t size)
{
   return size > 0 ? (size_t)size : 0;
}

/* A digit is a number below it. */
static int64_t
take_argument(struct fuzz_calls *f, char kind)
{
   switch (kind) {
   case 'e':
      return take_enum(f);
   case 'n':
      return take_number(f);
   case 'q':
      return take_name(f, f->names);
   case 'h':
      return take_name(f, f->handles);
   case 'm':
      return take_name(f, f->monitors);
   case 'b':
      return fuzz_bool(f->input);
   case 'c': /* a count of names */
      return (int64_t)fuzz_below(f->input, 16) - 4;
   case 'o':
      return take_offset(f);
   case 't':
      return fuzz_below(f->input, PITOT_TYPE_COUNT);
   case 'i': /* of a name */
      return fuzz_below(f->input, MAX_NAMES);
   case 's': /* of a string */
      return fuzz_below(f->input, 64);
   case 'z': /* a size, sometimes negative */
      return (int64_t)fuzz_below(f->input, 68) - 4;
   default:
      return fuzz_below(f->input, (unsigned)(kind - '0'));
   }
}

/* Takes numbers, and answers: "w" of a word, "d" of two words, "a" of as many
 * bytes as the last number says, and "v" of as many words.
 */
static void
take_arguments(struct fuzz_calls *f, const char *kinds)
{
   f->number_count = f->answer_count = 0;
   for (; *kinds; kinds++) {
      if (*kinds == 'w' || *kinds == 'd')
         add_answer(f, *kinds == 'w' ? 4 : 8);
      else if (*kinds == 'a' || *kinds == 'v')
         add_answer(f, size_B_of(f->numbers[f->number_count - 1]) *
                          (*kinds == 'a' ? 1 : 4));
      else
         f->numbers[f->number_count++] = take_argument(f, *kinds);
   }
}

/*
 * Calls with arrays of names, and checks of results
 */

static void
make_names(struct fuzz_calls *f, int count, bool has_target)
{
   uint32_t names[MAX_NAMES] = { 0 };

   if (has_target)
      pitot_gl_create_queries(f->host.gl, take_enum(f), count, names);
   else
      pitot_gl_gen_queries(f->host.gl, count, names);
   if (f->host.error == GL_NO_ERROR)
      memcpy(f->names, names, sizeof(names));
}

static void
delete_names(struct fuzz_calls *f, int count)
{
   uint32_t names[MAX_NAMES];

   for (int i = 0; i < count; i++)
      names[i] = take_name(f, f->names);
   pitot_gl_delete_queries(f->host.gl, count, names);
}

static void
make_monitors(struct fuzz_calls *f, bool is_new, int count)
{
   uint32_t monitors[MAX_NAMES] = { 0 };

   for (int i = 0; i < count && !is_new; i++)
      monitors[i] = take_name(f, f->monitors);
   if (!is_new)
      pitot_perf_amd_delete_monitors(&f->host.perf, count, monitors);
   else
      pitot_perf_amd_gen_monitors(&f->host.perf, count, monitors);
   if (is_new && f->host.error == GL_NO_ERROR)
      memcpy(f->monitors, monitors, sizeof(monitors));
}

static void
select_counters(struct fuzz_calls *f, uint32_t monitor, bool enable,
                uint32_t group)
{
   const int count = (int)fuzz_below(f->input, 12) - 2;
   uint32_t *counters = add_answer(f, size_B_of(count) * sizeof(*counters));

   for (int i = 0; i < count && counters; i++)
      counters[i] = take_number(f);
   pitot_perf_amd_select_counters(&f->host.perf, monitor, enable, group,
                                  count, counters);
}

static void
look_at_name(struct fuzz_calls *f, uint32_t name)
{
   char **label = pitot_gl_query_label(f->host.gl, name);

   if (pitot_gl_is_query(f->host.gl, name))
      fuzz_assert(label != NULL);
   if (label != NULL && *label == NULL)
      *label = strdup("label");
}

static void
get_query(struct fuzz_calls *f, unsigned target, uint32_t index,
          unsigned pname)
{
   int32_t value = -1;

   pitot_gl_get_query(f->host.gl, "glGetQueryiv", target, index, pname,
                      &value);
   fuzz_assert(f->host.error == GL_NO_ERROR || value == -1);
}

/* The result goes to memory of exactly its type's size, or to the buffer. */
static void
get_object(struct fuzz_calls *f, uint32_t name, unsigned pname,
           enum pitot_type type)
{
   const unsigned size_B = pitot_type_size_B(type);
   uint8_t *value = malloc(size_B);

   if (value == NULL) /* this allocation may fail */
      return;
   memset(value, GUARD, size_B);
   pitot_gl_get_query_object(f->host.gl, name, pname, type,
                             f->host.bound ? (void *)take_offset(f) : value);
   for (unsigned i = 0; i < size_B && f->host.error != GL_NO_ERROR; i++)
      fuzz_assert(value[i] == GUARD);
   free(value);
}

static void
condition(struct fuzz_calls *f, bool begins)
{
   if (begins) {
      const uint32_t name = take_name(f, f->names);

      pitot_gl_begin_conditional_render(f->host.gl, name, take_enum(f));
   } else {
      pitot_gl_end_conditional_render(f->host.gl);
   }
   pitot_gl_condition_passes(f->host.gl);
   fuzz_assert(pitot_gl_is_conditional(f->host.gl) ||
               pitot_gl_condition_passes(f->host.gl));
}

static void
find_set(struct fuzz_calls *f, int64_t way, uint32_t *set)
{
   static const char *const names[] = {
      "Pipeline Statistics", "Same", "GPU Time", "",
      "pipeline statistics", "?",
   };
   struct pitot_perf_gl *intel = &f->host.perf;

   if (way == 0)
      pitot_perf_intel_get_first_query_id(intel, set);
   else if (way == 1)
      pitot_perf_intel_get_next_query_id(intel, take_number(f), set);
   else
      pitot_perf_intel_get_query_id_by_name(
         intel, names[fuzz_below(f->input, ARRAY_LENGTH(names))], set);
}

/* A size beyond the memory would be the application's fault. */
static void
read_perf_query(struct fuzz_calls *f, uint32_t handle, unsigned flags,
                int size_B)
{
   void *data =
      add_answer(f, size_B >= 0 && size_B < 4096 ? (size_t)size_B : 4096);
   uint32_t *written_B = add_answer(f, sizeof(*written_B));

   if (size_B < 4096)
      pitot_perf_intel_get_query_data(&f->host.perf, handle, flags, size_B,
                                      data, written_B);
}

static void
look_at_group(struct fuzz_calls *f, int64_t way, uint32_t group, uint32_t id,
              int size, int32_t *length)
{
   struct pitot_perf_gl *amd = &f->host.perf;
   void *answer = add_answer(f, way == 2 ? 16 : size_B_of(size));

   if (way == 0)
      pitot_perf_amd_get_group_string(amd, group, size, length, answer);
   else if (way == 1)
      pitot_perf_amd_get_counter_string(amd, group, id, size, length, answer);
   else
      pitot_perf_amd_get_counter_info(amd, group, id,
                                      GL_COUNTER_TYPE_AMD +
                                         fuzz_below(f->input, 3),
                                      answer);
}

static void
read_monitor(struct fuzz_calls *f, uint32_t monitor, unsigned pname, int size,
             void *data, int32_t *written_B)
{
   if (written_B)
      *written_B = 0; /* an error must not change it */
   pitot_perf_amd_get_counter_data(&f->host.perf, monitor, pname, size, data,
                                   written_B);
   if (written_B)
      fuzz_assert(*written_B >= 0 && (size_t)*written_B <= size_B_of(size));
}

static void
create_perf_query(struct fuzz_calls *f, uint32_t set, int64_t index)
{
   uint32_t handle = 0;

   pitot_perf_intel_create_query(&f->host.perf, set, &handle);
   f->handles[index] = handle;
}

static void
list_groups(struct fuzz_calls *f, bool is_of_group, int size, void **x)
{
   struct pitot_perf_gl *amd = &f->host.perf;

   if (is_of_group)
      pitot_perf_amd_get_counters(amd, take_number(f), x[0], x[1], size,
                                  x[2]);
   else
      pitot_perf_amd_get_groups(amd, x[0], size, x[2]);
}

static void
look_at_context(struct fuzz_calls *f)
{
   pitot_gl_timestamp(f->host.gl);
   pitot_gl_gpu_disjoint(f->host.gl);
   fuzz_assert(!pitot_gl_gpu_disjoint(f->host.gl));
   pitot_gl_is_counting_samples(f->host.gl);
}

/*
 * The driver
 */

static void
count(struct fuzz_calls *f)
{
   struct pitot_null *null = &f->host.null;
   const unsigned kind = fuzz_below(f->input, PITOT_KIND_COUNT);
   const unsigned stream = fuzz_below(f->input, PITOT_MAX_STREAMS);
   const unsigned size_B = fuzz_below(f->input, 9);

   null->counters[kind][stream] += fuzz_bytes(f->input, size_B);
   null->time_ns += size_B;
}

static void
control(struct fuzz_calls *f)
{
   struct pitot_null *null = &f->host.null;
   const unsigned way = fuzz_below(f->input, 10);

   if (way < PITOT_NULL_CALL_COUNT)
      null->fail[way] = fuzz_u8(f->input);
   else if (way == 3)
      fail_memory = fuzz_u8(f->input);
   else if (way == 4)
      null->done = null->issued + fuzz_below(f->input, 4);
   else if (way == 5)
      null->done = UINT64_MAX;
   else if (way == 6)
      null->is_lost = fuzz_below(f->input, 8) == 0;
   else if (way == 7)
      pitot_null_flush(null);
   else if (way == 8)
      null->time_ns = fuzz_bytes(f->input, 8);
   else
      host_suspend();
}

static void
set_buffer(struct fuzz_calls *f, bool is_bound, bool is_mapped)
{
   f->host.bound = is_bound ? &f->host : NULL;
   f->host.is_mapped = is_mapped;
}

/* The kinds of the arguments of each call, and the call with the numbers n[]
 * and the answers x[].
 */
#define CALLS(X)                                                             \
   X("cb", make_names(f, n[0], n[1]))                                        \
   X("c", delete_names(f, n[0]))                                             \
   X("q", look_at_name(f, n[0]))                                             \
   X("enq", pitot_gl_begin_query(gl, "glBeginQuery", n[0], n[1], n[2]))      \
   X("en", pitot_gl_end_query(gl, "glEndQuery", n[0], n[1]))                 \
   X("qe", pitot_gl_query_counter(gl, n[0], n[1]))                           \
   X("ene", get_query(f, n[0], n[1], n[2]))                                  \
   X("qet", get_object(f, n[0], n[1], n[2]))                                 \
   X("q3eto",                                                                \
     pitot_gl_get_query_buffer_object(gl, n[0], n[1], n[2], n[3], n[4]))     \
   X("b", condition(f, n[0]))                                                \
   X("3w", find_set(f, n[0], x[0]))                                          \
   X("nsawwww", pitot_perf_intel_get_query_info(perf, n[0], n[1], x[0],      \
                                                x[1], x[2], x[3], x[4]))     \
   X("nnsaadwwww",                                                           \
     pitot_perf_intel_get_counter_info(perf, n[0], n[1], n[2], x[0], n[2],   \
                                       x[1], x[3], x[4], x[5], x[6], x[2]))  \
   X("ni", create_perf_query(f, n[0], n[1]))                                 \
   X("3h", n[0] == 0   ? pitot_perf_intel_begin_query(perf, n[1])            \
           : n[0] == 1 ? pitot_perf_intel_end_query(perf, n[1])              \
                       : pitot_perf_intel_delete_query(perf, n[1]))          \
   X("hen", read_perf_query(f, n[0], n[1], n[2]))                            \
   X("bzwwv", list_groups(f, n[0], n[1], x))                                 \
   X("3nnzw", look_at_group(f, n[0], n[1], n[2], n[3], x[0]))                \
   X("bc", make_monitors(f, n[0], n[1]))                                     \
   X("mbn", select_counters(f, n[0], n[1], n[2]))                            \
   X("bm", n[0] ? pitot_perf_amd_begin_monitor(perf, n[1])                   \
                : pitot_perf_amd_end_monitor(perf, n[1]))                    \
   X("m4zaw", read_monitor(f, n[0], GL_PERFMON_RESULT_AVAILABLE_AMD + n[1],  \
                           n[2], x[0], x[1]))                                \
   X("", count(f))                                                           \
   X("", control(f))                                                         \
   X("bb", set_buffer(f, n[0], n[1]))                                        \
   X("", look_at_context(f))

static void
make_call(struct fuzz_calls *f)
{
#define KINDS(ARGUMENTS, CALL) ARGUMENTS,
#define MAKE(ARGUMENTS, CALL)                                                \
   if (call == at++)                                                         \
      CALL;
   static const char *const kinds[] = { CALLS(KINDS) };
   const unsigned call = fuzz_below(f->input, ARRAY_LENGTH(kinds));
   struct pitot_gl *gl = f->host.gl;
   struct pitot_perf_gl *perf = &f->host.perf;
   const int64_t *n = f->numbers;
   void **x = f->answers;
   unsigned at = 0;

   host_take_error(&f->host);
   take_arguments(f, kinds[call]);
   CALLS(MAKE)
   for (unsigned i = 0; i < f->answer_count; i++)
      free(f->answers[i]);
}

/* Creates another context, as the input says. */
static void
set_context(struct fuzz_calls *f, FILE *nowhere)
{
   const uint8_t flags = fuzz_u8(f->input);

   f->host.info.stream_count = 1 + (flags & 3);
   f->host.info.trace = (flags & 4) != 0 ? nowhere : NULL;
   f->host.context_flags = (flags & 8) != 0 ? PITOT_GL_CONTEXT_DEBUG : 0;
   f->host.null.can_store = (flags & 16) == 0;
   f->host.null.time_bits = (flags & 32) != 0 ? flags >> 2 : 64;
   host_remake(&f->host);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_B)
{
   static FILE *nowhere;
   struct fuzz_input input = { bytes, size_B };
   struct fuzz_calls f = { .input = &input };
   const enum pitot_gl_api api = fuzz_below(&input, PITOT_GL_ES + 1);

   if (nowhere == NULL)
      nowhere = fopen("/dev/null", "w");
   fail_memory = 0;
   host_init(&f.host, api, ~fuzz_u32(&input));
   set_context(&f, nowhere);
   while (input.left_B > 0)
      make_call(&f);
   fail_memory = 0;
   host_finish(&f.host);
   return 0;
}
