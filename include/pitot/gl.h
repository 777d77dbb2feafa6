/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * GL's entry points over query objects, with every error rule.
 *
 * Each pitot_gl_* function below implements the GL command of that name in
 * all of its forms (ARB, EXT, ANGLE, NV, indexed or not).  An
 * application's mistake is reported to the host and changes nothing.  GL
 * types are written as the C types that they are, so that no GL header is
 * needed here.
 *
 * Threads: those of the GL context.
 */

#ifndef PITOT_GL_H
#define PITOT_GL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pitot/driver.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pitot_gl_api {
   PITOT_GL_COMPAT,
   PITOT_GL_CORE,
   PITOT_GL_ES,
};

/* The targets and parameters that a context exposes. */
enum pitot_gl_feature {
   PITOT_GL_OCCLUSION = 1 << 0,         /* SAMPLES_PASSED */
   PITOT_GL_OCCLUSION_BOOLEAN = 1 << 1, /* ANY_SAMPLES_PASSED */
   PITOT_GL_OCCLUSION_CONSERVATIVE = 1 << 2,
   PITOT_GL_OCCLUSION_ALIAS = 1 << 3, /* the two above are one type of query:
                                       * ARB_ES3_compatibility, ES 3.0 */
   PITOT_GL_TIME_ELAPSED = 1 << 4,
   PITOT_GL_TIMESTAMP = 1 << 5,
   PITOT_GL_PRIMITIVES_GENERATED = 1 << 6,
   PITOT_GL_PRIMITIVES_WRITTEN = 1 << 7,
   PITOT_GL_OVERFLOW = 1 << 8,
   PITOT_GL_STATISTICS = 1 << 9,
   PITOT_GL_GEOMETRY = 1 << 10,     /* geometry shaders */
   PITOT_GL_TESSELLATION = 1 << 11, /* tessellation shaders */
   PITOT_GL_COMPUTE = 1 << 12,      /* compute shaders */
   PITOT_GL_COUNTER_BITS = 1 << 13, /* QUERY_COUNTER_BITS: not on an ES
                                     * context without timer queries */
   PITOT_GL_QUERY_BUFFER = 1 << 14, /* query buffers, QUERY_RESULT_NO_WAIT */
   PITOT_GL_QUERY_TARGET = 1 << 15, /* QUERY_TARGET */
   PITOT_GL_CONDITION = 1 << 16,    /* conditional rendering */
   PITOT_GL_CONDITION_INVERTED = 1 << 17,
};

/* The memory of a buffer object that a result is written to. */
struct pitot_gl_destination {
   void *resource; /* the driver's */
   uint64_t size_B;
   bool is_mapped; /* by the application, and not persistently */
};

/* The GL implementation around Pitot.  All functions are required, but for
 * those that are said to be optional.
 */
struct pitot_gl_host_ops {
   /* Records a GL error, as glGetError and KHR_debug see it. */
   void (*error)(void *host, unsigned gl_error, const char *command,
                 const char *reason);

   /* Hands to the driver the draws that the host still holds back: buffered
    * vertices and bitmaps.  Called where a measurement begins or ends, so
    * that no work falls on the wrong side.
    */
   void (*flush)(void *host);

   /* Returns the buffer object of a name.  Returns NULL, and reports
    * INVALID_OPERATION for the command, if there is none.
    */
   void *(*lookup_buffer)(void *host, uint32_t name, const char *command);

   /* Returns the memory of a buffer object that may be written to next.
    * Flushes, since draws that the host holds back read the old contents, and
    * forgets what the host knows of these.
    */
   void (*open_buffer)(void *host, void *buffer,
                       struct pitot_gl_destination *destination_out);

   /* Writes data to memory in the order of the command stream. */
   void (*write_buffer)(void *host, void *resource, uint64_t offset_B,
                        unsigned size_B, const void *data);

   /* Required where the context can be a debug context.  Sends a message
    * about performance, as KHR_debug has it; and returns the time, in
    * nanoseconds from any moment.
    */
   void (*performance)(void *host, const char *message);
   uint64_t (*time_ns)(void *host);
};

/* A bit of pitot_gl_info.context_flags (CONTEXT_FLAG_DEBUG_BIT) */
#define PITOT_GL_CONTEXT_DEBUG 0x2u

struct pitot_gl_info {
   /* The host's pointer to the buffer object that is bound to QUERY_BUFFER;
    * NULL is stored there if none is.
    */
   void *const *query_buffer;

   /* The host's pointer to the flags of the context (CONTEXT_FLAGS): messages
    * about performance are sent in a debug context only.
    */
   const unsigned *context_flags;

   void *host;
   const struct pitot_gl_host_ops *host_ops;
   struct pitot_driver *driver; /* outlives the context */
   enum pitot_gl_api api;
   unsigned features;              /* of enum pitot_gl_feature */
   unsigned stream_count;          /* MAX_VERTEX_STREAMS, at most 4 */

   /* Optional.  Returns for how long the system has been suspended since it
    * was booted, in nanoseconds: a GPU's clock may have stood still, or begun
    * again, meanwhile.
    */
   uint64_t (*suspended_ns)(void);

   /* Optional.  Returns the CPU's time, in nanoseconds from any moment but
    * not 0: to notice that a clock of few bits was left alone for so long
    * that it may have wrapped, and for how long a poll without a result is
    * believed.  Without it neither is done.
    */
   int64_t (*cpu_time_ns)(void);

   FILE *trace; /* where to write a line for each call, or NULL */
};

struct pitot_context;
struct pitot_gl;

/* Creates the query state of a GL context.  Returns 0 and the state, which
 * the caller destroys, or -ENOMEM.
 */
int
pitot_gl_create(const struct pitot_gl_info *info, struct pitot_gl **gl_out);

/* Accepts NULL. */
void
pitot_gl_destroy(struct pitot_gl *gl);

/* Returns the info that the state was created with, and begins with. */
static inline const struct pitot_gl_info *
pitot_gl_info(const struct pitot_gl *gl)
{
   return (const struct pitot_gl_info *)gl;
}

/* Returns the query objects of the GL context. */
struct pitot_context *
pitot_gl_context(const struct pitot_gl *gl);

/* Names: OpenGL 4.6 core, section 4.2.2 */

void
pitot_gl_gen_queries(struct pitot_gl *gl, int n, uint32_t *ids);

void
pitot_gl_create_queries(struct pitot_gl *gl, unsigned target, int n,
                        uint32_t *ids);

void
pitot_gl_delete_queries(struct pitot_gl *gl, int n, const uint32_t *ids);

bool
pitot_gl_is_query(const struct pitot_gl *gl, uint32_t id);

/* Returns a pointer to the label of a query (KHR_debug), which is malloc'ed;
 * NULL if the name is unused.  Valid until the query is deleted.
 */
char **
pitot_gl_query_label(struct pitot_gl *gl, uint32_t id);

/* Measuring: OpenGL 4.6 core, sections 4.2.2 and 4.3 */

/* command is the name that errors carry; index is 0 for glBeginQuery. */
void
pitot_gl_begin_query(struct pitot_gl *gl, const char *command,
                     unsigned target, uint32_t index, uint32_t id);

void
pitot_gl_end_query(struct pitot_gl *gl, const char *command, unsigned target,
                   uint32_t index);

void
pitot_gl_query_counter(struct pitot_gl *gl, uint32_t id, unsigned target);

/* Asking: OpenGL 4.6 core, section 4.2.3 */

void
pitot_gl_get_query(struct pitot_gl *gl, const char *command, unsigned target,
                   uint32_t index, unsigned pname, int32_t *params);

/* glGetQueryObject{i,ui,i64,ui64}v: params is an address, or an offset if a
 * buffer is bound to QUERY_BUFFER.
 */
void
pitot_gl_get_query_object(struct pitot_gl *gl, uint32_t id, unsigned pname,
                          enum pitot_type type, void *params);

void
pitot_gl_get_query_buffer_object(struct pitot_gl *gl, uint32_t id,
                                 uint32_t buffer, unsigned pname,
                                 enum pitot_type type, intptr_t offset);

/* glGetInteger64v(TIMESTAMP): nanoseconds.  Neither flushes nor waits. */
uint64_t
pitot_gl_timestamp(struct pitot_gl *gl);

/* glGetIntegerv(GPU_DISJOINT_EXT): reading clears it. */
bool
pitot_gl_gpu_disjoint(struct pitot_gl *gl);

/* Conditional rendering: OpenGL 4.6 core, section 10.9 */

void
pitot_gl_begin_conditional_render(struct pitot_gl *gl, uint32_t id,
                                  unsigned mode);

void
pitot_gl_end_conditional_render(struct pitot_gl *gl);

/* Returns whether rendering depends on a query now. */
bool
pitot_gl_is_conditional(const struct pitot_gl *gl);

/* Returns whether draws of the CPU are drawn now. */
bool
pitot_gl_condition_passes(struct pitot_gl *gl);

/* Returns whether an occlusion query is active. */
bool
pitot_gl_is_counting_samples(const struct pitot_gl *gl);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_GL_H */
