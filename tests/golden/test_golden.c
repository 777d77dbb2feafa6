/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot emits, for each kind of query, what Mesa's own driver of the GPU
 * emits for it: the same samples, begun and ended alike, and no more waits.
 * And the driver's results are what the simulator counted, which makes it a
 * witness for the simulator.
 *
 *    test_golden DIRECTORY GPU...
 *
 * DIRECTORY has GPU.log and GPU.values of golden-gl on each.  With --costs
 * first, prints what queries cost each of them, as a table of Markdown.
 */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pitot/hw.h"
#include "stream.h"
#include "test.h"

#define MAX_TESTS 2048

/* What a driver has done by its shaders, which are not simulated, or does in
 * another way than Pitot on purpose.
 */
struct exception {
   const char *gpu; /* or NULL: all */
   enum pitot_kind kind;
   bool is_value; /* about the driver's result, or about its packets */
   const char *why;
};

#define DRIVER_COUNTS "the driver counts in its shaders, which do not run"

static const struct exception exceptions[] = {
   { "navi31", PITOT_KIND_PRIMITIVES_GENERATED, true, DRIVER_COUNTS },
   { "navi31", PITOT_KIND_PRIMITIVES_WRITTEN, true, DRIVER_COUNTS },
};

struct golden_case {
   char name[96];
   char directory[256];
   char gpu[32];
   const struct golden_kind *kind;
};

static struct CMUnitTest tests[MAX_TESTS];
static struct golden_case cases[MAX_TESTS];
static unsigned test_count;

static const char *
why_not(const char *gpu, enum pitot_kind kind, bool is_value)
{
   for (size_t i = 0; i < ARRAY_LENGTH(exceptions); i++) {
      const struct exception *e = &exceptions[i];

      if (e->kind == kind && e->is_value == is_value &&
          (e->gpu == NULL || strcmp(e->gpu, gpu) == 0))
         return e->why;
   }
   return NULL;
}

static const struct pitot_gpu *
facts_of(const char *gpu)
{
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      if (strcmp(sim_gpus[i].key, gpu) == 0)
         return &sim_gpus[i].facts;
   }
   fprintf(stderr, "there is no simulated %s\n", gpu);
   exit(2);
}

static void
path_of(const struct golden_case *c, const char *extension, char *path_out,
        size_t size_B)
{
   snprintf(path_out, size_B, "%s/%s.%s", c->directory, c->gpu, extension);
}

/*
 * The driver's results
 */

/* Returns what the driver says that it counted. */
static uint64_t
read_value(const struct golden_case *c)
{
   const char *name = pitot_kind_info(c->kind->kind)->name;
   char path[320], line[128], found[64], value[64];

   path_of(c, "values", path, sizeof(path));
   FILE *file = fopen(path, "r");
   if (file == NULL)
      fail_msg("no values %s", path);
   while (fgets(line, sizeof(line), file) != NULL) {
      if (sscanf(line, "%63s %63s", found, value) != 2 ||
          strcmp(found, name) != 0)
         continue;
      fclose(file);
      assert_string_not_equal(value, "-"); /* there is no such query */
      return strtoull(value, NULL, 10);
   }
   fclose(file);
   fail_msg("no value of %s in %s", name, path);
   return 0;
}

static void
driver_counts_what_was_simulated(void **state)
{
   const struct golden_case *c = *state;
   struct sim *sim = sim_create(c->gpu);

   sim_count_draws(sim);
   const uint64_t expected = golden_expected(c->kind, sim);
   sim_destroy(sim);

   assert_int_equal(read_value(c), expected);
}

/*
 * The packets
 */

/* The same samples, for no more than the driver pays. */
static void
compare_side(const struct golden_case *c, const struct stream *driver,
             const struct stream *own, enum side side)
{
   char drivers[1024], owns[1024];

   stream_samples(driver, side, c->kind->kind, drivers, sizeof(drivers));
   stream_samples(own, side, c->kind->kind, owns, sizeof(owns));
   assert_string_equal(owns, drivers);
   assert_in_range(stream_waits(own, side), 0, stream_waits(driver, side));
   assert_in_range(stream_length_dw(own, side), 0,
                   stream_length_dw(driver, side));
}

static void
pitot_emits_what_the_driver_does(void **state)
{
   const struct golden_case *c = *state;
   struct stream driver, own;
   char path[320];

   path_of(c, "log", path, sizeof(path));
   stream_read_log(path, pitot_kind_info(c->kind->kind)->name, &driver);
   stream_record(c->gpu, c->kind, &own);

   assert_true(driver.is_there);
   assert_int_equal(driver.work, GOLDEN_DRAWS);
   assert_int_equal(own.work, GOLDEN_DRAWS);
   compare_side(c, &driver, &own, SIDE_BEGIN);
   compare_side(c, &driver, &own, SIDE_END);
   assert_string_equal(stream_landed(&own), stream_landed(&driver));
}

static void
add(const char *directory, const char *gpu, const struct golden_kind *kind,
    const char *what, CMUnitTestFunction function)
{
   struct golden_case *c = &cases[test_count];

   assert(test_count < MAX_TESTS);
   snprintf(c->name, sizeof(c->name), "%s of %s on %s", what,
            pitot_kind_info(kind->kind)->name, gpu);
   snprintf(c->directory, sizeof(c->directory), "%s", directory);
   snprintf(c->gpu, sizeof(c->gpu), "%s", gpu);
   c->kind = kind;
   tests[test_count++] = (struct CMUnitTest){
      .name = c->name,
      .test_func = function,
      .initial_state = c,
   };
}

/* Adds a test unless there is a reason not to, which it says. */
static void
consider(const char *directory, const char *gpu,
         const struct golden_kind *kind, bool is_value)
{
   const char *what = is_value ? "the driver's value" : "packets";
   const char *why = why_not(gpu, kind->kind, is_value);

   if (why == NULL)
      add(directory, gpu, kind, what,
          is_value ? driver_counts_what_was_simulated
                   : pitot_emits_what_the_driver_does);
   else
      fprintf(stderr, "left out: %s of %s on %s (%s)\n", what,
              pitot_kind_info(kind->kind)->name, gpu, why);
}

/* Prints dwords and waits, the driver's and Pitot's. */
static void
print_cost(const char *gpu, const char *name, const struct stream *driver,
           const struct stream *own)
{
   const struct stream *const streams[] = { driver, own };
   unsigned length_dw[2] = { 0 }, waits[2] = { 0 };

   for (unsigned i = 0; i < 2; i++) {
      for (enum side side = 0; side < SIDE_COUNT; side++) {
         length_dw[i] += stream_length_dw(streams[i], side);
         waits[i] += stream_waits(streams[i], side);
      }
   }
   printf("| %s | %s | %u | %u | %u | %u |\n", gpu, name, length_dw[0],
          length_dw[1], waits[0], waits[1]);
}

static void
print_costs_of(const char *directory, const char *gpu)
{
   struct stream driver, own;
   struct golden_case c;
   char path[320];

   snprintf(c.directory, sizeof(c.directory), "%s", directory);
   snprintf(c.gpu, sizeof(c.gpu), "%s", gpu);
   path_of(&c, "log", path, sizeof(path));
   for (unsigned i = 0; i < golden_kind_count; i++) {
      const char *name = pitot_kind_info(golden_kinds[i].kind)->name;

      if (!pitot_hw_gpu_counter_bits(facts_of(gpu), golden_kinds[i].kind))
         continue;
      stream_read_log(path, name, &driver);
      stream_record(gpu, &golden_kinds[i], &own);
      print_cost(gpu, name, &driver, &own);
   }
   stream_read_log(path, GOLDEN_STATISTICS, &driver);
   stream_record_statistics(gpu, &own);
   print_cost(gpu, GOLDEN_STATISTICS, &driver, &own);
}

/* All statistics at once are sampled and waited for once, each of them. */
static void
statistics_are_sampled_at_once(void **state)
{
   const struct golden_case *c = *state;
   struct stream driver, own;
   char path[320];

   path_of(c, "log", path, sizeof(path));
   stream_read_log(path, GOLDEN_STATISTICS, &driver);
   stream_record_statistics(c->gpu, &own);
   assert_true(driver.is_there);
   for (enum side side = 0; side < SIDE_COUNT; side++) {
      assert_in_range(stream_length_dw(&own, side), 1,
                      stream_length_dw(&driver, side) - 1);
      assert_in_range(stream_waits(&own, side), 0, 1);
   }
}

static void
print_costs(const char *directory, int count, char **gpus)
{
   printf("| GPU | query | driver, dwords | Pitot | driver, waits | Pitot |\n"
          "| --- | --- | --- | --- | --- | --- |\n");
   for (int g = 0; g < count; g++)
      print_costs_of(directory, gpus[g]);
}

int
main(int argc, char **argv)
{
   if (argc > 3 && strcmp(argv[1], "--costs") == 0) {
      print_costs(argv[2], argc - 3, &argv[3]);
      return 0;
   }
   if (argc < 3) {
      fprintf(stderr, "usage: %s DIRECTORY GPU...\n", argv[0]);
      return 2;
   }
   for (int g = 2; g < argc; g++) {
      for (unsigned i = 0; i < golden_kind_count; i++) {
         const struct golden_kind *kind = &golden_kinds[i];

         /* What Pitot leaves to the driver has no packets. */
         if (pitot_hw_gpu_counter_bits(facts_of(argv[g]), kind->kind) != 0)
            consider(argv[1], argv[g], kind, false);
         if (!pitot_kind_info(kind->kind)->is_time)
            consider(argv[1], argv[g], kind, true);
      }
      add(argv[1], argv[g], &golden_kinds[0], "all statistics, instead",
          statistics_are_sampled_at_once);
   }
   return _cmocka_run_group_tests("golden packets", tests, test_count, NULL,
                                  NULL);
}
