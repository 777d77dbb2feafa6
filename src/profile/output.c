/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Writes the outputs of a trace to files.
 *
 * A regular file is replaced by a complete new file, so an error leaves it as
 * it was.  pitot_report_need() exits, and removes the new file; a signal does
 * not.
 */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"

enum pitot_report_format
pitot_report_format_of(const char *output_path)
{
   static const char *const endings[PITOT_REPORT_FORMAT_COUNT] = {
      [PITOT_REPORT_TXT] = ".txt",
      [PITOT_REPORT_CSV] = ".csv",
      [PITOT_REPORT_SVG] = ".svg",
   };
   const char *dot = strrchr(output_path, '.');
   unsigned format = 0;

   while (format < PITOT_REPORT_FORMAT_COUNT &&
          (!dot || strcmp(dot, endings[format]) != 0))
      format++;
   return format;
}

int pitot_report_failure = 1;

static const char *read_path = "trace"; /* of the trace */

/* The new file while it is written, or "". */
static char new_path[PATH_MAX + sizeof(".XXXXXX")];

void *
pitot_report_need(void *memory)
{
   if (memory)
      return memory;
   fprintf(stderr, "pitot-profile: %s: %s\n", read_path, strerror(ENOMEM));
   if (new_path[0])
      (void)unlink(new_path);
   exit(pitot_report_failure);
}

/* Writes and closes out, except stdout.  If out is NULL, returns -errno. */
static int
write_file(const char *trace_path, enum pitot_report_format format, FILE *out,
           uint64_t frame)
{
   bool has_failed;
   int error;

   if (!out)
      return -errno;
   errno = 0;
   error = format == PITOT_REPORT_TXT
              ? pitot_report_write_text(trace_path, out)
           : format == PITOT_REPORT_CSV
              ? pitot_report_write_csv(trace_path, out)
              : pitot_report_write_svg(trace_path, out, frame);
   has_failed = fflush(out) != 0 || ferror(out);
   if (out != stdout)
      has_failed |= fclose(out) != 0;
   if (has_failed && error == 0)
      error = errno != 0 ? -errno : -EIO;
   return error;
}

/* Writes a new file, and renames it to path if there is no error.  old is the
 * status of the file that it replaces, or NULL.
 */
static int
replace_file(const char *trace_path, enum pitot_report_format format,
             const char *path, const struct stat *old, uint64_t frame)
{
   const mode_t mask = umask(0);
   char target[PATH_MAX];
   int error, file;

   umask(mask);
   if (!realpath(path, target)) /* a link stays a link */
      snprintf(target, sizeof(target), "%s", path);
   snprintf(new_path, sizeof(new_path), "%s.XXXXXX", target);
   file = mkstemp(new_path);
   if (file < 0) {
      error = -errno;
      new_path[0] = '\0';
      return error;
   }
   (void)fchmod(file, old ? old->st_mode & 0777 : 0666 & ~mask);
   error = write_file(trace_path, format, fdopen(file, "w"), frame);
   if (error == 0 && rename(new_path, target) != 0)
      error = -errno;
   if (error != 0)
      (void)unlink(new_path);
   new_path[0] = '\0';
   return error;
}

int
pitot_report_write(const char *trace_path, enum pitot_report_format format,
                   const char *output_path, uint64_t frame)
{
   struct stat trace = { 0 }, output = { 0 };

   read_path = trace_path;
   if (strcmp(output_path, "-") == 0)
      return write_file(trace_path, format, stdout, frame);
   if (stat(output_path, &output) != 0)
      return replace_file(trace_path, format, output_path, NULL, frame);
   if (stat(trace_path, &trace) == 0 && trace.st_dev == output.st_dev &&
       trace.st_ino == output.st_ino)
      return -EINVAL;
   if (S_ISREG(output.st_mode))
      return replace_file(trace_path, format, output_path, &output, frame);
   return write_file(trace_path, format, fopen(output_path, "we"), frame);
}
