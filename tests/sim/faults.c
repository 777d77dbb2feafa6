/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "faults.h"

/* Reads that are right before one that is not. */
#define READS_BEFORE 36

#define PARTS_PER_1E6 1000000

bool
sim_fault_arrives(struct sim *sim)
{
   return ++sim->faults.write_count != sim->faults.lost_write;
}

void
sim_fault_drift(struct sim *sim, struct sim_counters *counters)
{
   uint64_t *counter = (uint64_t *)counters;

   if (sim->faults.drift == 0)
      return;
   for (size_t i = 0; i < sizeof(*counters) / sizeof(*counter); i++)
      counter[i] += sim->faults.drift;
}

uint64_t
sim_fault_add(const struct sim *sim, uint64_t a, uint64_t b)
{
   const uint64_t high = UINT64_C(0xffffffff) << 32;

   return sim->faults.loses_carry
             ? ((a & high) + (b & high)) | ((a + b) & ~high)
             : a + b;
}

uint64_t
sim_fault_hz(const struct sim *sim)
{
   const int64_t hz = (int64_t)sim->gpu.facts.timestamp_hz;

   return (uint64_t)(hz + hz / PARTS_PER_1E6 * sim->faults.reported_ppm);
}

uint64_t
sim_read_clock(struct sim *sim)
{
   struct sim_faults *faults = &sim->faults;
   uint64_t ticks = sim_tick(sim, sim->ticks_per_read);

   sim->untimely_count++;
   if (++faults->read_count % READS_BEFORE == 0)
      ticks -= faults->read_back_ticks;
   return ticks + faults->ahead_ticks;
}
