/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A script that runs, with its current statement: shared by the files of
 * verbs.
 */

#ifndef PITOT_TESTS_STATEMENT_H
#define PITOT_TESTS_STATEMENT_H

#include "script.h"

#define SCRIPT_MAX_WORDS 16

/* Room for a text, or a record, of INTEL_performance_query. */
#define SCRIPT_MEMORY_SIZE_B 4096

/* A row of a table of verbs, which is a function that returns whether it has
 * the verb of the statement.  OP(1) is the verb's first operand.
 */
#define VERB(NAME, RUN)                                                      \
   do {                                                                      \
      if (script_is_word(s, 0, NAME)) {                                      \
         RUN;                                                                \
         return true;                                                        \
      }                                                                      \
   } while (0)
#define OP(I) script_operand(s, I)

/* The types of values: int, uint, int64, uint64, bool and float. */
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

/* Looks up a token of GL by its name without "GL_", or a type.  Returns false
 * if the table does not have it.
 */
bool
token_value(const char *name, unsigned *value_out);

/* Returns the name of an error without "GL_". */
const char *
token_error_name(unsigned error);

struct script {
   const struct script_gl *gl;
   bool is_undefined;    /* there was a mistake, which GL did not report */
   bool is_mapped;       /* the buffer */
   uint32_t numbers[26]; /* of the letters */
   uint32_t sets[26];    /* the perf sets of those that are perf queries */
   uint8_t record[SCRIPT_MEMORY_SIZE_B]; /* the last one that was read */
   unsigned record_B;                    /* its size */

   /* The current statement. */
   const char *text;
   char *words[SCRIPT_MAX_WORDS]; /* the verb, and its operands from 1 on */
   unsigned count;
   const char *value; /* after "=", or NULL */
   const char *error; /* after "!", or NULL */

   /* Its value: a number of number_B bytes, or a string. */
   uint64_t number;
   unsigned number_B;
   const char *string;

   /* Calls write to this memory: so many bytes at the most. */
   _Alignas(uint64_t) uint8_t memory[SCRIPT_MEMORY_SIZE_B];
   unsigned touched_B;
};

/* Returns the value of an operand: of a letter, a token or a number. */
uint64_t
script_operand(const struct script *s, unsigned i);

/* The same for one that may be left out. */
uint64_t
script_optional(const struct script *s, unsigned i, uint64_t otherwise);

/* Returns whether an operand is that word. */
bool
script_is_word(const struct script *s, unsigned i, const char *word);

/* Returns where the number of the letter at an operand is kept. */
uint32_t *
script_letter(struct script *s, unsigned i);

/* Makes a number the value of the statement. */
void
script_give(struct script *s, uint64_t number);

/* Makes the bytes that a call wrote the value of the statement. */
void
script_give_memory(struct script *s, unsigned size_B);

/* Replaces each such character of a text. */
void
script_replace(char *text, char from, char to);

/* Reads a name, in which "_" is a blank.  Returns it, or NULL for "NULL". */
char *
script_read_name(const struct script *s, unsigned i, char name_out[256]);

/* Returns where a call writes the number of a letter, or NULL for "NULL". */
uint32_t *
script_out(struct script *s, unsigned i);

/* Returns how many operands there are from the first on; -1 for "-1". */
int
script_count(const struct script *s, unsigned first);

/* Gives the text that a call wrote, for which it had size_B bytes. */
void
script_give_text(struct script *s, uint32_t size_B);

/* Gives the number that it wrote, which is the letter's from now on. */
void
script_give_out(struct script *s, unsigned i);

/* The tables of verbs about perf sets, perf queries, groups of counters, and
 * monitors.
 */
bool
script_run_set(struct script *s, const struct entry_points *gl);
bool
script_run_perf(struct script *s, const struct entry_points *gl);
bool
script_run_group(struct script *s, const struct entry_points *gl);
bool
script_run_monitor(struct script *s, const struct entry_points *gl);

#endif /* PITOT_TESTS_STATEMENT_H */
