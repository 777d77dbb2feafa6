/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The internal interface of the simulator's files.
 */

#ifndef PITOT_SIM_PRIV_H
#define PITOT_SIM_PRIV_H

#include <pthread.h>

#include "draws.h"
#include "sim.h"

#define SIM_MAX_OBJECTS     8192
#define SIM_MAX_SUBMISSIONS 64
#define SIM_MAX_DEFERRED    4096
#define SIM_MAX_ENGINES     4

/* The bits of an address that GPUs decode: those above repeat them. */
#define SIM_ADDRESS_MASK ((UINT64_C(1) << 48) - 1)

/* Counters that are off while a driver draws for itself are a mask of 1 <<
 * enum sim_statistic and of these.
 */
#define SIM_OFF_SAMPLES   (1u << 30)
#define SIM_OFF_STREAMOUT (1u << 31)

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
   bool is_gpgpu; /* by PIPELINE_SELECT */
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

/* Memory of the GPU.  Handles, maps and submissions have references. */
struct sim_bo {
   struct sim_bo *next; /* of all */
   uint8_t *memory;
   bool is_foreign; /* the memory is the program's */
   uint64_t size_B;
   unsigned references;
};

/* AMD: a driver's wishes for memory, which it can query. */
struct sim_placement {
   uint64_t alignment, domains, domain_flags, tiling;
};

/* The addresses of a buffer for the GPU, or of a part of it. */
struct sim_map {
   uint64_t address;
   uint64_t size_B;
   struct sim_bo *bo;
   uint64_t offset_B;
};

/* An address space of the GPU.  Each map holds a reference. */
struct sim_space {
   struct sim_map *maps;
   unsigned count, capacity;
};

enum sim_object_kind {
   SIM_NOTHING,
   SIM_BO,
   SIM_SYNCOBJ,
   SIM_CONTEXT,
   SIM_BO_LIST,
};

/* The state of a context, for each engine; on AMD without counters. */
struct sim_engine_state {
   struct sim_counters counters;
   struct sim_registers registers;
};

/* The object behind a handle. */
struct sim_object {
   enum sim_object_kind kind;
   struct sim_bo *bo;
   struct sim_placement placement;

   /* Of a syncobj: the submission's number, or 0 if it is signaled anyway. */
   bool has_fence;
   uint64_t fence;

   /* Of a context. */
   struct sim_engine_state *engines; /* SIM_MAX_ENGINES */
   unsigned lost_active, lost_pending;
   bool is_banned;
};

#define SIM_MAX_IBS 8

/* AMD: commands in memory. */
struct sim_ib {
   uint64_t address, size_B;
   bool is_compute; /* of a ring that cannot draw */
};

struct sim_submission {
   uint64_t number;
   uint32_t context;
   unsigned engine;                /* Intel: of the context's */
   uint64_t address;               /* Intel: of the commands */
   struct sim_ib ibs[SIM_MAX_IBS]; /* AMD: those that are executed */
   unsigned ib_count;
   struct sim_space space; /* of this one: AMD's if it is delayed */
   struct sim_bo *status;  /* AMD: gets its number at the end */
   uint64_t status_offset;
};

struct sim_write {
   uint64_t address, value;
   unsigned size_B;
};

/* The executor of commands. */
struct sim_engine {
   struct sim *sim;
   const struct sim_submission *submission;
   struct sim_counters *counters; /* that are read by registers */
   struct sim_registers *registers;
   struct sim_counters unretired;               /* of unfinished work */
   bool is_busy;                                /* there is such work */
   struct sim_write deferred[SIM_MAX_DEFERRED]; /* of the pipeline */
   unsigned deferred_count;
   bool is_work_last; /* rather than a write of the pipeline */
};

struct sim_kernel {
   pthread_mutex_t lock;
   struct sim_object objects[SIM_MAX_OBJECTS]; /* by handle */
   uint32_t object_end;                        /* above all handles */
   uint64_t context_count;                     /* that were ever made */
   struct sim_bo *bos;
   struct sim_submission queue[SIM_MAX_SUBMISSIONS];
   unsigned queued;
   uint64_t submitted;           /* the last number */
   uint64_t completed;           /* all numbers up to this one */
   uint64_t last_lost;           /* the last one that was lost */
   struct sim_space space;       /* AMD */
   struct sim_counters counters; /* AMD, and without a context */
   struct sim_registers registers;
   bool counts_statistics, counts_samples; /* AMD */
   bool was_reset;
   struct sim_engine engine;
};

/* gpus.c: a GPU without a kernel: struct sim but for what sim_create() adds.
 */
struct sim *
sim_create_gpu(const char *name);

void
sim_destroy_gpu(struct sim *sim);

/* memory.c: memory, and its addresses for the GPU and the CPU. */

/* Returns zeroed memory with one reference. */
struct sim_bo *
sim_bo_create(struct sim *sim, uint64_t size_B);

/* The same with the program's own memory. */
struct sim_bo *
sim_bo_wrap(struct sim *sim, void *memory, uint64_t size_B);

void
sim_bo_unreference(struct sim *sim, struct sim_bo *bo);

/* Returns the buffer that begins at an address of the CPU, or NULL. */
struct sim_bo *
sim_bo_at(struct sim *sim, const void *memory);

void
sim_space_add(struct sim_space *space, struct sim_map map);

/* Removes all maps of a buffer. */
void
sim_space_remove_bo(struct sim *sim, struct sim_space *space,
                    const struct sim_bo *bo);

/* Removes a range, if need be from the middle of a map. */
void
sim_space_remove_range(struct sim *sim, struct sim_space *space,
                       uint64_t address, uint64_t size_B);

void
sim_space_clear(struct sim *sim, struct sim_space *space);

/* Adds all maps of another space. */
void
sim_space_add_all(struct sim_space *space, const struct sim_space *from);

/* Returns memory at an address of the GPU, and how much there is, or NULL. */
void *
sim_space_find(const struct sim_space *space, uint64_t address,
               uint64_t *size_B_out);

/* objects.c: handles, and the ioctls of all drivers. */

/* Returns the object behind a handle if it is of that kind, or NULL. */
struct sim_object *
sim_object(struct sim *sim, uint32_t handle, enum sim_object_kind kind);

/* Returns a new handle, or 0 if there is none left. */
uint32_t
sim_new_object(struct sim *sim, enum sim_object_kind kind);

void
sim_free_object(struct sim *sim, uint32_t handle);

/* Gives a syncobj the fence of a submission, or one that is signaled: 0. */
static inline void
sim_set_fence(struct sim_object *syncobj, uint64_t number)
{
   syncobj->has_fence = true;
   syncobj->fence = number;
}

/* Return a handle, or 0 if there is none left. */
uint32_t
sim_new_bo(struct sim *sim, uint64_t size_B);

uint32_t
sim_wrap_bo(struct sim *sim, void *memory, uint64_t size_B);

/* Handle ioctls of all drivers, and of one.  Return 0 or -errno. */
int
sim_core_ioctl(struct sim *sim, unsigned long request, void *argument);

int
sim_i915_ioctl(struct sim *sim, unsigned long request, void *argument);

int
sim_amdgpu_ioctl(struct sim *sim, unsigned long request, void *argument);

/* Sets the counters of a new context, by its number from 0 on: those of each
 * begin far from those of any other.
 */
static inline void
sim_begin_counters(struct sim_counters *counters, uint64_t context)
{
   const uint64_t value = context * UINT64_C(0x9e3779b97f4a7c15) >> 24;
   uint64_t *counter = (uint64_t *)counters;

   for (size_t i = 0; i < sizeof(*counters) / sizeof(value); i++)
      counter[i] = value;
}

/* submit.c */

/* Returns a submission to be filled in, or NULL if there are too many. */
struct sim_submission *
sim_new_submission(struct sim *sim);

/* Queues a submission, which keeps references to all its memory. */
void
sim_submit(struct sim *sim, struct sim_submission *submission);

/* Completes submissions up to a number, unless it only polls.  Returns
 * whether that one is done.
 */
bool
sim_wait(struct sim *sim, uint64_t number, bool is_poll);

/* engine.c */

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

/* Returns memory at an address of the GPU, and how much there is; or NULL,
 * and a violation.
 */
void *
sim_memory(struct sim_engine *engine, uint64_t address, uint64_t *size_B_out);

/* Reads memory.  Returns whether all of it is mapped. */
bool
sim_read(struct sim_engine *engine, uint64_t address, void *data_out,
         size_t size_B);

/* Returns a value in memory, or 0, and a violation. */
uint64_t
sim_load(struct sim_engine *engine, uint64_t address, unsigned size_B);

void
sim_write_now(struct sim_engine *engine, uint64_t address, uint64_t value,
              unsigned size_B);

/* Copies memory, across maps if need be. */
void
sim_copy(struct sim_engine *engine, uint64_t to, uint64_t from,
         uint64_t size_B);

/* Writes when the pipeline has finished earlier work. */
void
sim_write_later(struct sim_engine *engine, uint64_t address, uint64_t value,
                unsigned size_B);

/* Does the writes that are left. */
void
sim_drain(struct sim_engine *engine);

/* Adds the counts of work that is through. */
void
sim_retire(struct sim_engine *engine);

/* Does both, so that all work is through. */
void
sim_finish(struct sim_engine *engine);

/* Returns the counts of all work so far, through or not. */
struct sim_counters
sim_counted(const struct sim_engine *engine);

void
sim_do_work(struct sim_engine *engine, const struct sim_work *work);

uint64_t
sim_tick(struct sim *sim, uint64_t ticks);

void
sim_execute(struct sim_engine *engine);

/* gen.c, pm4.c: decoders of commands. */
void
sim_execute_gen(struct sim_engine *engine);

void
sim_execute_pm4(struct sim_engine *engine);

#endif /* PITOT_SIM_PRIV_H */
