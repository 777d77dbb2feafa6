/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Names: a root of tables of leaves of entries.  No name from 1 to below
 * lowest_maybe_free is free.  Arrays without an entry share a root, which
 * must not be written to: create_leaf() allocates another one first.
 */

#include <errno.h>
#include <stdlib.h>

#include "core_priv.h"

#define LEAF_SIZE  PITOT_NAMES_LEAF_SIZE
#define TABLE_SIZE PITOT_NAMES_TABLE_SIZE
#define ROOT_SIZE  PITOT_NAMES_ROOT_SIZE

/* Shared by all arrays without an entry; never written to. */
static struct pitot_name_table *no_tables[ROOT_SIZE];

void
pitot_names_init(struct pitot_names *names)
{
   names->lowest_maybe_free = 1;
   names->tables = no_tables;
}

void
pitot_names_finish(struct pitot_names *names,
                   void (*free_object)(void *data, void *object), void *data)
{
   if (names->tables == no_tables)
      return;
   for (unsigned i = 0; i < ROOT_SIZE; i++) {
      struct pitot_name_table *table = names->tables[i];
      for (unsigned j = 0; table && j < TABLE_SIZE; j++) {
         struct pitot_name_leaf *leaf = table->leaves[j];
         for (unsigned k = 0; leaf && k < LEAF_SIZE; k++) {
            void *entry = leaf->entries[k];
            if (entry && entry != PITOT_NAMES_RESERVED)
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
   return &names->tables[name >>
                         (PITOT_NAMES_LEAF_BITS + PITOT_NAMES_TABLE_BITS)];
}

static struct pitot_name_leaf **
leaf_in(struct pitot_name_table *table, uint32_t name)
{
   return &table->leaves[(name >> PITOT_NAMES_LEAF_BITS) % TABLE_SIZE];
}

static struct pitot_name_leaf *
leaf_of(const struct pitot_names *names, uint32_t name)
{
   struct pitot_name_table *table = *table_of(names, name);

   return table ? *leaf_in(table, name) : NULL;
}

static PITOT_NOINLINE struct pitot_name_leaf *
create_leaf(struct pitot_names *names, uint32_t name)
{
   if (names->tables == no_tables) {
      struct pitot_name_table **tables = calloc(ROOT_SIZE, sizeof(tables[0]));
      if (!tables)
         return NULL;
      names->tables = tables;
   }

   struct pitot_name_table **table = table_of(names, name);
   if (!*table)
      *table = calloc(1, sizeof(**table));
   if (!*table)
      return NULL;

   struct pitot_name_leaf **leaf = leaf_in(*table, name);
   *leaf = calloc(1, sizeof(**leaf));
   return *leaf;
}

int
pitot_names_set(struct pitot_names *names, uint32_t name, void *entry)
{
   struct pitot_name_leaf *leaf = leaf_of(names, name);
   if (!leaf && entry)
      leaf = create_leaf(names, name);
   if (!leaf)
      return entry ? -ENOMEM : 0;

   void **slot = &leaf->entries[name % LEAF_SIZE];
   leaf->used_count += (entry != NULL) - (*slot != NULL);
   *slot = entry;
   if (!entry && name < names->lowest_maybe_free)
      names->lowest_maybe_free = name;

   /* The first leaf stays: generated names come and go in it. */
   if (leaf->used_count == 0 && name >= LEAF_SIZE) {
      *leaf_in(*table_of(names, name), name) = NULL;
      free(leaf);
   }
   return 0;
}

/* Returns the lowest name from 1 on that has no entry, or 0. */
static uint32_t
lowest_free(struct pitot_names *names)
{
   uint64_t name = names->lowest_maybe_free;

   while (name <= UINT32_MAX) {
      const struct pitot_name_leaf *leaf = leaf_of(names, name);

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

uint32_t
pitot_names_add(struct pitot_names *names, void *entry)
{
   const uint32_t name = lowest_free(names);

   return name && pitot_names_set(names, name, entry) == 0 ? name : 0;
}

int
pitot_names_generate(struct pitot_context *context, unsigned count,
                     uint32_t *names_out)
{
   struct pitot_names *names = &context->head.names;

   for (unsigned i = 0; i < count; i++) {
      names_out[i] = pitot_names_add(names, PITOT_NAMES_RESERVED);
      if (!names_out[i]) {
         while (i--)
            pitot_names_set(names, names_out[i], NULL);
         return -ENOMEM;
      }
   }
   return 0;
}
