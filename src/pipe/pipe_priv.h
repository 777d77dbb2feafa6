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
#include "pitot_compiler.h"
#include "pitot_pipe.h"
#include "pitot_pipe_kind.h"

/* An application has thousands of them, hence the narrow types. */
struct pitot_pipe_query {
   struct pitot_driver_query base;
   struct pipe_query *pq;    /* NULL if the driver cannot measure this */
   struct pipe_query *begin; /* the first of two timestamps, or NULL */
   unsigned flush_count;     /* the client's, when it ended */
   unsigned wait_count;      /* the driver's, when it ended or was last asked
                              * about in vain */
   uint8_t loss_count;       /* the client's, when it ended */
   uint8_t kind;             /* enum pitot_kind; PITOT_KIND_NONE: wrapped */
   bool is_plain;            /* pq is begun and ended, and nothing else */
   bool counts_draws;        /* of its method */
   bool is_counting;         /* active, and in pitot_pipe_info.counting */
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

/* Creates the query about them, unless there is one. */
void
pitot_pipe_disjoint_begin(struct pitot_pipe_client *client);

/* pitot_driver_ops.look_for_disjoint: reads the query, or asks a driver
 * without one for its reset status if that is cheap.
 */
void
pitot_pipe_look_for_disjoint(struct pitot_driver *driver);

/* segment.c */

/* A query of the driver, of a group of statistics or idle. */
struct pitot_pipe_segment {
   struct pitot_pipe_segment *next; /* an older one of the group, or idle */
   struct pipe_query *pq;
   unsigned refs; /* statistics that it is a part of */
   uint8_t index; /* of the only statistic that it counts;
                   * PITOT_PIPE_STATISTIC_COUNT: it counts all of them;
                   * from PITOT_PIPE_FIRST_STREAM on: the primitives generated
                   * by a stream */
};

/* Returns an idle segment of that index, or a new one; NULL without memory.
 */
struct pitot_pipe_segment *
pitot_pipe_segment_take(struct pitot_pipe_client *client, unsigned index);

/* Makes a segment idle, even one in flight, or destroys it if the driver must
 * not use it again or enough of them are idle.
 */
void
pitot_pipe_segment_give(struct pitot_pipe_client *client,
                        struct pitot_pipe_segment *segment);

void
pitot_pipe_segment_destroy(struct pitot_pipe_client *client,
                           struct pitot_pipe_segment *segment);

void
pitot_pipe_segments_destroy_idle(struct pitot_pipe_client *client);

/* Reads the count of a statistic, as pitot_driver_ops.query_result does.  The
 * driver is asked once for all statistics that are read one after the other.
 */
int
pitot_pipe_segment_read(struct pitot_pipe_client *client,
                        struct pitot_pipe_query *query,
                        const struct pitot_pipe_segment *segment, bool wait,
                        uint64_t *value_out);

/* statistics.c: pipeline statistics that share queries of the driver, and the
 * functions of pitot_driver_ops for them.
 */

void
pitot_pipe_statistics_init(struct pitot_pipe_client *client);

/* Frees the memory. */
void
pitot_pipe_statistics_finish(struct pitot_pipe_client *client);

int
pitot_pipe_statistic_create(struct pitot_pipe_client *client,
                            enum pitot_kind kind, unsigned stream,
                            struct pitot_driver_query **query_out);

void
pitot_pipe_statistic_destroy(struct pitot_pipe_client *client,
                             struct pitot_pipe_query *query);

int
pitot_pipe_statistic_begin(struct pitot_pipe_client *client,
                           struct pitot_pipe_query *query);

int
pitot_pipe_statistic_end(struct pitot_pipe_client *client,
                         struct pitot_pipe_query *query);

int
pitot_pipe_statistic_result(struct pitot_pipe_client *client,
                            struct pitot_pipe_query *query, bool wait,
                            uint64_t *result_out);

/* Returns the pipe query that has the result of an ended statistic, for the
 * driver to store, and whether it counts a struct of statistics; NULL if
 * there is not exactly one.  Then later statistics get one each, unless the
 * driver waits for what it stores.
 */
struct pipe_query *
pitot_pipe_statistic_only_query(struct pitot_pipe_client *client,
                                struct pitot_pipe_query *query,
                                bool *is_struct_out);

/* result.c */

/* Reads a pipe query on behalf of a query.  Returns 1 and the result, 0 or
 * -EIO, as pitot_driver_ops.query_result does.
 */
int
pitot_pipe_read(struct pitot_pipe_client *client,
                struct pitot_pipe_query *query, struct pipe_query *pq,
                bool wait, union pipe_query_result *result_out);

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
