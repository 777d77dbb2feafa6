/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void
append(struct pitot_json *json, const char *text, size_t length_B)
{
   if (length_B > json->size_B - json->length_B) {
      json->is_full = true;
      return;
   }
   memcpy(json->text + json->length_B, text, length_B);
   json->length_B += length_B;
}

void
pitot_json_raw(struct pitot_json *json, const char *text)
{
   append(json, text, strlen(text));
}

/* Returns the bytes of the first character of a string that is not empty, or
 * 0 if they are no UTF-8 (RFC 3629, section 4).
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

void
pitot_json_string(struct pitot_json *json, const char *string)
{
   append(json, "\"", 1);
   for (const unsigned char *c = (const unsigned char *)string; *c;) {
      const size_t length_B = utf8_length(c);
      char escape[8];

      if (length_B == 0) {
         pitot_json_raw(json, "\\ufffd");
         c++;
         continue;
      }
      if (*c == '"' || *c == '\\') {
         append(json, "\\", 1);
      } else if (*c < 0x20 || *c == 0x7f) {
         snprintf(escape, sizeof(escape), "\\u%04x", *c);
         pitot_json_raw(json, escape);
         c++;
         continue;
      }
      append(json, (const char *)c, length_B);
      c += length_B;
   }
   append(json, "\"", 1);
}

void
pitot_json_u64(struct pitot_json *json, uint64_t value)
{
   char text[24];

   snprintf(text, sizeof(text), "%" PRIu64, value);
   pitot_json_raw(json, text);
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
   snprintf(text, sizeof(text), "%.17g", value);

   const size_t before_B = strspn(text, "-0123456789e+");
   const size_t point_B = strcspn(text + before_B, "-0123456789e+");

   append(json, text, before_B);
   if (point_B > 0) {
      append(json, ".", 1);
      pitot_json_raw(json, text + before_B + point_B);
   }
}

void
pitot_json_time(struct pitot_json *json, uint64_t time_ns)
{
   char text[32];

   snprintf(text, sizeof(text), "%" PRIu64 ".%03u", time_ns / 1000,
            (unsigned)(time_ns % 1000));
   pitot_json_raw(json, text);
}
