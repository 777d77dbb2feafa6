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

struct script {
   const struct script_ops *ops;
   void *gl;
   bool has_no_errors; /* KHR_no_error */
   bool is_undefined;  /* there was a mistake, and nobody was told */
   uint32_t names[26];

   /* The statement at hand. */
   const char *text;
   char *words[SCRIPT_MAX_WORDS + 1]; /* ends with NULL */
   unsigned count;
   const char *value; /* after "=", or NULL */
   uint64_t result;   /* what the call gave */
   bool is_narrow;    /* 32 bits of it */
};

/* Makes the call of the statement at hand. */
void
script_call(struct script *s);

/* Returns where the name of a query is kept. */
uint32_t *
script_name(struct script *s, const char *word);

#endif /* PITOT_TESTS_SCRIPT_CALL_H */
