/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GL implementation outside the tree with its own driver, a copy of the
 * null driver.  Exit status 0 if a query counts what the driver counts.
 */

#include "mine.h"
#include "pitot/gl.h"

#define GL_SAMPLES_PASSED 0x8914
#define GL_QUERY_RESULT   0x8866

static unsigned errors;

static void
count_error(void *host, unsigned gl_error, const char *command,
            const char *reason)
{
   (void)host;
   (void)gl_error;
   (void)command;
   (void)reason;
   errors++;
}

static void
flush_nothing(void *host)
{
   (void)host;
}

static void *
lookup_buffer(void *host, uint32_t name, const char *command)
{
   (void)name;
   count_error(host, 0, command, "");
   return NULL;
}

static void
open_buffer(void *host, void *buffer,
            struct pitot_gl_destination *destination_out)
{
   (void)buffer;
   (void)destination_out;
   count_error(host, 0, "", "");
}

static void
write_buffer(void *host, void *resource, uint64_t offset_B, unsigned size_B,
             const void *data)
{
   (void)resource;
   (void)offset_B;
   (void)size_B;
   count_error(host, 0, data, "");
}

int
main(void)
{
   struct mine driver;
   struct pitot_gl *gl;
   uint32_t name;
   uint64_t samples;
   void *const no_buffer = NULL;
   const unsigned context_flags = 0;
   const struct pitot_gl_host_ops host_ops = {
      .error = count_error,
      .flush = flush_nothing,
      .lookup_buffer = lookup_buffer,
      .open_buffer = open_buffer,
      .write_buffer = write_buffer,
   };
   const struct pitot_gl_info info = {
      .query_buffer = &no_buffer,
      .context_flags = &context_flags,
      .host_ops = &host_ops,
      .driver = &driver.base,
      .features = PITOT_GL_OCCLUSION,
   };

   mine_init(&driver);
   if (pitot_gl_create(&info, &gl))
      return 1;
   pitot_gl_gen_queries(gl, 1, &name);
   pitot_gl_begin_query(gl, "glBeginQuery", GL_SAMPLES_PASSED, 0, name);
   driver.counters[PITOT_KIND_SAMPLES_PASSED][0] += 42;
   pitot_gl_end_query(gl, "glEndQuery", GL_SAMPLES_PASSED, 0);
   pitot_gl_get_query_object(gl, name, GL_QUERY_RESULT, PITOT_TYPE_U64,
                             &samples);
   pitot_gl_destroy(gl);
   return errors == 0 && samples == 42 && driver.alive == 0 ? 0 : 1;
}
