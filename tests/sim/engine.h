/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Executes commands: registers, counters and writes, for the decoders of
 * commands and for those that submit them.
 */

#ifndef PITOT_SIM_ENGINE_H
#define PITOT_SIM_ENGINE_H

#include "caches.h"
#include "commands.h"
#include "draws.h"
#include "sim.h"

/* Address bits that GPUs decode: the upper ones repeat them. */
#define SIM_ADDRESS_MASK ((UINT64_C(1) << 48) - 1)

/* Generations of Intel and AMD, times ten. */
#define GEN9    90
#define GEN10   100
#define GEN11   110
#define GEN12   120
#define GEN12_5 125
#define GEN20   200
#define GFX7    70
#define GFX8    80
#define GFX9    90
#define GFX10   100
#define GFX11   110
#define GFX12   120

/* Counters that are off during a driver's internal draws: a mask of 1 << enum
 * sim_statistic and of these.
 */
#define SIM_OFF_STATISTICS ((1u << SIM_STATISTIC_COUNT) - 1)
#define SIM_OFF_SAMPLES    (1u << 30)
#define SIM_OFF_STREAMOUT  (1u << 31)

/* Intel: state of buffer copies, see gen_copy.c. */
#define SIM_COPY_INPUTS 2

struct sim_copy_state {
   uint64_t surfaces; /* base of surface states */
   uint64_t pool;     /* base of binding tables, or 0: same */
   uint32_t table;    /* of the pixel shader */
   unsigned table_shift;
   unsigned surface_count; /* in use */
   bool has_vertex_shader;
   uint64_t inputs[SIM_COPY_INPUTS]; /* vertex buffers */
   uint32_t inputs_B[SIM_COPY_INPUTS];
};

/* A copy that is not done yet: Intel: drawn; Adreno: of the 2D engine. */
struct sim_late_copy {
   uint64_t to, from;
   uint64_t size_B; /* 0: none */
};

/* AMD: the shader of dispatches. */
#define SIM_USER_COUNT 16

struct sim_shader {
   uint64_t address;
   uint32_t resources; /* COMPUTE_PGM_RSRC2 */
   uint32_t user[SIM_USER_COUNT];
};

/* Other than counters. */
#define SIM_GPR_COUNT 16

struct sim_registers {
   struct sim_pipeline pipeline;
   struct sim_shader shader;

   /* Intel: */
   bool is_gpgpu;       /* set by PIPELINE_SELECT */
   bool has_fence_page; /* set by STATE_SYSTEM_MEM_FENCE_ADDRESS */
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

/* When a pipeline write may arrive. */
enum sim_order {
   SIM_IN_ANY_ORDER,
   SIM_IN_ORDER,     /* after all earlier ones, except of backends */
   SIM_FROM_BACKEND, /* at any time, per backend */
   SIM_IN_TURN,      /* Adreno: after earlier ones of this kind */
   SIM_POSTED,       /* Adreno: at any time; the command processor goes on */
};

struct sim_write {
   uint64_t address, value;
   unsigned size_B;
   void *memory; /* of the address, when the packet executed */
   enum sim_order order;
   unsigned backend;
   bool is_to_l2;       /* stays in L2 until that is written back */
   uint64_t batch;      /* of the engine */
   uint64_t work_count; /* number of the work before it */
   uint32_t actions;    /* on caches, before the write */
};

/* Executes batches one after another; their writes may come later. */
struct sim_engine {
   struct sim *sim;
   const struct sim_submission *submission;
   struct sim_reader reader;
   uint64_t batch;                /* the owner's number */
   void *decoder;                 /* state of reader.ops */
   struct sim_counters *counters; /* that registers show */
   struct sim_registers *registers;
   struct sim_counters unretired; /* of unfinished work */
   bool is_busy;                  /* has unfinished work */
   struct sim_late_copy copy;     /* belongs to unfinished work */
   struct sim_write *deferred;    /* the pipeline's writes, oldest first */
   unsigned deferred_count;
   struct sim_write *deferred_room; /* their array */
   unsigned deferred_capacity;
   unsigned left_count; /* of these, the first ones are of backends */
   uint64_t work_count;
};

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

/* Reports a packet to on_packet. */
__attribute__((format(printf, 3, 4))) void
sim_note(struct sim_engine *engine, uint64_t address, const char *format,
         ...);

/* Reports a command, or the beginning of a batch, to on_command. */
static inline void
sim_show(const struct sim *sim, const uint32_t *dw, unsigned count_dw)
{
   if (sim->on_command != NULL)
      sim->on_command(sim->on_packet_data, dw, count_dw);
}

/* Returns memory at a GPU address and its size, or NULL and a violation. */
void *
sim_memory(struct sim_engine *engine, uint64_t address, uint64_t *size_B_out);

/* As the command streamer reads.  Returns whether all of it is mapped. */
bool
sim_read(struct sim_engine *engine, uint64_t address, void *data_out,
         size_t size_B);

/* Returns a value in memory, or 0 and a violation. */
uint64_t
sim_load(struct sim_engine *engine, uint64_t address, unsigned size_B);

/* AMD, Adreno: a packet's comparison. */
bool
sim_compare(unsigned function, int64_t value, int64_t reference);

/* writes.c */
void
sim_write_now(struct sim_engine *engine, uint64_t address, uint64_t value,
              unsigned size_B);

/* A write after earlier work: at a wait, or with a schedule at any
 * time that its order allows.
 */
void
sim_write_later(struct sim_engine *engine, enum sim_order order,
                uint64_t address, uint64_t value, unsigned size_B);

/* AMD: the same in order, after cache actions. */
void
sim_write_at_end(struct sim_engine *engine, uint64_t address, uint64_t value,
                 unsigned size_B, uint32_t actions);

/* AMD: the same by a backend, which may be later than all others. */
void
sim_write_by_backend(struct sim_engine *engine, unsigned backend,
                     uint64_t address, uint64_t value);

/* Adreno: whether the command processor has writes in flight. */
bool
sim_has_posted(const struct sim_engine *engine);

/* Adreno: does those writes, except those left to a schedule. */
void
sim_drain_posted(struct sim_engine *engine);

/* Returns the qword after all writes in flight. */
uint64_t
sim_latest(struct sim_engine *engine, uint64_t address);

/* Does writes in flight, except late backends' and a schedule's. */
void
sim_drain(struct sim_engine *engine);

/* Does all writes in flight, except those left to a schedule. */
void
sim_drain_all(struct sim_engine *engine);

/* Does a write in flight, of the schedule's choice.  Returns whether there
 * was one; without with_late_ones, one that need not be last.
 */
bool
sim_write_one(struct sim_engine *engine, bool with_late_ones);

/* Returns the batch of the oldest write in flight, or UINT64_MAX. */
uint64_t
sim_oldest_write(const struct sim_engine *engine);

/* Intel, Adreno: does the copy that is not done yet, if any. */
void
sim_copy_late(struct sim_engine *engine);

/* The same, and adds the counts of finished work. */
void
sim_retire(struct sim_engine *engine);

/* Retires and drains: all work is finished. */
void
sim_finish(struct sim_engine *engine);

/* The counts of all work, finished or not. */
struct sim_counters
sim_counted(const struct sim_engine *engine);

void
sim_do_work(struct sim_engine *engine, const struct sim_work *work);

uint64_t
sim_tick(struct sim *sim, uint64_t ticks);

void
sim_free_engine(struct sim_engine *engine);

void
sim_begin(struct sim_engine *engine);

/* Executes a packet, or a write that the schedule prefers. */
enum sim_progress
sim_step(struct sim_engine *engine);

/* Reports that a packet waits forever, and executes it. */
void
sim_force_packet(struct sim_engine *engine);

/* Executes a submission, including its writes. */
void
sim_execute(struct sim_engine *engine);

/* Whether a schedule has writes that packets must wait for. */
static inline bool
sim_has_writes(const struct sim_engine *engine)
{
   return engine->deferred_count != 0 &&
          sim_schedule_is_on(&engine->sim->schedule);
}

#endif /* PITOT_SIM_ENGINE_H */
