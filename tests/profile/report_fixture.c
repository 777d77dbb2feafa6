/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "report_fixture.h"

#include <stdlib.h>
#include <string.h>

struct pitot_report *
trace_read_back(void)
{
   struct pitot_report *report = NULL;

   assert_int_equal(pitot_report_read(trace_path, NULL, NULL, &report), 0);
   return report;
}

struct pitot_report *
trace_read_text(const char *bytes)
{
   trace_write_text(bytes);
   return trace_read_back();
}

static void
write_repetition(FILE *out, const char *text, const char *end, unsigned n)
{
   while (text < end) {
      char *rest;

      if (strncmp(text, "$(", 2) != 0) {
         fputc(*text++, out);
         continue;
      }
      unsigned long number = strtoul(text + 2, &rest, 10);
      number += n * strtoul(rest + 1, &rest, 10);
      if (*rest == '%')
         number %= strtoul(rest + 1, &rest, 10);
      fprintf(out, "%lu", number);
      text = rest + 1;
   }
}

/* Returns a stream of a text in which nothing is repeated. */
static FILE *
open_repeated(const char *text)
{
   FILE *out = tmpfile();

   assert_non_null(out);
   while (*text) {
      const char *line = text;
      unsigned count;

      text = strchrnul(line, '\n');
      text += *text == '\n';
      if (strncmp(line, "repeat ", 7) != 0) {
         fwrite(line, 1, (size_t)(text - line), out);
         continue;
      }
      const char *end = strstr(text, "end\n");

      count = (unsigned)atoi(line + 7);
      for (unsigned n = 0; n < count; n++)
         write_repetition(out, text, end, n);
      text = end + 4;
   }
   rewind(out);
   return out;
}

static void
write_line(FILE *out, const char *line)
{
   char category[16], name[64], begin_us[32], duration_us[32];
   unsigned process, thread, flow = 0;
   int used = 0;

   if (sscanf(line, "%u/%u %15s %63s %31s %31s%n #%u%n", &process, &thread,
              category, name, begin_us, duration_us, &used, &flow,
              &used) < 6) {
      fputs(line, out);
      return;
   }
   for (char *blank = name; (blank = strchr(blank, '_')) != NULL;)
      *blank = ' ';
   fprintf(out,
           "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%s,\"dur\":%s,"
           "\"cat\":\"%s\",\"name\":\"%s\"",
           process, thread, begin_us, duration_us, category, name);
   if (line[used] == ' ')
      fprintf(out, ",\"args\":%.*s", (int)strcspn(&line[used + 1], "\n"),
              &line[used + 1]);
   fprintf(out, "},\n");
   if (flow != 0)
      fprintf(out,
              "{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"ts\":%s,"
              "\"bp\":\"e\",\"id\":%u,\"cat\":\"flow\","
              "\"name\":\"execution\"},\n",
              process == 0 ? 'f' : 's', process, thread, begin_us, flow);
}

void
trace_write_text(const char *text)
{
   FILE *in = open_repeated(text), *out = fopen(trace_path, "w");
   size_t capacity = 0;
   char *line = NULL;

   assert_non_null(out);
   while (getline(&line, &capacity, in) > 0)
      write_line(out, line);
   free(line);
   fclose(in);
   assert_int_equal(fclose(out), 0);
}
