/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The model: query objects as the documents have them (OpenGL 4.6 core,
 * chapters 4.2, 4.3 and 10.9; OpenGL ES 3.2; ARB_query_buffer_object and the
 * other extensions), and what each call may do.  It is plain and slow, and
 * knows nothing of Pitot but "Where sources disagree" in
 * docs/architecture.md.
 */

#ifndef PITOT_MODEL_MODEL_H
#define PITOT_MODEL_MODEL_H

#include "quirks.h"
#include "world.h"

#define MAX_OBJECTS      40
#define MAX_PERF_QUERIES 12
#define MAX_CELLS        8
#define SLOT_COUNT       T_COUNT
#define MAX_COLORS       6

/* Values that are allowed. */
struct set {
   uint64_t lowest, highest;
   bool or_zero;
};

/* Whether a result is withheld by who controls the world. */
enum held { HELD_NO, HELD_MAYBE, HELD_YES };

/* Whether GPU_DISJOINT is TRUE at the next look. */
enum disjoint { DISJOINT_NO, DISJOINT_MAYBE, DISJOINT_YES };

struct result {
   uint64_t issue; /* the later it was issued, the higher */
   bool is_known;  /* it was available, */
   bool is_kept;   /* as the application was told: no device has it alone */
   bool must;      /* so it must be now, whoever asks */
   enum held held;
};

/* The allowances of a driver's quirks for a measurement that goes on. */
struct allowance {
   bool more;      /* the value may be more, if it is a boolean, */
   bool any;       /* or anything */
   bool two_faces; /* who looks again may see another one */
   bool no_store;  /* it may not be stored in buffers */
};

/* A name, and the object if there is one. */
struct object {
   uint32_t name; /* 0 once it is deleted */
   bool is_taken; /* this entry is in use */
   bool is_object;
   bool is_active;
   bool is_condition;
   bool has_result;
   enum target target;
   unsigned index;
   struct result result;
   struct set value;
   uint64_t begin_lowest, begin_highest; /* what was counted by then */
   struct allowance allows;
};

/* A perf query, or a monitor. */
struct perf_query {
   uint32_t handle; /* or the monitor's name */
   unsigned set;
   bool is_monitor;
   bool is_vague; /* what it measures is not known, after a failure */
   bool selected[SET_COUNT][SELECTED_COUNT];
   bool is_active;
   bool has_result;
   bool is_failed;
   uint64_t begin_ns, end_ns; /* where times are exact */
   struct result result;
   struct set values[STATISTIC_COUNT];
   bool allows_any[STATISTIC_COUNT]; /* a quirk does */
};

/* A value that was written to a buffer. */
struct cell {
   int offset, size_B; /* size 0: nothing */
   enum type type;
   struct set value;
   bool or_old;  /* the write may not have been */
   bool has_old; /* what was there before: a value */
   struct set old;
   enum type old_type;
   bool is_available; /* of that issue */
   bool is_result;
   uint64_t issue;
};

struct buffer {
   struct cell cells[MAX_CELLS];
   bool unknown[BUFFER_SIZE_B];
   bool is_mapped;
};

struct model_context {
   struct variables variables;
   struct object objects[MAX_OBJECTS];
   struct object *slots[SLOT_COUNT][MAX_STREAMS];
   struct perf_query perf_queries[MAX_PERF_QUERIES];
   struct buffer buffers[BUFFER_COUNT];
   uint64_t lowest[T_COUNT][MAX_STREAMS]; /* counted so far */
   uint64_t highest[T_COUNT][MAX_STREAMS];
   struct object *condition;
   unsigned mode;
   bool condition_is_known; /* it was known when the condition began */
   uint64_t issued;
   uint64_t time_floor;
   bool is_holding, is_lost;
   enum disjoint disjoint;
   uint64_t disjoint_after; /* issues after this one set it if read */
   bool has_taken_time;
   unsigned colors[MAX_COLORS];
   unsigned color_count; /* 0: of any color */
};

struct model {
   const struct features *features;
   struct model_context contexts[MAX_CONTEXTS];
   bool used[MAX_CONTEXTS];
   unsigned quirks;
   char difference[240];
};

void
model_init(struct model *model, const struct features *features,
           unsigned quirks);

/* Returns the errors that a call may give (E_NONE is one); 0 if the call
 * cannot be made here, or is undefined.
 */
unsigned
model_errors(const struct model *model, const struct call *call);

/* Has a call made: returns how its outcome differs from all that is allowed,
 * or NULL.
 */
const char *
model_step(struct model *model, const struct call *call, unsigned errors,
           const struct outcome *outcome);

/* Tells what is left of a context. */
void
model_leftover(const struct model_context *context,
               struct leftover *leftover);

/*
 * Between the files of the model.
 */

/* Sets the difference, once. */
__attribute__((format(printf, 2, 3))) void
differ(struct model *model, const char *format, ...);

static inline bool
has_quirk(const struct model *model, enum quirk quirk)
{
   return model->quirks & (1u << quirk);
}

struct object *
find_object(struct model_context *context, uint32_t name);

/* Makes an entry of a name; there is room for it. */
struct object *
add_object(struct model_context *context, uint32_t name);

void
step_gen(struct model *model, struct model_context *context,
         const struct call *call, const struct outcome *outcome);
void
step_delete(const struct model *model, struct model_context *context,
            const struct call *call);

struct perf_query *
find_perf_query(struct model_context *context, uint32_t handle);

/* Returns the nearest value of a type (OpenGL 4.6 core, 4.2.3). */
uint64_t
clamp_value(enum type type, uint64_t value);

bool
set_has(const struct set *set, enum type type, uint64_t value);

/* A result was issued. */
void
issue(struct model_context *context, struct result *result);

/* The result is available, as somebody saw; it is not. */
void
saw_available(struct model *model, struct model_context *context,
              struct object *object);
void
saw_unavailable(struct model *model, const struct result *result);

/* model_perf.c: the same of a performance query or a monitor. */
void
saw_no_record(struct model *model, struct perf_query *perf_query);

/* Something waited: what was held may not be any more. */
void
waited(struct model_context *context);

/* A value was read. */
void
saw_value(struct model *model, struct model_context *context,
          struct object *object, enum type type, uint64_t value);

/* GPU_DISJOINT was read; a call may set it. */
void
step_disjoint(struct model *model, struct model_context *context,
              const struct outcome *outcome);
void
may_disjoin(struct model_context *context, const struct call *call);

/* The result of an object whose measurement ends now. */
void
end_object(struct model *model, struct model_context *context,
           struct object *object);

/* The steps of drawing. */
void
step_draw(struct model *model, struct model_context *context,
          unsigned scene_index, unsigned times,
          const struct outcome *outcome);
void
step_pixel(struct model *model, struct model_context *context,
           const struct outcome *outcome);

/* Changes by quirks: of a call, before its step; of what is drawn; of the
 * value that a measurement ends with.
 */
void
quirk_call(struct model *model, const struct call *call);
void
quirk_draw(struct model *model, struct model_context *context,
           enum scene scene);
void
quirk_end(const struct model *model, const struct model_context *context,
          const struct object *object, struct set *value);
struct amount
quirk_amount(const struct model *model, const struct scene_info *scene,
             const struct amount *amount);

/* The steps of buffers and perf queries. */
void
step_write(struct model_context *context, struct object *object,
           enum pname pname, enum type type, unsigned buffer, int64_t offset);
void
step_read(struct model *model, struct model_context *context, unsigned buffer,
          const uint8_t *bytes);
unsigned
perf_errors(const struct model *model, const struct call *call);
void
step_perf(struct model *model, const struct call *call,
          const struct outcome *outcome);

/* Those of monitors. */
unsigned
monitor_errors(const struct model *model, const struct call *call);
void
step_monitor(struct model *model, const struct call *call,
             const struct outcome *outcome);

/* Returns an entry for a perf query or a monitor, or NULL if there is no
 * room for more.
 */
struct perf_query *
new_perf_query(struct model_context *context);

/* Returns the errors of a begin: that of sets that are in the way, or none.
 * The sets to begin are those of a perf query, or of a monitor.
 */
unsigned
perf_begin_errors(const struct model *model,
                  const struct model_context *context,
                  const struct perf_query *perf_query);

/* Counting begins, or ends. */
void
begin_counting(const struct model *model, struct model_context *context,
               struct perf_query *perf_query, const struct outcome *outcome);
void
end_counting(struct model_context *context, struct perf_query *perf_query,
             const struct outcome *outcome);

#endif /* PITOT_MODEL_MODEL_H */
