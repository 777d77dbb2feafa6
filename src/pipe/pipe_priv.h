/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside pipe only.
 */

#ifndef PITOT_PIPE_PRIV_H
#define PITOT_PIPE_PRIV_H

#include <stddef.h>

#include "pipe/p_screen.h"
#include "pitot/pipe.h"
#include "pitot/pipe_kind.h"

/* kind_map.c: what drivers count of a kind. */

/* Returns whether a driver counts this only together with the other
 * statistics, in one struct.
 */
bool
pitot_pipe_kind_is_in_struct(const struct pitot_pipe_kind *row,
                             const struct pipe_caps *caps);

/* Returns how many bits a driver counts; 0 if it does not. */
unsigned
pitot_pipe_kind_bits(const struct pitot_pipe_kind *row,
                     const struct pitot_pipe_info *info);

/*
 * client.c and result.c: one query, as the client keeps it.
 */

struct pitot_pipe_query {
   struct pitot_driver_query base;
   const struct pitot_pipe_kind *row;
   bool is_boolean;
   bool is_struct;            /* one of the 11 counters in a struct */
   bool is_counting;          /* active, and in pitot_pipe_info.counting */
   bool counts;               /* what is drawn, not time */
   bool has_stored_available; /* in a buffer, since it ended */
   bool is_apart;             /* a time that is taken between flushes */
   unsigned flush_count;      /* the client's, when it ended */
   unsigned wait_count;       /* the client's, when it ended or was last asked
                               * about in vain */
   struct pipe_query *pq;     /* NULL if the driver cannot measure this */
   struct pipe_query *begin;  /* where two timestamps make up for a type that
                               * the driver lacks or gets wrong: the first */
   uint8_t apart[PITOT_CACHE_LINE_B];
};

static inline struct pitot_pipe_client *
pitot_pipe_client_of(struct pitot_driver *driver)
{
   return (struct pitot_pipe_client *)driver;
}

static inline struct pitot_pipe_query *
pitot_pipe_query_of(struct pitot_driver_query *query)
{
   return (struct pitot_pipe_query *)query;
}

/* Notes where a query ends, for the polls that ask for it. */
static inline void
pitot_pipe_note_end(const struct pitot_pipe_client *client,
                    struct pitot_pipe_query *query)
{
   query->flush_count = client->flush_count;
   query->wait_count = client->wait_count;
   query->has_stored_available = false;
}

static inline const struct pipe_caps *
pitot_pipe_caps_of(const struct pitot_pipe_client *client)
{
   return &client->info.pipe->screen->caps;
}

/* disjoint.c: what the driver knows of disjoint times. */

/* Opens a query about them, unless one is open. */
void
pitot_pipe_disjoint_begin(struct pitot_pipe_client *client);

/* Ends it, opens another one, and takes the answer that is there. */
void
pitot_pipe_disjoint_look(struct pitot_pipe_client *client);

void
pitot_pipe_disjoint_finish(struct pitot_pipe_client *client);

/* result.c: the part of pitot_driver_ops that asks for results. */

/* Returns whether u_threaded_context would drain its queue if it were asked
 * for the result: it has not flushed this query yet.
 */
bool
pitot_pipe_would_drain(const struct pitot_pipe_client *client,
                       struct pipe_query *pq);

int
pitot_pipe_query_result(struct pitot_driver *driver,
                        struct pitot_driver_query *base, bool wait,
                        uint64_t *result_out);

/* Asks for what one of a query's pipe queries measured: as query_result does,
 * before it is known what the value is.
 */
int
pitot_pipe_fetch(struct pitot_pipe_client *client,
                 struct pitot_pipe_query *query, struct pipe_query *pq,
                 bool wait, union pipe_query_result *result_out);

int
pitot_pipe_fence_create(struct pitot_driver *driver,
                        struct pitot_fence **fence_out);

bool
pitot_pipe_fence_is_done(struct pitot_driver *driver,
                         struct pitot_fence *mark);

void
pitot_pipe_fence_destroy(struct pitot_driver *driver,
                         struct pitot_fence *mark);

void
pitot_pipe_look_for_disjoint(struct pitot_driver *driver);

bool
pitot_pipe_query_store(struct pitot_driver *driver,
                       struct pitot_driver_query *base, enum pitot_store what,
                       enum pitot_type type, void *resource,
                       uint64_t offset_B);

#endif /* PITOT_PIPE_PRIV_H */
