/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The internal interface of the simulator's files. */

#ifndef PITOT_SIM_PRIV_H
#define PITOT_SIM_PRIV_H

#include <pthread.h>

#include "engine.h"

#define SIM_MAX_OBJECTS     8192
#define SIM_MAX_SUBMISSIONS 64
#define SIM_MAX_ENGINES     4
#define SIM_MAX_BINDS       256
#define SIM_MAX_SIGNALS     4

/* GPU memory.  Handles, maps and submissions hold references. */
struct sim_bo {
   struct sim_bo *next;
   uint8_t *memory;
   bool is_foreign;   /* owned by the program */
   bool is_encrypted; /* AMD */
   bool is_uncached;  /* AMD: L2 does not keep it */
   uint64_t size_B;
   unsigned references;
   uint64_t last_submission; /* i915: that uses it */
   bool is_always_valid;     /* valid in all submissions, without a list */
   uint64_t last_list;       /* AMD, Adreno: last list with it */
   uint64_t address;         /* Adreno: GPU address */
   uint32_t flags;           /* Adreno: MSM_BO_* */
   uint64_t last_use, last_write; /* Adreno: submissions */
};

/* AMD: a driver's request for memory, which it can query. */
struct sim_placement {
   uint64_t alignment, domains, domain_flags, tiling;
};

/* GPU addresses of a buffer, or of a part of it. */
struct sim_map {
   uint64_t address;
   uint64_t size_B;
   struct sim_bo *bo;
   uint64_t offset_B;
};

/* A GPU address space.  Each map holds a reference. */
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

/* A context's state, per engine; on AMD without counters. */
struct sim_engine_state {
   struct sim_counters counters;
   struct sim_registers registers;
};

struct sim_object {
   enum sim_object_kind kind;
   struct sim_bo *bo;
   struct sim_placement placement;

   /* Of a syncobj: a submission's number, or 0 if it is signaled. */
   bool has_fence;
   uint64_t fence;
   uint64_t point; /* last one of a timeline with a fence */

   /* xe: a space; the space of a queue; a buffer's only space, if any. */
   struct sim_space space;
   uint32_t space_handle;
   bool is_cached;  /* a buffer is cached by the CPU */
   unsigned engine; /* of a queue, or of a space's next queue */
   uint64_t last;   /* a queue's last submission */

   /* Of a context. */
   struct sim_engine_state *engines; /* SIM_MAX_ENGINES */
   unsigned lost_active, lost_pending;
   bool is_banned;
};

/* xe: what must be done before a submission or bind: queued submissions, and
 * a bind with all earlier ones, or 0.
 */
struct sim_before {
   uint64_t submissions[SIM_MAX_SUBMISSIONS];
   unsigned count;
   uint64_t bind;
};

struct sim_submission {
   uint64_t number;
   uint32_t context;
   unsigned engine; /* Intel: of the context's engines */
   struct sim_ib *ibs;
   unsigned ib_count;
   bool is_secure;         /* AMD: any IB is */
   bool is_killed;         /* xe: its queue was destroyed */
   struct sim_space space; /* of the buffers that it may use */
   struct sim_before before;
   struct sim_space lost; /* xe: unbound since, but usable while it runs */
   struct sim_bo *status; /* AMD: its number is written here at the end */
   uint64_t status_offset;
};

/* xe: a map to add, or to remove (without memory), and syncobjs to signal. */
struct sim_bind {
   uint64_t number;
   uint32_t space;
   struct sim_map map;
   struct sim_before before;
   bool is_lost; /* an earlier map is removed */
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
   uint64_t context_count;     /* ever created */
   struct sim_bo *bos;
   struct sim_submission queue[SIM_MAX_SUBMISSIONS]; /* not done yet */
   unsigned queued;
   bool is_executing;      /* the first of the queue */
   uint64_t submitted;     /* last number */
   uint64_t last_lost;     /* last lost number */
   struct sim_space space; /* AMD, Adreno: all buffers */
   uint64_t list;          /* AMD, Adreno: last list's number */
   struct sim_bind *binds; /* xe: not done yet, or NULL */
   unsigned bind_count;
   uint64_t bound;               /* last bind's number */
   struct sim_counters counters; /* AMD, Adreno, and without a context */
   struct sim_registers registers;
   bool counts_statistics, counts_samples; /* AMD */
   uint32_t counters_off;                  /* Adreno: stopped ones */
   uint64_t next_address;                  /* Adreno: of buffers */
   uint64_t faults;                        /* Adreno: submissions that hung */
   bool was_reset;
   struct sim_engine engine;
   struct sim_caches caches;
};

/* gpus.c: a GPU without a kernel. */
struct sim *
sim_create_gpu(const char *name);

void
sim_destroy_gpu(struct sim *sim);

/* memory.c: memory, and its addresses for the GPU and the CPU. */

/* Returns the program's own memory, or for NULL zeroed pages, with one
 * reference.
 */
struct sim_bo *
sim_bo_create(struct sim *sim, void *memory, uint64_t size_B);

void
sim_bo_unreference(struct sim *sim, struct sim_bo *bo);

/* Returns the buffer that begins at a CPU address, or NULL. */
struct sim_bo *
sim_bo_at(struct sim *sim, const void *memory);

void
sim_space_add(struct sim_space *space, struct sim_map map);

void
sim_space_remove_bo(struct sim *sim, struct sim_space *space,
                    const struct sim_bo *bo);

/* Removes a range, perhaps from the middle of a map. */
void
sim_space_remove_range(struct sim *sim, struct sim_space *space,
                       uint64_t address, uint64_t size_B);

void
sim_space_clear(struct sim *sim, struct sim_space *space);

/* AMD: adds maps of listed buffers, and of buffers that need no list. */
void
sim_space_add_listed(struct sim_space *space, const struct sim_space *from,
                     uint64_t list);

/* Returns memory at a GPU address and its size, or NULL. */
void *
sim_space_find(const struct sim_space *space, uint64_t address,
               uint64_t *size_B_out);

bool
sim_space_is_encrypted(const struct sim_space *space, uint64_t address);

/* Whether L2 does not keep the memory at an address. */
bool
sim_space_is_uncached(const struct sim_space *space, uint64_t address);

/* objects.c: handles, and the ioctls of all drivers. */

/* NULL if the handle is unknown, or of another kind. */
struct sim_object *
sim_object(struct sim *sim, uint32_t handle, enum sim_object_kind kind);

/* These return 0 or -errno: there may be no handle left, or no such object.
 */
int
sim_create_object(struct sim *sim, enum sim_object_kind kind,
                  uint32_t *handle_out);

/* Of sim_bo_create()'s memory. */
int
sim_create_bo(struct sim *sim, void *memory, uint64_t size_B,
              uint32_t *handle_out);

int
sim_close(struct sim *sim, uint32_t handle, enum sim_object_kind kind,
          int error);

int
sim_map_offset(struct sim *sim, uint32_t handle,
               unsigned long long *offset_out);

/* The next submission signals a syncobj, or waits for it: it needs a fence.
 */
int
sim_use_syncobj(struct sim *sim, uint32_t handle, bool is_signal);

void
sim_free_object(struct sim *sim, uint32_t handle);

/* Whether a deadline, by CLOCK_MONOTONIC, has passed. */
bool
sim_is_past(uint64_t time_ns);

/* number 0: the fence is signaled. */
static inline void
sim_set_fence(struct sim_object *syncobj, uint64_t number)
{
   syncobj->has_fence = true;
   syncobj->fence = number;
}

/* Ioctls by number, of all drivers and of each one.  Return 0 or -errno. */
#define SIM_IOCTL_COUNT 256

typedef int
sim_handler(struct sim *sim, void *argument);

extern sim_handler *const sim_core_ioctls[SIM_IOCTL_COUNT];
extern sim_handler *const sim_i915_ioctls[SIM_IOCTL_COUNT];
extern sim_handler *const sim_xe_ioctls[SIM_IOCTL_COUNT];
extern sim_handler *const sim_amdgpu_ioctls[SIM_IOCTL_COUNT];
extern sim_handler *const sim_msm_ioctls[SIM_IOCTL_COUNT];

/* i915_info.c, amdgpu_info.c, amdgpu_submit.c, msm_submit.c */
sim_handler sim_i915_get_param, sim_i915_read_register, sim_i915_query;
sim_handler sim_amdgpu_info, sim_amdgpu_submit, sim_msm_submit;

sim_handler sim_do_nothing;

/* xe_order.c: waits for a point's bind, or polls.  Returns whether done. */
bool
sim_xe_wait_bind(struct sim *sim, uint32_t syncobj, uint64_t point,
                 bool is_poll);

void
sim_xe_finish(struct sim *sim);

/* Moves a submission that waits for no other to the front of the
 * queue: any one under a schedule, else the one with this number, or one that
 * it waits for.
 */
void
sim_xe_pick(struct sim *sim, uint64_t number);

/* The first submission begins: does its binds, and gives it that memory. */
void
sim_xe_begin(struct sim *sim);

/* After a submission or bind: does the unbinds that need no wait. */
void
sim_xe_take_away(struct sim *sim);

/* Context number n's counters begin far from any other's. */
static inline void
sim_begin_counters(struct sim_counters *counters, uint64_t context)
{
   const uint64_t value = context * UINT64_C(0x9e3779b97f4a7c15) >> 24;
   uint64_t *counter = (uint64_t *)counters;

   for (size_t i = 0; i < sizeof(*counters) / sizeof(value); i++)
      counter[i] = value;
}

/* pm4_shadow.c */

/* AMD, Adreno: other contexts leave state, and count if they draw. */
void
sim_let_others_work(struct sim *sim, bool draws);

/* submit.c */

/* Returns a free submission.  A full queue completes the oldest one first. */
struct sim_submission *
sim_wait_for_room(struct sim *sim);

struct sim_ib *
sim_add_ib(struct sim_submission *submission, uint64_t address,
           uint64_t size_B, unsigned ring);

/* Gives up a submission that is not queued. */
void
sim_drop(struct sim *sim, struct sim_submission *submission);

/* Unqueues a context's submissions, and signals their fences. */
void
sim_kill(struct sim *sim, uint32_t context);

/* Whether a submission is neither queued nor in the future. */
bool
sim_is_done(const struct sim *sim, uint64_t number);

/* Queues a submission, which holds references to its memory. */
void
sim_submit(struct sim *sim, struct sim_submission *submission);

/* sim_advance() for callers that hold the lock. */
void
sim_go_on(struct sim *sim);

/* Completes up to a number, or polls.  Returns whether it is done. */
bool
sim_wait(struct sim *sim, uint64_t number, bool is_poll);

#endif /* PITOT_SIM_PRIV_H */
