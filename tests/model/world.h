/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A world: a GL that programs run on, and what it is able to do.
 */

#ifndef PITOT_MODEL_WORLD_H
#define PITOT_MODEL_WORLD_H

#include "program.h"

/* Errors are bits, so that several can be allowed. */
enum {
   E_NONE = 1 << 0,
   E_ENUM = 1 << 1,
   E_VALUE = 1 << 2,
   E_OPERATION = 1 << 3,
   E_MEMORY = 1 << 4,
   E_OTHER = 1 << 5,
};

/* Returns the bit of one of GL's errors. */
unsigned
error_bit(unsigned gl_error);

#define BUFFER_COUNT  2 /* of a context: of 64 bytes, and of 20 */
#define BUFFER_SIZE_B 64
#define SMALL_SIZE_B  20

/* The pattern of memory that nothing was written to. */
#define UNTOUCHED_BYTE 0xaa
#define UNTOUCHED      UINT64_C(0xaaaaaaaaaaaaaaaa)

#define SET_COUNT 4 /* of counters, at most */

/* The statistics of a record; see statistic_targets. */
enum {
   STATISTIC_CS = T_CS_INVOCATIONS - T_VERTICES_SUBMITTED,
   STATISTIC_CLIP_IN = T_CLIPPING_INPUT - T_VERTICES_SUBMITTED,
   STATISTIC_WRITTEN = EACH_STATISTIC_COUNT + 1,
   STATISTIC_COUNT
};

/* Of a group: the first two statistics, or the begin and the end. */
#define SELECTED_COUNT 2

enum set_kind { SET_STATISTICS, SET_SAME, SET_ALONE, SET_TIME };

/* How much a scene counts: at least and at most. */
struct amount {
   uint8_t target;
   uint8_t index;
   uint64_t lowest, highest;
};

#define MAX_AMOUNTS 32

struct scene_info {
   bool is_there;
   bool paints;          /* the pixel that is looked at */
   unsigned fixed_color; /* that it paints it with; 0: the next one */
   struct amount amounts[MAX_AMOUNTS]; /* ends with one of 0 */
};

/* The features of a kind of context. */
struct features {
   bool targets[T_COUNT];
   unsigned stream_count;
   bool is_es, is_compat;
   bool has_indexed; /* the entry points with an index */
   bool has_create;
   bool has_buffers; /* query buffers and QUERY_RESULT_NO_WAIT */
   bool has_target;  /* QUERY_TARGET */
   bool has_bits;    /* QUERY_COUNTER_BITS */
   bool has_alias;   /* ANY_SAMPLES_PASSED is of the type of its
                      * conservative form */
   bool has_condition;
   bool has_inverted;
   bool has_types[TYPE_COUNT];
   bool has_now;
   bool has_disjoint;
   unsigned set_count; /* of INTEL_performance_query */
   enum set_kind sets[SET_COUNT];
   unsigned record_B[SET_COUNT];
   bool statistics[STATISTIC_COUNT]; /* those of SET_STATISTICS */

   /* Of AMD_performance_monitor: the group of each set, and its counters that
    * programs select.
    */
   uint32_t groups[SET_COUNT];
   uint32_t counters[SET_COUNT][SELECTED_COUNT];

   bool is_controlled; /* results can be held, calls fail, devices be lost */
   bool has_exact_time;
   bool has_ordered_time; /* timestamps do not go back */
   bool has_pixels;
   bool has_no_errors;  /* KHR_no_error */
   bool counts_nothing; /* all values may be 0 */
   const struct scene_info *scenes;
};

/* The names that the calls of a context refer to, by variable. */
struct variables {
   uint32_t names[VARIABLE_COUNT];
   uint32_t handles[HANDLE_COUNT];
   uint8_t sets[HANDLE_COUNT]; /* of the handle */
   uint32_t monitors[HANDLE_COUNT];
   unsigned bound; /* buffer: 0 for none */
   unsigned color; /* that was painted with last */
};

/* The outcome of a call. */
struct outcome {
   unsigned expected; /* errors, for the world to know */
   unsigned error;
   uint32_t names[GENERATED_VARIABLES]; /* Gen, Create; and a handle */
   uint64_t value;
   bool is_untouched; /* no value was written */
   bool is_failed;    /* a failure was played in this call */
   bool has_drawn;    /* is_drawn tells */
   bool is_drawn;
   uint64_t now_ns;                  /* where times are exact */
   uint8_t bytes[BUFFER_SIZE_B];     /* of a buffer that was read */
   uint32_t written_B;               /* of a record */
   uint64_t record[STATISTIC_COUNT]; /* or begin, end, elapsed, disjoint */

   /* Of a monitor's results: those that are there, and their values. */
   bool has_seen[SET_COUNT][SELECTED_COUNT];
   uint64_t seen[SET_COUNT][SELECTED_COUNT];
   const char *trouble; /* anything else that is wrong */
};

/* The statistics of a record, in their order. */
extern const uint8_t statistic_targets[STATISTIC_COUNT];

/* The rest of a context at the end of a program. */
struct leftover {
   uint32_t names[64], handles[16], monitors[16];
   unsigned name_count, handle_count, monitor_count;
   uint8_t targets[64], indices[64]; /* of what is active */
   unsigned active_count;
   bool has_condition;
   bool is_mapped[BUFFER_COUNT];
};

/* How many names a Delete is told of: a variable is not beyond the last. */
static inline int
deleted_count(const int64_t *arguments)
{
   const int64_t most = VARIABLE_COUNT - arguments[0];

   return arguments[1] > most ? most : arguments[1];
}

struct world {
   const char *name;

   /* Opens it for contexts of a kind, which are new ones in each program if
    * that is wanted.  Returns a reason why there is none, or NULL.
    */
   const char *(*open)(enum kind kind, bool has_no_errors,
                       bool has_fresh_contexts);

   /* Returns the features of its contexts. */
   const struct features *(*features)(void);

   /* Begins a program, and ends it: nothing of it is left. */
   void (*begin)(void);
   const char *(*end)(void);

   void (*call)(const struct call *call, const struct variables *variables,
                struct outcome *outcome);

   /* Ends and deletes what is left of a context. */
   const char *(*clean)(unsigned context, const struct leftover *leftover);
};

extern const struct world null_world;
extern const struct world gl_world;

#endif /* PITOT_MODEL_WORLD_H */
