/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside perf only.
 */

#ifndef PITOT_PERF_PRIV_H
#define PITOT_PERF_PRIV_H

#include "pitot/perf_gl.h"
#include "pitot_gl_call.h"
#include "pitot_perf_query.h"

/* time.c: the provider of "GPU Time". */
struct pitot_perf_time {
   struct pitot_perf_provider base;
   struct pitot_context *context;
   struct pitot_perf_set set;
   uint64_t wrap_period_ns; /* after which the clock wraps unseen; 0: never */
};

extern const struct pitot_perf_provider_ops pitot_perf_time_ops;

struct pitot_perf {
   struct pitot_perf_time time;
   struct pitot_perf_provider *providers; /* "GPU Time" is the last */
   struct pitot_perf_provider **last;
   bool is_listed;
   bool has_told_hidden; /* counters */

   struct pitot_perf_group *groups; /* or NULL before they are listed */
   unsigned group_count;

   struct pitot_names handles;       /* of INTEL_performance_query */
   struct pitot_names monitors;      /* of AMD_performance_monitor */
   struct pitot_perf_query *queries; /* all of them, or NULL */
   unsigned active_count;            /* of them */
};

/*
 * query.c
 */

/* Destroys the measurements of a provider that no query measures with.  Waits
 * for those in flight.
 */
void
pitot_perf_destroy_measurements(struct pitot_perf_provider *provider);

/* Destroys the portions of a query that is not active. */
void
pitot_perf_destroy_portions(struct pitot_perf_query *query);

/*
 * monitor.c
 */

/* Creates the portions of a query unless they are there.  Returns 0; -ENOMEM;
 * or -EBUSY if they can never be measured together.
 */
int
pitot_perf_create_portions(struct pitot_perf_query *query);

/*
 * entry.c: what the entry points of both extensions have in common
 */

/* Writes as much of a string as there is room for, and terminates it.
 * Returns the length of the part that was written.
 */
uint32_t
pitot_perf_copy_string(char *out, uint32_t size_B, const char *string);

/* Sends a message, once, if the user is not permitted to see some counters.
 */
void
pitot_perf_tell_hidden(struct pitot_perf_gl *perf_gl);

/* Creates a query of a set, or a monitor, with a name.  Returns NULL without
 * memory, and the name 0.
 */
struct pitot_perf_query *
pitot_perf_add(struct pitot_perf *perf, struct pitot_names *names,
               struct pitot_perf_set *set, uint32_t *name_out);

/* Deletes what has a name, unless nothing has. */
void
pitot_perf_remove(struct pitot_names *names, uint32_t name);

/* Returns what has a name, which is an argument of the call.  Returns NULL
 * after an error, INVALID_VALUE, if nothing has: both documents say so.
 */
struct pitot_perf_query *
pitot_perf_find(const struct pitot_gl_call *call,
                const struct pitot_names *names, const char *argument,
                uint32_t name);

/* Reports a result of pitot_perf_query_begin(). */
void
pitot_perf_check_begin(const struct pitot_gl_call *call,
                       const struct pitot_perf_query *query, int result);

void
pitot_perf_begin(const struct pitot_gl_call *call,
                 const struct pitot_names *names, const char *argument,
                 uint32_t name);

void
pitot_perf_end(const struct pitot_gl_call *call,
               const struct pitot_names *names, const char *argument,
               uint32_t name);

/* Waits for the records of an ended query, which an application asks for if
 * it reads them before they are available.  The noun, the name and the label
 * are for a message.
 */
void
pitot_perf_wait(const struct pitot_gl_call *call,
                struct pitot_perf_query *query, const char *noun,
                uint32_t name, const char *label);

#endif /* PITOT_PERF_PRIV_H */
