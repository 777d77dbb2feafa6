/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>

#include "core_priv.h"

#define LEAF_BITS  10
#define TABLE_BITS 11
#define LEAF_SIZE  (1u << LEAF_BITS)
#define TABLE_SIZE (1u << TABLE_BITS)
#define ROOT_SIZE  (1u << (32 - LEAF_BITS - TABLE_BITS))

struct pitot_name_leaf {
   unsigned used_count;
   void *entries[LEAF_SIZE];
};

struct pitot_name_table {
   struct pitot_name_leaf *leaves[TABLE_SIZE];
};

/* The entry of a name that is reserved and has no object. */
static char generated[1];

int
pitot_names_init(struct pitot_names *names)
{
   names->lowest_maybe_free = 1;
   names->tables = calloc(ROOT_SIZE, sizeof(names->tables[0]));
   return names->tables ? 0 : -ENOMEM;
}

void
pitot_names_finish(struct pitot_names *names,
                   void (*free_object)(void *data, void *object), void *data)
{
   for (unsigned i = 0; i < ROOT_SIZE; i++) {
      struct pitot_name_table *table = names->tables[i];
      for (unsigned j = 0; table && j < TABLE_SIZE; j++) {
         struct pitot_name_leaf *leaf = table->leaves[j];
         for (unsigned k = 0; leaf && k < LEAF_SIZE; k++) {
            void *entry = leaf->entries[k];
            if (entry && entry != generated)
               free_object(data, entry);
         }
         free(leaf);
      }
      free(table);
   }
   free(names->tables);
}

static struct pitot_name_table **
table_of(const struct pitot_names *names, uint32_t name)
{
   return &names->tables[name >> (LEAF_BITS + TABLE_BITS)];
}

static struct pitot_name_leaf **
leaf_of(struct pitot_name_table *table, uint32_t name)
{
   return &table->leaves[(name >> LEAF_BITS) % TABLE_SIZE];
}

static struct pitot_name_leaf *
find_leaf(const struct pitot_names *names, uint32_t name)
{
   struct pitot_name_table *table = *table_of(names, name);

   return table ? *leaf_of(table, name) : NULL;
}

static struct pitot_name_leaf *
create_leaf(struct pitot_names *names, uint32_t name)
{
   struct pitot_name_table **table = table_of(names, name);
   if (!*table)
      *table = calloc(1, sizeof(**table));
   if (!*table)
      return NULL;

   struct pitot_name_leaf **leaf = leaf_of(*table, name);
   if (!*leaf)
      *leaf = calloc(1, sizeof(**leaf));
   return *leaf;
}

static void *
get(const struct pitot_names *names, uint32_t name)
{
   const struct pitot_name_leaf *leaf = find_leaf(names, name);

   return leaf ? leaf->entries[name % LEAF_SIZE] : NULL;
}

struct pitot_query *
pitot_query_lookup(const struct pitot_context *context, uint32_t name)
{
   void *entry = get(&context->names, name);

   return entry == generated ? NULL : entry;
}

int
pitot_names_set(struct pitot_names *names, uint32_t name, void *entry)
{
   struct pitot_name_leaf *leaf =
      entry ? create_leaf(names, name) : find_leaf(names, name);
   if (!leaf)
      return entry ? -ENOMEM : 0;

   void **slot = &leaf->entries[name % LEAF_SIZE];
   leaf->used_count += (entry != NULL) - (*slot != NULL);
   *slot = entry;
   if (!entry && name < names->lowest_maybe_free)
      names->lowest_maybe_free = name;

   /* Generated names come and go in the first leaf, which stays. */
   if (leaf->used_count == 0 && name >= LEAF_SIZE) {
      *leaf_of(*table_of(names, name), name) = NULL;
      free(leaf);
   }
   return 0;
}

/* Returns the lowest name of 1 or more that has no entry, or 0. */
static uint32_t
lowest_free(struct pitot_names *names)
{
   uint64_t name = names->lowest_maybe_free;

   while (name <= UINT32_MAX) {
      const struct pitot_name_leaf *leaf = find_leaf(names, name);

      if (leaf && leaf->used_count == LEAF_SIZE) {
         name = (name | (LEAF_SIZE - 1)) + 1;
      } else if (name && (!leaf || !leaf->entries[name % LEAF_SIZE])) {
         names->lowest_maybe_free = name;
         return name;
      } else {
         name++;
      }
   }
   return 0;
}

int
pitot_names_generate(struct pitot_context *context, unsigned count,
                     uint32_t *names_out)
{
   for (unsigned i = 0; i < count; i++) {
      const uint32_t name = lowest_free(&context->names);

      if (!name || pitot_names_set(&context->names, name, generated)) {
         while (i--)
            pitot_names_set(&context->names, names_out[i], NULL);
         return -ENOMEM;
      }
      names_out[i] = name;
   }
   return 0;
}

bool
pitot_name_is_used(const struct pitot_context *context, uint32_t name)
{
   return get(&context->names, name) != NULL;
}
