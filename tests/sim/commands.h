/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Reads a submission's commands: its IBs, and calls and jumps in them. */

#ifndef PITOT_SIM_COMMANDS_H
#define PITOT_SIM_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_engine;

enum sim_progress {
   SIM_DONE,  /* worked; there may be more */
   SIM_WAITS, /* a packet waits for something that cannot come */
   SIM_ENDED, /* all packets are executed */
};

/* Commands that end with a packet, not with their size. */
#define SIM_UNTIL_END UINT64_MAX

/* Commands in memory. */
struct sim_ib {
   uint64_t address, size_B;
   unsigned ring;       /* AMD's ring 1 cannot draw */
   bool is_preemptible; /* AMD: between two packets */
};

/* A family's decoder of commands. */
struct sim_decoder_ops {
   size_t state_B; /* of engine->decoder */
   void (*begin)(struct sim_engine *engine);

   /* Decodes a packet, which waits unless forced. */
   enum sim_progress (*next)(struct sim_engine *engine, bool is_forced);

   /* The length of a packet in dwords, with its header; 0: no packet. */
   unsigned (*length)(uint32_t header);

   /* The dwords of it that are read without checking the length. */
   unsigned (*least_length)(uint32_t header, unsigned generation);

   unsigned max_calls; /* with the IB itself */
   unsigned max_jumps; /* in a submission: more are a loop */
};

/* gen.c, pm4.c, adreno.c */
extern const struct sim_decoder_ops sim_gen_ops, sim_pm4_ops, sim_adreno_ops;

#define SIM_MAX_CALLS 4

struct sim_commands {
   const uint32_t *next;
   const uint32_t *end;
   bool has_size;
};

struct sim_reader {
   const struct sim_decoder_ops *ops;
   unsigned ib_count;                        /* so far */
   struct sim_commands calls[SIM_MAX_CALLS]; /* the last one is current */
   unsigned call_count; /* lower it to return; 0: between IBs */
   unsigned jump_count;
};

/* Continues at an address; a call returns.  Leaves commands that loop. */
void
sim_jump(struct sim_engine *engine, uint64_t address, uint64_t size_B,
         bool is_call);

/* Skips dwords of the current commands. */
void
sim_skip(struct sim_engine *engine, uint64_t count_dw);

/* Continues after a call, or in the next IB if it may begin.  Returns whether
 * commands are left.
 */
bool
sim_has_commands(struct sim_engine *engine, bool may_begin);

/* Returns the next packet.  Returns NULL after a violation: skips a packet
 * that is too short, and leaves commands that are none.
 */
const uint32_t *
sim_peek(struct sim_engine *engine);

/* Takes the packet that sim_peek() returned. */
void
sim_take(struct sim_engine *engine);

#endif /* PITOT_SIM_COMMANDS_H */
