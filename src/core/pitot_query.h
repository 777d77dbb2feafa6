/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Query objects: the header to read first.
 *
 * A context owns names, query objects and slots.  A name is unused, generated
 * (reserved, without an object) or the name of an object.  An object is in
 * one of four states:
 *
 *    IDLE ──begin──► ACTIVE ──end──► ENDED ──resolve──► AVAILABLE
 *                      ▲               │                    │
 *                      └────begin──────┴───────begin────────┘
 *
 * A slot holds the active query of a kind (and stream); kinds that exclude
 * each other share a slot.  Objects are reference counted: the name, the slot
 * and a running conditional render hold a reference each.
 *
 * An object measures with a driver query (pitot/driver.h).  If it is begun
 * again in flight, it gets another one.  The binding of a kind and stream
 * (pitot_binding.h) has the slot, and the driver queries that are idle.
 *
 * Every function that can fail returns 0, or a negative errno value.  After
 * an error nothing has changed, except in pitot_query_end().  Arguments have
 * to be valid (see the "must" of each function): pitot/gl.h, one layer above,
 * checks for an application's errors.
 *
 * Threads: a context and all that it owns belong to one thread at a time, as
 * a GL context does (OpenGL 4.6 core, chapter 5).
 */

#ifndef PITOT_QUERY_H
#define PITOT_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "pitot/driver.h"
#include "pitot/kind.h"
#include "pitot/result.h"
#include "pitot_names.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pitot_state {
   PITOT_STATE_IDLE,      /* never begun: no kind, no result */
   PITOT_STATE_ACTIVE,    /* between begin and end */
   PITOT_STATE_ENDED,     /* the result is in flight */
   PITOT_STATE_AVAILABLE, /* the result is known and cached */
};

/* A query object.  Callers may read the fields.  Only core writes them,
 * except the label, which the caller sets and core frees with the object.  An
 * application has thousands of objects, hence the narrow types.
 */
struct pitot_query {
   uint32_t name;  /* 0 once it is deleted */
   uint8_t refs;   /* at most three: name, slot, condition */
   uint8_t state;  /* enum pitot_state */
   uint8_t kind;   /* enum pitot_kind: PITOT_KIND_NONE while idle */
   uint8_t stream; /* below PITOT_MAX_STREAMS */

   uint64_t result; /* meaningful when available */
   char *label;     /* malloc'ed, or NULL */

   struct pitot_driver_query *driver_query; /* NULL before the first use */
};

struct pitot_context;

/* The beginning of a context, for the inline functions below only. */
struct pitot_context_head {
   struct pitot_names names;
   struct pitot_driver *driver;
   struct pitot_query *slots[PITOT_SLOT_COUNT];
   struct pitot_query *condition;
   unsigned condition_mode;            /* of enum pitot_condition_flag */
   struct pitot_driver_query *nothing; /* has measured nothing, or NULL: for
                                        * conditions on a query without one */

   /* pitot_driver_ops.render_condition, or a function that does nothing. */
   void (*render_condition)(struct pitot_driver *driver,
                            struct pitot_driver_query *query, unsigned mode);
};

struct pitot_context_info {
   /* Not owned; must outlive the context. */
   struct pitot_driver *driver;

   /* Deleting an active query ends it immediately and empties its slot
    * (desktop GL, as in Mesa and piglit).  Otherwise the query lives until it
    * is ended (OpenGL ES 3.2, section 5.1.3).
    */
   bool delete_ends_active;

   uint64_t (*suspended_ns)(void); /* as in struct pitot_gl_info */
   int64_t (*cpu_time_ns)(void);   /* likewise */
};

/* Creates a context.  Returns 0 and the context, which the caller destroys,
 * or -ENOMEM.
 */
int
pitot_context_create(const struct pitot_context_info *info,
                     struct pitot_context **context_out);

/* Ends active queries and frees every object.  Accepts NULL. */
void
pitot_context_destroy(struct pitot_context *context);

const struct pitot_context_info *
pitot_context_info(const struct pitot_context *context);

/*
 * Names
 */

/* Reserves the lowest unused names.  Returns 0, or -ENOMEM and reserves
 * nothing.  (glGenQueries, OpenGL 4.6 core, section 4.2.2.)
 */
int
pitot_names_generate(struct pitot_context *context, unsigned count,
                     uint32_t *names_out);

/* Returns whether a name is generated or has an object. */
static inline bool
pitot_name_is_used(const struct pitot_context *context, uint32_t name)
{
   const struct pitot_context_head *head = (const void *)context;
   void *const *entry = pitot_names_find(&head->names, name);

   return entry && *entry;
}

/* Returns the object of a name, or NULL if the name is unused or only
 * generated.  Owned by the context.
 */
static inline struct pitot_query *
pitot_query_lookup(const struct pitot_context *context, uint32_t name)
{
   const struct pitot_context_head *head = (const void *)context;

   void *const *entry = pitot_names_find(&head->names, name);

   return entry && (uintptr_t)*entry > (uintptr_t)PITOT_NAMES_RESERVED
             ? (struct pitot_query *)*entry
             : NULL;
}

/* Returns in query_out the object of a name, or a new idle object if the name
 * has none.  The name must not be 0, and is used afterwards.  Returns 0 or
 * -ENOMEM.
 */
int
pitot_query_obtain(struct pitot_context *context, uint32_t name,
                   struct pitot_query **query_out);

/* Creates an object of a kind, available with a result of 0, for an unused or
 * generated name.  Returns 0 or -ENOMEM.  (glCreateQueries, OpenGL 4.6 core,
 * section 4.2.2.)
 */
int
pitot_query_create(struct pitot_context *context, uint32_t name,
                   enum pitot_kind kind);

/* Frees a name.  An object that is still active, or the condition of
 * rendering, stays alive without its name (see delete_ends_active).  Ignores
 * unused names.  Never waits.
 */
void
pitot_query_delete(struct pitot_context *context, uint32_t name);

/*
 * Measuring
 */

/* Returns the query in the slot of a kind and stream, or NULL.  The query may
 * be of another kind that shares the slot.
 */
static inline struct pitot_query *
pitot_query_active(const struct pitot_context *context, enum pitot_kind kind,
                   unsigned stream)
{
   const struct pitot_context_head *head = (const void *)context;

   return head->slots[pitot_kind_info(kind)->slot + stream];
}

/* Begins a query, which must not be active, in a slot, which must be empty.
 * Drops a result in flight without waiting for it.  An instant kind has no
 * slot: the query ends immediately, and records the time when all earlier
 * commands are done (glQueryCounter, OpenGL 4.6 core, 4.3).  Returns 0,
 * -ENOMEM, or the driver's error.
 */
int
pitot_query_begin(struct pitot_context *context, struct pitot_query *query,
                  enum pitot_kind kind, unsigned stream);

/* Ends the query in a slot, which must not be empty.  Empties the slot even
 * after an error.  Returns 0, or the driver's error: then the result is 0 and
 * available.
 */
int
pitot_query_end(struct pitot_context *context, enum pitot_kind kind,
                unsigned stream);

/*
 * Results
 */

/* For pitot_query_resolve(): the query is not available. */
bool
pitot_query_resolve_ended(struct pitot_context *context,
                          struct pitot_query *query, bool wait);

/* Makes the result of an ended query available, and before it the results of
 * all older queries of its type ("all queries of the same type issued prior
 * to that query must also return TRUE", OpenGL 4.6 core, 4.2.3).  Returns
 * whether the result is available now.  Waits only with wait, and then always
 * returns true: on a lost device the result is 0 and the disjoint flag is
 * set.
 */
static inline bool
pitot_query_resolve(struct pitot_context *context, struct pitot_query *query,
                    bool wait)
{
   return query->state == PITOT_STATE_AVAILABLE ||
          pitot_query_resolve_ended(context, query, wait);
}

/* For pitot_query_store(): returns whether the clock stepped back.  Then core
 * moves timestamps on, but the driver would store them as it recorded them.
 */
bool
pitot_clock_was_moved(const struct pitot_context *context);

/* For pitot_query_store(): notes that the application may read from a buffer
 * that a query is available, and hence that all older queries are.
 */
void
pitot_query_note_stored_available(const struct pitot_query *query);

/* Makes the driver store a result in flight in GPU memory, at resource (the
 * driver's own) + offset_B.  Returns true if the result is stored, now or
 * later, in the order of the command stream.  Returns false if the caller has
 * to resolve the query and write the value, because the result is known or
 * the driver cannot store it clamped to the type.
 *
 * If the driver stored the availability before, the buffer may say TRUE.  A
 * PITOT_STORE_RESULT_NO_WAIT that the driver cannot store then waits for the
 * result, and returns false.
 */
static inline bool
pitot_query_store(struct pitot_context *context, struct pitot_query *query,
                  enum pitot_store store, enum pitot_type type,
                  void *resource, uint64_t offset_B)
{
   const struct pitot_context_head *head = (const void *)context;
   struct pitot_driver *driver = head->driver;

   if (query->state != PITOT_STATE_ENDED)
      return false;
   if (driver->ops->query_store &&
       (query->kind != PITOT_KIND_TIMESTAMP ||
        !pitot_clock_was_moved(context)) &&
       driver->ops->query_store(driver, query->driver_query, store, type,
                                resource, offset_B)) {
      if (store == PITOT_STORE_AVAILABLE)
         pitot_query_note_stored_available(query);
      return true;
   }
   if (store == PITOT_STORE_RESULT_NO_WAIT && query->driver_query->must_ask)
      pitot_query_resolve_ended(context, query, true);
   return false;
}

/* Returns how many bits of a result are valid; 0 if the driver cannot count
 * the kind: then every result is 0.
 */
unsigned
pitot_counter_bits(const struct pitot_context *context, enum pitot_kind kind);

/*
 * Conditional rendering; it begins and ends in pitot_condition.h
 */

/* Returns the query that rendering depends on, or NULL. */
static inline struct pitot_query *
pitot_condition_query(const struct pitot_context *context)
{
   return ((const struct pitot_context_head *)context)->condition;
}

/* Returns whether to draw now, for draws that the CPU executes.  Waits if the
 * mode does.
 */
bool
pitot_condition_passes(struct pitot_context *context);

/*
 * Time
 */

/* Returns the GPU's time now, in nanoseconds, on the clock of
 * PITOT_KIND_TIMESTAMP.  Never less than at an earlier call.  Neither flushes
 * nor waits.
 */
uint64_t
pitot_timestamp_ns(struct pitot_context *context);

/* Converts a time that the driver recorded to what a timestamp query returns:
 * adds the clock's earlier steps back.
 */
uint64_t
pitot_recorded_ns(const struct pitot_context *context, uint64_t time_ns);

/* Returns whether times measured since the last call may be invalid, and
 * resets that (GPU_DISJOINT_EXT, EXT_disjoint_timer_query): the clock stepped
 * back or may have wrapped undetected, the system was suspended, the device
 * was lost, or the driver reports it.
 */
bool
pitot_disjoint_take(struct pitot_context *context);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_QUERY_H */
