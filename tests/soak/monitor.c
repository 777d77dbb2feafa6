/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Monitors of AMD_performance_monitor: of some counters of each group, beside
 * one of the statistics.
 */

#include <inttypes.h>
#include <string.h>

#include "soak.h"

/* radeonsi has dozens. */
#define MAX_GROUPS   16
#define MAX_COUNTERS 4
#define MAX_RESULT_B (16 * MAX_COUNTERS)

#define POINTS 4

/* The fate of a monitor's results. */
enum fate { READ, POLL, BEGIN_AGAIN, LEAVE, FATE_COUNT };

static GLuint
make(GLuint group)
{
   GLuint monitor = 0, counters[MAX_COUNTERS];
   GLint count = 0, active = 0;

   glGetPerfMonitorCountersAMD(group, &count, &active, MAX_COUNTERS,
                               counters);
   if (count > MAX_COUNTERS)
      count = MAX_COUNTERS;
   glGenPerfMonitorsAMD(1, &monitor);
   glSelectPerfMonitorCountersAMD(monitor, GL_TRUE, group,
                                  count < active ? count : active, counters);
   if (monitor > soak_totals.highest_monitor)
      soak_totals.highest_monitor = monitor;
   soak_totals.monitors++;
   return monitor;
}

static void
poll(GLuint monitor)
{
   GLuint is_available = 0;

   for (unsigned i = 0; i < MAX_POLLS && !is_available; i++)
      glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD,
                                     sizeof(is_available), &is_available,
                                     NULL);
   if (!is_available)
      soak_fail("monitor %u never has results", monitor);
}

/* Returns the first value, which is that of the first counter. */
static uint64_t
read_results(GLuint monitor)
{
   GLuint size_B = 0, data[MAX_RESULT_B / sizeof(GLuint)];
   GLint written_B = 0;
   uint64_t value;

   glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_SIZE_AMD,
                                  sizeof(size_B), &size_B, NULL);
   glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_AMD,
                                  sizeof(data), data, &written_B);
   if (!size_B || written_B != (GLint)size_B)
      soak_fail("results of %u bytes have %d", size_B, written_B);
   soak_totals.results++;
   memcpy(&value, &data[2], sizeof(value));
   return value;
}

static void
measure(GLuint monitor)
{
   glBeginPerfMonitorAMD(monitor);
   soak_draw(POINTS);
   glEndPerfMonitorAMD(monitor);
}

/* Measures a group as often as there are fates, within a monitor of the
 * statistics, whose first counter has all points.
 */
static void
measure_group(GLuint group, GLuint statistics)
{
   GLuint outer = make(statistics);

   glBeginPerfMonitorAMD(outer);
   for (enum fate fate = 0; fate < FATE_COUNT; fate++) {
      GLuint monitor = make(group);

      measure(monitor);
      if (fate == POLL)
         poll(monitor);
      else if (fate == BEGIN_AGAIN)
         measure(monitor);
      if (fate != LEAVE)
         (void)read_results(monitor);
      glDeletePerfMonitorsAMD(1, &monitor);
   }
   glEndPerfMonitorAMD(outer);
   const uint64_t vertices = read_results(outer);
   if (vertices != (FATE_COUNT + 1) * POINTS)
      soak_fail("a monitor of %u vertices has %" PRIu64,
                (FATE_COUNT + 1) * POINTS, vertices);
   glDeletePerfMonitorsAMD(1, &outer);
}

/* Returns how many groups are measured, and that of the statistics. */
static GLint
find_groups(GLuint groups[MAX_GROUPS], GLuint *statistics_out)
{
   GLuint all[1024];
   GLint count = 0;

   glGetPerfMonitorGroupsAMD(&count, ARRAY_LENGTH(all), all);
   if (count > (GLint)ARRAY_LENGTH(all))
      soak_fail("there are %d groups", count);
   for (GLint i = 0; i < count; i++) {
      GLchar name[32];

      glGetPerfMonitorGroupStringAMD(all[i], sizeof(name), NULL, name);
      if (strcmp(name, "Pipeline Statistics") == 0)
         *statistics_out = all[i];
   }
   if (count > MAX_GROUPS)
      count = MAX_GROUPS;
   memcpy(groups, all, count * sizeof(all[0]));
   return count;
}

void
soak_monitors(void)
{
   GLuint groups[MAX_GROUPS], statistics = 0;

   if (!epoxy_has_gl_extension("GL_AMD_performance_monitor"))
      return;
   const GLint count = find_groups(groups, &statistics);
   for (GLint i = 0; i < count; i++)
      measure_group(groups[i], statistics);
}

void
soak_leave_monitors(void)
{
   GLuint groups[MAX_GROUPS], statistics = 0;

   if (!epoxy_has_gl_extension("GL_AMD_performance_monitor"))
      return;
   (void)find_groups(groups, &statistics);
   measure(make(groups[0]));
   glBeginPerfMonitorAMD(make(statistics));
   soak_draw(POINTS);
}
