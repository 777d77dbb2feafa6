/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Slices: their nesting, sums over the slices inside, and names in outputs.
 *
 * After pitot_report_nest() the slices inside a slice follow it in the array.
 * parent and after point into that array: copied slices must be nested again.
 */

#include "report.h"

#include <stdlib.h>
#include <string.h>

const char *const pitot_report_category_names[PITOT_REPORT_CATEGORY_COUNT] = {
   [PITOT_REPORT_FRAME] = "frame",       [PITOT_REPORT_GROUP] = "group",
   [PITOT_REPORT_PASS] = "pass",         [PITOT_REPORT_DRAW] = "draw",
   [PITOT_REPORT_DISPATCH] = "dispatch", [PITOT_REPORT_CLEAR] = "clear",
   [PITOT_REPORT_BLIT] = "blit",         [PITOT_REPORT_COPY] = "copy",
   [PITOT_REPORT_CALL] = "call",         [PITOT_REPORT_WAIT] = "wait",
   [PITOT_REPORT_UPLOAD] = "upload",     [PITOT_REPORT_READBACK] = "readback",
};

/*
 * Nesting.  With a coarse GPU clock slices may have zero length, so that
 * times cannot tell a child from a sibling: GPU tracks also use the order in
 * the file and the category.  The slices of a thread come in any order, and
 * are sorted by time.
 */

/* By track and order in the file; on threads by time, outer slices first. */
static int
by_place(const void *a, const void *b)
{
   const struct pitot_report_slice *first = a, *second = b;
   int order =
      pitot_report_compare(first->track->number, second->track->number);

   if (order == 0 && !pitot_report_is_gpu(first)) {
      order = pitot_report_compare(first->begin_ns, second->begin_ns);
      if (order == 0)
         order = pitot_report_compare(second->end_ns, first->end_ns);
      if (order == 0)
         order = pitot_report_compare(first->category, second->category);
   }
   return order != 0 ? order
                     : pitot_report_compare(first->order, second->order);
}

/* Returns whether a category may be in another; a group may be in a group. */
static bool
may_be_in(enum pitot_report_category inner, enum pitot_report_category outer)
{
   return outer < PITOT_REPORT_DRAW &&
          (outer < inner || (outer == inner && inner == PITOT_REPORT_GROUP));
}

static bool
is_in(const struct pitot_report_slice *inner,
      const struct pitot_report_slice *outer)
{
   if (inner->track != outer->track ||
       outer->depth + 1 == PITOT_REPORT_MAX_DEPTH ||
       inner->begin_ns < outer->begin_ns || inner->end_ns > outer->end_ns)
      return false;
   return pitot_report_is_gpu(inner)
             ? may_be_in(inner->category, outer->category)
             : inner->begin_ns < outer->end_ns;
}

void
pitot_report_nest(struct pitot_report_slice *slices, size_t count)
{
   struct pitot_report_slice *around = NULL;

   if (count > 0)
      qsort(slices, count, sizeof(*slices), by_place);
   for (size_t i = 0; i < count; i++) {
      struct pitot_report_slice *slice = &slices[i];

      for (; around && !is_in(slice, around); around = around->parent)
         around->after = slice;
      slice->parent = around;
      slice->depth = around ? around->depth + 1 : 0;
      slice->after = &slices[count];
      around = slice;
   }
}

/*
 * Values
 */

uint64_t
pitot_report_busy_ns(const struct pitot_report_slice *slice)
{
   const struct pitot_report_slice *inner = slice + 1;
   uint64_t busy_ns = 0;

   if (slice->after == inner)
      return pitot_report_ns(slice);
   for (; inner < slice->after; inner = inner->after)
      busy_ns += pitot_report_busy_ns(inner);
   return busy_ns;
}

uint64_t
pitot_report_u64(const json_t *values, const char *name)
{
   const json_int_t value = json_integer_value(json_object_get(values, name));

   return value > 0 ? (uint64_t)value : 0;
}

const char *
pitot_report_text(const json_t *values, const char *name)
{
   const char *text = json_string_value(json_object_get(values, name));

   return text ? text : "?";
}

bool
pitot_report_count(const struct pitot_report_slice *slice,
                   const char *counter, double *sum_out)
{
   const json_t *own = json_object_get(slice->values, counter);
   bool is_any = json_is_number(own);

   *sum_out = json_number_value(own);
   if (is_any)
      return true;
   for (const struct pitot_report_slice *inner = slice + 1;
        inner < slice->after; inner = inner->after) {
      double sum;

      is_any |= pitot_report_count(inner, counter, &sum);
      *sum_out += sum;
   }
   return is_any;
}

const struct pitot_report_slice *
pitot_report_around(const struct pitot_report_slice *slice,
                    enum pitot_report_category category)
{
   while (slice && slice->category != category)
      slice = slice->parent;
   return slice;
}

/* Returns the replacement of a character in a line of text, or 0 for none.
 * U+0000 to 1F, U+7F to 9F, U+2028 and 2029 end lines or control terminals.
 * U+061C, U+200E, 200F, 202A to 202E and 2066 to 2069 reorder the text around
 * them.  XML forbids U+FFFE and FFFF.
 */
static char
replacement_of(const unsigned char *c)
{
   if (c[0] < 0x20 || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0))
      return ' ';
   if (c[0] == 0xe2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9))
      return ' ';
   if ((c[0] == 0xd8 && c[1] == 0x9c) ||
       (c[0] == 0xe2 && c[1] == 0x80 &&
        (c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xaa && c[2] <= 0xae))) ||
       (c[0] == 0xe2 && c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9) ||
       (c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe))
      return '?';
   return 0;
}

/* Returns how an output escapes a character, or NULL. */
static const char *
escape_of(enum pitot_report_format format, char c)
{
   if (format == PITOT_REPORT_CSV)
      return c == '"' ? "\"\"" : NULL;
   if (format == PITOT_REPORT_SVG)
      return c == '<'   ? "&lt;"
             : c == '>' ? "&gt;"
             : c == '&' ? "&amp;"
                        : NULL;
   return NULL;
}

const char *
pitot_report_put_character(FILE *out, enum pitot_report_format format,
                           const char *text)
{
   const char other = replacement_of((const unsigned char *)text);
   const char *escape = escape_of(format, *text);

   if (escape)
      fputs(escape, out);
   else
      fputc(other ? other : *text, out);
   for (text++; (*text & 0xc0) == 0x80; text++) {
      if (!other)
         fputc(*text, out);
   }
   return text;
}

const char *
pitot_time_text(char text_out[PITOT_TIME_TEXT_B], uint64_t time_ns)
{
   static const char *const units[] = { "ns", "us", "ms", "s" };
   double value = (double)time_ns;
   unsigned i = 0;

   for (; value >= 1000 && i < 3; i++)
      value /= 1000;
   snprintf(text_out, PITOT_TIME_TEXT_B, "%.*f %s",
            i == 0 || value >= 100 ? 0
            : value >= 10          ? 1
                                   : 2,
            value, units[i]);
   return text_out;
}
