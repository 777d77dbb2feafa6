/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "script_perf.h"
#include "test.h"

/* No GL has so many sets: first and next go round in circles. */
#define MAX_SETS 10000

static struct script_set
set_of(const struct script_perf_ops *perf, void *gl, uint32_t id)
{
   struct script_set set = { .id = id };

   perf->info(gl, id, sizeof(set.name), set.name, &set.record_B,
              &set.counter_count, NULL, NULL);
   return set;
}

struct script_counter
script_counter_of(const struct script_perf_ops *perf, void *gl,
                  uint32_t set_id, uint32_t counter_id)
{
   struct script_counter counter = { 0 };

   perf->counter_info(gl, set_id, counter_id, sizeof(counter.name),
                      counter.name, sizeof(counter.description),
                      counter.description, &counter.offset_B, &counter.size_B,
                      &counter.type, &counter.data_type, &counter.raw_max);
   return counter;
}

uint64_t
script_counter_value(const struct script_perf_ops *perf, void *gl,
                     uint32_t set_id, const char *name, const uint8_t *record)
{
   const struct script_set set = set_of(perf, gl, set_id);

   for (unsigned i = 1; i <= set.counter_count; i++) {
      const struct script_counter counter =
         script_counter_of(perf, gl, set_id, i);
      uint64_t wide;
      uint32_t narrow;

      if (strcmp(counter.name, name))
         continue;
      memcpy(&wide, record + counter.offset_B, sizeof(wide));
      memcpy(&narrow, record + counter.offset_B, sizeof(narrow));
      return counter.size_B == sizeof(narrow) ? narrow : wide;
   }
   fail_msg("\"%s\" has no counter \"%s\"", set.name, name);
   return 0;
}

void
script_for_each_set(const struct script_perf_ops *perf, void *gl,
                    script_check *check)
{
   uint32_t id = 0;
   unsigned count = 0;

   for (perf->first(gl, &id); id; perf->next(gl, id, &id)) {
      const struct script_set set = set_of(perf, gl, id);

      if (++count > MAX_SETS)
         fail_msg("the sets have no end");
      check(perf, gl, &set);
   }
}

unsigned
script_check_chain(const struct script_perf_ops *perf, void *gl)
{
   uint32_t id = 0;
   unsigned count = 0;

   for (perf->first(gl, &id); id; perf->next(gl, id, &id)) {
      struct script_set set = set_of(perf, gl, id);
      uint32_t found = 0;

      perf->by_name(gl, set.name, &found);
      if (found != id)
         fail_msg("\"%s\" is set %u, but its name leads to %u", set.name, id,
                  found);
      if (++count > MAX_SETS)
         fail_msg("the sets have no end");
   }
   return count;
}

static bool
is_apart(const struct script_counter *a, const struct script_counter *b)
{
   return a->offset_B + a->size_B <= b->offset_B ||
          b->offset_B + b->size_B <= a->offset_B;
}

/* The size that the type of data has. */
static unsigned
data_type_size_B(uint32_t data_type)
{
   switch (data_type) {
   case GL_PERFQUERY_COUNTER_DATA_BOOL32_INTEL:
   case GL_PERFQUERY_COUNTER_DATA_UINT32_INTEL:
   case GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL:
      return 4;
   case GL_PERFQUERY_COUNTER_DATA_UINT64_INTEL:
   case GL_PERFQUERY_COUNTER_DATA_DOUBLE_INTEL:
      return 8;
   default:
      return 0;
   }
}

void
script_check_layout(const struct script_perf_ops *perf, void *gl,
                    const struct script_set *set)
{
   for (unsigned i = 1; i <= set->counter_count; i++) {
      const struct script_counter a = script_counter_of(perf, gl, set->id, i);

      if (a.size_B == 0 || a.size_B != data_type_size_B(a.data_type) ||
          a.offset_B % a.size_B != 0 || a.offset_B + a.size_B > set->record_B)
         fail_msg("\"%s\" of \"%s\": %u bytes at %u of %u", a.name, set->name,
                  a.size_B, a.offset_B, set->record_B);
      if (a.type < GL_PERFQUERY_COUNTER_EVENT_INTEL ||
          a.type > GL_PERFQUERY_COUNTER_TIMESTAMP_INTEL)
         fail_msg("\"%s\" of \"%s\" has no type", a.name, set->name);
      for (unsigned j = 1; j < i; j++) {
         const struct script_counter b =
            script_counter_of(perf, gl, set->id, j);

         if (!is_apart(&a, &b))
            fail_msg("\"%s\" and \"%s\" of \"%s\" overlap", a.name, b.name,
                     set->name);
      }
   }
}

/* Reads as much as has room for, which is all of it if the last byte but one
 * was not needed.
 */
static bool
is_text(const char *text, unsigned size_B)
{
   return text[0] != '\0' && strlen(text) + 1 < size_B;
}

void
script_check_lengths(const struct script_perf_ops *perf, void *gl,
                     const struct script_set *set)
{
   if (!is_text(set->name, sizeof(set->name)))
      fail_msg("the name of set %u is too long, or empty", set->id);
   for (unsigned i = 1; i <= set->counter_count; i++) {
      const struct script_counter counter =
         script_counter_of(perf, gl, set->id, i);

      if (!is_text(counter.name, sizeof(counter.name)) ||
          !is_text(counter.description, sizeof(counter.description)))
         fail_msg("a text of \"%s\" of \"%s\" is too long, or empty",
                  counter.name, set->name);
   }
}
