/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* pitot-info --check finds each fault of a simulated GPU. */

#include <string.h>

#include "checks.h"
#include "sim_priv.h"

/* The check must find the fault. */
struct fault {
   const char *name;
   const char *gpu;
   const char *check;
   struct sim_faults faults;
   bool packs_backends;
   unsigned timestamp_bits; /* in place of the GPU's own */
   unsigned seeds;          /* of schedules, one of which must show the fault;
                             * 0: no schedule
                             */
   void (*find)(void);      /* in place of all of the above */
};

#define FAULT(GPU, CHECK, ...)                                               \
   {                                                                         \
      .name = "fault: " GPU ": " CHECK, .gpu = GPU, .check = CHECK,          \
      __VA_ARGS__                                                            \
   }

static void
a_write_beside_is_found(void);

static const struct fault faults[] = {
   FAULT("dg2", "batches", .faults.lost_write = 3),
   FAULT("navi31", "batches", .faults.lost_status = 3),
   FAULT("polaris10", "samples", .faults.lost_backends = 0x10),
   FAULT("bonaire cut", "backends", .packs_backends = true),
   FAULT("bdw", "fences", .faults.reorders_fences = true, .seeds = 8),
   FAULT("dg2", "fences", .faults.reorders_fences = true, .seeds = 8),
   FAULT("bonaire", "fences", .faults.reorders_fences = true, .seeds = 8),
   FAULT("navi31", "fences", .faults.reorders_fences = true, .seeds = 8),
   FAULT("skl", "clock frequency", .faults.reported_ppm = 2000),
   FAULT("navi21", "clock frequency", .faults.reported_ppm = -2000),
   FAULT("tgl", "clock order", .faults.read_back_ticks = 5000),
   FAULT("vega10", "clock order", .faults.read_back_ticks = 5000),
   FAULT("bxt", "clock order", .faults.ahead_ticks = 100000),
   FAULT("navi31", "clock order", .faults.ahead_ticks = 1000000),
   FAULT("icl", "clock width", .timestamp_bits = 64),
   FAULT("bdw", "empty queries", .faults.drift = 1),
   FAULT("pitcairn", "empty queries", .faults.drift = 1),
   FAULT("lnl", "clock frequency", .faults.reported_ppm = 2000),
   FAULT("bmg", "clock order", .faults.read_back_ticks = 5000),
   FAULT("a630", "clock order", .faults.read_back_ticks = 5000),
   { .name = "a_write_beside_is_found", .find = a_write_beside_is_found },
};

/* Whether the check finds the fault under a schedule; seed 0: none. */
static bool
is_found(const struct fault *fault, uint64_t seed)
{
   struct sim *sim = checks_create(fault->gpu);

   sim_schedule_begin(&sim->schedule, seed);
   sim->is_running = seed != 0;
   sim->faults = fault->faults;
   sim->packs_backends |= fault->packs_backends;
   if (fault->timestamp_bits != 0) {
      sim->gpu.facts.timestamp_bits = fault->timestamp_bits;
      sim->now_ticks = UINT64_C(1) << (fault->timestamp_bits - 1);
   }
   const int status = checks_run(sim);
   const json_t *check = checks_find(fault->check);
   const bool is_wrong = strcmp(checks_text(check, "verdict"), "wrong") == 0;

   assert_true(status == 1 || !is_wrong);
   sim_destroy(sim);
   return is_wrong;
}

static void
find_fault(const struct fault *fault)
{
   unsigned found = fault->seeds == 0 && is_found(fault, 0);

   for (uint64_t seed = 1; seed <= fault->seeds; seed++)
      found += is_found(fault, seed);
   assert_true(found != 0);
}

#define BESIDE_B 2048

/* Repeats the first sample's write at another address. */
static void
write_beside(void *data, uint64_t address, uint64_t value)
{
   struct sim *sim = data;
   uint64_t size_B;
   uint64_t *memory = sim_space_find(&sim->kernel->engine.submission->space,
                                     address + BESIDE_B, &size_B);

   assert_non_null(memory);
   *memory = value;
   sim->on_write = NULL;
}

/* An AMD GPU's first write is a sample. */
static void
a_write_beside_is_found(void)
{
   struct sim *sim = checks_create("navi31");

   sim->on_write = write_beside;
   sim->on_write_data = sim;
   assert_int_equal(checks_run(sim), 1);
   assert_string_equal(checks_text(checks_find("samples"), "verdict"),
                       "wrong");
   sim_destroy(sim);
}

TEST_ROWS(NULL, NULL, const struct fault *fault, faults_are_found, faults)
{
   if (fault->find != NULL)
      fault->find();
   else
      find_fault(fault);
}
