/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fake_trace.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_event *fake_events;
unsigned fake_event_count;
bool fake_trace_is_open;
int fake_trace_error;
int fake_trace_close_error;
void (*fake_trace_at_flush)(void);
char fake_trace_path[4096];

static unsigned capacity;

static struct fake_event *
add(int type, const char *name)
{
   assert(fake_trace_is_open);
   if (fake_event_count == capacity) {
      capacity = 2 * capacity + 64;
      /* Not with malloc(), which tests make fail (fail_memory.h). */
      fake_events =
         reallocarray(fake_events, capacity, sizeof(fake_events[0]));
      assert(fake_events);
   }
   struct fake_event *event = &fake_events[fake_event_count++];
   *event = (struct fake_event){ .type = type };
   snprintf(event->name, sizeof(event->name), "%s", name);
   return event;
}

static void
add_values(struct fake_event *event, const struct pitot_trace_value *values,
           unsigned count)
{
   for (unsigned k = 0; k < count; k++) {
      const struct pitot_trace_value *v = &values[k];
      const unsigned i = event->value_count++;

      assert(i < FAKE_TRACE_VALUES);
      snprintf(event->values[i].name, sizeof(event->values[i].name), "%s",
               v->name);
      event->values[i].number = v->number;
      if (v->string)
         snprintf(event->values[i].string, sizeof(event->values[i].string),
                  "%s", v->string);
   }
}

void
fake_trace_clear(void)
{
   free(fake_events);
   fake_events = NULL;
   fake_event_count = capacity = 0;
}

int
pitot_trace_create(const char *path, uint64_t limit_B,
                   struct pitot_trace **trace_out)
{
   const int error = fake_trace_error;
   (void)limit_B;

   fake_trace_error = 0;
   snprintf(fake_trace_path, sizeof(fake_trace_path), "%s", path);
   if (error)
      return error;
   fake_trace_clear();
   fake_trace_is_open = true;
   *trace_out = (struct pitot_trace *)&fake_trace_is_open;
   return 0;
}

int
pitot_trace_close(struct pitot_trace *trace)
{
   (void)trace;
   assert(trace && fake_trace_is_open);
   fake_trace_is_open = false;
   return fake_trace_close_error;
}

int
pitot_trace_flush(struct pitot_trace *trace)
{
   (void)trace;
   assert(fake_trace_is_open);
   if (fake_trace_at_flush)
      fake_trace_at_flush();
   return 0;
}

void
pitot_trace_name_track(struct pitot_trace *trace,
                       struct pitot_trace_track track, const char *process,
                       const char *thread)
{
   struct fake_event *event = add(FAKE_TRACK, thread);

   (void)trace;
   event->track = track;
   snprintf(event->category, sizeof(event->category), "%s", process);
}

void
pitot_trace_slice(struct pitot_trace *trace,
                  const struct pitot_trace_slice *slice)
{
   struct fake_event *event = add(FAKE_SLICE, slice->name);

   (void)trace;
   event->track = slice->track;
   snprintf(event->category, sizeof(event->category), "%s", slice->category);
   event->begin_ns = slice->begin_ns;
   event->end_ns = slice->end_ns;
   event->flow = slice->flow;
   add_values(event, slice->values, slice->value_count);
}

/* Counters of the same time are one event. */
void
pitot_trace_counter(struct pitot_trace *trace, uint64_t time_ns,
                    const struct pitot_trace_value *value)
{
   struct fake_event *event = &fake_events[fake_event_count - 1];

   (void)trace;
   if (event->type != FAKE_COUNTERS || event->begin_ns != time_ns)
      event = add(FAKE_COUNTERS, "");
   event->begin_ns = time_ns;
   add_values(event, value, 1);
}

void
pitot_trace_mark(struct pitot_trace *trace, uint64_t time_ns,
                 const char *name, const struct pitot_trace_value *values,
                 unsigned value_count)
{
   struct fake_event *event = add(FAKE_MARK, name);

   (void)trace;
   event->begin_ns = time_ns;
   add_values(event, values, value_count);
}

bool
fake_has_value(const struct fake_event *event, const char *name)
{
   for (unsigned i = 0; i < event->value_count; i++) {
      if (strcmp(event->values[i].name, name) == 0)
         return true;
   }
   return false;
}

double
fake_value(const struct fake_event *event, const char *name)
{
   for (unsigned i = 0; i < event->value_count; i++) {
      if (strcmp(event->values[i].name, name) == 0)
         return event->values[i].number;
   }
   return -1;
}

static bool
is_slice(const struct fake_event *event, bool is_gpu, const char *category)
{
   return event->type == FAKE_SLICE &&
          (event->track.process == 0) == is_gpu &&
          (!category || strcmp(event->category, category) == 0);
}

const struct fake_event *
fake_slice(bool is_gpu, const char *category, unsigned n)
{
   for (unsigned i = 0; i < fake_event_count; i++) {
      if (is_slice(&fake_events[i], is_gpu, category) && n-- == 0)
         return &fake_events[i];
   }
   return NULL;
}

unsigned
fake_slice_count(bool is_gpu, const char *category)
{
   unsigned count = 0;

   for (unsigned i = 0; i < fake_event_count; i++)
      count += is_slice(&fake_events[i], is_gpu, category);
   return count;
}

const struct fake_event *
fake_mark(const char *name, unsigned n)
{
   for (unsigned i = 0; i < fake_event_count; i++) {
      if (fake_events[i].type == FAKE_MARK &&
          strcmp(fake_events[i].name, name) == 0 && n-- == 0)
         return &fake_events[i];
   }
   return NULL;
}

double
fake_unmeasured(void)
{
   double sum = 0;

   for (unsigned i = 0; fake_mark("not measured", i); i++)
      sum += fake_value(fake_mark("not measured", i), "calls");
   return sum;
}
