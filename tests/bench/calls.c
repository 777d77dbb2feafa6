/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "bench.h"

#define FRAME 64 /* queries of a frame that reads late */

const GLenum statistics[STATISTIC_COUNT] = { EACH_STATISTIC(TARGET_GL) };

void
measure(GLenum target, GLuint id)
{
   if (target == GL_TIMESTAMP) {
      glQueryCounter(id, target);
      return;
   }
   glBeginQuery(target, id);
   glEndQuery(target);
}

static GLuint
read_result(GLuint id)
{
   GLuint result;

   glGetQueryObjectuiv(id, GL_QUERY_RESULT, &result);
   return result;
}

/* Preparations */

static void
prepare_ended(const struct bench *bench)
{
   for (unsigned i = 0; i < bench->id_count; i++)
      measure(bench->target, ids[i]);
}

static void
prepare_known(const struct bench *bench)
{
   prepare_ended(bench);
   for (unsigned i = 0; i < bench->id_count; i++)
      read_result(ids[i]);
}

static void
prepare_stored(const struct bench *bench)
{
   static GLuint buffer;

   prepare_ended(bench);
   if (!buffer)
      glGenBuffers(1, &buffer);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, 8 * CALLS, NULL, GL_DYNAMIC_COPY);
}

/* Runs */

static void
run_generate(const struct bench *bench)
{
   (void)bench;
   glGenQueries(CALLS, ids);
}

static void
run_delete(const struct bench *bench)
{
   (void)bench;
   glDeleteQueries(CALLS, ids);
}

static void
run_generate_one(const struct bench *bench)
{
   GLuint id;

   (void)bench;
   for (unsigned i = 0; i < CALLS; i++) {
      glGenQueries(1, &id);
      glDeleteQueries(1, &id);
   }
}

/* A query's whole life. */
static void
run_life(const struct bench *bench)
{
   GLuint id;

   for (unsigned i = 0; i < CALLS; i++) {
      glGenQueries(1, &id);
      measure(bench->target, id);
      read_result(id);
      glDeleteQueries(1, &id);
   }
}

static void
run_measure(const struct bench *bench)
{
   for (unsigned i = 0; i < CALLS; i++)
      measure(bench->target, ids[i % bench->id_count]);
}

static void
run_statistics(const struct bench *bench)
{
   for (unsigned i = 0; i < CALLS; i += STATISTIC_COUNT) {
      for (unsigned j = 0; j < STATISTIC_COUNT; j++)
         glBeginQuery(statistics[j], ids[(i + j) % bench->id_count]);
      for (unsigned j = 0; j < STATISTIC_COUNT; j++)
         glEndQuery(statistics[j]);
   }
}

static void
run_read(const struct bench *bench)
{
   for (unsigned i = 0; i < CALLS; i++)
      read_result(ids[i % bench->id_count]);
}

static void
run_poll(const struct bench *bench)
{
   GLint is_available;

   for (unsigned i = 0; i < CALLS; i++)
      glGetQueryObjectiv(ids[i % bench->id_count], GL_QUERY_RESULT_AVAILABLE,
                         &is_available);
}

/* Begins and ends a frame, and reads the oldest frame that ids[] has. */
static void
run_frames(const struct bench *bench)
{
   const unsigned frames = bench->id_count / FRAME;

   for (unsigned i = 0; i < CALLS; i++) {
      const unsigned frame = i / FRAME;
      const GLuint *newest = &ids[frame % frames * FRAME];
      const GLuint *oldest = &ids[(frame + 1) % frames * FRAME];

      measure(bench->target, newest[i % FRAME]);
      if (frame + 1 >= frames)
         read_result(oldest[i % FRAME]);
   }
}

static void
run_current(const struct bench *bench)
{
   GLint id;

   for (unsigned i = 0; i < CALLS; i++)
      glGetQueryiv(bench->target, GL_CURRENT_QUERY, &id);
}

static void
run_clock(const struct bench *bench)
{
   GLint64 time_ns;

   (void)bench;
   for (unsigned i = 0; i < CALLS; i++)
      glGetInteger64v(GL_TIMESTAMP, &time_ns);
}

static void
run_store(const struct bench *bench)
{
   for (unsigned i = 0; i < CALLS; i++)
      glGetQueryObjectui64v(ids[i % bench->id_count], GL_QUERY_RESULT,
                            (void *)(uintptr_t)(8 * i));
   glBindBuffer(GL_QUERY_BUFFER, 0);
}

static void
run_condition(const struct bench *bench)
{
   for (unsigned i = 0; i < CALLS; i++) {
      glBeginConditionalRender(ids[i % bench->id_count], GL_QUERY_NO_WAIT);
      glEndConditionalRender();
   }
}

/* A frame's queries have a handle each. */
static void
run_perf_query(const struct bench *bench)
{
   const GLuint set = find_perf_set();
   GLuint handles[FRAME], size_B = 0;
   char data[4096];

   for (unsigned i = 0; i < FRAME; i++)
      glCreatePerfQueryINTEL(set, &handles[i]);
   for (unsigned i = 0; i < bench->count; i++) {
      const GLuint handle = handles[i % FRAME];

      glBeginPerfQueryINTEL(handle);
      glEndPerfQueryINTEL(handle);
      glGetPerfQueryDataINTEL(handle, GL_PERFQUERY_WAIT_INTEL, sizeof(data),
                              data, &size_B);
   }
   for (unsigned i = 0; i < FRAME; i++)
      glDeletePerfQueryINTEL(handles[i]);
}

/* A frame's queries have a monitor of one counter each. */
static void
run_monitor(const struct bench *bench)
{
   const GLuint group = find_group();
   GLuint monitors[FRAME], counter, data[64];

   glGetPerfMonitorCountersAMD(group, NULL, NULL, 1, &counter);
   glGenPerfMonitorsAMD(FRAME, monitors);
   for (unsigned i = 0; i < FRAME; i++)
      glSelectPerfMonitorCountersAMD(monitors[i], GL_TRUE, group, 1,
                                     &counter);
   for (unsigned i = 0; i < bench->count; i++) {
      const GLuint monitor = monitors[i % FRAME];

      glBeginPerfMonitorAMD(monitor);
      glEndPerfMonitorAMD(monitor);
      glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_AMD,
                                     sizeof(data), data, NULL);
   }
   glDeletePerfMonitorsAMD(FRAME, monitors);
}

/* Cases */

#define OCCLUSION .target = GL_ANY_SAMPLES_PASSED
#define DESKTOP   .is_desktop = true
#define ANYWHERE  .is_desktop = false
#define TIMER     .es_extension = "GL_EXT_disjoint_timer_query"
#define STATISTIC .gl_extension = "GL_ARB_pipeline_statistics_query", DESKTOP

/* Begin and end of an id in flight, and of ids never used before. */
#define KIND(NAME, TARGET, ...)                                              \
   { "begin and end in flight: " NAME,                                       \
     TARGET,                                                                 \
     1,                                                                      \
     0,                                                                      \
     prepare_ended,                                                          \
     run_measure,                                                            \
     __VA_ARGS__ },                                                          \
   {                                                                         \
      "begin and end of fresh ids: " NAME, TARGET, CALLS, 0, NULL,           \
         run_measure, __VA_ARGS__                                            \
   }

#define LIVE(COUNT, TEXT)                                                    \
   { "generate and delete one beside " TEXT, .live_count = COUNT,            \
     .run = run_generate_one },                                              \
   {                                                                         \
      "begin and end beside " TEXT, OCCLUSION,                               \
         .live_count = COUNT, .id_count = FRAME, .prepare = prepare_known,   \
         .run = run_measure                                                  \
   }

const struct bench call_benches[] = {
   { "generate", .run = run_generate },
   { "delete", .id_count = CALLS, .run = run_delete },
   { "delete results in flight", OCCLUSION, CALLS, .prepare = prepare_ended,
     .run = run_delete },
   LIVE(10, "10"),
   LIVE(10000, "10,000"),
   LIVE(1000000, "1,000,000"),

   KIND("samples", GL_SAMPLES_PASSED, DESKTOP),
   KIND("any samples", GL_ANY_SAMPLES_PASSED, ANYWHERE),
   KIND("primitives generated", GL_PRIMITIVES_GENERATED, DESKTOP),
   KIND("primitives written", GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
        ANYWHERE),
   KIND("overflow", GL_TRANSFORM_FEEDBACK_OVERFLOW,
        .gl_extension = "GL_ARB_transform_feedback_overflow_query", DESKTOP),
   KIND("time elapsed", GL_TIME_ELAPSED, TIMER),
   KIND("timestamp", GL_TIMESTAMP, TIMER),
   KIND("a statistic", GL_VERTEX_SHADER_INVOCATIONS, STATISTIC),
   { "begin and end in flight: eleven statistics, each", 0, STATISTIC_COUNT,
     .run = run_statistics, .has_all_statistics = true, STATISTIC },
   { "begin and end of fresh ids: eleven statistics, each", 0,
     CALLS / STATISTIC_COUNT *STATISTIC_COUNT, .run = run_statistics,
     .has_all_statistics = true, STATISTIC },

   { "generate, begin, end, read and delete", OCCLUSION, .run = run_life },
   { "begin, end and read at once", OCCLUSION, FRAME, .run = run_frames },
   { "begin, end and read a frame later", OCCLUSION, 2 * FRAME,
     .run = run_frames },
   { "begin, end and read two frames later", OCCLUSION, 3 * FRAME,
     .run = run_frames },
   { "begin, end and read a frame later: time elapsed", GL_TIME_ELAPSED,
     2 * FRAME, .run = run_frames, TIMER },

   { "read a first result", OCCLUSION, CALLS, .prepare = prepare_ended,
     .run = run_read },
   { "read a first result: time elapsed", GL_TIME_ELAPSED, CALLS,
     .prepare = prepare_ended, .run = run_read, TIMER },
   { "read a known result", OCCLUSION, FRAME, .prepare = prepare_known,
     .run = run_read },
   { "poll a first result", OCCLUSION, CALLS, .prepare = prepare_ended,
     .run = run_poll },
   { "poll a known result", OCCLUSION, FRAME, .prepare = prepare_known,
     .run = run_poll },

   { "ask for the current query", OCCLUSION, .run = run_current },
   { "read the clock", GL_TIMESTAMP, .run = run_clock,
     .gl_extension = "GL_ARB_timer_query", TIMER },
   { "store a first result in a buffer", OCCLUSION, CALLS,
     .prepare = prepare_stored, .run = run_store,
     .gl_extension = "GL_ARB_query_buffer_object", DESKTOP },
   { "begin and end conditional rendering", OCCLUSION, FRAME,
     .prepare = prepare_known, .run = run_condition, DESKTOP },
   { "INTEL: begin, end and read", .run = run_perf_query, .count = 640,
     .gl_extension = "GL_INTEL_performance_query",
     .es_extension = "GL_INTEL_performance_query" },
   { "AMD: begin, end and read", .run = run_monitor, .count = 640,
     .gl_extension = "GL_AMD_performance_monitor",
     .es_extension = "GL_AMD_performance_monitor" },
};

const unsigned call_bench_count = ARRAY_LENGTH(call_benches);
