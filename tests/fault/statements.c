/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>
#include <string.h>

#include "rules/statement.h"
#include "statements.h"
#include "test.h"

static struct {
   const char *script;
   const char *statement;
   unsigned queries;   /* of the statement */
   bool should_fail;   /* out of memory */
   bool has_failed;    /* out of memory, but should not */
   unsigned injected;  /* failed calls before the statement */
   unsigned monitor;   /* whose results were read last */
   unsigned condition; /* that draws depend on */
   unsigned lost;
} the;

/* Statements that another run does not undo. */
static const struct final {
   const char *verb;
   bool has_target; /* instead of a query */
   bool can_repeat;
} finals[] = {
   { "end ", true, false },
   { "stop ", false, false },
   { "unwatch ", false, false },
   { "select ", false, true }, /* loses the results of an active monitor */
   { "deselect ", false, true },
   { "perf a s 3000", false, false }, /* some were created */
};

static bool
is_verb(const char *verb)
{
   return strncmp(the.statement + strspn(the.statement, " "), verb,
                  strlen(verb)) == 0;
}

/* A statement ends with ";" or the text. */
static bool
contains(const char *statement, const char *words)
{
   const char *found = strstr(statement, words);

   return found && (size_t)(found - statement) < strcspn(statement, ";");
}

static unsigned
queries_in(const char *statement)
{
   unsigned queries = 0;

   for (const char *c = statement; *c && *c != ';'; c++) {
      if (*c == ' ' && c[1] >= 'a' && c[1] <= 'z' && strchr(" ;", c[2]))
         queries |= 1u << (c[1] - 'a');
   }
   return queries;
}

/* The queries of all statements that contain the words. */
static unsigned
queries_with(const char *words)
{
   const char *s = the.script;
   unsigned queries = 0;

   while (s) {
      if (contains(s, words))
         queries |= queries_in(s);
      s = strchr(s, ';');
      s = s ? s + 1 : NULL;
   }
   return queries;
}

unsigned
statements_times(void)
{
   return queries_with("TIME") | queries_with("GPU_Time");
}

static unsigned
find_queries(void)
{
   if (is_verb("seen "))
      return the.monitor;
   if (is_verb("draw ") || is_verb("endcondition"))
      return the.condition;
   if (is_verb("disjoint"))
      return statements_times();
   return queries_in(the.statement);
}

unsigned
statements_queries(void)
{
   return the.queries;
}

void
statements_forget(const char *script)
{
   memset(&the, 0, sizeof(the));
   the.script = script;
}

void
statements_begin(const void *script)
{
   /* The script meant another call to fail, which will fail later. */
   if (the.should_fail && fault_injected() > the.injected)
      the.lost |= the.queries;
   the.statement = ((const struct script *)script)->text;
   the.queries = find_queries();
   the.should_fail = contains(the.statement, "! OUT_OF_MEMORY");
   the.injected = fault_injected();
   if (is_verb("results "))
      the.monitor = the.queries;
   if (is_verb("condition "))
      the.condition = the.queries;
}

bool
statements_explain(const char *text)
{
   the.has_failed = strstr(text, ": OUT_OF_MEMORY (");

   /* The record is lost, or the call that the script meant to fail here
    * failed before.
    */
   if (strstr(text, " lost))") || strstr(text, "expected OUT_OF_MEMORY"))
      the.lost |= the.queries;
   return the.has_failed || the.queries & the.lost;
}

enum rig_next
statements_after(void)
{
   char target[64] = "";

   if (!the.has_failed)
      return RIG_GOES_ON;
   for (unsigned i = 0; i < ARRAY_LENGTH(finals); i++) {
      if (is_verb(finals[i].verb)) {
         sscanf(the.statement, "%*s %63s", target);
         the.lost |=
            finals[i].has_target ? queries_with(target) : the.queries;
         return finals[i].can_repeat ? RIG_REPEATS_STEP : RIG_GOES_ON;
      }
   }
   return RIG_REPEATS_STEP;
}
