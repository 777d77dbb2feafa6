/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "profile_priv.h"

struct pitot_profile_scope *
pitot_profile_scope_create(struct pitot_profile_scope *parent,
                           const char *name, size_t length)
{
   struct pitot_profile_scope *scope = calloc(1, sizeof(*scope) + length + 1);

   if (!scope)
      return NULL;
   scope->refs = 1;
   scope->parent = pitot_profile_scope_ref(parent);
   scope->depth = parent ? parent->depth + 1 : 0;
   if (length)
      memcpy(scope->name, name, length);
   return scope;
}

struct pitot_profile_scope *
pitot_profile_scope_ref(struct pitot_profile_scope *scope)
{
   if (scope)
      scope->refs++;
   return scope;
}

void
pitot_profile_scope_unref(struct pitot_profile_scope *scope)
{
   while (scope && --scope->refs == 0) {
      struct pitot_profile_scope *parent = scope->parent;

      free(scope);
      scope = parent;
   }
}

const struct pitot_profile_scope *
pitot_profile_scope_at(const struct pitot_profile_scope *scope,
                       unsigned depth)
{
   if (scope->depth < depth)
      return NULL;
   while (scope->depth > depth)
      scope = scope->parent;
   return scope;
}
