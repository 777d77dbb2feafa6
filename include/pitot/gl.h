/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * GL's entry points for query objects, with every error rule.
 *
 * Each pitot_gl_* function below implements the GL command of that name in
 * all of its forms (ARB, EXT, ANGLE, NV, indexed or not).  An application's
 * error is reported to the host and changes nothing.  GL types are written as
 * the C types that they are, so that no GL header is needed here.
 *
 * Threads: as for the GL context, one at a time.
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
   PITOT_GL_MESH = 1 << 18, /* task and mesh shaders */
};

/* The memory of a buffer object that a result is written to. */
struct pitot_gl_destination {
   void *resource; /* the driver's */
   uint64_t size_B;
   bool is_mapped; /* by the application, and not persistently */
};

/* The GL implementation around Pitot.  All functions are required, except
 * those marked optional.
 */
struct pitot_gl_host_ops {
   /* Records a GL error, for glGetError and KHR_debug. */
   void (*error)(void *host, unsigned gl_error, const char *command,
                 const char *reason);

   /* Flushes vertices and bitmaps that the host buffers to the driver.
    * Called where a measurement begins or ends, so that no draw falls on the
    * wrong side.
    */
   void (*flush)(void *host);

   /* Returns the buffer object with this name.  Without one, generates
    * INVALID_OPERATION for the command and returns NULL.
    */
   void *(*lookup_buffer)(void *host, uint32_t name, const char *command);

   /* Returns the memory of a buffer object that is about to be written.
    * Flushes buffered draws, because they read the old contents, and
    * invalidates what the host caches of the contents.
    */
   void (*open_buffer)(void *host, void *buffer,
                       struct pitot_gl_destination *destination_out);

   /* Writes data to memory in the order of the command stream. */
   void (*write_buffer)(void *host, void *resource, uint64_t offset_B,
                        unsigned size_B, const void *data);

   /* Required if the context can be a debug context.  performance() sends a
    * performance message of KHR_debug.  time_ns() returns nanoseconds since
    * any fixed moment.
    */
   void (*performance)(void *host, const char *message);
   uint64_t (*time_ns)(void *host);
};

/* A bit of *pitot_gl_info.context_flags (CONTEXT_FLAG_DEBUG_BIT). */
#define PITOT_GL_CONTEXT_DEBUG 0x2u

struct pitot_gl_info {
   /* Where the host keeps its pointer to the buffer object that is bound to
    * QUERY_BUFFER, or NULL if none is bound.
    */
   void *const *query_buffer;

   /* Where the host keeps the flags of the context (CONTEXT_FLAGS).
    * Performance messages are sent in a debug context only.
    */
   const unsigned *context_flags;

   void *host;
   const struct pitot_gl_host_ops *host_ops;
   struct pitot_driver *driver; /* outlives the context */
   enum pitot_gl_api api;
   unsigned features;     /* of enum pitot_gl_feature */
   unsigned stream_count; /* MAX_VERTEX_STREAMS, at most 4 */

   /* Optional.  Returns for how long the system has been suspended since
    * boot, in nanoseconds.  During a suspend, a GPU's clock may stop or
    * restart.
    */
   uint64_t (*suspended_ns)(void);

   /* Optional.  Returns the CPU's time, in nanoseconds since any fixed moment
    * but never 0.  Pitot uses it to detect that a clock of few bits may have
    * wrapped between two reads, and to limit for how long it reuses the
    * outcome of a poll without a result.  Without it, Pitot does neither.
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

/* Returns the info that the state was created with: its first member. */
static inline const struct pitot_gl_info *
pitot_gl_info(const struct pitot_gl *gl)
{
   return (const struct pitot_gl_info *)gl;
}

/* Returns the query objects of the GL context, which gl owns. */
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

/* Returns where the label of a query (KHR_debug) is stored, which is
 * malloc'ed; NULL if the name is unused.  Valid until the query is deleted.
 */
char **
pitot_gl_query_label(struct pitot_gl *gl, uint32_t id);

/* Measuring: OpenGL 4.6 core, sections 4.2.2 and 4.3 */

/* command: the name in error messages; index: 0 for glBeginQuery. */
void
pitot_gl_begin_query(struct pitot_gl *gl, const char *command,
                     unsigned target, uint32_t index, uint32_t id);

void
pitot_gl_end_query(struct pitot_gl *gl, const char *command, unsigned target,
                   uint32_t index);

void
pitot_gl_query_counter(struct pitot_gl *gl, uint32_t id, unsigned target);

/* Reading: OpenGL 4.6 core, section 4.2.3 */

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

/* Returns whether conditional rendering is active. */
bool
pitot_gl_is_conditional(const struct pitot_gl *gl);

/* Returns whether the render condition draws now, for draws that the CPU
 * executes.  Waits if the condition's mode does.
 */
bool
pitot_gl_condition_passes(struct pitot_gl *gl);

/* Returns whether an occlusion query is active. */
bool
pitot_gl_is_counting_samples(const struct pitot_gl *gl);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_GL_H */
