/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stddef.h>

#include "gl_priv.h"

static void
trace_names(const struct pitot_gl_call *call, int n, const uint32_t *ids)
{
   pitot_gl_trace(call, " n=%d id=%u%s", n, n ? ids[0] : 0,
                  n > 1 ? " and so on" : "");
}

void
pitot_gl_gen_queries(struct pitot_gl *gl, int n, uint32_t *ids)
{
   const struct pitot_gl_call call = { gl, "glGenQueries" };

   if (pitot_gl_check_count(&call, n) &&
       pitot_gl_check_result(&call, pitot_names_generate(gl->core, n, ids)))
      trace_names(&call, n, ids);
}

static int
create_objects(struct pitot_gl *gl, enum pitot_kind kind, int n,
               uint32_t *ids)
{
   int error = pitot_names_generate(gl->core, n, ids);
   if (error)
      return error;

   for (int i = 0; i < n && !error; i++)
      error = pitot_query_create(gl->core, ids[i], kind);
   for (int i = 0; i < n && error; i++)
      pitot_query_delete(gl->core, ids[i]);
   return error;
}

void
pitot_gl_create_queries(struct pitot_gl *gl, unsigned target, int n,
                        uint32_t *ids)
{
   const struct pitot_gl_call call = { gl, "glCreateQueries" };
   const enum pitot_kind kind = pitot_gl_check_target(&call, target);

   if (kind != PITOT_KIND_NONE && pitot_gl_check_count(&call, n) &&
       pitot_gl_check_result(&call, create_objects(gl, kind, n, ids)))
      trace_names(&call, n, ids);
}

void
pitot_gl_delete_queries(struct pitot_gl *gl, int n, const uint32_t *ids)
{
   const struct pitot_gl_call call = { gl, "glDeleteQueries" };

   if (!pitot_gl_check_count(&call, n))
      return;
   trace_names(&call, n, ids);

   /* A delete may end an active query, which counts the buffered vertices. */
   gl->info.host_ops->flush(gl->info.host);
   for (int i = 0; i < n; i++)
      pitot_query_delete(gl->core, ids[i]);
}

/* "IsQuery returns TRUE if id is the name of a query object": a generated
 * name becomes one when it is first begun (4.2.3).  An object may exist
 * earlier, to hold a label, but is idle.
 */
bool
pitot_gl_is_query(const struct pitot_gl *gl, uint32_t id)
{
   const struct pitot_query *query = pitot_query_lookup(gl->core, id);

   return query && query->state != PITOT_STATE_IDLE;
}

char **
pitot_gl_query_label(struct pitot_gl *gl, uint32_t id)
{
   struct pitot_query *query;

   if (!pitot_name_is_used(gl->core, id) ||
       pitot_query_obtain(gl->core, id, &query))
      return NULL;
   return &query->label;
}
