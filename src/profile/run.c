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

/* A process's, in the directory of traces. */
struct trace {
   char *path;
   char process[64]; /* its id, for the name of the output */
   off_t size_B;
};

struct run {
   const char *output; /* FILE */
   char directory[PATH_MAX];
   struct trace *traces;
   size_t count;
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
      if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
         sigaction(numbers[i], &action, NULL);
   }
}

/* Returns a directory for traces beside the output, which no other run has.
 */
static bool
make_directory(struct run *run)
{
   char *copy = strdup(run->output), *name = NULL;
   const char *parent = copy ? dirname(copy) : NULL;
   const bool is_made =
      parent && asprintf(&name, "%s/pitot-traces-XXXXXX", parent) >= 0 &&
      mkdtemp(name) && realpath(name, run->directory);

   free(name);
   free(copy);
   return is_made;
}

static void
begin_program(const struct run *run, char **command)
{
   char *setting;

   if (asprintf(&setting, "%s/%%p.json", run->directory) < 0 ||
       setenv("PITOT_PROFILE", setting, 1) != 0) {
      say(command[0], strerror(errno));
      _exit(127);
   }
   execvp(command[0], command);
   say(command[0], strerror(errno));
   _exit(errno == ENOENT ? 127 : 126);
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

/* The largest first. */
static int
by_size(const void *a, const void *b)
{
   const struct trace *first = a, *second = b;
   const int order =
      (first->size_B < second->size_B) - (first->size_B > second->size_B);

   return order ? order : strcmp(first->process, second->process);
}

static bool
add_trace(struct run *run, const char *name)
{
   const size_t length = strcspn(name, ".");
   struct trace *traces =
      realloc(run->traces, (run->count + 1) * sizeof(*traces));
   struct trace trace = { .path = NULL };
   struct stat status = { 0 };

   if (!traces)
      return false;
   run->traces = traces;
   snprintf(trace.process, sizeof(trace.process), "%.*s", (int)length, name);
   if (asprintf(&trace.path, "%s/%s", run->directory, name) < 0)
      return false;
   if (stat(trace.path, &status) == 0)
      trace.size_B = status.st_size;
   traces[run->count++] = trace;
   return true;
}

static bool
find_traces(struct run *run)
{
   DIR *directory = opendir(run->directory);
   const struct dirent *entry;
   bool is_good = directory;

   while (is_good && (entry = readdir(directory)))
      is_good = entry->d_name[0] == '.' || add_trace(run, entry->d_name);
   if (directory)
      closedir(directory);
   if (run->count > 0)
      qsort(run->traces, run->count, sizeof(*run->traces), by_size);
   return is_good;
}

/* Returns the name of the output of a trace: that of the largest one is the
 * name that is wanted, and others have the process's id in it.
 */
static char *
output_of(const struct run *run, size_t i)
{
   const char *process = run->traces[i].process;
   const char *place = strstr(run->output, "%p");
   const char *dot = strrchr(run->output, '.');
   char *name = NULL;
   int length;

   if (place)
      length = asprintf(&name, "%.*s%s%s", (int)(place - run->output),
                        run->output, process, place + 2);
   else if (i == 0)
      return strdup(run->output);
   else
      length = asprintf(&name, "%.*s-%s%s", (int)(dot - run->output),
                        run->output, process, dot);
   return length < 0 ? NULL : name;
}

/* Returns whether no process writes the trace any more. */
static bool
has_ended(const char *path)
{
   const int file = open(path, O_RDONLY | O_CLOEXEC);
   const bool is_locked = file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 &&
                          errno == EWOULDBLOCK;

   if (file >= 0)
      close(file);
   return !is_locked;
}

/* A trace is kept that no output could be made of. */
static bool
convert(const struct run *run, size_t i)
{
   const char *path = run->traces[i].path;
   char *output = output_of(run, i);
   int error = output ? -EBUSY : -ENOMEM;

   if (output && has_ended(path))
      error = pitot_trace_convert(path, output);
   free(output);
   if (error == 0)
      error = unlink(path) == 0 ? 0 : -errno;
   if (error != 0)
      say(path,
          error == -EBUSY ? "is still written, and kept" : strerror(-error));
   return error == 0;
}

static bool
make_outputs(struct run *run, const char *name)
{
   bool is_good = find_traces(run);

   if (is_good && run->count == 0)
      say(name, "recorded nothing: no profile");
   for (size_t i = 0; i < run->count; i++) {
      is_good &= convert(run, i);
      free(run->traces[i].path);
   }
   free(run->traces);
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
   program = fork();
   if (program == 0)
      begin_program(&run, command);

   const int status = program < 0 ? 1 : wait_for_all(command[0]);

   return make_outputs(&run, command[0]) || status ? status : 1;
}
