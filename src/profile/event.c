/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "event.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

/* Each reader below moves *at past the text that it reads, and returns false
 * for another text.
 */
static bool
skip(char **at, const char *text)
{
   const size_t length_B = strlen(text);

   if (strncmp(*at, text, length_B) != 0)
      return false;
   *at += length_B;
   return true;
}

static bool
read_u64(char **at, uint64_t *value_out)
{
   char *end;

   if (!isdigit((unsigned char)**at))
      return false;
   errno = 0;
   *value_out = strtoull(*at, &end, 10);
   *at = end;
   return errno == 0;
}

static bool
read_unsigned(char **at, unsigned *value_out)
{
   uint64_t value;

   if (!read_u64(at, &value) || value > UINT_MAX)
      return false;
   *value_out = (unsigned)value;
   return true;
}

/* Microseconds with three decimals. */
static bool
read_time(char **at, uint64_t *time_ns_out)
{
   uint64_t time_us, fraction_ns;

   if (!read_u64(at, &time_us) || !skip(at, "."))
      return false;

   const char *digits = *at;

   if (!read_u64(at, &fraction_ns) || *at != digits + 3 ||
       time_us > UINT64_MAX / 1000 - 1)
      return false;
   *time_ns_out = time_us * 1000 + fraction_ns;
   return true;
}

/* Reads four hexadecimal digits of a character below U+10000, which is no
 * half of a larger one: there is no such escape in a trace.
 */
static bool
read_escape(char **at, char **out)
{
   unsigned code = 0;

   for (unsigned i = 0; i < 4; i++) {
      const char digit = *(*at)++;

      if (!isxdigit((unsigned char)digit))
         return false;
      code = code * 16 + (unsigned)(isdigit((unsigned char)digit)
                                       ? digit - '0'
                                       : (digit | 0x20) - 'a' + 10);
   }
   if (code >= 0xd800 && code < 0xe000)
      return false;
   if (code < 0x80) {
      *(*out)++ = (char)code;
   } else {
      if (code < 0x800) {
         *(*out)++ = (char)(0xc0 | code >> 6);
      } else {
         *(*out)++ = (char)(0xe0 | code >> 12);
         *(*out)++ = (char)(0x80 | (code >> 6 & 0x3f));
      }
      *(*out)++ = (char)(0x80 | (code & 0x3f));
   }
   return code != 0;
}

/* Reads a character that stands for itself. */
static bool
read_character(char **at, char **out)
{
   const size_t length_B = pitot_utf8_length(*at);

   for (size_t i = 0; i < length_B; i++)
      *(*out)++ = *(*at)++;
   return length_B > 0;
}

/* Reads a string in quotes, and leaves it where it was. */
static bool
read_string(char **at, const char **string_out)
{
   char *out = *at;

   *string_out = out;
   if (!skip(at, "\""))
      return false;
   while (**at != '"') {
      if (**at == 0)
         return false;
      if (skip(at, "\\u")) {
         if (!read_escape(at, &out))
            return false;
         continue;
      }
      if (**at == '\\' && (*++*at == 0 || !strchr("\"\\/", **at)))
         return false;
      if (!read_character(at, &out))
         return false;
   }
   ++*at;
   *out = 0;
   return true;
}

/* Reads a string, a number or null, for which "" stands. */
static bool
read_value(char **at, struct pitot_trace_value *value_out)
{
   char *end = *at;

   if (**at == '"') {
      value_out->type = PITOT_TRACE_STRING;
      return read_string(at, &value_out->string);
   }
   if (skip(at, "null")) {
      value_out->type = PITOT_TRACE_STRING;
      value_out->string = "";
      return true;
   }
   value_out->type = PITOT_TRACE_U64;
   if (read_u64(&end, &value_out->u64) && !strchr(".eE", *end)) {
      *at = end;
      return true;
   }
   value_out->type = PITOT_TRACE_DOUBLE;
   if (!isdigit((unsigned char)**at) && **at != '-')
      return false;
   value_out->number = strtod(*at, &end);
   if (end == *at)
      return false;
   *at = end;
   return true;
}

static struct pitot_trace_value *
add_value(struct pitot_event *event)
{
   if (event->value_count == event->value_room) {
      const unsigned room = 2 * event->value_room + 8;
      struct pitot_trace_value *values =
         realloc(event->values, room * sizeof(*values));

      if (!values)
         return NULL;
      event->values = values;
      event->value_room = room;
   }
   return &event->values[event->value_count++];
}

static int
read_values(struct pitot_event *event, char **at)
{
   if (!skip(at, "{"))
      return -EINVAL;
   if (skip(at, "}"))
      return 0;
   do {
      struct pitot_trace_value *value = add_value(event);

      if (!value)
         return -ENOMEM;
      if (!read_string(at, &value->name) || !skip(at, ":") ||
          !read_value(at, value))
         return -EINVAL;
   } while (skip(at, ","));
   return skip(at, "}") ? 0 : -EINVAL;
}

static int
read_member(struct pitot_event *event, char **at)
{
   const char *key, *phase;
   struct pitot_trace_value other;
   bool is_good;

   if (!read_string(at, &key) || !skip(at, ":"))
      return -EINVAL;
   if (strcmp(key, "args") == 0)
      return read_values(event, at);
   if (strcmp(key, "ph") == 0) {
      is_good = read_string(at, &phase) && strlen(phase) == 1;
      event->phase = is_good ? phase[0] : 0;
   } else if (strcmp(key, "pid") == 0) {
      is_good = read_unsigned(at, &event->track.process);
   } else if (strcmp(key, "tid") == 0) {
      is_good = read_unsigned(at, &event->track.thread);
   } else if (strcmp(key, "ts") == 0) {
      is_good = read_time(at, &event->time_ns);
   } else if (strcmp(key, "dur") == 0) {
      is_good = read_time(at, &event->duration_ns);
   } else if (strcmp(key, "id") == 0) {
      is_good = read_u64(at, &event->id);
   } else if (strcmp(key, "name") == 0) {
      is_good = read_string(at, &event->name);
   } else if (strcmp(key, "cat") == 0) {
      is_good = read_string(at, &event->category);
   } else {
      is_good = read_value(at, &other);
   }
   return is_good ? 0 : -EINVAL;
}

int
pitot_event_read(struct pitot_event *event, char *line)
{
   struct pitot_trace_value *values = event->values;
   const unsigned value_room = event->value_room;
   char *at = line;
   int error;

   *event = (struct pitot_event){
      .name = "", .category = "", .values = values, .value_room = value_room
   };
   line[strcspn(line, "\n")] = 0;
   if (strcmp(line, "[") == 0 || strcmp(line, "]") == 0)
      return 0;
   if (!skip(&at, "{"))
      return -EINVAL;
   do {
      error = read_member(event, &at);
      if (error != 0)
         return error;
   } while (skip(&at, ","));
   if (!skip(&at, "}") || (strcmp(at, ",") != 0 && *at != 0))
      return -EINVAL;
   return event->phase != 0 &&
                event->duration_ns <= UINT64_MAX - event->time_ns
             ? 0
             : -EINVAL;
}

void
pitot_event_finish(struct pitot_event *event)
{
   free(event->values);
   *event = (struct pitot_event){ 0 };
}
