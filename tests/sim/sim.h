/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A simulated kernel with a simulated GPU, behind struct pitot_drm_io.  It
 * executes the commands that samples need, and reports a violation for each
 * command that hardware would not execute as its driver means it.
 *
 *    struct sim *sim = sim_create("skl");
 *    sim->draw.samples = 7;           of each draw from now on
 *    pitot_drm_open(&sim->io, NULL, &device, message);
 *    ...                              record, with sim_draw() as the draws
 *    assert_string_equal(sim->violations, "");
 *    sim_destroy(sim);
 *
 * All fields above "Results" may be set at any time.  The simulator proves
 * agreement with the encodings of Mesa's drivers, not with hardware.
 */

#ifndef PITOT_SIM_H
#define PITOT_SIM_H

#include "pitot/drm.h"
#include "schedule.h"

#define SIM_MAX_BACKENDS 32
#define SIM_CUE          0x4355453fu
#define SIM_STREAM_COUNT 4

/* The order of Intel's registers and of Gallium. */
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

struct sim_work {
   uint64_t statistics[SIM_STATISTIC_COUNT];
   uint64_t samples; /* AMD: spread over the render backends */
   uint64_t streamout[SIM_STREAM_COUNT][SIM_STREAMOUT_COUNT];
   uint64_t ticks;
};

/* See gpus.c. */
struct sim_gpu {
   const char *key; /* name in the simulator */
   union {          /* for Pitot to find */
      struct pitot_gpu facts;
      struct pitot_intel_gpu intel;
      struct pitot_amd_gpu amd;
   };
   bool is_intel, is_amd, is_adreno;
   const char *driver;
   int version[3];
   unsigned device_id, pci_revision;

   bool has_llc;         /* Intel */
   bool is_discrete;     /* Intel */
   bool has_pat;         /* Intel: buffers have a cache policy */
   unsigned ps_multiple; /* Intel: PS_INVOCATION_COUNT per invocation */

   /* Intel: in one slice. */
   unsigned subslices, units_per_subslice;

   unsigned family, revision; /* AMD */
   unsigned pfp_version;      /* AMD */
   bool packs_backends;       /* AMD: see struct sim */

   uint64_t chip_id;  /* Adreno */
   unsigned gmem_KiB; /* Adreno: the memory of a tile */
};

extern const struct sim_gpu sim_gpus[];
extern const unsigned sim_gpu_count;

/* Aborts if no GPU has this key. */
const struct sim_gpu *
sim_gpu(const char *name);

/* Faults of a GPU or its kernel, for tests of fault checks.  Writes are
 * numbered from 1 in the order of arrival.
 */
struct sim_faults {
   unsigned lost_write;    /* never arrives */
   unsigned lost_status;   /* AMD: a submission that never ends */
   uint32_t lost_backends; /* AMD: mask of backends that write nothing */
   uint64_t drift;         /* added to counters with each packet */
   bool reorders_fences;   /* before samples, under a schedule */
   bool loses_carry;       /* Intel: between the halves of a sum */
   bool ignores_predicate;
   int reported_ppm;         /* error of the reported frequency */
   unsigned read_back_ticks; /* how far one of some dozens of reads is back */
   unsigned ahead_ticks;     /* how far the CPU's reads are ahead */
   unsigned write_count;     /* so far */
   unsigned read_count;
};

struct sim_kernel;

struct sim {
   struct pitot_drm_io io;
   struct sim_gpu gpu; /* a copy, which a test may change */

   /* The clock advances with each packet and each read.  If is_live is set,
    * it also follows the CPU's clock, and work takes real time.
    */
   uint64_t now_ticks;
   bool is_live;
   uint64_t followed_ns;   /* CPU's clock at the last update */
   uint64_t followed_rest; /* of a tick, in ticks per NS_PER_S */
   uint64_t ticks_per_packet;
   uint64_t ticks_per_read;
   bool is_timed;        /* advances the simulated CPU's clock */
   uint64_t passed_rest; /* of a nanosecond, in 1 / timestamp_hz */

   struct sim_work draw, dispatch;

   /* Choices that hardware leaves open: see schedule.h. */
   struct sim_schedule schedule;

   /* Count work by its commands (draws.c), not by the constants of draw.
    * These stay: ticks, and what is in no command: samples per primitive,
    * GS_PRIMITIVES per primitive into a geometry shader, DS_INVOCATIONS per
    * patch.
    */
   bool counts_commands;

   /* Submissions complete only by a wait or sim_complete(). */
   bool is_delayed;

   /* Each ioctl and sim_advance() executes a few steps. */
   bool is_running;

   /* Index, from 1 on, of the ioctl or submission that fails; 0: none. */
   unsigned hang_on_submit;
   unsigned fail_ioctl_on;
   int fail_errno;
   unsigned interruptions; /* EINTR before each ioctl */
   int open_errno;
   int mmap_errno;
   bool reset_clears_clock;
   bool keeps_contexts; /* a hang loses its submission only */

   /* The next work has a cue (cue.h): no other ring's may come first. */
   bool is_cued;

   /* AMD: samples of backends arrive after all other writes, except for the
    * end of a submission and a wait for them.
    */
   bool delays_backends;

   /* Intel: the kernel driver is xe, even if the GPU's is i915. */
   bool is_xe;

   /* Intel: the kernel reports that it resets no GPU. */
   bool resets_nothing;

   /* Intel: as before Linux 5.3, each ring has its own context. */
   bool hides_engines;

   /* AMD: memory can be encrypted (TMZ), and secure commands must not write
    * to other memory.  Checked for render backends only.
    */
   bool has_tmz;

   /* AMD, from GFX9 on: the kernel preempts commands between two packets if
    * their driver allows it, under a schedule.  The other contexts change
    * registers, and draw if others_draw is set.
    */
   bool preempts;
   bool others_draw;

   /* AMD: a sample while statistics are off is no violation. */
   bool may_sample_uncounted;

   unsigned suspend_count; /* Adreno: of power-off */

   /* Adreno: the command processor sees its own writes, as Mesa's driver
    * needs.
    */
   bool sees_posted;

   /* AMD: enabled backends use the first slots, not their numbers'. */
   bool packs_backends;

   /* AMD: mask of backends that do not exist, but are reported enabled. */
   uint32_t absent_backends;

   struct sim_faults faults;

   /* Called after each write of the GPU, in its order; on Adreno also for a
    * CP_NOP with SIM_CUE, address and value.
    */
   void (*on_write)(void *data, uint64_t address, uint64_t value);
   void *on_write_data;

   void (*on_violation)(const char *packet, const char *rule);

   /* Called for each packet that samples, waits, counts or works, in the
    * command streamer's order, with a description and the written address or
    * 0.
    */
   void (*on_packet)(void *data, const char *text, uint64_t address);
   void *on_packet_data;
   unsigned note_count; /* calls of on_packet */

   /* Called before each command; with none at the beginning of a batch. */
   void (*on_command)(void *data, const uint32_t *dw, unsigned count_dw);
   unsigned ring; /* engine that executes the command */

   /* Results */
   unsigned ioctl_count;
   /* ioctls whose number depends on how busy the machine is: threads of
    * drivers that destroy syncobjs, msm's about memory, and repeated reads of
    * the clock.
    */
   unsigned untimely_count;
   unsigned submit_count;
   unsigned wait_count;       /* of the CPU for submissions */
   unsigned blocked_count;    /* waits for a submission that was not done */
   unsigned fence_wait_count; /* i915: of submissions, for fences */
   unsigned open_count;       /* files */
   unsigned mapping_count;    /* of the CPU */
   unsigned object_count;     /* handles and contexts */
   uint64_t memory_B;         /* of buffers */
   char violations[1024];     /* one per line */
   unsigned violation_count;

   struct sim_kernel *kernel;
};

/* The GPU is /dev/dri/renderD128.  Aborts if the name is unknown. */
struct sim *
sim_create(const char *name);

void
sim_destroy(struct sim *sim);

/* Completes the oldest submissions. */
void
sim_complete(struct sim *sim, unsigned count);

/* The GPU does a few steps, if is_running is set. */
void
sim_advance(struct sim *sim);

void
sim_count_draws(struct sim *sim);

/* Draws and dispatches count by their commands. */
void
sim_count_commands(struct sim *sim);

/* As if another process hung the GPU: every context loses its work. */
void
sim_reset(struct sim *sim);

/* Powers off: the clock restarts at 0, on Adreno also the counters. */
void
sim_suspend(struct sim *sim);

/* The CPU's clock of all GPUs: it advances with theirs, and by sim_pass(). */
uint64_t
sim_cpu_ns(void);

void
sim_pass(uint64_t ns);

/* Advances the CPU's clock as a timed GPU does. */
void
sim_pass_ticks(struct sim *sim, uint64_t ticks);

/* Writes a draw or dispatch for this GPU.  Returns its length in dwords. */
#define SIM_WORK_DW 16

unsigned
sim_draw(const struct sim *sim, uint32_t *commands);

unsigned
sim_dispatch(const struct sim *sim, uint32_t *commands);

#endif /* PITOT_SIM_H */
