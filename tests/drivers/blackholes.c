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
   draw_point();
   glFlush();
   draw_point();
}

/* By index, the blackhole covers the middle, the begin or the end. */
static uint64_t
count_beside_blackhole(GLenum target, unsigned index)
{
   const GLuint query = generate();
   const bool begins_inside = index == 1, ends_inside = index == 2;

   open_watch();
   if (!begins_inside)
      glBeginQuery(target, query);
   draw_point();
   set_blackhole(true);
   if (begins_inside)
      glBeginQuery(target, query);
   if (ends_inside)
      glEndQuery(target);
   set_blackhole(false);
   if (!ends_inside)
      glEndQuery(target);
   return result64_of(query);
}

void
blackholes_are_not_counted(void)
{
   static const uint64_t expected[] = { 3, 2, 1 };

   for (unsigned i = 0; i < ARRAY_LENGTH(expected); i++)
      expect(count_beside_blackhole(GL_SAMPLES_PASSED, i), expected[i]);
}

/* Each of five draws takes a second; garbage would be far more. */
void
blackholes_take_no_garbage_of_time(void)
{
   sim_set("draw.ticks", 12000000);
   for (unsigned i = 0; i < 3; i++)
      expect_most(count_beside_blackhole(GL_TIME_ELAPSED, i), 10 * NS_PER_S);
}
