/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_TOKEN_H
#define PITOT_TESTS_TOKEN_H

#include <stdbool.h>

/* Looks a token of GL up by its name without "GL_".  Returns false if the
 * table does not have it.
 */
bool
token_value(const char *name, unsigned *value_out);

/* Returns the name of an error without "GL_". */
const char *
token_error_name(unsigned error);

#endif /* PITOT_TESTS_TOKEN_H */
