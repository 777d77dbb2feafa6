/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The calls of scripts on sets of INTEL_performance_query.
 */

#include <stdlib.h>
#include <string.h>

#include "script_call.h"
#include "script_perf.h"
#include "test.h"

/*
 * Texts
 */

/* A text that a call wrote to memory of size_B bytes, which were untouched,
 * with blanks as "_", malloc'ed: closed, and with nothing behind it.
 */
static char *
check_text_memory(const struct script *s, const uint8_t *memory,
                  unsigned size_B)
{
   const bool is_untouched = memory[0] == SCRIPT_UNTOUCHED_BYTE;
   const char *seen = is_untouched ? "untouched" : (const char *)memory;

   for (unsigned i = size_B; i < SCRIPT_MEMORY_SIZE_B; i++)
      if (memory[i] != SCRIPT_UNTOUCHED_BYTE)
         fail_msg("%s: byte %u, behind the text, was written", s->text, i);
   if (size_B > SCRIPT_MEMORY_SIZE_B)
      size_B = SCRIPT_MEMORY_SIZE_B;
   if (!is_untouched && !memchr(memory, '\0', size_B))
      fail_msg("%s: the text is not closed", s->text);

   char *text = strdup(seen[0] ? seen : "empty");
   for (char *c = text; *c; c++)
      *c = *c == ' ' ? '_' : *c;
   return text;
}

/* Memory for a text, and how much of it a call is told of. */
struct text {
   char memory[SCRIPT_MEMORY_SIZE_B];
   char *address; /* or NULL: not asked for */
   uint32_t size_B;
};

static void
prepare_text(const struct script *s, unsigned field, const char *name,
             struct text *text)
{
   const bool is_wanted =
      field < s->count && strcmp(s->words[field], name) == 0;

   memset(text->memory, SCRIPT_UNTOUCHED_BYTE, sizeof(text->memory));
   text->address = is_wanted ? text->memory : NULL;
   text->size_B = is_wanted ? script_number(s, field + 1, 1024) : 0;
}

static void
keep_text(struct script *s, const struct text *text)
{
   if (text->address)
      s->text_result =
         check_text_memory(s, (const uint8_t *)text->memory, text->size_B);
}

/*
 * Sets
 */

static void
call_first(struct script *s)
{
   uint32_t id;

   s->ops->perf->first(s->gl, script_number_out(s, 1, &id));
   script_keep_number(s, 1, id);
}

static void
call_next(struct script *s)
{
   uint32_t id;

   s->ops->perf->next(s->gl, *script_name(s, s->words[1]),
                      script_number_out(s, 2, &id));
   script_keep_number(s, 2, id);
}

static void
call_set(struct script *s)
{
   uint32_t id;
   char name[256];

   script_read_name(s, 2, name);
   s->ops->perf->by_name(s->gl, script_is_null(s, 2) ? NULL : name,
                         script_number_out(s, 1, &id));
   script_keep_number(s, 1, id);
}

/* Of fields of 32 bits, the address of the one that a word names. */
static uint32_t *
field_out(const struct script *s, unsigned i, const char *name,
          uint32_t *field)
{
   return i < s->count && strcmp(s->words[i], name) == 0 ? field : NULL;
}

static void
call_info(struct script *s)
{
   uint32_t field = (uint32_t)SCRIPT_UNTOUCHED;
   struct text name;

   prepare_text(s, 2, "NAME", &name);
   s->ops->perf->info(s->gl, *script_name(s, s->words[1]), name.size_B,
                      name.address, field_out(s, 2, "SIZE", &field),
                      field_out(s, 2, "COUNTERS", &field),
                      field_out(s, 2, "INSTANCES", &field),
                      field_out(s, 2, "CAPS", &field));
   s->result = field;
   s->is_narrow = true;
   keep_text(s, &name);
}

static void
call_counterinfo(struct script *s)
{
   const bool is_max = s->count > 3 && strcmp(s->words[3], "MAX") == 0;
   uint32_t field = (uint32_t)SCRIPT_UNTOUCHED;
   uint64_t max = SCRIPT_UNTOUCHED;
   struct text name, description;

   prepare_text(s, 3, "NAME", &name);
   prepare_text(s, 3, "DESCRIPTION", &description);
   s->ops->perf->counter_info(
      s->gl, *script_name(s, s->words[1]), script_number(s, 2, 0),
      name.size_B, name.address, description.size_B, description.address,
      field_out(s, 3, "OFFSET", &field), field_out(s, 3, "SIZE", &field),
      field_out(s, 3, "TYPE", &field), field_out(s, 3, "DATA_TYPE", &field),
      is_max ? &max : NULL);
   s->result = is_max ? max : field;
   s->is_narrow = !is_max;
   keep_text(s, &name);
   keep_text(s, &description);
}

static void
call_chain(struct script *s)
{
   s->result = script_check_chain(s->ops->perf, s->gl);
}

static void
call_layouts(struct script *s)
{
   script_for_each_set(s->ops->perf, s->gl, script_check_layout);
}

static void
call_lengths(struct script *s)
{
   script_for_each_set(s->ops->perf, s->gl, script_check_lengths);
}

const struct script_call script_set_calls[] = {
   { "first", call_first },
   { "next", call_next },
   { "set", call_set },
   { "info", call_info },
   { "counterinfo", call_counterinfo },
   { "chain", call_chain },
   { "layouts", call_layouts },
   { "lengths", call_lengths },
   { .name = NULL },
};
