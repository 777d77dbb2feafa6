/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_USAGE 2

struct options {
   const char *svg; /* file names, or NULL */
   const char *json;
   bool json_has_no_file;
   bool list_counters;
};

void
fail(const char *format, ...)
{
   va_list args;

   va_start(args, format);
   fputs("pitot-demo: ", stderr);
   vfprintf(stderr, format, args);
   fputc('\n', stderr);
   va_end(args);
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
   puts("Usage: pitot-demo [--svg FILE] [--json FILE]\n"
        "       pitot-demo --list-counters [--json [FILE]]\n"
        "\n"
        "Draws scenes of growing cost without a window, in an OpenGL ES and"
        " in an OpenGL\n"
        "context, times and counts each one with queries, and prints what"
        " they told.\n"
        "\n"
        "  --svg FILE       also draw the times as a chart\n"
        "  --json FILE      also write all values for programs\n"
        "  --list-counters  list the sets of counters of the driver instead,"
        " as text or,\n"
        "                   with --json, for programs\n"
        "  --help           print this text\n"
        "\n"
        "If FILE is -, it goes to stdout, and the table to stderr. A list"
        " goes to stdout\n"
        "if no FILE is named.");
}

/* Explains bad arguments in one line, and ends the program. */
static _Noreturn void
reject(const char *problem, const char *argument)
{
   fprintf(stderr, "pitot-demo: %s: %s (see pitot-demo --help)\n", problem,
           argument);
   exit(EXIT_USAGE);
}

static bool
is_stdout(const char *name)
{
   return name && strcmp(name, "-") == 0;
}

static struct options
parse_arguments(int argc, char **argv)
{
   static const struct option known[] = {
      { "svg", required_argument, NULL, 's' },
      { "json", optional_argument, NULL, 'j' },
      { "list-counters", no_argument, NULL, 'l' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   struct options options = { 0 };
   int option;

   opterr = 0; /* reject() words the complaints */
   while ((option = getopt_long(argc, argv, ":", known, NULL)) != -1) {
      switch (option) {
      case 's':
         options.svg = optarg;
         break;
      case 'j':
         if (!optarg && optind < argc && strncmp(argv[optind], "--", 2) != 0)
            optarg = argv[optind++];
         options.json_has_no_file = !optarg;
         options.json = optarg ? optarg : "-";
         break;
      case 'l':
         options.list_counters = true;
         break;
      case 'h':
         print_help();
         exit(EXIT_SUCCESS);
      case ':':
         reject("FILE is missing after", argv[optind - 1]);
      default:
         reject("bad option", argv[optind - 1]);
      }
   }
   if (optind < argc)
      reject("unexpected argument", argv[optind]);
   if (options.json_has_no_file && !options.list_counters)
      reject("FILE is missing after", "--json");
   if (is_stdout(options.svg) && is_stdout(options.json))
      reject("only one FILE can be stdout", "-");
   if (options.svg && options.list_counters)
      reject("--list-counters draws no chart", options.svg);
   return options;
}

static void
write_file(const char *name, writer *write, const struct result *results)
{
   FILE *out = is_stdout(name) ? stdout : fopen(name, "w");
   if (!out)
      fail("cannot write \"%s\": %s", name, strerror(errno));

   /* A full disk may show only when the last bytes leave the buffer. */
   bool written = write(out, results);
   written = fflush(out) == 0 && written;
   if (out != stdout)
      written = fclose(out) == 0 && written;
   if (!written)
      fail("cannot write \"%s\": %s", name, strerror(errno));
}

/* Lists the perf sets of the best context that the driver makes. */
static void
list_counters(const struct options *options)
{
   struct result result;

   measure(API_GL, true, &result);
   const char *no_gl = result.why_not;
   if (no_gl)
      measure(API_ES, true, &result);
   if (result.why_not)
      fail("no counter sets: no OpenGL (%s) and no OpenGL ES (%s)", no_gl,
           result.why_not);
   if (result.why_no_perf)
      fail("no counter sets: %s", result.why_no_perf);

   if (options->json)
      write_file(options->json, list_write_json, &result);
   else
      write_file("-", list_write, &result);
   free_result(&result);
}

/* Measures in both APIs; results of one alone are worth a table as well. */
static void
demonstrate(const struct options *options)
{
   struct result results[API_COUNT];

   for (unsigned api = 0; api < API_COUNT; api++)
      measure(api, false, &results[api]);
   if (results[API_ES].why_not && results[API_GL].why_not)
      fail("no OpenGL ES (%s) and no OpenGL (%s)", results[API_ES].why_not,
           results[API_GL].why_not);
   for (unsigned api = 0; api < API_COUNT; api++) {
      if (results[api].why_not)
         fprintf(stderr, "pitot-demo: no %s (%s)\n", api_names[api],
                 results[api].why_not);
   }

   const bool is_stdout_taken =
      is_stdout(options->svg) || is_stdout(options->json);
   FILE *out = is_stdout_taken ? stderr : stdout;
   if (!table_write(out, results) || fflush(out) != 0)
      fail("cannot print the table: %s", strerror(errno));
   if (options->svg)
      write_file(options->svg, chart_write, results);
   if (options->json)
      write_file(options->json, json_write, results);
   for (unsigned api = 0; api < API_COUNT; api++)
      free_result(&results[api]);
}

int
main(int argc, char **argv)
{
   const struct options options = parse_arguments(argc, argv);

   if (options.list_counters)
      list_counters(&options);
   else
      demonstrate(&options);
   return EXIT_SUCCESS;
}
