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
#define UNTOUCHED UINT64_C(0xaaaaaaaaaaaaaaaa)

struct script {
   struct host *host;
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
type_of(const char *word)
{
   static const char *const names[] = {
      [PITOT_TYPE_I32] = "i",
      [PITOT_TYPE_U32] = "ui",
      [PITOT_TYPE_I64] = "i64",
      [PITOT_TYPE_U64] = "ui64",
   };

   for (unsigned i = 0; word && i < ARRAY_LENGTH(names); i++) {
      if (strcmp(names[i], word) == 0)
         return i;
   }
   return PITOT_TYPE_U64;
}

static enum pitot_kind
kind_of(const struct script *s, unsigned i)
{
   static const struct {
      const char *target;
      enum pitot_kind kind;
   } counted[] = {
      { "SAMPLES_PASSED", PITOT_KIND_SAMPLES_PASSED },
      { "ANY_SAMPLES_PASSED", PITOT_KIND_ANY_SAMPLES_PASSED },
      { "PRIMITIVES_GENERATED", PITOT_KIND_PRIMITIVES_GENERATED },
      { "TRANSFORM_FEEDBACK_OVERFLOW", PITOT_KIND_ANY_STREAM_OVERFLOW },
   };

   for (unsigned k = 0; k < ARRAY_LENGTH(counted); k++) {
      if (strcmp(counted[k].target, s->words[i]) == 0)
         return counted[k].kind;
   }
   fail_msg("%s: nothing counts %s", s->text, s->words[i]);
   return PITOT_KIND_NONE;
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

   pitot_gl_gen_queries(s->host->gl, n, ids);
   for (int i = 0; i < n; i++)
      *names[i] = ids[i];
}

static void
call_create(struct script *s)
{
   uint32_t *names[MAX_WORDS], ids[MAX_WORDS] = { 0 };
   const int n = read_names(s, 2, names);

   pitot_gl_create_queries(s->host->gl, token(s, 1), n, ids);
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
   pitot_gl_delete_queries(s->host->gl, n, ids);
}

static void
call_name(struct script *s)
{
   *name_of(s, s->words[1]) = number(s, 2, 0);
}

static void
call_is(struct script *s)
{
   s->result = pitot_gl_is_query(s->host->gl, *name_of(s, s->words[1]));
}

static void
call_begin(struct script *s)
{
   pitot_gl_begin_query(s->host->gl, "glBeginQuery", token(s, 1),
                        number(s, 3, 0), *name_of(s, s->words[2]));
}

static void
call_end(struct script *s)
{
   pitot_gl_end_query(s->host->gl, "glEndQuery", token(s, 1),
                      number(s, 2, 0));
}

static void
call_counter(struct script *s)
{
   pitot_gl_query_counter(s->host->gl, *name_of(s, s->words[1]), token(s, 2));
}

static void
call_query(struct script *s)
{
   int32_t value = (int32_t)UNTOUCHED;

   pitot_gl_get_query(s->host->gl, "glGetQueryiv", token(s, 1),
                      number(s, 3, 0), token(s, 2), &value);
   s->result = (uint32_t)value;
   s->is_narrow = true;
}

/* Takes a value that was written to memory, or the pattern that was there. */
static void
take_memory(struct script *s, const void *memory, unsigned size_B)
{
   s->result = 0;
   s->is_narrow = size_B == 4;
   memcpy(&s->result, memory, size_B);
}

static void
call_get(struct script *s)
{
   const enum pitot_type type = type_of(s->words[3]);
   const char *last = s->words[s->count - 1];
   const bool has_offset = last[0] == '@';
   const uintptr_t offset = has_offset ? strtoul(last + 1, NULL, 10) : 0;
   uint64_t memory = UNTOUCHED;
   void *params = has_offset ? (void *)offset : &memory;

   pitot_gl_get_query_object(s->host->gl, "glGetQueryObject",
                             *name_of(s, s->words[1]), token(s, 2), type,
                             params);
   take_memory(s, has_offset ? &s->host->buffer[offset] : (void *)&memory,
               pitot_type_size_B(type));
}

static void
call_put(struct script *s)
{
   const enum pitot_type type = type_of(s->words[3]);
   const int64_t offset = number(s, 4, 0);

   pitot_gl_get_query_buffer_object(s->host->gl, "glGetQueryBufferObject",
                                    *name_of(s, s->words[1]),
                                    number(s, 5, HOST_BUFFER_NAME),
                                    token(s, 2), type, offset);
   if (offset >= 0 && offset <= HOST_BUFFER_SIZE_B - 8)
      take_memory(s, &s->host->buffer[offset], pitot_type_size_B(type));
}

static void
call_bind(struct script *s)
{
   s->host->is_bound = true;
}

static void
call_unbind(struct script *s)
{
   s->host->is_bound = false;
}

static void
call_map(struct script *s)
{
   s->host->is_mapped = true;
}

static void
call_unmap(struct script *s)
{
   s->host->is_mapped = false;
}

static void
call_condition(struct script *s)
{
   pitot_gl_begin_conditional_render(s->host->gl, *name_of(s, s->words[1]),
                                     token(s, 2));
}

static void
call_draw(struct script *s)
{
   s->result = pitot_gl_condition_passes(s->host->gl);
}

static void
call_endcondition(struct script *s)
{
   pitot_gl_end_conditional_render(s->host->gl);
}

static void
call_count(struct script *s)
{
   s->host->null.counters[kind_of(s, 1)][0] += number(s, 2, 0);
}

static void
call_time(struct script *s)
{
   s->host->null.time_ns = strtoull(s->words[1], NULL, 10);
}

static void
call_now(struct script *s)
{
   s->result = pitot_gl_timestamp(s->host->gl);
}

static void
call_disjoint(struct script *s)
{
   s->result = pitot_gl_gpu_disjoint(s->host->gl);
}

static void
call_hold(struct script *s)
{
   s->host->null.done = s->host->null.issued;
}

static void
call_release(struct script *s)
{
   s->host->null.done = UINT64_MAX;
}

static void
call_lose(struct script *s)
{
   s->host->null.is_lost = true;
}

static void
call_fail(struct script *s)
{
   static const char *const names[] = {
      [PITOT_NULL_CREATE] = "create",
      [PITOT_NULL_BEGIN] = "begin",
      [PITOT_NULL_END] = "end",
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(names); i++)
      s->host->null.fail[i] = strcmp(names[i], s->words[1]) == 0;
}

static const struct {
   const char *name;
   void (*call)(struct script *s);
} calls[] = {
   { "gen", call_gen },       { "create", call_create },
   { "delete", call_delete }, { "name", call_name },
   { "is", call_is },         { "begin", call_begin },
   { "end", call_end },       { "counter", call_counter },
   { "query", call_query },   { "get", call_get },
   { "put", call_put },       { "bind", call_bind },
   { "unbind", call_unbind }, { "map", call_map },
   { "unmap", call_unmap },   { "condition", call_condition },
   { "draw", call_draw },     { "endcondition", call_endcondition },
   { "count", call_count },   { "time", call_time },
   { "now", call_now },       { "disjoint", call_disjoint },
   { "hold", call_hold },     { "release", call_release },
   { "lose", call_lose },     { "fail", call_fail },
};

/*
 * Statements
 */

static uint64_t
expected_value(struct script *s)
{
   unsigned value;

   if (strcmp(s->value, "untouched") == 0)
      return UNTOUCHED;
   if (s->value[0] >= 'a' && s->value[0] <= 'z')
      return *name_of(s, s->value);
   if (token_value(s->value, &value))
      return value;
   return strtoull(s->value, NULL, 10);
}

static void
check(struct script *s, const char *error_word)
{
   const unsigned error = host_take_error(s->host);
   unsigned expected_error = 0;

   if (error_word && !token_value(error_word, &expected_error))
      fail_msg("%s: %s is no error", s->text, error_word);
   if (error != expected_error)
      fail_msg("%s: %s (%s), expected %s", s->text, token_error_name(error),
               s->host->message, token_error_name(expected_error));

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
script_run(struct host *host, const char *script)
{
   struct script s = { .host = host };
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
