/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What the files of the simulator know of each other.
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

/* What does not count, while a driver draws for itself: masks of 1 << enum
 * sim_statistic, and of these.
 */
#define SIM_OFF_SAMPLES   (1u << 30)
#define SIM_OFF_STREAMOUT (1u << 31)

/* Intel: what draws that copy buffers depend on: see gen_copy.c. */
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
   bool is_gpgpu; /* what PIPELINE_SELECT selected */
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

/* Memory of the GPU, shared by who has a handle, a map, or a submission. */
struct sim_bo {
   struct sim_bo *next; /* of all that there are */
   uint8_t *memory;
   bool is_foreign; /* the memory is the program's */
   uint64_t size_B;
   unsigned references;
};

/* AMD: what a driver wanted of memory, for those who ask. */
struct sim_placement {
   uint64_t alignment, domains, domain_flags, tiling;
};

/* Where it is for the GPU: all of it, or a part. */
struct sim_map {
   uint64_t address;
   uint64_t size_B;
   struct sim_bo *bo;
   uint64_t offset_B;
};

/* What a GPU sees: each map holds a reference. */
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

/* What is saved with a context, for each engine; of AMD's, no counters. */
struct sim_engine_state {
   struct sim_counters counters;
   struct sim_registers registers;
};

/* What a handle stands for. */
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
   unsigned engine;  /* Intel: of the context's */
   uint64_t address; /* Intel: of the commands */
   uint64_t size_B;
   struct sim_ib ibs[SIM_MAX_IBS]; /* AMD: those that are executed */
   unsigned ib_count;
   struct sim_space space; /* of this one: AMD's if it is delayed */
   struct sim_bo *status;  /* AMD: where its number goes at the end */
   uint64_t status_offset;
};

struct sim_write {
   uint64_t address, value;
   unsigned size_B;
};

/* What executes commands. */
struct sim_engine {
   struct sim *sim;
   const struct sim_submission *submission;
   struct sim_counters *counters; /* that are read by registers */
   struct sim_registers *registers;
   struct sim_counters unretired; /* of work that is not through yet */
   bool is_busy;                  /* there is such work */
   struct sim_write deferred[SIM_MAX_DEFERRED]; /* of the pipeline */
   unsigned deferred_count;
   bool is_work_last; /* rather than a write of the pipeline */
};

struct sim_kernel {
   pthread_mutex_t lock;
   struct sim_object objects[SIM_MAX_OBJECTS]; /* by handle */
   uint32_t object_end;                        /* no handle is as large */
   struct sim_bo *bos;
   struct sim_submission queue[SIM_MAX_SUBMISSIONS];
   unsigned queued;
   uint64_t submitted;           /* the last number given out */
   uint64_t completed;           /* all up to this one are */
   uint64_t last_lost;           /* the last one that was lost */
   struct sim_space space;       /* AMD */
   struct sim_counters counters; /* AMD, and of who has no context */
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

/* memory.c: memory, and where the GPU and the CPU see it. */

/* Returns zeroed memory with one reference. */
struct sim_bo *
sim_bo_create(struct sim *sim, uint64_t size_B);

/* The same with the program's own memory. */
struct sim_bo *
sim_bo_wrap(struct sim *sim, void *memory, uint64_t size_B);

void
sim_bo_unreference(struct sim *sim, struct sim_bo *bo);

/* Returns what begins at an address of the CPU, or NULL. */
struct sim_bo *
sim_bo_at(struct sim *sim, const void *memory);

void
sim_space_add(struct sim_space *space, struct sim_map map);

/* Takes out what is of a buffer. */
void
sim_space_remove_bo(struct sim *sim, struct sim_space *space,
                    const struct sim_bo *bo);

/* Takes out what is in a range, if need be out of the middle of a map. */
void
sim_space_remove_range(struct sim *sim, struct sim_space *space,
                       uint64_t address, uint64_t size_B);

void
sim_space_clear(struct sim *sim, struct sim_space *space);

/* Adds all that another one has. */
void
sim_space_add_all(struct sim_space *space, const struct sim_space *from);

/* Returns memory at an address of the GPU, and how much there is, or NULL. */
void *
sim_space_find(const struct sim_space *space, uint64_t address,
               uint64_t *size_B_out);

/* objects.c: handles, syncobjs, and what all drivers have. */

/* Returns the object behind a handle if it is of that kind, or NULL. */
struct sim_object *
sim_object(struct sim *sim, uint32_t handle, enum sim_object_kind kind);

/* Returns a new handle, or 0 if there is none left. */
uint32_t
sim_new_object(struct sim *sim, enum sim_object_kind kind);

void
sim_free_object(struct sim *sim, uint32_t handle);

/* Return a handle, or 0 if there is none left. */
uint32_t
sim_new_bo(struct sim *sim, uint64_t size_B);

uint32_t
sim_wrap_bo(struct sim *sim, void *memory, uint64_t size_B);

/* Handles an ioctl of all drivers.  Returns 0, -errno, or -ENOTTY. */
int
sim_core_ioctl(struct sim *sim, unsigned long request, void *argument);

struct drm_i915_query;

/* Answers what i915 is asked about the GPU. */
int
sim_i915_query(struct sim *sim, const struct drm_i915_query *query);

int
sim_i915_ioctl(struct sim *sim, unsigned long request, void *argument);

int
sim_amdgpu_ioctl(struct sim *sim, unsigned long request, void *argument);

/* ioctl.c: handles an ioctl of any driver.  Returns 0 or -errno. */
int
sim_ioctl(struct sim *sim, unsigned long request, void *argument);

/* submit.c */

/* Returns a submission to be filled in, or NULL if there are too many. */
struct sim_submission *
sim_new_submission(struct sim *sim);

/* Takes it over, with a reference to all memory that it has. */
void
sim_submit(struct sim *sim, struct sim_submission *submission);

/* Completes up to a number, if one may wait.  Returns whether it is done. */
bool
sim_wait(struct sim *sim, uint64_t number, bool is_look);

/* engine.c */

void
sim_violate(struct sim *sim, const char *packet, const char *rule);

/* Tells what a packet does: see on_packet. */
__attribute__((format(printf, 3, 4))) void
sim_note(struct sim_engine *engine, uint64_t address, const char *format,
         ...);

/* Returns memory at an address of the GPU, and how much there is; or NULL,
 * and a violation.
 */
void *
sim_memory(struct sim_engine *engine, uint64_t address, uint64_t *size_B_out);

/* Returns what is there, or 0, and a violation. */
uint64_t
sim_load(struct sim_engine *engine, uint64_t address, unsigned size_B);

void
sim_write_now(struct sim_engine *engine, uint64_t address, uint64_t value,
              unsigned size_B);

/* Copies what is there, whatever maps it lies in. */
void
sim_copy(struct sim_engine *engine, uint64_t to, uint64_t from,
         uint64_t size_B);

/* Writes when the pipeline has come so far. */
void
sim_write_later(struct sim_engine *engine, uint64_t address, uint64_t value,
                unsigned size_B);

/* Does what is left to write, and to count. */
void
sim_drain(struct sim_engine *engine);

void
sim_retire(struct sim_engine *engine);

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
