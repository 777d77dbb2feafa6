/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The outputs of a trace by their names.
 */

#include <errno.h>
#include <locale.h>
#include <string.h>

#include "report.h"

static const char *const endings[PITOT_REPORT_FORMAT_COUNT] = {
   [PITOT_REPORT_TXT] = ".txt",
   [PITOT_REPORT_CSV] = ".csv",
   [PITOT_REPORT_SVG] = ".svg",
};

enum pitot_report_format
pitot_report_format_of(const char *output_path)
{
   const char *dot = strrchr(output_path, '.');
   unsigned format = 0;

   while (format < PITOT_REPORT_FORMAT_COUNT &&
          (!dot || strcmp(dot, endings[format]) != 0))
      format++;
   return format;
}

static int
write_format(const char *trace_path, enum pitot_report_format format,
             FILE *out, uint64_t frame)
{
   switch (format) {
   case PITOT_REPORT_TXT:
      return pitot_report_write_text(trace_path, out);
   case PITOT_REPORT_CSV:
      return pitot_report_write_csv(trace_path, out);
   case PITOT_REPORT_SVG:
      return pitot_report_write_svg(trace_path, out, frame);
   case PITOT_REPORT_FORMAT_COUNT:
      break;
   }
   return -EINVAL;
}

/* A file that is no trace is seen before there is an output. */
static int
check_trace(const char *path)
{
   FILE *in = fopen(path, "re");
   char begin[2];
   int error = 0;

   if (!in)
      return -errno;
   if (fread(begin, 1, 2, in) != 2)
      error = ferror(in) ? -errno : -ENODATA;
   else if (memcmp(begin, "[\n", 2) != 0)
      error = -ENODATA;
   fclose(in);
   return error;
}

int
pitot_report_write(const char *trace_path, enum pitot_report_format format,
                   const char *output_path, uint64_t frame)
{
   const bool is_stdout = strcmp(output_path, "-") == 0;
   int error = check_trace(trace_path);

   if (error != 0)
      return error;

   const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
   FILE *out;

   if (plain == (locale_t)0)
      return -errno;
   out = is_stdout ? stdout : fopen(output_path, "we");
   if (out) {
      const locale_t before = uselocale(plain);

      errno = 0;
      error = write_format(trace_path, format, out, frame);
      uselocale(before);
      if ((fflush(out) != 0 || ferror(out)) && error == 0)
         error = errno != 0 ? -errno : -EIO;
      if (!is_stdout && fclose(out) != 0 && error == 0)
         error = -errno;
   } else {
      error = -errno;
   }
   freelocale(plain);
   return error;
}

int
pitot_trace_convert(const char *trace_path, const char *output_path)
{
   const enum pitot_report_format format =
      pitot_report_format_of(output_path);

   return format == PITOT_REPORT_FORMAT_COUNT
             ? -EINVAL
             : pitot_report_write(trace_path, format, output_path, 0);
}
