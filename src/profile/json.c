/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* 2^53: whole numbers up to here are exact. */
#define MAX_WHOLE 9007199254740992.0
#define MILLION   1000000

/* Returns the bytes of the first character of a text that is not empty, or 0
 * if they are no UTF-8 (RFC 3629, section 4).
 */
static size_t
utf8_length(const unsigned char *c)
{
   static const struct {
      unsigned char first_min, first_max, second_min, second_max;
      unsigned char length_B;
   } forms[] = {
      { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
      { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
      { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
      { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
   };

   if (c[0] < 0x80)
      return 1;
   for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
      if (c[0] < forms[i].first_min || c[0] > forms[i].first_max)
         continue;
      if (c[1] < forms[i].second_min || c[1] > forms[i].second_max)
         return 0;
      for (size_t k = 2; k < forms[i].length_B; k++) {
         if ((c[k] & 0xc0) != 0x80)
            return 0;
      }
      return forms[i].length_B;
   }
   return 0;
}

/* Returns the bytes that stand for themselves in a string, and are ASCII. */
static size_t
plain_length(const unsigned char *c)
{
   static const bool is_plain[256] = {
      [' '] = true,
      ['!'] = true,
      ['#' ... '['] = true,
      [']' ... '~'] = true,
   };
   size_t length_B = 0;

   while (is_plain[c[length_B]])
      length_B++;
   return length_B;
}

/* Appends a character that does not stand for itself.  Returns its bytes. */
static size_t
append_unusual(struct pitot_json *json, const unsigned char *c)
{
   const size_t length_B = utf8_length(c);
   char escape[8];

   if (length_B == 0) {
      pitot_json_raw(json, "\\ufffd");
      return 1;
   }
   if (*c < 0x20 || *c == 0x7f) {
      snprintf(escape, sizeof(escape), "\\u%04x", *c);
      pitot_json_raw(json, escape);
      return 1;
   }
   if (*c == '"' || *c == '\\')
      pitot_json_append(json, "\\", 1);
   pitot_json_append(json, (const char *)c, length_B);
   return length_B;
}

void
pitot_json_string(struct pitot_json *json, const char *string)
{
   const unsigned char *c = (const unsigned char *)string;

   pitot_json_append(json, "\"", 1);
   while (*c) {
      const size_t length_B = plain_length(c);

      pitot_json_append(json, (const char *)c, length_B);
      c += length_B;
      if (*c)
         c += append_unusual(json, c);
   }
   pitot_json_append(json, "\"", 1);
}

/* Numbers are written by hand, two digits at a time: printf() takes most of
 * the time of a trace.  Returns where the digits before the end begin.
 */
static char *
write_digits(char *end, uint64_t value, unsigned min_count)
{
   static const char pairs[] = "00010203040506070809101112131415161718192021"
                               "22232425262728293031323334353637383940414243"
                               "44454647484950515253545556575859606162636465"
                               "66676869707172737475767778798081828384858687"
                               "888990919293949596979899";
   const char *stop = end - min_count;

   for (; value >= 10; value /= 100) {
      end -= 2;
      memcpy(end, &pairs[value % 100 * 2], 2);
   }
   if (value > 0)
      *--end = (char)('0' + value);
   while (end > stop)
      *--end = '0';
   return end;
}

/* Appends a number of parts, so many of which are 1. */
static void
append_decimals(struct pitot_json *json, uint64_t parts, uint64_t unit,
                unsigned decimals)
{
   char text[32];
   char *end = text + sizeof(text);
   char *begin = write_digits(end, parts % unit, decimals);

   *--begin = '.';
   begin = write_digits(begin, parts / unit, 1);
   pitot_json_append(json, begin, (size_t)(end - begin));
}

void
pitot_json_u64(struct pitot_json *json, uint64_t value)
{
   char text[20];
   char *end = text + sizeof(text);
   const char *begin = write_digits(end, value, 1);

   pitot_json_append(json, begin, (size_t)(end - begin));
}

/* Returns whether the number is a whole one that a double tells exactly. */
static bool
is_whole(double value)
{
   return value >= 0 && value <= MAX_WHOLE && !signbit(value) &&
          (double)(uint64_t)value == value;
}

/* Appends a number that six decimals tell exactly, as those of a time in
 * milliseconds.  Returns whether it is one.
 */
static bool
append_millionths(struct pitot_json *json, double value)
{
   const double millionths = round(value * MILLION);

   if (!is_whole(millionths) || millionths / MILLION != value)
      return false;
   append_decimals(json, (uint64_t)millionths, MILLION, 6);
   return true;
}

/* The program may have chosen a locale in which the decimal point is another
 * character, of one byte or more.
 */
void
pitot_json_double(struct pitot_json *json, double value)
{
   char text[64];

   if (!isfinite(value)) {
      pitot_json_raw(json, "null");
      return;
   }
   if (is_whole(value)) {
      pitot_json_u64(json, (uint64_t)value);
      return;
   }
   if (append_millionths(json, value))
      return;
   snprintf(text, sizeof(text), "%.17g", value);

   const size_t before_B = strspn(text, "-0123456789e+");
   const size_t point_B = strcspn(text + before_B, "-0123456789e+");

   pitot_json_append(json, text, before_B);
   if (point_B > 0) {
      pitot_json_append(json, ".", 1);
      pitot_json_raw(json, text + before_B + point_B);
   }
}

void
pitot_json_time(struct pitot_json *json, uint64_t time_ns)
{
   append_decimals(json, time_ns, 1000, 3);
}
