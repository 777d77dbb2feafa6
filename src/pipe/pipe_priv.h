/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside pipe only.
 */

#ifndef PITOT_PIPE_PRIV_H
#define PITOT_PIPE_PRIV_H

#include "pipe/p_screen.h"
#include "pitot/compiler.h"
#include "pitot/pipe.h"
#include "pitot/pipe_kind.h"

/* An application has thousands of them, hence the narrow types. */
struct pitot_pipe_query {
   struct pitot_driver_query base;
   struct pipe_query *pq;     /* NULL if the driver cannot measure this */
   struct pipe_query *begin;  /* the first of two timestamps, or NULL */
   unsigned flush_count;      /* the client's, when it ended */
   unsigned wait_count;       /* the client's, when it ended or was last asked
                               * about in vain */
   uint8_t kind;              /* enum pitot_kind; PITOT_KIND_NONE: wrapped */
   bool is_plain;             /* pq is begun and ended, and nothing else */
   bool counts_draws;         /* of its method */
   bool is_counting;          /* active, and in pitot_pipe_info.counting */
   bool has_stored_available; /* in a buffer, since it ended */
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

static inline const struct pitot_pipe_method *
pitot_pipe_method_of(const struct pitot_pipe_client *client,
                     const struct pitot_pipe_query *query)
{
   return &client->methods[query->kind];
}

/* Returns the bit of pitot_pipe_method.stores. */
static inline unsigned
pitot_pipe_store_bit(enum pitot_store store, enum pitot_type type)
{
   return 1u << (store * PITOT_TYPE_COUNT + type);
}

/* kind_map.c: returns how many bits a driver counts; 0 if it does not. */
unsigned
pitot_pipe_kind_bits(const struct pitot_pipe_kind *kind,
                     const struct pitot_pipe_info *info);

/* disjoint.c: the driver's own knowledge of disjoint times. */

/* Opens a query about them, unless one is open. */
void
pitot_pipe_disjoint_begin(struct pitot_pipe_client *client);

/* pitot_driver_ops.look_for_disjoint: ends the query, opens another one, and
 * takes an answer that is available.
 */
void
pitot_pipe_look_for_disjoint(struct pitot_driver *driver);

/* result.c */

/* Returns whether u_threaded_context would drain its queue if it were asked
 * for the result: it has not flushed this query yet.
 */
bool
pitot_pipe_would_drain(const struct pitot_pipe_client *client,
                       struct pipe_query *pq);

/* Functions of pitot_driver_ops. */

int
pitot_pipe_query_result(struct pitot_driver *driver,
                        struct pitot_driver_query *base, bool wait,
                        uint64_t *result_out);

int
pitot_pipe_fence_create(struct pitot_driver *driver,
                        struct pitot_fence **fence_out);

bool
pitot_pipe_fence_is_done(struct pitot_driver *driver,
                         struct pitot_fence *fence);

void
pitot_pipe_fence_destroy(struct pitot_driver *driver,
                         struct pitot_fence *fence);

bool
pitot_pipe_query_store(struct pitot_driver *driver,
                       struct pitot_driver_query *base,
                       enum pitot_store store, enum pitot_type type,
                       void *resource, uint64_t offset_B);

#endif /* PITOT_PIPE_PRIV_H */
