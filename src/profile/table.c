/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "table.h"

#include <math.h>

#include "sum.h"

void
pitot_table_name(FILE *out, const char *name, unsigned indent, unsigned width)
{
   unsigned used = indent;

   fprintf(out, "%*s", (int)indent, "");
   for (const char *c = name; *c; c++) {
      if ((*c & 0xc0) != 0x80 && used++ >= width - 1) {
         fputs("~", out);
         break;
      }
      fputc(*c, out);
   }
   if (used < width)
      fprintf(out, "%*s", (int)(width - used), "");
}

void
pitot_table_heads(FILE *out, const char *name, const char *const *heads,
                  unsigned count)
{
   fputc('\n', out);
   pitot_table_name(out, name, 0, PITOT_TABLE_NAME_WIDTH);
   for (unsigned i = 0; i < count; i++)
      fprintf(out, " %10s", heads[i]);
   fputc('\n', out);
   for (unsigned i = 0; i < PITOT_TABLE_NAME_WIDTH + 11 * count; i++)
      fputc('-', out);
   fputc('\n', out);
}

void
pitot_table_time(FILE *out, uint64_t time_ns)
{
   char text[PITOT_TIME_TEXT_B];

   fprintf(out, " %10s", pitot_time_text(text, time_ns));
}

void
pitot_table_share(FILE *out, uint64_t part, uint64_t whole)
{
   fprintf(out, " %8.1f %%",
           whole == 0 ? 0 : 100 * (double)part / (double)whole);
}

void
pitot_table_number(FILE *out, double number)
{
   if (fabs(number) >= 1e10)
      fprintf(out, " %10.3e", number);
   else
      fprintf(out, " %10.*f", number == floor(number) ? 0 : 2, number);
}
