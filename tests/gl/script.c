/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script_call.h"
#include "test.h"
#include "token.h"

static uint64_t
expected_value(struct script *s)
{
   unsigned value;

   if (strcmp(s->value, "untouched") == 0)
      return SCRIPT_UNTOUCHED;
   if (strcmp(s->value, "record") == 0)
      return s->record_B;
   if (s->value[0] >= 'a' && s->value[0] <= 'z')
      return *script_name(s, s->value);
   if (token_value(s->value, &value))
      return value;
   return strtoull(s->value, NULL, 10);
}

static void
check_error(struct script *s, const char *error_word)
{
   const unsigned error = s->ops->take_error(s->gl);
   unsigned expected = 0;

   if (error_word && !token_value(error_word, &expected))
      fail_msg("%s: %s is no error", s->text, error_word);

   /* A mistake does whatever it does there, but for crashing, and glGetError
    * does not tell.
    */
   if (expected && s->has_no_errors) {
      s->is_undefined = true;
      expected = 0;
   }
   if (error != expected)
      fail_msg("%s: %s (%s), expected %s", s->text, token_error_name(error),
               s->ops->error_message(s->gl), token_error_name(expected));
}

static void
check_text(struct script *s)
{
   if (strcmp(s->text_result, s->value))
      fail_msg("%s: \"%s\"", s->text, s->text_result);
}

static void
check_number(struct script *s)
{
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
      else if (s->count < SCRIPT_MAX_WORDS)
         s->words[s->count++] = word;
   }
   s->words[s->count] = NULL;
   return error;
}

static void
run_statement(struct script *s, char *statement)
{
   const char *error = split(s, statement);

   script_call(s);
   check_error(s, error);
   if (s->value && !s->is_undefined)
      (s->text_result ? check_text : check_number)(s);
   free(s->text_result);
   s->text_result = NULL;
}

static void
run(struct script *s, const char *script)
{
   char *copy = strdup(script);
   char *rest;

   for (char *statement = strtok_r(copy, ";", &rest); statement;
        statement = strtok_r(NULL, ";", &rest)) {
      char text[160];

      snprintf(text, sizeof(text), "%s", statement);
      s->text = text;
      run_statement(s, statement);
   }
   free(copy);
}

void
script_run(const struct script_ops *ops, void *gl, const char *script)
{
   run(&(struct script){ .ops = ops, .gl = gl }, script);
}

void
script_run_no_error(const struct script_ops *ops, void *gl,
                    const char *script)
{
   run(&(struct script){ .ops = ops, .gl = gl, .has_no_errors = true },
       script);
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
