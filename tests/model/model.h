/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The model: query objects as the specifications define them (OpenGL 4.6
 * core, chapters 4.2, 4.3 and 10.9; OpenGL ES 3.2; ARB_query_buffer_object
 * and other extensions), and what each call may do.  It is simple and slow,
 * and of Pitot it knows only "Where sources disagree" in
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

/* Allowed values. */
struct set {
   uint64_t lowest, highest;
   bool or_zero;
};

/* Whether the world withholds a result. */
enum held { HELD_NO, HELD_MAYBE, HELD_YES };

/* What the next read of GPU_DISJOINT returns. */
enum disjoint { DISJOINT_NO, DISJOINT_MAYBE, DISJOINT_YES };

struct result {
   uint64_t issue; /* order of issue */
   bool is_known;  /* available, */
   bool is_kept;   /* also after a device loss */
   bool must;      /* must be available now */
   enum held held;
};

/* What a driver's quirks allow for this measurement. */
struct allowance {
   bool more;      /* a boolean may be TRUE */
   bool any;       /* any value */
   bool two_faces; /* another read may return another value */
};

/* A name, and its object if it has one. */
struct object {
   uint32_t name; /* 0: deleted */
   bool is_taken;
   bool is_object;
   bool is_active;
   bool is_condition;
   bool has_result;
   enum target target;
   unsigned index;
   struct result result;
   struct set value;
   uint64_t begin_lowest, begin_highest; /* counts at the begin */
   int64_t begin_ns;                     /* the CPU's time before it */
   struct allowance allows;
};

struct perf_query {
   uint32_t handle; /* a monitor's name */
   unsigned set;
   bool is_monitor;
   bool is_vague; /* unknown after a failure */
   bool selected[SET_COUNT][SELECTED_COUNT];
   bool is_active;
   bool has_result;
   bool is_failed;
   uint64_t begin_ns, end_ns; /* if times are exact */
   struct result result;
   struct set values[STATISTIC_COUNT];
   bool allows_any[STATISTIC_COUNT]; /* by a quirk */
};

/* A value written to a buffer. */
struct cell {
   int offset, size_B; /* size 0: no value */
   enum type type;
   struct set value;
   bool or_old;  /* may not have been written */
   bool has_old; /* a value was there before */
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
   uint64_t lowest[T_COUNT][MAX_STREAMS]; /* counts so far */
   uint64_t highest[T_COUNT][MAX_STREAMS];
   struct object *condition;
   unsigned mode;
   bool condition_is_known; /* available when the condition began */
   uint64_t issued;
   uint64_t time_floor;
   bool is_holding, is_lost;
   enum disjoint disjoint;
   uint64_t disjoint_after; /* reads of later issues set disjoint */
   bool has_taken_time;
   unsigned colors[MAX_COLORS];
   unsigned color_count; /* 0: any color */
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

/* The errors that a call may generate; 0: undefined or impossible here. */
unsigned
model_errors(const struct model *model, const struct call *call);

/* Updates the model.  Returns how the outcome differs, or NULL. */
const char *
model_step(struct model *model, const struct call *call, unsigned errors,
           const struct outcome *outcome);

void
model_leftover(const struct model_context *context,
               struct leftover *leftover);

/*
 * Internal to the model
 */

/* Sets the difference; only the first one counts. */
__attribute__((format(printf, 2, 3))) void
differ(struct model *model, const char *format, ...);

static inline bool
has_quirk(const struct model *model, enum quirk quirk)
{
   return model->quirks & (1u << quirk);
}

struct object *
find_object(struct model_context *context, uint32_t name);

/* The caller checks that there is space. */
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

/* The nearest value of a type (OpenGL 4.6 core, 4.2.3). */
uint64_t
clamp_value(enum type type, uint64_t value);

bool
set_has(const struct set *set, enum type type, uint64_t value);

void
issue(struct model_context *context, struct result *result);

/* The application saw that the result is available, or is not. */
void
saw_available(struct model *model, struct model_context *context,
              struct object *object);
void
saw_unavailable(struct model *model, const struct result *result);

/* The same for a perf query or monitor (model_perf.c). */
void
saw_no_record(struct model *model, struct perf_query *perf_query);

/* After a wait, withheld results may be available. */
void
waited(struct model_context *context);

void
saw_value(struct model *model, struct model_context *context,
          struct object *object, enum type type, uint64_t value);

/* GPU_DISJOINT was read; a call may set it. */
void
step_disjoint(struct model *model, struct model_context *context,
              const struct outcome *outcome);
void
may_disjoin(struct model_context *context, const struct call *call);

/* Sets the result of a measurement that ends. */
void
end_object(struct model *model, struct model_context *context,
           struct object *object);

void
step_draw(struct model *model, struct model_context *context,
          unsigned scene_index, unsigned times,
          const struct outcome *outcome);
void
step_pixel(struct model *model, struct model_context *context,
           const struct outcome *outcome);

/* Effects on a call before its step, on draws, and on a final value. */
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

unsigned
monitor_errors(const struct model *model, const struct call *call);
void
step_monitor(struct model *model, const struct call *call,
             const struct outcome *outcome);

/* NULL if all entries are in use. */
struct perf_query *
new_perf_query(struct model_context *context);

/* E_OPERATION if other sets exclude those of the perf query or monitor. */
unsigned
perf_begin_errors(const struct model *model,
                  const struct model_context *context,
                  const struct perf_query *perf_query);

void
begin_counting(const struct model *model, struct model_context *context,
               struct perf_query *perf_query, const struct outcome *outcome);
void
end_counting(struct model_context *context, struct perf_query *perf_query,
             const struct outcome *outcome);

#endif /* PITOT_MODEL_MODEL_H */
