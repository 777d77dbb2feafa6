/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A simulated kernel with a simulated GPU, behind struct pitot_drm_io.  It
 * executes the few commands of which samples consist, and notes as a
 * violation each on which hardware would not do what its driver means.
 *
 *    struct sim *sim = sim_create("skl");
 *    sim->draw.samples = 7;           of each draw from now on
 *    pitot_drm_open(&sim->io, NULL, &device, message);
 *    ...                              record, with sim_draw() as the draws
 *    assert_string_equal(sim->violations, "");
 *    sim_destroy(sim);
 *
 * All fields above "Results" may be set at any time.  The simulator proves
 * agreement with the encodings that Mesa's drivers use, not with silicon.
 */

#ifndef PITOT_SIM_H
#define PITOT_SIM_H

#include "pitot/drm.h"
#include "schedule.h"

#define SIM_MAX_BACKENDS 32
#define SIM_CUE          0x4355453fu
#define SIM_STREAM_COUNT 4

/* In the order of Intel's registers and of Gallium. */
enum sim_statistic {
   SIM_IA_VERTICES,
   SIM_IA_PRIMITIVES,
   SIM_VS_INVOCATIONS,
   SIM_GS_INVOCATIONS,
   SIM_GS_PRIMITIVES,
   SIM_C_INVOCATIONS,
   SIM_C_PRIMITIVES,
   SIM_PS_INVOCATIONS,
   SIM_HS_INVOCATIONS,
   SIM_DS_INVOCATIONS,
   SIM_CS_INVOCATIONS,
   SIM_TS_INVOCATIONS,
   SIM_MS_INVOCATIONS,
   SIM_STATISTIC_COUNT,
};

enum sim_streamout {
   SIM_NEEDED,
   SIM_WRITTEN,
   SIM_STREAMOUT_COUNT,
};

/* The counts of a draw or a dispatch, and how long it takes. */
struct sim_work {
   uint64_t statistics[SIM_STATISTIC_COUNT];
   uint64_t samples; /* AMD: spread over the render backends */
   uint64_t streamout[SIM_STREAM_COUNT][SIM_STREAMOUT_COUNT];
   uint64_t ticks;
};

/* A GPU's data: see gpus.c. */
struct sim_gpu {
   const char *key; /* its name here */
   union {          /* for Pitot to find out */
      struct pitot_gpu facts;
      struct pitot_intel_gpu intel;
      struct pitot_amd_gpu amd;
   };
   const char *driver;
   int version[3];
   unsigned device_id, pci_revision;

   bool has_llc;         /* Intel */
   bool is_discrete;     /* Intel */
   bool has_pat;         /* Intel: buffers are created with a cache policy */
   unsigned ps_multiple; /* Intel: how often PS_INVOCATION_COUNT counts one */

   /* Intel: of execution units, in one slice. */
   unsigned subslices, units_per_subslice;

   unsigned family, revision; /* AMD */
   unsigned pfp_version;      /* AMD */
   bool packs_backends;       /* AMD: what struct sim begins with */

   bool is_adreno;
   uint64_t chip_id;  /* Adreno */
   unsigned gmem_KiB; /* Adreno: the memory of a tile */
};

extern const struct sim_gpu sim_gpus[];
extern const unsigned sim_gpu_count;

/* Returns a GPU by its key.  Aborts if there is no such GPU. */
const struct sim_gpu *
sim_gpu(const char *name);

/* Faults of a GPU or its kernel, for tests of tools that look for faults.
 * Writes are counted from 1 on, in the order of their arrival.
 */
struct sim_faults {
   unsigned lost_write;      /* the write that never arrives */
   unsigned lost_status;     /* AMD: a submission whose end is not told */
   uint32_t lost_backends;   /* AMD: a mask of those that do not write */
   uint64_t drift;           /* by which counters grow with each packet */
   bool reorders_fences;     /* before samples, under a schedule */
   bool loses_carry;         /* Intel: between the halves of a sum */
   bool ignores_predicate;   /* nothing is skipped */
   int told_ppm;             /* how wrong the frequency is that is told */
   unsigned read_back_ticks; /* of one read of the clock in some dozens */
   unsigned ahead_ticks;     /* of the clock that the CPU reads */
   unsigned write_count;     /* so far */
   unsigned read_count;
};

struct sim_kernel;

struct sim {
   struct pitot_drm_io io;
   struct sim_gpu gpu; /* a copy: a test may make facts wrong */

   /* The clock, which advances with each packet and each read.  If it is
    * live, it follows the CPU's as well, and work really takes its ticks.
    */
   uint64_t now_ticks;
   bool is_live;
   uint64_t followed_ns;   /* the CPU's clock at the last update */
   uint64_t followed_rest; /* of a tick, in ticks per NS_PER_S */
   uint64_t ticks_per_packet;
   uint64_t ticks_per_read;
   bool is_timed;        /* its ticks go by on the simulated CPU's clock */
   uint64_t passed_rest; /* of a nanosecond on that, in 1 / timestamp_hz */

   struct sim_work draw, dispatch;

   /* The choices that hardware leaves open: see schedule.h. */
   struct sim_schedule schedule;

   /* Work is counted by its commands instead of those constants: see draws.c.
    * Of draw, the ticks remain, and the numbers that are in no command:
    * samples of a primitive, GS_PRIMITIVES for each primitive into a geometry
    * shader, and DS_INVOCATIONS for each patch.
    */
   bool counts_commands;

   /* Submissions complete only by a wait or by sim_complete(). */
   bool is_delayed;

   /* Submissions are executed a few steps at each ioctl and sim_look(). */
   bool is_running;

   /* Failures, or 0: the number of an ioctl or a submission, from 1 on. */
   unsigned hang_on_submit;
   unsigned fail_ioctl_on;
   int fail_errno;
   unsigned interruptions; /* EINTR before each ioctl */
   int open_errno;
   int mmap_errno;
   bool reset_clears_clock;
   bool keeps_contexts; /* a hang loses its submission, and bans nothing */

   /* The next work counts what was just said: see cue.h.  Another ring's work
    * must not come in between.
    */
   bool is_cued;

   /* AMD: samples of render backends reach memory after all other writes:
    * only the end of a submission, and a wait for these very samples, are
    * later.
    */
   bool delays_backends;

   /* Intel: the kernel's driver is xe, also where the GPU's is i915. */
   bool is_xe;

   /* Intel: the kernel says that it resets no GPU that hangs. */
   bool resets_nothing;

   /* Intel: the kernel tells no engines, as before Linux 5.3: each ring of a
    * driver has a context of its own.
    */
   bool hides_engines;

   /* AMD: memory can be encrypted (TMZ), and secure commands may write to no
    * other memory: known so far of the render backends alone.
    */
   bool has_tmz;

   /* AMD, from GFX9 on: the kernel says that it preempts commands between two
    * packets, and under a schedule it does so if their driver lets it.  The
    * contexts that it lets work meanwhile change registers; they also draw if
    * that is set.
    */
   bool preempts;
   bool others_draw;

   /* AMD: a sample while statistics are off is no violation. */
   bool may_sample_uncounted;

   unsigned suspend_count; /* Adreno: how often its power was off */

   /* Adreno: the command processor reads what it has written itself without
    * a wait for that.  Mesa's driver relies on it.
    */
   bool sees_posted;

   /* AMD: the render backends that are enabled write to the first slots of a
    * sample, rather than each to the slot of its number.
    */
   bool packs_backends;

   /* AMD: a mask of render backends that the kernel calls enabled, and that
    * do not exist.
    */
   uint32_t absent_backends;

   struct sim_faults faults;

   /* Called after each write of the GPU, in the order of the GPU; on Adreno
    * also for a CP_NOP that has SIM_CUE, an address and a value.
    */
   void (*on_write)(void *data, uint64_t address, uint64_t value);
   void *on_write_data;

   /* Called for each violation. */
   void (*on_violation)(const char *packet, const char *rule);

   /* Called for each packet that samples, waits, counts or works, in the
    * order of the command streamer, with a description and the address of the
    * write, if any.
    */
   void (*on_packet)(void *data, const char *text, uint64_t address);
   void *on_packet_data;
   unsigned note_count; /* of such packets */

   /* Called for each command before it is executed, in the same order, with
    * the same data; with no command where a ring begins to execute a batch.
    */
   void (*on_command)(void *data, const uint32_t *dw, unsigned count_dw);
   unsigned ring; /* that executes the command, by the number of its engine */

   /*
    * Results
    */
   unsigned ioctl_count;
   /* Of them, those that a busy machine has more or fewer of.  A driver's
    * threads get to some when they do: those that destroy syncobjs, and msm's
    * about memory.  The clock is read again where its last reading is too old.
    */
   unsigned untimely_count;
   unsigned submit_count;
   unsigned wait_count;       /* of the CPU for submissions */
   unsigned blocked_count;    /* of them, for one that was not done yet */
   unsigned fence_wait_count; /* i915: of submissions, for others' fences */
   unsigned open_count;       /* open files */
   unsigned mapping_count;    /* of the CPU */
   unsigned object_count;     /* handles and contexts */
   uint64_t memory_B;         /* of buffers */
   char violations[1024];     /* one line each; "" if all was well */
   unsigned violation_count;

   struct sim_kernel *kernel;
};

/* Creates a machine with a GPU as /dev/dri/renderD128.  Aborts if the name is
 * unknown.
 */
struct sim *
sim_create(const char *name);

void
sim_destroy(struct sim *sim);

/* Completes a number of submissions, the oldest first. */
void
sim_complete(struct sim *sim, unsigned count);

/* Lets the GPU do a few things, if it is running. */
void
sim_look(struct sim *sim);

/* Lets draws and dispatches count constants, whatever their commands say. */
void
sim_count_draws(struct sim *sim);

/* Lets draws and dispatches count by their commands. */
void
sim_count_commands(struct sim *sim);

/* Hangs the GPU as another process would: every context loses its work. */
void
sim_reset(struct sim *sim);

/* Powers the GPU off and on, which is idle: its clock begins again at 0, and
 * on Adreno its counters do.
 */
void
sim_suspend(struct sim *sim);

/* Returns the time of the simulated CPU's clock, which is that of simulated
 * GPUs, and goes by as theirs does or by sim_pass().
 */
uint64_t
sim_cpu_ns(void);

void
sim_pass(uint64_t ns);

/* Lets the CPU's clock go by as that of a timed GPU does. */
void
sim_pass_ticks(struct sim *sim, uint64_t ticks);

/* Writes a draw or a dispatch of this GPU.  Returns its length in dwords, at
 * most SIM_WORK_DW.
 */
#define SIM_WORK_DW 16

unsigned
sim_draw(const struct sim *sim, uint32_t *commands);

unsigned
sim_dispatch(const struct sim *sim, uint32_t *commands);

#endif /* PITOT_SIM_H */
