/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Verbs for perf sets (INTEL_performance_query).
 */

#include <stdio.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "statement.h"
#include "test.h"

/* No GL has so many sets: first and next form a loop. */
#define MAX_SETS 10000

/* As GetPerfQueryInfoINTEL returns it. */
struct set {
   uint32_t id;
   char name[256];
   uint32_t record_B;
   uint32_t counter_count;
};

/* As GetPerfCounterInfoINTEL returns it. */
struct counter {
   char name[256];
   char description[1024];
   uint32_t offset_B;
   uint32_t size_B;
   uint32_t type;
   uint32_t data_type;
   uint64_t raw_max;
};

static struct set
set_of(const struct entry_points *gl, uint32_t id)
{
   struct set set = { .id = id };

   gl->GetPerfQueryInfo(id, sizeof(set.name), set.name, &set.record_B,
                        &set.counter_count, NULL, NULL);
   return set;
}

/* Counters are numbered from 1. */
static struct counter
counter_of(const struct entry_points *gl, const struct set *set, uint32_t id)
{
   struct counter counter = { 0 };

   gl->GetPerfCounterInfo(set->id, id, sizeof(counter.name), counter.name,
                          sizeof(counter.description), counter.description,
                          &counter.offset_B, &counter.size_B, &counter.type,
                          &counter.data_type, &counter.raw_max);
   return counter;
}

/* The size is 0 if no counter has that name. */
static struct counter
find_counter(const struct entry_points *gl, const struct set *set,
             const char *name)
{
   for (unsigned i = 1; i <= set->counter_count; i++) {
      const struct counter counter = counter_of(gl, set, i);

      if (strcmp(counter.name, name) == 0)
         return counter;
   }
   return (struct counter){ 0 };
}

bool
script_has_counter(const struct entry_points *gl, uint32_t set_id,
                   const char *name)
{
   const struct set set = set_of(gl, set_id);

   return find_counter(gl, &set, name).size_B != 0;
}

uint64_t
script_counter_value(const struct entry_points *gl, uint32_t set_id,
                     const char *name, const uint8_t *record)
{
   const struct set set = set_of(gl, set_id);
   const struct counter counter = find_counter(gl, &set, name);
   uint32_t narrow;
   uint64_t wide;

   if (!counter.size_B)
      fail_msg("\"%s\" has no counter \"%s\"", set.name, name);
   memcpy(&narrow, record + counter.offset_B, sizeof(narrow));
   memcpy(&wide, record + counter.offset_B, sizeof(wide));
   return counter.size_B == sizeof(narrow) ? narrow : wide;
}

/*
 * Checks for every perf set of any driver
 */

static void
check_name(const struct entry_points *gl, const struct set *set)
{
   uint32_t found = 0;

   gl->GetPerfQueryIdByName((char *)set->name, &found);
   if (found != set->id)
      fail_msg("\"%s\" is set %u, but its name leads to %u", set->name,
               set->id, found);
}

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

/* Counters are in the record, aligned to their size, and do not overlap. */
static void
check_layout(const struct entry_points *gl, const struct set *set)
{
   for (unsigned i = 1; i <= set->counter_count; i++) {
      const struct counter a = counter_of(gl, set, i);

      if (a.size_B == 0 || a.size_B != data_type_size_B(a.data_type) ||
          a.offset_B % a.size_B != 0 || a.offset_B + a.size_B > set->record_B)
         fail_msg("\"%s\" of \"%s\": %u bytes at %u of %u", a.name, set->name,
                  a.size_B, a.offset_B, set->record_B);
      if (a.type < GL_PERFQUERY_COUNTER_EVENT_INTEL ||
          a.type > GL_PERFQUERY_COUNTER_TIMESTAMP_INTEL)
         fail_msg("\"%s\" of \"%s\" has no type", a.name, set->name);
      for (unsigned j = 1; j < i; j++) {
         const struct counter b = counter_of(gl, set, j);

         if (a.offset_B + a.size_B > b.offset_B &&
             b.offset_B + b.size_B > a.offset_B)
            fail_msg("\"%s\" and \"%s\" of \"%s\" overlap", a.name, b.name,
                     set->name);
      }
   }
}

/* The text is not empty and was not truncated: one more byte was free. */
static bool
is_whole(const char *text, unsigned size_B)
{
   return text[0] != '\0' && strlen(text) + 1 < size_B;
}

/* Texts are not empty, and not longer than GL's limits. */
static void
check_lengths(const struct entry_points *gl, const struct set *set)
{
   if (!is_whole(set->name, sizeof(set->name)))
      fail_msg("the name of set %u is too long, or empty", set->id);
   for (unsigned i = 1; i <= set->counter_count; i++) {
      const struct counter counter = counter_of(gl, set, i);

      if (!is_whole(counter.name, sizeof(counter.name)) ||
          !is_whole(counter.description, sizeof(counter.description)))
         fail_msg("a text of \"%s\" of \"%s\" is too long, or empty",
                  counter.name, set->name);
   }
}

/* Follows the perf sets from first to last.  Returns their number. */
static unsigned
for_each_set(const struct entry_points *gl,
             void (*check)(const struct entry_points *, const struct set *))
{
   uint32_t id = 0;
   unsigned count = 0;

   for (gl->GetFirstPerfQueryId(&id); id; gl->GetNextPerfQueryId(id, &id)) {
      const struct set set = set_of(gl, id);

      if (++count > MAX_SETS)
         fail_msg("the sets have no end");
      check(gl, &set);
   }
   return count;
}

/* Where a call writes a field: NULL unless operand i names it. */
static void *
field(struct script *s, unsigned i, const char *name)
{
   return script_is_word(s, i, name) ? s->memory : NULL;
}

/* The size of a text is the operand after its name. */
static uint32_t
length(struct script *s, unsigned i, const char *name)
{
   return field(s, i, name) ? script_optional(s, i + 1, 1024) : 0;
}

void
script_give_text(struct script *s, uint32_t size_B)
{
   char *text = (char *)s->memory;

   s->touched_B = size_B < sizeof(s->memory) ? size_B : sizeof(s->memory);
   if (s->memory[0] == SCRIPT_UNTOUCHED_BYTE) {
      s->string = "untouched";
      return;
   }
   if (!memchr(text, '\0', s->touched_B))
      fail_msg("%s: the text is not closed", s->text);
   script_replace(text, ' ', '_');
   s->string = text[0] ? text : "empty";
}

static void
get_info(struct script *s, const struct entry_points *gl)
{
   const uint32_t name_B = length(s, 2, "NAME");

   gl->GetPerfQueryInfo(OP(1), name_B, field(s, 2, "NAME"),
                        field(s, 2, "SIZE"), field(s, 2, "COUNTERS"),
                        field(s, 2, "INSTANCES"), field(s, 2, "CAPS"));
   if (field(s, 2, "NAME"))
      script_give_text(s, name_B);
   else if (s->count > 2)
      script_give_memory(s, sizeof(uint32_t));
}

static void
get_counter_info(struct script *s, const struct entry_points *gl)
{
   const uint32_t name_B = length(s, 3, "NAME");
   const uint32_t description_B = length(s, 3, "DESCRIPTION");

   gl->GetPerfCounterInfo(OP(1), OP(2), name_B, field(s, 3, "NAME"),
                          description_B, field(s, 3, "DESCRIPTION"),
                          field(s, 3, "OFFSET"), field(s, 3, "SIZE"),
                          field(s, 3, "TYPE"), field(s, 3, "DATA_TYPE"),
                          field(s, 3, "MAX"));
   if (field(s, 3, "NAME") || field(s, 3, "DESCRIPTION"))
      script_give_text(s, name_B + description_B);
   else if (s->count > 3)
      script_give_memory(s, field(s, 3, "MAX") ? 8 : 4);
}

static void
find_set(struct script *s, const struct entry_points *gl)
{
   char name[256];

   gl->GetPerfQueryIdByName(script_read_name(s, 2, name), script_out(s, 1));
   script_give_out(s, 1);
}

bool
script_run_set(struct script *s, const struct entry_points *gl)
{
   VERB("first", gl->GetFirstPerfQueryId(script_out(s, 1));
        script_give_out(s, 1));
   VERB("next", gl->GetNextPerfQueryId(OP(1), script_out(s, 2));
        script_give_out(s, 2));
   VERB("set", find_set(s, gl));
   VERB("info", get_info(s, gl));
   VERB("counterinfo", get_counter_info(s, gl));
   VERB("chain", script_give(s, for_each_set(gl, check_name)));
   VERB("layouts", for_each_set(gl, check_layout));
   VERB("lengths", for_each_set(gl, check_lengths));
   return false;
}
