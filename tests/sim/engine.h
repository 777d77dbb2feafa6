/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The engine that executes commands, and its registers, counters and writes:
 * for the decoders of commands, and for those who submit them.
 */

#ifndef PITOT_SIM_ENGINE_H
#define PITOT_SIM_ENGINE_H

#include "caches.h"
#include "draws.h"
#include "sim.h"

/* The bits of an address that GPUs decode: those above repeat them. */
#define SIM_ADDRESS_MASK ((UINT64_C(1) << 48) - 1)

/* Counters that are off while a driver draws for itself are a mask of 1 <<
 * enum sim_statistic and of these.
 */
#define SIM_OFF_STATISTICS ((1u << SIM_STATISTIC_COUNT) - 1)
#define SIM_OFF_SAMPLES    (1u << 30)
#define SIM_OFF_STREAMOUT  (1u << 31)

/* Intel: the state that copies of buffers depend on: see gen_copy.c. */
#define SIM_COPY_INPUTS 2

struct sim_copy_state {
   uint64_t surfaces; /* base addresses: of the states of surfaces, */
   uint64_t pool;     /* and of their tables, or 0 if it is the same */
   uint32_t table;    /* of the pixel shader */
   unsigned table_shift;
   unsigned surface_count; /* that it uses */
   bool has_vertex_shader;
   uint64_t inputs[SIM_COPY_INPUTS]; /* vertex buffers */
   uint32_t inputs_B[SIM_COPY_INPUTS];
};

/* Intel: a copy that is drawn, but not done yet; Adreno: one of the engine
 * for 2D.
 */
struct sim_late_copy {
   uint64_t to, from;
   uint64_t size_B; /* 0: there is none */
};

/* AMD: the shader of dispatches. */
#define SIM_USER_COUNT 16

struct sim_shader {
   uint64_t address;
   uint32_t resources; /* COMPUTE_PGM_RSRC2 */
   uint32_t user[SIM_USER_COUNT];
};

/* Besides counters. */
#define SIM_GPR_COUNT 16

struct sim_registers {
   struct sim_pipeline pipeline;
   struct sim_shader shader;

   /* Intel: */
   bool is_gpgpu;       /* by PIPELINE_SELECT */
   bool has_fence_page; /* by STATE_SYSTEM_MEM_FENCE_ADDRESS */
   uint32_t off;
   uint64_t gpr[SIM_GPR_COUNT];
   uint64_t predicate_sources[2];
   bool predicate;
   uint64_t indirect_draw[2]; /* first vertex, vertices; instances, first */
   uint64_t indirect_groups[2];
   struct sim_copy_state copy;
};

struct sim_counters {
   uint64_t statistics[SIM_STATISTIC_COUNT];
   uint64_t samples[SIM_MAX_BACKENDS];
   uint64_t streamout[SIM_STREAM_COUNT][SIM_STREAMOUT_COUNT];
};

struct sim_submission;

/* The order in which writes arrive that the pipeline does. */
enum sim_order {
   SIM_IN_ANY_ORDER,
   SIM_IN_ORDER,     /* not before any earlier one, but those of backends */
   SIM_FROM_BACKEND, /* whenever that render backend comes to it */
   SIM_IN_TURN,      /* Adreno: not before any earlier one of this kind */
   SIM_POSTED,       /* Adreno: by the command processor, which goes on */
};

struct sim_write {
   uint64_t address, value;
   unsigned size_B;
   void *memory; /* behind the address, when the packet was executed */
   enum sim_order order;
   unsigned backend;
   bool is_to_l2;       /* and stays there until that is written back */
   uint64_t batch;      /* of the engine */
   uint64_t work_count; /* of work before it */
   uint32_t actions;    /* on caches, which come first */
};

/* The outcome of a step of an engine. */
enum sim_progress {
   SIM_DONE,  /* something was done, and there may be more */
   SIM_WAITS, /* a packet waits, and nothing that it waits for is left */
   SIM_ENDED, /* all packets of the submission are executed */
};

/* The executor of commands.  Batches are executed one after the other; their
 * writes may be left when they have ended.
 */
struct sim_engine {
   struct sim *sim;
   const struct sim_submission *submission;
   uint64_t batch;                /* a number of the owner's */
   void *decoder;                 /* of gen.c, pm4.c or adreno.c */
   struct sim_counters *counters; /* that are read by registers */
   struct sim_registers *registers;
   struct sim_counters unretired; /* of unfinished work */
   bool is_busy;                  /* there is such work */
   struct sim_late_copy copy;     /* is a part of it */
   struct sim_write *deferred;    /* of the pipeline, the oldest one first */
   unsigned deferred_count;
   struct sim_write *deferred_room; /* what these are in, and its size */
   unsigned deferred_capacity;
   unsigned left_count; /* of render backends, the first of these */
   uint64_t work_count;
};

/* Returns the value in two dwords. */
static inline uint64_t
sim_pair(const uint32_t *dw)
{
   return dw[0] | (uint64_t)dw[1] << 32;
}

static inline uint64_t
sim_address(const uint32_t *dw)
{
   return sim_pair(dw) & SIM_ADDRESS_MASK;
}

void
sim_violate(struct sim_engine *engine, const char *packet, const char *rule);

/* Describes a packet: see on_packet. */
__attribute__((format(printf, 3, 4))) void
sim_note(struct sim_engine *engine, uint64_t address, const char *format,
         ...);

/* Shows a command of a ring, or the beginning of a batch: see on_command. */
static inline void
sim_show(const struct sim *sim, const uint32_t *dw, unsigned count_dw)
{
   if (sim->on_command != NULL)
      sim->on_command(sim->on_packet_data, dw, count_dw);
}

/* Returns memory at an address of the GPU, and how much there is; or NULL,
 * and a violation.
 */
void *
sim_memory(struct sim_engine *engine, uint64_t address, uint64_t *size_B_out);

/* Reads memory as the command streamer does.  Returns whether all of it is
 * mapped.
 */
bool
sim_read(struct sim_engine *engine, uint64_t address, void *data_out,
         size_t size_B);

/* Returns a value in memory, or 0, and a violation. */
uint64_t
sim_load(struct sim_engine *engine, uint64_t address, unsigned size_B);

/* Looks up the memory of a write in the buffers of the submission.  Returns
 * whether there is any; otherwise it is a violation.
 */
bool
sim_aim(struct sim_engine *engine, struct sim_write *write);

/* Does a write whose memory is known. */
void
sim_write(struct sim_engine *engine, const struct sim_write *write);

void
sim_write_now(struct sim_engine *engine, uint64_t address, uint64_t value,
              unsigned size_B);

/* writes.c: writes of the pipeline, when it has finished earlier work.
 * Without a schedule they are done when something waits for them; with one,
 * at any moment.
 */
void
sim_write_later(struct sim_engine *engine, uint64_t address, uint64_t value,
                unsigned size_B);

/* Does the same after all earlier writes, but for those of render backends,
 * and after actions on caches.
 */
void
sim_write_in_order(struct sim_engine *engine, uint64_t address,
                   uint64_t value, unsigned size_B, uint32_t actions);

/* Does the same for a render backend, which may be later than all others. */
void
sim_write_by_backend(struct sim_engine *engine, unsigned backend,
                     uint64_t address, uint64_t value);

/* Adreno: does the same in the order of these writes. */
void
sim_write_in_turn(struct sim_engine *engine, uint64_t address, uint64_t value,
                  unsigned size_B);

/* Adreno: does the same for the command processor, in any order, whatever
 * work is left.
 */
void
sim_write_posted(struct sim_engine *engine, uint64_t address, uint64_t value,
                 unsigned size_B);

/* Adreno: returns whether the command processor has writes on their way. */
bool
sim_has_posted(const struct sim_engine *engine);

/* Adreno: does those writes, but for those that a schedule does. */
void
sim_drain_posted(struct sim_engine *engine);

/* Returns the qword that will be at an address when all writes are done. */
uint64_t
sim_latest(struct sim_engine *engine, uint64_t address);

/* Does the writes that are left, but for those of late backends, and those
 * that a schedule does.
 */
void
sim_drain(struct sim_engine *engine);

/* Does all writes that are left, but for those that a schedule does. */
void
sim_drain_all(struct sim_engine *engine);

/* Does one of the writes that are left, at the schedule's choice.  Returns
 * whether there was one, or one that does not come last.
 */
bool
sim_write_one(struct sim_engine *engine, bool with_late_ones);

/* Returns the batch of the oldest write that is left, or UINT64_MAX. */
uint64_t
sim_oldest_write(const struct sim_engine *engine);

/* Intel, Adreno: does the copy that is left, if there is one. */
void
sim_copy_late(struct sim_engine *engine);

/* Does that, and adds the counts of work that is through. */
void
sim_retire(struct sim_engine *engine);

/* Retires and drains, so that all work is through. */
void
sim_finish(struct sim_engine *engine);

/* Returns the counts of all work so far, through or not. */
struct sim_counters
sim_counted(const struct sim_engine *engine);

void
sim_do_work(struct sim_engine *engine, const struct sim_work *work);

uint64_t
sim_tick(struct sim *sim, uint64_t ticks);

/* Returns the decoder of an engine, which is zeroed when it is new.  All
 * batches have the same one: to allocate it takes longer than many a batch.
 */
void *
sim_decoder(struct sim_engine *engine, size_t size_B);

/* Frees the memory of an engine, whatever is left to do. */
void
sim_free_engine(struct sim_engine *engine);

/* Begins to execute the engine's submission. */
void
sim_begin(struct sim_engine *engine);

/* Does the next thing that there is to do: a packet, or a write that the
 * schedule prefers.
 */
enum sim_progress
sim_step(struct sim_engine *engine);

/* Says that a packet waits for something that will never come, and executes
 * it all the same.
 */
void
sim_give_up(struct sim_engine *engine);

/* Executes a submission to its end, its writes included. */
void
sim_execute(struct sim_engine *engine);

/* Returns whether packets have to wait for writes of the pipeline that a
 * schedule will do.
 */
static inline bool
sim_has_writes(const struct sim_engine *engine)
{
   return engine->deferred_count != 0 &&
          sim_schedule_is_on(&engine->sim->schedule);
}

/* gen.c, pm4.c, adreno.c: decoders of commands, one packet at a time.  A
 * packet that has to wait does so unless it is forced.
 */
void
sim_begin_gen(struct sim_engine *engine);

enum sim_progress
sim_next_gen(struct sim_engine *engine, bool is_forced);

void
sim_begin_pm4(struct sim_engine *engine);

enum sim_progress
sim_next_pm4(struct sim_engine *engine, bool is_forced);

void
sim_begin_adreno(struct sim_engine *engine);

enum sim_progress
sim_next_adreno(struct sim_engine *engine, bool is_forced);

#endif /* PITOT_SIM_ENGINE_H */
