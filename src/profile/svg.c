/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The picture: the timeline of one frame, and a flame chart of all frames.
 *
 * The trace is read twice: for the summary, and then for the slices near the
 * frame.  svg->y moves down as parts are drawn.
 */

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "report.h"

/* The layout, in pixels: x to the right, y down. */
enum {
   WIDTH = 1200,
   MARGIN = 32,
   LEFT = 168, /* bars begin here, right of the names */
   RIGHT = 1168,
   BAR = 20, /* the height of a bar */
   STEP = 21,
};

/* The characters of a line, which fit into the buffer of draw_text(). */
#define MAX_TEXT 255

#define CHARACTER_WIDTH 6.7 /* the average of the font in bars */

/* Narrower bars of the flame chart are not drawn, nor the bars in them. */
#define MIN_WIDTH 0.5

#define MAX_DEPTH 32 /* deeper slices of a track are not drawn */

/* Of arrows closer than this, in pixels, only one is drawn. */
#define ARROWS_APART 3

/* So much of a track's name fits left of the bars. */
#define TRACK_CHARACTERS 20

/* How many lengths of the frame the axis may begin before the frame. */
#define MAX_AHEAD 4

/* The colors differ in lightness, too, for the color-blind and for print. */
static const char style_sheet[] =
   "text { font: 13px 'DejaVu Sans', Verdana, sans-serif;"
   " fill: #24292f }\n"
   ".title { font-size: 21px; font-weight: bold }\n"
   ".head { font-size: 15px; font-weight: bold }\n"
   ".note { font-size: 12px; fill: #57606a }\n"
   ".track { font-size: 12px; text-anchor: end }\n"
   ".tick { font-size: 12px; fill: #57606a; text-anchor: middle }\n"
   ".bar { font-size: 11px }\n"
   ".page { fill: #ffffff }\n"
   ".grid { stroke: #d0d7de }\n"
   ".flow { stroke: #57606a; stroke-opacity: 0.2 }\n"
   "rect { stroke: #ffffff; stroke-width: 0.5 }\n"
   ".frame { fill: #d0d7de }\n"
   ".group { fill: #b9a7d6 }\n"
   ".pass { fill: #7fb0d0 }\n"
   ".draw { fill: #f0a43a }\n"
   ".dispatch { fill: #c9743d }\n"
   ".clear { fill: #a8cf8e }\n"
   ".blit { fill: #6fb7a8 }\n"
   ".copy { fill: #8fa96f }\n"
   ".call { fill: #e6d9b8 }\n"
   ".wait { fill: #e0665a }\n"
   ".upload { fill: #d89ab5 }\n"
   ".readback { fill: #b56a9a }\n";

/* From a call on a thread to its execution by the GPU. */
struct arrow {
   uint64_t flow;
   const struct pitot_report_slice *from, *to; /* from may be NULL */
};

struct svg {
   FILE *out;
   struct pitot_summary summary;
   double y;                  /* where the next part begins */
   uint64_t begin_ns, end_ns; /* of the axis */
   uint64_t whole_ns;         /* 100 % of shares */

   /* The timeline. */
   const struct pitot_frame *frame; /* or NULL: all is shown */
   struct pitot_report_slice *slices;
   size_t slice_count;
   struct arrow *arrows;
   size_t arrow_count;
};

/*
 * Elements
 */

/* Writes at most so many characters of UTF-8. */
static void
put_escaped(FILE *out, const char *text, size_t characters)
{
   while (*text && characters-- > 0)
      text = pitot_report_put_character(out, PITOT_REPORT_SVG, text);
}

/* Draws at most so many characters of a UTF-8 name. */
static void
draw_name(const struct svg *svg, const char *class, double x, double y,
          const char *name, size_t characters)
{
   fprintf(svg->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x,
           y);
   put_escaped(svg->out, name, characters);
   fputs("</text>\n", svg->out);
}

static void
draw_text(const struct svg *svg, const char *class, double x, double y,
          const char *format, ...)
{
   char text[1024];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   draw_name(svg, class, x, y, text, MAX_TEXT);
}

static void
draw_line(const struct svg *svg, const char *class, double x1, double y1,
          double x2, double y2)
{
   fprintf(svg->out,
           "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
           "y2=\"%.1f\"/>\n",
           class, x1, y1, x2, y2);
}

/* Returns the x of a time; for a time outside of the axis, its end. */
static double
x_of(const struct svg *svg, uint64_t time_ns)
{
   const double all_ns = (double)(svg->end_ns - svg->begin_ns);
   const double width = RIGHT - LEFT;

   if (time_ns <= svg->begin_ns)
      return LEFT;
   if (time_ns >= svg->end_ns)
      return RIGHT;
   return LEFT + width * (double)(time_ns - svg->begin_ns) / all_ns;
}

/* Draws a bar with a tooltip, and with its name if that fits. */
static void
draw_bar(const struct svg *svg, enum pitot_report_category category,
         const char *name, uint64_t time_ns, double x1, double x2, double y)
{
   const char *class = pitot_report_category_names[category];
   const double width = fmax(x2 - x1, 0.3);
   char time[PITOT_TIME_TEXT_B];

   fprintf(svg->out, "<g><title>%s ", class);
   put_escaped(svg->out, name, SIZE_MAX);
   fprintf(svg->out, ": %s", pitot_time_text(time, time_ns));
   if (svg->whole_ns > 0)
      fprintf(svg->out, ", %.1f %%",
              100 * (double)time_ns / (double)svg->whole_ns);
   fprintf(svg->out,
           "</title><rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" "
           "height=\"%d\"/>",
           class, x1, y, width, BAR);
   if (width > 6 + 3 * CHARACTER_WIDTH) {
      fprintf(svg->out, "<text class=\"bar\" x=\"%.1f\" y=\"%.1f\">", x1 + 3,
              y + BAR - 6);
      put_escaped(svg->out, name, (size_t)((width - 6) / CHARACTER_WIDTH));
      fputs("</text>", svg->out);
   }
   fputs("</g>\n", svg->out);
}

/* Returns a step of 1, 2 or 5 times a power of ten, for four to twelve ticks.
 */
static double
tick_step(double all_ns)
{
   double step_ns = 1;

   while (all_ns / step_ns > 60)
      step_ns *= 10;
   if (all_ns / step_ns > 24)
      return 5 * step_ns;
   return all_ns / step_ns > 12 ? 2 * step_ns : step_ns;
}

/* Draws the axis at svg->y, and grid lines from top down to it. */
static void
draw_axis(struct svg *svg, double top)
{
   const double all_ns = (double)(svg->end_ns - svg->begin_ns);
   const double step_ns = tick_step(all_ns);

   for (double ns = 0; ns <= all_ns; ns += step_ns) {
      const double x = x_of(svg, svg->begin_ns + (uint64_t)ns);
      const double unit_ns = step_ns >= 1e6 ? 1e6 : step_ns >= 1e3 ? 1e3 : 1;

      draw_line(svg, "grid", x, top, x, svg->y + 4);
      draw_text(svg, "tick", x, svg->y + 18, "%g %s", ns / unit_ns,
                unit_ns == 1e6   ? "ms"
                : unit_ns == 1e3 ? "us"
                                 : "ns");
   }
   svg->y += 36;
}

/*
 * The timeline of a frame: its work on the GPU, the calls on the CPU that
 * sent it, and everything else at the same time
 */

/* Copies the slices of a batch that are near the frame, or that sent it. */
static void
take_batch(void *data, struct pitot_report *report)
{
   struct svg *svg = data;
   const struct pitot_frame *frame = svg->frame;
   const uint64_t ahead_ns = MAX_AHEAD * svg->whole_ns;

   for (size_t i = 0; i < report->slice_count; i++) {
      const struct pitot_report_slice *slice = &report->slices[i];
      struct pitot_report_slice *copy;

      if (frame &&
          (slice->begin_ns > svg->end_ns ||
           slice->end_ns + ahead_ns < svg->begin_ns) &&
          (slice->flow < frame->first_flow || slice->flow > frame->last_flow))
         continue;
      copy = pitot_report_add((void **)&svg->slices, &svg->slice_count,
                              sizeof(*copy));
      *copy = *slice;
      copy->values = NULL;
   }
}

static int
by_flow(const void *a, const void *b)
{
   const struct arrow *first = a, *second = b;

   return pitot_report_compare(first->flow, second->flow);
}

/* Finds the calls that sent the GPU slices from begin to end. */
static void
find_arrows(struct svg *svg, const struct pitot_report_slice *begin,
            const struct pitot_report_slice *end)
{
   struct arrow *arrow;

   for (const struct pitot_report_slice *slice = begin; slice < end;
        slice++) {
      if (slice->flow == 0 || !pitot_report_is_gpu(slice))
         continue;
      arrow = pitot_report_add((void **)&svg->arrows, &svg->arrow_count,
                               sizeof(*arrow));
      *arrow = (struct arrow){ slice->flow, NULL, slice };
   }
   if (svg->arrow_count == 0)
      return;
   qsort(svg->arrows, svg->arrow_count, sizeof(*arrow), by_flow);
   for (size_t i = 0; i < svg->slice_count; i++) {
      const struct pitot_report_slice *slice = &svg->slices[i];
      const struct arrow key = { .flow = slice->flow };

      if (slice->flow == 0 || pitot_report_is_gpu(slice))
         continue;
      arrow = bsearch(&key, svg->arrows, svg->arrow_count, sizeof(*arrow),
                      by_flow);
      if (arrow)
         arrow->from = slice;
   }
}

/* Extends the axis to the calls that sent the work. */
static void
fit_axis(struct svg *svg)
{
   const uint64_t ahead_ns = MAX_AHEAD * svg->whole_ns;
   const uint64_t earliest_ns =
      svg->begin_ns > ahead_ns ? svg->begin_ns - ahead_ns : 0;

   for (size_t i = 0; i < svg->arrow_count; i++) {
      const struct pitot_report_slice *from = svg->arrows[i].from;

      if (!from)
         continue;
      if (svg->begin_ns > from->begin_ns)
         svg->begin_ns =
            from->begin_ns > earliest_ns ? from->begin_ns : earliest_ns;
      if (svg->end_ns < from->end_ns)
         svg->end_ns = from->end_ns;
   }
}

/* Draws the slices of a track that are on the axis; and the track's name, if
 * there are any.  Skips a slice that ends within 0.3 pixels of the last one.
 */
static void
draw_track(struct svg *svg, struct pitot_report_track *track,
           const struct pitot_report_slice *begin,
           const struct pitot_report_slice *end)
{
   double drawn_x[MAX_DEPTH] = { 0 };
   unsigned depth = 0;
   bool is_any = false;

   for (const struct pitot_report_slice *slice = begin; slice < end;
        slice++) {
      const double x1 = x_of(svg, slice->begin_ns);
      const double x2 = x_of(svg, slice->end_ns);

      if (slice->begin_ns > svg->end_ns || slice->end_ns < svg->begin_ns ||
          slice->depth >= MAX_DEPTH || x2 < drawn_x[slice->depth] + 0.3)
         continue;
      draw_bar(svg, slice->category, slice->name, pitot_report_ns(slice), x1,
               x2, svg->y + slice->depth * STEP);
      drawn_x[slice->depth] = x2;
      if (depth < slice->depth)
         depth = slice->depth;
      is_any = true;
   }
   if (!is_any)
      return;
   track->y = svg->y;
   draw_name(svg, "track", LEFT - 10, svg->y + 14, track->thread,
             TRACK_CHARACTERS);
   if (depth > 0)
      draw_name(svg, "track", LEFT - 10, svg->y + 28,
                track->id.process == 0 ? "GPU" : track->process,
                TRACK_CHARACTERS);
   svg->y += (depth + 1) * STEP + 12;
}

/* Draws the tracks of the CPU, above those of the GPU. */
static void
draw_tracks(struct svg *svg)
{
   const struct pitot_report_slice *slices = svg->slices;

   for (unsigned is_gpu = 0; is_gpu < 2; is_gpu++) {
      size_t begin, end = 0;

      while (end < svg->slice_count) {
         begin = end;
         while (end < svg->slice_count &&
                slices[end].track == slices[begin].track)
            end++;
         if (pitot_report_is_gpu(&slices[begin]) == is_gpu)
            draw_track(svg, slices[begin].track, &slices[begin],
                       &slices[end]);
      }
   }
}

static void
draw_arrows(const struct svg *svg)
{
   double last_x = 0, last_to_x = 0;

   for (size_t i = 0; i < svg->arrow_count; i++) {
      const struct pitot_report_slice *from = svg->arrows[i].from;
      const struct pitot_report_slice *to = svg->arrows[i].to;

      if (!from)
         continue;

      const double from_x = x_of(svg, from->begin_ns);
      const double to_x = x_of(svg, to->begin_ns);

      if (from->begin_ns < svg->begin_ns ||
          fabs(from_x - last_x) + fabs(to_x - last_to_x) < ARROWS_APART)
         continue;
      draw_line(svg, "flow", from_x,
                from->track->y + from->depth * STEP + BAR, to_x,
                to->track->y);
      last_x = from_x;
      last_to_x = to_x;
   }
}

/* frame is the frame's slice, or NULL for the whole trace. */
static void
draw_slices(struct svg *svg, const struct pitot_report_slice *frame)
{
   const struct pitot_summary *summary = &svg->summary;
   const double top = svg->y + 14;
   char time[PITOT_TIME_TEXT_B];

   if (frame)
      find_arrows(svg, frame, frame->after);
   else if (svg->slice_count > 0)
      find_arrows(svg, svg->slices, svg->slices + svg->slice_count);
   fit_axis(svg);
   pitot_time_text(time, svg->whole_ns);
   if (frame)
      draw_text(svg, "head", MARGIN, svg->y,
                "%s: %s on the GPU (%zu %s%s in all)", frame->name, time,
                summary->frame_count, summary->are_parts ? "part" : "frame",
                summary->frame_count == 1 ? "" : "s");
   else
      draw_text(svg, "head", MARGIN, svg->y, "All work of the GPU, %s", time);
   svg->y = top;
   draw_tracks(svg);
   draw_axis(svg, top);
   draw_arrows(svg);
}

/* Draws the timeline of svg->frame, or of the whole trace. */
static int
draw_timeline(struct svg *svg, const char *trace_path)
{
   const struct pitot_summary *summary = &svg->summary;
   const struct pitot_frame *frame = svg->frame;
   const struct pitot_report_slice *slice = NULL;
   struct pitot_report *report;
   int error;

   svg->end_ns = frame ? frame->begin_ns + frame->times_ns[PITOT_FRAME_GPU]
                       : summary->end_ns;
   svg->begin_ns = frame ? frame->begin_ns : summary->begin_ns;
   if (svg->begin_ns > svg->end_ns)
      svg->begin_ns = svg->end_ns;
   svg->whole_ns = svg->end_ns - svg->begin_ns;
   error = pitot_report_read(trace_path, take_batch, svg, &report);
   if (error != 0)
      return error;
   pitot_report_nest(svg->slices, svg->slice_count);
   for (size_t i = 0; frame && i < svg->slice_count; i++) {
      if (svg->slices[i].order == frame->order)
         slice = &svg->slices[i];
   }
   draw_slices(svg, slice);
   pitot_report_free(report);
   return 0;
}

/*
 * The page
 */

/* Returns the frame of that number, of several contexts the longest; for 0
 * the frame of median time; NULL if there is none.
 */
static const struct pitot_frame *
choose_frame(struct pitot_summary *summary, uint64_t number)
{
   const size_t count = pitot_summary_sort_frames(summary, PITOT_FRAME_GPU);

   if (number == 0)
      return count > 0 ? &summary->frames[(count - 1) / 2] : NULL;
   for (size_t i = count; i > 0; i--) {
      if (summary->frames[i - 1].number == number)
         return &summary->frames[i - 1];
   }
   return NULL;
}

static void
draw_title(struct svg *svg)
{
   const json_t *profile =
      json_object_get(svg->summary.report->marks, "profile");
   const json_t *values = json_object_get(profile, "values");

   if (!profile)
      return;
   draw_name(svg, "title", MARGIN, svg->y,
             pitot_report_text(values, "program"), MAX_TEXT);
   draw_text(svg, "note", MARGIN, svg->y + 23, "%s, profiled by %s",
             pitot_report_text(values, "device"),
             pitot_report_text(values, "level"));
   svg->y += 54;
}

static void
draw_legend(struct svg *svg)
{
   double x = LEFT;

   for (unsigned i = 0; i < PITOT_REPORT_CATEGORY_COUNT; i++) {
      if (!svg->summary.is_there[i])
         continue;
      fprintf(svg->out,
              "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"12\" "
              "height=\"12\"/>\n",
              pitot_report_category_names[i], x, svg->y - 11);
      draw_text(svg, "note", x + 17, svg->y, "%s",
                pitot_report_category_names[i]);
      x += 82;
   }
   svg->y += 24;
}

/* Draws a node of the flame chart from x on, and its children one line below.
 * Returns its width.  Draws nothing if that is less than MIN_WIDTH.
 */
static double
draw_node(const struct svg *svg, const struct pitot_sum *node, double x)
{
   const double width =
      (double)node->total_ns * (RIGHT - MARGIN) / (double)svg->whole_ns;

   if (width < MIN_WIDTH)
      return width;
   draw_bar(svg, node->category, node->name, node->total_ns, x, x + width,
            svg->y + node->depth * STEP);
   for (size_t i = 0; i < node->child_count; i++)
      x += draw_node(svg, node->children[i], x);
   return width;
}

/* The flame chart: the time of all frames by group, pass and call. */
static void
draw_flames(struct svg *svg)
{
   struct pitot_sum all = svg->summary.tree;
   char time[PITOT_TIME_TEXT_B];

   all.name = "all frames";
   svg->whole_ns = all.total_ns;
   if (svg->whole_ns > 0) {
      draw_text(svg, "head", MARGIN, svg->y + 16,
                "The GPU's work in all frames, %s",
                pitot_time_text(time, svg->whole_ns));
      svg->y += 30;
      draw_node(svg, &all, MARGIN);
      svg->y += (svg->summary.tree_depth + 1) * STEP;
   }
   svg->y += 24;
}

/* Draws the body of the page, whose height then is svg->y. */
static int
draw_body(struct svg *svg, const char *trace_path, uint64_t number)
{
   int error;

   svg->frame = choose_frame(&svg->summary, number);
   if (!svg->frame && number != 0)
      return -ESRCH;
   draw_title(svg);
   draw_legend(svg);
   error = draw_timeline(svg, trace_path);
   if (error == 0)
      draw_flames(svg);
   return error;
}

int
pitot_report_write_svg(const char *trace_path, FILE *out, uint64_t frame)
{
   struct svg svg = { .y = 48 };
   int error = pitot_summary_read(trace_path, &svg.summary), c;

   if (error != 0)
      return error;
   svg.out = tmpfile(); /* a memory stream does not report that it is full */
   error = svg.out ? draw_body(&svg, trace_path, frame) : -errno;
   if (error == 0) {
      fprintf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
              "height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
              "<style>\n%s</style>\n"
              "<rect class=\"page\" width=\"%d\" height=\"%.0f\"/>\n",
              WIDTH, svg.y, WIDTH, svg.y, style_sheet, WIDTH, svg.y);
      fseek(svg.out, 0, SEEK_SET); /* rewind() clears the error */
      while ((c = getc(svg.out)) != EOF)
         fputc(c, out);
      fputs("</svg>\n", out);
      if (ferror(svg.out))
         error = errno != 0 ? -errno : -EIO;
   }
   if (svg.out)
      fclose(svg.out);
   free(svg.arrows);
   free(svg.slices);
   pitot_summary_finish(&svg.summary);
   return error;
}
