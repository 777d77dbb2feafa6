/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>
#include <string.h>

#include "quirks.h"

static const char *const names[QUIRK_COUNT] = {
#define MEMBER(NAME, WORD) WORD,
   QUIRKS(MEMBER)
#undef MEMBER
};

static bool
parse_one(const char *name, size_t length, unsigned *quirks_out)
{
   for (unsigned i = 0; i < QUIRK_COUNT; i++) {
      if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) {
         *quirks_out |= 1u << i;
         return true;
      }
   }
   fprintf(stderr, "pitot-model: no quirk %s\n", name);
   return false;
}

bool
quirks_parse(const char *text, unsigned *quirks_out)
{
   *quirks_out = 0;
   while (*text) {
      const size_t length = strcspn(text, ",");

      if (!parse_one(text, length, quirks_out))
         return false;
      text += length + (text[length] == ',');
   }
   return true;
}
