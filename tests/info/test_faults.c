/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info --check finds each fault of a simulated GPU.
 */

#include <string.h>

#include "check.h"
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
   void (*find)(void);      /* rather than all of these */
};

#define FAULT(GPU, CHECK, ...)                                               \
   {                                                                         \
      .name = "fault: " GPU ": " CHECK, .gpu = GPU, .check = CHECK,          \
      __VA_ARGS__                                                            \
   }

static void
each_lost_write_is_found(void);

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
   FAULT("skl", "clock frequency", .faults.told_ppm = 2000),
   FAULT("navi21", "clock frequency", .faults.told_ppm = -2000),
   FAULT("tgl", "clock order", .faults.read_back_ticks = 5000),
   FAULT("vega10", "clock order", .faults.read_back_ticks = 5000),
   FAULT("bxt", "clock order", .faults.ahead_ticks = 100000),
   FAULT("navi31", "clock order", .faults.ahead_ticks = 1000000),
   FAULT("icl", "clock width", .timestamp_bits = 64),
   FAULT("bdw", "empty queries", .faults.drift = 1),
   FAULT("pitcairn", "empty queries", .faults.drift = 1),
   FAULT("icl", "arithmetic", .faults.loses_carry = true),
   FAULT("tgl", "stores", .faults.loses_carry = true),
   FAULT("mtl", "predicates", .faults.ignores_predicate = true),
   FAULT("navi10", "predicates", .faults.ignores_predicate = true),
   FAULT("a750", "batches", .faults.lost_write = 2),
   FAULT("a630", "fences", .faults.reorders_fences = true, .seeds = 8),
   FAULT("a750", "fences", .faults.reorders_fences = true, .seeds = 8),
   FAULT("a630", "clock order", .faults.read_back_ticks = 5000),
   FAULT("a750", "clock order", .faults.ahead_ticks = 100000),
   FAULT("a630", "clock width", .timestamp_bits = 64),
   FAULT("a630", "empty queries", .faults.drift = 1),
   { .name = "each_lost_write_is_found", .find = each_lost_write_is_found },
   { .name = "a_write_beside_is_found", .find = a_write_beside_is_found },
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

#define MAX_WRITES 16384

/* The writes of a GPU, by their numbers, and the check that each is of. */
static struct write {
   uint64_t address;
   unsigned check;
} writes[MAX_WRITES + 1];

static unsigned write_count;

static unsigned
find_check(const char *name)
{
   unsigned i = 0;

   while (strcmp(checks[i].name, name) != 0)
      i++;
   return i;
}

/* Each check has contexts of its own: one, or one for each ring. */
static void
on_write(void *data, uint64_t address, uint64_t value)
{
   const struct sim *sim = data;
   const bool is_intel = sim->gpu.facts.family == &pitot_hw_intel;

   (void)value;
   assert_true(write_count < MAX_WRITES);
   writes[++write_count] = (struct write){
      .address = address,
      .check =
         ((unsigned)sim->kernel->context_count - 1) / (is_intel ? 2 : 1),
   };
}

static void
record_writes(const char *gpu)
{
   struct sim *sim = checks_create(gpu);

   write_count = 0;
   sim->on_write = on_write;
   sim->on_write_data = sim;
   checks_expect_right(sim);
   sim_destroy(sim);
}

#define FIRST_ADDRESS UINT64_C(0x100000000)
#define PAGE_B        4096

/* Memory of a context comes in this order: the status page, whose third qword
 * nobody reads; the batches; the scratch memory of GFX7 to GFX9, which nobody
 * reads either; and the buffer of the check.  Later memory is the sampler's:
 * a value that is 0 may be lost there, for it was 0 before.  A query needs no
 * status of its batch.
 */
static bool
is_looked_at(const struct sim *sim, const struct write *write)
{
   const unsigned generation = sim->gpu.facts.generation;
   const bool is_intel = sim->gpu.facts.family == &pitot_hw_intel;
   const bool has_scratch = !is_intel && generation >= 70 && generation < 100;
   const uint64_t batches = FIRST_ADDRESS + PAGE_B;
   const uint64_t buffer =
      batches + (is_intel ? 2 : 1) * 0x40000 + (has_scratch ? PAGE_B : 0);

   if (write->address < batches)
      return write->address < FIRST_ADDRESS + 2 * sizeof(uint64_t) &&
             write->check < find_check("empty queries");
   return write->address >= buffer && write->address < buffer + PAGE_B;
}

/* Every now and then: a prime number is in step with nothing. */
#define WRITE_STEP 397

/* Measurements overwrite their samples. */
static void
lose_writes(const char *gpu)
{
   const unsigned costs = find_check("costs");

   record_writes(gpu);
   for (unsigned n = 1; n <= write_count; n += WRITE_STEP) {
      struct sim *sim = checks_create(gpu);
      json_t *device;

      sim->faults.lost_write = n;
      const bool is_found = checks_run(sim, &device) != 0;
      if (!is_found && is_looked_at(sim, &writes[n]) &&
          writes[n].check != costs)
         fail_msg("%s: %s: write %u, at 0x%llx", gpu,
                  checks[writes[n].check].name, n,
                  (unsigned long long)writes[n].address);
      json_decref(device);
      sim_destroy(sim);
   }
}

static void
each_lost_write_is_found(void)
{
   static const char *const gpus[] = { "skl", "dg2", "polaris10", "vega10",
                                       "navi31" };

   for (unsigned i = 0; i < ARRAY_LENGTH(gpus); i++)
      lose_writes(gpus[i]);
}

#define BESIDE_B 2048

/* Writes the first sample a second time, beside it. */
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

/* The first write of an AMD GPU is that of a sample. */
static void
a_write_beside_is_found(void)
{
   struct sim *sim = checks_create("navi31");
   json_t *device;

   sim->on_write = write_beside;
   sim->on_write_data = sim;
   assert_int_equal(checks_run(sim, &device), 1);
   assert_string_equal(checks_text(checks_find(device, "samples"), "verdict"),
                       "wrong");
   json_decref(device);
   sim_destroy(sim);
}

static void
find_all(void **state)
{
   const struct fault *fault = *state;

   if (fault->find != NULL)
      fault->find();
   else
      find_fault(fault);
}

int
main(void)
{
   return RUN_ROWS("faults", faults, find_all);
}
