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

#include "calls.h"
#include "fail_memory.h"

/* A count of names: -4 to 11. */
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

/* Query objects */

static void
make_names(struct fuzz_calls *f)
{
   const int count = take_count(f);
   uint32_t names[FUZZ_CALLS_MAX_NAMES] = { 0 };

   if (fuzz_bool(f->input))
      pitot_gl_create_queries(f->host.gl, fuzz_calls_enum(f), count, names);
   else
      pitot_gl_gen_queries(f->host.gl, count, names);
   if (f->host.error == GL_NO_ERROR)
      memcpy(f->names, names, sizeof(names));
}

static void
delete_names(struct fuzz_calls *f)
{
   const int count = take_count(f);
   uint32_t names[FUZZ_CALLS_MAX_NAMES];

   for (int i = 0; i < count; i++)
      names[i] = fuzz_calls_name(f, f->names);
   pitot_gl_delete_queries(f->host.gl, count, names);
}

static void
look_at_name(struct fuzz_calls *f)
{
   const uint32_t name = fuzz_calls_name(f, f->names);
   char **label = pitot_gl_query_label(f->host.gl, name);

   if (pitot_gl_is_query(f->host.gl, name))
      fuzz_assert(label != NULL);
   if (label != NULL && *label == NULL)
      *label = strdup("label");
}

static void
begin(struct fuzz_calls *f)
{
   const unsigned target = fuzz_calls_enum(f);
   const uint32_t index = fuzz_calls_number(f);

   pitot_gl_begin_query(f->host.gl, "glBeginQuery", target, index,
                        fuzz_calls_name(f, f->names));
}

static void
end(struct fuzz_calls *f)
{
   const unsigned target = fuzz_calls_enum(f);

   pitot_gl_end_query(f->host.gl, "glEndQuery", target, fuzz_calls_number(f));
}

static void
counter(struct fuzz_calls *f)
{
   const uint32_t name = fuzz_calls_name(f, f->names);

   pitot_gl_query_counter(f->host.gl, name, fuzz_calls_enum(f));
}

static void
get_query(struct fuzz_calls *f)
{
   const unsigned target = fuzz_calls_enum(f);
   const uint32_t index = fuzz_calls_number(f);
   int32_t value = -1;

   pitot_gl_get_query(f->host.gl, "glGetQueryiv", target, index,
                      fuzz_calls_enum(f), &value);
   fuzz_assert(f->host.error == GL_NO_ERROR || value == -1);
}

/* The result goes to memory of exactly its type's size, or to the buffer. */
static void
get_object(struct fuzz_calls *f)
{
   const uint32_t name = fuzz_calls_name(f, f->names);
   const unsigned pname = fuzz_calls_enum(f);
   const enum pitot_type type = fuzz_below(f->input, PITOT_TYPE_COUNT);
   const unsigned size_B = pitot_type_size_B(type);
   uint8_t *value = malloc(size_B);

   if (value == NULL) /* this allocation may fail */
      return;
   memset(value, FUZZ_CALLS_GUARD, size_B);
   pitot_gl_get_query_object(f->host.gl, name, pname, type,
                             f->host.bound ? (void *)take_offset(f) : value);
   for (unsigned i = 0; i < size_B && f->host.error != GL_NO_ERROR; i++)
      fuzz_assert(value[i] == FUZZ_CALLS_GUARD);
   free(value);
}

static void
put_object(struct fuzz_calls *f)
{
   const uint32_t name = fuzz_calls_name(f, f->names);
   const uint32_t buffer = fuzz_below(f->input, 3);
   const unsigned pname = fuzz_calls_enum(f);
   const enum pitot_type type = fuzz_below(f->input, PITOT_TYPE_COUNT);

   pitot_gl_get_query_buffer_object(f->host.gl, name, buffer, pname, type,
                                    take_offset(f));
}

static void
condition(struct fuzz_calls *f)
{
   if (fuzz_bool(f->input)) {
      const uint32_t name = fuzz_calls_name(f, f->names);

      pitot_gl_begin_conditional_render(f->host.gl, name, fuzz_calls_enum(f));
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

/* The driver, and the rest of GL */

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
      fuzz_calls_find_set,
      fuzz_calls_look_at_set,
      fuzz_calls_look_at_counter,
      fuzz_calls_create_perf_query,
      fuzz_calls_use_perf_query,
      fuzz_calls_read_perf_query,
      fuzz_calls_list_groups,
      fuzz_calls_look_at_group,
      fuzz_calls_make_monitors,
      fuzz_calls_select_counters,
      fuzz_calls_use_monitor,
      fuzz_calls_read_monitor,
      count,
      control,
      set_buffer,
      look_at_context,
   };

   host_take_error(&f->host);
   calls[fuzz_below(f->input, ARRAY_LENGTH(calls))](f);
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
