/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "core_priv.h"

int
pitot_query_begin(struct pitot_context *context, struct pitot_query *query,
                  enum pitot_kind kind, unsigned stream)
{
   struct pitot_binding *binding = pitot_binding_of(context, kind, stream);

   return binding->slot ? pitot_binding_begin(context, binding, query)
                        : pitot_binding_record(context, binding, query);
}

int
pitot_query_end(struct pitot_context *context, enum pitot_kind kind,
                unsigned stream)
{
   return pitot_binding_end(context, pitot_binding_of(context, kind, stream));
}

int
pitot_query_fail_begin(struct pitot_context *context,
                       struct pitot_query *query,
                       struct pitot_driver_query *failed, int error)
{
   if (query->driver_query == failed)
      query->driver_query = NULL;
   pitot_driver_query_destroy(context, failed);
   return error;
}

int
pitot_query_fail_end(struct pitot_context *context, struct pitot_query *query,
                     int error)
{
   query->state = PITOT_STATE_AVAILABLE;
   query->result = 0;
   pitot_query_fail_begin(context, query, query->driver_query, error);
   pitot_query_unref(context, query);
   return error;
}

void
pitot_query_free(struct pitot_context *context, struct pitot_query *query)
{
   pitot_query_drop_driver_query(context, query);
   free(query->label);
   pitot_arena_free(&context->objects, query);
}
