/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info --check finds each write of a simulated GPU that is lost.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "info.h"
#include "sim_priv.h"

#define MAX_WRITES 16384

/* The writes of a GPU, by their numbers: where they go, and whether they are
 * of the last check.
 */
static struct write {
   uint64_t address;
   bool is_of_queries;
} writes[MAX_WRITES + 1];

static unsigned write_count;

/* The output of pitot-info so far. */
static char *text;
static size_t text_size_B;

/* The name of a check is printed before it begins. */
static void
on_write(void *data, uint64_t address, uint64_t value)
{
   (void)data;
   (void)value;
   assert_true(write_count < MAX_WRITES);
   writes[++write_count] = (struct write){
      .address = address,
      .is_of_queries = strstr(text, "empty queries") != NULL,
   };
}

static void
record_writes(const char *gpu)
{
   char *argv[] = { "pitot-info", "--check", NULL };
   struct sim *sim = checks_create(gpu);
   FILE *out = open_memstream(&text, &text_size_B);

   write_count = 0;
   sim->on_write = on_write;
   sim->on_write_data = sim;
   assert_int_equal(info_main(&sim->io, 2, argv, out, stderr), 0);
   assert_true(writes[write_count].is_of_queries);
   fclose(out);
   free(text);
   sim_destroy(sim);
}

#define FIRST_ADDRESS UINT64_C(0x100000000)
#define PAGE_B        4096

/* Memory of the context comes in this order: the status page, whose third
 * qword nobody reads; the batches; and the buffer of the check.  Later memory is the
 * sampler's: a value that is 0 may be lost there, for it was 0 before.  A
 * query needs no status of its batch.
 */
static bool
is_looked_at(const struct sim *sim, const struct write *write)
{
   const bool is_intel = sim->gpu.facts.family == &pitot_hw_intel;
   const uint64_t batches = FIRST_ADDRESS + PAGE_B;
   const uint64_t buffer = batches + (is_intel ? 2 : 1) * 0x40000;

   if (write->address < batches)
      return write->address < FIRST_ADDRESS + 2 * sizeof(uint64_t) &&
             !write->is_of_queries;
   return write->address >= buffer && write->address < buffer + PAGE_B;
}

/* Every now and then: a prime number is in step with nothing. */
#define WRITE_STEP 97

static void
lost_writes_are_found(struct sim *first)
{
   const char *gpu = first->gpu.key;

   record_writes(gpu);
   for (unsigned n = 1; n <= write_count; n += WRITE_STEP) {
      struct sim *sim = checks_create(gpu);
      json_t *device;

      sim->faults.lost_write = n;
      const bool is_found = checks_run(sim, &device) != 0;
      if (!is_found && is_looked_at(sim, &writes[n]))
         fail_msg("%s: write %u, at 0x%llx", gpu, n,
                  (unsigned long long)writes[n].address);
      json_decref(device);
      sim_destroy(sim);
   }
}

#define ON(GPU)                                                              \
   {                                                                         \
      .name = "lost writes: " GPU, .gpu = GPU,                               \
      .with_sim = lost_writes_are_found                                      \
   }

int
main(void)
{
   static const struct rig_test tests[] = {
      ON("skl"), ON("dg2"), ON("polaris10"), ON("vega10"), ON("navi31"),
   };

   return RUN_ROWS("lost_writes", tests, rig_run_test);
}
