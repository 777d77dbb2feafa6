/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Query objects: the header to read first.
 *
 * A context owns names, query objects and slots.  A name is unused, generated
 * (reserved, no object yet) or belongs to an object.  An object is in one of
 * four states:
 *
 *    IDLE ──begin──► ACTIVE ──end──► ENDED ──resolve──► AVAILABLE
 *                      ▲               │                    │
 *                      └────begin──────┴───────begin────────┘
 *
 * A slot holds the query that is active for a kind (and stream); kinds that
 * exclude each other share one.  Objects are reference counted: the name, the
 * slot and a running conditional render hold a reference each.
 *
 * Every function that can fail returns 0, or a negative errno value and, but
 * for pitot_query_end(), changes nothing.  Callers pass arguments that make
 * sense (see the "must" of each function): errors that an application can
 * make are found one layer above, in pitot/gl.h.
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
   PITOT_STATE_ENDED,     /* the result is still in flight */
   PITOT_STATE_AVAILABLE, /* the result is known and cached */
};

/* A query object.  Callers may read the fields; only core writes them, but
 * for the label, which is the caller's to set and freed with the object.  An
 * application has thousands of them, hence the narrow types.
 */
struct pitot_query {
   uint32_t name;  /* 0 once it is deleted */
   uint8_t refs;   /* at most three */
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
   struct pitot_driver_query *nothing; /* that measured nothing, or NULL: for
                                        * conditions on a query without one */
   void (*render_condition)(struct pitot_driver *driver,
                            struct pitot_driver_query *query, unsigned mode);
};

struct pitot_context_info {
   /* Not owned; must outlive the context. */
   struct pitot_driver *driver;

   /* Deleting the active query ends it at once and closes its slot (desktop
    * GL as Mesa and piglit have it), rather than that it lives until it is
    * ended (OpenGL ES 3.2, section 5.1.3).
    */
   bool delete_ends_active;

   uint64_t (*suspended_ns)(void); /* as in struct pitot_gl_info */
   int64_t (*cpu_time_ns)(void);  /* likewise */
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

/* Returns the info that the context was created with. */
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

/* Returns whether the name is generated or has an object. */
static inline bool
pitot_name_is_used(const struct pitot_context *context, uint32_t name)
{
   const struct pitot_context_head *head = (const void *)context;
   void *const *entry = pitot_names_find(&head->names, name);

   return entry && *entry;
}

/* Returns the object of that name, or NULL if the name is unused or only
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

/* Returns in query_out the object of that name, a new idle one if there is
 * none; the name, which must not be 0, is used from then on.  Returns 0 or
 * -ENOMEM.
 */
int
pitot_query_obtain(struct pitot_context *context, uint32_t name,
                   struct pitot_query **query_out);

/* Creates an object of that kind with a result of 0, available, for an unused
 * or generated name.  Returns 0 or -ENOMEM.  (glCreateQueries, OpenGL 4.6
 * core, section 4.2.2.)
 */
int
pitot_query_create(struct pitot_context *context, uint32_t name,
                   enum pitot_kind kind);

/* Frees the name.  An object that is still active or the condition of
 * rendering lives on without it (see delete_ends_active).  Unused names are
 * ignored.  Never waits.
 */
void
pitot_query_delete(struct pitot_context *context, uint32_t name);

/*
 * Measuring
 */

/* Returns the query in the slot of that kind and stream, or NULL.  Its own
 * kind may be another one that shares the slot.
 */
static inline struct pitot_query *
pitot_query_active(const struct pitot_context *context, enum pitot_kind kind,
                   unsigned stream)
{
   const struct pitot_context_head *head = (const void *)context;

   return head->slots[pitot_kind_info(kind)->slot + stream];
}

/* Begins a query, which must not be active, in a slot, which must be empty.
 * A result still in flight is dropped without waiting for it.  An instant
 * kind has no slot: the query ends at once, and records the time when all
 * commands so far are done (glQueryCounter, OpenGL 4.6 core, 4.3).  Returns
 * 0, -ENOMEM, or the driver's error.
 */
int
pitot_query_begin(struct pitot_context *context, struct pitot_query *query,
                  enum pitot_kind kind, unsigned stream);

/* Ends the query in a slot, which must not be empty.  The slot is empty
 * afterwards whatever is returned.  Returns 0, or the driver's error: then
 * the result is 0 and available.
 */
int
pitot_query_end(struct pitot_context *context, enum pitot_kind kind,
                unsigned stream);

/*
 * Results
 */

/* For pitot_query_resolve(): of a query that is not available. */
bool
pitot_query_resolve_ended(struct pitot_context *context,
                          struct pitot_query *query, bool wait);

/* Makes the result of an ended query available, and those of all older ones
 * of its type before it ("all queries of the same type issued prior to that
 * query must also return TRUE", OpenGL 4.6 core, 4.2.3).  Returns whether it
 * is available now.  Waits only with wait, and then returns true always: on a
 * lost device the result is 0 and the disjoint latch is set.
 */
static inline bool
pitot_query_resolve(struct pitot_context *context, struct pitot_query *query,
                    bool wait)
{
   return query->state == PITOT_STATE_AVAILABLE ||
          pitot_query_resolve_ended(context, query, wait);
}

/* For pitot_query_store(): returns whether timestamps were moved on, by steps
 * back of the clock that the driver does not know of.
 */
bool
pitot_clock_was_moved(const struct pitot_context *context);

/* For pitot_query_store(): notes that the application may read from a buffer
 * that a query is available, and hence that all older ones are.
 */
void
pitot_query_note_stored_available(const struct pitot_query *query);

/* Asks the driver to store a result, still in flight, in GPU memory at
 * resource (the driver's own) + offset_B.  Returns true if it is stored or
 * will be, in the order of the command stream; false if the caller has to
 * resolve the query and write the value itself: the result is known already,
 * or the driver cannot store this one clamped to the type.  A result that is
 * not to be waited for is waited for nevertheless, and then false is
 * returned, if the availability that the driver stored before may say that it
 * is there.
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
   if (store == PITOT_STORE_RESULT_NO_WAIT &&
       query->driver_query->must_ask)
      pitot_query_resolve_ended(context, query, true);
   return false;
}

/* Returns how many bits a result of that kind counts truly; 0 if the driver
 * cannot count it, and then every result is 0.
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

/* Returns whether to render now, for draws of the CPU.  Waits if the mode
 * says so.
 */
bool
pitot_condition_passes(struct pitot_context *context);

/*
 * Time
 */

/* Returns the GPU's time now, in nanoseconds: the clock of
 * PITOT_KIND_TIMESTAMP.  Never less than it returned before.  Neither flushes
 * nor waits.
 */
uint64_t
pitot_timestamp_ns(struct pitot_context *context);

/* Returns a time that the driver recorded as it is in the results of
 * timestamp queries: moved on by the clock's earlier steps back.
 */
uint64_t
pitot_recorded_ns(const struct pitot_context *context, uint64_t time_ns);

/* Returns whether times measured since the last call may be worthless, and
 * forgets it (GPU_DISJOINT_EXT, EXT_disjoint_timer_query): a timestamp
 * stepped back, the clock may have wrapped unseen, the system was suspended,
 * the device was lost, or the driver says so.
 */
bool
pitot_disjoint_take(struct pitot_context *context);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_QUERY_H */
