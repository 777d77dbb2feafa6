/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-profile --run: runs a program, each process of which records a trace
 * in a directory next to the output.  Converts the traces when the program
 * has ended and no process writes a trace any more.
 *
 * A trace is deleted only after it was converted.  If a signal or a lack of
 * memory ends the conversion, a line says where the traces are.
 */

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

/* Says where the traces are, for say_left() and leave_traces(); or "". */
static char left[sizeof(((struct run *)NULL)->directory) + 64];

static void
print_line(const char *about, const char *what)
{
   fprintf(stderr, "pitot-profile: %s: %s\n", about, what);
}

/*
 * The program
 */

static const int ends[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

/* Blocks SIGCHLD, and the signals in ends that are not ignored:
 * wait_for_all() receives them.
 */
static void
block_signals(sigset_t *blocked_out, sigset_t *old_out)
{
   struct sigaction action;

   sigemptyset(blocked_out);
   sigaddset(blocked_out, SIGCHLD);
   signal(SIGCHLD, SIG_DFL); /* if ignored, it does not arrive */
   for (unsigned i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
      sigaction(ends[i], NULL, &action);
      if (action.sa_handler != SIG_IGN)
         sigaddset(blocked_out, ends[i]);
   }
   sigprocmask(SIG_BLOCK, blocked_out, old_out);
}

/* The path is absolute, because the program may change its directory. */
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

/* Returns the id of the program's process, or -1.  The launcher sets
 * PITOT_PRELOAD instead of LD_PRELOAD, so that only the program preloads it.
 */
static pid_t
begin_program(const struct run *run, char **command, const sigset_t *signals)
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
      sigprocmask(SIG_SETMASK, signals, NULL);
      execvp(command[0], command);
      print_line(command[0], strerror(errno));
      _exit(errno == ENOENT ? 127 : 126);
   }
   return child;
}

/*
 * The traces
 */

static int
is_trace(const struct dirent *entry)
{
   return entry->d_name[0] != '.';
}

static int
list_traces(const struct run *run, struct dirent ***traces_out)
{
   return scandir(run->directory, traces_out, is_trace, alphasort);
}

static const char *
path_of(const struct run *run, const char *trace)
{
   static char path[sizeof(run->directory) + NAME_MAX + 1];

   snprintf(path, sizeof(path), "%s/%s", run->directory, trace);
   return path;
}

/* Returns whether a process still writes the trace, and has it locked. */
static bool
is_written(const char *path)
{
   const int file = open(path, O_RDONLY | O_CLOEXEC);
   const bool is_locked =
      flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;

   close(file);
   return is_locked;
}

/* Returns whether to wait for traces: one is still written, or none has begun
 * and there are processes left.  Once there is a trace, processes without one
 * are not waited for: daemons of a session may run forever.
 */
static bool
is_recording(const struct run *run, bool has_children)
{
   struct dirent **traces = NULL;
   const int count = list_traces(run, &traces);
   bool is_any = count == 0 && has_children;

   for (int i = 0; i < count; i++) {
      is_any |= is_written(path_of(run, traces[i]->d_name));
      free(traces[i]);
   }
   free(traces);
   return is_any;
}

/*
 * The wait
 */

/* Reaps all children that have ended.  If the program is one of them, takes
 * its status and sets it to 0.  Returns whether there are more children.
 */
static bool
take_statuses(pid_t *program, int *status_out)
{
   int ended;
   pid_t child;

   while ((child = waitpid(-1, &ended, WNOHANG)) > 0) {
      if (child == *program) {
         *status_out = ended;
         *program = 0;
      }
   }
   return child == 0;
}

/* Waits for the program, and then for the traces of the processes that it
 * left, which are this process's children by then.  Returns the exit status
 * of the program, or 128 plus its signal.
 */
static int
wait_for_all(const struct run *run, pid_t program, const char *name,
             const sigset_t *signals)
{
   static const struct timespec often = { .tv_nsec = 100000000 }, none;
   int status = 0;
   bool has_children = true, is_said = false;

   while (program || is_recording(run, has_children)) {
      siginfo_t info;

      if (!program && !is_said) {
         print_line(
            name, "waiting for the processes that it left (Ctrl+C: no more)");
         is_said = true;
      }
      const int number =
         sigtimedwait(signals, &info, program ? NULL : &often);

      if (number < 0 || number == SIGCHLD)
         has_children = take_statuses(&program, &status);
      else if (!program)
         break;
      else if (info.si_code <= 0) /* a terminal signals the program, too */
         kill(program, number);
   }
   while (sigtimedwait(signals, NULL, &none) > 0)
      ; /* signals for the program do not end the conversion */
   return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/*
 * The outputs
 */

static off_t
size_of(const char *path)
{
   struct stat status = { 0 };

   (void)stat(path, &status);
   return status.st_size;
}

/* Writes the name of the output of a trace: the largest trace gets the name
 * that the user chose.  Others, and all if it has %p, get their process's id.
 */
static void
name_output(const struct run *run, const char *trace, bool is_largest,
            char *name_out, size_t name_B)
{
   const int process_B = (int)strcspn(trace, ".");
   const char *output = run->output;
   const char *slash = strrchr(output, '/');
   const char *place = strstr(slash ? slash : output, "%p");
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

/* Deletes the trace if it could be converted. */
static bool
convert_trace(const struct run *run, const char *trace, bool is_largest)
{
   const char *path = path_of(run, trace);
   char output[PATH_MAX + NAME_MAX];
   int error = -EBUSY;

   name_output(run, trace, is_largest, output, sizeof(output));
   if (!is_written(path))
      error =
         pitot_report_write(path, pitot_report_format_of(output), output, 0);
   if (error == 0)
      (void)unlink(path);
   else
      print_line(path, error == -EBUSY ? "is still written, and kept"
                                       : strerror(-error));
   return error == 0;
}

static bool
make_outputs(const struct run *run, const char *name)
{
   struct dirent **traces = NULL;
   const int count = list_traces(run, &traces);
   bool is_good = count >= 0;
   off_t most_B = -1;
   int largest = 0;

   if (count < 0)
      print_line(run->directory, strerror(errno));
   if (count == 0)
      print_line(name, "recorded nothing: no profile");
   for (int i = 0; i < count; i++) {
      const off_t size_B = size_of(path_of(run, traces[i]->d_name));

      if (most_B < size_B) {
         most_B = size_B;
         largest = i;
      }
   }
   for (int i = 0; i < count; i++) {
      is_good &= convert_trace(run, traces[i]->d_name, i == largest);
      free(traces[i]);
   }
   free(traces);
   (void)rmdir(run->directory);
   left[0] = '\0';
   return is_good;
}

/* At exit: pitot_report_need() may end the conversion. */
static void
say_left(void)
{
   fputs(left, stderr);
}

static void
leave_traces(int number)
{
   const ssize_t written = write(STDERR_FILENO, left, strlen(left));

   (void)written;
   signal(number, SIG_DFL);
   raise(number);
}

/* From here on, a signal ends the conversion and prints where traces are. */
static void
unblock_signals(const struct run *run, const sigset_t *blocked,
                const sigset_t *old)
{
   const struct sigaction action = { .sa_handler = leave_traces };

   snprintf(left, sizeof(left), "pitot-profile: traces are left in %s\n",
            run->directory);
   atexit(say_left);
   for (unsigned i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
      if (sigismember(blocked, ends[i]))
         sigaction(ends[i], &action, NULL);
   }
   sigprocmask(SIG_SETMASK, old, NULL);
   signal(SIGXFSZ, SIG_IGN); /* write() fails with EFBIG instead */
}

int
pitot_profile_run(const char *output, char **command)
{
   struct run run = { .output = output };
   sigset_t signals, old_signals;

   if (pitot_report_format_of(output) == PITOT_REPORT_FORMAT_COUNT) {
      print_line(output, "no output ends like this, but .txt, .svg and .csv");
      return 2;
   }
   block_signals(&signals, &old_signals);
   if (!make_directory(&run)) {
      print_line(output, strerror(errno));
      return 1;
   }
   prctl(PR_SET_CHILD_SUBREAPER, 1);

   const pid_t child = begin_program(&run, command, &old_signals);

   if (child < 0) {
      print_line(command[0], strerror(errno));
      (void)rmdir(run.directory);
      return 1;
   }

   const int status = wait_for_all(&run, child, command[0], &signals);

   if (status != 0)
      pitot_report_failure = status;
   unblock_signals(&run, &signals, &old_signals);
   return make_outputs(&run, command[0]) ? status : pitot_report_failure;
}
