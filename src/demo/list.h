/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_LIST_H
#define PITOT_DEMO_LIST_H

#include <stdbool.h>
#include <stdio.h>

#include "perf_set.h"

/* What a driver can count, without anything being measured. */
struct list {
   char renderer[128];
   char version[128];
   struct perf_sets sets;
};

/* Asks the best context that the driver makes. Fails if it has no sets. */
void
list_load(struct list *list);

void
list_free(struct list *list);

/* Prints the list for people, or writes it for programs. False if it could
 * not be written.
 */
bool
list_print(FILE *out, const struct list *list);

bool
list_write_json(FILE *out, const struct list *list);

#endif
