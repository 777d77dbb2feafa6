/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Writes to memory, and the pipeline's writes in flight. */

#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "sim_priv.h"

/* AMD: begin and end of one render backend. */
#define RECORD_B 16

/* The limit without a schedule, which has its own: thousands of samples
 * without a wait must not take forever.
 */
#define MAX_ON_THEIR_WAY 256

/* Finds a write's memory in the submission.  Returns false on a violation. */
static bool
aim(struct sim_engine *engine, struct sim_write *write)
{
   uint64_t left_B;

   write->memory = sim_memory(engine, write->address, &left_B);
   if (write->memory == NULL)
      return false;
   if (write->address % write->size_B != 0) {
      sim_violate(engine, "memory", "written at an odd address");
      return false;
   }
   if (left_B < write->size_B)
      sim_violate(engine, "memory", "written beyond the end of a buffer");
   write->is_to_l2 = write->order == SIM_FROM_BACKEND &&
                     sim_backend_cache(engine, write->address) == SIM_L2;
   return left_B >= write->size_B;
}

/* The CPU may read concurrently. */
static void
store(const struct sim_write *write)
{
   if (write->size_B == sizeof(uint64_t))
      __atomic_store_n((uint64_t *)write->memory, write->value,
                       __ATOMIC_RELEASE);
   else
      __atomic_store_n((uint32_t *)write->memory, (uint32_t)write->value,
                       __ATOMIC_RELEASE);
}

/* The memory was found before. */
static void
write_aimed(struct sim_engine *engine, const struct sim_write *write)
{
   struct sim *sim = engine->sim;

   if (!sim_fault_arrives(sim))
      return;
   if (write->is_to_l2) {
      sim_write_l2(engine, write->memory, write->address, &write->value,
                   write->size_B);
   } else {
      store(write);
      sim_update_l2(engine, write->memory, write->address, &write->value,
                    write->size_B);
   }
   if (sim->on_write != NULL)
      sim->on_write(sim->on_write_data, write->address, write->value);
}

void
sim_write_now(struct sim_engine *engine, uint64_t address, uint64_t value,
              unsigned size_B)
{
   struct sim_write write = {
      .address = address,
      .value = value,
      .size_B = size_B,
   };

   if (aim(engine, &write))
      write_aimed(engine, &write);
}

static bool
overlaps(const struct sim_write *a, const struct sim_write *b)
{
   return a->address < b->address + b->size_B &&
          b->address < a->address + a->size_B;
}

static bool
is_late(const struct sim_engine *engine, const struct sim_write *write)
{
   return write->order == SIM_FROM_BACKEND &&
          (engine->sim->schedule.late_backends >> write->backend & 1) != 0;
}

/* Whether a backend writes to a record twice, its begin before its end:
 * RADV's waits rely on it, on GPUs where they are right.
 */
static bool
are_of_a_record(const struct sim_write *a, const struct sim_write *b)
{
   return a->order == SIM_FROM_BACKEND && b->order == SIM_FROM_BACKEND &&
          a->backend == b->backend &&
          a->address / RECORD_B == b->address / RECORD_B;
}

/* Whether a write may arrive before earlier ones. */
static bool
may_arrive(const struct sim_engine *engine, unsigned i)
{
   const struct sim_write *write = &engine->deferred[i];
   const bool is_in_order =
      write->order == SIM_IN_ORDER && !engine->sim->faults.reorders_fences;

   for (unsigned k = 0; k < i; k++) {
      const struct sim_write *earlier = &engine->deferred[k];

      if (overlaps(write, earlier) || are_of_a_record(write, earlier) ||
          (write->order == SIM_IN_TURN && earlier->order == SIM_IN_TURN) ||
          (is_in_order && earlier->order != SIM_FROM_BACKEND))
         return false;
   }
   return true;
}

/* Its arrival ends earlier work, as Intel's compute ring relies on. */
static void
arrive(struct sim_engine *engine, const struct sim_write *write)
{
   if (write->work_count == engine->work_count && write->order != SIM_POSTED)
      sim_retire(engine);
   sim_caches_act(&engine->sim->kernel->caches, write->actions);
   write_aimed(engine, write);
}

static void
take(struct sim_engine *engine, unsigned i)
{
   const struct sim_write write = engine->deferred[i];

   if (i < engine->left_count)
      engine->left_count--;
   engine->deferred_count--;
   if (i == 0)
      engine->deferred++;
   else
      memmove(&engine->deferred[i], &engine->deferred[i + 1],
              (engine->deferred_count - i) * sizeof(write));
   arrive(engine, &write);
}

bool
sim_write_one(struct sim_engine *engine, bool with_late_ones)
{
   const unsigned count = engine->deferred_count;
   const unsigned first =
      count != 0 ? sim_choose(&engine->sim->schedule, count) : 0;

   for (unsigned n = 0; n < count; n++) {
      const unsigned i = (first + n) % count;

      if (!may_arrive(engine, i) ||
          (!with_late_ones && is_late(engine, &engine->deferred[i])))
         continue;
      take(engine, i);
      return true;
   }
   return false;
}

/* Moves the writes to the front if half of the array is free there. */
static void
make_room(struct sim_engine *engine)
{
   const size_t first = engine->deferred - engine->deferred_room;
   const size_t write_B = sizeof(engine->deferred[0]);

   if (first + engine->deferred_count < engine->deferred_capacity)
      return;
   if (first > engine->deferred_capacity / 2) {
      memcpy(engine->deferred_room, engine->deferred,
             engine->deferred_count * write_B);
      engine->deferred = engine->deferred_room;
      return;
   }
   engine->deferred_capacity = 2 * engine->deferred_capacity + 64;
   engine->deferred_room =
      realloc(engine->deferred_room, engine->deferred_capacity * write_B);
   engine->deferred = engine->deferred_room + first;
}

/* The submission may be over when the write arrives. */
static void
defer(struct sim_engine *engine, struct sim_write *write)
{
   if (!aim(engine, write))
      return;
   if (engine->deferred_count >= MAX_ON_THEIR_WAY &&
       !engine->sim->delays_backends &&
       !sim_schedule_is_on(&engine->sim->schedule))
      take(engine, 0);
   make_room(engine);
   write->batch = engine->batch;
   write->work_count = engine->work_count;
   engine->deferred[engine->deferred_count++] = *write;
}

void
sim_write_later(struct sim_engine *engine, enum sim_order order,
                uint64_t address, uint64_t value, unsigned size_B)
{
   defer(engine, &(struct sim_write){
                    .address = address,
                    .value = value,
                    .size_B = size_B,
                    .order = order,
                 });
}

void
sim_write_at_end(struct sim_engine *engine, uint64_t address, uint64_t value,
                 unsigned size_B, uint32_t actions)
{
   defer(engine, &(struct sim_write){
                    .address = address,
                    .value = value,
                    .size_B = size_B,
                    .order = SIM_IN_ORDER,
                    .actions = actions,
                 });
}

void
sim_write_by_backend(struct sim_engine *engine, unsigned backend,
                     uint64_t address, uint64_t value)
{
   defer(engine, &(struct sim_write){
                    .address = address,
                    .value = value,
                    .size_B = sizeof(value),
                    .order = SIM_FROM_BACKEND,
                    .backend = backend,
                 });
}

bool
sim_has_posted(const struct sim_engine *engine)
{
   for (unsigned i = 0; i < engine->deferred_count; i++) {
      if (engine->deferred[i].order == SIM_POSTED)
         return true;
   }
   return false;
}

/* A pending write to the same bytes comes first. */
void
sim_drain_posted(struct sim_engine *engine)
{
   if (sim_schedule_is_on(&engine->sim->schedule))
      return;
   for (unsigned i = 0; i < engine->deferred_count;) {
      if (engine->deferred[i].order == SIM_POSTED && may_arrive(engine, i))
         take(engine, i);
      else
         i++;
   }
}

uint64_t
sim_latest(struct sim_engine *engine, uint64_t address)
{
   uint64_t value = sim_load(engine, address, sizeof(value));

   for (unsigned i = 0; i < engine->deferred_count; i++) {
      if (engine->deferred[i].address == address &&
          engine->deferred[i].size_B == sizeof(value))
         value = engine->deferred[i].value;
   }
   return value;
}

/* Leaves writes that were in the list before. */
static void
drain(struct sim_engine *engine, bool leaves_backends)
{
   unsigned left = leaves_backends ? engine->left_count : 0;

   if (sim_schedule_is_on(&engine->sim->schedule))
      return;
   for (unsigned i = left; i < engine->deferred_count; i++) {
      const struct sim_write *write = &engine->deferred[i];

      if (leaves_backends && write->order == SIM_FROM_BACKEND)
         engine->deferred[left++] = *write;
      else
         arrive(engine, write);
   }
   engine->deferred_count = engine->left_count = left;
}

void
sim_drain(struct sim_engine *engine)
{
   drain(engine, engine->sim->delays_backends);
}

void
sim_drain_all(struct sim_engine *engine)
{
   drain(engine, false);
}

uint64_t
sim_oldest_write(const struct sim_engine *engine)
{
   uint64_t oldest = UINT64_MAX;

   for (unsigned i = 0; i < engine->deferred_count; i++) {
      if (engine->deferred[i].batch < oldest)
         oldest = engine->deferred[i].batch;
   }
   return oldest;
}
