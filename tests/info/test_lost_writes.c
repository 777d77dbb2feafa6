/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* pitot-info --check finds each lost write of a simulated GPU. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "info.h"
#include "sim_priv.h"

#define MAX_WRITES 16384

/* By index of the write.  is_of_queries: of the last check. */
static struct write {
   uint64_t address;
   bool is_of_queries;
} writes[MAX_WRITES + 1];

static unsigned write_count;

static char *text;
static size_t text_size_B;

/* pitot-info prints the name of a check before it begins. */
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

/* A context's memory comes in this order: the status page, whose third qword
 * nothing reads; the batches; the check's buffer; then the sampler's, where a
 * lost 0 does not matter, since it was 0 before.  A query does not need its
 * batch's status.
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

/* Prime, so that the steps match no period of the writes. */
#define WRITE_STEP 97

static void
lost_writes_are_found(struct sim *first)
{
   const char *gpu = first->gpu.key;

   record_writes(gpu);
   for (unsigned n = 1; n <= write_count; n += WRITE_STEP) {
      struct sim *sim = checks_create(gpu);

      sim->faults.lost_write = n;
      const bool is_found = checks_run(sim) != 0;
      if (!is_found && is_looked_at(sim, &writes[n]))
         fail_msg("%s: write %u, at 0x%llx", gpu, n,
                  (unsigned long long)writes[n].address);
      sim_destroy(sim);
   }
}

#define ON(GPU)                                                              \
   {                                                                         \
      .name = "lost writes: " GPU, .gpu = GPU,                               \
      .with_sim = lost_writes_are_found                                      \
   }

static const struct rig_test tests[] = {
   ON("skl"), ON("dg2"), ON("polaris10"), ON("vega10"), ON("navi31"),
};

TEST_ROWS(NULL, NULL, const struct rig_test *test, rigs_are_run, tests)
{
   void *state = (void *)test;

   rig_run_test(&state);
}
