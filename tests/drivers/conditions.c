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
   return result64_of(drawn) != 0;
}

/* Also before the slots that the GPU's backends write are known. */
void
conditions_are_right(void)
{
   for (unsigned i = 0; i < 3; i++) {
      expect(is_drawn_if(measure(GL_SAMPLES_PASSED, 1)), true);
      expect(is_drawn_if(measure_nothing()), false);
   }
}

/* OpenGL 4.6 core, 10.9: compute dispatch has no effect, either.  The
 * condition is in flight.
 */
void
dispatches_obey_conditions(void)
{
   for (unsigned i = 0; i < 3; i++) {
      const bool is_drawn = i == 1;

      glBeginConditionalRender(is_drawn ? measure(GL_SAMPLES_PASSED, 1)
                                        : measure_nothing(),
                               GL_QUERY_WAIT);
      const GLuint dispatched = measure_dispatch();
      glEndConditionalRender();
      expect(result64_of(dispatched), is_drawn);
   }
}

/* The samples of a batch that the driver drops are never written. */
void
conditions_of_dropped_batches(void)
{
   glEnable(GL_BLACKHOLE_RENDER_INTEL);
   const GLuint dropped = measure(GL_SAMPLES_PASSED, 1);
   glFlush();
   glDisable(GL_BLACKHOLE_RENDER_INTEL);
   is_drawn_if(dropped);
}

/* The same if the batch is dropped while the condition is current. */
void
conditions_in_dropped_batches(void)
{
   glEnable(GL_BLACKHOLE_RENDER_INTEL);
   const GLuint dropped = measure(GL_SAMPLES_PASSED, 1);
   glBeginConditionalRender(dropped, GL_QUERY_WAIT);
   draw_point();
   glDisable(GL_BLACKHOLE_RENDER_INTEL);
   draw_point();
   glEndConditionalRender();
   glFinish();
}
