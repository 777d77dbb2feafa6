/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The timeline of a frame: its work on the GPU, the calls on the CPU that
 * sent it, and all else at the same time.
 */

#include "svg.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define MAX_DEPTH 32 /* of slices on a track; others are not drawn */
/* Of arrows that are nearer to each other, in pixels, one is drawn. */
#define ARROWS_APART 3

/* There is no room for more of a track's name. */
#define TRACK_CHARACTERS 20

/* How many times as long as the frame the axis may be. */
#define MAX_AHEAD 4

static bool
is_in_frame(const struct pitot_report *report, size_t slice, size_t frame)
{
   return frame == PITOT_REPORT_NONE ||
          (slice >= frame && slice < report->slices[frame].after);
}

/* From a call on a thread to its execution by the GPU. */
struct arrow {
   uint64_t flow;
   size_t from, to; /* slices; from may be PITOT_REPORT_NONE */
};

struct timeline {
   struct pitot_svg *svg;
   const struct pitot_report *report;
   size_t frame;
   struct arrow *arrows;
   size_t arrow_count;
   double *track_y; /* where each track is */
};

static int
by_flow(const void *a, const void *b)
{
   const struct arrow *first = a, *second = b;

   return (first->flow > second->flow) - (first->flow < second->flow);
}

/* Finds the calls that sent the frame. */
static void
find_arrows(struct timeline *timeline)
{
   const struct pitot_report *report = timeline->report;
   struct arrow *arrows = timeline->arrows;

   for (size_t i = 0; i < report->slice_count; i++) {
      const struct pitot_report_slice *slice = &report->slices[i];

      if (slice->flow != 0 && pitot_report_is_gpu(report, slice) &&
          is_in_frame(report, i, timeline->frame))
         arrows[timeline->arrow_count++] =
            (struct arrow){ slice->flow, PITOT_REPORT_NONE, i };
   }
   qsort(arrows, timeline->arrow_count, sizeof(*arrows), by_flow);
   for (size_t i = 0; i < report->slice_count; i++) {
      const struct arrow key = { .flow = report->slices[i].flow };
      struct arrow *arrow;

      if (key.flow == 0 || pitot_report_is_gpu(report, &report->slices[i]))
         continue;
      arrow = bsearch(&key, arrows, timeline->arrow_count, sizeof(*arrows),
                      by_flow);
      if (arrow)
         arrow->from = i;
   }
}

static void
widen(struct pitot_svg *svg, const struct pitot_report_slice *slice)
{
   if (svg->begin_ns > slice->begin_ns)
      svg->begin_ns = slice->begin_ns;
   if (svg->end_ns < slice->end_ns)
      svg->end_ns = slice->end_ns;
}

/* Has the axis show the frame's work, and the calls that sent it. */
static void
fit_axis(const struct timeline *timeline)
{
   const struct pitot_report *report = timeline->report;
   struct pitot_svg *svg = timeline->svg;

   svg->begin_ns = UINT64_MAX;
   svg->end_ns = 0;
   for (size_t i = 0; i < report->slice_count; i++) {
      if (is_in_frame(report, i, timeline->frame) &&
          pitot_report_is_gpu(report, &report->slices[i]))
         widen(svg, &report->slices[i]);
   }
   if (svg->begin_ns > svg->end_ns)
      svg->begin_ns = svg->end_ns;

   const uint64_t begin_ns = svg->begin_ns;
   const uint64_t ahead_ns = MAX_AHEAD * (svg->end_ns - begin_ns);

   svg->whole_ns = svg->end_ns - begin_ns;
   for (size_t i = 0; i < timeline->arrow_count; i++) {
      if (timeline->arrows[i].from != PITOT_REPORT_NONE)
         widen(svg, &report->slices[timeline->arrows[i].from]);
   }
   if (begin_ns - svg->begin_ns > ahead_ns)
      svg->begin_ns = begin_ns - ahead_ns;
}

/* Draws the slices of a track that the axis shows, and returns whether there
 * are any.  Of slices narrower than a line, one is drawn for all.
 */
static bool
draw_track(struct pitot_svg *svg, const struct pitot_report *report,
           const struct pitot_report_track *track)
{
   double drawn_x[MAX_DEPTH] = { 0 };
   unsigned depth = 0;
   bool is_any = false;

   for (size_t i = track->begin; i < track->end; i++) {
      const struct pitot_report_slice *slice = &report->slices[i];
      const struct pitot_svg_bar bar = {
         .category = slice->category,
         .name = slice->name,
         .x1 = pitot_svg_x(svg, slice->begin_ns),
         .x2 = pitot_svg_x(svg, slice->end_ns),
         .y = svg->y + slice->depth * PITOT_SVG_STEP,
         .time_ns = pitot_report_ns(slice),
      };

      if (slice->begin_ns > svg->end_ns || slice->end_ns < svg->begin_ns ||
          slice->depth >= MAX_DEPTH || bar.x2 < drawn_x[slice->depth] + 0.3)
         continue;
      pitot_svg_bar(svg, &bar);
      drawn_x[slice->depth] = bar.x2;
      if (depth < slice->depth)
         depth = slice->depth;
      is_any = true;
   }
   if (!is_any)
      return false;
   pitot_svg_name(svg, "track", PITOT_SVG_LEFT - 10, svg->y + 14,
                  track->thread, TRACK_CHARACTERS);
   if (depth > 0)
      pitot_svg_name(svg, "track", PITOT_SVG_LEFT - 10, svg->y + 28,
                     track->id.process == 0 ? "GPU" : track->process,
                     TRACK_CHARACTERS);
   svg->y += (depth + 1) * PITOT_SVG_STEP + 12;
   return true;
}

static void
draw_arrows(const struct timeline *timeline)
{
   const struct pitot_report *report = timeline->report;
   const struct pitot_svg *svg = timeline->svg;
   double last_x = 0, last_to_x = 0;

   for (size_t i = 0; i < timeline->arrow_count; i++) {
      const struct arrow *arrow = &timeline->arrows[i];

      if (arrow->from == PITOT_REPORT_NONE)
         continue;

      const struct pitot_report_slice *from = &report->slices[arrow->from];
      const struct pitot_report_slice *to = &report->slices[arrow->to];
      const double from_y = timeline->track_y[from->track];
      const double to_y = timeline->track_y[to->track];

      const double from_x = pitot_svg_x(svg, from->begin_ns);
      const double to_x = pitot_svg_x(svg, to->begin_ns);

      if (from->begin_ns < svg->begin_ns ||
          fabs(from_x - last_x) + fabs(to_x - last_to_x) < ARROWS_APART)
         continue;
      pitot_svg_line(svg, "flow", from_x,
                     from_y + from->depth * PITOT_SVG_STEP + PITOT_SVG_BAR,
                     to_x, to_y);
      last_x = from_x;
      last_to_x = to_x;
   }
}

/* Draws the tracks of the CPU, above those of the GPU. */
static void
draw_tracks(struct timeline *timeline)
{
   const struct pitot_report *report = timeline->report;
   struct pitot_svg *svg = timeline->svg;

   for (unsigned is_gpu = 0; is_gpu < 2; is_gpu++) {
      for (size_t i = 0; i < report->track_count; i++) {
         const double y = svg->y;

         if ((report->tracks[i].id.process == 0) == is_gpu &&
             draw_track(svg, report, &report->tracks[i]))
            timeline->track_y[i] = y;
      }
   }
}

static void
draw(struct timeline *timeline)
{
   const struct pitot_report *report = timeline->report;
   struct pitot_svg *svg = timeline->svg;
   char time[PITOT_TIME_TEXT_B];

   find_arrows(timeline);
   fit_axis(timeline);
   pitot_time_text(time, svg->whole_ns);
   if (timeline->frame == PITOT_REPORT_NONE)
      pitot_svg_text(svg, "head", PITOT_SVG_MARGIN, svg->y,
                     "All work of the GPU, %s", time);
   else
      pitot_svg_text(svg, "head", PITOT_SVG_MARGIN, svg->y,
                     "%s: %s on the GPU (%zu %s%s in all)",
                     report->slices[timeline->frame].name, time,
                     pitot_report_frames(report),
                     report->frame_count > 0 ? "frame" : "part",
                     pitot_report_frames(report) == 1 ? "" : "s");
   svg->y += 14;

   const double top = svg->y;

   draw_tracks(timeline);
   pitot_svg_axis(svg, top);
   draw_arrows(timeline);
}

static int
draw_window(struct pitot_svg *svg, const struct pitot_report *report,
            size_t frame)
{
   struct timeline timeline = {
      .svg = svg,
      .report = report,
      .frame = frame,
      .arrows = malloc((report->slice_count + 1) * sizeof(*timeline.arrows)),
      .track_y = calloc(report->track_count + 1, sizeof(double)),
   };

   const bool has_memory = timeline.arrows && timeline.track_y;

   if (has_memory)
      draw(&timeline);
   free(timeline.arrows);
   free(timeline.track_y);
   return has_memory ? 0 : -ENOMEM;
}

/*
 * The slices that the timeline shows, of all batches
 */

struct window {
   const struct pitot_svg_frame *frame; /* or NULL */
   struct pitot_report_slice *slices;
   size_t count, room;
};

static bool
add_slice(struct window *window, const struct pitot_report_slice *slice)
{
   if (window->count == window->room) {
      const size_t room = 2 * window->room + 64;
      struct pitot_report_slice *slices =
         realloc(window->slices, room * sizeof(*slices));

      if (!slices)
         return false;
      window->slices = slices;
      window->room = room;
   }
   window->slices[window->count] = *slice;
   window->slices[window->count++].values.count = 0;
   return true;
}

/* Calls that sent a frame: a context writes them with it. */
struct flows {
   uint64_t first, last;
};

static struct flows
find_flows(const struct pitot_report *report,
           const struct pitot_svg_frame *frame)
{
   struct flows flows = { UINT64_MAX, 0 };
   size_t i = 0;

   while (i < report->slice_count && report->slices[i].order != frame->order)
      i++;
   for (size_t k = i; i < report->slice_count && k < report->slices[i].after;
        k++) {
      const uint64_t flow = report->slices[k].flow;

      if (flow != 0 && flow < flows.first)
         flows.first = flow;
      if (flow > flows.last)
         flows.last = flow;
   }
   return flows;
}

static int
take_batch(void *data, const struct pitot_report *report)
{
   struct window *window = data;
   const struct pitot_svg_frame all = { .end_ns = UINT64_MAX };
   const struct pitot_svg_frame *frame = window->frame ? window->frame : &all;
   const uint64_t ahead_ns = MAX_AHEAD * (frame->end_ns - frame->begin_ns);
   const uint64_t begin_ns =
      frame->begin_ns > ahead_ns ? frame->begin_ns - ahead_ns : 0;
   const struct flows flows = find_flows(report, frame);

   for (size_t i = 0; i < report->slice_count; i++) {
      const struct pitot_report_slice *slice = &report->slices[i];
      const bool is_seen =
         slice->begin_ns <= frame->end_ns && slice->end_ns >= begin_ns;

      if ((is_seen ||
           (slice->flow >= flows.first && slice->flow <= flows.last)) &&
          !add_slice(window, slice))
         return -ENOMEM;
   }
   return 0;
}

int
pitot_svg_timeline(struct pitot_svg *svg, const char *trace_path,
                   const struct pitot_svg_frame *frame,
                   const struct pitot_report *counts)
{
   struct window window = { .frame = frame };
   struct pitot_report *report, shown;
   size_t i = 0;
   int error = pitot_report_read(trace_path, take_batch, &window, &report);

   if (error == 0) {
      shown = *report;
      shown.slices = window.slices;
      shown.slice_count = window.count;
      shown.frame_count = counts->frame_count;
      shown.part_count = counts->part_count;
      pitot_report_nest(&shown);
      while (frame && i < window.count &&
             window.slices[i].order != frame->order)
         i++;
      error = draw_window(svg, &shown,
                          i < window.count && frame ? i : PITOT_REPORT_NONE);
      pitot_report_free(report);
   }
   free(window.slices);
   return error;
}
