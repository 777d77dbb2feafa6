/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A table of text: a column of names, and columns of ten characters each.
 */

#ifndef PITOT_TABLE_H
#define PITOT_TABLE_H

#include <stdint.h>
#include <stdio.h>

#define PITOT_TABLE_NAME_WIDTH 44

/* Writes a text of UTF-8 and fills the column up; a longer text is cut. */
void
pitot_table_name(FILE *out, const char *name, unsigned indent,
                 unsigned width);

/* Writes the heads of a table, and a line below. */
void
pitot_table_heads(FILE *out, const char *name, const char *const *heads,
                  unsigned count);

void
pitot_table_time(FILE *out, uint64_t time_ns);
void
pitot_table_share(FILE *out, uint64_t part, uint64_t whole);

/* Writes an integer exactly up to ten digits, another number with two
 * decimals.
 */
void
pitot_table_number(FILE *out, double number);

#endif /* PITOT_TABLE_H */
