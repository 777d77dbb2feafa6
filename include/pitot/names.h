/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Where names lead: a sparse array from 32-bit names to objects of one type,
 * three levels deep, so that a lookup is three loads, a dense million of
 * names costs 8 MB, and no name is ever rehashed.
 *
 * It is public only for pitot_query_lookup() (pitot/query.h) to be inline:
 * that is the function to call.  The context owns the names, and core alone
 * changes them.  Threads: those of the context.
 */

#ifndef PITOT_NAMES_H
#define PITOT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PITOT_NAME_LEAF_BITS  10
#define PITOT_NAME_TABLE_BITS 11
#define PITOT_NAME_LEAF_SIZE  (1u << PITOT_NAME_LEAF_BITS)
#define PITOT_NAME_TABLE_SIZE (1u << PITOT_NAME_TABLE_BITS)
#define PITOT_NAME_ROOT_SIZE                                                 \
   (1u << (32 - PITOT_NAME_LEAF_BITS - PITOT_NAME_TABLE_BITS))

struct pitot_name_leaf {
   unsigned used_count;
   void *entries[PITOT_NAME_LEAF_SIZE];
};

struct pitot_name_table {
   struct pitot_name_leaf *leaves[PITOT_NAME_TABLE_SIZE];
};

struct pitot_names {
   struct pitot_name_leaf *first; /* of generated names: most are there */
   struct pitot_name_table **tables;
   uint32_t lowest_maybe_free;
};

static inline unsigned
pitot_name_root_index(uint32_t name)
{
   return name >> (PITOT_NAME_LEAF_BITS + PITOT_NAME_TABLE_BITS);
}

static inline unsigned
pitot_name_table_index(uint32_t name)
{
   return (name >> PITOT_NAME_LEAF_BITS) & (PITOT_NAME_TABLE_SIZE - 1);
}

static inline unsigned
pitot_name_leaf_index(uint32_t name)
{
   return name & (PITOT_NAME_LEAF_SIZE - 1);
}

static inline struct pitot_name_leaf *
pitot_names_find_leaf(const struct pitot_names *names, uint32_t name)
{
   if (name < PITOT_NAME_LEAF_SIZE)
      return names->first;

   const struct pitot_name_table *table =
      names->tables[pitot_name_root_index(name)];

   return table ? table->leaves[pitot_name_table_index(name)] : NULL;
}

/* Returns the entry of a name: NULL, pitot_name_generated or an object. */
static inline void *
pitot_names_get(const struct pitot_names *names, uint32_t name)
{
   const struct pitot_name_leaf *leaf = pitot_names_find_leaf(names, name);

   return leaf ? leaf->entries[pitot_name_leaf_index(name)] : NULL;
}

/* The entry of a name that is reserved and has no object. */
extern char pitot_name_generated[1];

#ifdef __cplusplus
}
#endif

#endif /* PITOT_NAMES_H */
