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

/* From a call on a thread to its execution by the GPU. */
struct arrow {
   uint64_t flow;
   const struct pitot_report_slice *from, *to; /* from may be NULL */
};

struct timeline {
   const struct pitot_frame *frame; /* or NULL: all is shown */
   struct pitot_report_slice *slices;
   size_t slice_count;
   const struct pitot_report_slice *frame_slice; /* or NULL */
   struct arrow *arrows;
   size_t arrow_count;
};

/*
 * The slices that the timeline shows, of all batches
 */

/* Calls that sent a frame: a context writes them with it. */
struct flows {
   uint64_t first, last;
};

static struct flows
find_flows(const struct pitot_report *report, const struct pitot_frame *frame)
{
   struct flows flows = { UINT64_MAX, 0 };

   for (size_t i = 0; i < report->slice_count; i++) {
      const struct pitot_report_slice *slice = &report->slices[i];

      if (slice->order != frame->order)
         continue;
      for (const struct pitot_report_slice *end = slice->after; slice < end;
           slice++) {
         if (slice->flow != 0 && slice->flow < flows.first)
            flows.first = slice->flow;
         if (slice->flow > flows.last)
            flows.last = slice->flow;
      }
   }
   return flows;
}

static int
take_batch(void *data, struct pitot_report *report)
{
   struct timeline *timeline = data;
   const struct pitot_frame all = { .times_ns[PITOT_FRAME_GPU] = UINT64_MAX };
   const struct pitot_frame *frame = timeline->frame ? timeline->frame : &all;
   const uint64_t time_ns = frame->times_ns[PITOT_FRAME_GPU];
   const uint64_t ahead_ns = MAX_AHEAD * time_ns;
   const uint64_t begin_ns =
      frame->begin_ns > ahead_ns ? frame->begin_ns - ahead_ns : 0;
   const struct flows flows = find_flows(report, frame);

   for (size_t i = 0; i < report->slice_count; i++) {
      const struct pitot_report_slice *slice = &report->slices[i];
      const bool is_seen = slice->begin_ns <= frame->begin_ns + time_ns &&
                           slice->end_ns >= begin_ns;
      struct pitot_report_slice *copy;

      if (!is_seen && (slice->flow < flows.first || slice->flow > flows.last))
         continue;
      copy = pitot_report_add((void **)&timeline->slices,
                              &timeline->slice_count, sizeof(*copy));
      if (!copy)
         return -ENOMEM;
      *copy = *slice;
      copy->values = NULL;
   }
   return 0;
}

static bool
is_in_frame(const struct timeline *timeline,
            const struct pitot_report_slice *slice)
{
   const struct pitot_report_slice *frame = timeline->frame_slice;

   return !frame || (slice >= frame && slice < frame->after);
}

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
   struct arrow *arrows = timeline->arrows;

   for (size_t i = 0; i < timeline->slice_count; i++) {
      const struct pitot_report_slice *slice = &timeline->slices[i];

      if (slice->flow != 0 && pitot_report_is_gpu(slice) &&
          is_in_frame(timeline, slice))
         arrows[timeline->arrow_count++] =
            (struct arrow){ slice->flow, NULL, slice };
   }
   qsort(arrows, timeline->arrow_count, sizeof(*arrows), by_flow);
   for (size_t i = 0; i < timeline->slice_count; i++) {
      const struct pitot_report_slice *slice = &timeline->slices[i];
      const struct arrow key = { .flow = slice->flow };
      struct arrow *arrow;

      if (slice->flow == 0 || pitot_report_is_gpu(slice))
         continue;
      arrow = bsearch(&key, arrows, timeline->arrow_count, sizeof(*arrows),
                      by_flow);
      if (arrow)
         arrow->from = slice;
   }
}

/*
 * The picture
 */

static void
widen(struct pitot_svg *svg, const struct pitot_report_slice *slice)
{
   if (svg->begin_ns > slice->begin_ns)
      svg->begin_ns = slice->begin_ns;
   if (svg->end_ns < slice->end_ns)
      svg->end_ns = slice->end_ns;
}

/* Fits the axis to the frame's work, and the calls that sent it. */
static void
fit_axis(struct pitot_svg *svg, const struct timeline *timeline)
{
   svg->begin_ns = UINT64_MAX;
   svg->end_ns = 0;
   for (size_t i = 0; i < timeline->slice_count; i++) {
      const struct pitot_report_slice *slice = &timeline->slices[i];

      if (is_in_frame(timeline, slice) && pitot_report_is_gpu(slice))
         widen(svg, slice);
   }
   if (svg->begin_ns > svg->end_ns)
      svg->begin_ns = svg->end_ns;

   const uint64_t begin_ns = svg->begin_ns;
   const uint64_t ahead_ns = MAX_AHEAD * (svg->end_ns - begin_ns);

   svg->whole_ns = svg->end_ns - begin_ns;
   for (size_t i = 0; i < timeline->arrow_count; i++) {
      if (timeline->arrows[i].from)
         widen(svg, timeline->arrows[i].from);
   }
   if (begin_ns - svg->begin_ns > ahead_ns)
      svg->begin_ns = begin_ns - ahead_ns;
}

/* Draws the slices of a track that the axis shows, and the track's name if
 * there are any.  Of slices narrower than a line, one is drawn for all.
 */
static void
draw_track(struct pitot_svg *svg, struct pitot_report_track *track,
           const struct pitot_report_slice *begin,
           const struct pitot_report_slice *end)
{
   double drawn_x[MAX_DEPTH] = { 0 };
   unsigned depth = 0;
   bool is_any = false;

   for (const struct pitot_report_slice *slice = begin; slice < end;
        slice++) {
      const double x1 = pitot_svg_x(svg, slice->begin_ns);
      const double x2 = pitot_svg_x(svg, slice->end_ns);

      if (slice->begin_ns > svg->end_ns || slice->end_ns < svg->begin_ns ||
          slice->depth >= MAX_DEPTH || x2 < drawn_x[slice->depth] + 0.3)
         continue;
      pitot_svg_bar(svg, slice->category, slice->name, pitot_report_ns(slice),
                    x1, x2, svg->y + slice->depth * PITOT_SVG_STEP);
      drawn_x[slice->depth] = x2;
      if (depth < slice->depth)
         depth = slice->depth;
      is_any = true;
   }
   if (!is_any)
      return;
   track->y = svg->y;
   pitot_svg_name(svg, "track", PITOT_SVG_LEFT - 10, svg->y + 14,
                  track->thread, TRACK_CHARACTERS);
   if (depth > 0)
      pitot_svg_name(svg, "track", PITOT_SVG_LEFT - 10, svg->y + 28,
                     track->id.process == 0 ? "GPU" : track->process,
                     TRACK_CHARACTERS);
   svg->y += (depth + 1) * PITOT_SVG_STEP + 12;
}

/* Draws the tracks of the CPU, above those of the GPU. */
static void
draw_tracks(struct pitot_svg *svg, const struct timeline *timeline)
{
   const struct pitot_report_slice *slices = timeline->slices;

   for (unsigned is_gpu = 0; is_gpu < 2; is_gpu++) {
      size_t begin, end = 0;

      while (end < timeline->slice_count) {
         begin = end;
         while (end < timeline->slice_count &&
                slices[end].track == slices[begin].track)
            end++;
         if (pitot_report_is_gpu(&slices[begin]) == is_gpu)
            draw_track(svg, slices[begin].track, &slices[begin],
                       &slices[end]);
      }
   }
}

static void
draw_arrows(const struct pitot_svg *svg, const struct timeline *timeline)
{
   double last_x = 0, last_to_x = 0;

   for (size_t i = 0; i < timeline->arrow_count; i++) {
      const struct pitot_report_slice *from = timeline->arrows[i].from;
      const struct pitot_report_slice *to = timeline->arrows[i].to;

      if (!from)
         continue;

      const double from_x = pitot_svg_x(svg, from->begin_ns);
      const double to_x = pitot_svg_x(svg, to->begin_ns);

      if (from->begin_ns < svg->begin_ns ||
          fabs(from_x - last_x) + fabs(to_x - last_to_x) < ARROWS_APART)
         continue;
      pitot_svg_line(svg, "flow", from_x,
                     from->track->y + from->depth * PITOT_SVG_STEP +
                        PITOT_SVG_BAR,
                     to_x, to->track->y);
      last_x = from_x;
      last_to_x = to_x;
   }
}

static void
draw_timeline(struct pitot_svg *svg, const struct timeline *timeline,
              const struct pitot_summary *summary)
{
   const double top = svg->y + 14;
   char time[PITOT_TIME_TEXT_B];

   fit_axis(svg, timeline);
   pitot_time_text(time, svg->whole_ns);
   if (timeline->frame_slice)
      pitot_svg_text(svg, "head", PITOT_SVG_MARGIN, svg->y,
                     "%s: %s on the GPU (%zu %s%s in all)",
                     timeline->frame_slice->name, time, summary->frame_count,
                     summary->are_parts ? "part" : "frame",
                     summary->frame_count == 1 ? "" : "s");
   else
      pitot_svg_text(svg, "head", PITOT_SVG_MARGIN, svg->y,
                     "All work of the GPU, %s", time);
   svg->y = top;
   draw_tracks(svg, timeline);
   pitot_svg_axis(svg, top);
   draw_arrows(svg, timeline);
}

int
pitot_svg_timeline(struct pitot_svg *svg, const char *trace_path,
                   const struct pitot_summary *summary,
                   const struct pitot_frame *frame)
{
   struct timeline timeline = { .frame = frame };
   struct pitot_report *report;
   int error = pitot_report_read(trace_path, take_batch, &timeline, &report);

   if (error == 0) {
      pitot_report_nest(timeline.slices, timeline.slice_count);
      for (size_t i = 0; frame && i < timeline.slice_count; i++) {
         if (timeline.slices[i].order == frame->order)
            timeline.frame_slice = &timeline.slices[i];
      }
      timeline.arrows =
         malloc((timeline.slice_count + 1) * sizeof(*timeline.arrows));
      if (timeline.arrows) {
         find_arrows(&timeline);
         draw_timeline(svg, &timeline, summary);
      } else {
         error = -ENOMEM;
      }
      pitot_report_free(report);
   }
   free(timeline.arrows);
   free(timeline.slices);
   return error;
}
