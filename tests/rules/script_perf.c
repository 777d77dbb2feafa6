/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Verbs for perf queries (INTEL_performance_query).
 */

#include <stdio.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "statement.h"
#include "test.h"

/* The record size for an invalid handle: any size works. */
#define NO_PERF_QUERY_SIZE_B 256

/* Scripts check fewer bytes past a record. */
#define SPARE_SIZE_B 1024

void
script_replace(char *text, char from, char to)
{
   for (char *c = text; *c; c++)
      *c = *c == from ? to : *c;
}

char *
script_read_name(const struct script *s, unsigned i, char name_out[256])
{
   if (script_is_word(s, i, "NULL"))
      return NULL;
   snprintf(name_out, 256, "%s", i < s->count ? s->words[i] : "");
   script_replace(name_out, '_', ' ');
   return name_out;
}

uint32_t *
script_out(struct script *s, unsigned i)
{
   return script_is_word(s, i, "NULL") ? NULL : (uint32_t *)s->memory;
}

void
script_give_out(struct script *s, unsigned i)
{
   script_give_memory(s, sizeof(uint32_t));
   if (!script_is_word(s, i, "NULL"))
      *script_letter(s, i) = s->number;
}

static uint32_t *
set_of(struct script *s, unsigned i)
{
   return &s->sets[script_letter(s, i) - s->numbers];
}

/* The perf set at operand 1: an id or a name. */
static uint32_t
find_set(const struct script *s, const struct entry_points *gl)
{
   const bool is_name = s->words[1][0] >= 'A' && s->words[1][0] <= 'Z';
   char name[256];
   uint32_t set = 0;

   if (!is_name)
      return OP(1);
   gl->GetPerfQueryIdByName(script_read_name(s, 1, name), &set);
   return set;
}

static void
create(struct script *s, const struct entry_points *gl)
{
   const uint32_t set = find_set(s, gl);
   const uint64_t count = script_optional(s, 3, 1);

   for (uint64_t i = 0; i < count; i++)
      gl->CreatePerfQuery(set, script_out(s, 2));
   script_give_out(s, 2);
   if (s->number && !script_is_word(s, 2, "NULL"))
      *set_of(s, 2) = set;
}

static void
count_points(const struct script *s, const struct entry_points *gl)
{
   gl->BeginPerfQuery(OP(1));
   if (s->count > 2)
      s->gl->draw_points(OP(2), GL_VERTICES_SUBMITTED);
   gl->EndPerfQuery(OP(1));
}

/* Operand 1 is a letter, or a number that is not a handle. */
static void
find_record_size(struct script *s, const struct entry_points *gl)
{
   const bool is_letter = s->words[1][0] >= 'a';
   const uint32_t set = is_letter ? *set_of(s, 1) : 0;

   s->record_B = NO_PERF_QUERY_SIZE_B;
   if (set)
      gl->GetPerfQueryInfo(set, 0, NULL, &s->record_B, NULL, NULL, NULL);
   if (s->record_B + SPARE_SIZE_B > SCRIPT_MEMORY_SIZE_B)
      fail_msg("%s: a record of %u bytes is too much", s->text, s->record_B);
}

/* The value is the bytes written: 0, or a whole record. */
static void
read_data(struct script *s, const struct entry_points *gl)
{
   const bool is_nowhere = script_is_word(s, 3, "NULL");
   const bool is_uncounted = script_is_word(s, 3, "uncounted");
   uint32_t written_B;

   memset(&written_B, SCRIPT_UNTOUCHED_BYTE, sizeof(written_B));
   find_record_size(s, gl);
   const int32_t size_B = is_nowhere || is_uncounted
                             ? s->record_B
                             : script_optional(s, 3, s->record_B);
   gl->GetPerfQueryData(OP(1), OP(2), size_B, is_nowhere ? NULL : s->memory,
                        is_uncounted ? NULL : &written_B);
   if (is_uncounted)
      return;
   if (written_B != 0 && written_B != s->record_B)
      fail_msg("%s: %u bytes of %u were written", s->text, written_B,
               s->record_B);
   script_give(s, written_B);
   s->touched_B = written_B;
}

static void
keep_data(struct script *s, const struct entry_points *gl)
{
   read_data(s, gl);
   memcpy(s->record, s->memory, s->touched_B);
}

static void
read_data_again(struct script *s, const struct entry_points *gl)
{
   read_data(s, gl);
   if (s->number != s->record_B || memcmp(s->memory, s->record, s->record_B))
      fail_msg("%s: not the same record", s->text);
}

static void
poll_data(struct script *s, const struct entry_points *gl)
{
   for (unsigned i = 0; i < MAX_POLLS && !s->touched_B; i++)
      keep_data(s, gl);
}

static void
give_counter(struct script *s, const struct entry_points *gl)
{
   char name[256];

   script_give(s,
               script_counter_value(gl, *set_of(s, 1),
                                    script_read_name(s, 2, name), s->record));
}

bool
script_run_perf(struct script *s, const struct entry_points *gl)
{
   VERB("perf", create(s, gl));
   VERB("drop", gl->DeletePerfQuery(OP(1)));
   VERB("start", gl->BeginPerfQuery(OP(1)));
   VERB("stop", gl->EndPerfQuery(OP(1)));
   VERB("count", count_points(s, gl));
   VERB("data", keep_data(s, gl));
   VERB("again", read_data_again(s, gl));
   VERB("poll", poll_data(s, gl));
   VERB("value", give_counter(s, gl));
   return false;
}
