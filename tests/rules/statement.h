/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A running script and its statement, for the files of verbs.
 */

#ifndef PITOT_TESTS_STATEMENT_H
#define PITOT_TESTS_STATEMENT_H

#include "script.h"

#define SCRIPT_MAX_WORDS 16

/* Space for a text or a record of INTEL_performance_query. */
#define SCRIPT_MEMORY_SIZE_B 4096

/* A row of a table of verbs: returns true for that verb.  OP(1) is its first
 * operand.
 */
#define VERB(NAME, RUN)                                                      \
   do {                                                                      \
      if (script_is_word(s, 0, NAME)) {                                      \
         RUN;                                                                \
         return true;                                                        \
      }                                                                      \
   } while (0)
#define OP(I) script_operand(s, I)

enum token_type {
   TOKEN_INT,
   TOKEN_UINT,
   TOKEN_INT64,
   TOKEN_UINT64,
   TOKEN_BOOL,
   TOKEN_FLOAT,
};

unsigned
token_size_B(enum token_type type);

/* A GL token without "GL_", or a type.  Returns whether it is known. */
bool
token_value(const char *name, unsigned *value_out);

/* Without "GL_". */
const char *
token_error_name(unsigned error);

struct script {
   const struct script_gl *gl;
   bool is_undefined;                    /* a mistake with KHR_no_error */
   bool is_mapped;                       /* the buffer */
   uint32_t numbers[26];                 /* by letter */
   uint32_t sets[26];                    /* of perf queries, by letter */
   uint8_t record[SCRIPT_MEMORY_SIZE_B]; /* the last one read */
   unsigned record_B;

   /* The current statement. */
   const char *text;
   char *words[SCRIPT_MAX_WORDS]; /* the verb, then its operands */
   unsigned count;
   const char *value; /* after "=", or NULL */
   const char *error; /* after "!", or NULL */

   /* Its value: number_B bytes, or a string. */
   uint64_t number;
   unsigned number_B;
   const char *string;

   /* Calls write to this memory: touched_B bytes at most. */
   _Alignas(uint64_t) uint8_t memory[SCRIPT_MEMORY_SIZE_B];
   unsigned touched_B;
};

/* The value of an operand: a letter, token or number. */
uint64_t
script_operand(const struct script *s, unsigned i);

uint64_t
script_optional(const struct script *s, unsigned i, uint64_t otherwise);

bool
script_is_word(const struct script *s, unsigned i, const char *word);

/* The number of the letter at an operand. */
uint32_t *
script_letter(struct script *s, unsigned i);

/* Makes a number the statement's value. */
void
script_give(struct script *s, uint64_t number);

void
script_give_memory(struct script *s, unsigned size_B);

void
script_replace(char *text, char from, char to);

/* Reads a name, with "_" for a space.  Returns NULL for "NULL". */
char *
script_read_name(const struct script *s, unsigned i, char name_out[256]);

/* Where a call writes the number of a letter, or NULL for "NULL". */
uint32_t *
script_out(struct script *s, unsigned i);

/* The number of operands from the first on; -1 for "-1". */
int
script_count(const struct script *s, unsigned first);

/* Makes the text that a call wrote into size_B bytes the value. */
void
script_give_text(struct script *s, uint32_t size_B);

/* Makes the number that a call wrote the value, and the letter's number. */
void
script_give_out(struct script *s, unsigned i);

/* Verbs for perf sets, perf queries, groups of counters, and monitors. */
bool
script_run_set(struct script *s, const struct entry_points *gl);
bool
script_run_perf(struct script *s, const struct entry_points *gl);
bool
script_run_group(struct script *s, const struct entry_points *gl);
bool
script_run_monitor(struct script *s, const struct entry_points *gl);

#endif /* PITOT_TESTS_STATEMENT_H */
