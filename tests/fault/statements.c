/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cases.h"
#include "fail_memory.h"
#include "gl/host.h"
#include "rules/statement.h"
#include "statements.h"
#include "test.h"

#define LETTER_COUNT 26

/* Sets of queries have bit 0 for "a", and so on. */
static struct {
   struct host *host;
   const char *text; /* of the statement */
   char verb[50];    /* with spaces around it */
   char words[3][48];
   unsigned query;                /* that the statement is about */
   unsigned monitor;              /* whose results were read last */
   unsigned times;                /* queries that measured a time last */
   char active[LETTER_COUNT][48]; /* targets of active queries */

   unsigned injected;  /* failed calls before the statement */
   unsigned silent;    /* calls that failed without an error */
   unsigned lost;      /* queries whose last results are lost */
   bool has_lost_read; /* a read lost one */
   enum rig_next next; /* after the failure that is explained */

   /* Before the statement. */
   struct pitot_null null;
   unsigned fail_memory;
} the;

/* Verbs have spaces around them. */
static bool
is_verb(const char *verbs)
{
   return strstr(verbs, the.verb) != NULL;
}

static unsigned
bit_of(const char *word)
{
   return word[0] >= 'a' && word[0] <= 'z' && !word[1] ? 1u << (word[0] - 'a')
                                                       : 0;
}

/* The query that the statement ends, even if the driver fails. */
static unsigned
take_active(void)
{
   unsigned query = 0;

   for (unsigned i = 0; i < LETTER_COUNT; i++) {
      if (strcmp(the.active[i], the.words[1]) == 0) {
         query |= 1u << i;
         the.active[i][0] = '\0';
      }
   }
   return query;
}

void
statements_forget(struct host *host)
{
   memset(&the, 0, sizeof(the));
   the.host = host;
}

void
rig_begin_step(void *script)
{
   memset(the.words, 0, sizeof(the.words));
   the.text = ((const struct script *)script)->text;
   sscanf(the.text, "%47s %47s %47s", the.words[0], the.words[1],
          the.words[2]);
   snprintf(the.verb, sizeof(the.verb), " %s ", the.words[0]);
   the.query = bit_of(the.words[bit_of(the.words[1]) ? 1 : 2]);
   if (is_verb(" end "))
      the.query = take_active();
   if (is_verb(" results "))
      the.monitor = the.query;
   if (is_verb(" seen "))
      the.query = the.monitor;
   the.injected = fault_injected();
   the.null = the.host->null;
   the.fail_memory = fail_memory;
}

static bool
is_of_reads(void)
{
   return fault_armed() && fault_armed()->site == FAULT_DRIVER_RESULT;
}

/* A lost result makes times disjoint (pitot_query_resolve()). */
static void
note_lost_read(void)
{
   if (!pitot_gl_gpu_disjoint(the.host->gl))
      fail_msg("%s: a result is lost, but not disjoint", the.text);
   the.host->null.base.disjoint = true;
   the.has_lost_read = true;
   the.lost |= the.query;
}

/* The query measures again. */
static void
note_measurement(void)
{
   the.lost &= ~the.query;
   the.times &= ~the.query;
   if (strstr(the.text, "TIME"))
      the.times |= the.query;
   if (is_verb(" begin "))
      memcpy(the.active[ffs(the.query) - 1], the.words[1],
             sizeof(the.words[1]));
}

/* If a call failed before the one that the script meant to fail, the
 * statement runs again for that one.
 */
void
rig_end_step(void)
{
   const unsigned count = fault_injected() - the.injected;

   if (count && is_of_reads())
      note_lost_read();
   else if (count && strstr(the.text, "! OUT_OF_MEMORY"))
      fail_msg("%s: OUT_OF_MEMORY (of another call)", the.text);
   else
      the.silent += count;
   if (is_verb(" begin measure counter start count watch monitor ") &&
       the.query && !strchr(the.text, '!'))
      note_measurement();
}

/* Without a lost time, a step back of the clock goes unnoticed: later times
 * are not moved on.
 */
static bool
is_unmoved(uint64_t value, uint64_t expected)
{
   return the.has_lost_read && value && value < expected &&
          (the.times & the.query || strstr(the.text, "GPU_Time_"));
}

static bool
explains_value(uint64_t value, uint64_t expected)
{
   if (is_verb(" flushed waited "))
      return value > expected && value - expected <= the.silent;
   if (is_verb(" data ") && the.silent && strstr(the.text, "DONOT_FLUSH"))
      return expected == 0;
   if (is_verb(" disjoint "))
      return the.has_lost_read || (value == 0 && the.lost);
   if (is_verb(" available ready "))
      return value == 1 && the.lost & the.query;
   if (is_verb(" drawif "))
      return value == (strstr(the.text, "INVERTED") != NULL) &&
             the.lost & the.query;
   return is_unmoved(value, expected) || (value == 0 && the.lost & the.query);
}

bool
statements_explain(const char *text)
{
   const unsigned count = fault_injected() - the.injected;
   const char *rest = strstr(text, the.text);
   uint64_t value, expected;

   the.next = RIG_REPEATS_STEP;
   if (strstr(text, ": OUT_OF_MEMORY ("))
      return count && !is_of_reads();

   /* A measurement that a failed call left is used, instead of the new one
    * that the script meant to fail: the script cannot go on.
    */
   the.next = RIG_ENDS_CASE;
   if (strstr(text, "NO_ERROR (") && strstr(text, "expected OUT_OF_MEMORY"))
      return the.host->null.fail[PITOT_NULL_CREATE] || fail_memory;

   the.next = RIG_GOES_ON;
   if (count && is_of_reads())
      note_lost_read();
   if (strstr(text, " lost))"))
      return the.lost & the.query;
   return rest &&
          sscanf(rest + strlen(the.text), ": %" SCNu64 ", expected %" SCNu64,
                 &value, &expected) == 2 &&
          explains_value(value, expected);
}

/* Draws of a statement that runs again count once.  A failure that the script
 * meant for an end that failed must not come later.
 */
enum rig_next
rig_after_step(void)
{
   struct pitot_null *null = &the.host->null;

   if (the.next != RIG_REPEATS_STEP)
      return the.next;
   if (is_verb(" end stop unwatch ")) {
      the.lost |= the.query;
      memset(null->fail, 0, sizeof(null->fail));
      fail_memory = 0;
      return RIG_GOES_ON;
   }
   memcpy(null->counters, the.null.counters, sizeof(null->counters));
   memcpy(null->fail, the.null.fail, sizeof(null->fail));
   fail_memory = the.fail_memory;
   return RIG_REPEATS_STEP;
}
