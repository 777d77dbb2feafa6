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

#include "engine.h"

#define SIM_MAX_OBJECTS     8192
#define SIM_MAX_SUBMISSIONS 64
#define SIM_MAX_ENGINES     4
#define SIM_MAX_BINDS       256
#define SIM_MAX_SIGNALS     4

/* Memory of the GPU.  Handles, maps and submissions have references. */
struct sim_bo {
   struct sim_bo *next; /* of all */
   uint8_t *memory;
   bool is_foreign;   /* the memory is the program's */
   bool is_encrypted; /* AMD */
   bool is_uncached;  /* AMD: mapped so that L2 does not keep it */
   uint64_t size_B;
   unsigned references;
   uint64_t last_submission; /* i915: that uses it */
   bool is_always_valid; /* for all submissions, without any list */
   uint64_t last_list; /* AMD, Adreno: the number of the last list with it */
   uint64_t address;   /* Adreno: for the GPU */
   uint32_t flags;     /* Adreno: MSM_BO_* */
   uint64_t last_use, last_write; /* Adreno: numbers of submissions */
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
   SIM_SPACE, /* xe */
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
   uint64_t point; /* the last one of a timeline that has a fence */

   /* xe: of an address space; and that of a buffer, which may be in no other
    * one, or of a queue.
    */
   struct sim_space space;
   uint32_t space_handle;
   bool is_cached;  /* a buffer, by the CPU */
   unsigned engine; /* a queue's, or the next one's of a space */
   uint64_t last;   /* the number of a queue's last submission */

   /* Of a context. */
   struct sim_engine_state *engines; /* SIM_MAX_ENGINES */
   unsigned lost_active, lost_pending;
   bool is_banned;
};

#define SIM_MAX_IBS 8

/* AMD: commands in memory. */
struct sim_ib {
   uint64_t address, size_B;
   bool is_compute;     /* of a ring that cannot draw */
   bool is_preemptible; /* between two packets */
};

/* xe: what has to be done before a submission or a bind: submissions that are
 * in the queue, and a bind with all binds before it, or 0.
 */
struct sim_before {
   uint64_t submissions[SIM_MAX_SUBMISSIONS];
   unsigned count;
   uint64_t bind;
};

struct sim_submission {
   uint64_t number;
   uint32_t context;
   unsigned engine;                /* Intel: of the context's */
   uint64_t address;               /* Intel: of the commands */
   struct sim_ib ibs[SIM_MAX_IBS]; /* AMD: those that are executed */
   struct sim_ib *own_ibs; /* Adreno: those instead, of any number, or NULL */
   unsigned ib_count;
   bool is_secure;         /* AMD: any of them */
   bool is_killed;         /* xe: its queue was destroyed */
   struct sim_space space; /* of the buffers that it may use */
   struct sim_before before;
   struct sim_space lost; /* xe: what it could use, as long as it goes on */
   struct sim_bo *status;  /* AMD: gets its number at the end */
   uint64_t status_offset;
};

/* xe: a map that an address space gets some time, or loses without memory;
 * and the syncobjs that tell it.
 */
struct sim_bind {
   uint64_t number;
   uint32_t space;
   struct sim_map map;
   struct sim_before before;
   bool is_lost; /* the map that was there */
   struct {
      uint32_t syncobj;
      uint64_t point; /* UINT64_MAX without a timeline */
   } signals[SIM_MAX_SIGNALS];
   unsigned signal_count;
};

struct sim_kernel {
   pthread_mutex_t lock;
   struct sim_object *objects; /* by handle, from 1 on */
   uint32_t object_end;        /* above all handles */
   uint64_t context_count;     /* that were ever made */
   struct sim_bo *bos;
   struct sim_submission queue[SIM_MAX_SUBMISSIONS]; /* not done yet */
   unsigned queued;
   bool is_executing;      /* the first of the queue */
   uint64_t submitted;     /* the last number */
   uint64_t last_lost;     /* the last one that was lost */
   struct sim_space space; /* AMD, Adreno: of all buffers */
   uint64_t list;          /* AMD, Adreno: the number of the last one */
   struct sim_bind *binds; /* xe: not done yet, or NULL */
   unsigned bind_count;
   uint64_t bound; /* the number of the last bind */
   struct sim_counters counters; /* AMD, Adreno, and without a context */
   struct sim_registers registers;
   bool counts_statistics, counts_samples; /* AMD */
   uint32_t counters_off; /* Adreno: those that are stopped */
   uint64_t next_address; /* Adreno: of buffers */
   uint64_t faults;       /* Adreno: submissions that hung */
   bool was_reset;
   struct sim_engine engine;
   struct sim_caches caches;
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

/* AMD: adds the maps of another space that a submission may use, which are
 * those of the buffers in its list, and of the buffers that need no list.
 */
void
sim_space_add_listed(struct sim_space *space, const struct sim_space *from,
                     uint64_t list);

/* Returns memory at an address of the GPU, and how much there is, or NULL. */
void *
sim_space_find(const struct sim_space *space, uint64_t address,
               uint64_t *size_B_out);

/* Returns whether there is encrypted memory at an address. */
bool
sim_space_is_encrypted(const struct sim_space *space, uint64_t address);

/* Returns whether there is memory at an address that L2 does not keep. */
bool
sim_space_is_uncached(const struct sim_space *space, uint64_t address);

/* objects.c: handles, and the ioctls of all drivers. */

/* Returns the object behind a handle if it is of that kind, or NULL. */
struct sim_object *
sim_object(struct sim *sim, uint32_t handle, enum sim_object_kind kind);

/* Returns a new handle, or 0 if there is none left. */
uint32_t
sim_new_object(struct sim *sim, enum sim_object_kind kind);

void
sim_free_object(struct sim *sim, uint32_t handle);

/* Returns whether a deadline, by CLOCK_MONOTONIC, has passed. */
bool
sim_is_past(uint64_t time_ns);

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

/* i915_info.c */
int
sim_i915_info(struct sim *sim, unsigned long request, void *argument);

int
sim_xe_ioctl(struct sim *sim, unsigned long request, void *argument);

/* xe_sync.c: waits for the bind that gives a syncobj a point, or a later one,
 * unless it only polls.  Returns whether that is done.
 */
bool
sim_xe_wait_bind(struct sim *sim, uint32_t syncobj, uint64_t point,
                 bool is_poll);

/* Does all binds. */
void
sim_xe_finish(struct sim *sim);

/* xe_order.c: moves a submission to the front of the queue that waits for no
 * other: any one under a schedule, or else the one with this number, or what
 * that waits for.
 */
void
sim_xe_pick(struct sim *sim, uint64_t number);

/* The first submission of the queue begins: does the binds that it waits for,
 * and gives it the memory that is bound then.
 */
void
sim_xe_begin(struct sim *sim);

/* A submission or a bind has come, or gone: takes the addresses away that
 * binds take away, and that wait for nothing any more.
 */
void
sim_xe_take_away(struct sim *sim);

int
sim_amdgpu_ioctl(struct sim *sim, unsigned long request, void *argument);

int
sim_msm_ioctl(struct sim *sim, unsigned long request, void *argument);

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

/* pm4_shadow.c */

/* AMD, Adreno: other contexts leave their own state, and count in the same
 * counters if they draw.
 */
void
sim_let_others_work(struct sim *sim, bool draws);

/* submit.c */

/* Returns a submission to be filled in.  If there are too many, the oldest
 * one is completed first, as a kernel waits for room in its queue.
 */
struct sim_submission *
sim_wait_for_room(struct sim *sim);

/* Takes a context's submissions off the queue, as the kernel does where they
 * do not outlive it: their fences are signaled.
 */
void
sim_kill(struct sim *sim, uint32_t context);

/* Returns whether a submission is neither queued nor to come. */
bool
sim_is_done(const struct sim *sim, uint64_t number);

/* Queues a submission, which keeps references to all its memory. */
void
sim_submit(struct sim *sim, struct sim_submission *submission);

/* Does the same as sim_look(), for those who have the lock. */
void
sim_go_on(struct sim *sim);

/* Completes submissions until that of a number is done, unless it only polls.
 * Returns whether it is.
 */
bool
sim_wait(struct sim *sim, uint64_t number, bool is_poll);

#endif /* PITOT_SIM_PRIV_H */
