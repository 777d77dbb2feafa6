/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info --check finds each fault of a simulated GPU.
 */

#include <string.h>

#include "checks.h"

/* A fault of a GPU, and the check that finds it. */
struct fault {
   const char *name; /* of the test */
   const char *gpu;
   const char *check;
   struct sim_faults faults;
   bool packs_backends;
};

#define FAULT(GPU, CHECK, ...)                                               \
   {                                                                         \
      .name = "fault: " GPU ": " CHECK, .gpu = GPU, .check = CHECK,          \
      __VA_ARGS__                                                            \
   }

static const struct fault faults[] = {
   FAULT("dg2", "batches", .faults.lost_write = 3),
   FAULT("navi31", "batches", .faults.lost_status = 3),
   FAULT("polaris10", "samples", .faults.lost_backends = 0x10),
   FAULT("bonaire cut", "backends", .packs_backends = true),
   FAULT("skl", "clock frequency", .faults.told_ppm = 2000),
   FAULT("navi21", "clock frequency", .faults.told_ppm = -2000),
   FAULT("tgl", "clock order", .faults.read_back_ticks = 5000),
   FAULT("vega10", "clock order", .faults.read_back_ticks = 5000),
   FAULT("bdw", "empty queries", .faults.drift = 1),
   FAULT("pitcairn", "empty queries", .faults.drift = 1),
   FAULT("icl", "arithmetic", .faults.loses_carry = true),
   FAULT("mtl", "predicates", .faults.ignores_predicate = true),
   FAULT("navi10", "predicates", .faults.ignores_predicate = true),
};

static void
find_fault(void **state)
{
   const struct fault *fault = *state;
   struct sim *sim = checks_create(fault->gpu);
   json_t *device;

   sim->faults = fault->faults;
   sim->packs_backends |= fault->packs_backends;
   assert_int_equal(checks_run(sim, &device), 1);
   assert_string_equal(checks_text(checks_find(device, fault->check),
                                   "verdict"),
                       "wrong");
   json_decref(device);
   sim_destroy(sim);
}

int
main(void)
{
   return RUN_ROWS("faults", faults, find_fault);
}
