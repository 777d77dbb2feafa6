/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The calls of scripts on sessions of INTEL_performance_query.
 */

#include <stdlib.h>
#include <string.h>

#include "script_call.h"
#include "script_perf.h"
#include "test.h"

/* For a handle that is none: any size does. */
#define NO_SESSION_SIZE_B 256

/* More than any script says that there is beside a record. */
#define SPARE_SIZE_B 1024

static void
call_session(struct script *s)
{
   const uint32_t set = *script_name(s, s->words[1]);
   const int64_t count = script_number(s, 3, 1);
   uint32_t handle;

   for (int64_t i = 0; i < count; i++)
      s->ops->perf->create(s->gl, set, script_number_out(s, 2, &handle));
   script_keep_number(s, 2, handle);
   if (handle && !script_is_null(s, 2))
      s->sets[s->words[2][0] - 'a'] = set;
}

static void
call_drop(struct script *s)
{
   s->ops->perf->delete_handle(s->gl, *script_name(s, s->words[1]));
}

static void
call_start(struct script *s)
{
   s->ops->perf->begin(s->gl, *script_name(s, s->words[1]));
}

static void
call_stop(struct script *s)
{
   s->ops->perf->end(s->gl, *script_name(s, s->words[1]));
}

/* Returns the set of a session; 0 if it is none. */
static uint32_t
set_of(const struct script *s)
{
   return s->sets[s->words[1][0] - 'a'];
}

static unsigned
record_size_B(const struct script *s)
{
   uint32_t size_B = NO_SESSION_SIZE_B;

   if (set_of(s))
      s->ops->perf->info(s->gl, set_of(s), 0, NULL, &size_B, NULL, NULL,
                         NULL);
   if (size_B + SPARE_SIZE_B > SCRIPT_MEMORY_SIZE_B)
      fail_msg("%s: a record of %u bytes is too much", s->text, size_B);
   return size_B;
}

/* The size that the statement says. */
static int32_t
data_size_B(const struct script *s, unsigned i)
{
   const char *word = i < s->count ? s->words[i] : "record";

   if (strcmp(word, "NULL") == 0 || strcmp(word, "uncounted") == 0)
      return s->record_B;
   if (strncmp(word, "record", 6) == 0)
      return s->record_B + strtol(word + 6, NULL, 10);
   return script_number(s, i, 0);
}

/* Flags may be anything: a token or a number. */
static uint32_t
flags_of(const struct script *s, unsigned i)
{
   if (i < s->count && s->words[i][0] >= '0' && s->words[i][0] <= '9')
      return script_number(s, i, 0);
   return script_token(s, i);
}

/* Asks for the data of a session.  Returns how much was written: nothing, or
 * a whole record.
 */
static uint32_t
read_data(struct script *s, uint8_t memory[SCRIPT_MEMORY_SIZE_B])
{
   const int32_t size_B = data_size_B(s, 3);
   const bool is_uncounted =
      s->count > 3 && strcmp(s->words[3], "uncounted") == 0;
   uint32_t written_B = (uint32_t)SCRIPT_UNTOUCHED;

   memset(memory, SCRIPT_UNTOUCHED_BYTE, SCRIPT_MEMORY_SIZE_B);
   s->ops->perf->data(s->gl, *script_name(s, s->words[1]), flags_of(s, 2),
                      size_B, script_is_null(s, 3) ? NULL : memory,
                      is_uncounted ? NULL : &written_B);
   if (is_uncounted)
      written_B = 0;
   if (written_B != 0 && written_B != s->record_B)
      fail_msg("%s: %u bytes of %u were written", s->text, written_B,
               s->record_B);
   for (unsigned i = written_B; i < SCRIPT_MEMORY_SIZE_B; i++)
      if (memory[i] != SCRIPT_UNTOUCHED_BYTE)
         fail_msg("%s: byte %u, behind the data, was written", s->text, i);
   return written_B;
}

static void
keep_data(struct script *s, const uint8_t *memory, uint32_t written_B)
{
   if (written_B)
      memcpy(s->record, memory, written_B);
   s->result = written_B;
}

static void
call_data(struct script *s)
{
   uint8_t memory[SCRIPT_MEMORY_SIZE_B];

   s->record_B = record_size_B(s);
   keep_data(s, memory, read_data(s, memory));
}

static void
call_again(struct script *s)
{
   uint8_t memory[SCRIPT_MEMORY_SIZE_B];

   s->record_B = record_size_B(s);
   s->result = read_data(s, memory);
   if (s->result != s->record_B || memcmp(memory, s->record, s->result))
      fail_msg("%s: not the same record", s->text);
}

static void
call_poll(struct script *s)
{
   uint8_t memory[SCRIPT_MEMORY_SIZE_B];
   uint32_t written_B = 0;

   s->record_B = record_size_B(s);
   for (unsigned i = 0; i < MAX_POLLS && !written_B; i++)
      written_B = read_data(s, memory);
   keep_data(s, memory, written_B);
}

static void
call_value(struct script *s)
{
   char name[256];

   script_read_name(s, 2, name);
   s->result =
      script_counter_value(s->ops->perf, s->gl, set_of(s), name, s->record);
}

const struct script_call script_session_calls[] = {
   { "session", call_session },
   { "drop", call_drop },
   { "start", call_start },
   { "stop", call_stop },
   { "data", call_data },
   { "again", call_again },
   { "poll", call_poll },
   { "value", call_value },
   { .name = NULL },
};
