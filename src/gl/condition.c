/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * glBeginConditionalRender and glEndConditionalRender.
 */

#include <assert.h>
#include <stddef.h>

#include "gl_priv.h"
#include "pitot_condition.h"

/* A mode of NV_conditional_render or ARB_conditional_render_inverted, minus
 * GL_QUERY_WAIT, is a combination of enum pitot_condition_flag.
 */
#define MODE(NAME) (GL_QUERY_##NAME - GL_QUERY_WAIT)

static_assert(MODE(NO_WAIT) == PITOT_CONDITION_NO_WAIT, "");
static_assert(MODE(BY_REGION_WAIT) == PITOT_CONDITION_BY_REGION, "");
static_assert(MODE(WAIT_INVERTED) == PITOT_CONDITION_INVERTED, "");

unsigned
pitot_gl_condition_mode_count(unsigned features)
{
   if (!(features & PITOT_GL_CONDITION))
      return 0;
   return features & PITOT_GL_CONDITION_INVERTED
             ? MODE(BY_REGION_NO_WAIT_INVERTED) + 1
             : MODE(BY_REGION_NO_WAIT) + 1;
}

static PITOT_COLD bool
reject_begin(struct pitot_gl *gl, GLenum error, const char *reason)
{
   const struct pitot_gl_call call = { gl, "glBeginConditionalRender" };

   return pitot_gl_error(&call, error, reason);
}

/* "An INVALID_OPERATION error is generated if BeginConditionalRender is
 * called while conditional rendering is in progress [...] An INVALID_ENUM
 * error is generated if mode is not one of the values described above.  An
 * INVALID_VALUE error is generated if id is not the name of an existing query
 * object.  An INVALID_OPERATION error is generated if id is the name of a
 * query object with a target other than [...] or if id is the name of a query
 * currently in progress." (10.9)
 */
static bool
check_begin(struct pitot_gl *gl, const struct pitot_query *query,
            unsigned mode)
{
   if (!gl->condition_mode_count)
      return reject_begin(gl, GL_INVALID_OPERATION, "not supported");
   if (pitot_gl_is_conditional(gl))
      return reject_begin(gl, GL_INVALID_OPERATION, "already active");
   if (mode >= gl->condition_mode_count)
      return reject_begin(gl, GL_INVALID_ENUM, "mode");
   if (!query || query->state == PITOT_STATE_IDLE)
      return reject_begin(gl, GL_INVALID_VALUE, "id is not a query object");
   if (!pitot_kind_info(query->kind)->is_condition)
      return reject_begin(gl, GL_INVALID_OPERATION, "target mismatch");
   if (query->state == PITOT_STATE_ACTIVE)
      return reject_begin(gl, GL_INVALID_OPERATION, "id is active");
   return true;
}

static PITOT_COLD void
report_begin(struct pitot_gl *gl, int error)
{
   const struct pitot_gl_call call = { gl, "glBeginConditionalRender" };

   pitot_gl_error_of_result(&call, error);
}

static PITOT_COLD void
trace_begin(struct pitot_gl *gl, uint32_t id, unsigned mode)
{
   const struct pitot_gl_call call = { gl, "glBeginConditionalRender" };

   pitot_gl_trace(&call, " id=%u mode=0x%04x", id, mode);
}

void
pitot_gl_begin_conditional_render(struct pitot_gl *gl, uint32_t id,
                                  unsigned gl_mode)
{
   const unsigned mode = gl_mode - GL_QUERY_WAIT;

   if (gl->info.trace)
      trace_begin(gl, id, gl_mode);
   struct pitot_query *query = pitot_query_lookup(gl->core, id);
   if (!check_begin(gl, query, mode))
      return;

   /* Buffered vertices belong to draws before the condition. */
   gl->info.host_ops->flush(gl->info.host);
   const int error = pitot_condition_begin(gl->core, query, mode);
   if (error)
      report_begin(gl, error);
}

/* "An INVALID_OPERATION error is generated [...] if EndConditionalRender is
 * called while [conditional rendering] is not in progress" (10.9)
 */
static PITOT_COLD void
reject_end(struct pitot_gl *gl)
{
   const struct pitot_gl_call call = { gl, "glEndConditionalRender" };

   pitot_gl_error(&call, GL_INVALID_OPERATION,
                  gl->condition_mode_count ? "not active" : "not supported");
}

static PITOT_COLD void
trace_end(struct pitot_gl *gl)
{
   const struct pitot_gl_call call = { gl, "glEndConditionalRender" };

   pitot_gl_trace(&call, "%s", "");
}

void
pitot_gl_end_conditional_render(struct pitot_gl *gl)
{
   if (gl->info.trace)
      trace_end(gl);
   if (!pitot_gl_is_conditional(gl)) {
      reject_end(gl);
      return;
   }
   gl->info.host_ops->flush(gl->info.host);
   pitot_condition_end(gl->core);
}

bool
pitot_gl_is_conditional(const struct pitot_gl *gl)
{
   return pitot_condition_query(gl->core) != NULL;
}

bool
pitot_gl_condition_passes(struct pitot_gl *gl)
{
   return pitot_condition_passes(gl->core);
}
