/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "fail.h"
#include "json.h"
#include "list.h"
#include "measure.h"
#include "table.h"

#define EXIT_USAGE 2

struct options {
   const char *svg; /* file names, or NULL */
   const char *json;
   bool list_counters;
};

typedef bool (*writer)(FILE *out, const struct result results[API_COUNT]);

static void
print_help(void)
{
   puts("Usage: pitot-demo [--svg FILE] [--json FILE]\n"
        "       pitot-demo --list-counters [--json FILE]\n"
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
        "If FILE is -, it goes to stdout, and the table to stderr.");
}

/* Explains bad arguments in one line, and ends the program. */
static _Noreturn void
reject(const char *problem, const char *argument)
{
   warn("%s: %s (see pitot-demo --help)", problem, argument);
   exit(EXIT_USAGE);
}

static struct options
parse_arguments(int argc, char **argv)
{
   static const struct option known[] = {
      { "svg", required_argument, NULL, 's' },
      { "json", required_argument, NULL, 'j' },
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
         options.json = optarg;
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
   return options;
}

static bool
is_stdout(const char *name)
{
   return name && strcmp(name, "-") == 0;
}

static FILE *
open_file(const char *name)
{
   FILE *out = is_stdout(name) ? stdout : fopen(name, "w");
   if (!out)
      fail("cannot write \"%s\": %s", name, strerror(errno));
   return out;
}

/* What fills a disk may show only when the last bytes leave the buffer. */
static void
close_file(const char *name, FILE *out, bool written)
{
   written = fflush(out) == 0 && written;
   if (out != stdout)
      written = fclose(out) == 0 && written;
   if (!written)
      fail("cannot write \"%s\": %s", name, strerror(errno));
}

static void
write_file(const char *name, writer write,
           const struct result results[API_COUNT])
{
   if (!name)
      return;

   FILE *out = open_file(name);
   close_file(name, out, write(out, results));
}

static void
print_table(FILE *out, const struct result results[API_COUNT])
{
   table_print(out, results);
   if (fflush(out) != 0 || ferror(out))
      fail("cannot print the table: %s", strerror(errno));
}

/* One API alone is worth a table; without either there is nothing to show. */
static void
measure_all(struct result results[API_COUNT])
{
   for (unsigned api = 0; api < API_COUNT; api++)
      measure(api, &results[api]);

   if (!results[API_ES].measured && !results[API_GL].measured)
      fail("no OpenGL ES (%s) and no OpenGL (%s)", results[API_ES].why,
           results[API_GL].why);
   for (unsigned api = 0; api < API_COUNT; api++) {
      if (!results[api].measured)
         warn("no %s (%s)", api_name(api), results[api].why);
   }
}

static void
list_counters(const struct options *options)
{
   const char *name = options->json ? options->json : "-";
   struct list list;

   list_load(&list);
   FILE *out = open_file(name);
   close_file(name, out,
              options->json ? list_write_json(out, &list)
                            : list_print(out, &list));
   list_free(&list);
}

static void
demonstrate(const struct options *options)
{
   struct result results[API_COUNT];
   measure_all(results);

   const bool stdout_taken =
      is_stdout(options->svg) || is_stdout(options->json);
   print_table(stdout_taken ? stderr : stdout, results);
   write_file(options->svg, chart_write, results);
   write_file(options->json, json_write, results);
   for (unsigned api = 0; api < API_COUNT; api++)
      result_free(&results[api]);
}

int
main(int argc, char **argv)
{
   const struct options options = parse_arguments(argc, argv);
   if (is_stdout(options.svg) && is_stdout(options.json))
      reject("only one FILE can be stdout", "-");
   if (options.svg && options.list_counters)
      reject("--list-counters draws no chart", options.svg);

   if (options.list_counters)
      list_counters(&options);
   else
      demonstrate(&options);
   return EXIT_SUCCESS;
}
