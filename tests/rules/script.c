/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "statement.h"
#include "test.h"

#define GL_GPU_DISJOINT_EXT 0x8fbb

#define MAX_STATEMENT 160

/*
 * Operands and values
 */

static bool
is_letter(const char *word)
{
   return word[0] >= 'a' && word[0] <= 'z' && !word[1];
}

static uint64_t
value_of(const struct script *s, const char *word)
{
   unsigned token;
   char *end;

   if (is_letter(word))
      return s->numbers[word[0] - 'a'];
   if (token_value(word, &token))
      return token;
   if (strncmp(word, "record", 6) == 0)
      return s->record_B + strtol(word + 6, NULL, 10);

   const uint64_t number = strtoull(word + (word[0] == '@'), &end, 10);
   if (*end)
      fail_msg("%s: %s is neither a token nor a number", s->text, word);
   return number;
}

uint64_t
script_operand(const struct script *s, unsigned i)
{
   if (i >= s->count)
      fail_msg("%s: there is no operand %u", s->text, i);
   return value_of(s, s->words[i]);
}

uint64_t
script_optional(const struct script *s, unsigned i, uint64_t otherwise)
{
   return i < s->count ? script_operand(s, i) : otherwise;
}

bool
script_is_word(const struct script *s, unsigned i, const char *word)
{
   return i < s->count && strcmp(s->words[i], word) == 0;
}

uint32_t *
script_letter(struct script *s, unsigned i)
{
   if (i >= s->count || !is_letter(s->words[i]))
      fail_msg("%s: operand %u is not a letter", s->text, i);
   return &s->numbers[s->words[i][0] - 'a'];
}

void
script_give(struct script *s, uint64_t number)
{
   s->number = number;
   s->number_B = sizeof(number);
}

void
script_give_memory(struct script *s, unsigned size_B)
{
   s->number = 0;
   memcpy(&s->number, s->memory, size_B);
   s->number_B = s->touched_B = size_B;
}

/*
 * Verbs
 */

/* "-1" instead of names is the count. */
int
script_count(const struct script *s, unsigned first)
{
   return script_is_word(s, first, "-1") ? -1 : (int)(s->count - first);
}

static void
generate(struct script *s, const struct entry_points *gl, unsigned first)
{
   const int n = script_count(s, first);
   uint32_t names[SCRIPT_MAX_WORDS] = { 0 };

   if (first == 1)
      gl->GenQueries(n, names);
   else
      gl->CreateQueries(OP(1), n, names);
   for (int i = 0; i < n; i++)
      *script_letter(s, first + i) = names[i];
}

static void
delete_names(const struct script *s, const struct entry_points *gl)
{
   const int n = script_count(s, 1);
   uint32_t names[SCRIPT_MAX_WORDS];

   for (int i = 0; i < n; i++)
      names[i] = OP(1 + i);
   gl->DeleteQueries(n, names);
}

/* The index is operand i, or none. */
static void
query(struct script *s, const struct entry_points *gl, unsigned pname,
      unsigned i)
{
   int32_t *out = (int32_t *)s->memory;

   if (i < s->count)
      gl->GetQueryIndexediv(OP(1), OP(i), pname, out);
   else
      gl->GetQueryiv(OP(1), pname, out);
   script_give_memory(s, sizeof(*out));
}

/* Reads back what a call wrote to the buffer, if it is not mapped. */
static void
give_buffer(struct script *s, uint64_t offset_B, unsigned size_B)
{
   if (offset_B <= SCRIPT_BUFFER_SIZE_B - size_B && !s->is_mapped)
      s->gl->read_buffer(offset_B, size_B, s->memory);
   script_give_memory(s, size_B);
}

/* Operand i is the type, operand i + 1 the offset; both are optional. */
static void
get(struct script *s, const struct entry_points *gl, unsigned pname,
    unsigned i)
{
   const enum token_type type = script_optional(s, i, TOKEN_UINT64);
   const bool is_in_buffer = i + 1 < s->count;
   void *out = is_in_buffer ? (void *)(intptr_t)OP(i + 1) : (void *)s->memory;

   if (type == TOKEN_INT)
      gl->GetQueryObjectiv(OP(1), pname, out);
   else if (type == TOKEN_UINT)
      gl->GetQueryObjectuiv(OP(1), pname, out);
   else if (type == TOKEN_INT64)
      gl->GetQueryObjecti64v(OP(1), pname, out);
   else
      gl->GetQueryObjectui64v(OP(1), pname, out);
   if (is_in_buffer)
      give_buffer(s, OP(i + 1), token_size_B(type));
   else
      script_give_memory(s, token_size_B(type));
}

static void
put(struct script *s, const struct entry_points *gl)
{
   void (*const puts[])(uint32_t, uint32_t, unsigned, ptrdiff_t) = {
      [TOKEN_INT] = gl->GetQueryBufferObjectiv,
      [TOKEN_UINT] = gl->GetQueryBufferObjectuiv,
      [TOKEN_INT64] = gl->GetQueryBufferObjecti64v,
      [TOKEN_UINT64] = gl->GetQueryBufferObjectui64v,
   };
   const enum token_type type = OP(3);

   puts[type](OP(1), script_optional(s, 5, s->gl->buffer), OP(2), OP(4));
   give_buffer(s, OP(4), token_size_B(type));
}

static void
get_disjoint(struct script *s, const struct entry_points *gl)
{
   const enum token_type type = script_optional(s, 1, TOKEN_INT);
   float as_float = 0;

   if (type == TOKEN_BOOL)
      gl->GetBooleanv(GL_GPU_DISJOINT_EXT, s->memory);
   else if (type == TOKEN_INT)
      gl->GetIntegerv(GL_GPU_DISJOINT_EXT, (int32_t *)s->memory);
   else if (type == TOKEN_INT64)
      gl->GetInteger64v(GL_GPU_DISJOINT_EXT, (int64_t *)s->memory);
   else
      gl->GetFloatv(GL_GPU_DISJOINT_EXT, &as_float);
   script_give_memory(s, token_size_B(type));
   if (type == TOKEN_FLOAT)
      script_give(s, as_float != 0);
}

static void
measure(const struct script *s, const struct entry_points *gl)
{
   gl->BeginQuery(OP(1), OP(2));
   if (s->count > 3)
      s->gl->draw_points(OP(3), OP(1));
   gl->EndQuery(OP(1));
}

static void
draw_if(struct script *s, const struct entry_points *gl)
{
   gl->BeginConditionalRender(OP(1), OP(2));
   script_give(s, s->gl->is_drawn());
   gl->EndConditionalRender();
}

static void
map_buffer(struct script *s, bool is_mapped)
{
   s->is_mapped = is_mapped;
   s->gl->map_buffer(is_mapped);
}

static bool
run_query_verb(struct script *s, const struct entry_points *gl)
{
   VERB("gen", generate(s, gl, 1));
   VERB("create", generate(s, gl, 2));
   VERB("delete", delete_names(s, gl));
   VERB("is", script_give(s, gl->IsQuery(OP(1))));
   VERB("begin", s->count > 3 ? gl->BeginQueryIndexed(OP(1), OP(3), OP(2))
                              : gl->BeginQuery(OP(1), OP(2)));
   VERB("end", s->count > 2 ? gl->EndQueryIndexed(OP(1), OP(2))
                            : gl->EndQuery(OP(1)));
   VERB("measure", measure(s, gl));
   VERB("query", query(s, gl, OP(2), 3));
   VERB("active", query(s, gl, GL_CURRENT_QUERY, 2));
   VERB("bits", query(s, gl, GL_QUERY_COUNTER_BITS, 2));
   VERB("counter", gl->QueryCounter(OP(1), OP(2)));
   VERB("get", get(s, gl, OP(2), 3));
   VERB("result", get(s, gl, GL_QUERY_RESULT, 2));
   VERB("available", get(s, gl, GL_QUERY_RESULT_AVAILABLE, 2));
   VERB("put", put(s, gl));
   VERB("now", gl->GetInteger64v(GL_TIMESTAMP, (int64_t *)s->memory);
        script_give_memory(s, sizeof(int64_t)));
   VERB("disjoint", get_disjoint(s, gl));
   VERB("condition", gl->BeginConditionalRender(OP(1), OP(2)));
   VERB("endcondition", gl->EndConditionalRender());
   VERB("drawif", draw_if(s, gl));
   return false;
}

/* Verbs for other things than query objects. */
static bool
run_other_verb(struct script *s, const struct entry_points *gl)
{
   VERB("bind", s->gl->bind_buffer(true));
   VERB("unbind", s->gl->bind_buffer(false));
   VERB("map", map_buffer(s, true));
   VERB("unmap", map_buffer(s, false));
   VERB("draw", script_give(s, s->gl->is_drawn()));
   VERB("points",
        s->gl->draw_points(OP(1),
                           script_optional(s, 2, GL_VERTICES_SUBMITTED)));
   VERB("immediate", s->gl->draw_immediately(OP(1)));
   VERB("clear", gl->Clear(GL_COLOR_BUFFER_BIT));
   VERB("flush", gl->Flush());
   VERB("finish", gl->Finish());
   VERB("suspend", s->gl->suspend());
   return false;
}

static void
run_verb(struct script *s)
{
   const struct entry_points *gl = s->gl->entry_points;

   memset(s->memory, SCRIPT_UNTOUCHED_BYTE, sizeof(s->memory));
   script_give_memory(s, sizeof(s->number));
   s->touched_B = 0;
   s->string = NULL;
   if (!run_query_verb(s, gl) && !run_other_verb(s, gl) &&
       !script_run_set(s, gl) && !script_run_perf(s, gl) &&
       !script_run_group(s, gl) && !script_run_monitor(s, gl) &&
       !(s->gl->control && s->gl->control(s->words, &s->number)))
      fail_msg("%s: no such verb", s->text);
}

/*
 * Statements
 */

static void
check_error(struct script *s)
{
   const unsigned error = s->gl->entry_points->GetError();
   unsigned expected = s->error ? value_of(s, s->error) : GL_NO_ERROR;

   /* With KHR_no_error mistakes are undefined, and not reported. */
   if (expected && s->gl->has_no_errors) {
      s->is_undefined = true;
      expected = GL_NO_ERROR;
   }
   if (error != expected)
      fail_msg("%s: %s (%s), expected %s", s->text, token_error_name(error),
               s->gl->error_message(), token_error_name(expected));
}

/* An error without a value means that nothing is written. */
static void
check_value(const struct script *s)
{
   const char *value = s->value ? s->value : s->error ? "untouched" : NULL;
   uint64_t expected;

   if (!value || s->is_undefined)
      return;
   if (s->string) {
      if (strcmp(s->string, value))
         fail_msg("%s: \"%s\"", s->text, s->string);
      return;
   }
   if (strcmp(value, "untouched") == 0)
      memset(&expected, SCRIPT_UNTOUCHED_BYTE, sizeof(expected));
   else
      expected = value_of(s, value);
   if (memcmp(&s->number, &expected, s->number_B))
      fail_msg("%s: %" PRIu64 ", expected %" PRIu64, s->text, s->number,
               expected);
}

static void
check_memory(const struct script *s)
{
   for (unsigned i = s->touched_B; i < SCRIPT_MEMORY_SIZE_B; i++) {
      if (s->memory[i] != SCRIPT_UNTOUCHED_BYTE)
         fail_msg("%s: byte %u, past the value, was written", s->text, i);
   }
}

static void
split(struct script *s, char *statement)
{
   const char **target = NULL;
   char *rest;

   s->count = 0;
   s->value = s->error = NULL;
   memset(s->words, 0, sizeof(s->words));
   for (char *word = strtok_r(statement, " ", &rest); word;
        word = strtok_r(NULL, " ", &rest)) {
      if (strcmp(word, "=") == 0)
         target = &s->value;
      else if (strcmp(word, "!") == 0)
         target = &s->error;
      else if (target)
         *target = word;
      else
         s->words[s->count++] = word;
      assert_true(s->count < SCRIPT_MAX_WORDS);
   }
}

static void
run_statement(void *data)
{
   struct script *s = data;
   char copy[MAX_STATEMENT];

   if (snprintf(copy, sizeof(copy), "%s", s->text) >= MAX_STATEMENT)
      fail_msg("%s: too long", s->text);
   split(s, copy);
   run_verb(s);
   check_error(s);
   check_value(s);
   check_memory(s);
}

void
script_run(const struct script_gl *gl, const char *script)
{
   struct script s = { .gl = gl };
   char *copy = strdup(script);
   char *rest;

   for (s.text = strtok_r(copy, ";", &rest); s.text;
        s.text = strtok_r(NULL, ";", &rest))
      run_step(run_statement, &s);
   free(copy);
}
