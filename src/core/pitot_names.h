/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A sparse array from 32-bit names to objects, three levels deep: a million
 * dense names take 8 MB, and no name is ever rehashed.  For query objects,
 * perf queries and monitors.
 */

#ifndef PITOT_NAMES_H
#define PITOT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PITOT_NAMES_LEAF_BITS  10
#define PITOT_NAMES_LEAF_SIZE  (1u << PITOT_NAMES_LEAF_BITS)
#define PITOT_NAMES_TABLE_BITS 11
#define PITOT_NAMES_TABLE_SIZE (1u << PITOT_NAMES_TABLE_BITS)
#define PITOT_NAMES_ROOT_SIZE                                                \
   (1u << (32 - PITOT_NAMES_LEAF_BITS - PITOT_NAMES_TABLE_BITS))

struct pitot_name_leaf {
   unsigned used_count;
   void *entries[PITOT_NAMES_LEAF_SIZE];
};

struct pitot_name_table {
   struct pitot_name_leaf *leaves[PITOT_NAMES_TABLE_SIZE];
};

struct pitot_names {
   struct pitot_name_table **tables;
   uint32_t lowest_maybe_free;
};

#define PITOT_NAMES_RESERVED ((void *)1)

/* Returns where the entry of a name is, or NULL if no memory is allocated for
 * it yet.  The entry is an object, PITOT_NAMES_RESERVED if the name is
 * reserved without an object, or NULL.
 */
static inline void **
pitot_names_find(const struct pitot_names *names, uint32_t name)
{
   const struct pitot_name_table *table =
      names->tables[name >> (PITOT_NAMES_LEAF_BITS + PITOT_NAMES_TABLE_BITS)];
   struct pitot_name_leaf *leaf =
      table ? table->leaves[(name >> PITOT_NAMES_LEAF_BITS) %
                            PITOT_NAMES_TABLE_SIZE]
            : NULL;

   return leaf ? &leaf->entries[name % PITOT_NAMES_LEAF_SIZE] : NULL;
}

/* Allocates nothing: the first entry does. */
void
pitot_names_init(struct pitot_names *names);

/* Frees the array, and each object by the callback. */
void
pitot_names_finish(struct pitot_names *names,
                   void (*free_object)(void *data, void *object), void *data);

/* Sets the entry of a name; NULL removes it.  Returns 0 or -ENOMEM.  Never
 * fails for NULL, or if the name has an entry.
 */
int
pitot_names_set(struct pitot_names *names, uint32_t name, void *entry);

/* Adds an object, or PITOT_NAMES_RESERVED, with the lowest name that has no
 * entry.  Returns the name, or 0 if allocation fails.
 */
uint32_t
pitot_names_add(struct pitot_names *names, void *entry);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_NAMES_H */
