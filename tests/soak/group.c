/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>

#include "soak.h"
#include "targets.h"

/* The first ones share a slot: a group has one of them. */
#define OCCLUSION_COUNT 3

#define TARGET(KIND, TARGET, FLAGS, WORK, POINTS, DESKTOP, ...)              \
   { GL_##TARGET, FLAGS, POINTS, DESKTOP },

static const struct target {
   GLenum target;
   unsigned flags;
   enum target_points points;
   const char *extension; /* or "" */
} targets[] = { EACH_TARGET(TARGET) };

_Static_assert(ARRAY_LENGTH(targets) <= SOAK_MAX_QUERIES, "too many targets");

static bool
is_here(const struct target *target)
{
   return !(target->flags & TARGET_INSTANT) &&
          (target->extension[0] == '\0' ||
           epoxy_has_gl_extension(target->extension));
}

static GLuint
generate(void)
{
   GLuint id = 0;

   glGenQueries(1, &id);
   if (id > soak_totals.highest_name)
      soak_totals.highest_name = id;
   soak_totals.queries++;
   return id;
}

static GLuint
record_time(void)
{
   const GLuint id = generate();

   glQueryCounter(id, GL_TIMESTAMP);
   return id;
}

static void
generate_all(struct soak_group *group)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++) {
      const bool is_other = i < OCCLUSION_COUNT && i != group->occlusion;

      group->ids[i] = is_other || !is_here(&targets[i]) ? 0 : generate();
   }
}

static void
measure(const struct soak_group *group, unsigned points)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++) {
      if (group->ids[i])
         glBeginQuery(targets[i].target, group->ids[i]);
   }
   soak_draw(points);
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++) {
      if (group->ids[i])
         glEndQuery(targets[i].target);
   }
}

static uint64_t
result_of(GLuint id)
{
   GLuint64 result = UINT64_MAX;

   glGetQueryObjectui64v(id, GL_QUERY_RESULT, &result);
   return result;
}

static void
poll(GLuint id)
{
   GLuint is_available = 0;

   for (unsigned i = 0; i < MAX_POLLS && !is_available; i++)
      glGetQueryObjectuiv(id, GL_QUERY_RESULT_AVAILABLE, &is_available);
   if (!is_available)
      soak_fail("query %u never has a result", id);
}

static void
check_value(const struct soak_group *group, unsigned index, uint64_t value,
            uint64_t apart_ns)
{
   const struct {
      uint64_t least, most;
   } limits[] = {
      [TARGET_IS_POINTS] = { group->points, group->points },
      [TARGET_IS_TRUE] = { 1, 1 },
      [TARGET_IS_NOTHING] = { 0, 0 },
      [TARGET_IS_ELAPSED] = { 0, apart_ns },
      [TARGET_IS_ANYTHING] = { 0, UINT64_MAX - 1 },
   };
   const enum target_points check = targets[index].points;

   if (value < limits[check].least || value > limits[check].most)
      soak_fail("query %u of target 0x%x, after %u points: %" PRIu64
                ", not %" PRIu64 " to %" PRIu64,
                group->ids[index], targets[index].target, group->points,
                value, limits[check].least, limits[check].most);
   soak_totals.results++;
}

static void
check_all(const struct soak_group *group)
{
   const uint64_t before_ns = result_of(group->before);
   const uint64_t after_ns = result_of(group->after);

   if (after_ns < before_ns)
      soak_fail("a timestamp went back by %" PRIu64 " ns",
                before_ns - after_ns);
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++) {
      if (group->ids[i])
         check_value(group, i, result_of(group->ids[i]),
                     after_ns - before_ns);
   }
}

/* Stores all results into a new buffer, and reads it. */
static void
check_stored(const struct soak_group *group)
{
   uint64_t values[SOAK_MAX_QUERIES] = { 0 };
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, sizeof(values), values, GL_STREAM_READ);
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++) {
      if (group->ids[i])
         glGetQueryObjectui64v(group->ids[i], GL_QUERY_RESULT,
                               (GLuint64 *)(i * sizeof(values[0])));
   }
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(values), values);
   glDeleteBuffers(1, &buffer);
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++) {
      if (group->ids[i])
         check_value(group, i, values[i], UINT64_MAX - 1);
   }
}

static void
draw_under_condition(const struct soak_group *group, GLenum mode)
{
   glBeginConditionalRender(group->ids[group->occlusion], mode);
   soak_draw(1);
   glEndConditionalRender();
}

/* Begins all queries again while their results are in flight. */
static void
measure_again(struct soak_group *group)
{
   group->points++;
   measure(group, group->points);
   glQueryCounter(group->after, GL_TIMESTAMP);
}

static enum soak_fate
choose_fate(struct random *random)
{
   const enum soak_fate fate = random_below(random, SOAK_FATE_COUNT);

   return fate == SOAK_STORE &&
                !epoxy_has_gl_extension("GL_ARB_query_buffer_object")
             ? SOAK_READ_LATE
             : fate;
}

void
soak_group_make(struct soak_group *group, struct random *random)
{
   group->fate = choose_fate(random);
   group->points = 1 + random_below(random, SOAK_MAX_POINTS - 1);
   group->occlusion = random_below(random, OCCLUSION_COUNT);
   if (!is_here(&targets[group->occlusion]))
      group->occlusion = 0;
   generate_all(group);
   group->before = record_time();
   measure(group, group->points);
   group->after = record_time();

   if (group->fate == SOAK_READ_NOW)
      check_all(group);
   else if (group->fate == SOAK_POLL)
      poll(group->after);
   else if (group->fate == SOAK_CONDITION)
      draw_under_condition(group, GL_QUERY_NO_WAIT);
   else if (group->fate == SOAK_BEGIN_AGAIN)
      measure_again(group);
}

void
soak_group_end(const struct soak_group *group)
{
   if (group->fate == SOAK_STORE)
      check_stored(group);
   else if (group->fate == SOAK_CONDITION)
      draw_under_condition(group, GL_QUERY_WAIT);
   if (group->fate != SOAK_NEVER_READ)
      check_all(group);
   glDeleteQueries(SOAK_MAX_QUERIES, group->ids);
   glDeleteQueries(1, &group->before);
   glDeleteQueries(1, &group->after);
}

void
soak_leave(struct random *random)
{
   struct soak_group group = { .fate = SOAK_NEVER_READ };

   for (unsigned i = 0; i < 4; i++)
      soak_group_make(&group, random);
   group.points = 1;
   generate_all(&group);
   for (unsigned i = OCCLUSION_COUNT; i < ARRAY_LENGTH(targets); i++) {
      if (group.ids[i])
         glBeginQuery(targets[i].target, group.ids[i]);
   }
   soak_draw(1);
}
