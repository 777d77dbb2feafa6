/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "core_priv.h"

char pitot_name_generated[1];

int
pitot_names_init(struct pitot_names *names)
{
   names->lowest_maybe_free = 1;
   names->tables = calloc(PITOT_NAME_ROOT_SIZE, sizeof(names->tables[0]));
   return names->tables ? 0 : -ENOMEM;
}

void
pitot_names_finish(struct pitot_names *names)
{
   for (unsigned i = 0; names->tables && i < PITOT_NAME_ROOT_SIZE; i++) {
      struct pitot_name_table *table = names->tables[i];
      for (unsigned j = 0; table && j < PITOT_NAME_TABLE_SIZE; j++)
         free(table->leaves[j]);
      free(table);
   }
   free(names->tables);
}

static struct pitot_name_leaf *
make_leaf(struct pitot_names *names, uint32_t name)
{
   struct pitot_name_table **table =
      &names->tables[pitot_name_root_index(name)];
   if (!*table)
      *table = calloc(1, sizeof(**table));
   if (!*table)
      return NULL;

   struct pitot_name_leaf **leaf =
      &(*table)->leaves[pitot_name_table_index(name)];
   if (!*leaf)
      *leaf = calloc(1, sizeof(**leaf));
   if (name < PITOT_NAME_LEAF_SIZE)
      names->first = *leaf;
   return *leaf;
}

/* A name has no entry any more. */
static void
forget(struct pitot_names *names, uint32_t name, struct pitot_name_leaf *leaf)
{
   if (name < names->lowest_maybe_free)
      names->lowest_maybe_free = name;

   /* Generated names come and go in the first leaf, which stays. */
   if (leaf->used_count == 0 && name >= PITOT_NAME_LEAF_SIZE) {
      names->tables[pitot_name_root_index(name)]
         ->leaves[pitot_name_table_index(name)] = NULL;
      free(leaf);
   }
}

int
pitot_names_set(struct pitot_names *names, uint32_t name, void *entry)
{
   struct pitot_name_leaf *leaf =
      entry ? make_leaf(names, name) : pitot_names_find_leaf(names, name);
   if (!leaf)
      return entry ? -ENOMEM : 0;

   void **slot = &leaf->entries[pitot_name_leaf_index(name)];
   leaf->used_count += (entry != NULL) - (*slot != NULL);
   *slot = entry;
   if (!entry)
      forget(names, name, leaf);
   return 0;
}

uint32_t
pitot_names_lowest_free(struct pitot_names *names)
{
   uint64_t name = names->lowest_maybe_free;
   while (name <= UINT32_MAX) {
      const struct pitot_name_leaf *leaf = pitot_names_find_leaf(names, name);
      if (leaf && leaf->used_count == PITOT_NAME_LEAF_SIZE) {
         name = (name | (PITOT_NAME_LEAF_SIZE - 1)) + 1;
      } else if (name &&
                 (!leaf || !leaf->entries[pitot_name_leaf_index(name)])) {
         names->lowest_maybe_free = name;
         return name;
      } else {
         name++;
      }
   }
   return 0;
}

void
pitot_names_for_each(const struct pitot_names *names,
                     void (*callback)(void *data, void *object), void *data)
{
   for (unsigned i = 0; i < PITOT_NAME_ROOT_SIZE; i++) {
      const struct pitot_name_table *table = names->tables[i];
      for (unsigned j = 0; table && j < PITOT_NAME_TABLE_SIZE; j++) {
         const struct pitot_name_leaf *leaf = table->leaves[j];
         for (unsigned k = 0; leaf && k < PITOT_NAME_LEAF_SIZE; k++) {
            void *entry = leaf->entries[k];
            if (entry && entry != pitot_name_generated)
               callback(data, entry);
         }
      }
   }
}
