/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The program pitot-profile: converts a trace that PITOT_PROFILE left.
 */

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

static const char usage[] =
   "Usage: pitot-profile TRACE [--txt OUT] [--csv OUT] [--svg OUT]\n"
   "                     [--frame N]\n"
   "       pitot-profile --run OUT PROGRAM [ARGUMENT]...\n"
   "\n"
   "Writes what a trace of PITOT_PROFILE=FILE.json says, also one that is\n"
   "cut off; \"-\" is the standard output.  Without an option for an "
   "output,\n"
   "the text is printed.\n"
   "\n"
   "  --txt OUT   tables for people: frames, the most expensive passes and\n"
   "              calls, counters, waits of the CPU\n"
   "  --csv OUT   a line for each slice, for programs\n"
   "  --svg OUT   a timeline of a frame, and a flame chart of all frames\n"
   "  --frame N   draw the frame of that number, not the one of median "
   "time;\n"
   "              of several contexts, the longest frame of that number\n"
   "\n"
   "With --run, PROGRAM records traces, on a Mesa with Pitot in it.  OUT,\n"
   "which ends with .txt, .csv or .svg, is made when it has ended and no\n"
   "process that it left writes a trace.  Several processes have their ids\n"
   "in their outputs' names, all but the one with the largest trace, or\n"
   "where OUT has %p.  The exit status is the program's.\n"
   "\n"
   "The exit status is 1 if a file could not be read or written, 2 for bad\n"
   "arguments.\n";

static void
give_up(int status, const char *about, const char *why)
{
   fprintf(stderr, "pitot-profile: %s: %s\n", about, why);
   exit(status);
}

/* Other errors concern the trace if it cannot be read, or else the output. */
static void
exit_on_error(int error, const char *trace, const char *output)
{
   if (error == -ENODATA)
      give_up(1, trace, "no trace of Pitot's");
   if (error == -EINVAL)
      give_up(1, output, "is the trace itself");
   if (error == -ESRCH)
      give_up(1, trace, "has no frame of that number");
   if (error != 0)
      give_up(1, access(trace, R_OK) == 0 ? output : trace, strerror(-error));
}

static uint64_t
frame_number(const char *text)
{
   char *end;
   uint64_t number;

   errno = 0;
   number = strtoull(text, &end, 10);
   if (text[0] < '0' || text[0] > '9' || *end || errno || number == 0)
      give_up(2, text, "no number of a frame, from 1 on");
   return number;
}

int
main(int argc, char **argv)
{
   static const struct option options[] = {
      { "txt", required_argument, NULL, PITOT_REPORT_TXT },
      { "csv", required_argument, NULL, PITOT_REPORT_CSV },
      { "svg", required_argument, NULL, PITOT_REPORT_SVG },
      { "frame", required_argument, NULL, 'f' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   const char *outputs[PITOT_REPORT_FORMAT_COUNT] = { NULL };
   uint64_t frame = 0;
   bool is_any = false;
   int option;

   if (argc > 3 && strcmp(argv[1], "--run") == 0)
      return pitot_profile_run(argv[2], &argv[3]);
   signal(SIGXFSZ, SIG_IGN); /* write() fails with EFBIG instead */
   while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
      if (option == 'h') {
         fputs(usage, stdout);
         return 0;
      }
      if (option == '?')
         return 2;
      if (option == 'f') {
         frame = frame_number(optarg);
         continue;
      }
      outputs[option] = optarg;
      is_any = true;
   }
   if (optind != argc - 1)
      give_up(2, "arguments", "name one trace (see --help)");
   if (!is_any)
      outputs[PITOT_REPORT_TXT] = "-";
   for (unsigned i = 0; i < PITOT_REPORT_FORMAT_COUNT; i++) {
      if (outputs[i])
         exit_on_error(pitot_report_write(argv[optind], i, outputs[i], frame),
                       argv[optind], outputs[i]);
   }
   return 0;
}
