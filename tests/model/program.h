/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A program of GL calls on query objects, which the generator makes, the
 * model predicts, a world runs, and a file stores.
 */

#ifndef PITOT_MODEL_PROGRAM_H
#define PITOT_MODEL_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "targets.h"

#define MAX_CONTEXTS  3
#define MAX_ARGUMENTS 5
#define MAX_CALLS     160
#define MAX_STREAMS   4

/* Generated names, then 0, one never generated, and the largest one. */
#define GENERATED_VARIABLES 6
enum {
   VARIABLE_ZERO = GENERATED_VARIABLES,
   VARIABLE_RAW,
   VARIABLE_LARGEST,
   VARIABLE_COUNT
};

/* For handles of INTEL_performance_query, and for monitors. */
#define CREATED_HANDLES 4
enum { HANDLE_ZERO = CREATED_HANDLES, HANDLE_RAW, HANDLE_COUNT };

/* Name, word, and kinds of arguments (see program.c). */
#define OPS(X)                                                               \
   X(GEN, "gen", "vc")                                                       \
   X(CREATE, "create", "tvc")                                                \
   X(DELETE, "delete", "vd")                                                 \
   X(IS, "is", "v")                                                          \
   X(BEGIN, "begin", "tiv")                                                  \
   X(END, "end", "ti")                                                       \
   X(COUNTER, "counter", "vt")                                               \
   X(QUERY, "query", "tip")                                                  \
   X(GET, "get", "vpyo")                                                     \
   X(PUT, "put", "vpyuo")                                                    \
   X(POLL, "poll", "v")                                                      \
   X(BIND, "bind", "b")                                                      \
   X(MAP, "map", "b")                                                        \
   X(UNMAP, "unmap", "b")                                                    \
   X(READ, "read", "b")                                                      \
   X(DRAW, "draw", "s")                                                      \
   X(PIXEL, "pixel", "")                                                     \
   X(CONDITION, "condition", "vm")                                           \
   X(ENDCONDITION, "endcondition", "")                                       \
   X(FLUSH, "flush", "")                                                     \
   X(FINISH, "finish", "")                                                   \
   X(NOW, "now", "")                                                         \
   X(DISJOINT, "disjoint", "")                                               \
   X(BURST, "burst", "tzs")                                                  \
   X(PERF_QUERY, "perf-query", "he")                                         \
   X(DROP, "drop", "h")                                                      \
   X(START, "start", "h")                                                    \
   X(STOP, "stop", "h")                                                      \
   X(DATA, "data", "hfw")                                                    \
   X(MONITOR, "monitor", "h")                                                \
   X(FORGET, "forget", "h")                                                  \
   X(SELECT, "select", "hek")                                                \
   X(WATCH, "watch", "h")                                                    \
   X(UNWATCH, "unwatch", "h")                                                \
   X(ASK, "ask", "haw")                                                      \
   X(HOLD, "hold", "")                                                       \
   X(RELEASE, "release", "")                                                 \
   X(LOSE, "lose", "")                                                       \
   X(FAIL, "fail", "xq")

enum op {
#define MEMBER(NAME, WORD, KINDS) OP_##NAME,
   OPS(MEMBER)
#undef MEMBER
      OP_COUNT,
};

/* Targets: see target_table. */
enum target {
#define MEMBER(KIND, ...) T_##KIND,
   EACH_TARGET(MEMBER)
#undef MEMBER
      T_COUNT,
   T_BAD = T_COUNT, /* not a target */
};

enum pname {
   P_RESULT,
   P_NO_WAIT,
   P_AVAILABLE,
   P_TARGET,
   P_CURRENT,
   P_BITS,
   P_BAD,
   P_COUNT,
};

enum type { TYPE_I32, TYPE_U32, TYPE_I64, TYPE_U64, TYPE_COUNT };

enum {
   MODE_NO_WAIT = 1,
   MODE_BY_REGION = 2,
   MODE_INVERTED = 4,
   MODE_BAD = 8,
   MODE_COUNT
};

/* Flags of glGetPerfQueryDataINTEL. */
enum { FLAG_WAIT, FLAG_FLUSH, FLAG_DONOT_FLUSH, FLAG_BAD, FLAG_COUNT };

/* Selections of a counter: enable, disable, and mistakes. */
enum {
   SELECT_FIRST,
   SELECT_SECOND,
   DESELECT_FIRST,
   DESELECT_SECOND,
   SELECT_BAD,
   SELECT_LESS,
   SELECT_COUNT
};

/* Parameters of glGetPerfMonitorCounterDataAMD. */
enum { ASK_AVAILABLE, ASK_SIZE, ASK_RESULT, ASK_BAD, ASK_COUNT };

#define SCENES(X)                                                            \
   X(QUAD, "quad")                                                           \
   X(HALF, "half")                                                           \
   X(OUTSIDE, "outside")                                                     \
   X(NOTHING, "nothing")                                                     \
   X(SCISSORED, "scissored")                                                 \
   X(MANY, "many")                                                           \
   X(INSTANCED, "instanced")                                                 \
   X(POINTS, "points")                                                       \
   X(DISCARDED, "discarded")                                                 \
   X(CLEAR, "clear")                                                         \
   X(BLIT, "blit")                                                           \
   X(FEEDBACK, "feedback")                                                   \
   X(OVERFLOW, "overflow")                                                   \
   X(STREAMS, "streams")                                                     \
   X(GEOMETRY, "geometry")                                                   \
   X(PATCHES, "patches")                                                     \
   X(COMPUTE, "compute")                                                     \
   X(HUGE, "huge")

enum scene {
#define MEMBER(NAME, WORD) SCENE_##NAME,
   SCENES(MEMBER)
#undef MEMBER
      SCENE_COUNT,
};

struct call {
   uint8_t op;
   uint8_t context;
   int64_t arguments[MAX_ARGUMENTS];
};

enum kind { KIND_COMPAT, KIND_CORE, KIND_ES2, KIND_ES3, KIND_COUNT };

struct program {
   enum kind kind;
   unsigned count;
   struct call calls[MAX_CALLS];
};

struct target_info {
   const char *name;
   unsigned gl;
   unsigned slot;   /* targets with the same slot exclude each other */
   bool is_indexed; /* by vertex stream */
   bool is_boolean;
   bool is_condition; /* can be a render condition */
};

/* -1 means an entry point without index. */
static inline unsigned
index_or_0(int64_t index)
{
   return index < 0 ? 0 : index;
}

extern const struct target_info target_table[T_COUNT + 1];
extern const unsigned pname_table[P_COUNT];
extern const unsigned mode_table[MODE_COUNT];
extern const unsigned flag_table[FLAG_COUNT];
extern const unsigned ask_table[ASK_COUNT];
extern const char *const kind_names[KIND_COUNT];
extern const char *const scene_names[SCENE_COUNT];

/* A character for each argument. */
const char *
argument_kinds(enum op op);

void
argument_range(char kind, int64_t *lowest_out, int64_t *highest_out);

/* Prints a line for each call, as parse_program() reads it. */
void
print_program(FILE *out, const struct program *program);

void
print_call(FILE *out, const struct call *call);

/* Prints an error and returns false if the file is invalid. */
bool
parse_program(FILE *in, const char *name, struct program *program_out);

#endif /* PITOT_MODEL_PROGRAM_H */
