/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../conformance/egl.h"
#include "../gl_setup.h"
#include "soak.h"

/* Groups of queries in a wave at most. */
#define MAX_PEAK 64

static const char vertex_source[] =
   "#version 150\n"
   "void main()\n"
   "{\n"
   "   vec2 pixel = vec2(gl_VertexID % 16, gl_VertexID / 16);\n"
   "   gl_Position = vec4((pixel + 0.5) / 8.0 - 1.0, 0.0, 1.0);\n"
   "}\n";

static const char fragment_source[] = "#version 150\n"
                                      "out vec4 color;\n"
                                      "void main()\n"
                                      "{\n"
                                      "   color = vec4(1.0);\n"
                                      "}\n";

struct options {
   unsigned seed;
   unsigned peak;     /* groups of queries in a wave at most */
   unsigned contexts; /* that come and go in a cycle */
   unsigned cycles;   /* at least */
   unsigned seconds;  /* at least */
};

struct soak_totals soak_totals;

void
soak_fail(const char *format, ...)
{
   va_list arguments;

   va_start(arguments, format);
   printf("failed: ");
   vprintf(format, arguments);
   printf("\n");
   va_end(arguments);
   exit(1);
}

void
soak_draw_init(void)
{
   const GLuint program = glCreateProgram();
   GLuint vertex_array;

   gl_attach(program, GL_VERTEX_SHADER, vertex_source);
   gl_attach(program, GL_FRAGMENT_SHADER, fragment_source);
   glLinkProgram(program);
   glUseProgram(program);
   glGenVertexArrays(1, &vertex_array);
   glBindVertexArray(vertex_array);
}

void
soak_draw(unsigned points)
{
   glDrawArrays(GL_POINTS, 0, points);
}

static void
note_peak(void)
{
   const size_t heap_B = soak_heap_B();

   if (heap_B > soak_totals.peak_B)
      soak_totals.peak_B = heap_B;
}

/* The number rises, with a step back now and then, and falls: the last query
 * that was made ends first.
 */
void
soak_waves(struct random *random, unsigned waves, unsigned peak)
{
   static struct soak_group groups[MAX_PEAK];
   unsigned count = 0;

   for (unsigned wave = 0; wave < waves; wave++) {
      while (count < peak) {
         if (count && random_percent(random, 20))
            soak_group_end(&groups[--count]);
         else
            soak_group_make(&groups[count++], random);
         if (random_percent(random, 5))
            glFlush();
      }
      note_peak();
      while (count)
         soak_group_end(&groups[--count]);
      soak_clock();
   }
   if (glGetError())
      soak_fail("an error of GL");
}

static void
run_in_new_context(struct random *random)
{
   struct egl_context *context = egl_push_context();

   soak_draw_init();
   soak_waves(random, 1, 8);
   soak_perf();
   soak_monitors();
   soak_leave(random);
   soak_leave_monitors();
   egl_pop_context(context);
   soak_totals.contexts++;
}

/* The random numbers are those of the cycle before. */
static void
run_cycle(const struct options *options)
{
   struct random random = { options->seed };

   soak_totals.peak_B = 0;
   soak_totals.highest_name = soak_totals.highest_monitor = 0;
   soak_waves(&random, 2, options->peak);
   soak_perf();
   soak_monitors();
   for (unsigned i = 0; i < options->contexts; i++)
      run_in_new_context(&random);
   soak_waves(&random, 1, options->peak / 2);
   glFinish();
}

static void
print_cycle(time_t passed_s)
{
   printf("cycle ");
   soak_print_memory();
   printf(" highest_name %u highest_monitor %u contexts %" PRIu64
          " passed_s %ld\n",
          soak_totals.highest_name, soak_totals.highest_monitor,
          soak_totals.contexts, (long)passed_s);
   fflush(stdout);
}

static void
run(const struct options *options)
{
   const time_t start_s = time(NULL);
   time_t passed_s = 0;

   for (unsigned i = 0;
        i < options->cycles || passed_s < (time_t)options->seconds; i++) {
      run_cycle(options);
      passed_s = time(NULL) - start_s;
      print_cycle(passed_s);
   }
   printf("queries %" PRIu64 " perf_queries %" PRIu64 " monitors %" PRIu64
          " contexts %" PRIu64 " results %" PRIu64 "\n",
          soak_totals.queries, soak_totals.perf_queries, soak_totals.monitors,
          soak_totals.contexts, soak_totals.results);
}

static bool
parse(int argc, char **argv, struct options *options)
{
   unsigned numbers[5];

   if (argc != 1 + ARRAY_LENGTH(numbers))
      return false;
   for (unsigned i = 0; i < ARRAY_LENGTH(numbers); i++)
      numbers[i] = strtoul(argv[1 + i], NULL, 10);
   *options = (struct options){
      .seed = numbers[0],
      .peak = numbers[1],
      .contexts = numbers[2],
      .cycles = numbers[3],
      .seconds = numbers[4],
   };
   return options->peak >= 2 && options->peak <= MAX_PEAK;
}

int
main(int argc, char **argv)
{
   const struct gl_context_kind *kind = gl_context_kind_find("core");
   struct options options;

   if (!parse(argc, argv, &options)) {
      fprintf(stderr,
              "usage: pitot-soak SEED PEAK CONTEXTS CYCLES SECONDS\n");
      return 2;
   }
   if (!egl_open(kind) || !egl_make_context(kind)) {
      fprintf(stderr, "pitot-soak: no GL on EGL's surfaceless platform; run "
                      "it with src/mesa/run\n");
      return 1;
   }
   soak_draw_init();
   run(&options);
   egl_destroy_context();
   return 0;
}
