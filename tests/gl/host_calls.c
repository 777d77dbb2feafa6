/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The host as scripts call it: entry points and other verbs.
 */

#include <stdlib.h>
#include <string.h>

#include "fail_memory.h"
#include "host.h"
#include "null_entry_points.h"
#include "targets.h"
#include "test.h"

static struct host *host;

static void
bind_buffer(bool is_bound)
{
   host->bound = is_bound ? host : NULL;
}

static void
map_buffer(bool is_mapped)
{
   host->is_mapped = is_mapped;
}

static void
read_buffer(unsigned offset_B, unsigned size_B, void *data_out)
{
   memcpy(data_out, host->buffer + offset_B, size_B);
}

#define COUNTED(KIND, TARGET, ...) { GL_##TARGET, PITOT_KIND_##KIND },

static void
draw_points(uint64_t count, unsigned target)
{
   static const struct {
      unsigned target;
      enum pitot_kind kind;
   } counted[] = { EACH_TARGET(COUNTED) };

   for (unsigned i = 0; i < ARRAY_LENGTH(counted); i++) {
      if (counted[i].target == target) {
         host->null.counters[counted[i].kind][0] += count;
         return;
      }
   }
   fail_msg("nothing counts target 0x%04x", target);
}

static void
draw_immediately(unsigned count)
{
   host->held_back += count;
}

static bool
is_drawn(void)
{
   return pitot_gl_condition_passes(host->gl);
}

static void
fail_driver(const char *call, const char *nth)
{
   static const char *const calls[] = {
      [PITOT_NULL_CREATE] = "create",
      [PITOT_NULL_BEGIN] = "begin",
      [PITOT_NULL_END] = "end",
   };
   const unsigned n = nth ? strtoul(nth, NULL, 10) : 1;

   for (unsigned i = 0; i < ARRAY_LENGTH(calls); i++) {
      if (strcmp(calls[i], call) == 0)
         host->null.fail[i] = n;
   }
   if (strcmp(call, "memory") == 0)
      fail_memory = n;
}

/* The verbs of the null driver alone. */
static bool
control(char *const words[], uint64_t *value_out)
{
   struct pitot_null *null = &host->null;

   if (strcmp(words[0], "time") == 0)
      null->time_ns = strtoull(words[1], NULL, 10);
   else if (strcmp(words[0], "overflow") == 0)
      null->counters[PITOT_KIND_ANY_STREAM_OVERFLOW][0]++;
   else if (strcmp(words[0], "hold") == 0)
      null->done = null->issued;
   else if (strcmp(words[0], "release") == 0)
      null->done = UINT64_MAX;
   else if (strcmp(words[0], "lose") == 0)
      null->is_lost = true;
   else if (strcmp(words[0], "fail") == 0)
      fail_driver(words[1], words[2]);
   else if (strcmp(words[0], "nosets") == 0)
      host_remove_sets(host);
   else if (strcmp(words[0], "flushed") == 0)
      *value_out = null->flushes;
   else if (strcmp(words[0], "waited") == 0)
      *value_out = null->waits;
   else
      return false;
   return true;
}

static const char *
error_message(void)
{
   return host->message;
}

static const struct script_gl script_gl = {
   .entry_points = &null_entry_points,
   .buffer = HOST_BUFFER_NAME,
   .bind_buffer = bind_buffer,
   .map_buffer = map_buffer,
   .read_buffer = read_buffer,
   .draw_points = draw_points,
   .draw_immediately = draw_immediately,
   .is_drawn = is_drawn,
   .suspend = host_suspend,
   .control = control,
   .error_message = error_message,
};

void
host_run(struct host *runs, const char *script)
{
   host = runs;
   null_perf = &host->perf;
   null_driver = &host->null;
   null_error = &host->error;
   script_run(&script_gl, script);
}
