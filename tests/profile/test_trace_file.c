/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The file of a trace: when it is written, and failing writes.
 */

#include "trace_fixture.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned
count_lines(const char *lines)
{
   unsigned count = 0;

   for (const char *c = lines; *c; c++)
      count += *c == '\n';
   return count;
}

/* Whether the file ends with a complete event. */
static bool
ends_whole(const char *lines)
{
   const size_t length = strlen(lines);

   return length > 0 && lines[length - 1] == '}';
}

TRACE_TEST(a_flush_writes_all_so_far)
{
   struct pitot_trace *trace = trace_create();

   trace_add_slice(trace, "first");
   assert_string_equal(trace_contents(), "");
   pitot_trace_flush(trace);
   assert_non_null(strstr(trace_contents(), "\"first\""));
   assert_true(ends_whole(trace_text));
   trace_add_slice(trace, "second");
   assert_null(strstr(trace_contents(), "\"second\""));
   pitot_trace_flush(trace);
   assert_non_null(strstr(trace_contents(), "\"second\""));
   assert_true(ends_whole(trace_text));
   assert_int_equal(pitot_trace_close(trace), 0);
}

/* More events than the buffer holds, of all lengths. */
TRACE_TEST(no_event_is_lost)
{
   struct pitot_trace *trace = trace_create();
   char name[600];
   const char *at;

   for (unsigned i = 0; i < 1200; i++) {
      snprintf(name, sizeof(name), "event %u %*s", i, (int)(i % 500), "");
      trace_add_slice(trace, name);
   }
   assert_int_equal(pitot_trace_close(trace), 0);
   at = trace_contents();
   assert_int_equal(count_lines(at), 1202);
   for (unsigned i = 0; i < 1200; i++) {
      snprintf(name, sizeof(name), "\"event %u ", i);
      at = strstr(at, name);
      assert_non_null(at);
   }
}

TRACE_TEST(an_event_that_is_too_long_is_left_out)
{
   static char name[200 * 1024];

   for (size_t size = 60 * 1024; size < sizeof(name); size += 10 * 1024) {
      for (unsigned before = 0; before < 2; before++) {
         struct pitot_trace *trace = trace_create();
         const bool fits = size < 64 * 1024 - 128;

         memset(name, 'x', size);
         name[size] = 0;
         for (unsigned i = 0; i < before * 500; i++)
            trace_add_slice(trace, "before");
         trace_add_slice(trace, name);
         trace_add_slice(trace, "after");
         assert_int_equal(pitot_trace_close(trace), fits ? 0 : -EMSGSIZE);
         assert_int_equal(count_lines(trace_contents()),
                          before * 500 + (fits ? 4 : 3));
         assert_non_null(strstr(trace_text, "\"after\""));
         assert_int_equal(strstr(trace_text, "xxx") != NULL, fits);
      }
   }
}

TRACE_TEST(a_file_that_cannot_be_made_is_an_error)
{
   struct pitot_trace *trace = NULL;

   static const struct {
      const char *path;
      int error;
   } cases[] = {
      { "/nowhere/trace.json", -ENOENT },
      { "/tmp", -EISDIR },
      { "/dev/full", -EINVAL }, /* not a regular file */
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++)
      assert_int_equal(pitot_trace_create(cases[i].path, UINT64_MAX, &trace),
                       cases[i].error);
   assert_null(trace);
}

TRACE_TEST(a_file_has_one_trace_at_a_time)
{
   struct pitot_trace *trace = trace_create(), *other = NULL;

   trace_add_slice(trace, "first");
   pitot_trace_flush(trace);
   assert_int_equal(pitot_trace_create(trace_path, UINT64_MAX, &other),
                    -EBUSY);
   assert_null(other);
   assert_non_null(strstr(trace_contents(), "\"first\""));
   assert_int_equal(pitot_trace_close(trace), 0);
   assert_int_equal(pitot_trace_close(trace_create()), 0);
   assert_string_equal(trace_contents(), "[\n]\n");
}

static int
next_file(void)
{
   const int file = dup(STDERR_FILENO);

   assert_true(file >= 0);
   close(file);
   return file;
}

TRACE_TEST(a_trace_that_is_refused_leaves_no_file_open)
{
   struct pitot_trace *trace = trace_create(), *other = NULL;
   const int next = next_file();

   assert_int_equal(pitot_trace_create(trace_path, UINT64_MAX, &other),
                    -EBUSY);
   assert_int_equal(next_file(), next);
   assert_int_equal(pitot_trace_close(trace), 0);
}

/* With a limit at each byte, of the process or the trace, all events that fit
 * are complete, and the caller gets an error immediately.
 */
TRACE_TEST(a_limit_keeps_all_before)
{
   struct rlimit limit;

   getrlimit(RLIMIT_FSIZE, &limit);
   for (unsigned i = 0; i < 800; i++) {
      const rlim_t size_B = i / 2;
      const struct rlimit small = { i % 2 ? size_B : limit.rlim_cur,
                                    limit.rlim_max };
      struct pitot_trace *trace;
      int error = 0;

      assert_int_equal(pitot_trace_create(trace_path,
                                          i % 2 ? UINT64_MAX : size_B,
                                          &trace),
                       0);
      setrlimit(RLIMIT_FSIZE, &small);
      for (unsigned k = 0; k < 8; k++) {
         trace_add_slice(trace, "event");
         error = pitot_trace_flush(trace);
      }
      setrlimit(RLIMIT_FSIZE, &limit);
      assert_int_equal(error, -EFBIG);
      trace_add_slice(trace, "too late");
      assert_int_equal(pitot_trace_close(trace), -EFBIG);
      assert_true(strlen(trace_contents()) <= size_B);
      assert_true(trace_text[0] == 0 || ends_whole(trace_text));
      assert_null(strstr(trace_text, "too late"));
   }
}

TRACE_TEST(a_child_writes_nothing)
{
   struct pitot_trace *trace = trace_create();
   int status;

   trace_add_slice(trace, "before");
   fflush(stdout); /* so that the child does not repeat it */
   const pid_t child = fork();
   if (child == 0) {
      trace_add_slice(trace, "child");
      pitot_trace_flush(trace);
      exit(0); /* lets clang count branches */
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   assert_string_equal(trace_contents(), "");
   assert_int_equal(pitot_trace_close(trace), 0);
   assert_int_equal(count_lines(trace_contents()), 3);
}

/* The child may outlive the program, like a daemon. */
TRACE_TEST(a_child_leaves_the_lock)
{
   struct pitot_trace *trace = trace_create(), *next;
   int ends[2], status;

   assert_int_equal(pipe(ends), 0);
   fflush(stdout);
   const pid_t child = fork();
   if (child == 0) {
      char byte;

      close(ends[1]);
      exit(read(ends[0], &byte, 1) != 0);
   }
   assert_int_equal(pitot_trace_close(trace), 0);
   const int error = pitot_trace_create(trace_path, UINT64_MAX, &next);
   close(ends[0]);
   close(ends[1]);
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   assert_int_equal(error, 0);
   assert_int_equal(pitot_trace_close(next), 0);
}

static void *
flush_and_end(void *data)
{
   pthread_cancel(pthread_self());
   pitot_trace_flush(data);
   pthread_testcancel();
   return data;
}

/* The caller may hold a lock: no cancellation point. */
TRACE_TEST(a_cancelled_thread_writes)
{
   struct pitot_trace *trace = trace_create();
   pthread_t thread;
   void *result;

   trace_add_slice(trace, "event");
   assert_int_equal(pthread_create(&thread, NULL, flush_and_end, trace), 0);
   assert_int_equal(pthread_join(thread, &result), 0);
   assert_ptr_equal(result, PTHREAD_CANCELED);
   assert_non_null(strstr(trace_contents(), "event"));
   assert_int_equal(pitot_trace_close(trace), 0);
}
