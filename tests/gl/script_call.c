/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script_call.h"
#include "test.h"
#include "token.h"

/*
 * Arguments
 */

unsigned
script_token(const struct script *s, unsigned i)
{
   unsigned value = 0;

   if (i >= s->count || !token_value(s->words[i], &value))
      fail_msg("%s: word %u is no token", s->text, i);
   return value;
}

uint32_t *
script_name(struct script *s, const char *word)
{
   if (!word || word[0] < 'a' || word[0] > 'z' || word[1])
      fail_msg("%s: %s is no query", s->text, word ? word : "(nothing)");
   return &s->names[word[0] - 'a'];
}

int64_t
script_number(const struct script *s, unsigned i, int64_t otherwise)
{
   return i < s->count ? strtoll(s->words[i], NULL, 10) : otherwise;
}

bool
script_is_null(const struct script *s, unsigned i)
{
   return i < s->count && strcmp(s->words[i], "NULL") == 0;
}

uint32_t *
script_number_out(const struct script *s, unsigned i, uint32_t *number)
{
   *number = (uint32_t)SCRIPT_UNTOUCHED;
   return script_is_null(s, i) ? NULL : number;
}

void
script_keep_number(struct script *s, unsigned i, uint32_t number)
{
   if (i < s->count && !script_is_null(s, i))
      *script_name(s, s->words[i]) = number;
   s->result = number;
   s->is_narrow = true;
}

void
script_read_name(const struct script *s, unsigned i, char name_out[256])
{
   snprintf(name_out, 256, "%s", i < s->count ? s->words[i] : "");
   for (char *c = name_out; *c; c++)
      *c = *c == '_' ? ' ' : *c;
}

static enum pitot_type
type_of(const struct script *s, unsigned i)
{
   static const char *const names[] = {
      [PITOT_TYPE_I32] = "i",
      [PITOT_TYPE_U32] = "ui",
      [PITOT_TYPE_I64] = "i64",
      [PITOT_TYPE_U64] = "ui64",
   };

   for (unsigned t = 0; i < s->count && t < ARRAY_LENGTH(names); t++) {
      if (strcmp(names[t], s->words[i]) == 0)
         return t;
   }
   if (i < s->count)
      fail_msg("%s: %s is no type", s->text, s->words[i]);
   return PITOT_TYPE_U64;
}

/*
 * Calls
 */

/* Reads ids from word first on; "-1" is the count alone. */
static int
read_names(struct script *s, unsigned first, uint32_t **out)
{
   int n = 0;

   if (first < s->count && strcmp(s->words[first], "-1") == 0)
      return -1;
   for (unsigned i = first; i < s->count; i++)
      out[n++] = script_name(s, s->words[i]);
   return n;
}

static void
call_gen(struct script *s)
{
   uint32_t *names[SCRIPT_MAX_WORDS], ids[SCRIPT_MAX_WORDS] = { 0 };
   const int n = read_names(s, 1, names);

   s->ops->gen(s->gl, n, ids);
   for (int i = 0; i < n; i++)
      *names[i] = ids[i];
}

static void
call_create(struct script *s)
{
   uint32_t *names[SCRIPT_MAX_WORDS], ids[SCRIPT_MAX_WORDS] = { 0 };
   const int n = read_names(s, 2, names);

   s->ops->create(s->gl, script_token(s, 1), n, ids);
   for (int i = 0; i < n; i++)
      *names[i] = ids[i];
}

static void
call_delete(struct script *s)
{
   uint32_t *names[SCRIPT_MAX_WORDS], ids[SCRIPT_MAX_WORDS];
   const int n = read_names(s, 1, names);

   for (int i = 0; i < n; i++)
      ids[i] = *names[i];
   s->ops->delete_ids(s->gl, n, ids);
}

static void
call_name(struct script *s)
{
   *script_name(s, s->words[1]) = script_number(s, 2, 0);
}

static void
call_is(struct script *s)
{
   s->result = s->ops->is(s->gl, *script_name(s, s->words[1]));
}

static void
call_begin(struct script *s)
{
   s->ops->begin(s->gl, script_token(s, 1), script_number(s, 3, -1),
                 *script_name(s, s->words[2]));
}

static void
call_end(struct script *s)
{
   s->ops->end(s->gl, script_token(s, 1), script_number(s, 2, -1));
}

static void
call_counter(struct script *s)
{
   s->ops->counter(s->gl, *script_name(s, s->words[1]), script_token(s, 2));
}

static void
call_query(struct script *s)
{
   int32_t value = (int32_t)SCRIPT_UNTOUCHED;

   s->ops->query(s->gl, script_token(s, 1), script_number(s, 3, -1),
                 script_token(s, 2), &value);
   s->result = (uint32_t)value;
   s->is_narrow = true;
}

/* Reads what a call wrote to the buffer, if the statement says what. */
static void
read_buffer(struct script *s, int64_t offset_B, unsigned size_B)
{
   s->is_narrow = size_B == 4;
   s->result = 0;
   if (s->value)
      s->ops->read_buffer(s->gl, offset_B, size_B, &s->result);
}

static void
call_get(struct script *s)
{
   const enum pitot_type type = type_of(s, 3);
   const unsigned size_B = pitot_type_size_B(type);
   const char *last = s->words[s->count - 1];
   uint64_t memory = SCRIPT_UNTOUCHED;

   s->is_narrow = size_B == 4;
   s->result = 0;
   if (last[0] == '@') {
      const int64_t offset_B = strtoll(last + 1, NULL, 10);

      s->ops->get(s->gl, *script_name(s, s->words[1]), script_token(s, 2),
                  type, (void *)(intptr_t)offset_B);
      read_buffer(s, offset_B, size_B);
   } else {
      s->ops->get(s->gl, *script_name(s, s->words[1]), script_token(s, 2),
                  type, &memory);
      memcpy(&s->result, &memory, size_B);
   }
}

static void
call_put(struct script *s)
{
   const enum pitot_type type = type_of(s, 3);
   const int64_t offset_B = script_number(s, 4, 0);

   s->ops->put(s->gl, *script_name(s, s->words[1]), script_number(s, 5, -1),
               script_token(s, 2), type, offset_B);
   read_buffer(s, offset_B, pitot_type_size_B(type));
}

static void
call_bind(struct script *s)
{
   s->ops->bind(s->gl, s->words[0][0] == 'b');
}

static void
call_map(struct script *s)
{
   s->ops->map(s->gl, s->words[0][0] == 'm');
}

static void
call_condition(struct script *s)
{
   s->ops->condition(s->gl, *script_name(s, s->words[1]), script_token(s, 2));
}

static void
call_endcondition(struct script *s)
{
   s->ops->endcondition(s->gl);
}

static void
call_draw(struct script *s)
{
   s->result = s->ops->draw(s->gl);
}

static void
call_clear(struct script *s)
{
   s->ops->clear(s->gl);
}

static void
call_count(struct script *s)
{
   s->ops->count(s->gl, s->words[1], script_number(s, 2, 0));
}

static void
call_now(struct script *s)
{
   s->result = s->ops->now(s->gl);
}

/* The glGet that a getter of the table names. */
static enum script_getter
getter_of(const struct script *s, unsigned i)
{
   static const char *const names[] = {
      [SCRIPT_GET_BOOLEAN] = "b",
      [SCRIPT_GET_INTEGER] = "i",
      [SCRIPT_GET_INTEGER64] = "i64",
      [SCRIPT_GET_FLOAT] = "f",
   };

   for (unsigned g = 0; i < s->count && g < ARRAY_LENGTH(names); g++) {
      if (strcmp(names[g], s->words[i]) == 0)
         return g;
   }
   if (i < s->count)
      fail_msg("%s: %s is no getter", s->text, s->words[i]);
   return SCRIPT_GET_INTEGER;
}

static void
call_disjoint(struct script *s)
{
   s->result = s->ops->disjoint(s->gl, getter_of(s, 1));
}

static void
call_suspend(struct script *s)
{
   s->ops->suspend(s->gl);
}

static void
call_immediate(struct script *s)
{
   s->ops->immediate(s->gl, script_number(s, 1, 0));
}

static void
call_flush(struct script *s)
{
   s->ops->flush(s->gl);
}

static void
call_finish(struct script *s)
{
   s->ops->finish(s->gl);
}

static void
call_flushed(struct script *s)
{
   s->result = s->ops->flushed(s->gl);
}

static void
call_waited(struct script *s)
{
   s->result = s->ops->waited(s->gl);
}

static void
call_fail(struct script *s)
{
   s->ops->fail_next(s->gl, s->words[1], script_number(s, 2, 1));
}

static void
call_control(struct script *s)
{
   s->ops->control(s->gl, s->words[0], s->words[1]);
}

static const struct script_call calls[] = {
   { "gen", call_gen },
   { "create", call_create },
   { "delete", call_delete },
   { "name", call_name },
   { "is", call_is },
   { "begin", call_begin },
   { "end", call_end },
   { "counter", call_counter },
   { "query", call_query },
   { "get", call_get },
   { "put", call_put },
   { "bind", call_bind },
   { "unbind", call_bind },
   { "map", call_map },
   { "unmap", call_map },
   { "condition", call_condition },
   { "endcondition", call_endcondition },
   { "draw", call_draw },
   { "clear", call_clear },
   { "count", call_count },
   { "now", call_now },
   { "disjoint", call_disjoint },
   { "suspend", call_suspend },
   { "immediate", call_immediate },
   { "flush", call_flush },
   { "finish", call_finish },
   { "flushed", call_flushed },
   { "waited", call_waited },
   { "nosets", call_control },
   { "time", call_control },
   { "hold", call_control },
   { "release", call_control },
   { "lose", call_control },
   { "fail", call_fail },
   { .name = NULL },
};

void
script_call(struct script *s)
{
   static const struct script_call *const tables[] = {
      calls,
      script_set_calls,
      script_session_calls,
   };

   s->is_narrow = false;
   for (unsigned t = 0; t < ARRAY_LENGTH(tables); t++) {
      for (const struct script_call *row = tables[t]; row->name; row++) {
         if (strcmp(row->name, s->words[0]) == 0) {
            row->call(s);
            return;
         }
      }
   }
   fail_msg("%s: no such call", s->text);
}
