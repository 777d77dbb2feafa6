/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "perf_measure.h"

#include <stdlib.h>
#include <time.h>

#include "fail.h"

/* How many instances there are at a time: a driver may list a thousand sets,
 * and have memory of the GPU for each instance.
 */
#define MAX_INSTANCES 64

/* How long records may take before we stop asking and simply wait. */
#define PATIENCE_MS 5000

/* One measurement of a scene by a set. */
struct instance {
   struct perf_set *set;
   unsigned scene;
   GLuint handle;
   enum {
      INSTANCE_NEW,
      INSTANCE_ACTIVE,
      INSTANCE_ENDED,
      INSTANCE_READ,
   } state;
};

static void
create(struct instance *instance, struct perf_set *set, unsigned scene)
{
   *instance = (struct instance){ .set = set, .scene = scene };
   glCreatePerfQueryINTEL(set->id, &instance->handle);
   set->records[scene] = calloc(1, set->record_B);
   if (!set->records[scene])
      fail("out of memory");
   context_check("making an instance of a set of counters");
}

/* An error means that the driver cannot count this beside what is active. */
static bool
begin(struct instance *instance)
{
   glBeginPerfQueryINTEL(instance->handle);
   if (glGetError() != GL_NO_ERROR)
      return false;
   instance->state = INSTANCE_ACTIVE;
   return true;
}

static void
end(struct instance *instance)
{
   glEndPerfQueryINTEL(instance->handle);
   instance->state = INSTANCE_ENDED;
}

/* Measures one draw with as many sets as the driver measures at a time, of
 * those that have not measured it yet. Returns with how many. The flushes
 * make the draw a pass of its own, as where it is timed.
 */
static unsigned
draw(const struct loaded_scene *loaded, struct instance *instances,
     unsigned count)
{
   unsigned active = 0;

   scene_prepare(loaded);
   glFlush();
   context_check("preparing a scene");
   for (unsigned i = 0; i < count; i++) {
      if (instances[i].state == INSTANCE_NEW)
         active += begin(&instances[i]);
   }
   scene_draw(loaded);
   for (unsigned i = count; i-- > 0;) {
      if (instances[i].state == INSTANCE_ACTIVE)
         end(&instances[i]);
   }
   glFlush();
   context_check("measuring a draw with counters");
   return active;
}

/* Draws a scene until all sets have measured it, or none of the rest can. */
static void
measure_scene(const struct loaded_scene *loaded, struct instance *instances,
              unsigned count)
{
   unsigned left = count;
   unsigned active;

   do {
      active = draw(loaded, instances, count);
      left -= active;
   } while (left && active);
}

/* Whether the record is there, or never will be. A driver that lost what it
 * measured says so with an error.
 */
static bool
read_record(struct instance *instance, GLuint flags)
{
   const struct perf_set *set = instance->set;
   GLuint written_B = 0;

   glGetPerfQueryDataINTEL(instance->handle, flags, (GLsizei)set->record_B,
                           set->records[instance->scene], &written_B);
   const bool is_lost = glGetError() != GL_NO_ERROR;
   if (written_B && !is_lost)
      instance->state = INSTANCE_READ;
   return written_B || is_lost;
}

/* Returns how many records are still missing. */
static unsigned
read_records(struct instance *instances, unsigned count, GLuint flags)
{
   unsigned missing = 0;

   for (unsigned i = 0; i < count; i++) {
      if (instances[i].state == INSTANCE_ENDED)
         missing += !read_record(&instances[i], flags);
   }
   return missing;
}

static void
collect(struct instance *instances, unsigned count)
{
   const struct timespec nap = { .tv_nsec = 1000000 };
   unsigned missing = count;

   /* All that was drawn has been flushed: it is enough to look. */
   for (unsigned ms = 0; missing && ms < PATIENCE_MS; ms++) {
      missing =
         read_records(instances, count, GL_PERFQUERY_DONOT_FLUSH_INTEL);
      if (missing)
         nanosleep(&nap, NULL);
   }
   if (missing)
      read_records(instances, count, GL_PERFQUERY_WAIT_INTEL);
}

static void
discard(struct instance *instance)
{
   uint8_t **record = &instance->set->records[instance->scene];

   glDeletePerfQueryINTEL(instance->handle);
   if (instance->state != INSTANCE_READ) {
      free(*record);
      *record = NULL;
   }
}

static void
measure_sets(struct perf_set *sets, unsigned count, unsigned scene,
             const struct loaded_scene *loaded)
{
   struct instance instances[MAX_INSTANCES];

   for (unsigned i = 0; i < count; i++)
      create(&instances[i], &sets[i], scene);
   measure_scene(loaded, instances, count);
   collect(instances, count);
   for (unsigned i = 0; i < count; i++)
      discard(&instances[i]);
   context_check("collecting counters");
}

void
perf_measure(struct perf_sets *sets,
             const struct loaded_scene loaded[SCENE_COUNT])
{
   for (unsigned scene = 0; scene < SCENE_COUNT; scene++) {
      if (!loaded[scene].scene)
         continue;
      for (unsigned i = 0; i < sets->count; i += MAX_INSTANCES) {
         const unsigned left = sets->count - i;

         measure_sets(&sets->sets[i],
                      left < MAX_INSTANCES ? left : MAX_INSTANCES, scene,
                      &loaded[scene]);
      }
   }
}
