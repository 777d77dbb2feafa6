/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Defects of the drivers of GPUs, on simulated GPUs, one at a time, and
 * promises that stock drivers keep and Pitot might not:
 *
 *    defects NAME    says "right", or "wrong" and on the line before it,
 *                    after "# ", what it has seen; and exits with 0
 *    defects --list  the names, after "defect" or "promise", and with the
 *                    driver that it is about, unless it is about all of them
 *
 * A simulator stands for the GPU: what is wrong is the driver's arithmetic,
 * or that it waits for ever.
 */

#include <dlfcn.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#define LENGTH(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

#define NS_PER_S UINT64_C(1000000000)

/* A driver that waits for ever asks again and again, which takes CPU time:
 * nothing here takes as much.  The other guard is against who waits for ever
 * and does not ask.
 */
#define MAX_CPU_S    5
#define HANG_GUARD_S 3600

/* The simulator's, which is preloaded. */
static bool (*sim_set)(const char *name, uint64_t value);
static uint64_t (*sim_get)(const char *name);
static void (*sim_hang)(void);

static const char *const vertex_source =
   "#version 330 core\n"
   "void main() { gl_Position = vec4(0, 0, 0, 1); }\n";

static const char *const fragment_source =
   "#version 330 core\n"
   "out vec4 color;\n"
   "void main() { color = vec4(1); }\n";

static void
attach(GLuint program, GLenum stage, const char *source)
{
   const GLuint shader = glCreateShader(stage);

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
}

static void
make_scene(void)
{
   const GLuint program = glCreateProgram();
   GLuint framebuffer, renderbuffer, vertex_array;

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, renderbuffer);
   glViewport(0, 0, 16, 16);
   glGenVertexArrays(1, &vertex_array);
   glBindVertexArray(vertex_array);
   attach(program, GL_VERTEX_SHADER, vertex_source);
   attach(program, GL_FRAGMENT_SHADER, fragment_source);
   glLinkProgram(program);
   glUseProgram(program);
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish();
}

/* Opens a context that a reset loses, or one that goes on. */
static void
open_context_with(EGLint reset_strategy)
{
   const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION,
      3,
      EGL_CONTEXT_MINOR_VERSION,
      3,
      EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
      reset_strategy,
      EGL_NONE,
   };
   EGLDisplay display =
      eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                               EGL_DEFAULT_DISPLAY, NULL);

   if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API)) {
      fprintf(stderr, "no EGL\n");
      exit(2);
   }
   EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR,
                                         EGL_NO_CONTEXT, attributes);
   if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      fprintf(stderr, "no context\n");
      exit(2);
   }
   make_scene();
}

static void
open_context(void)
{
   open_context_with(EGL_LOSE_CONTEXT_ON_RESET);
}

static GLuint
make_query(void)
{
   GLuint query;

   glGenQueries(1, &query);
   return query;
}

static uint64_t
read_query(GLuint query)
{
   GLuint64 value = 0;

   glGetQueryObjectui64v(query, GL_QUERY_RESULT, &value);
   return value;
}

static GLuint
measure(GLenum target, unsigned draws)
{
   const GLuint query = make_query();

   glBeginQuery(target, query);
   glDrawArrays(GL_POINTS, 0, 1);
   for (unsigned i = 1; i < draws; i++)
      glDrawArrays(GL_POINTS, 0, 1);
   glEndQuery(target);
   return query;
}

static bool
is_about(uint64_t value, uint64_t expected, uint64_t error)
{
   const bool is_right =
      value >= expected - error && value <= expected + error;

   if (!is_right)
      printf("# %" PRIu64 " rather than %" PRIu64 "\n", value, expected);
   return is_right;
}

/* Has the GPU write a result to memory, and reads it. */
static uint64_t
read_by_buffer(GLuint query, GLenum what)
{
   GLuint buffer;
   GLuint64 value = UINT64_MAX;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, sizeof(value), &value, GL_DYNAMIC_READ);
   glGetQueryObjectui64v(query, what, NULL);
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(value), &value);
   glBindBuffer(GL_QUERY_BUFFER, 0);
   glDeleteBuffers(1, &buffer);
   return value;
}

/*
 * Times
 */

/* Every 2^32 ticks: each 3 to 6 minutes, times went back by up to 2.9 s. */
static bool
timestamps_do_not_go_back(void)
{
   uint64_t last_ns = 0;

   sim_set("now_ticks", (UINT64_C(1) << 32) - 60000);
   sim_set("draw.ticks", 1000);
   open_context();
   for (unsigned i = 0; i < 100; i++) {
      const GLuint query = make_query();
      GLint64 now_ns;

      glDrawArrays(GL_POINTS, 0, 1);
      glQueryCounter(query, GL_TIMESTAMP);
      const uint64_t time_ns = read_query(query);
      glGetInteger64v(GL_TIMESTAMP, &now_ns);
      if (time_ns < last_ns || (uint64_t)now_ns < time_ns) {
         printf("# %" PRIu64 ", %" PRIu64 ", %" PRId64 "\n", last_ns, time_ns,
                now_ns);
         return false;
      }
      last_ns = time_ns;
      glDeleteQueries(1, &query);
   }
   return true;
}

/* 36 bits of ticks are an hour or so; what is said to have 64 bits goes on.
 */
static bool
timestamps_outlast_the_counter(void)
{
   sim_set("now_ticks", (UINT64_C(1) << 36) - 60000);
   open_context();
   const GLuint before = make_query(), after = make_query();

   glQueryCounter(before, GL_TIMESTAMP);
   sim_set("draw.ticks", 100000);
   glDrawArrays(GL_POINTS, 0, 1);
   glQueryCounter(after, GL_TIMESTAMP);
   const uint64_t before_ns = read_query(before);
   const uint64_t after_ns = read_query(after);
   if (after_ns < before_ns)
      printf("# %" PRIu64 ", %" PRIu64 "\n", before_ns, after_ns);
   return after_ns > before_ns;
}

/* 2^64 / 10^6 ticks: 51.2 h at 100 MHz. */
static bool
timestamps_outlast_51_hours(void)
{
   const uint64_t limit_ticks = UINT64_MAX / 1000000;

   sim_set("now_ticks", limit_ticks - 60000);
   open_context();
   const GLuint before = make_query(), after = make_query();

   glQueryCounter(before, GL_TIMESTAMP);
   sim_set("draw.ticks", 100000);
   glDrawArrays(GL_POINTS, 0, 1);
   glQueryCounter(after, GL_TIMESTAMP);
   const uint64_t before_ns = read_query(before);
   const uint64_t after_ns = read_query(after);
   if (after_ns < before_ns)
      printf("# %" PRIu64 ", %" PRIu64 "\n", before_ns, after_ns);
   return after_ns > before_ns;
}

/* 5 * 10^9 ticks: 50 s at 100 MHz. */
static bool
times_have_more_than_32_bits(void)
{
   open_context();
   const uint64_t short_ns = read_query(measure(GL_TIME_ELAPSED, 1));

   sim_set("draw.ticks", UINT64_C(500000000));
   const uint64_t ten_ns = read_query(measure(GL_TIME_ELAPSED, 10));
   sim_set("draw.ticks", UINT64_C(50000000));
   const uint64_t tenth_ns = read_query(measure(GL_TIME_ELAPSED, 10));
   return is_about(ten_ns, 10 * tenth_ns, 20 * short_ns);
}

static void
use_compute_program(void)
{
   static const char *const source =
      "#version 330\n"
      "#extension GL_ARB_compute_shader : require\n"
      "layout(local_size_x = 1) in;\n"
      "void main() { }\n";
   const GLuint program =
      glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &source);

   glUseProgram(program);
}

static uint64_t
time_dispatch(uint64_t ticks)
{
   const GLuint query = make_query();

   sim_set("dispatch.ticks", ticks);
   glBeginQuery(GL_TIME_ELAPSED, query);
   glDispatchCompute(1, 1, 1);
   glEndQuery(GL_TIME_ELAPSED);
   return read_query(query);
}

/* Also where a driver has a batch of its own for them. */
static bool
dispatches_take_time(void)
{
   open_context();
   use_compute_program();
   const uint64_t short_ns = time_dispatch(1000);
   const uint64_t long_ns = time_dispatch(1000000);

   if (long_ns < 100 * short_ns)
      printf("# %" PRIu64 ", %" PRIu64 "\n", short_ns, long_ns);
   return long_ns >= 100 * short_ns;
}

static bool
counts_have_more_than_32_bits(void)
{
   const uint64_t samples = UINT64_C(200000000000); /* of many backends */

   open_context();
   sim_set("draw.samples", samples / 2);
   return is_about(read_query(measure(GL_SAMPLES_PASSED, 2)), samples, 0);
}

/*
 * Buffers
 */

/* The query before this one is still being measured. */
static bool
availability_is_of_this_query(void)
{
   open_context();
   const GLuint active = make_query();

   glBeginQuery(GL_TIME_ELAPSED, active);
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);
   glFinish();
   const uint64_t is_available =
      read_by_buffer(query, GL_QUERY_RESULT_AVAILABLE);
   glEndQuery(GL_TIME_ELAPSED);
   return is_about(is_available, 1, 0);
}

/* 100 s: 36 bits of nanoseconds are 68.7 s. */
static bool
timestamps_in_buffers_are_whole(void)
{
   sim_set("now_ticks", UINT64_C(100) * 19200000);
   open_context();
   const GLuint query = make_query();

   glQueryCounter(query, GL_TIMESTAMP);
   const uint64_t stored_ns = read_by_buffer(query, GL_QUERY_RESULT);
   return is_about(stored_ns, read_query(query), 0);
}

static bool
times_in_buffers_are_exact(void)
{
   open_context();
   sim_set("draw.ticks", UINT64_C(12345678));
   const GLuint query = measure(GL_TIME_ELAPSED, 1);
   const uint64_t stored_ns = read_by_buffer(query, GL_QUERY_RESULT);

   return is_about(stored_ns, read_query(query), 0);
}

/* OpenGL 4.6 core, 4.2.3: "the nearest value representable". */
static bool
counts_in_buffers_are_clamped(void)
{
   GLuint buffer, value = 0;

   open_context();
   sim_set("draw.samples", UINT64_C(6000000000));
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, sizeof(value), &value, GL_DYNAMIC_READ);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, NULL);
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(value), &value);
   return is_about(value, UINT32_MAX, 0);
}

/*
 * Losses
 */

static void
waits_for_ever(int signal)
{
   static const char text[] = "# waits for ever\nwrong\n";

   (void)signal;
   _exit(write(STDOUT_FILENO, text, sizeof(text) - 1) < 0 ? 2 : 0);
}

/* Another call that does not end is no defect that is looked for. */
static void
open_watch(void)
{
   const struct itimerval limit = { .it_value.tv_sec = MAX_CPU_S };

   signal(SIGALRM, waits_for_ever);
   signal(SIGPROF, waits_for_ever);
   setitimer(ITIMER_PROF, &limit, NULL);
}

static void
lose_device(void)
{
   open_watch();
   sim_hang();
}

static bool
lost_queries_end(void)
{
   open_context();
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);

   lose_device();
   return is_about(read_query(query), 0, 0);
}

static bool
lost_queries_become_available(void)
{
   open_context();
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);
   GLuint is_available = 0;

   lose_device();
   while (!is_available)
      glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &is_available);
   return true;
}

/* Hangs the GPU, and goes on: the kernel bans the hardware context, refuses
 * the next batch, and the driver makes another context.
 */
static void
replace_context(void)
{
   lose_device();
   for (unsigned i = 0; i < 3; i++) {
      glDrawArrays(GL_POINTS, 0, 1);
      glFinish();
   }
}

/* Returns a query that begins in one hardware context and ends in another,
 * whose counters are others.
 */
static GLuint
count_over_contexts(void)
{
   open_context_with(EGL_NO_RESET_NOTIFICATION);
   const GLuint query = make_query();

   glBeginQuery(GL_SAMPLES_PASSED, query);
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish();
   replace_context();
   glEndQuery(GL_SAMPLES_PASSED);
   return query;
}

static bool
counts_do_not_span_contexts(void)
{
   return is_about(read_query(count_over_contexts()), 0, 0);
}

static bool
counts_in_buffers_do_not_span_contexts(void)
{
   return is_about(read_by_buffer(count_over_contexts(), GL_QUERY_RESULT), 0,
                   0);
}

/* The end is lost, the begin is not, and another context asks for both. */
static bool
lost_counts_in_buffers_are_0(void)
{
   open_context_with(EGL_NO_RESET_NOTIFICATION);
   const GLuint query = make_query();

   glBeginQuery(GL_SAMPLES_PASSED, query);
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish();
   lose_device();
   glEndQuery(GL_SAMPLES_PASSED);
   glFlush();
   replace_context();
   return is_about(read_by_buffer(query, GL_QUERY_RESULT), 0, 0);
}

/* The GPU decides, by a predicate that is its context's. */
static bool
conditions_outlast_contexts(void)
{
   open_context_with(EGL_NO_RESET_NOTIFICATION);
   sim_set("is_delayed", true);
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);

   glBeginConditionalRender(query, GL_QUERY_WAIT);
   replace_context();
   const GLuint drawn = measure(GL_SAMPLES_PASSED, 1);
   glEndConditionalRender();
   return is_about(read_query(drawn), 1, 0);
}

/*
 * Conditions
 */

/* Returns whether a draw is drawn under a condition. */
static bool
is_drawn_if(GLuint condition)
{
   glBeginConditionalRender(condition, GL_QUERY_WAIT);
   const GLuint drawn = measure(GL_SAMPLES_PASSED, 1);
   glEndConditionalRender();
   return read_query(drawn) != 0;
}

/* A query counts nothing where nothing is rasterized. */
static GLuint
measure_nothing(void)
{
   glEnable(GL_RASTERIZER_DISCARD);
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);
   glDisable(GL_RASTERIZER_DISCARD);
   return query;
}

/* Also if it is not known yet how the GPU samples. */
static bool
are_conditions_right(void)
{
   bool is_right = true;

   open_context();
   for (unsigned i = 0; i < 3; i++)
      is_right &= is_drawn_if(measure(GL_SAMPLES_PASSED, 1)) &&
                  !is_drawn_if(measure_nothing());
   return is_about(is_right, true, 0) &&
          is_about(sim_get("violation_count"), 0, 0);
}

/* The disabled backends of a GPU may leave their slots of a sample to the
 * others.
 */
static bool
conditions_of_packed_backends(void)
{
   sim_set("packs_backends", true);
   return are_conditions_right();
}

/* A batch that the driver drops has no samples, not even later. */
static bool
conditions_of_dropped_batches(void)
{
   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   glEnable(GL_BLACKHOLE_RENDER_INTEL);
   const GLuint dropped = measure(GL_SAMPLES_PASSED, 1);
   glFlush();
   glDisable(GL_BLACKHOLE_RENDER_INTEL);
   is_drawn_if(dropped);
   return is_about(sim_get("violation_count"), 0, 0);
}

/* The same of a batch that is dropped while the condition is in force. */
static bool
conditions_in_dropped_batches(void)
{
   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   glEnable(GL_BLACKHOLE_RENDER_INTEL);
   const GLuint dropped = measure(GL_SAMPLES_PASSED, 1);
   glBeginConditionalRender(dropped, GL_QUERY_WAIT);
   glDrawArrays(GL_POINTS, 0, 1);
   glDisable(GL_BLACKHOLE_RENDER_INTEL);
   glDrawArrays(GL_POINTS, 0, 1);
   glEndConditionalRender();
   glFinish();
   return is_about(sim_get("violation_count"), 0, 0);
}

/*
 * INTEL_blackhole_render: commands that are not executed
 */

static void
set_blackhole(bool is_on)
{
   if (is_on)
      glEnable(GL_BLACKHOLE_RENDER_INTEL);
   else
      glDisable(GL_BLACKHOLE_RENDER_INTEL);
   glDrawArrays(GL_POINTS, 0, 1);
   glFlush();
   glDrawArrays(GL_POINTS, 0, 1);
}

/* Of three queries, one begins and ends outside, and the others on one side.
 */
static uint64_t
count_beside_blackhole(GLenum target, unsigned index)
{
   const GLuint query = make_query();
   const bool begins_inside = index == 1, ends_inside = index == 2;

   open_watch();
   if (!begins_inside)
      glBeginQuery(target, query);
   glDrawArrays(GL_POINTS, 0, 1);
   set_blackhole(true);
   if (begins_inside)
      glBeginQuery(target, query);
   if (ends_inside)
      glEndQuery(target);
   set_blackhole(false);
   if (!ends_inside)
      glEndQuery(target);
   return read_query(query);
}

static bool
blackholes_are_not_counted(void)
{
   static const uint64_t expected[] = { 3, 2, 1 };

   open_context();
   for (unsigned i = 0; i < LENGTH(expected); i++) {
      if (!is_about(count_beside_blackhole(GL_SAMPLES_PASSED, i), expected[i],
                    0))
         return false;
   }
   return true;
}

/* A second, but for what draws take: each of five takes one. */
static bool
blackholes_take_no_garbage_of_time(void)
{
   open_context();
   sim_set("draw.ticks", 12000000);
   for (unsigned i = 0; i < 3; i++) {
      const uint64_t time_ns = count_beside_blackhole(GL_TIME_ELAPSED, i);

      if (time_ns > 10 * NS_PER_S)
         return is_about(time_ns, 3 * NS_PER_S, 7 * NS_PER_S);
   }
   return true;
}

/*
 * The driver's own draws
 */

/* Clears some colors only, which takes a draw.  Returns how many packets of
 * note that takes.
 */
static uint64_t
clear(unsigned count)
{
   const uint64_t before = sim_get("note_count");

   glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
   for (unsigned i = 0; i < count; i++)
      glClear(GL_COLOR_BUFFER_BIT);
   glFinish();
   return sim_get("note_count") - before;
}

/* Returns how many of them count, in as many batches as there may be. */
static uint64_t
count_clears(GLenum target)
{
   const GLuint query = make_query();

   glBeginQuery(target, query);
   clear(20000);
   glEndQuery(target);
   return read_query(query);
}

static bool
clears_pass_no_samples(void)
{
   open_context();
   return is_about(count_clears(GL_SAMPLES_PASSED), 0, 0);
}

static bool
clears_submit_no_vertices(void)
{
   open_context();
   return is_about(count_clears(GL_VERTICES_SUBMITTED_ARB), 0, 0);
}

/*
 * Promises
 */

/* Returns what ten clears cost more than one. */
static uint64_t
cost_of_clears(void)
{
   clear(1);
   const uint64_t one = clear(1);
   return clear(10) - one;
}

/* A query that is active costs nothing at a clear. */
static bool
clears_split_nothing(void)
{
   open_context();
   const GLuint query = make_query();
   const uint64_t unmeasured = cost_of_clears();

   glBeginQuery(GL_SAMPLES_PASSED, query);
   const uint64_t measured = cost_of_clears();
   glEndQuery(GL_SAMPLES_PASSED);
   return is_about(measured, unmeasured, 0);
}

/* Draws and computes, and returns how often that was submitted and how often
 * a submission waits for another one.
 */
static uint64_t
count_orders(bool is_measured)
{
   const uint64_t before =
      sim_get("submit_count") + sim_get("fence_wait_count");
   const GLuint query = make_query();

   if (is_measured)
      glBeginQuery(GL_TIME_ELAPSED, query);
   for (unsigned i = 0; i < 4; i++) {
      glDrawArrays(GL_POINTS, 0, 1);
      glDispatchCompute(1, 1, 1);
   }
   if (is_measured)
      glEndQuery(GL_TIME_ELAPSED);
   glFinish(); /* radeonsi submits in a thread of its own */
   glDeleteQueries(1, &query);
   return sim_get("submit_count") + sim_get("fence_wait_count") - before;
}

/* Returns how often draws, with a query each or without, ask the kernel. */
static uint64_t
count_ioctls(unsigned draws, bool is_measured)
{
   const uint64_t before = sim_get("ioctl_count");

   for (unsigned i = 0; i < draws; i++) {
      const GLuint query =
         is_measured ? measure(GL_SAMPLES_PASSED, 1) : make_query();

      glDrawArrays(GL_POINTS, 0, 1);
      glFinish();
      if (is_measured)
         read_query(query);
      glDeleteQueries(1, &query);
   }
   return sim_get("ioctl_count") - before;
}

/* A query asks no more than its draw does, after however many: but once for
 * 32 batches, of which each draw has two, and when its memory is used again.
 */
static bool
late_queries_ask_nothing(void)
{
   open_context();
   count_ioctls(200, true);
   const uint64_t measured = count_ioctls(64, true);
   const uint64_t unmeasured = count_ioctls(64, false);

   return measured <= unmeasured + 8 || is_about(measured, unmeasured, 8);
}

/* No ring waits for another one because their time is measured. */
static bool
times_order_nothing(void)
{
   open_context();
   use_compute_program();
   sim_set("is_delayed", true);
   count_orders(false);
   const uint64_t unmeasured = count_orders(false);
   return is_about(count_orders(true), unmeasured, 0);
}

/* Has a query of many batches, which counts nothing, decide about a draw, and
 * returns how often that was submitted.
 */
static uint64_t
count_submissions(bool is_conditional, uint64_t samples)
{
   const uint64_t before = sim_get("submit_count");
   const GLuint query = make_query();

   glBeginQuery(GL_SAMPLES_PASSED, query);
   glEnable(GL_RASTERIZER_DISCARD);
   for (unsigned i = 0; i < 12; i++) {
      glDrawArrays(GL_POINTS, 0, 1);
      glFlush();
   }
   glDisable(GL_RASTERIZER_DISCARD);
   glEndQuery(GL_SAMPLES_PASSED);
   if (is_conditional)
      glBeginConditionalRender(query, GL_QUERY_WAIT);
   const GLuint drawn = measure(GL_SAMPLES_PASSED, 1);
   if (is_conditional)
      glEndConditionalRender();
   glFinish(); /* radeonsi submits in a thread of its own */
   const uint64_t submitted = sim_get("submit_count") - before;
   return is_about(read_query(drawn), samples, 0) ? submitted : 0;
}

/* A backend may be later than the end of the pipe. */
static bool
conditions_of_late_backends(void)
{
   sim_set("delays_backends", true);
   return are_conditions_right();
}

/* Nobody submits a batch in order to know its result. */
static bool
conditions_submit_nothing(void)
{
   open_context();
   sim_set("is_delayed", true);
   const uint64_t unconditional = count_submissions(false, 1);
   return is_about(count_submissions(true, 0), unconditional, 0) &&
          is_about(sim_get("violation_count"), 0, 0);
}

/* Measures, has the result written to memory if that is wanted, and returns
 * how often that was submitted.
 */
static uint64_t
count_store_submissions(GLenum target, bool is_stored)
{
   const uint64_t before = sim_get("submit_count");
   const GLuint query = measure(target, 1);

   if (is_stored)
      read_by_buffer(query, GL_QUERY_RESULT);
   glFinish(); /* radeonsi submits in a thread of its own */
   return sim_get("submit_count") - before;
}

/* To write a result to memory, nobody submits a batch and waits for it.  The
 * first result tells which render backends there are.
 */
static bool
stores_submit_nothing(void)
{
   static const GLenum targets[] = {
      GL_SAMPLES_PASSED,
      GL_TIME_ELAPSED,
      GL_VERTICES_SUBMITTED_ARB,
   };

   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   sim_set("is_delayed", true);
   for (size_t i = 0; i < LENGTH(targets); i++) {
      const uint64_t unstored = count_store_submissions(targets[i], false);

      if (!is_about(count_store_submissions(targets[i], true), unstored, 0))
         return false;
   }
   return true;
}

/* Results of many batches in flight, whose samples are not all in one buffer,
 * are written to memory whole.
 */
static bool
stores_add_up_all_batches(void)
{
   enum { BATCHES = 100 };

   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   sim_set("is_delayed", true);
   const GLuint samples = make_query(), vertices = make_query();

   glBeginQuery(GL_SAMPLES_PASSED, samples);
   glBeginQuery(GL_VERTICES_SUBMITTED_ARB, vertices);
   for (unsigned i = 0; i < BATCHES; i++) {
      glDrawArrays(GL_POINTS, 0, 1);
      glFlush();
   }
   glEndQuery(GL_VERTICES_SUBMITTED_ARB);
   glEndQuery(GL_SAMPLES_PASSED);
   return is_about(read_by_buffer(samples, GL_QUERY_RESULT), BATCHES, 0) &&
          is_about(read_by_buffer(vertices, GL_QUERY_RESULT), BATCHES, 0) &&
          is_about(sim_get("violation_count"), 0, 0);
}

struct defect {
   const char *name;
   const char *driver; /* the only one that it is about, or NULL */
   bool is_promise;    /* stock drivers keep it, too */
   bool (*is_right)(void);
};

#define DEFECT_OF(DRIVER, NAME)                                              \
   {                                                                         \
      .name = #NAME, .driver = DRIVER, .is_right = NAME                      \
   }

#define DEFECT(NAME) DEFECT_OF(NULL, NAME)

#define PROMISE_OF(DRIVER, NAME)                                             \
   {                                                                         \
      .name = #NAME, .driver = DRIVER, .is_promise = true, .is_right = NAME  \
   }

#define PROMISE(NAME) PROMISE_OF(NULL, NAME)

static const struct defect defects[] = {
   DEFECT(timestamps_do_not_go_back),
   DEFECT(timestamps_outlast_the_counter),
   DEFECT(timestamps_outlast_51_hours),
   DEFECT(times_have_more_than_32_bits),
   DEFECT(dispatches_take_time),
   DEFECT(counts_have_more_than_32_bits),
   DEFECT(availability_is_of_this_query),
   DEFECT(timestamps_in_buffers_are_whole),
   DEFECT(times_in_buffers_are_exact),
   DEFECT(counts_in_buffers_are_clamped),
   DEFECT(lost_queries_end),
   DEFECT(lost_queries_become_available),
   DEFECT(blackholes_are_not_counted),
   DEFECT(blackholes_take_no_garbage_of_time),

   /* radeonsi ends with its hardware context. */
   DEFECT_OF("iris", counts_do_not_span_contexts),
   DEFECT_OF("iris", counts_in_buffers_do_not_span_contexts),
   DEFECT_OF("iris", lost_counts_in_buffers_are_0),
   DEFECT_OF("iris", conditions_outlast_contexts),

   /* iris reads no samples that it waits for. */
   DEFECT_OF("radeonsi", conditions_of_packed_backends),
   DEFECT_OF("radeonsi", conditions_of_dropped_batches),
   DEFECT_OF("radeonsi", conditions_in_dropped_batches),

   DEFECT(clears_submit_no_vertices),
   PROMISE(clears_pass_no_samples),
   PROMISE(clears_split_nothing),
   PROMISE(times_order_nothing),
   PROMISE_OF("iris", late_queries_ask_nothing),
   PROMISE(conditions_submit_nothing),
   PROMISE(conditions_of_late_backends),
   PROMISE(stores_submit_nothing),
   PROMISE(stores_add_up_all_batches),
};

int
main(int argc, char **argv)
{
   *(void **)&sim_set = dlsym(RTLD_DEFAULT, "pitot_sim_set");
   *(void **)&sim_get = dlsym(RTLD_DEFAULT, "pitot_sim_get");
   *(void **)&sim_hang = dlsym(RTLD_DEFAULT, "pitot_sim_hang");
   for (size_t i = 0; i < LENGTH(defects); i++) {
      if (argc == 2 && strcmp(argv[1], "--list") == 0)
         printf("%s %s %s\n", defects[i].is_promise ? "promise" : "defect",
                defects[i].name,
                defects[i].driver != NULL ? defects[i].driver : "");
      if (argc != 2 || strcmp(argv[1], defects[i].name) != 0)
         continue;
      if (sim_set == NULL) {
         fprintf(stderr, "there is no simulator: see tests/drivers/run\n");
         return 2;
      }
      sim_set("is_live", false);
      alarm(HANG_GUARD_S);
      puts(defects[i].is_right() ? "right" : "wrong");
      fflush(stdout);
      _exit(0); /* a lost context may not be put away */
   }
   return argc == 2 && strcmp(argv[1], "--list") == 0 ? 0 : 2;
}
