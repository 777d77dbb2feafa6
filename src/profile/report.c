/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"

const char *const pitot_report_category_names[PITOT_REPORT_CATEGORY_COUNT] = {
   [PITOT_REPORT_FRAME] = "frame",       [PITOT_REPORT_GROUP] = "group",
   [PITOT_REPORT_PASS] = "pass",         [PITOT_REPORT_DRAW] = "draw",
   [PITOT_REPORT_DISPATCH] = "dispatch", [PITOT_REPORT_CLEAR] = "clear",
   [PITOT_REPORT_BLIT] = "blit",         [PITOT_REPORT_COPY] = "copy",
   [PITOT_REPORT_CALL] = "call",         [PITOT_REPORT_WAIT] = "wait",
   [PITOT_REPORT_UPLOAD] = "upload",     [PITOT_REPORT_READBACK] = "readback",
};

/* The calls that were measured together, by their category. */
static const char *const call_counts[PITOT_REPORT_CATEGORY_COUNT] = {
   [PITOT_REPORT_DRAW] = "draws",   [PITOT_REPORT_DISPATCH] = "dispatches",
   [PITOT_REPORT_CLEAR] = "clears", [PITOT_REPORT_BLIT] = "blits",
   [PITOT_REPORT_COPY] = "copies",
};

void
pitot_report_free(struct pitot_report *report)
{
   for (size_t i = 0; i < report->string_room; i++)
      free(report->strings[i]);
   free(report->strings);
   free(report->counters);
   free(report->marks);
   free(report->tracks);
   free(report->values);
   free(report->slices);
   free(report);
}

/* Returns where a string is in a table of that many, or the free place for
 * it. The hash is FNV-1a.
 */
static char **
find_string(char **strings, size_t room, const char *string)
{
   uint64_t hash = 0xcbf29ce484222325;
   size_t i;

   for (const char *c = string; *c; c++)
      hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
   for (i = hash & (room - 1); strings[i]; i = (i + 1) & (room - 1)) {
      if (strcmp(strings[i], string) == 0)
         break;
   }
   return &strings[i];
}

static bool
grow_strings(struct pitot_report *report)
{
   const size_t room = report->string_room ? 2 * report->string_room : 64;
   char **strings = calloc(room, sizeof(*strings));

   if (!strings)
      return false;
   for (size_t i = 0; i < report->string_room; i++) {
      if (report->strings[i])
         *find_string(strings, room, report->strings[i]) = report->strings[i];
   }
   free(report->strings);
   report->strings = strings;
   report->string_room = room;
   return true;
}

/* Returns what stands for a character in a line of text, or NULL for itself:
 * U+0000 to 1F, U+7F to 9F, U+2028 and 2029 end lines or control terminals,
 * U+061C, U+200E, 200F, 202A to 202E and 2066 to 2069 reorder what is around
 * them, and XML has no U+FFFE and FFFF.
 */
static const char *
replacement(const unsigned char *c)
{
   if (c[0] < 0x20 || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0))
      return " ";
   if (c[0] == 0xe2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9))
      return " ";
   if ((c[0] == 0xd8 && c[1] == 0x9c) ||
       (c[0] == 0xe2 && c[1] == 0x80 &&
        (c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xaa && c[2] <= 0xae))) ||
       (c[0] == 0xe2 && c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9) ||
       (c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe))
      return "?";
   return NULL;
}

/* Copies a text of UTF-8 as a line. */
static char *
copy_line(const char *text)
{
   char *line = strdup(text), *out = line;

   for (const char *c = line; c && *c;) {
      const char *other = replacement((const unsigned char *)c);
      const size_t length_B = pitot_utf8_length(c);

      if (other)
         *out++ = *other;
      else
         out = (char *)memmove(out, c, length_B) + length_B;
      c += length_B;
   }
   if (out)
      *out = 0;
   return line;
}

const char *
pitot_report_string(struct pitot_report *report, const char *string)
{
   char *line = copy_line(string);
   char **place;

   if (!line)
      return NULL;
   if (2 * report->string_count >= report->string_room &&
       !grow_strings(report)) {
      free(line);
      return NULL;
   }
   place = find_string(report->strings, report->string_room, line);
   if (*place) {
      free(line);
   } else {
      *place = line;
      report->string_count++;
   }
   return *place;
}

const struct pitot_trace_value *
pitot_report_value(const struct pitot_report *report,
                   struct pitot_report_values values, const char *name)
{
   for (unsigned i = 0; i < values.count; i++) {
      const struct pitot_trace_value *value =
         &report->values[values.first + i];

      if (strcmp(value->name, name) == 0)
         return value;
   }
   return NULL;
}

uint64_t
pitot_report_u64(const struct pitot_report *report,
                 struct pitot_report_values values, const char *name)
{
   const struct pitot_trace_value *value =
      pitot_report_value(report, values, name);

   return value && value->type == PITOT_TRACE_U64 ? value->u64 : 0;
}

bool
pitot_report_is_frame(const struct pitot_report *report, size_t slice,
                      enum pitot_report_kind *kind_out)
{
   const struct pitot_report_slice *s = &report->slices[slice];

   if (s->category != PITOT_REPORT_FRAME)
      return false;
   *kind_out = pitot_report_value(report, s->values, "part")
                  ? PITOT_REPORT_PART
                  : PITOT_REPORT_WHOLE;
   return true;
}

const char *
pitot_report_text(const struct pitot_report *report,
                  struct pitot_report_values values, const char *name)
{
   const struct pitot_trace_value *value =
      pitot_report_value(report, values, name);

   return value && value->type == PITOT_TRACE_STRING ? value->string : "?";
}

/* Returns whether a slice itself has a number of that name. */
static bool
own_number(const struct pitot_report *report,
           const struct pitot_report_slice *slice, const char *name,
           double *number_out)
{
   const struct pitot_trace_value *value =
      pitot_report_value(report, slice->values, name);

   if (!value || value->type == PITOT_TRACE_STRING)
      return false;
   *number_out =
      value->type == PITOT_TRACE_U64 ? (double)value->u64 : value->number;
   return true;
}

bool
pitot_report_count(const struct pitot_report *report, size_t slice,
                   const char *counter, double *sum_out)
{
   const struct pitot_report_slice *slices = report->slices;
   bool is_any = false;

   if (own_number(report, &slices[slice], counter, sum_out))
      return true;
   *sum_out = 0;
   for (size_t i = slice + 1; i < slices[slice].after; i = slices[i].after) {
      double sum;

      is_any |= pitot_report_count(report, i, counter, &sum);
      *sum_out += sum;
   }
   return is_any;
}

uint64_t
pitot_report_calls(const struct pitot_report *report, size_t slice,
                   enum pitot_report_category category)
{
   const struct pitot_report_slice *slices = report->slices;
   uint64_t calls = 0;
   double own;

   if (slices[slice].category == category)
      return 1;
   if (own_number(report, &slices[slice], call_counts[category], &own))
      return (uint64_t)own;
   for (size_t i = slice + 1; i < slices[slice].after; i = slices[i].after)
      calls += pitot_report_calls(report, i, category);
   return calls;
}

size_t
pitot_report_around(const struct pitot_report *report, size_t slice,
                    enum pitot_report_category category)
{
   while (slice != PITOT_REPORT_NONE &&
          report->slices[slice].category != category)
      slice = report->slices[slice].parent;
   return slice;
}
