/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The time of work: of draws that keep the vertices, all of the pixels or a
 * few of them busy, and of dispatches.  Each behaviour compares measurements
 * of one interval.
 */

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "behaviour.h"

/* So many that at least one round is not interrupted between two calls. */
#define MAX_ROUNDS 100
#define SIZE       128 /* of a framebuffer */
#define TILE       16

/* Vertices of a triangle that covers everything, and of clipped ones. */
#define COVER_VERTICES   3
#define CLIPPED_VERTICES 30000

/* How often a part of each kind of work is repeated, and how often all of it
 * is for a GPU.
 */
#define REPEATS     8
#define GPU_REPEATS 16

static GLuint framebuffers[3];
static GLuint draw_program, compute_program;

static void
make_framebuffers(void)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(framebuffers); i++) {
      framebuffers[i] = egl_make_framebuffer().framebuffer;
      glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, SIZE, SIZE);
   }
   glViewport(0, 0, SIZE, SIZE);
}

static void
make_vertices(void)
{
   static GLfloat positions[COVER_VERTICES + CLIPPED_VERTICES][2] = {
      { -1, -1 },
      { 3, -1 },
      { -1, 3 },
   };

   for (unsigned i = COVER_VERTICES; i < ARRAY_LENGTH(positions); i++) {
      positions[i][0] = 2 + i % 3;
      positions[i][1] = 2 + i % 2;
   }
   real_gl_make_buffer(GL_ARRAY_BUFFER, sizeof(positions), positions,
                       GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
}

static void
make_compute_program(void)
{
   static const char *const source =
      "#version 150\n"
      "#extension GL_ARB_compute_shader : require\n"
      "#extension GL_ARB_shader_storage_buffer_object : require\n"
      "layout(local_size_x = 64) in;\n"
      "layout(std430) buffer Cells { float cells[]; };\n"
      "void main()\n"
      "{\n"
      "   float cell = float(gl_GlobalInvocationID.x);\n"
      "   for (int i = 0; i < 100; i++)\n"
      "      cell = fract(cell * 1.7 + 0.1);\n"
      "   cells[gl_LocalInvocationID.x] = cell;\n"
      "}\n";
   GLuint buffer;

   compute_program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &source);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, 64 * sizeof(GLfloat), NULL,
                GL_DYNAMIC_COPY);
}

/* Draws are blended, so that none hides another one. */
static void
draw_pixels(void)
{
   for (unsigned i = 0; i < 16 * REPEATS; i++)
      glDrawArrays(GL_TRIANGLES, 0, COVER_VERTICES);
}

static void
draw_tile(void)
{
   glEnable(GL_SCISSOR_TEST);
   draw_pixels();
   glDisable(GL_SCISSOR_TEST);
}

static void
draw_vertices(void)
{
   for (unsigned i = 0; i < REPEATS; i++)
      glDrawArrays(GL_TRIANGLES, COVER_VERTICES, CLIPPED_VERTICES);
}

static void
draw_to_framebuffers(void)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(framebuffers); i++) {
      glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[i]);
      draw_pixels();
   }
}

static void
dispatch(void)
{
   glUseProgram(compute_program);
   for (unsigned i = 0; i < REPEATS; i++)
      glDispatchCompute(50, 1, 1);
   glUseProgram(draw_program);
}

static void
draw_and_dispatch(void)
{
   draw_pixels();
   dispatch();
   draw_pixels();
   dispatch();
}

/* The kinds of work, those without compute shaders first. */
static void (*const works[])(void) = {
   draw_pixels,          draw_vertices, draw_tile,
   draw_to_framebuffers, dispatch,      draw_and_dispatch,
};

static unsigned
prepare_works(void)
{
   const bool has_compute = !real_gl_obstacle("COMPUTE_SHADER_INVOCATIONS");
   const unsigned count = has_compute ? ARRAY_LENGTH(works) : 4;

   make_framebuffers();
   make_vertices();
   if (has_compute)
      make_compute_program();
   glScissor(0, 0, TILE, TILE);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   draw_program = real_gl_make_program(NULL);
   glUseProgram(draw_program);
   for (unsigned i = 0; i < count; i++)
      works[i]();
   glFinish();
   return count;
}

static GLuint
make_timestamp(void)
{
   const GLuint id = generate();

   gl.QueryCounter(id, GL_TIMESTAMP);
   return id;
}

/* Returns whether most of the time is in the parts.  Asserts that the parts
 * are not longer.
 */
static bool
is_most(uint64_t parts_ns, uint64_t all_ns)
{
   assert_in_range(parts_ns, 1, all_ns);
   return parts_ns >= all_ns / 10 * 9;
}

/* Returns the time that all threads of this process together have worked. */
static uint64_t
cpu_work_ns(void)
{
   struct timespec work;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &work);
   return work.tv_sec * UINT64_C(1000000000) + work.tv_nsec;
}

static uint64_t
time_by_query(void (*work)(void))
{
   const GLuint id = begin(GL_TIME_ELAPSED);

   work();
   gl.EndQuery(GL_TIME_ELAPSED);
   return result64_of(id);
}

static uint64_t
time_by_timestamps(void (*work)(void))
{
   const GLuint before = make_timestamp();

   work();
   const GLuint after = make_timestamp();
   return result64_of(after) - result64_of(before);
}

/* Measures work on an idle GPU.  Asserts that it does not take longer than
 * the CPU waited.
 */
static uint64_t
time_on_idle_gpu(void (*work)(void), uint64_t (*time_work)(void (*)(void)))
{
   glFinish();
   const uint64_t begin_ns = cpu_time_ns();
   const uint64_t elapsed_ns = time_work(work);

   assert_in_range(elapsed_ns, 0, cpu_time_ns() - begin_ns);
   return elapsed_ns;
}

static bool
cpus_draw(void)
{
   const char *renderer = (const char *)glGetString(GL_RENDERER);

   return strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe");
}

static void (*repeated_work)(void);

static void
repeat_work(void)
{
   for (unsigned i = 0; i < GPU_REPEATS; i++)
      repeated_work();
}

/* Returns whether a measured time is that of the work.  Where CPUs draw, they
 * are busy for as long as the work takes, or all of them at once for a part
 * of that.  A GPU takes longer for more of the same work.  A thread that is
 * interrupted may make it less.
 */
static bool
is_time_of_work(void (*work)(void), uint64_t (*time_work)(void (*)(void)))
{
   glFinish();
   const uint64_t begin_work_ns = cpu_work_ns();
   const uint64_t elapsed_ns = time_on_idle_gpu(work, time_work);
   const uint64_t worked_ns = cpu_work_ns() - begin_work_ns;

   if (cpus_draw())
      return elapsed_ns >= worked_ns / sysconf(_SC_NPROCESSORS_ONLN) / 10 * 9;
   repeated_work = work;
   return time_on_idle_gpu(repeat_work, time_work) >= 2 * elapsed_ns;
}

static void
check_alone(uint64_t (*time_work)(void (*)(void)))
{
   const unsigned count = prepare_works();

   for (unsigned i = 0; i < count; i++) {
      unsigned rounds = MAX_ROUNDS;

      while (rounds && !is_time_of_work(works[i], time_work))
         rounds--;
      assert_int_not_equal(rounds, 0);
   }
}

static void
elapsed_is_work(void)
{
   check_alone(time_by_query);
}

static void
work_is_between_timestamps(void)
{
   check_alone(time_by_timestamps);
}

/* Returns whether the times of all kinds of work in a frame add up to the
 * time of the frame.
 */
static bool
adds_up(unsigned count)
{
   GLuint ids[ARRAY_LENGTH(works)];
   uint64_t sum_ns = 0;

   const GLuint before = make_timestamp();
   for (unsigned i = 0; i < count; i++) {
      ids[i] = begin(GL_TIME_ELAPSED);
      works[i]();
      gl.EndQuery(GL_TIME_ELAPSED);
   }
   const GLuint after = make_timestamp();

   for (unsigned i = 0; i < count; i++)
      sum_ns += result64_of(ids[i]);
   return is_most(sum_ns, result64_of(after) - result64_of(before));
}

static void
parts_add_up(void)
{
   const unsigned count = prepare_works();
   unsigned rounds = MAX_ROUNDS;

   while (rounds && !adds_up(count))
      rounds--;
   assert_int_not_equal(rounds, 0);
}

/* Each timestamp is from the time between its call and the end of the frame,
 * and they go on.
 */
static void
timestamps_in_a_frame(void)
{
   GLuint ids[ARRAY_LENGTH(works)];
   GLint64 called_ns[ARRAY_LENGTH(works)], done_ns;
   uint64_t last_ns = 0;

   const unsigned count = prepare_works();
   for (unsigned i = 0; i < count; i++) {
      works[i]();
      gl.GetInteger64v(GL_TIMESTAMP, &called_ns[i]);
      ids[i] = make_timestamp();
   }
   glFinish();
   gl.GetInteger64v(GL_TIMESTAMP, &done_ns);
   for (unsigned i = 0; i < count; i++) {
      const uint64_t time_ns = result64_of(ids[i]);

      assert_in_range(time_ns, called_ns[i], done_ns);
      assert_true(time_ns >= last_ns);
      last_ns = time_ns;
   }
}

/* Returns whether the elapsed time and that of the set "GPU Time" around it
 * agree.
 */
static bool
agrees_with_set(GLuint set, void (*work)(void))
{
   uint8_t record[64];
   GLuint handle, written_B;

   gl.CreatePerfQuery(set, &handle);
   gl.BeginPerfQuery(handle);
   const GLuint id = begin(GL_TIME_ELAPSED);
   work();
   gl.EndQuery(GL_TIME_ELAPSED);
   gl.EndPerfQuery(handle);
   gl.GetPerfQueryData(handle, GL_PERFQUERY_WAIT_INTEL, sizeof(record),
                       record, &written_B);
   gl.DeletePerfQuery(handle);
   return is_most(result64_of(id),
                  script_counter_value(&gl, set, "GPU Time Elapsed", record));
}

static void
sets_agree(void)
{
   const unsigned count = prepare_works();
   GLuint set = 0;

   gl.GetPerfQueryIdByName((char *)"GPU Time", &set);
   for (unsigned i = 0; i < count; i++) {
      unsigned rounds = MAX_ROUNDS;

      while (rounds && !agrees_with_set(set, works[i]))
         rounds--;
      assert_int_not_equal(rounds, 0);
   }
}

const struct behaviour behaviours_of_work[] = {
   { "work: takes the time that CPUs work", GL46 "4.3", IN_ALL,
     "TIME_ELAPSED rendered", elapsed_is_work },
   { "work: is between timestamps around it", GL46 "4.3", IN_ALL,
     "TIMESTAMP rendered", work_is_between_timestamps },
   { "work: times in a frame add up", GL46 "4.3", IN_ALL,
     "TIME_ELAPSED TIMESTAMP rendered", parts_add_up },
   { "work: timestamps in a frame", GL46 "4.3", IN_ALL, "TIMESTAMP rendered",
     timestamps_in_a_frame },
   { "work: a query and a set agree", "INTEL_performance_query", IN_ALL,
     "TIME_ELAPSED perf rendered", sets_agree },
   { .name = NULL },
};
