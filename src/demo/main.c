/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-demo: measures scenes with queries, in OpenGL ES and in OpenGL, and
 * prints a table and a chart.
 * Invariant: one API that works is enough for a table and status 0.
 * Danger: with "--svg -" the chart is on stdout, so nothing else may be.
 */

#include "demo.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_USAGE 2

void (*at_failure)(const char *why);

void
fail(const char *format, ...)
{
   char why[640];
   va_list args;

   va_start(args, format);
   vsnprintf(why, sizeof(why), format, args);
   va_end(args);
   if (at_failure)
      at_failure(why);
   fprintf(stderr, "pitot-demo: %s\n", why);
   exit(EXIT_FAILURE);
}

void
check_gl(const char *step)
{
   GLenum error = glGetError();
   if (error != GL_NO_ERROR)
      fail("GL error 0x%04x while %s", error, step);
}

static void
print_help(void)
{
   fputs(
      "Usage: pitot-demo [--svg FILE]\n"
      "       pitot-demo --list-counters\n"
      "       pitot-demo --check [--json]\n"
      "\n"
      "Draws scenes of growing cost without a window, in an OpenGL ES and"
      " in an OpenGL\n"
      "context, times and counts each one with queries, and prints the"
      " results.\n"
      "\n"
      "  --svg FILE       also draw the times as a chart; if FILE is -, on"
      " stdout, and\n"
      "                   the table on stderr\n"
      "  --list-counters  list the sets of counters of the driver instead\n"
      "  --check          compare the results of queries with what known"
      " draws must give,\n"
      "                   and times with the CPU's clock; takes seconds; the"
      " exit status\n"
      "                   is 1 if one is wrong, and 2 if nothing could be"
      " checked\n"
      "  --json           for programs to read\n"
      "  --help           print this text\n",
      stdout);
}

/* A full disk may show only when the last bytes are flushed. */
static void
close_output(FILE *out, const char *name)
{
   if (fflush(out) != 0 || ferror(out))
      fail("cannot write %s: %s", name, strerror(errno));
}

static void
list_counters(void)
{
   struct perf_sets sets;
   const char *why_not = context_open(API_GL);

   if (why_not)
      why_not = context_open(API_ES);
   if (!why_not)
      why_not = perf_load(&sets);
   if (why_not)
      fail("no counter sets: %s", why_not);
   print_list(stdout, &sets);
   close_output(stdout, "the list");
   perf_free(&sets);
   context_close();
}

static void
run_demo(const char *svg)
{
   struct result results[API_COUNT];

   for (unsigned api = 0; api < API_COUNT; api++)
      measure_by_api(api, &results[api]);
   if (results[API_ES].why_not && results[API_GL].why_not)
      fail("no OpenGL ES (%s) and no OpenGL (%s)", results[API_ES].why_not,
           results[API_GL].why_not);
   for (unsigned api = 0; api < API_COUNT; api++) {
      if (results[api].why_not)
         fprintf(stderr, "pitot-demo: no %s (%s)\n", apis[api].name,
                 results[api].why_not);
   }

   const bool is_stdout = svg && strcmp(svg, "-") == 0;
   FILE *table = is_stdout ? stderr : stdout;
   print_table(table, results);
   close_output(table, "the table");
   if (svg) {
      FILE *chart = is_stdout ? stdout : fopen(svg, "w");
      if (!chart)
         fail("cannot write %s: %s", svg, strerror(errno));
      draw_chart(chart, results);
      close_output(chart, svg);
      fclose(chart);
   }
   for (unsigned api = 0; api < API_COUNT; api++)
      perf_free(&results[api].sets);
}

int
main(int argc, char **argv)
{
   static const struct option known[] = {
      { "svg", required_argument, NULL, 's' },
      { "list-counters", no_argument, NULL, 'l' },
      { "check", no_argument, NULL, 'c' },
      { "json", no_argument, NULL, 'j' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   const char *svg = NULL;
   bool is_list = false, is_check = false, is_json = false, is_bad = false;
   int option;

   while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
      if (option == 'h') {
         print_help();
         return EXIT_SUCCESS;
      }
      if (option == 's')
         svg = optarg;
      is_list |= option == 'l';
      is_check |= option == 'c';
      is_json |= option == 'j';
      is_bad |= option == '?'; /* getopt_long() prints the reason */
   }
   const bool is_mixed =
      (svg != NULL) + is_list + is_check > 1 || (is_json && !is_check);
   if (optind < argc)
      fprintf(stderr, "pitot-demo: unexpected argument '%s'; see --help\n",
              argv[optind]);
   else if (is_mixed)
      fputs("pitot-demo: these options do not go together; see --help\n",
            stderr);
   if (is_bad || optind < argc || is_mixed)
      return EXIT_USAGE;
   if (is_check)
      return check_queries(is_json);
   if (is_list)
      list_counters();
   else
      run_demo(svg);
   return EXIT_SUCCESS;
}
