/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "world.h"

/* An enum that no query call accepts. */
#define BAD_ENUM GL_TEXTURE_2D

#define TARGET(KIND, TARGET, FLAGS, ...)                                     \
   [T_##KIND] = {                                                            \
      .name = #TARGET,                                                       \
      .gl = GL_##TARGET,                                                     \
      .slot = (FLAGS)&TARGET_SAMPLES ? T_SAMPLES_PASSED : T_##KIND,          \
      .is_indexed = ((FLAGS)&TARGET_INDEXED) != 0,                           \
      .is_boolean = ((FLAGS)&TARGET_BOOLEAN) != 0,                           \
      .is_condition = ((FLAGS)&TARGET_CONDITION) != 0,                       \
   },

/* clang-format off */
const struct target_info target_table[T_COUNT + 1] = {
   EACH_TARGET(TARGET)
   TARGET(BAD, TEXTURE_2D, 0)
};
/* clang-format on */

const unsigned pname_table[P_COUNT] = {
   [P_RESULT] = GL_QUERY_RESULT,
   [P_NO_WAIT] = GL_QUERY_RESULT_NO_WAIT,
   [P_AVAILABLE] = GL_QUERY_RESULT_AVAILABLE,
   [P_TARGET] = GL_QUERY_TARGET,
   [P_CURRENT] = GL_CURRENT_QUERY,
   [P_BITS] = GL_QUERY_COUNTER_BITS,
   [P_BAD] = BAD_ENUM,
};

static const char *const pname_names[P_COUNT] = {
   [P_RESULT] = "QUERY_RESULT",
   [P_NO_WAIT] = "QUERY_RESULT_NO_WAIT",
   [P_AVAILABLE] = "QUERY_RESULT_AVAILABLE",
   [P_TARGET] = "QUERY_TARGET",
   [P_CURRENT] = "CURRENT_QUERY",
   [P_BITS] = "QUERY_COUNTER_BITS",
   [P_BAD] = "TEXTURE_2D",
};

const unsigned mode_table[MODE_COUNT] = {
   GL_QUERY_WAIT,
   GL_QUERY_NO_WAIT,
   GL_QUERY_BY_REGION_WAIT,
   GL_QUERY_BY_REGION_NO_WAIT,
   GL_QUERY_WAIT_INVERTED,
   GL_QUERY_NO_WAIT_INVERTED,
   GL_QUERY_BY_REGION_WAIT_INVERTED,
   GL_QUERY_BY_REGION_NO_WAIT_INVERTED,
   BAD_ENUM,
};

static const char *const mode_names[MODE_COUNT] = {
   "WAIT",
   "NO_WAIT",
   "BY_REGION_WAIT",
   "BY_REGION_NO_WAIT",
   "WAIT_INVERTED",
   "NO_WAIT_INVERTED",
   "BY_REGION_WAIT_INVERTED",
   "BY_REGION_NO_WAIT_INVERTED",
   "TEXTURE_2D",
};

const unsigned flag_table[FLAG_COUNT] = {
   [FLAG_WAIT] = GL_PERFQUERY_WAIT_INTEL,
   [FLAG_FLUSH] = GL_PERFQUERY_FLUSH_INTEL,
   [FLAG_DONOT_FLUSH] = GL_PERFQUERY_DONOT_FLUSH_INTEL,
   [FLAG_BAD] = BAD_ENUM,
};

static const char *const flag_names[FLAG_COUNT] = {
   "WAIT",
   "FLUSH",
   "DONOT_FLUSH",
   "TEXTURE_2D",
};

const unsigned ask_table[ASK_COUNT] = {
   [ASK_AVAILABLE] = GL_PERFMON_RESULT_AVAILABLE_AMD,
   [ASK_SIZE] = GL_PERFMON_RESULT_SIZE_AMD,
   [ASK_RESULT] = GL_PERFMON_RESULT_AMD,
   [ASK_BAD] = BAD_ENUM,
};

static const char *const ask_names[ASK_COUNT] = {
   "AVAILABLE",
   "SIZE",
   "RESULT",
   "TEXTURE_2D",
};

static const char *const select_names[SELECT_COUNT] = {
   "first", "second", "no-first", "no-second", "bad", "less",
};

const char *const kind_names[KIND_COUNT] = { "compat", "core", "es2", "es3" };

const char *const scene_names[SCENE_COUNT] = {
#define MEMBER(NAME, WORD) WORD,
   SCENES(MEMBER)
#undef MEMBER
};

static const char *const type_names[TYPE_COUNT] = { "i", "ui", "i64",
                                                    "ui64" };
static const char *const variable_names[VARIABLE_COUNT] = {
   "a", "b", "c", "d", "e", "f", "zero", "raw", "largest",
};
static const char *const handle_names[HANDLE_COUNT] = {
   "s", "t", "u", "v", "none", "unknown"
};

static const struct {
   const char *word;
   const char *kinds; /* of arguments: see argument_name() and ranges[] */
} ops[OP_COUNT] = {
#define MEMBER(NAME, WORD, KINDS) { WORD, KINDS },
   OPS(MEMBER)
#undef MEMBER
};

/* What the worlds support, and a few wrong values. */
static const struct {
   char kind;
   int64_t lowest, highest;
} ranges[] = {
   { 'c', -1, GENERATED_VARIABLES }, /* names to create */
   { 'd', -1, VARIABLE_COUNT },      /* names to delete */
   { 'i', -1, UINT8_MAX },           /* index of a target; -1: none */
   { 'o', INT64_MIN, INT64_MAX },    /* offset in a buffer */
   { 'b', 0, BUFFER_COUNT },         /* buffer; 0: none */
   { 'u', 0, BUFFER_COUNT + 1 },     /* buffer, or an invalid one */
   { 'z', 1, 5000 },                 /* queries in a burst */
   { 'e', 0, SET_COUNT },            /* set, or an invalid one */
   { 'w', 0, 4 },                    /* how to read a record */
   { 'x', 0, 3 },                    /* failing driver call, or memory */
   { 'q', 1, 1000 },                 /* calls until then */
};

static bool
has_range(char kind, int64_t *lowest_out, int64_t *highest_out)
{
   for (unsigned i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
      if (ranges[i].kind == kind) {
         *lowest_out = ranges[i].lowest;
         *highest_out = ranges[i].highest;
         return true;
      }
   }
   return false;
}

static const char *
target_name(unsigned i)
{
   return target_table[i].name;
}

/* The word of the i-th argument of a kind, or NULL. */
static const char *
argument_name(char kind, unsigned i)
{
   static const struct {
      char kind;
      unsigned count;
      const char *const *names;
   } kinds[] = {
      { 'v', VARIABLE_COUNT, variable_names },
      { 'h', HANDLE_COUNT, handle_names },
      { 'p', P_COUNT, pname_names },
      { 'y', TYPE_COUNT, type_names },
      { 'm', MODE_COUNT, mode_names },
      { 'f', FLAG_COUNT, flag_names },
      { 'a', ASK_COUNT, ask_names },
      { 'k', SELECT_COUNT, select_names },
      { 's', SCENE_COUNT, scene_names },
   };

   if (kind == 't')
      return i <= T_COUNT ? target_name(i) : NULL;
   for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
      if (kinds[k].kind == kind && i < kinds[k].count)
         return kinds[k].names[i];
   return NULL;
}

const char *
argument_kinds(enum op op)
{
   return ops[op].kinds;
}

void
argument_range(char kind, int64_t *lowest_out, int64_t *highest_out)
{
   unsigned count = 0;

   if (has_range(kind, lowest_out, highest_out))
      return;
   while (argument_name(kind, count))
      count++;
   *lowest_out = 0;
   *highest_out = (int64_t)count - 1;
}

void
print_call(FILE *out, const struct call *call)
{
   fprintf(out, "%u %s", call->context, ops[call->op].word);
   for (unsigned i = 0; ops[call->op].kinds[i]; i++) {
      const char kind = ops[call->op].kinds[i];
      int64_t lowest, highest;

      if (has_range(kind, &lowest, &highest))
         fprintf(out, " %" PRId64, call->arguments[i]);
      else
         fprintf(out, " %s", argument_name(kind, call->arguments[i]));
   }
   fputc('\n', out);
}

void
print_program(FILE *out, const struct program *program)
{
   fprintf(out, "kind %s\n", kind_names[program->kind]);
   for (unsigned i = 0; i < program->count; i++)
      print_call(out, &program->calls[i]);
}

static bool
parse_argument(char kind, const char *word, int64_t *argument_out)
{
   const char *name;
   int64_t lowest, highest;
   char *end;

   if (!word)
      return false;
   if (has_range(kind, &lowest, &highest)) {
      *argument_out = strtoll(word, &end, 10);
      return end != word && !*end && *argument_out >= lowest &&
             *argument_out <= highest;
   }
   for (unsigned i = 0; (name = argument_name(kind, i)); i++) {
      if (strcmp(name, word) == 0) {
         *argument_out = i;
         return true;
      }
   }
   return false;
}

static bool
parse_call(char *line, struct call *call)
{
   char *rest;
   const char *context = strtok_r(line, " \n", &rest);
   const char *word = strtok_r(NULL, " \n", &rest);

   memset(call, 0, sizeof(*call));
   if (!word || context[0] < '0' || context[0] >= '0' + MAX_CONTEXTS)
      return false;
   call->context = context[0] - '0';
   while (call->op < OP_COUNT && strcmp(ops[call->op].word, word))
      call->op++;
   if (call->op == OP_COUNT)
      return false;
   for (unsigned i = 0; ops[call->op].kinds[i]; i++)
      if (!parse_argument(ops[call->op].kinds[i],
                          strtok_r(NULL, " \n", &rest), &call->arguments[i]))
         return false;
   return !strtok_r(NULL, " \n", &rest);
}

static bool
parse_kind(const char *line, enum kind *kind_out)
{
   char word[16];

   if (sscanf(line, "kind %15s", word) != 1)
      return false;
   for (unsigned i = 0; i < KIND_COUNT; i++) {
      if (strcmp(kind_names[i], word) == 0) {
         *kind_out = i;
         return true;
      }
   }
   return false;
}

bool
parse_program(FILE *in, const char *name, struct program *program_out)
{
   char line[200], copy[200];
   bool has_kind = false;

   program_out->count = 0;
   while (fgets(line, sizeof(line), in)) {
      strcpy(copy, line);
      if (line[0] == '#' || line[0] == '\n')
         continue;
      if (!has_kind && parse_kind(line, &program_out->kind)) {
         has_kind = true;
         continue;
      }
      if (!has_kind || program_out->count == MAX_CALLS ||
          !parse_call(line, &program_out->calls[program_out->count++])) {
         fprintf(stderr, "%s: no call: %s", name, copy);
         return false;
      }
   }
   if (!program_out->count)
      fprintf(stderr, "%s: no calls\n", name);
   return program_out->count > 0;
}

unsigned
error_bit(unsigned gl_error)
{
   switch (gl_error) {
   case GL_NO_ERROR:
      return E_NONE;
   case GL_INVALID_ENUM:
      return E_ENUM;
   case GL_INVALID_VALUE:
      return E_VALUE;
   case GL_INVALID_OPERATION:
      return E_OPERATION;
   case GL_OUT_OF_MEMORY:
      return E_MEMORY;
   default:
      return E_OTHER;
   }
}
