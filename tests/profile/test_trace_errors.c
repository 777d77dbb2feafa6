/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * System and C library calls of a trace that fail.
 */

#include "trace_fixture.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "wrapped.h"

/* The errno of the next call of a function; 0: it succeeds. */
static int write_error, close_error, truncate_error, lock_error;
static bool has_no_memory;
static bool is_removed;  /* the file, before the next lock */
static bool is_replaced; /* and recreated by another process */

/* The most bytes that a write takes; the next write may take none. */
static size_t write_max_B = SIZE_MAX;
static bool is_write_empty;

/* Sets errno if the call fails. */
static bool
fails(int *error)
{
   if (*error == 0)
      return false;
   errno = *error;
   *error = 0;
   return true;
}

WRAPPED(ssize_t, write, (int file, const void *bytes, size_t size_B))
{
   if (fails(&write_error))
      return -1;
   if (is_write_empty) {
      is_write_empty = false;
      return 0;
   }
   return __real_write(file, bytes,
                       size_B < write_max_B ? size_B : write_max_B);
}

WRAPPED(int, close, (int file))
{
   const int result = __real_close(file);

   return fails(&close_error) ? -1 : result;
}

WRAPPED(int, ftruncate64, (int file, off_t size_B))
{
   return fails(&truncate_error) ? -1 : __real_ftruncate64(file, size_B);
}

WRAPPED(int, flock, (int file, int operation))
{
   if (is_removed)
      unlink(trace_path);
   if (is_replaced)
      trace_write_file("other", 5);
   is_removed = is_replaced = false;
   return fails(&lock_error) ? -1 : __real_flock(file, operation);
}

WRAPPED(void *, calloc, (size_t count, size_t size_B))
{
   if (!has_no_memory)
      return __real_calloc(count, size_B);
   has_no_memory = false;
   return NULL;
}

static void
add_long_event(struct pitot_trace *trace)
{
   static char name[100 * 1024];

   memset(name, 'x', sizeof(name) - 1);
   trace_add_slice(trace, name);
}

TRACE_TEST(a_write_goes_on)
{
   struct pitot_trace *trace = trace_create();

   trace_add_slice(trace, "event");
   write_error = EINTR;
   is_write_empty = true;
   write_max_B = 7;
   const int error = pitot_trace_close(trace);
   write_max_B = SIZE_MAX;
   assert_int_equal(error, 0);
   assert_string_equal(trace_contents(),
                       "[\n{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,"
                       "\"dur\":1.500,\"cat\":\"draw\",\"name\":\"event\"}"
                       "\n]\n");
}

/* Some file systems report failed writes only on close. */
TRACE_TEST(a_close_that_fails_is_an_error)
{
   struct pitot_trace *trace = trace_create();

   close_error = EIO;
   assert_int_equal(pitot_trace_close(trace), -EIO);
}

TRACE_TEST(the_first_failed_write_is_reported)
{
   struct pitot_trace *trace = trace_create();

   add_long_event(trace);
   trace_add_slice(trace, "event");
   write_error = ENOSPC;
   pitot_trace_flush(trace);
   close_error = EIO;
   assert_int_equal(pitot_trace_close(trace), -ENOSPC);

   trace = trace_create();
   trace_add_slice(trace, "event");
   write_error = ENOSPC;
   pitot_trace_flush(trace);
   add_long_event(trace);
   assert_int_equal(pitot_trace_close(trace), -ENOSPC);
   assert_string_equal(trace_contents(), "");
}

/* If the file system has no locks, other writers are not detected. */
TRACE_TEST(a_file_without_locks_is_taken)
{
   lock_error = ENOLCK;
   assert_int_equal(pitot_trace_close(trace_create()), 0);
   assert_string_equal(trace_contents(), "[\n]\n");
}

/* What is written to a removed file would be lost. */
TRACE_TEST(a_file_that_is_removed_is_in_use)
{
   for (unsigned i = 0; i < 2; i++) {
      struct pitot_trace *trace = NULL;

      is_removed = true;
      is_replaced = i == 1;
      assert_int_equal(pitot_trace_create(trace_path, UINT64_MAX, &trace),
                       -EBUSY);
      assert_false(is_removed);
   }
   assert_string_equal(trace_contents(), "other");
}

TRACE_TEST(nothing_is_created_by_halves)
{
   struct pitot_trace *trace = NULL;

   truncate_error = EIO;
   assert_int_equal(pitot_trace_create(trace_path, UINT64_MAX, &trace), -EIO);
   has_no_memory = true;
   assert_int_equal(pitot_trace_create(trace_path, UINT64_MAX, &trace),
                    -ENOMEM);
   assert_null(trace);
   assert_int_equal(pitot_trace_close(trace_create()), 0); /* not locked */
}
