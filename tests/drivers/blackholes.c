/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "defects.h"

static void
set_blackhole(bool is_on)
{
   if (is_on)
      glEnable(GL_BLACKHOLE_RENDER_INTEL);
   else
      glDisable(GL_BLACKHOLE_RENDER_INTEL);
   glDrawArrays(GL_POINTS, 0, 1);
   glFlush();
   glDrawArrays(GL_POINTS, 0, 1);
}

/* By index, the blackhole covers the middle, the begin or the end. */
static uint64_t
count_beside_blackhole(GLenum target, unsigned index)
{
   const GLuint query = make_query();
   const bool begins_inside = index == 1, ends_inside = index == 2;

   open_watch();
   if (!begins_inside)
      glBeginQuery(target, query);
   glDrawArrays(GL_POINTS, 0, 1);
   set_blackhole(true);
   if (begins_inside)
      glBeginQuery(target, query);
   if (ends_inside)
      glEndQuery(target);
   set_blackhole(false);
   if (!ends_inside)
      glEndQuery(target);
   return read_query(query);
}

bool
blackholes_are_not_counted(void)
{
   static const uint64_t expected[] = { 3, 2, 1 };

   open_context();
   for (unsigned i = 0; i < LENGTH(expected); i++) {
      if (!is_about(count_beside_blackhole(GL_SAMPLES_PASSED, i), expected[i],
                    0))
         return false;
   }
   return true;
}

/* Each of five draws takes a second; garbage would be far more. */
bool
blackholes_take_no_garbage_of_time(void)
{
   open_context();
   sim_set("draw.ticks", 12000000);
   for (unsigned i = 0; i < 3; i++) {
      const uint64_t time_ns = count_beside_blackhole(GL_TIME_ELAPSED, i);

      if (time_ns > 10 * NS_PER_S)
         return is_about(time_ns, 3 * NS_PER_S, 7 * NS_PER_S);
   }
   return true;
}
