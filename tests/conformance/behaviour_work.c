/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Times of work: several measurements of one interval must agree.
 */

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "behaviour.h"

#define SIZE 128
#define TILE 16

/* Vertices of a triangle that covers everything, and of clipped triangles. */
#define COVER_VERTICES   3
#define CLIPPED_VERTICES 30000

/* Per part of a work. softpipe draws immediately, interprets shaders, and is
 * fifty times slower.
 */
static unsigned repeats;

static GLuint framebuffers[3];
static GLuint draw_program, compute_program;

static void
make_framebuffers(void)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(framebuffers); i++)
      framebuffers[i] = gl_make_framebuffer(GL_RGBA4, SIZE).framebuffer;
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
   gl_make_buffer(GL_ARRAY_BUFFER, sizeof(positions), positions,
                  GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
}

static void
make_compute_program(void)
{
   compute_program =
      gl_make_compute_program("local_size_x = 64",
                              "layout(std430) buffer Cells { float cells[]; "
                              "};\n",
                              "float cell = float(gl_GlobalInvocationID.x);\n"
                              "for (int i = 0; i < 100; i++)\n"
                              "   cell = fract(cell * 1.7 + 0.1);\n"
                              "cells[gl_LocalInvocationID.x] = cell;\n");
   gl_make_buffer_at(GL_SHADER_STORAGE_BUFFER, 0, 64 * sizeof(GLfloat));
}

/* Blending keeps draws from hiding each other. */
static void
draw_pixels(void)
{
   for (unsigned i = 0; i < 16 * repeats; i++)
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
   for (unsigned i = 0; i < repeats; i++)
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
   for (unsigned i = 0; i < repeats; i++)
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

/* Work on pixels comes first, before work on vertices; compute comes last. */
static void (*const works[])(void) = {
   draw_pixels,   draw_tile, draw_to_framebuffers,
   draw_vertices, dispatch,  draw_and_dispatch,
};

/* Does each once.  Returns how many this context supports. */
static unsigned
prepare_works(void)
{
   const bool has_compute = !real_gl_obstacle("dispatch");
   const unsigned count = has_compute ? ARRAY_LENGTH(works) : 4;

   repeats = real_gl_obstacle("behind") ? 1 : 8;
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

#define WORKS_OF_PIXELS 3

/* Repetitions of work on a GPU. */
#define GPU_REPEATS 16

/* Whether the parts make up most of the time.  They must not exceed it. */
static bool
is_most(uint64_t parts_ns, uint64_t all_ns)
{
   assert_in_range(parts_ns, 1, all_ns);
   return parts_ns >= all_ns / 10 * 9;
}

/* llvmpipe measures its rasterizer threads, not the calling thread, which
 * processes vertices and waits for dispatches.
 */
static bool
rasterizer_is_timed(void)
{
   return strncmp((const char *)glGetString(GL_RENDERER), "llvmpipe", 8) == 0;
}

static unsigned
prepare_timed_works(void)
{
   const unsigned count = prepare_works();

   return rasterizer_is_timed() ? WORKS_OF_PIXELS : count;
}

/* CPU time of this process, or on llvmpipe of its measured threads. */
static uint64_t
cpu_work_ns(void)
{
   const uint64_t work_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);

   return rasterizer_is_timed() ? work_ns - clock_ns(CLOCK_THREAD_CPUTIME_ID)
                                : work_ns;
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

/* The time must not exceed what the CPU waited. */
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

/* If CPUs draw, the time is at least their work, which all may share.  On a
 * GPU, twice the work takes twice the time.  An interrupt may spoil a round.
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
   const unsigned count = prepare_timed_works();

   for (unsigned i = 0; i < count; i++) {
      assert_once(is_time_of_work(works[i], time_work));
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

/* Whether the times of works in a frame add up to the frame's time. */
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
   assert_once(adds_up(count));
}

/* A timestamp is between its call and the frame's end; none goes back. */
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

/* Whether the elapsed time agrees with the set "GPU Time" around it. */
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
   const unsigned count = prepare_timed_works();
   GLuint set = 0;

   gl.GetPerfQueryIdByName((char *)"GPU Time", &set);
   for (unsigned i = 0; i < count; i++) {
      assert_once(agrees_with_set(set, works[i]));
   }
}

/* The first draw is executed at the flush: so is its timestamp. */
static void
timestamps_follow_the_work(void)
{
   GLint64 flushed_ns;

   prepare_works();
   for (unsigned i = 0; i < 10; i++) {
      real_gl_draw_points(3);
      const GLuint id = make_timestamp();
      works[0]();
      gl.GetInteger64v(GL_TIMESTAMP, &flushed_ns);
      assert_true((GLint64)result64_of(id) >= flushed_ns);
   }
}

/* The elapsed time of a draw that the CPU sends late. */
static uint64_t
time_late_draw(uint64_t late_ns)
{
   const GLuint id = begin(GL_TIME_ELAPSED);
   const uint64_t begin_ns = cpu_time_ns();

   while (cpu_time_ns() - begin_ns < late_ns)
      ;
   real_gl_draw_points(3);
   gl.EndQuery(GL_TIME_ELAPSED);
   return result64_of(id);
}

static void
time_of_the_cpu_is_not_work(void)
{
   enum { LATE_NS = 2000000 };
   assert_once(time_late_draw(LATE_NS) < LATE_NS);
}

const struct behaviour behaviours_of_work[] = {
   { "work: takes the time that CPUs work", GL46 "4.3", IN_ALL,
     "TIME_ELAPSED rendered", elapsed_is_work },
   { "work: is between timestamps around it", GL46 "4.3", IN_ALL,
     "TIMESTAMP rendered", work_is_between_timestamps },
   { "work: times in a frame add up", GL46 "4.3", IN_ALL,
     "TIME_ELAPSED TIMESTAMP rendered apart", parts_add_up },
   { "work: timestamps in a frame", GL46 "4.3", IN_ALL, "TIMESTAMP rendered",
     timestamps_in_a_frame },
   { "work: a timestamp comes after what is flushed with it", GL46 "4.3",
     IN_ALL, "TIMESTAMP rendered behind", timestamps_follow_the_work },
   { "work: the CPU's own time is not in it", GL46 "4.3", IN_ALL,
     "TIME_ELAPSED rendered behind", time_of_the_cpu_is_not_work },
   { "work: a query and a set agree", "INTEL_performance_query", IN_ALL,
     "TIME_ELAPSED perf rendered", sets_agree },
   { .name = NULL },
};
