/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A world: a GL that programs run on, and its features.
 */

#ifndef PITOT_MODEL_WORLD_H
#define PITOT_MODEL_WORLD_H

#include "program.h"

/* Bits, so that several errors can be allowed. */
enum {
   E_NONE = 1 << 0,
   E_ENUM = 1 << 1,
   E_VALUE = 1 << 2,
   E_OPERATION = 1 << 3,
   E_MEMORY = 1 << 4,
   E_OTHER = 1 << 5,
};

unsigned
error_bit(unsigned gl_error);

#define BUFFER_COUNT  2 /* of 64 and of 20 bytes */
#define BUFFER_SIZE_B 64
#define SMALL_SIZE_B  20

/* The contents of memory before any write. */
#define UNTOUCHED_BYTE 0xaa
#define UNTOUCHED      UINT64_C(0xaaaaaaaaaaaaaaaa)

/* The longest tick of a GPU's clock. */
#define CLOCK_TICK_NS 1000

#define SET_COUNT 4 /* maximum number of perf sets */

/* The statistics of a record: see statistic_targets. */
enum {
   STATISTIC_CS = T_CS_INVOCATIONS - T_VERTICES_SUBMITTED,
   STATISTIC_CLIP_IN = T_CLIPPING_INPUT - T_VERTICES_SUBMITTED,
   STATISTIC_WRITTEN = EACH_STATISTIC_COUNT + EACH_MESH_STATISTIC_COUNT + 1,
   STATISTIC_COUNT
};

/* Counters of a group: the first two statistics, or begin and end. */
#define SELECTED_COUNT 2

enum set_kind { SET_STATISTICS, SET_SAME, SET_ALONE, SET_TIME };

/* The minimum and maximum that a scene counts. */
struct amount {
   uint8_t target;
   uint8_t index;
   uint64_t lowest, highest;
};

#define MAX_AMOUNTS 32

struct scene_info {
   bool is_there;
   bool paints;                        /* the pixel that is read */
   unsigned fixed_color;               /* 0: the next color */
   struct amount amounts[MAX_AMOUNTS]; /* ends with a highest of 0 */
};

struct features {
   bool targets[T_COUNT];
   unsigned stream_count;
   bool is_es, is_compat;
   bool has_indexed; /* entry points with an index */
   bool has_create;
   bool has_buffers; /* query buffers and QUERY_RESULT_NO_WAIT */
   bool has_target;  /* QUERY_TARGET */
   bool has_bits;    /* QUERY_COUNTER_BITS */
   bool has_alias;   /* ANY_SAMPLES_PASSED and CONSERVATIVE match */
   bool has_condition;
   bool has_inverted;
   bool has_types[TYPE_COUNT];
   bool has_now;
   bool has_disjoint;
   unsigned set_count; /* of INTEL_performance_query */
   enum set_kind sets[SET_COUNT];
   uint32_t set_ids[SET_COUNT];
   unsigned record_B[SET_COUNT];

   /* Of statistics, or times. */
   uint32_t record_offsets[SET_COUNT][STATISTIC_COUNT];
   bool statistics[STATISTIC_COUNT]; /* in SET_STATISTICS */

   /* The groups of sets in AMD_performance_monitor, and selected counters. */
   uint32_t groups[SET_COUNT];
   uint32_t counters[SET_COUNT][SELECTED_COUNT];

   bool is_controlled; /* can hold results, fail calls, lose the device */
   bool has_exact_time;
   bool has_ordered_time; /* timestamps never decrease */
   bool has_pixels;
   bool has_no_errors;
   bool counts_nothing; /* values may all be 0 */
   const struct scene_info *scenes;
};

struct variables {
   uint32_t names[VARIABLE_COUNT];
   uint32_t handles[HANDLE_COUNT];
   uint8_t sets[HANDLE_COUNT];
   uint32_t monitors[HANDLE_COUNT];
   unsigned bound; /* buffer; 0: none */
   unsigned color; /* last used */
};

struct outcome {
   unsigned expected; /* possible errors, for the world */
   unsigned error;
   uint32_t names[GENERATED_VARIABLES]; /* of Gen and Create; or a handle */
   uint64_t value;
   bool is_untouched; /* no value was written */
   bool is_failed;    /* the world made a call fail */
   bool has_drawn;    /* is_drawn is valid */
   bool is_drawn;
   uint64_t now_ns;                  /* if times are exact; otherwise */
   int64_t before_ns, after_ns;      /* the CPU's, around the call */
   uint8_t bytes[BUFFER_SIZE_B];     /* of a buffer that was read */
   uint32_t written_B;               /* to a record */
   uint64_t record[STATISTIC_COUNT]; /* or begin, end, elapsed, disjoint */

   /* Results of a monitor: which were written, and their values. */
   bool has_seen[SET_COUNT][SELECTED_COUNT];
   uint64_t seen[SET_COUNT][SELECTED_COUNT];
   const char *trouble; /* any other error */
};

/* The statistics of a record, in order. */
extern const uint8_t statistic_targets[STATISTIC_COUNT];

/* What a context still has at the end of a program. */
struct leftover {
   uint32_t names[64], handles[16], monitors[16];
   unsigned name_count, handle_count, monitor_count;
   uint8_t targets[64], indices[64]; /* of active queries */
   unsigned active_count;
   bool has_condition;
   bool is_mapped[BUFFER_COUNT];
};

/* The count passed to Delete: limited to existing variables. */
static inline int
deleted_count(const int64_t *arguments)
{
   const int64_t most = VARIABLE_COUNT - arguments[0];

   return arguments[1] > most ? most : arguments[1];
}

struct world {
   const char *name;

   /* has_fresh_contexts: for each program.  Returns what failed, or NULL. */
   const char *(*open)(enum kind kind, bool has_no_errors,
                       bool has_fresh_contexts);

   const struct features *(*features)(void);

   /* Around each program. end() frees everything. */
   void (*begin)(void);
   const char *(*end)(void);

   void (*call)(const struct call *call, const struct variables *variables,
                struct outcome *outcome);

   /* Ends and deletes what a program left in a context. */
   const char *(*clean)(unsigned context, const struct leftover *leftover);

   /* Makes a context, and destroys it with what was begun in it; or NULL. */
   void (*leave)(void);
};

extern const struct world null_world;
extern const struct world gl_world;

#endif /* PITOT_MODEL_WORLD_H */
