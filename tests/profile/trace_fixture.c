/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "trace_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char trace_path[64];
char trace_text[1 << 20];

int
trace_set_up(void **state)
{
   (void)state;
   snprintf(trace_path, sizeof(trace_path), "/tmp/pitot-trace-XXXXXX");
   close(mkstemp(trace_path));
   return 0;
}

int
trace_tear_down(void **state)
{
   (void)state;
   unlink(trace_path);
   return 0;
}

const char *
trace_contents_of(const char *path)
{
   FILE *in = fopen(path, "r");

   if (!in)
      fail_msg("no file %s", path);
   trace_text[fread(trace_text, 1, sizeof(trace_text) - 1, in)] = 0;
   fclose(in);
   return trace_text;
}

const char *
trace_contents(void)
{
   return trace_contents_of(trace_path);
}

struct pitot_trace *
trace_create(void)
{
   struct pitot_trace *trace;

   assert_int_equal(pitot_trace_create(trace_path, UINT64_MAX, &trace), 0);
   return trace;
}

void
trace_add_slice(struct pitot_trace *trace, const char *name)
{
   const struct pitot_trace_slice slice = {
      .track = { .process = 0, .thread = 1 },
      .category = "draw",
      .name = name,
      .begin_ns = 1000,
      .end_ns = 2500,
   };

   pitot_trace_slice(trace, &slice);
}

void
trace_write_file(const char *bytes, size_t size_B)
{
   FILE *out = fopen(trace_path, "w");

   assert_non_null(out);
   assert_int_equal(fwrite(bytes, 1, size_B, out), size_B);
   assert_int_equal(fclose(out), 0);
}
