/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info --check finds each fault of a simulated GPU.
 */

#include <string.h>

#include "checks.h"
#include "sim_priv.h"

/* A fault of a GPU, and the check that finds it. */
struct fault {
   const char *name; /* of the test */
   const char *gpu;
   const char *check;
   struct sim_faults faults;
   bool packs_backends;
   unsigned timestamp_bits; /* of the GPU, rather than those that it has */
   unsigned seeds;          /* of schedules, one of which shows it; 0: none */
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
   FAULT("bdw", "fences", .faults.reorders_fences = true, .seeds = 8),
   FAULT("dg2", "fences", .faults.reorders_fences = true, .seeds = 8),
   FAULT("bonaire", "fences", .faults.reorders_fences = true, .seeds = 8),
   FAULT("navi31", "fences", .faults.reorders_fences = true, .seeds = 8),
   FAULT("skl", "clock frequency", .faults.told_ppm = 2000),
   FAULT("navi21", "clock frequency", .faults.told_ppm = -2000),
   FAULT("tgl", "clock order", .faults.read_back_ticks = 5000),
   FAULT("vega10", "clock order", .faults.read_back_ticks = 5000),
   FAULT("icl", "clock width", .timestamp_bits = 64),
   FAULT("bdw", "empty queries", .faults.drift = 1),
   FAULT("pitcairn", "empty queries", .faults.drift = 1),
   FAULT("icl", "arithmetic", .faults.loses_carry = true),
   FAULT("mtl", "predicates", .faults.ignores_predicate = true),
   FAULT("navi10", "predicates", .faults.ignores_predicate = true),
   { .name = "each_lost_write_is_found" },
};

/* Returns whether the check finds the fault under a schedule, or none. */
static bool
is_found(const struct fault *fault, uint64_t seed)
{
   struct sim *sim = checks_create(fault->gpu);
   json_t *device;

   sim_schedule_begin(&sim->schedule, seed);
   sim->is_running = seed != 0;
   sim->faults = fault->faults;
   sim->packs_backends |= fault->packs_backends;
   if (fault->timestamp_bits != 0) {
      sim->gpu.facts.timestamp_bits = fault->timestamp_bits;
      sim->now_ticks = UINT64_C(1) << (fault->timestamp_bits - 1);
   }
   const int status = checks_run(sim, &device);
   const json_t *check = checks_find(device, fault->check);
   const bool is_wrong = strcmp(checks_text(check, "verdict"), "wrong") == 0;

   assert_true(status == 1 || !is_wrong);
   json_decref(device);
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

/* The checks that look at each write: those before "empty queries". */
#define RAW_CHECK_COUNT 7

#define MAX_WRITES 16384

/* The writes of a GPU, by their numbers. */
static struct {
   struct sim *sim;
   uint64_t addresses[MAX_WRITES + 1];
   unsigned count;
   unsigned raw_count; /* of the first checks */
} writes;

/* Each check has contexts of its own: one, or one for each ring. */
static void
on_write(void *data, uint64_t address, uint64_t value)
{
   const struct sim *sim = data;
   const bool is_intel = sim->gpu.facts.vendor == PITOT_VENDOR_INTEL;

   (void)value;
   assert_true(writes.count < MAX_WRITES);
   writes.addresses[++writes.count] = address;
   if (sim->kernel->context_count <= RAW_CHECK_COUNT * (is_intel ? 2 : 1))
      writes.raw_count = writes.count;
}

static void
record_writes(const char *gpu)
{
   struct sim *sim = checks_create(gpu);

   writes.count = writes.raw_count = 0;
   sim->on_write = on_write;
   sim->on_write_data = sim;
   checks_expect_right(sim);
   sim_destroy(sim);
}

/* Nobody reads the third qword of the status page, which comes first in a
 * context, nor the scratch memory of AMD, which comes after the batches.
 */
static bool
is_for_nothing(const struct sim *sim, uint64_t address)
{
   const unsigned generation = sim->gpu.facts.generation;
   const bool is_amd = sim->gpu.facts.vendor == PITOT_VENDOR_AMD;
   const uint64_t scratch = UINT64_C(0x100041000);

   return is_amd ? generation >= 70 && generation < 100 &&
                      address >= scratch && address < scratch + 4096
                 : address == UINT64_C(0x100000010);
}

/* Every now and then: a prime number is in step with nothing. */
#define WRITE_STEP 41

static void
each_lost_write_is_found(void)
{
   static const char *const gpus[] = { "skl", "dg2", "polaris10", "vega10",
                                       "navi31" };

   for (unsigned i = 0; i < ARRAY_LENGTH(gpus); i++) {
      record_writes(gpus[i]);
      for (unsigned n = 1; n <= writes.raw_count; n += WRITE_STEP) {
         struct sim *sim = checks_create(gpus[i]);
         json_t *device;

         sim->faults.lost_write = n;
         const bool is_found = checks_run(sim, &device) != 0;
         if (is_found == is_for_nothing(sim, writes.addresses[n]))
            fail_msg("%s: write %u at 0x%llx", gpus[i], n,
                     (unsigned long long)writes.addresses[n]);
         json_decref(device);
         sim_destroy(sim);
      }
   }
}

static void
find_all(void **state)
{
   const struct fault *fault = *state;

   if (fault->gpu != NULL)
      find_fault(fault);
   else
      each_lost_write_is_found();
}

int
main(void)
{
   return RUN_ROWS("faults", faults, find_all);
}
