/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * GL calls with arguments of any value: names, targets, parameters, indices,
 * counts, offsets, and in INTEL_performance_query also pointers that are
 * NULL.  The API, the features, a debug context and a trace are chosen by the
 * first bytes.  The null driver fails calls and allocations, holds results
 * back and loses its device.  A crash, a write beyond an object, and a value
 * in spite of an error are findings.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "fail_memory.h"
#include "fuzz.h"
#include "gl/host.h"

#define MAX_NAMES 12
#define GUARD     0xa5

struct fuzz_calls {
   struct fuzz_input *input;
   struct host host;
   uint32_t names[MAX_NAMES];
   uint32_t handles[MAX_NAMES];
};

/*
 * Arguments
 */

/* Takes an enum, mostly one of queries. */
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

/* Takes a number: small, or any. */
static uint32_t
take_number(struct fuzz_calls *f)
{
   const uint8_t byte = fuzz_u8(f->input);

   return byte < 250 ? byte : fuzz_u32(f->input);
}

/* Takes one of the names that GL gave, or any number. */
static uint32_t
take_name(struct fuzz_calls *f, const uint32_t *given)
{
   const uint8_t byte = fuzz_u8(f->input);

   return byte < 2 * MAX_NAMES ? given[byte % MAX_NAMES] : take_number(f);
}

/* Takes a count of names: -4 to 11. */
static int
take_count(struct fuzz_calls *f)
{
   return (int)fuzz_below(f->input, 16) - 4;
}

static intptr_t
take_offset(struct fuzz_calls *f)
{
   const uint8_t byte = fuzz_u8(f->input);

   return byte < 200 ? byte : (intptr_t)fuzz_bytes(f->input, 8);
}

/* Allocates memory for an answer, in which a sanitizer sees each access
 * beyond the end; or returns NULL, which INTEL_performance_query allows.
 */
static void *
new_answer(struct fuzz_calls *f, size_t size_B)
{
   void *answer = fuzz_below(f->input, 8) == 0 ? NULL : malloc(size_B);

   if (answer != NULL)
      memset(answer, GUARD, size_B);
   return answer;
}

/*
 * Query objects
 */

static void
make_names(struct fuzz_calls *f)
{
   const int count = take_count(f);
   uint32_t names[MAX_NAMES] = { 0 };

   if (fuzz_bool(f->input))
      pitot_gl_create_queries(f->host.gl, take_enum(f), count, names);
   else
      pitot_gl_gen_queries(f->host.gl, count, names);
   if (f->host.error == GL_NO_ERROR)
      memcpy(f->names, names, sizeof(names));
}

static void
delete_names(struct fuzz_calls *f)
{
   const int count = take_count(f);
   uint32_t names[MAX_NAMES];

   for (int i = 0; i < count; i++)
      names[i] = take_name(f, f->names);
   pitot_gl_delete_queries(f->host.gl, count, names);
}

static void
look_at_name(struct fuzz_calls *f)
{
   const uint32_t name = take_name(f, f->names);
   char **label = pitot_gl_query_label(f->host.gl, name);

   if (pitot_gl_is_query(f->host.gl, name))
      fuzz_assert(label != NULL);
   if (label != NULL && *label == NULL)
      *label = strdup("label");
}

static void
begin(struct fuzz_calls *f)
{
   const unsigned target = take_enum(f);
   const uint32_t index = take_number(f);

   pitot_gl_begin_query(f->host.gl, "glBeginQuery", target, index,
                        take_name(f, f->names));
}

static void
end(struct fuzz_calls *f)
{
   const unsigned target = take_enum(f);

   pitot_gl_end_query(f->host.gl, "glEndQuery", target, take_number(f));
}

static void
counter(struct fuzz_calls *f)
{
   const uint32_t name = take_name(f, f->names);

   pitot_gl_query_counter(f->host.gl, name, take_enum(f));
}

static void
get_query(struct fuzz_calls *f)
{
   const unsigned target = take_enum(f);
   const uint32_t index = take_number(f);
   int32_t value = -1;

   pitot_gl_get_query(f->host.gl, "glGetQueryiv", target, index, take_enum(f),
                      &value);
   fuzz_assert(f->host.error == GL_NO_ERROR || value == -1);
}

/* A result goes to memory of just the size of its type, or to the buffer. */
static void
get_object(struct fuzz_calls *f)
{
   const uint32_t name = take_name(f, f->names);
   const unsigned pname = take_enum(f);
   const enum pitot_type type = fuzz_below(f->input, PITOT_TYPE_COUNT);
   const unsigned size_B = pitot_type_size_B(type);
   uint8_t *value = malloc(size_B);

   memset(value, GUARD, size_B);
   pitot_gl_get_query_object(f->host.gl, name, pname, type,
                             f->host.bound ? (void *)take_offset(f) : value);
   for (unsigned i = 0; i < size_B && f->host.error != GL_NO_ERROR; i++)
      fuzz_assert(value[i] == GUARD);
   free(value);
}

static void
put_object(struct fuzz_calls *f)
{
   const uint32_t name = take_name(f, f->names);
   const uint32_t buffer = fuzz_below(f->input, 3);
   const unsigned pname = take_enum(f);
   const enum pitot_type type = fuzz_below(f->input, PITOT_TYPE_COUNT);

   pitot_gl_get_query_buffer_object(f->host.gl, name, buffer, pname, type,
                                    take_offset(f));
}

static void
condition(struct fuzz_calls *f)
{
   if (fuzz_bool(f->input)) {
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
look_at_context(struct fuzz_calls *f)
{
   pitot_gl_timestamp(f->host.gl);
   pitot_gl_gpu_disjoint(f->host.gl);
   fuzz_assert(!pitot_gl_gpu_disjoint(f->host.gl));
   pitot_gl_is_counting_samples(f->host.gl);
}

/*
 * INTEL_performance_query
 */

static void
find_set(struct fuzz_calls *f)
{
   static const char *const names[] = {
      "Pipeline Statistics", "Same", "GPU Time", "",
      "pipeline statistics", "?",
   };
   struct pitot_perf_intel *intel = &f->host.intel;
   const unsigned way = fuzz_below(f->input, 3);
   uint32_t *set = new_answer(f, sizeof(*set));

   if (way == 0)
      pitot_perf_intel_get_first_query_id(intel, set);
   else if (way == 1)
      pitot_perf_intel_get_next_query_id(intel, take_number(f), set);
   else
      pitot_perf_intel_get_query_id_by_name(
         intel, names[fuzz_below(f->input, ARRAY_LENGTH(names))], set);
   free(set);
}

static void
look_at_set(struct fuzz_calls *f)
{
   const uint32_t set = take_number(f), size = fuzz_below(f->input, 64);
   char *name = new_answer(f, size);
   uint32_t *numbers[4];

   for (unsigned i = 0; i < ARRAY_LENGTH(numbers); i++)
      numbers[i] = new_answer(f, sizeof(*numbers[i]));
   pitot_perf_intel_get_query_info(&f->host.intel, set, size, name,
                                   numbers[0], numbers[1], numbers[2],
                                   numbers[3]);
   for (unsigned i = 0; i < ARRAY_LENGTH(numbers); i++)
      free(numbers[i]);
   free(name);
}

static void
look_at_counter(struct fuzz_calls *f)
{
   const uint32_t set = take_number(f), index = take_number(f);
   const uint32_t size = fuzz_below(f->input, 64);
   char *name = new_answer(f, size), *text = new_answer(f, size);
   uint64_t *most = new_answer(f, sizeof(*most));
   uint32_t *numbers[4];

   for (unsigned i = 0; i < ARRAY_LENGTH(numbers); i++)
      numbers[i] = new_answer(f, sizeof(*numbers[i]));
   pitot_perf_intel_get_counter_info(&f->host.intel, set, index, size, name,
                                     size, text, numbers[0], numbers[1],
                                     numbers[2], numbers[3], most);
   for (unsigned i = 0; i < ARRAY_LENGTH(numbers); i++)
      free(numbers[i]);
   free(most);
   free(text);
   free(name);
}

static void
create_perf_query(struct fuzz_calls *f)
{
   const uint32_t set = take_number(f);
   uint32_t handle = 0;

   pitot_perf_intel_create_query(&f->host.intel, set, &handle);
   f->handles[fuzz_below(f->input, MAX_NAMES)] = handle;
}

static void
use_perf_query(struct fuzz_calls *f)
{
   struct pitot_perf_intel *intel = &f->host.intel;
   const unsigned way = fuzz_below(f->input, 3);
   const uint32_t handle = take_name(f, f->handles);

   if (way == 0)
      pitot_perf_intel_begin_query(intel, handle);
   else if (way == 1)
      pitot_perf_intel_end_query(intel, handle);
   else
      pitot_perf_intel_delete_query(intel, handle);
}

static void
read_perf_query(struct fuzz_calls *f)
{
   const uint32_t handle = take_name(f, f->handles);
   const unsigned flags = take_enum(f);
   const int size_B = (int)take_number(f);
   void *data = new_answer(f, size_B >= 0 && size_B < 4096 ? size_B : 4096);
   uint32_t *written_B = new_answer(f, sizeof(*written_B));

   /* A size that is larger than the memory is the application's fault. */
   if (size_B < 4096)
      pitot_perf_intel_get_query_data(&f->host.intel, handle, flags, size_B,
                                      data, written_B);
   free(written_B);
   free(data);
}

/*
 * The driver, and the rest of GL
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
set_buffer(struct fuzz_calls *f)
{
   f->host.bound = fuzz_bool(f->input) ? &f->host : NULL;
   f->host.is_mapped = fuzz_bool(f->input);
}

static void
make_call(struct fuzz_calls *f)
{
   static void (*const calls[])(struct fuzz_calls * f) = {
      make_names,
      delete_names,
      look_at_name,
      begin,
      end,
      counter,
      get_query,
      get_object,
      put_object,
      condition,
      find_set,
      look_at_set,
      look_at_counter,
      create_perf_query,
      use_perf_query,
      read_perf_query,
      count,
      control,
      set_buffer,
      look_at_context,
   };

   host_take_error(&f->host);
   calls[fuzz_below(f->input, ARRAY_LENGTH(calls))](f);
}

/* Creates the context anew with what the bytes say of it. */
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
