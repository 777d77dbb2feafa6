/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"
#include "test.h"
#include "token.h"

#define MAX_WORDS 16

struct script {
   const struct script_ops *ops;
   void *gl;
   uint32_t names[26];

   /* The statement at hand. */
   const char *text;
   char *words[MAX_WORDS + 1]; /* ends with NULL */
   unsigned count;
   const char *value; /* after "=", or NULL */
   uint64_t result;   /* what the call gave */
   bool is_narrow;    /* 32 bits of it */
};

/*
 * Arguments
 */

static unsigned
token(const struct script *s, unsigned i)
{
   unsigned value = 0;

   if (i >= s->count || !token_value(s->words[i], &value))
      fail_msg("%s: word %u is no token", s->text, i);
   return value;
}

static uint32_t *
name_of(struct script *s, const char *word)
{
   if (!word || word[0] < 'a' || word[0] > 'z' || word[1])
      fail_msg("%s: %s is no query", s->text, word ? word : "(nothing)");
   return &s->names[word[0] - 'a'];
}

static int64_t
number(const struct script *s, unsigned i, int64_t otherwise)
{
   return i < s->count ? strtoll(s->words[i], NULL, 10) : otherwise;
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
      out[n++] = name_of(s, s->words[i]);
   return n;
}

static void
call_gen(struct script *s)
{
   uint32_t *names[MAX_WORDS], ids[MAX_WORDS] = { 0 };
   const int n = read_names(s, 1, names);

   s->ops->gen(s->gl, n, ids);
   for (int i = 0; i < n; i++)
      *names[i] = ids[i];
}

static void
call_create(struct script *s)
{
   uint32_t *names[MAX_WORDS], ids[MAX_WORDS] = { 0 };
   const int n = read_names(s, 2, names);

   s->ops->create(s->gl, token(s, 1), n, ids);
   for (int i = 0; i < n; i++)
      *names[i] = ids[i];
}

static void
call_delete(struct script *s)
{
   uint32_t *names[MAX_WORDS], ids[MAX_WORDS];
   const int n = read_names(s, 1, names);

   for (int i = 0; i < n; i++)
      ids[i] = *names[i];
   s->ops->delete_ids(s->gl, n, ids);
}

static void
call_name(struct script *s)
{
   *name_of(s, s->words[1]) = number(s, 2, 0);
}

static void
call_is(struct script *s)
{
   s->result = s->ops->is(s->gl, *name_of(s, s->words[1]));
}

static void
call_begin(struct script *s)
{
   s->ops->begin(s->gl, token(s, 1), number(s, 3, -1),
                 *name_of(s, s->words[2]));
}

static void
call_end(struct script *s)
{
   s->ops->end(s->gl, token(s, 1), number(s, 2, -1));
}

static void
call_counter(struct script *s)
{
   s->ops->counter(s->gl, *name_of(s, s->words[1]), token(s, 2));
}

static void
call_query(struct script *s)
{
   int32_t value = (int32_t)SCRIPT_UNTOUCHED;

   s->ops->query(s->gl, token(s, 1), number(s, 3, -1), token(s, 2), &value);
   s->result = (uint32_t)value;
   s->is_narrow = true;
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
      const uintptr_t offset = strtoul(last + 1, NULL, 10);

      s->ops->get(s->gl, *name_of(s, s->words[1]), token(s, 2), type,
                  (void *)offset);
      s->ops->read_buffer(s->gl, offset, size_B, &s->result);
   } else {
      s->ops->get(s->gl, *name_of(s, s->words[1]), token(s, 2), type,
                  &memory);
      memcpy(&s->result, &memory, size_B);
   }
}

static void
call_put(struct script *s)
{
   const enum pitot_type type = type_of(s, 3);
   const unsigned size_B = pitot_type_size_B(type);
   const int64_t offset = number(s, 4, 0);

   s->ops->put(s->gl, *name_of(s, s->words[1]), number(s, 5, -1), token(s, 2),
               type, offset);
   s->is_narrow = size_B == 4;
   s->result = 0;
   if (offset >= 0 && offset <= SCRIPT_BUFFER_SIZE_B - size_B)
      s->ops->read_buffer(s->gl, offset, size_B, &s->result);
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
   s->ops->condition(s->gl, *name_of(s, s->words[1]), token(s, 2));
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
call_count(struct script *s)
{
   s->ops->count(s->gl, s->words[1], number(s, 2, 0));
}

static void
call_now(struct script *s)
{
   s->result = s->ops->now(s->gl);
}

static void
call_disjoint(struct script *s)
{
   s->result = s->ops->disjoint(s->gl);
}

static void
call_control(struct script *s)
{
   s->ops->control(s->gl, s->words[0], s->words[1]);
}

static const struct {
   const char *name;
   void (*call)(struct script *s);
} calls[] = {
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
   { "count", call_count },
   { "now", call_now },
   { "disjoint", call_disjoint },
   { "time", call_control },
   { "hold", call_control },
   { "release", call_control },
   { "lose", call_control },
   { "fail", call_control },
};

/*
 * Statements
 */

static uint64_t
expected_value(struct script *s)
{
   unsigned value;

   if (strcmp(s->value, "untouched") == 0)
      return SCRIPT_UNTOUCHED;
   if (s->value[0] >= 'a' && s->value[0] <= 'z')
      return *name_of(s, s->value);
   if (token_value(s->value, &value))
      return value;
   return strtoull(s->value, NULL, 10);
}

static void
check(struct script *s, const char *error_word)
{
   const unsigned error = s->ops->take_error(s->gl);
   unsigned expected_error = 0;

   if (error_word && !token_value(error_word, &expected_error))
      fail_msg("%s: %s is no error", s->text, error_word);
   if (error != expected_error)
      fail_msg("%s: %s (%s), expected %s", s->text, token_error_name(error),
               s->ops->error_message(s->gl),
               token_error_name(expected_error));

   if (!s->value)
      return;
   uint64_t expected = expected_value(s);
   if (s->is_narrow)
      expected = (uint32_t)expected;
   if (s->result != expected)
      fail_msg("%s: %" PRIu64 ", expected %" PRIu64, s->text, s->result,
               expected);
}

/* Splits a statement into its call, value and error, which it returns. */
static const char *
split(struct script *s, char *statement)
{
   const char *error = NULL;
   const char **target = NULL;
   char *rest;

   s->count = 0;
   s->value = NULL;
   for (char *word = strtok_r(statement, " ", &rest); word;
        word = strtok_r(NULL, " ", &rest)) {
      if (strcmp(word, "=") == 0)
         target = &s->value;
      else if (strcmp(word, "!") == 0)
         target = &error;
      else if (target)
         *target = word;
      else if (s->count < MAX_WORDS)
         s->words[s->count++] = word;
   }
   s->words[s->count] = NULL;
   return error;
}

static void
run_statement(struct script *s, char *statement)
{
   const char *error = split(s, statement);

   for (unsigned i = 0; i < ARRAY_LENGTH(calls); i++) {
      if (strcmp(calls[i].name, s->words[0]) == 0) {
         s->is_narrow = false;
         calls[i].call(s);
         check(s, error);
         return;
      }
   }
   fail_msg("%s: no such call", s->text);
}

void
script_run(const struct script_ops *ops, void *gl, const char *script)
{
   struct script s = { .ops = ops, .gl = gl };
   char *copy = strdup(script);
   char *rest;

   for (char *statement = strtok_r(copy, ";", &rest); statement;
        statement = strtok_r(NULL, ";", &rest)) {
      char text[160];

      snprintf(text, sizeof(text), "%s", statement);
      s.text = text;
      run_statement(&s, statement);
   }
   free(copy);
}

const char *
script_find_obstacle(const char *script,
                     const char *(*obstacle)(void *data, const char *word),
                     void *data)
{
   const char *reason = NULL;
   char *copy = strdup(script);
   char *rest;

   for (char *word = strtok_r(copy, " ;", &rest); word && !reason;
        word = strtok_r(NULL, " ;", &rest))
      reason = obstacle(data, word);
   free(copy);
   return reason;
}
