/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs patterns of use, frames of measured work, and prints for each entry
 * point how often it was called and what the calls did.
 *
 *    pitot-patterns counts|times|walks FRAMES PATTERN...
 *
 * A pattern is a word of each axis below: kind,count,read,latency,reuse,
 * contexts,work.  Each runs in its own contexts and prints a line of JSON.
 *
 * "times" runs at full speed.  With "counts" the GPU works only while a call
 * waits for it, and at the end of every fourth frame, so that the counts
 * depend on the driver alone.  "walks" does the same and prints a line for
 * each call, if the library was compiled with -finstrument-functions:
 *
 *    walk +0x1234 +0x5678 - - begin
 *
 * "+" enters the function at that offset of the library, "-" leaves one.
 */

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "gate.h"

#define LONG_NS         50000 /* of a call */
#define FINISHED_FRAMES 4 /* "counts" finishes the last of so many frames */
#define MAX_FRAMES      1024
#define MAX_LATENCY     3
#define MAX_THREADS     4
#define SIDE            128 /* of the framebuffer */
#define MANY            100 /* draws of all of it; more draw a part */
#define SMALL_SIDE      40

/* The words of a pattern, and entry points: a list of X(NAME, WORD). */
#define WORD_NAME(NAME, WORD) NAME,
#define WORD_TEXT(NAME, WORD) WORD,

#define EACH_READ(X)                                                         \
   X(READ_WAIT, "wait")                                                      \
   X(READ_POLL_ONCE, "poll_once")                                            \
   X(READ_POLL_UNTIL, "poll_until")                                          \
   X(READ_BUFFER_RESULT, "buffer_result")                                    \
   X(READ_BUFFER_RESULT_32, "buffer_result_32")                              \
   X(READ_BUFFER_NO_WAIT, "buffer_no_wait")                                  \
   X(READ_BUFFER_AVAILABLE, "buffer_available")                              \
   X(READ_CONDITION_WAIT, "condition_wait")                                  \
   X(READ_CONDITION_NO_WAIT, "condition_no_wait")                            \
   X(READ_NEVER, "never")                                                    \
   X(READ_DELETE, "delete")                                                  \
   X(READ_DISJOINT, "disjoint")

enum read { EACH_READ(WORD_NAME) };
static const char *const read_names[] = { EACH_READ(WORD_TEXT) };

/* FRESH: new names for each frame; PINNED: one more query is never read. */
#define EACH_REUSE(X)                                                        \
   X(REUSE_SAME, "same")                                                     \
   X(REUSE_FRESH, "fresh")                                                   \
   X(REUSE_PINNED, "pinned")

enum reuse { EACH_REUSE(WORD_NAME) };
static const char *const reuse_names[] = { EACH_REUSE(WORD_TEXT) };

/* SHARED: two that share objects, in turns. */
#define EACH_CONTEXTS(X)                                                     \
   X(CONTEXTS_ONE, "one")                                                    \
   X(CONTEXTS_SHARED, "shared")                                              \
   X(CONTEXTS_THREADS, "threads")

enum contexts { EACH_CONTEXTS(WORD_NAME) };
static const char *const contexts_names[] = { EACH_CONTEXTS(WORD_TEXT) };

#define EACH_WORK(X)                                                         \
   X(WORK_DRAW, "draw")                                                      \
   X(WORK_DISPATCH, "dispatch")                                              \
   X(WORK_BLIT, "blit")

enum work { EACH_WORK(WORD_NAME) };
static const char *const work_names[] = { EACH_WORK(WORD_TEXT) };

enum api {
   API_GL,
   API_INTEL,
   API_AMD,
};

static const struct kind {
   const char *name;
   const char *extension;
   enum api api;
   unsigned target_count;
   GLenum targets[STATISTIC_COUNT];
} kinds[] = {
   { "occlusion", NULL, API_GL, 1, { GL_SAMPLES_PASSED } },
   { "boolean", NULL, API_GL, 1, { GL_ANY_SAMPLES_PASSED } },
   { "elapsed", NULL, API_GL, 1, { GL_TIME_ELAPSED } },
   { "timestamp", NULL, API_GL, 1, { GL_TIMESTAMP } },
   { "primitives", NULL, API_GL, 1, { GL_PRIMITIVES_GENERATED } },
   { "statistic",
     "GL_ARB_pipeline_statistics_query",
     API_GL,
     1,
     { GL_VERTEX_SHADER_INVOCATIONS } },
   { "statistics",
     "GL_ARB_pipeline_statistics_query",
     API_GL,
     STATISTIC_COUNT,
     { EACH_STATISTIC(TARGET_GL) } },
   { "intel", "GL_INTEL_performance_query", API_INTEL, 1, { 0 } },
   { "amd", "GL_AMD_performance_monitor", API_AMD, 1, { 0 } },
};

struct pattern {
   const char *name;
   const struct kind *kind;
   unsigned count; /* measurements of a frame */
   enum read read;
   unsigned latency; /* in frames */
   enum reuse reuse;
   enum contexts contexts;
   enum work work;
};

/* Tallies of calls */

#define EACH_ENTRY(X)                                                        \
   X(ENTRY_GENERATE, "generate")                                             \
   X(ENTRY_DELETE, "delete")                                                 \
   X(ENTRY_BEGIN, "begin")                                                   \
   X(ENTRY_END, "end")                                                       \
   X(ENTRY_WORK, "work")                                                     \
   X(ENTRY_POLL, "poll")                                                     \
   X(ENTRY_READ, "read")                                                     \
   X(ENTRY_STORE, "store")                                                   \
   X(ENTRY_CONDITION, "condition")                                           \
   X(ENTRY_DISJOINT, "disjoint")                                             \
   X(ENTRY_FLUSH, "flush")                                                   \
   X(ENTRY_FINISH, "finish")

enum entry { EACH_ENTRY(WORD_NAME) ENTRY_COUNT };
static const char *const entry_names[] = { EACH_ENTRY(WORD_TEXT) };

struct tally {
   unsigned calls, waits, ioctls, submissions;
   double longest_ns, sum_ns;
};

static _Thread_local struct tally tallies[ENTRY_COUNT];

static bool counts, walks;
static unsigned frame_count;

static bool is_simulated;

/* The time that this thread was runnable and did not run. */
static _Thread_local double preempted_ns;

static _Thread_local struct {
   uint64_t start_ns;
   uint64_t waits, ioctls, submissions;
} before;

/* Returns by how much preempted_ns grew since the last call. */
static double
update_preempted(void)
{
   const double last_ns = preempted_ns;
   FILE *file = fopen("/proc/thread-self/schedstat", "r");

   if (file && fscanf(file, "%*u %lf", &preempted_ns) != 1)
      preempted_ns = last_ns;
   if (file)
      fclose(file);
   return preempted_ns - last_ns;
}

/* Walks */

#define PUBLIC __attribute__((visibility("default")))

static _Thread_local bool is_walking;

/* Replaces the C library's, which do nothing. */
PUBLIC void
__cyg_profile_func_enter(void *function, void *caller);

PUBLIC void
__cyg_profile_func_exit(void *function, void *caller);

void
__cyg_profile_func_enter(void *function, void *caller)
{
   Dl_info library;

   (void)caller;
   if (is_walking && dladdr(function, &library))
      printf(" +0x%tx", (char *)function - (char *)library.dli_fbase);
}

void
__cyg_profile_func_exit(void *function, void *caller)
{
   (void)function, (void)caller;
   if (is_walking)
      printf(" -");
}

/* Calls */

static void
begin_call(void)
{
   if (counts && is_simulated) {
      before.waits = sim_get("blocked_count");
      before.ioctls = sim_get("ioctl_count");
      before.submissions = sim_get("submit_count");
   } else if (counts) {
      gate_begin_call();
   }
   if (walks)
      printf("walk");
   is_walking = walks;
   before.start_ns = cpu_time_ns();
}

static void
end_call(enum entry entry)
{
   struct tally *tally = &tallies[entry];
   double time_ns = cpu_time_ns() - before.start_ns;

   is_walking = false;
   if (walks)
      printf(" %s\n", entry_names[entry]);
   tally->calls++;
   tally->sum_ns += time_ns;
   if (!counts && time_ns > LONG_NS)
      time_ns -= update_preempted();
   if (time_ns > tally->longest_ns)
      tally->longest_ns = time_ns;
   if (counts && is_simulated) {
      tally->waits += sim_get("blocked_count") > before.waits;
      tally->ioctls += sim_get("ioctl_count") - before.ioctls;
      tally->submissions += sim_get("submit_count") - before.submissions;
   } else if (counts) {
      tally->waits += gate_end_call();
   }
}

#define CALL(ENTRY, CALLED)                                                  \
   do {                                                                      \
      begin_call();                                                          \
      CALLED;                                                                \
      end_call(ENTRY);                                                       \
   } while (0)

/* The same by the API of a kind of queries. */
#define CALL_BY_API(KIND, ENTRY, GL, INTEL, AMD)                             \
   do {                                                                      \
      if ((KIND)->api == API_GL)                                             \
         CALL(ENTRY, GL);                                                    \
      else if ((KIND)->api == API_INTEL)                                     \
         CALL(ENTRY, INTEL);                                                 \
      else                                                                   \
         CALL(ENTRY, AMD);                                                   \
   } while (0)

/* Contexts */

static const struct gl_context_kind *
context_kind(const struct pattern *pattern)
{
   return gl_context_kind_find(pattern->read == READ_DISJOINT ? "es3"
                                                              : "core");
}

static void
make_current(EGLContext context)
{
   if (!egl_use_context(context)) {
      fprintf(stderr, "pitot-patterns: no context\n");
      exit(1);
   }
}

/* Work */

static const char vertex[] =
   "void main()\n"
   "{\n"
   "   vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
   "   gl_Position = vec4(4.0 * corner - 1.0, 0.0, 1.0);\n"
   "}\n";

static const char fragment[] =
   "precision highp float;\n"
   "void main()\n"
   "{\n"
   "   vec2 z = gl_FragCoord.xy / 128.0;\n"
   "   for (int i = 0; i < 8; i++)\n"
   "      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + 0.1;\n"
   "   painted = vec4(z, 0.0, 1.0);\n"
   "}\n";

/* A thread's context. */
struct user {
   EGLContext context;
   GLuint buffer;
   GLuint draw_program, dispatch_program;
   GLuint set, group, counter;     /* of INTEL or AMD */
   GLuint *names[MAX_LATENCY + 1]; /* of each frame in flight */
   bool is_measured[MAX_LATENCY + 1];
   GLuint pinned[STATISTIC_COUNT];
};

static GLuint
make_framebuffer(void)
{
   const GLuint made = gl_make_framebuffer(GL_RGBA8, SIDE).framebuffer;

   glClear(GL_COLOR_BUFFER_BIT);
   return made;
}

static void
init_work(struct user *user, const struct pattern *pattern)
{
   const struct gl_context_kind *kind = context_kind(pattern);
   const unsigned side = pattern->count > MANY ? SMALL_SIDE : SIDE;

   user->draw_program =
      gl_link(gl_start_program(kind->glsl, vertex, fragment));
   if (pattern->work == WORK_DISPATCH) {
      user->dispatch_program = gl_make_compute_program(
         "local_size_x = 64",
         "layout(std430) buffer block { uint values[]; };\n",
         "values[gl_GlobalInvocationID.x] += gl_LocalInvocationID.x;");
      gl_make_buffer_at(GL_SHADER_STORAGE_BUFFER, 0, 4 * 1024);
   }
   gl_bind_vertex_array();
   const GLuint read = make_framebuffer();
   make_framebuffer();
   glBindFramebuffer(GL_READ_FRAMEBUFFER, read);
   glViewport(0, 0, side, side);
   if (!kind->is_es) {
      user->buffer =
         gl_make_buffer(GL_QUERY_BUFFER, 8 * MAX_IDS, NULL, GL_DYNAMIC_COPY);
      glBindBuffer(GL_QUERY_BUFFER, 0);
   }
}

static void
draw(struct user *user)
{
   glUseProgram(user->draw_program);
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void
work(struct user *user, const struct pattern *pattern)
{
   draw(user);
   if (pattern->work == WORK_DISPATCH) {
      glUseProgram(user->dispatch_program);
      glDispatchCompute(16, 1, 1);
   } else if (pattern->work == WORK_BLIT) {
      glBlitFramebuffer(0, 0, SIDE, SIDE, SIDE, SIDE, 0, 0,
                        GL_COLOR_BUFFER_BIT, GL_NEAREST);
   }
}

/* Queries */

static void
find_counters(struct user *user, const struct pattern *pattern)
{
   if (pattern->kind->api == API_INTEL) {
      user->set = find_perf_set();
   } else if (pattern->kind->api == API_AMD) {
      user->group = find_group();
      glGetPerfMonitorCountersAMD(user->group, NULL, NULL, 1, &user->counter);
   }
}

static void
generate(struct user *user, const struct pattern *pattern, unsigned count,
         GLuint *names)
{
   switch (pattern->kind->api) {
   case API_GL:
      CALL(ENTRY_GENERATE, glGenQueries(count, names));
      break;
   case API_INTEL:
      for (unsigned i = 0; i < count; i++)
         CALL(ENTRY_GENERATE, glCreatePerfQueryINTEL(user->set, &names[i]));
      break;
   case API_AMD:
      CALL(ENTRY_GENERATE, glGenPerfMonitorsAMD(count, names));
      for (unsigned i = 0; i < count; i++)
         glSelectPerfMonitorCountersAMD(names[i], GL_TRUE, user->group, 1,
                                        &user->counter);
      break;
   }
}

static void
delete_names(const struct pattern *pattern, unsigned count, GLuint *names)
{
   switch (pattern->kind->api) {
   case API_GL:
      CALL(ENTRY_DELETE, glDeleteQueries(count, names));
      break;
   case API_INTEL:
      for (unsigned i = 0; i < count; i++)
         CALL(ENTRY_DELETE, glDeletePerfQueryINTEL(names[i]));
      break;
   case API_AMD:
      CALL(ENTRY_DELETE, glDeletePerfMonitorsAMD(count, names));
      break;
   }
}

static void
begin(const struct kind *kind, const GLuint *names)
{
   for (unsigned i = 0; i < kind->target_count; i++) {
      if (kind->targets[i] != GL_TIMESTAMP)
         CALL_BY_API(kind, ENTRY_BEGIN,
                     glBeginQuery(kind->targets[i], names[i]),
                     glBeginPerfQueryINTEL(names[i]),
                     glBeginPerfMonitorAMD(names[i]));
   }
}

static void
end(const struct kind *kind, const GLuint *names)
{
   for (unsigned i = 0; i < kind->target_count; i++) {
      if (kind->targets[i] == GL_TIMESTAMP)
         CALL(ENTRY_END, glQueryCounter(names[i], GL_TIMESTAMP));
      else
         CALL_BY_API(kind, ENTRY_END, glEndQuery(kind->targets[i]),
                     glEndPerfQueryINTEL(names[i]),
                     glEndPerfMonitorAMD(names[i]));
   }
}

static GLuint64
read_gl(const struct pattern *pattern, GLuint name)
{
   GLuint64 result = 0;
   GLuint result_32 = 0;

   if (pattern->read == READ_DISJOINT)
      glGetQueryObjectuiv(name, GL_QUERY_RESULT, &result_32);
   else
      glGetQueryObjectui64v(name, GL_QUERY_RESULT, &result);
   return result + result_32;
}

static void
read_result(const struct pattern *pattern, GLuint name)
{
   GLuint data[256], size_B;

   CALL_BY_API(pattern->kind, ENTRY_READ, read_gl(pattern, name),
               glGetPerfQueryDataINTEL(name, GL_PERFQUERY_WAIT_INTEL,
                                       sizeof(data), data, &size_B),
               glGetPerfMonitorCounterDataAMD(name, GL_PERFMON_RESULT_AMD,
                                              sizeof(data), data, NULL));
}

static bool
poll(const struct pattern *pattern, GLuint name)
{
   GLuint data[256], is_available = 0;

   CALL_BY_API(pattern->kind, ENTRY_POLL,
               glGetQueryObjectuiv(name, GL_QUERY_RESULT_AVAILABLE,
                                   &is_available),
               glGetPerfQueryDataINTEL(name, GL_PERFQUERY_FLUSH_INTEL,
                                       sizeof(data), data, &is_available),
               glGetPerfMonitorCounterDataAMD(name,
                                              GL_PERFMON_RESULT_AVAILABLE_AMD,
                                              sizeof(is_available),
                                              &is_available, NULL));
   return is_available != 0;
}

static void
store(struct user *user, GLuint name, unsigned number, GLenum what,
      bool is_32)
{
   void *offset = (void *)(uintptr_t)(8 * (number % MAX_IDS));

   glBindBuffer(GL_QUERY_BUFFER, user->buffer);
   if (is_32)
      CALL(ENTRY_STORE, glGetQueryObjectuiv(name, what, offset));
   else
      CALL(ENTRY_STORE, glGetQueryObjectui64v(name, what, offset));
   glBindBuffer(GL_QUERY_BUFFER, 0);
}

static void
draw_on_condition(struct user *user, GLuint name, GLenum mode)
{
   CALL(ENTRY_CONDITION, glBeginConditionalRender(name, mode));
   CALL(ENTRY_WORK, draw(user));
   CALL(ENTRY_CONDITION, glEndConditionalRender());
}

static void
read_disjoint(void)
{
   GLint is_disjoint;

   CALL(ENTRY_DISJOINT, glGetIntegerv(GL_GPU_DISJOINT_EXT, &is_disjoint));
}

static void
read_one(struct user *user, const struct pattern *pattern, GLuint name,
         unsigned number)
{
   switch (pattern->read) {
   case READ_WAIT:
      read_result(pattern, name);
      break;
   case READ_POLL_ONCE:
      if (poll(pattern, name))
         read_result(pattern, name);
      break;
   case READ_POLL_UNTIL:
      /* With counts the GPU does nothing: the fourth poll lets it finish. */
      for (unsigned i = 0; !poll(pattern, name); i++) {
         if (counts && i == 3)
            CALL(ENTRY_FINISH, glFinish());
      }
      read_result(pattern, name);
      break;
   case READ_BUFFER_RESULT:
      store(user, name, number, GL_QUERY_RESULT, false);
      break;
   case READ_BUFFER_RESULT_32:
      store(user, name, number, GL_QUERY_RESULT, true);
      break;
   case READ_BUFFER_NO_WAIT:
      store(user, name, number, GL_QUERY_RESULT_NO_WAIT, false);
      break;
   case READ_BUFFER_AVAILABLE:
      store(user, name, number, GL_QUERY_RESULT_AVAILABLE, true);
      break;
   case READ_CONDITION_WAIT:
      draw_on_condition(user, name, GL_QUERY_WAIT);
      break;
   case READ_CONDITION_NO_WAIT:
      draw_on_condition(user, name, GL_QUERY_NO_WAIT);
      break;
   case READ_DISJOINT:
      read_disjoint();
      read_result(pattern, name);
      read_disjoint();
      break;
   case READ_NEVER:
   case READ_DELETE:
      break;
   }
}

/* Frames */

static bool
has_fresh_names(const struct pattern *pattern)
{
   return pattern->reuse == REUSE_FRESH || pattern->read == READ_DELETE;
}

static unsigned
name_count(const struct pattern *pattern)
{
   return pattern->count * pattern->kind->target_count;
}

static void
init_user(struct user *user, const struct pattern *pattern)
{
   init_work(user, pattern);
   find_counters(user, pattern);
   for (unsigned i = 0; i <= pattern->latency; i++) {
      user->names[i] = calloc(name_count(pattern), sizeof(GLuint));
      generate(user, pattern, name_count(pattern), user->names[i]);
   }
   if (pattern->reuse == REUSE_PINNED) {
      generate(user, pattern, pattern->kind->target_count, user->pinned);
      begin(pattern->kind, user->pinned);
      work(user, pattern);
      end(pattern->kind, user->pinned);
   }
   glFinish();
}

static void
measure_frame(struct user *user, const struct pattern *pattern,
              const GLuint *names)
{
   const struct kind *kind = pattern->kind;

   for (unsigned i = 0; i < pattern->count; i++) {
      const GLuint *measured = &names[i * kind->target_count];

      begin(kind, measured);
      CALL(ENTRY_WORK, work(user, pattern));
      end(kind, measured);
      if (walks)
         work(user, pattern); /* so that the next begin is elsewhere */
   }
}

static void
run_frame(struct user *user, const struct pattern *pattern, unsigned frame)
{
   const unsigned slots = pattern->latency + 1;
   GLuint *newest = user->names[frame % slots];
   GLuint *oldest = user->names[(frame + 1) % slots];
   const unsigned count = name_count(pattern);

   if (has_fresh_names(pattern)) {
      delete_names(pattern, count, newest);
      generate(user, pattern, count, newest);
   }
   measure_frame(user, pattern, newest);
   user->is_measured[frame % slots] = true;
   for (unsigned i = 0; user->is_measured[(frame + 1) % slots] && i < count;
        i++)
      read_one(user, pattern, oldest[i], i);
   CALL(ENTRY_FLUSH, glFlush());
   if (counts && frame % FINISHED_FRAMES == FINISHED_FRAMES - 1)
      CALL(ENTRY_FINISH, glFinish());
}

/* Results */

struct memory {
   double heap_B, resident_B, objects;
};

struct run {
   const struct pattern *pattern;
   pthread_mutex_t lock;
   pthread_cond_t turned;
   unsigned turn;     /* with counts, the thread whose frame it is */
   double *frames_ns; /* of the first thread */
   struct memory second, fourth; /* minima of quarters of the frames */
   unsigned scenes, violations;
   struct tally tallies[ENTRY_COUNT];
   GLenum error;
};

static struct memory
look_at_memory(void)
{
   const struct mallinfo2 info = mallinfo2();
   unsigned long pages = 0;
   FILE *file = fopen("/proc/self/statm", "r");

   if (!file || fscanf(file, "%*u %lu", &pages) != 1)
      abort();
   fclose(file);
   return (struct memory){
      .heap_B = (double)info.uordblks + info.hblkhd,
      .resident_B = (double)pages * sysconf(_SC_PAGESIZE),
      .objects = sim_get("object_count"),
   };
}

static void
lower(double *least, double value)
{
   if (*least == 0 || value < *least)
      *least = value;
}

/* The heap grows while drivers' threads lag: the minimum is what is kept. */
static void
add_memory(struct run *run, unsigned frame)
{
   const unsigned quarter = 4 * frame / frame_count;
   struct memory *least = quarter == 3 ? &run->fourth : &run->second;

   if (quarter % 2 == 0)
      return;
   const struct memory memory = look_at_memory();
   lower(&least->heap_B, memory.heap_B);
   lower(&least->resident_B, memory.resident_B);
   lower(&least->objects, memory.objects);
}

static void
add_tallies(struct run *run)
{
   pthread_mutex_lock(&run->lock);
   for (unsigned i = 0; i < ENTRY_COUNT; i++) {
      struct tally *sum = &run->tallies[i];
      const struct tally *mine = &tallies[i];

      sum->calls += mine->calls;
      sum->waits += mine->waits;
      sum->ioctls += mine->ioctls;
      sum->submissions += mine->submissions;
      sum->sum_ns += mine->sum_ns;
      if (mine->longest_ns > sum->longest_ns)
         sum->longest_ns = mine->longest_ns;
   }
   if (!run->error)
      run->error = glGetError();
   pthread_mutex_unlock(&run->lock);
}

static void
print_run(struct run *run)
{
   const double *frames_ns = run->frames_ns;
   double sorted_ns[MAX_FRAMES];

   /* Insertion sort. */
   for (unsigned i = 0; i < frame_count; i++) {
      unsigned place = i;

      for (; place > 0 && sorted_ns[place - 1] > frames_ns[i]; place--)
         sorted_ns[place] = sorted_ns[place - 1];
      sorted_ns[place] = frames_ns[i];
   }
   printf("{\"pattern\": \"%s\", \"frame_ns\": %.0f, \"heap_B\": %.0f, "
          "\"resident_B\": %.0f, \"objects\": %.0f, \"scenes\": %u, "
          "\"violations\": %u, \"error\": %u, \"calls\": {",
          run->pattern->name, sorted_ns[frame_count / 2],
          run->fourth.heap_B - run->second.heap_B,
          run->fourth.resident_B - run->second.resident_B,
          run->fourth.objects - run->second.objects, run->scenes,
          run->violations, run->error);

   const char *separator = "";
   for (unsigned i = 0; i < ENTRY_COUNT; i++) {
      const struct tally *tally = &run->tallies[i];

      if (tally->calls == 0)
         continue;
      printf("%s\"%s\": {\"calls\": %u, \"waits\": %u, \"ioctls\": %u, "
             "\"submissions\": %u, \"longest_ns\": %.0f, \"sum_ns\": %.0f}",
             separator, entry_names[i], tally->calls, tally->waits,
             tally->ioctls, tally->submissions, tally->longest_ns,
             tally->sum_ns);
      separator = ", ";
   }
   printf("}}\n");
   fflush(stdout);
}

/* Threads */

static void
set_gpu_still(bool is_still)
{
   if (!counts)
      return;
   if (is_simulated)
      sim_set("is_delayed", is_still);
   else if (is_still)
      gate_close();
   else
      gate_open();
}

static void
wait_for_turn(struct run *run, unsigned thread)
{
   pthread_mutex_lock(&run->lock);
   while (run->turn != thread)
      pthread_cond_wait(&run->turned, &run->lock);
   pthread_mutex_unlock(&run->lock);
}

static void
end_turn(struct run *run)
{
   pthread_mutex_lock(&run->lock);
   run->turn = (run->turn + 1) % MAX_THREADS;
   pthread_cond_broadcast(&run->turned);
   pthread_mutex_unlock(&run->lock);
}

static void
run_frames(struct run *run, struct user *users, unsigned thread)
{
   const struct pattern *pattern = run->pattern;
   const unsigned user_count = pattern->contexts == CONTEXTS_SHARED ? 2 : 1;
   const bool takes_turns = counts && pattern->contexts == CONTEXTS_THREADS;

   memset(tallies, 0, sizeof(tallies));
   for (unsigned frame = 0; frame < frame_count; frame++) {
      struct user *user = &users[frame % user_count];

      if (takes_turns)
         wait_for_turn(run, thread);
      if (user_count > 1)
         make_current(user->context);
      if (thread == 0)
         add_memory(run, frame);
      update_preempted();
      const double start_ns = cpu_time_ns();
      run_frame(user, pattern, frame / user_count);
      if (thread == 0)
         run->frames_ns[frame] = cpu_time_ns() - start_ns;
      if (takes_turns)
         end_turn(run);
   }
   add_tallies(run);
}

struct thread {
   struct run *run;
   struct user users[2];
   unsigned number;
   pthread_t id;
};

static void
close_user(struct user *user, const struct pattern *pattern)
{
   make_current(user->context);
   glFinish();
   egl_delete_context(user->context);
   for (unsigned i = 0; i <= pattern->latency; i++)
      free(user->names[i]);
}

static void *
run_thread(void *data)
{
   struct thread *thread = data;

   egl_bind_api(context_kind(thread->run->pattern));
   make_current(thread->users[0].context);
   run_frames(thread->run, thread->users, thread->number);
   make_current(EGL_NO_CONTEXT);
   return NULL;
}

static bool
is_here(const struct pattern *pattern)
{
   return (!pattern->kind->extension ||
           epoxy_has_gl_extension(pattern->kind->extension)) &&
          (pattern->read != READ_DISJOINT ||
           epoxy_has_gl_extension("GL_EXT_disjoint_timer_query"));
}

static void
run_pattern(const struct pattern *pattern)
{
   const bool has_threads = pattern->contexts == CONTEXTS_THREADS;
   const unsigned thread_count = has_threads ? MAX_THREADS : 1;
   const unsigned user_count = pattern->contexts == CONTEXTS_SHARED ? 2 : 1;
   struct thread threads[MAX_THREADS] = { 0 };
   double frames_ns[MAX_FRAMES];
   struct run run = {
      .pattern = pattern,
      .lock = PTHREAD_MUTEX_INITIALIZER,
      .turned = PTHREAD_COND_INITIALIZER,
      .frames_ns = frames_ns,
   };
   bool is_possible = true;

   for (unsigned i = 0; i < thread_count; i++) {
      threads[i].run = &run;
      threads[i].number = i;
      for (unsigned k = 0; k < user_count; k++) {
         struct user *user = &threads[i].users[k];

         user->context = egl_create_context(context_kind(pattern),
                                            k ? threads[i].users[0].context
                                              : EGL_NO_CONTEXT);
         make_current(user->context);
         is_possible = is_possible && is_here(pattern);
         if (is_possible)
            init_user(user, pattern);
      }
   }
   if (is_possible) {
      run.scenes = gate_scene_count();
      run.violations = sim_get("violation_count");
      set_gpu_still(true);
      if (has_threads)
         make_current(EGL_NO_CONTEXT);
      for (unsigned i = 1; i < thread_count; i++)
         pthread_create(&threads[i].id, NULL, run_thread, &threads[i]);
      make_current(threads[0].users[0].context);
      run_frames(&run, threads[0].users, 0);
      for (unsigned i = 1; i < thread_count; i++)
         pthread_join(threads[i].id, NULL);
      set_gpu_still(false);
      run.scenes = gate_scene_count() - run.scenes;
      run.violations = sim_get("violation_count") - run.violations;
      print_run(&run);
   }
   for (unsigned i = 0; i < thread_count; i++) {
      for (unsigned k = 0; k < user_count; k++)
         close_user(&threads[i].users[k], pattern);
   }
}

/* Names */

static unsigned
find_word(const char *word, const char *const *words, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (word && strcmp(word, words[i]) == 0)
         return i;
   }
   fprintf(stderr, "pitot-patterns: unknown word '%s'\n", word ? word : "");
   exit(2);
}

static struct pattern
parse(const char *name)
{
   const char *kind_names[ARRAY_LENGTH(kinds)];
   struct pattern pattern = { .name = name };
   char *copy = strdup(name), *rest;

   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++)
      kind_names[i] = kinds[i].name;
#define NEXT_WORD strtok_r(NULL, ",", &rest)
   pattern.kind = &kinds[find_word(strtok_r(copy, ",", &rest), kind_names,
                                   ARRAY_LENGTH(kinds))];
   pattern.count = strtoul(NEXT_WORD, NULL, 10);
   pattern.read = find_word(NEXT_WORD, read_names, ARRAY_LENGTH(read_names));
   pattern.latency = strtoul(NEXT_WORD, NULL, 10);
   pattern.reuse =
      find_word(NEXT_WORD, reuse_names, ARRAY_LENGTH(reuse_names));
   pattern.contexts =
      find_word(NEXT_WORD, contexts_names, ARRAY_LENGTH(contexts_names));
   pattern.work = find_word(NEXT_WORD, work_names, ARRAY_LENGTH(work_names));
   free(copy);
   if (pattern.count == 0 || name_count(&pattern) > MAX_IDS ||
       pattern.latency > MAX_LATENCY)
      find_word(name, NULL, 0);
   return pattern;
}

int
main(int argc, char **argv)
{
   frame_count = argc > 3 ? strtoul(argv[2], NULL, 10) : 0;
   walks = argc > 3 && strcmp(argv[1], "walks") == 0;
   counts = walks || (argc > 3 && strcmp(argv[1], "counts") == 0);
   if ((!counts && (argc <= 3 || strcmp(argv[1], "times") != 0)) ||
       frame_count < FINISHED_FRAMES || frame_count > MAX_FRAMES) {
      fprintf(stderr, "usage: pitot-patterns counts|times|walks FRAMES "
                      "PATTERN...\n");
      return 2;
   }
   is_simulated = sim_is_there();
   sim_set("is_live", false); /* so that work takes no time of the CPU's */
   if (!egl_open(gl_context_kind_find("core"))) {
      fprintf(stderr, "pitot-patterns: no GL on EGL's surfaceless platform; "
                      "run it with src/mesa/run\n");
      return 1;
   }
   for (int i = 3; i < argc; i++) {
      const struct pattern pattern = parse(argv[i]);

      run_pattern(&pattern);
   }
   return 0;
}
