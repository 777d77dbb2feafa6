/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot emits, for each kind of query, what Mesa's own driver of the GPU
 * emits for it: the same samples, begun and ended alike, and no more waits.
 * It does so in a context of its own, and inside the driver.  And the
 * driver's results are what the simulator counted, which makes it a witness
 * for the simulator.
 *
 *    test_golden DIRECTORY GPU...
 *
 * DIRECTORY has of golden-gl on each GPU: GPU.log and GPU.values, from
 * Debian's driver; GPU.stock.log, from stock Mesa; GPU.pitot.log, from Mesa
 * with Pitot in the driver.  With --costs first, prints what queries cost
 * each of them, as a table of Markdown.
 */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pitot/hw.h"
#include "stream.h"
#include "test.h"

#define MAX_TESTS 2048

/* Queries that a driver counts in its shaders, which are not simulated, or
 * that it counts in another way than Pitot on purpose.
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
   char name[192];
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
compare(const struct golden_case *c, const struct stream *driver,
        const struct stream *own)
{
   compare_side(c, driver, own, SIDE_BEGIN);
   compare_side(c, driver, own, SIDE_END);

   /* Shaders sample nothing, and Pitot leaves that to the driver. */
   assert_int_equal(stream_length_dw(driver, SIDE_END) > 0,
                    pitot_hw_gpu_counter_bits(&sim_gpu(c->gpu)->facts,
                                              c->kind->kind) != 0);
   assert_string_equal(stream_available(own), stream_available(driver));
}

static void
read_log(const struct golden_case *c, const char *extension, const char *mark,
         struct stream *stream_out)
{
   char path[320];

   path_of(c, extension, path, sizeof(path));
   stream_read_log(path, mark, stream_out);
}

static void
pitot_emits_what_the_driver_does(void **state)
{
   const struct golden_case *c = *state;
   struct stream driver, own;

   read_log(c, "log", pitot_kind_info(c->kind->kind)->name, &driver);
   stream_record(c->gpu, c->kind, &own);

   assert_true(driver.is_there);
   assert_int_equal(driver.work, GOLDEN_DRAWS);
   assert_int_equal(own.work, GOLDEN_DRAWS);
   compare(c, &driver, &own);
}

static void
pitot_in_the_driver_emits_what_stock_does(void **state)
{
   const struct golden_case *c = *state;
   const char *name = pitot_kind_info(c->kind->kind)->name;
   struct stream stock, own;

   read_log(c, "stock.log", name, &stock);
   read_log(c, "pitot.log", name, &own);

   assert_true(stock.is_there);
   assert_true(own.is_there);
   assert_int_equal(stock.work, GOLDEN_DRAWS);
   assert_int_equal(own.work, GOLDEN_DRAWS);
   compare(c, &stock, &own);
}

/* Adds up what all queries ask of the kernel.  One may ask once what a later
 * one need not ask any more.
 */
static void
sum_up(const struct golden_case *c, const char *extension,
       struct stream *sum_out)
{
   *sum_out = (struct stream){ 0 };
   for (unsigned i = 0; i <= golden_kind_count; i++) {
      const char *mark = i < golden_kind_count
                            ? pitot_kind_info(golden_kinds[i].kind)->name
                            : GOLDEN_STATISTICS;
      struct stream stream;

      read_log(c, extension, mark, &stream);
      sum_out->ioctl_count += stream.ioctl_count;
      sum_out->memory_B += stream.memory_B;
   }
}

static void
pitot_in_the_driver_asks_no_more(void **state)
{
   const struct golden_case *c = *state;
   struct stream stock, own;

   sum_up(c, "stock.log", &stock);
   sum_up(c, "pitot.log", &own);
   assert_in_range(own.ioctl_count, 1, stock.ioctl_count);

   /* On AMD, memory is taken 2 MiB at a time, whoever needs the next byte. */
   if (sim_gpu(c->gpu)->facts.vendor == PITOT_VENDOR_INTEL)
      assert_true(own.memory_B <= stock.memory_B);
}

static struct golden_case *
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
   return c;
}

static void
leave_out(void **state)
{
   (void)state;
}

/* Adds a test, or one that is skipped if there is a reason to. */
static void
consider(const char *directory, const char *gpu,
         const struct golden_kind *kind, const char *what,
         CMUnitTestFunction function, const char *why_not)
{
   struct golden_case *c =
      add(directory, gpu, kind, what, why_not ? leave_out : function);
   const size_t length = strlen(c->name);

   if (why_not)
      snprintf(c->name + length, sizeof(c->name) - length, "%s%s",
               NAME_SKIPPED, why_not);
}

static const char *
why_no_packets(const char *gpu, enum pitot_kind kind)
{
   return pitot_hw_gpu_counter_bits(&sim_gpu(gpu)->facts, kind)
             ? why_not(gpu, kind, false)
             : "Pitot leaves it to the driver";
}

/*
 * All statistics at once are sampled and waited for once, each of them.
 */

static void
compare_statistics(const struct stream *driver, const struct stream *own)
{
   assert_true(driver->is_there);
   for (enum side side = 0; side < SIDE_COUNT; side++) {
      assert_in_range(stream_length_dw(own, side), 1,
                      stream_length_dw(driver, side) - 1);
      assert_in_range(stream_waits(own, side), 0, stream_waits(driver, side));
   }
}

static void
statistics_are_sampled_at_once(void **state)
{
   const struct golden_case *c = *state;
   struct stream driver, own;

   read_log(c, "log", GOLDEN_STATISTICS, &driver);
   stream_record_statistics(c->gpu, &own);
   compare_statistics(&driver, &own);
   for (enum side side = 0; side < SIDE_COUNT; side++)
      assert_in_range(stream_waits(&own, side), 0, 1);
}

static void
statistics_are_sampled_at_once_in_the_driver(void **state)
{
   const struct golden_case *c = *state;
   struct stream stock, own;

   read_log(c, "stock.log", GOLDEN_STATISTICS, &stock);
   read_log(c, "pitot.log", GOLDEN_STATISTICS, &own);
   compare_statistics(&stock, &own);
}

/*
 * Costs
 */

static void
print_cell(const struct stream *stream)
{
   unsigned length_dw = 0, waits = 0;

   for (enum side side = 0; side < SIDE_COUNT; side++) {
      length_dw += stream_length_dw(stream, side);
      waits += stream_waits(stream, side);
   }
   printf(" %u / %u |", length_dw, waits);
}

static void
print_costs_of(const struct golden_case *c, const char *name,
               const struct stream *own)
{
   struct stream driver, stock, pitot;

   read_log(c, "log", name, &driver);
   read_log(c, "stock.log", name, &stock);
   read_log(c, "pitot.log", name, &pitot);
   printf("| %s | %s |", c->gpu, name);
   print_cell(&driver);
   print_cell(own);
   print_cell(&stock);
   print_cell(&pitot);
   printf(" %u | %u |\n", stock.ioctl_count, pitot.ioctl_count);
}

static void
print_costs(const char *directory, const char *gpu)
{
   struct golden_case c;
   struct stream own;

   snprintf(c.directory, sizeof(c.directory), "%s", directory);
   snprintf(c.gpu, sizeof(c.gpu), "%s", gpu);
   for (unsigned i = 0; i < golden_kind_count; i++) {
      const enum pitot_kind kind = golden_kinds[i].kind;

      if (!pitot_hw_gpu_counter_bits(&sim_gpu(gpu)->facts, kind))
         continue;
      stream_record(gpu, &golden_kinds[i], &own);
      print_costs_of(&c, pitot_kind_info(kind)->name, &own);
   }
   stream_record_statistics(gpu, &own);
   print_costs_of(&c, GOLDEN_STATISTICS, &own);
}

static void
print_all_costs(const char *directory, int count, char **gpus)
{
   printf("| GPU | query | Debian's driver, dwords / waits | Pitot by itself "
          "| stock Mesa | Pitot in it | stock Mesa, ioctls | Pitot in it |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
   for (int g = 0; g < count; g++)
      print_costs(directory, gpus[g]);
}

static void
add_all(const char *directory, const char *gpu)
{
   const struct golden_kind *first = &golden_kinds[0];

   for (unsigned i = 0; i < golden_kind_count; i++) {
      const struct golden_kind *kind = &golden_kinds[i];

      consider(directory, gpu, kind, "packets",
               pitot_emits_what_the_driver_does,
               why_no_packets(gpu, kind->kind));
      if (!pitot_kind_info(kind->kind)->is_time)
         consider(directory, gpu, kind, "the driver's value",
                  driver_counts_what_was_simulated,
                  why_not(gpu, kind->kind, true));
      add(directory, gpu, kind, "packets in the driver",
          pitot_in_the_driver_emits_what_stock_does);
   }
   add(directory, gpu, first, "all statistics, instead",
       statistics_are_sampled_at_once);
   add(directory, gpu, first, "all statistics in the driver, instead",
       statistics_are_sampled_at_once_in_the_driver);
   add(directory, gpu, first, "ioctls and memory of all, instead",
       pitot_in_the_driver_asks_no_more);
}

int
main(int argc, char **argv)
{
   if (argc > 3 && strcmp(argv[1], "--costs") == 0) {
      print_all_costs(argv[2], argc - 3, &argv[3]);
      return 0;
   }
   if (argc < 3) {
      fprintf(stderr, "usage: %s DIRECTORY GPU...\n", argv[0]);
      return 2;
   }
   for (int g = 2; g < argc; g++)
      add_all(argv[1], argv[g]);
   return _cmocka_run_group_tests("golden packets", tests, test_count, NULL,
                                  NULL);
}
