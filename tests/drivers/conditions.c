/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "defects.h"

static bool
is_drawn_if(GLuint condition)
{
   glBeginConditionalRender(condition, GL_QUERY_WAIT);
   const GLuint drawn = measure(GL_SAMPLES_PASSED, 1);
   glEndConditionalRender();
   return read_query(drawn) != 0;
}

/* Also before the slots that the GPU's backends write are known. */
static bool
are_conditions_right(void)
{
   bool is_right = true;

   open_context();
   for (unsigned i = 0; i < 3; i++)
      is_right &= is_drawn_if(measure(GL_SAMPLES_PASSED, 1)) &&
                  !is_drawn_if(measure_nothing());
   return is_about(is_right, true, 0) &&
          is_about(sim_get("violation_count"), 0, 0);
}

/* The condition is in flight. */
static bool
is_dispatched_if(bool is_drawn)
{
   const GLuint condition =
      is_drawn ? measure(GL_SAMPLES_PASSED, 1) : measure_nothing();

   glBeginConditionalRender(condition, GL_QUERY_WAIT);
   const GLuint dispatched = measure_dispatch();
   glEndConditionalRender();
   return is_about(read_query(dispatched), is_drawn, 0);
}

/* OpenGL 4.6 core, 10.9: compute dispatch has no effect, either. */
bool
dispatches_obey_conditions(void)
{
   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   sim_set("is_delayed", true);
   return is_dispatched_if(false) && is_dispatched_if(true) &&
          is_dispatched_if(false);
}

/* If disabled backends have no slot in a sample, the others move up. */
bool
conditions_of_packed_backends(void)
{
   sim_set("packs_backends", true);
   return are_conditions_right();
}

/* The samples of a batch that the driver drops are never written. */
bool
conditions_of_dropped_batches(void)
{
   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   glEnable(GL_BLACKHOLE_RENDER_INTEL);
   const GLuint dropped = measure(GL_SAMPLES_PASSED, 1);
   glFlush();
   glDisable(GL_BLACKHOLE_RENDER_INTEL);
   is_drawn_if(dropped);
   return is_about(sim_get("violation_count"), 0, 0);
}

/* The same if the batch is dropped while the condition is current. */
bool
conditions_in_dropped_batches(void)
{
   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   glEnable(GL_BLACKHOLE_RENDER_INTEL);
   const GLuint dropped = measure(GL_SAMPLES_PASSED, 1);
   glBeginConditionalRender(dropped, GL_QUERY_WAIT);
   glDrawArrays(GL_POINTS, 0, 1);
   glDisable(GL_BLACKHOLE_RENDER_INTEL);
   glDrawArrays(GL_POINTS, 0, 1);
   glEndConditionalRender();
   glFinish();
   return is_about(sim_get("violation_count"), 0, 0);
}

/* A backend may write after the end of the pipe. */
bool
conditions_of_late_backends(void)
{
   sim_set("delays_backends", true);
   return are_conditions_right();
}
