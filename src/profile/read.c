/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Reads a trace into a report, line by line and in batches of whole frames.
 * Names and tracks are stored once, and slices point to them.
 *
 * A trace may be cut off or damaged, or come from another program: a line
 * that pitot_trace_*() cannot have written is counted and skipped.
 */

#include "report.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A batch has at least so many slices, except the last batch. */
#define BATCH 1024

/* Numbers of a slice that are no counters. */
static const char *const no_counters[] = {
   "part",  "frame",  "pixels",         "draws",  "dispatches", "clears",
   "blits", "copies", "profile_cpu_ns", "size_B", "disjoint",
};

/*
 * Tracks, values and counters
 */

static void *
allocate_zeroed(size_t size_B)
{
   return pitot_report_need(malloc(size_B));
}

void *
pitot_report_add(void **array, size_t *count, size_t element_B)
{
   /* The capacity is the next power of two. */
   if ((*count & (*count - 1)) == 0) {
      const size_t room = *count == 0 ? 1 : 2 * *count;

      *array = pitot_report_need(realloc(*array, room * element_B));
   }
   return memset((char *)*array + (*count)++ * element_B, 0, element_B);
}

void *
pitot_report_keep(void **set, const void *member, size_t member_B,
                  int (*compare)(const void *, const void *))
{
   void **place = tfind(member, set, compare);
   void *copy;

   if (place)
      return *place;
   copy = memcpy(allocate_zeroed(member_B), member, member_B);
   (void)pitot_report_need(tsearch(copy, set, compare));
   return copy;
}

static int
by_text(const void *a, const void *b)
{
   return strcmp(a, b);
}

/* Returns the only copy of a string. */
static const char *
keep_string(struct pitot_report *report, const char *string)
{
   return pitot_report_keep(&report->strings, string, strlen(string) + 1,
                            by_text);
}

static int
by_id(const void *a, const void *b)
{
   const struct pitot_report_track *first = a, *second = b;

   return memcmp(&first->id, &second->id, sizeof(first->id));
}

static struct pitot_report_track *
find_track(struct pitot_report *report, struct pitot_trace_track id)
{
   const struct pitot_report_track fresh = {
      .id = id,
      .number = report->track_count,
      .process = "",
      .thread = "",
      .last_frame_ns = { UINT64_MAX, UINT64_MAX },
   };
   struct pitot_report_track *track =
      pitot_report_keep(&report->tracks, &fresh, sizeof(fresh), by_id);

   if (track->number == report->track_count)
      report->track_count++;
   return track;
}

static bool
is_listed(const struct pitot_report *report, const char *name)
{
   for (size_t i = 0; i < report->counter_count; i++) {
      if (strcmp(report->counters[i].name, name) == 0)
         return true;
   }
   for (size_t i = 0; i < sizeof(no_counters) / sizeof(*no_counters); i++) {
      if (strcmp(no_counters[i], name) == 0)
         return true;
   }
   return false;
}

/* Adds the counters of a slice that are not in the list yet. */
static void
list_counters(struct pitot_report *report, json_t *values)
{
   const char *name;
   json_t *value;

   json_object_foreach(values, name, value)
   {
      struct pitot_report_counter *counter;

      if (!json_is_number(value) || is_listed(report, name))
         continue;
      counter = pitot_report_add((void **)&report->counters,
                                 &report->counter_count, sizeof(*counter));
      counter->name = keep_string(report, name);
   }
}

/*
 * Events
 */

/* An event: a line of a trace. */
struct event {
   const char *phase; /* of Chrome's trace format: X, M, C, i, s, f */
   json_int_t process, thread, id;
   struct pitot_trace_track track;
   uint64_t time_ns, duration_ns;
   const char *name, *category; /* "" if there is none */
   json_t *args;                /* or NULL */
};

/* Reads a member in microseconds with three decimals; 0 if it is missing.
 * Reads it from the line, because jansson uses doubles, which are not exact
 * to the nanosecond if the machine has been up for more than 100 days.
 */
static bool
read_time(const char *line, const json_t *json, const char *name,
          uint64_t *time_ns_out)
{
   const char *text;
   char key[8], *point, *end;

   *time_ns_out = 0;
   snprintf(key, sizeof(key), ",\"%s\":", name);
   text = strstr(line, key);
   if (!text)
      return !json_object_get(json, name);
   text += strlen(key);

   const uint64_t time_us = strtoull(text, &point, 10);

   if (*text == '-' || *point != '.' || time_us > UINT64_MAX / 1000 - 1)
      return false;
   *time_ns_out = time_us * 1000 + strtoull(point + 1, &end, 10);
   return end == point + 4 && (*end == ',' || *end == '}');
}

/* Returns whether pitot_trace_*() may have written the event.  The strings of
 * the event belong to json.
 */
static bool
read_event(const char *line, json_t *json, struct event *event)
{
   *event = (struct event){ .name = "", .category = "" };
   if (json_unpack(json, "{s:s, s?I, s?I, s?I, s?s, s?s, s?o}", "ph",
                   &event->phase, "pid", &event->process, "tid",
                   &event->thread, "id", &event->id, "name", &event->name,
                   "cat", &event->category, "args", &event->args) != 0)
      return false;
   event->track.process = (unsigned)event->process;
   event->track.thread = (unsigned)event->thread;
   return event->track.process == event->process &&
          event->track.thread == event->thread &&
          read_time(line, json, "ts", &event->time_ns) &&
          read_time(line, json, "dur", &event->duration_ns) &&
          event->duration_ns <= UINT64_MAX - event->time_ns;
}

/* An unknown category becomes a call, so that its slice is kept. */
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
clear_slices(struct pitot_report *report)
{
   for (size_t i = 0; i < report->slice_count; i++)
      json_decref(report->slices[i].values);
   report->slice_count = 0;
}

static void
end_batch(struct pitot_report *report)
{
   pitot_report_nest(report->slices, report->slice_count);
   if (report->take)
      report->take(report->data, report);
}

/* A batch ends where a frame begins: contexts write frames as a whole. */
static void
add_slice(struct pitot_report *report, const struct event *event)
{
   const enum pitot_report_category category = category_of(event->category);
   struct pitot_report_slice *slice;

   if (report->slice_count >= BATCH && category == PITOT_REPORT_FRAME) {
      end_batch(report);
      clear_slices(report);
   }
   slice = pitot_report_add((void **)&report->slices, &report->slice_count,
                            sizeof(*slice));
   slice->track = find_track(report, event->track);
   slice->category = category;
   slice->begin_ns = event->time_ns;
   slice->end_ns = event->time_ns + event->duration_ns;
   slice->order = ++report->order;
   slice->name = keep_string(report, event->name);
   slice->values = json_incref(event->args);
   if (pitot_report_is_gpu(slice))
      list_counters(report, slice->values);
}

/* A flow event follows its slice, whose line may be damaged: compare them. */
static bool
add_flow(struct pitot_report *report, const struct event *event)
{
   struct pitot_report_slice *slice;

   if (report->slice_count == 0)
      return false;
   slice = &report->slices[report->slice_count - 1];
   if (memcmp(&slice->track->id, &event->track, sizeof(event->track)) != 0 ||
       slice->begin_ns != event->time_ns)
      return false;
   slice->flow = (uint64_t)event->id;
   return true;
}

static void
add_mark(struct pitot_report *report, const struct event *event)
{
   const json_t *before = json_object_get(report->marks, event->name);
   const uint64_t calls = pitot_report_u64(before, "calls") +
                          pitot_report_u64(event->args, "calls");
   const uint64_t error_ns = pitot_report_u64(event->args, "error_ns");

   json_object_set_new(
      report->marks, event->name,
      json_pack("{s:I, s:I, s:O?}", "count",
                (json_int_t)pitot_report_u64(before, "count") + 1, "calls",
                (json_int_t)calls, "values", event->args));
   if (report->error_ns < error_ns)
      report->error_ns = error_ns;
}

static bool
name_track(struct pitot_report *report, const struct event *event)
{
   const bool is_process = strcmp(event->name, "process_name") == 0;
   struct pitot_report_track *track;
   const char *name;

   if (!is_process && strcmp(event->name, "thread_name") != 0)
      return true;
   name = json_string_value(json_object_get(event->args, "name"));
   if (!name)
      return false;
   track = find_track(report, event->track);
   *(is_process ? &track->process : &track->thread) =
      keep_string(report, name);
   return true;
}

/* Returns false if the event cannot be in a trace. */
static bool
take_event(struct pitot_report *report, const struct event *event)
{
   switch (event->phase[0]) {
   case 'X':
      add_slice(report, event);
      return true;
   case 'i':
      add_mark(report, event);
      return true;
   case 'M':
      return name_track(report, event);
   case 's':
   case 'f':
      return add_flow(report, event);
   default:
      return true; /* counter events repeat numbers of slices */
   }
}

/*
 * The trace
 */

/* Reads a line: an event, and a comma after each but the last one.  Returns
 * false if it is something else.
 */
static bool
take_line(struct pitot_report *report, char *line)
{
   size_t length_B = strlen(line);
   struct event event;
   json_t *json;
   bool is_good;

   if (length_B > 0 && line[length_B - 1] == ',')
      line[--length_B] = 0;
   if (length_B == 0 || line[length_B - 1] != '}')
      return false;
   json = json_loads(line, 0, NULL);
   is_good =
      json && read_event(line, json, &event) && take_event(report, &event);
   json_decref(json);
   return is_good;
}

static int
read_lines(struct pitot_report *report, FILE *in)
{
   char *line = NULL;
   size_t room = 0;
   bool is_trace = false;
   int error = 0;

   errno = 0;
   while (getline(&line, &room, in) > 0) {
      line[strcspn(line, "\n")] = 0;
      is_trace |= strcmp(line, "[") == 0;
      report->is_cut = strcmp(line, "]") != 0;
      if (strcmp(line, "[") != 0 && report->is_cut &&
          !take_line(report, line))
         report->bad_line_count++;
   }
   if (!feof(in))
      error = -errno;
   else if (!is_trace)
      error = -ENODATA;
   else
      end_batch(report);
   free(line);
   return error;
}

int
pitot_report_read(const char *path, pitot_report_take *take, void *data,
                  struct pitot_report **report_out)
{
   struct pitot_report *report;
   FILE *in = fopen(path, "re");
   int error;

   if (!in)
      return -errno;
   json_set_alloc_funcs(allocate_zeroed, free);
   report = allocate_zeroed(sizeof(*report));
   *report = (struct pitot_report){ .take = take,
                                    .data = data,
                                    .marks = json_object() };
   error = read_lines(report, in);
   fclose(in);
   if (error == 0)
      *report_out = report;
   else
      pitot_report_free(report);
   return error;
}

void
pitot_report_free(struct pitot_report *report)
{
   clear_slices(report);
   json_decref(report->marks);
   tdestroy(report->strings, free);
   tdestroy(report->tracks, free);
   free(report->counters);
   free(report->slices);
   free(report);
}
