/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-profile --run: runs a program, each process of which records a trace,
 * and makes the outputs when all of them have ended.
 */

#include "run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"

#define TEMPLATE "/pitot-traces-XXXXXX"

struct run {
   const char *output;
   char directory[PATH_MAX + sizeof(TEMPLATE)]; /* of the traces */
};

static volatile sig_atomic_t program;   /* its process, while it runs */
static volatile sig_atomic_t is_enough; /* of waiting for others */

static void
say(const char *about, const char *what)
{
   fprintf(stderr, "pitot-profile: %s: %s\n", about, what);
}

/*
 * The program
 */

/* The terminal sends its signals to the program as well. */
static void
forward(int number, siginfo_t *info, void *context)
{
   (void)context;
   if (!program)
      is_enough = 1;
   else if (info->si_code <= 0)
      kill(program, number);
}

static void
handle_signals(void)
{
   static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
   const struct sigaction action = { .sa_sigaction = forward,
                                     .sa_flags = SA_SIGINFO };
   struct sigaction old;

   for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
      sigaction(numbers[i], NULL, &old);
      if (old.sa_handler != SIG_IGN)
         sigaction(numbers[i], &action, NULL);
   }
}

/* Makes a directory for traces beside the output, which no other run has. Its
 * name is absolute: the program may change the directory.
 */
static bool
make_directory(struct run *run)
{
   char copy[PATH_MAX], parent[PATH_MAX];

   snprintf(copy, sizeof(copy), "%s", run->output);
   if (!realpath(dirname(copy), parent))
      return false;
   snprintf(run->directory, sizeof(run->directory), "%s" TEMPLATE, parent);
   return mkdtemp(run->directory);
}

/* Returns the program's process, or -1.  The launcher has a variable of
 * another name for what is to be preloaded into the program alone.
 */
static pid_t
begin_program(const struct run *run, char **command)
{
   const char *preload = getenv("PITOT_PRELOAD");
   char setting[sizeof(run->directory) + sizeof("/%p.json")];
   pid_t child;

   snprintf(setting, sizeof(setting), "%s/%%p.json", run->directory);
   setenv("PITOT_PROFILE", setting, 1);
   if (preload && preload[0])
      setenv("LD_PRELOAD", preload, 1);
   unsetenv("PITOT_PRELOAD");
   child = fork();
   if (child == 0) {
      execvp(command[0], command);
      say(command[0], strerror(errno));
      _exit(errno == ENOENT ? 127 : 126);
   }
   return child;
}

/* Waits for the program, and then for all that it started and left, which are
 * this process's children by then.  Returns the program's status.
 */
static int
wait_for_all(const char *name)
{
   int status = 0, ended;
   bool is_said = false;

   while (!is_enough) {
      const pid_t child =
         waitpid(-1, &ended, program || is_said ? 0 : WNOHANG);

      if (child < 0 && errno == ECHILD)
         break;
      if (child == 0) {
         say(name,
             "waiting for the processes that it left (Ctrl+C: no more)");
         is_said = true;
      }
      if (child > 0 && child == program) {
         status = ended;
         program = 0;
      }
   }
   return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/*
 * The outputs
 */

static int
is_trace(const struct dirent *entry)
{
   return entry->d_name[0] != '.';
}

static const char *
path_of(const struct run *run, const char *trace)
{
   static char path[sizeof(run->directory) + NAME_MAX + 1];

   snprintf(path, sizeof(path), "%s/%s", run->directory, trace);
   return path;
}

static off_t
size_of(const char *path)
{
   struct stat status = { 0 };

   (void)stat(path, &status);
   return status.st_size;
}

/* Writes the name of the output of a process's trace: that of the largest one
 * is the name that is wanted, and others have the process's id in it.
 */
static void
name_output(const struct run *run, const char *trace, bool is_largest,
            char *name_out, size_t name_B)
{
   const int process_B = (int)strcspn(trace, ".");
   const char *output = run->output;
   const char *place = strstr(output, "%p");
   const char *dot = strrchr(output, '.');

   if (place)
      snprintf(name_out, name_B, "%.*s%.*s%s", (int)(place - output), output,
               process_B, trace, place + 2);
   else if (is_largest)
      snprintf(name_out, name_B, "%s", output);
   else
      snprintf(name_out, name_B, "%.*s-%.*s%s", (int)(dot - output), output,
               process_B, trace, dot);
}

/* Returns whether a process writes the trace still. */
static bool
is_written(const char *path)
{
   const int file = open(path, O_RDONLY | O_CLOEXEC);
   const bool is_locked =
      flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;

   close(file);
   return is_locked;
}

/* A trace is kept that no output could be made of. */
static bool
convert(const struct run *run, const char *trace, bool is_largest)
{
   const char *path = path_of(run, trace);
   char output[PATH_MAX + NAME_MAX];
   int error = -EBUSY;

   name_output(run, trace, is_largest, output, sizeof(output));
   if (!is_written(path))
      error = pitot_trace_convert(path, output);
   if (error == 0)
      (void)unlink(path);
   else
      say(path,
          error == -EBUSY ? "is still written, and kept" : strerror(-error));
   return error == 0;
}

static bool
make_outputs(const struct run *run, const char *name)
{
   struct dirent **traces = NULL;
   const int count = scandir(run->directory, &traces, is_trace, alphasort);
   bool is_good = count >= 0;
   off_t most_B = -1;
   int largest = 0;

   if (count < 0)
      say(run->directory, strerror(errno));
   if (count == 0)
      say(name, "recorded nothing: no profile");
   for (int i = 0; i < count; i++) {
      const off_t size_B = size_of(path_of(run, traces[i]->d_name));

      if (most_B < size_B) {
         most_B = size_B;
         largest = i;
      }
   }
   for (int i = 0; i < count; i++) {
      is_good &= convert(run, traces[i]->d_name, i == largest);
      free(traces[i]);
   }
   free(traces);
   (void)rmdir(run->directory);
   return is_good;
}

int
pitot_profile_run(const char *output, char **command)
{
   struct run run = { .output = output };

   if (pitot_report_format_of(output) == PITOT_REPORT_FORMAT_COUNT) {
      say(output, "no output ends like this, but .txt, .svg and .csv");
      return 2;
   }
   if (!make_directory(&run)) {
      say(output, strerror(errno));
      return 1;
   }
   handle_signals();
   prctl(PR_SET_CHILD_SUBREAPER, 1);

   const pid_t child = begin_program(&run, command);

   if (child < 0) {
      say(command[0], strerror(errno));
      (void)rmdir(run.directory);
      return 1;
   }
   program = child;

   const int status = wait_for_all(command[0]);

   return make_outputs(&run, command[0]) || status ? status : 1;
}
