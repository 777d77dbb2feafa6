/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the files that run scripts: a script, and its statement at hand.
 */

#ifndef PITOT_TESTS_SCRIPT_CALL_H
#define PITOT_TESTS_SCRIPT_CALL_H

#include "script.h"

#define SCRIPT_MAX_WORDS 16

/* Room for a text, or a record, of INTEL_performance_query. */
#define SCRIPT_MEMORY_SIZE_B 4096

struct script {
   const struct script_ops *ops;
   void *gl;
   bool has_no_errors; /* KHR_no_error */
   bool is_undefined;  /* there was a mistake, and nobody was told */
   uint32_t names[26];
   uint32_t sets[26]; /* of the letters that are sessions */
   uint8_t record[SCRIPT_MEMORY_SIZE_B]; /* the last one that was read */

   /* The statement at hand. */
   const char *text;
   char *words[SCRIPT_MAX_WORDS + 1]; /* ends with NULL */
   unsigned count;
   const char *value; /* after "=", or NULL */
   uint64_t result;   /* what the call gave */
   bool is_narrow;    /* 32 bits of it */
   char *text_result; /* what it gave instead, malloc'ed, or NULL */
   unsigned record_B; /* of the session */
};

/* What a first word calls.  Each table ends with a row without a name. */
struct script_call {
   const char *name;
   void (*call)(struct script *s);
};

/* INTEL_performance_query's, of sets and of sessions */
extern const struct script_call script_set_calls[];
extern const struct script_call script_session_calls[];

/* Makes the call of the statement at hand. */
void
script_call(struct script *s);

/* Returns where the name of a query is kept. */
uint32_t *
script_name(struct script *s, const char *word);

/* Returns the value of the token at a word. */
unsigned
script_token(const struct script *s, unsigned i);

/* Returns the number at a word, or the other one if there is no such word. */
int64_t
script_number(const struct script *s, unsigned i, int64_t otherwise);

/* Returns whether a word is "NULL". */
bool
script_is_null(const struct script *s, unsigned i);

/* Returns where a call writes the number of a letter, untouched before; NULL
 * if the word says so.
 */
uint32_t *
script_number_out(const struct script *s, unsigned i, uint32_t *number);

/* The letter at a word, if there is one, and the statement have that number
 * now.
 */
void
script_keep_number(struct script *s, unsigned i, uint32_t number);

/* Reads a name, in which "_" is a blank. */
void
script_read_name(const struct script *s, unsigned i, char name_out[256]);

#endif /* PITOT_TESTS_SCRIPT_CALL_H */
