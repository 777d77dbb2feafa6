/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "report_fixture.h"

#include <search.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fail_memory.h"
#include "wrapped.h"

#define main profile_main
#include "main.c"
#undef main

#define DRAWS     TRACES "/draws.json"
#define PARTS     TRACES "/parts.json"
#define MAX_WORDS 12
#define SIGNALED                                                             \
   1000 /* plus the number of the signal that killed the program */

static rlim_t file_limit_B;     /* in the child; 0: none */
static unsigned failing_memory; /* fail_memory in the child */

void *
__wrap_malloc(size_t size_B);

/* The C library's tsearch() would not call the wrapped malloc(), and the
 * compiler would drop a malloc() whose result is unused.
 */
WRAPPED(void *, tsearch,
        (const void *key, void **root,
         int (*compare)(const void *, const void *)))
{
   void *memory = __wrap_malloc(1);

   free(memory);
   return memory ? __real_tsearch(key, root, compare) : NULL;
}

static void
limit_files(void)
{
   struct rlimit limit;

   if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
      _exit(99);
   limit.rlim_cur = file_limit_B;
   if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
      _exit(99);
}

/* In a child, with its output in trace_text. */
static int
run_words(char *const *words)
{
   char *sorted[MAX_WORDS] = { NULL }; /* getopt reorders them */
   int ended, count = 0;

   fflush(stdout);
   for (; words[count]; count++)
      sorted[count] = words[count];

   const pid_t child = fork();
   if (child == 0) {
      if (!freopen(trace_path, "w", stdout) || dup2(1, 2) < 0)
         _exit(99);
      if (file_limit_B > 0)
         limit_files();
      fail_memory_growth = FAIL_MEMORY_COUNTS;
      fail_memory = failing_memory;
      exit(profile_main(count, sorted));
   }
   assert_int_equal(waitpid(child, &ended, 0), child);
   (void)trace_contents();
   return WIFEXITED(ended) ? WEXITSTATUS(ended) : SIGNALED + WTERMSIG(ended);
}

/* Asserts the exit status, and that the output contains a text. */
static void
assert_runs(int status, const char *text, char *const *words)
{
   const int ended = run_words(words);

   if (ended != status || !strstr(trace_text, text))
      fail_msg("status %d rather than %d, or no \"%s\" in\n%s", ended, status,
               text, trace_text);
}

TRACE_TEST(bad_arguments_are_reported)
{
   static const struct {
      int status;
      const char *text;
      char *words[MAX_WORDS];
   } cases[] = {
      { 0, "Usage: pitot-profile TRACE", { "p", "--help" } },
      { 2, "name one trace", { "p" } },
      { 2, "name one trace", { "p", DRAWS, DRAWS } },
      { 2, "unrecognized option '--png'", { "p", "--png", "x", DRAWS } },
      { 2, "requires an argument", { "p", DRAWS, "--svg" } },
      { 2, "0: no number of a frame", { "p", DRAWS, "--frame", "0" } },
      { 2, "-1: no number of a frame", { "p", DRAWS, "--frame", "-1" } },
      { 2, "x: no number of a frame", { "p", DRAWS, "--frame", "x" } },
      { 2, "2x: no number of a frame", { "p", DRAWS, "--frame", "2x" } },
      { 2,
        "no number of a frame",
        { "p", DRAWS, "--frame", "99999999999999999999" } },
      { 1,
        "has no frame of that number",
        { "p", DRAWS, "--frame", "4", "--svg", "-" } },
      { 1, "/nowhere: No such file or directory", { "p", "/nowhere" } },
      { 1, "/dev/null: no trace of Pitot's", { "p", "/dev/null" } },
      { 1, "draws.txt: no trace of Pitot's", { "p", TRACES "/draws.txt" } },
      { 1, ": Is a directory", { "p", "/tmp" } },
      { 1,
        "/dev/full: No space left on device",
        { "p", DRAWS, "--txt", "/dev/full" } },
      { 2,
        "a.gif: no output ends like this",
        { "p", "--run", "a.gif", "true" } },
      { 1, "No such file", { "p", "--run", "/nowhere/a.svg", "true" } },
      { 127,
        "/nowhere: No such file",
        { "p", "--run", "/tmp/pitot-a.svg", "/nowhere" } },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++)
      assert_runs(cases[i].status, cases[i].text, cases[i].words);
}

TRACE_TEST(the_text_is_printed_if_nothing_else_is_wanted)
{
   assert_runs(0, "\n3 frames in 2.70 ms;", (char *[]){ "p", DRAWS, NULL });
   assert_runs(0, "\n3 frames in 2.70 ms;",
               (char *[]){ "p", "--txt=-", DRAWS, NULL });
   assert_runs(0, "process,thread,frame,",
               (char *[]){ "p", "--csv=-", DRAWS, NULL });
}

TRACE_TEST(all_outputs_are_written)
{
   char text[80], csv[80], svg[80];

   snprintf(text, sizeof(text), "%s.txt", trace_path);
   snprintf(csv, sizeof(csv), "%s.csv", trace_path);
   snprintf(svg, sizeof(svg), "%s.svg", trace_path);
   assert_runs(0, "",
               (char *[]){ "p", DRAWS, "--txt", text, "--csv", csv, "--svg",
                           svg, "--frame", "3", NULL });
   assert_string_equal(trace_text, "");
   assert_non_null(
      strstr(trace_contents_of(svg), "frame 3: 200 us on the GPU"));
   assert_int_equal(unlink(text), 0);
   assert_int_equal(unlink(csv), 0);
   assert_int_equal(unlink(svg), 0);
}

static void
copy_draws(const char *path)
{
   char command[512];

   snprintf(command, sizeof(command), "cp %s %s", DRAWS, path);
   assert_int_equal(system(command), 0);
}

static void
assert_is_draws(const char *path)
{
   char command[512];

   snprintf(command, sizeof(command), "cmp %s %s", DRAWS, path);
   assert_int_equal(system(command), 0);
}

/* An error keeps the output, also if it is a link to the trace. */
TRACE_TEST(an_error_leaves_the_output)
{
   char old[80], link[80];

   snprintf(old, sizeof(old), "%s.old", trace_path);
   snprintf(link, sizeof(link), "%s.link", trace_path);
   copy_draws(old);
   assert_runs(1, "has no frame of that number",
               (char *[]){ "p", DRAWS, "--frame", "4", "--svg", old, NULL });
   assert_is_draws(old);
   assert_runs(1, "/dev/null: no trace of Pitot's",
               (char *[]){ "p", "/dev/null", "--svg", old, NULL });
   assert_is_draws(old);
   assert_int_equal(symlink(old, link), 0);
   assert_runs(1, ".link: is the trace itself",
               (char *[]){ "p", old, "--txt", link, NULL });
   assert_is_draws(old);
   assert_runs(0, "", (char *[]){ "p", DRAWS, "--txt", link, NULL });
   assert_int_equal(unlink(old), 0); /* the output was written to it */
   assert_int_equal(access(link, F_OK), -1);
   assert_int_equal(unlink(link), 0);
}

/* Each allocation fails once, also jansson's.  The SVG allocates most. */
TRACE_TEST(an_output_is_left_without_memory)
{
   struct stat before = { 0 }, after = { 0 };
   char old[80];
   char *words[] = { "p", PARTS, "--svg", old, NULL };
   int status;

   snprintf(old, sizeof(old), "%s.old", trace_path);
   copy_draws(old);
   assert_int_equal(stat(old, &before), 0);
   for (failing_memory = 1; (status = run_words(words)) != 0;
        failing_memory++) {
      assert_int_equal(status, 1);
      assert_string_equal(trace_text, "pitot-profile: " PARTS
                                      ": Cannot allocate memory\n");
      assert_int_equal(stat(old, &after), 0);
      assert_int_equal(after.st_ino, before.st_ino);
   }
   assert_in_range(failing_memory, 100, 1000);
   failing_memory = 0;
   assert_int_equal(unlink(old), 0);
}

/*
 * --run: outputs are written to a directory
 */

static char directory[64];

static int
set_up_directory(void **state)
{
   snprintf(directory, sizeof(directory), "/tmp/pitot-run-XXXXXX");
   return mkdtemp(directory) ? trace_set_up(state) : -1;
}

/* Fails if a file is left. */
static int
tear_down_directory(void **state)
{
   return trace_tear_down(state) | rmdir(directory);
}

#define RUN_TEST(NAME) TEST_IN(set_up_directory, tear_down_directory, NAME)

static const char *
path_in(const char *name)
{
   static char path[128];

   snprintf(path, sizeof(path), "%s/%s", directory, name);
   return path;
}

/* Removes the traces that were kept; the names may be a pattern. */
static void
remove_traces(const char *names)
{
   char command[256];

   snprintf(command, sizeof(command),
            "rm %s/pitot-traces-*/%s && rmdir %s/pitot-traces-*", directory,
            names, directory);
   assert_int_equal(system(command), 0);
}

/* Runs a script instead of a profiled program: $T is a trace to copy, $D the
 * directory of traces, and $O the output.
 */
static void
assert_run(int status, const char *text, const char *output,
           const char *script)
{
   char all[1024];

   snprintf(all, sizeof(all), "T=%s D=${PITOT_PROFILE%%/*} O=%s; %s", DRAWS,
            output, script);
   assert_runs(status, text,
               (char *[]){ "p", "--run", (char *)output, "sh", "-c", all,
                           NULL });
}

static const struct run_case {
   const char *name;
   int status;
   const char *text;   /* once in the output; NULL: nothing is */
   const char *output; /* in the directory, or in the folder in it */
   const char *script;
   const char *folder;
   const char *left;    /* the file that is there then */
   const char *traces;  /* the names of those that are kept, a pattern */
   const char *preload; /* PITOT_PRELOAD */
   unsigned failing_memory;
} runs[] = {
   /* Only the program gets the libraries, and not that variable. */
   { "the program has what is preloaded", 0, "\nlibc.so.6:none\n", "a.svg",
     .script = "echo; echo $LD_PRELOAD:${PITOT_PRELOAD-none}",
     .preload = "libc.so.6" },
   { "nothing may be preloaded", 0, "\nas before:none\n", "a.svg",
     .script = "echo; echo ${LD_PRELOAD:-as before}:${PITOT_PRELOAD-none}",
     .preload = "" },
   /* A launcher may end before the process that it starts records. */
   { "a first trace is waited for", 3, "waiting for the processes", "a.txt",
     .script =
        "(until grep -q waiting /dev/stderr; do kill -0 $PPID || exit; done;"
        " cp $T $D/.7; mv $D/.7 $D/7.json) & exit 3",
     .left = "a.txt" },
   { "a long wait is said once", 0, "waiting for the processes", "a.txt",
     .script = "(while kill -0 $$ 2>&-; do :; done; sleep 0.5;"
               " cp $T $D/.7; mv $D/.7 $D/7.json) &",
     .left = "a.txt" },
   /* A daemon may outlive the session. */
   { "a process without a trace is not waited for", 3, NULL, "a.txt",
     .script = "cp $T $D/7.json;"
               "(while kill -0 $PPID 2>&-; do :; done) & exit 3",
     .left = "a.txt" },
   { "a name may have the process, unlike its directory's", 0, NULL,
     "%p/a-%p.csv", .script = "cp $T $D/7.json", .folder = "%p",
     .left = "%p/a-7.csv" },
   { "a file that is no trace is kept", 1, "/7.json: No data available",
     "a.svg", .script = "echo >$D/7.json", .traces = "7.json" },
   { "a file that cannot be read is kept", 3, "/8.json: No such file",
     "a.svg", .script = "ln -s nowhere $D/8.json; exit 3",
     .traces = "8.json" },
   { "a program may record nothing", 0, "recorded nothing: no profile",
     "a.svg", .script = "true" },
   { "the directory may be gone", 1, ": No such file", "a.svg",
     .script = "rmdir $D" },
   /* A second signal after the program's end stops waiting for others. */
   { "a trace that is still written is kept", 1,
     "/7.json: is still written, and kept", "a.svg",
     .script = "exec 9>$D/7.json; flock 9;"
               "(while kill -0 $$ 2>&-; do :; done; kill $PPID;"
               " while kill -0 $PPID 2>&-; do :; done) &",
     .traces = "*" },
   /* pitot-profile is stopped until it has two. */
   { "signals by then stop only the wait", 1,
     "/7.json: is still written, and kept", "a.svg",
     .script = "exec 9>$D/7.json; flock 9;"
               "(while kill -0 $$ 2>&-; do :; done;"
               " kill -STOP $PPID; kill -INT $PPID; kill $PPID;"
               " kill -CONT $PPID; while kill -0 $PPID 2>&-; do :; done) &",
     .traces = "*" },
   /* It may take minutes; this one waits for a reader. */
   { "a signal ends the conversion", SIGNALED + SIGTERM,
     "traces are left in /", "a.svg",
     .script =
        "mkfifo $O; cp $T $D/7.json; (while kill -0 $$ 2>&-; do :; done;"
        " while kill $PPID 2>&-; do :; done) &",
     .left = "a.svg", .traces = "7.json" },
   { "without memory the status is the program's", 3,
     "/7.json: Cannot allocate memory\n"
     "pitot-profile: traces are left in /",
     "a.svg", .script = "cp $T $D/7.json; cp $T $D/8.json; exit 3",
     .traces = "*", .failing_memory = 1 },
   { "without memory a success is an error", 1,
     "pitot-profile: traces are left in /", "a.svg",
     .script = "cp $T $D/7.json", .traces = "*", .failing_memory = 1 },
   { "a program may be killed", 128 + 9, "recorded nothing", "a.svg",
     .script = "kill -9 $$" },
   { "a signal is the program's", 128 + 15, "recorded nothing", "a.svg",
     .script = "kill $PPID; while :; do :; done" },
};

TEST_ROWS(set_up_directory, tear_down_directory, const struct run_case *c,
          scripts_are_run, runs)
{
   char output[128];

   if (c->folder)
      assert_int_equal(mkdir(path_in(c->folder), 0700), 0);
   if (c->preload)
      setenv("PITOT_PRELOAD", c->preload, 1);
   failing_memory = c->failing_memory;
   snprintf(output, sizeof(output), "%s", path_in(c->output));
   assert_run(c->status, c->text ? c->text : "", output, c->script);
   failing_memory = 0;
   unsetenv("PITOT_PRELOAD");
   if (!c->text)
      assert_string_equal(trace_text, "");
   else
      assert_null(strstr(strstr(trace_text, c->text) + 1, c->text));
   if (c->traces)
      remove_traces(c->traces);
   if (c->left)
      assert_int_equal(unlink(path_in(c->left)), 0);
   if (c->folder)
      assert_int_equal(rmdir(path_in(c->folder)), 0);
}

/* The largest trace gets the name, others have their process in it.  One
 * process still records after the program has ended.
 */
RUN_TEST(each_process_has_an_output)
{
   static const char *const outputs[] = { "a.txt", "a-8.txt" };

   assert_run(3, "", path_in("a.txt"),
              "echo '[' >$D/8.json; echo ']' >>$D/8.json;"
              "exec 9>$D/7.json; flock 9;"
              "(while kill -0 $$ 2>&-; do :; done; cat $T >&9) & exit 3");
   for (unsigned i = 0; i < ARRAY_LENGTH(outputs); i++) {
      const char *path = path_in(outputs[i]);
      const bool is_found = strstr(trace_contents_of(path), "\n3 frames in");

      assert_int_equal(is_found, i == 0);
      assert_int_equal(unlink(path), 0);
   }
}

/* Without a directory, outputs are in the current one. */
RUN_TEST(names_may_have_no_directory)
{
   char *before = getcwd(NULL, 0);

   assert_non_null(before);
   assert_int_equal(chdir(directory), 0);
   assert_run(0, "", "a-%p.csv", "cp $T $D/7.json");
   assert_int_equal(chdir(before), 0);
   free(before);
   assert_int_equal(unlink(path_in("a-7.csv")), 0);
}

/* ulimit -f: SIGXFSZ must not kill pitot-profile without a message. */
RUN_TEST(a_limit_for_files_is_an_error)
{
   const char *output = path_in("a.svg");

   file_limit_B = 4096;
   assert_runs(1, "/a.svg: File too large",
               (char *[]){ "p", DRAWS, "--svg", (char *)output, NULL });
   assert_run(1, "/7.json: File too large", output, "ln -s $T $D/7.json");
   assert_runs(1, "/dev/null: File too large", /* its temporary file */
               (char *[]){ "p", DRAWS, "--svg", "/dev/null", NULL });
   file_limit_B = 0;
   remove_traces("*");
}

/* As with nohup: the program inherits signals that its parent ignores. */
RUN_TEST(an_ignored_signal_stays_ignored)
{
   signal(SIGHUP, SIG_IGN);
   assert_run(3, "", path_in("a.svg"), "kill -HUP $$; exit 3");
   signal(SIGHUP, SIG_DFL);
}
