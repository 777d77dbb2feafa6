/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * JSON, written into a buffer of fixed size.  A text that does not fit leaves
 * the buffer marked as full.  No locale changes the text.
 */

#ifndef PITOT_JSON_H
#define PITOT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct pitot_json {
   char *text; /* not terminated */
   size_t size_B;
   size_t length_B;
   bool is_full; /* something did not fit */
};

/* Appends bytes as they are; inline, since most of a trace are constant
 * texts, which the compiler copies without a call.
 */
static inline void
pitot_json_append(struct pitot_json *json, const char *text, size_t length_B)
{
   if (length_B > json->size_B - json->length_B) {
      json->is_full = true;
      return;
   }
   memcpy(json->text + json->length_B, text, length_B);
   json->length_B += length_B;
}

/* Appends a text as it is. */
static inline void
pitot_json_raw(struct pitot_json *json, const char *text)
{
   pitot_json_append(json, text, strlen(text));
}

/* Appends a string in quotes.  Bytes that are no UTF-8 become U+FFFD. */
void
pitot_json_string(struct pitot_json *json, const char *string);

void
pitot_json_u64(struct pitot_json *json, uint64_t value);

/* Appends a number that reads back exactly; null for an infinity or NaN,
 * which JSON does not have.
 */
void
pitot_json_double(struct pitot_json *json, double value);

/* Appends nanoseconds as microseconds with three decimals. */
void
pitot_json_time(struct pitot_json *json, uint64_t time_ns);

#endif /* PITOT_JSON_H */
