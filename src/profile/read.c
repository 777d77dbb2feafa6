/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Reads a trace into a report.
 */

#include "report.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"

/* The slices of a batch, or some more: a frame is not divided. */
#define BATCH 8192

/* Numbers of a slice that count no work. */
static const char *const no_counters[] = {
   "part",   "frame",  "pixels",         "draws",  "dispatches", "clears",
   "blits",  "copies", "profile_cpu_ns", "size_B", "disjoint",
};

/* Returns room for one more of count elements of an array, or NULL; room is
 * always the next power of two.
 */
static void *
add(void **array, size_t *count, size_t element_B)
{
   if ((*count & (*count - 1)) == 0) {
      const size_t room = *count == 0 ? 1 : 2 * *count;
      void *larger = realloc(*array, room * element_B);

      if (!larger)
         return NULL;
      *array = larger;
   }

   void *element = (char *)*array + (*count)++ * element_B;

   memset(element, 0, element_B);
   return element;
}

/* Returns the index of a track, which is new if it was not there; -ENOMEM. */
static int
find_track(struct pitot_report *report, struct pitot_trace_track id)
{
   for (size_t i = report->track_count; i > 0; i--) {
      if (report->tracks[i - 1].id.process == id.process &&
          report->tracks[i - 1].id.thread == id.thread)
         return (int)i - 1;
   }

   struct pitot_report_track *track =
      add((void **)&report->tracks, &report->track_count, sizeof(*track));

   if (!track)
      return -ENOMEM;
   *track =
      (struct pitot_report_track){ .id = id, .process = "", .thread = "" };
   return (int)report->track_count - 1;
}

static int
copy_values(struct pitot_report *report, const struct pitot_event *event,
            struct pitot_report_values *values_out)
{
   *values_out =
      (struct pitot_report_values){ report->value_count, event->value_count };
   for (unsigned i = 0; i < event->value_count; i++) {
      struct pitot_trace_value *value =
         add((void **)&report->values, &report->value_count, sizeof(*value));

      if (!value)
         return -ENOMEM;
      *value = event->values[i];
      value->name = pitot_report_string(report, value->name);
      if (value->type == PITOT_TRACE_STRING)
         value->string = pitot_report_string(report, value->string);
      if (!value->name ||
          (value->type == PITOT_TRACE_STRING && !value->string))
         return -ENOMEM;
   }
   return 0;
}

static bool
is_listed(const struct pitot_report *report, const char *name)
{
   for (size_t i = 0; i < report->counter_count; i++) {
      if (report->counters[i] == name)
         return true;
   }
   for (size_t i = 0; i < sizeof(no_counters) / sizeof(*no_counters); i++) {
      if (strcmp(no_counters[i], name) == 0)
         return true;
   }
   return false;
}

/* Adds the names of a slice's counters that are new. */
static int
list_counters(struct pitot_report *report, struct pitot_report_values values)
{
   for (unsigned i = 0; i < values.count; i++) {
      const struct pitot_trace_value *value =
         &report->values[values.first + i];

      if (value->type == PITOT_TRACE_STRING || is_listed(report, value->name))
         continue;

      const char **counter = add((void **)&report->counters,
                                 &report->counter_count, sizeof(*counter));

      if (!counter)
         return -ENOMEM;
      *counter = value->name;
   }
   return 0;
}

/* A category that is not known is a call: its slice stays. */
static enum pitot_report_category
category_of(const char *name)
{
   for (unsigned i = 0; i < PITOT_REPORT_CATEGORY_COUNT; i++) {
      if (strcmp(name, pitot_report_category_names[i]) == 0)
         return (enum pitot_report_category)i;
   }
   return PITOT_REPORT_CALL;
}

static void
count_frame(struct pitot_report *report,
            const struct pitot_report_slice *slice)
{
   if (pitot_report_value(report, slice->values, "part"))
      report->part_count++;
   else
      report->frame_count++;
}

static int
add_slice(struct pitot_report *report, const struct pitot_event *event)
{
   const int track = find_track(report, event->track);
   struct pitot_report_slice *slice;
   int error;

   if (track < 0)
      return track;
   slice =
      add((void **)&report->slices, &report->slice_count, sizeof(*slice));
   if (!slice)
      return -ENOMEM;
   slice->track = (unsigned)track;
   slice->category = category_of(event->category);
   slice->begin_ns = event->time_ns;
   slice->end_ns = event->time_ns + event->duration_ns;
   slice->order = ++report->order;
   slice->name = pitot_report_string(report, event->name);
   error = copy_values(report, event, &slice->values);
   if (!slice->name || error != 0)
      return -ENOMEM;
   if (slice->category == PITOT_REPORT_FRAME)
      count_frame(report, slice);
   return event->track.process == 0 ? list_counters(report, slice->values)
                                    : 0;
}

static struct pitot_report_mark *
find_mark(struct pitot_report *report, const char *name)
{
   struct pitot_report_mark *mark;

   for (size_t i = 0; i < report->mark_count; i++) {
      if (report->marks[i].name == name)
         return &report->marks[i];
   }
   mark = add((void **)&report->marks, &report->mark_count, sizeof(*mark));
   if (mark)
      mark->name = name;
   return mark;
}

static int
add_mark(struct pitot_report *report, const struct pitot_event *event)
{
   const char *name = pitot_report_string(report, event->name);
   struct pitot_report_mark *mark = name ? find_mark(report, name) : NULL;
   uint64_t error_ns;

   if (!mark || copy_values(report, event, &mark->values) != 0)
      return -ENOMEM;
   mark->count++;
   mark->time_ns = event->time_ns;
   mark->calls += pitot_report_u64(report, mark->values, "calls");
   error_ns = pitot_report_u64(report, mark->values, "error_ns");
   if (mark->error_ns < error_ns)
      mark->error_ns = error_ns;
   return 0;
}

static int
name_track(struct pitot_report *report, const struct pitot_event *event)
{
   const int track = find_track(report, event->track);
   const char *name;

   if (track < 0)
      return track;
   if (event->value_count != 1 || event->values[0].type != PITOT_TRACE_STRING)
      return -EINVAL;
   name = pitot_report_string(report, event->values[0].string);
   if (!name)
      return -ENOMEM;
   if (strcmp(event->name, "process_name") == 0)
      report->tracks[track].process = name;
   else if (strcmp(event->name, "thread_name") == 0)
      report->tracks[track].thread = name;
   return 0;
}

/* An arrow follows its slice, the line of which may be broken. */
static int
add_flow(struct pitot_report *report, const struct pitot_event *event)
{
   struct pitot_report_slice *slice;
   struct pitot_trace_track track;

   if (report->slice_count == 0)
      return -EINVAL;
   slice = &report->slices[report->slice_count - 1];
   track = report->tracks[slice->track].id;
   if (track.process != event->track.process ||
       track.thread != event->track.thread ||
       slice->begin_ns != event->time_ns)
      return -EINVAL;
   slice->flow = event->id;
   return 0;
}

static int
add_event(struct pitot_report *report, const struct pitot_event *event)
{
   switch (event->phase) {
   case 'X':
      return add_slice(report, event);
   case 'i':
      return add_mark(report, event);
   case 'M':
      return name_track(report, event);
   case 's':
   case 'f':
      return add_flow(report, event);
   default:
      return 0; /* counter tracks have no numbers that slices lack */
   }
}

/* Forgets the slices, and all values but those of marks. */
static int
clear_slices(struct pitot_report *report)
{
   struct pitot_trace_value *old = report->values;
   int error = 0;

   report->values = NULL;
   report->value_count = report->slice_count = 0;
   for (size_t i = 0; i < report->mark_count && error == 0; i++) {
      struct pitot_report_values *values = &report->marks[i].values;
      const size_t first = report->value_count;

      for (unsigned k = 0; k < values->count; k++) {
         struct pitot_trace_value *value =
            add((void **)&report->values, &report->value_count,
                sizeof(*value));

         if (!value) {
            error = -ENOMEM;
            break;
         }
         *value = old[values->first + k];
      }
      values->first = first;
   }
   free(old);
   return error;
}

struct reader {
   pitot_report_take *take; /* or NULL */
   void *data;
};

static int
end_batch(struct pitot_report *report, const struct reader *reader)
{
   pitot_report_nest(report);
   return reader->take ? reader->take(reader->data, report) : 0;
}

/* A batch ends where a frame begins: a context writes it as a whole. */
static int
take_event(struct pitot_report *report, const struct pitot_event *event,
           const struct reader *reader)
{
   int error = 0;

   if (reader->take && report->slice_count >= BATCH && event->phase == 'X' &&
       category_of(event->category) == PITOT_REPORT_FRAME) {
      error = end_batch(report, reader);
      if (error == 0)
         error = clear_slices(report);
   }
   return error == 0 ? add_event(report, event) : error;
}

static int
read_lines(struct pitot_report *report, FILE *in, const struct reader *reader)
{
   struct pitot_event event = { 0 };
   char *line = NULL;
   size_t room = 0;
   bool is_trace = false;
   int error = 0;

   while (error == 0 && getline(&line, &room, in) > 0) {
      error = pitot_event_read(&event, line);
      is_trace |= strcmp(line, "[") == 0;
      report->is_cut = strcmp(line, "]") != 0;
      if (error == 0 && event.phase != 0)
         error = take_event(report, &event, reader);
      if (error == -EINVAL) {
         report->bad_line_count++;
         error = 0;
      }
   }
   if (error == 0 && ferror(in))
      error = -errno;
   if (error == 0 && !is_trace)
      error = -ENODATA;
   if (error == 0)
      error = end_batch(report, reader);
   free(line);
   pitot_event_finish(&event);
   return error;
}

/* In the locale of the program, a number may end at its decimal point. */
static int
read_in_plain_locale(struct pitot_report *report, FILE *in,
                     const struct reader *reader)
{
   const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
   int error;

   if (plain == (locale_t)0)
      return -errno;

   const locale_t before = uselocale(plain);

   error = read_lines(report, in, reader);
   uselocale(before);
   freelocale(plain);
   return error;
}

int
pitot_report_read(const char *path, pitot_report_take *take, void *data,
                  struct pitot_report **report_out)
{
   const struct reader reader = { take, data };
   struct pitot_report *report = calloc(1, sizeof(*report));
   FILE *in = fopen(path, "re");
   int error = !report ? -ENOMEM : !in ? -errno : 0;

   if (error == 0)
      error = read_in_plain_locale(report, in, &reader);
   if (error == 0)
      *report_out = report;
   else if (report)
      pitot_report_free(report);
   if (in)
      fclose(in);
   return error;
}
