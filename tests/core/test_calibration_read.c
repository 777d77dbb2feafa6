/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "test.h"
#include "pitot/clock.h"

/* A machine that takes listed times to read its clocks. */
struct machine {
   const uint64_t *takes_ns; /* 0: the end, which goes on for ever */
   uint64_t now_ns;
   unsigned reads;
   bool is_broken;
};

static uint64_t
machine_cpu_ns(void *data)
{
   return ((struct machine *)data)->now_ns;
}

static uint64_t
machine_gpu_ns(void *data)
{
   struct machine *machine = data;

   machine->reads++;
   machine->now_ns += *machine->takes_ns;
   if (machine->takes_ns[1] != 0)
      machine->takes_ns++;
   return machine->is_broken ? 0 : machine->now_ns;
}

static struct pitot_clock_source
source_of(struct machine *machine)
{
   return (struct pitot_clock_source){ machine_cpu_ns, machine_gpu_ns,
                                       machine };
}

/* The shortest of several readings counts, or the first that will do. */
static void
best_reading_counts(void **unused)
{
   static const uint64_t takes_ns[] = {
      900, 400, 300, 500, 200, 200, 700, 0
   };
   static const struct {
      uint64_t enough_ns;
      unsigned reads;
      uint64_t best_ns, best_at_ns;
   } cases[] = {
      { 900, 1, 900, 1900 }, { 899, 2, 400, 2300 },  { 300, 3, 300, 2600 },
      { 299, 5, 200, 3300 }, { 199, 16, 200, 3300 },
   };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct machine machine = { .takes_ns = takes_ns, .now_ns = 1000 };
      const struct pitot_clock_source source = source_of(&machine);
      struct pitot_correlation best;

      assert_true(pitot_correlate(&source, cases[i].enough_ns, &best));
      assert_int_equal(machine.reads, cases[i].reads);
      assert_int_equal(best.after_ns - best.before_ns, cases[i].best_ns);
      assert_int_equal(best.gpu_ns, cases[i].best_at_ns);
      assert_int_equal(best.after_ns, cases[i].best_at_ns);
   }
}

/* A clock that cannot be read is asked once, and changes nothing. */
static void
broken_clock_is_not_read(void **unused)
{
   static const uint64_t takes_ns[] = { 100, 0 };
   struct machine machine = { takes_ns, 1000, 0, true };
   const struct pitot_clock_source source = source_of(&machine);
   struct pitot_calibration c;

   (void)unused;
   pitot_calibration_init(&c, 1);
   assert_int_equal(pitot_calibration_read(&c, &source),
                    PITOT_CALIBRATION_UNREAD);
   assert_int_equal(machine.reads, 1);
   assert_int_equal(c.reading_count, 0);
   machine.is_broken = false;
   assert_int_equal(pitot_calibration_read(&c, &source),
                    PITOT_CALIBRATION_BEGUN);
}

/* The first reading is made with care; later ones are good enough if they
 * take half as long again as usual, or a tick.  The usual time follows.
 */
static void
usual_readings_are_enough(void **unused)
{
   static const struct {
      uint64_t tick_ns;
      uint64_t takes_ns[3];
      unsigned reads;
      uint64_t usual_ns;
   } cases[] = {
      { 1, { 150, 0 }, 1, 103 },     { 1, { 151, 150, 0 }, 2, 103 },
      { 1, { 90, 0 }, 1, 90 },       { 1, { 200, 0 }, 16, 106 },
      { 1000, { 1000, 0 }, 1, 156 },
   };
   static const uint64_t first_ns[] = { 500, 300, 100, 0 };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct machine machine = { .takes_ns = first_ns, .now_ns = 1000 };
      const struct pitot_clock_source source = source_of(&machine);
      struct pitot_calibration c;

      pitot_calibration_init(&c, 1);
      pitot_calibration_read(&c, &source);
      assert_int_equal(machine.reads, 16);
      c.tick_ns = cases[i].tick_ns;
      machine.reads = 0;
      machine.takes_ns = cases[i].takes_ns;
      pitot_calibration_read(&c, &source);
      assert_int_equal(machine.reads, cases[i].reads);
      assert_int_equal(c.usual_ns, cases[i].usual_ns);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(best_reading_counts),
      cmocka_unit_test(broken_clock_is_not_read),
      cmocka_unit_test(usual_readings_are_enough),
   };

   return cmocka_run_group_tests_name("calibration", tests, NULL, NULL);
}
