/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What all GPUs have: a clock, counters, and writes of the pipeline, which
 * arrive later than the command streamer's.
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "faults.h"
#include "sim_priv.h"

#define NS_PER_S UINT64_C(1000000000)

/* Under a schedule, no more writes than this are in flight. */
#define MAX_WRITES 96

void
sim_violate(struct sim_engine *engine, const char *packet, const char *rule)
{
   struct sim *sim = engine->sim;
   const size_t used = strlen(sim->violations);
   const size_t room = sizeof(sim->violations) - used;
   const int length =
      snprintf(sim->violations + used, room, "%s: %s\n", packet, rule);

   if (sim->on_violation != NULL && length < (int)room)
      sim->on_violation(packet, rule);
   sim->violation_count++;
}

void
sim_note(struct sim_engine *engine, uint64_t address, const char *format, ...)
{
   struct sim *sim = engine->sim;
   char text[80];
   va_list arguments;

   sim->note_count++;
   if (sim->on_packet == NULL)
      return;
   va_start(arguments, format);
   vsnprintf(text, sizeof(text), format, arguments);
   va_end(arguments);
   sim->on_packet(sim->on_packet_data, text, address);
}

static uint64_t
cpu_time_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Returns the ticks since the last update. */
static uint64_t
follow(struct sim *sim)
{
   const uint64_t frequency_hz = sim->gpu.facts.timestamp_hz;
   const uint64_t now_ns = cpu_time_ns();
   const uint64_t passed_ns =
      sim->followed_ns != 0 ? now_ns - sim->followed_ns : 0;
   const uint64_t scaled =
      passed_ns % NS_PER_S * frequency_hz + sim->followed_rest;

   sim->followed_ns = now_ns;
   sim->followed_rest = scaled % NS_PER_S;
   return passed_ns / NS_PER_S * frequency_hz + scaled / NS_PER_S;
}

/* Shared: a program may have simulated GPUs of all kinds. */
static _Atomic uint64_t the_cpu_ns = 1000 * NS_PER_S;

uint64_t
sim_cpu_ns(void)
{
   return atomic_load(&the_cpu_ns);
}

void
sim_pass(uint64_t ns)
{
   atomic_fetch_add(&the_cpu_ns, ns);
}

void
sim_pass_ticks(struct sim *sim, uint64_t ticks)
{
   const uint64_t hz = sim->gpu.facts.timestamp_hz;
   const uint64_t scaled = ticks % hz * NS_PER_S + sim->passed_rest;

   if (!sim->is_timed)
      return;
   sim->passed_rest = scaled % hz;
   sim_pass(ticks / hz * NS_PER_S + scaled / hz);
}

uint64_t
sim_tick(struct sim *sim, uint64_t ticks)
{
   const unsigned bits = sim->gpu.facts.timestamp_bits;

   if (sim->is_live) {
      uint64_t passed_ticks = follow(sim);

      while (passed_ticks < ticks)
         passed_ticks += follow(sim);
      ticks = passed_ticks;
   }
   sim->now_ticks += ticks;
   sim_pass_ticks(sim, ticks);
   return bits == 64 ? sim->now_ticks
                     : sim->now_ticks & ((UINT64_C(1) << bits) - 1);
}

static void
violate_memory(struct sim_engine *engine, uint64_t address)
{
   const struct sim_space *mapped = &engine->sim->kernel->space;
   uint64_t size_B;
   char rule[80];

   snprintf(rule, sizeof(rule), "0x%012" PRIx64 " is in %s", address,
            sim_space_find(mapped, address, &size_B) != NULL
               ? "a buffer that the submission does not list"
               : "no buffer");
   sim_violate(engine, "memory", rule);
}

void *
sim_memory(struct sim_engine *engine, uint64_t address, uint64_t *size_B_out)
{
   void *memory =
      sim_space_find(&engine->submission->space, address, size_B_out);

   if (memory == NULL)
      violate_memory(engine, address);
   return memory;
}

bool
sim_read(struct sim_engine *engine, uint64_t address, void *data_out,
         size_t size_B)
{
   return sim_read_by(engine, sim_streamer_cache(engine), address, data_out,
                      size_B);
}

uint64_t
sim_load(struct sim_engine *engine, uint64_t address, unsigned size_B)
{
   uint64_t value = 0;

   sim_read(engine, address, &value, size_B);
   return value;
}

bool
sim_compare(unsigned function, int64_t value, int64_t reference)
{
   switch (function) {
   case 1:
      return value < reference;
   case 2:
      return value <= reference;
   case 3:
      return value == reference;
   case 4:
      return value != reference;
   case 5:
      return value >= reference;
   case 6:
      return value > reference;
   default:
      return true;
   }
}

static void
add(struct sim_counters *sum, const struct sim_counters *more)
{
   uint64_t *to = (uint64_t *)sum;
   const uint64_t *from = (const uint64_t *)more;

   for (unsigned i = 0; i < sizeof(*sum) / sizeof(*to); i++)
      to[i] += from[i];
}

void
sim_copy_late(struct sim_engine *engine)
{
   const struct sim_late_copy copy = engine->copy;
   const bool has_caches = !engine->sim->gpu.is_adreno;

   engine->copy.size_B = 0;
   sim_copy(engine, has_caches ? SIM_COLORS : SIM_NO_CACHE, copy.to,
            has_caches ? SIM_TEXTURES : SIM_NO_CACHE, copy.from, copy.size_B);
}

void
sim_retire(struct sim_engine *engine)
{
   sim_copy_late(engine);
   if (!engine->is_busy)
      return;
   add(engine->counters, &engine->unretired);
   engine->unretired = (struct sim_counters){ 0 };
   engine->is_busy = false;
}

void
sim_finish(struct sim_engine *engine)
{
   sim_retire(engine);
   sim_drain(engine);
}

struct sim_counters
sim_counted(const struct sim_engine *engine)
{
   struct sim_counters counted = *engine->counters;

   if (engine->is_busy)
      add(&counted, &engine->unretired);
   return counted;
}

/* Spreads samples over the enabled backends; Intel has one. */
static void
spread(const struct sim *sim, uint64_t samples, uint64_t *backends)
{
   const struct sim_gpu *gpu = &sim->gpu;
   const uint64_t mask = gpu->is_amd && gpu->amd.rb_mask != 0
                            ? gpu->amd.rb_mask & ~sim->absent_backends
                            : 1;
   uint64_t left = (uint64_t)__builtin_popcountll(mask);

   for (unsigned i = 0; i < SIM_MAX_BACKENDS; i++) {
      if ((mask >> i & 1) == 0)
         continue;
      backends[i] += samples / left;
      samples -= samples / left;
      left--;
   }
}

/* Returns a mask of disabled counters. */
static uint32_t
counters_off(const struct sim_engine *engine)
{
   const struct sim_kernel *kernel = engine->sim->kernel;
   uint32_t off = 0;

   if (engine->sim->gpu.is_adreno)
      return kernel->counters_off;
   if (engine->sim->gpu.is_intel)
      return engine->registers->off;
   if (!kernel->counts_statistics)
      off |= ~SIM_OFF_SAMPLES;
   if (!kernel->counts_samples)
      off |= SIM_OFF_SAMPLES;
   return off;
}

void
sim_do_work(struct sim_engine *engine, const struct sim_work *work)
{
   const struct sim_gpu *gpu = &engine->sim->gpu;
   const uint32_t off = counters_off(engine);
   struct sim_counters counted = { 0 };

   for (unsigned i = 0; i < SIM_STATISTIC_COUNT; i++) {
      if ((off >> i & 1) == 0)
         counted.statistics[i] = work->statistics[i];
   }
   if (gpu->ps_multiple > 1)
      counted.statistics[SIM_PS_INVOCATIONS] *= gpu->ps_multiple;
   if ((off & SIM_OFF_STREAMOUT) == 0)
      memcpy(counted.streamout, work->streamout, sizeof(counted.streamout));
   if ((off & SIM_OFF_SAMPLES) == 0)
      spread(engine->sim, work->samples, counted.samples);

   add(&engine->unretired, &counted);
   engine->is_busy = true;
   engine->work_count++;
   engine->sim->is_cued = false;
   sim_note(engine, 0, "work");
   sim_tick(engine->sim, work->ticks);
}

void
sim_free_engine(struct sim_engine *engine)
{
   free(engine->deferred_room);
   free(engine->decoder);
}

/* All batches share the decoder's state, because an allocation takes longer
 * than many a batch.
 */
void
sim_begin(struct sim_engine *engine)
{
   const struct sim_decoder_ops *ops =
      engine->sim->gpu.is_adreno  ? &sim_adreno_ops
      : engine->sim->gpu.is_intel ? &sim_gen_ops
                                  : &sim_pm4_ops;
   /* Tests fail malloc(), which a compiler may use for realloc(NULL). */
   void *volatile nothing = NULL;

   if (engine->decoder == NULL) {
      engine->decoder = realloc(nothing, ops->state_B);
      memset(engine->decoder, 0, ops->state_B);
   }
   engine->reader = (struct sim_reader){ .ops = ops };
   engine->copy.size_B = 0; /* from an abandoned batch */
   ops->begin(engine);
}

/* AMD's kernel driver does not wait for writes at the end of a batch, where
 * other drivers flush: they may outlast the next batch, too.
 */
enum sim_progress
sim_step(struct sim_engine *engine)
{
   struct sim_schedule *schedule = &engine->sim->schedule;

   if (engine->copy.size_B != 0 &&
       sim_choose_percent(schedule, schedule->write_percent))
      sim_copy_late(engine);
   sim_caches_step(engine->sim);
   if (sim_has_writes(engine) &&
       (engine->deferred_count >= MAX_WRITES ||
        sim_choose_percent(schedule, schedule->write_percent)) &&
       sim_write_one(engine, engine->deferred_count >= MAX_WRITES))
      return SIM_DONE;

   sim_fault_drift(engine->sim, engine->counters);
   const enum sim_progress progress = engine->reader.ops->next(engine, false);
   const bool is_over = progress == SIM_ENDED &&
                        (engine->sim->gpu.is_amd || !sim_has_writes(engine));
   if (is_over) {
      sim_finish(engine);
      sim_drain_all(engine);
      if (engine->sim->gpu.is_intel)
         sim_caches_end_batch(engine->sim);
   }
   if (is_over || progress == SIM_DONE)
      return progress;
   return sim_write_one(engine, false) || sim_write_one(engine, true)
             ? SIM_DONE
             : progress;
}

void
sim_force_packet(struct sim_engine *engine)
{
   engine->reader.ops->next(engine, true);
}

void
sim_execute(struct sim_engine *engine)
{
   enum sim_progress progress = SIM_DONE;

   sim_begin(engine);
   while (progress != SIM_ENDED) {
      progress = sim_step(engine);
      if (progress == SIM_WAITS)
         sim_force_packet(engine);
   }
   while (sim_write_one(engine, false) || sim_write_one(engine, true))
      ;
}
