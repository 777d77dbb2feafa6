/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stddef.h>

#include "gl_priv.h"

/* NV_conditional_render and ARB_conditional_render_inverted */
static const struct mode {
   GLenum mode;
   unsigned features;
   struct pitot_condition_mode core;
} modes[] = {
   { GL_QUERY_WAIT, 0, { .wait = true } },
   { GL_QUERY_NO_WAIT, 0, { 0 } },
   { GL_QUERY_BY_REGION_WAIT, 0, { .wait = true, .by_region = true } },
   { GL_QUERY_BY_REGION_NO_WAIT, 0, { .by_region = true } },
   { GL_QUERY_WAIT_INVERTED,
     PITOT_GL_CONDITION_INVERTED,
     { .wait = true, .inverted = true } },
   { GL_QUERY_NO_WAIT_INVERTED,
     PITOT_GL_CONDITION_INVERTED,
     { .inverted = true } },
   { GL_QUERY_BY_REGION_WAIT_INVERTED,
     PITOT_GL_CONDITION_INVERTED,
     { .wait = true, .by_region = true, .inverted = true } },
   { GL_QUERY_BY_REGION_NO_WAIT_INVERTED,
     PITOT_GL_CONDITION_INVERTED,
     { .by_region = true, .inverted = true } },
};

/* "An INVALID_ENUM error is generated if mode is not one of the values
 * described above" (10.9)
 */
static const struct mode *
check_mode(const struct pitot_gl_call *call, GLenum mode)
{
   const unsigned features = call->gl->info.features;

   for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
      if (modes[i].mode == mode &&
          (features & modes[i].features) == modes[i].features)
         return &modes[i];
   }
   pitot_gl_error(call, GL_INVALID_ENUM, "mode");
   return NULL;
}

/* "An INVALID_OPERATION error is generated if BeginConditionalRender is
 * called while conditional rendering is in progress, [...] if
 * EndConditionalRender is called while [it] is not in progress" (10.9); or
 * where there is no conditional rendering at all.
 */
static bool
check_progress(const struct pitot_gl_call *call, bool must_be)
{
   struct pitot_gl *gl = call->gl;

   if (!(gl->info.features & PITOT_GL_CONDITION))
      return pitot_gl_error(call, GL_INVALID_OPERATION, "not supported");
   return pitot_gl_is_conditional(gl) == must_be ||
          pitot_gl_error(call, GL_INVALID_OPERATION,
                         must_be ? "not begun" : "already begun");
}

void
pitot_gl_begin_conditional_render(struct pitot_gl *gl, uint32_t id,
                                  unsigned gl_mode)
{
   const struct pitot_gl_call call = { gl, "glBeginConditionalRender" };

   pitot_gl_trace(&call, " id=%u mode=0x%04x", id, gl_mode);
   if (!check_progress(&call, false))
      return;
   const struct mode *mode = check_mode(&call, gl_mode);
   if (!mode)
      return;
   struct pitot_query *query = pitot_gl_check_condition(&call, id);
   if (!query)
      return;

   /* Earlier draws do not depend on the result. */
   pitot_gl_flush_host(gl);
   pitot_gl_check_result(&call,
                         pitot_condition_begin(gl->core, query, mode->core));
}

void
pitot_gl_end_conditional_render(struct pitot_gl *gl)
{
   const struct pitot_gl_call call = { gl, "glEndConditionalRender" };

   pitot_gl_trace(&call, "%s", "");
   if (!check_progress(&call, true))
      return;
   pitot_gl_flush_host(gl);
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
