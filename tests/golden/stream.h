/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The packets of a query: those before the work that it counts, and those
 * after.
 */

#ifndef PITOT_GOLDEN_STREAM_H
#define PITOT_GOLDEN_STREAM_H

#include "kinds.h"

#define STREAM_MAX_PACKETS 512
#define STREAM_TEXT_SIZE   80

struct packet {
   char text[STREAM_TEXT_SIZE];
   uint64_t address; /* that it writes to, or 0 */
   unsigned length_dw;
};

enum side {
   SIDE_BEGIN,
   SIDE_END,
   SIDE_COUNT,
};

struct side_packets {
   struct packet packets[STREAM_MAX_PACKETS];
   unsigned count;
};

struct stream {
   bool is_there; /* the driver has such queries */
   unsigned work; /* draws and dispatches between the sides */
   struct side_packets sides[SIDE_COUNT];

   /* Of a log: what all of it asked of the kernel, and how much more memory
    * there was after it.
    */
   unsigned ioctl_count;
   int64_t memory_B;
};

/* Takes down a packet of the simulator. */
void
stream_add(struct stream *stream, const char *text, uint64_t address,
           unsigned length_dw);

/* Reads what a driver emitted between two marks from a log of the simulator.
 */
void
stream_read_log(const char *path, const char *mark,
                struct stream *stream_out);

/* Has Pitot make such a query, in a context of its own. */
void
stream_record(const char *gpu, const struct golden_kind *kind,
              struct stream *stream_out);

/* The same for a query of each statistic, all of them at once. */
void
stream_record_statistics(const char *gpu, struct stream *stream_out);

/* Returns what is sampled on a side, each once, in alphabetical order: one a
 * line.  The companions that errata want are left out: the checker of the
 * simulator knows these.
 */
void
stream_samples(const struct stream *stream, enum side side,
               enum pitot_kind kind, char *text_out, size_t size_B);

/* Returns what says that the samples of the end are there, or "". */
const char *
stream_available(const struct stream *stream);

/* Returns how many dwords a side takes: of samples, what they wait for, their
 * companions, and what says that they are there.
 */
unsigned
stream_length_dw(const struct stream *stream, enum side side);

/* Returns how often the command streamer waits on a side. */
unsigned
stream_waits(const struct stream *stream, enum side side);

#endif /* PITOT_GOLDEN_STREAM_H */
