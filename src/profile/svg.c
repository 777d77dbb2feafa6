/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The output as a picture: a page of a timeline and a flame chart.
 */

#include "svg.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The characters of a line: all have room in the buffer. */
#define MAX_TEXT 255

#define CHARACTER_WIDTH 6.7 /* of the font in bars, on the average */

/* A bar of the flame chart narrower than this, in pixels, is left out with
 * all in it.
 */
#define MIN_WIDTH 0.5

/* The colours differ in lightness as well, for the colour-blind and for print
 * in black and white.
 */
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

/* Writes a character, and returns its end. */
static const char *
put_character(FILE *out, const char *c)
{
   switch (*c) {
   case '<':
      fputs("&lt;", out);
      break;
   case '>':
      fputs("&gt;", out);
      break;
   case '&':
      fputs("&amp;", out);
      break;
   default:
      return pitot_report_put_character(out, c);
   }
   return c + 1;
}

/* Writes at most so many characters of UTF-8. */
static void
put_escaped(FILE *out, const char *text, size_t characters)
{
   while (*text && characters-- > 0)
      text = put_character(out, text);
}

void
pitot_svg_name(const struct pitot_svg *svg, const char *class, double x,
               double y, const char *name, size_t characters)
{
   fprintf(svg->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x,
           y);
   put_escaped(svg->out, name, characters);
   fputs("</text>\n", svg->out);
}

void
pitot_svg_text(const struct pitot_svg *svg, const char *class, double x,
               double y, const char *format, ...)
{
   char text[1024];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   pitot_svg_name(svg, class, x, y, text, MAX_TEXT);
}

void
pitot_svg_line(const struct pitot_svg *svg, const char *class, double x1,
               double y1, double x2, double y2)
{
   fprintf(svg->out,
           "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
           "y2=\"%.1f\"/>\n",
           class, x1, y1, x2, y2);
}

double
pitot_svg_x(const struct pitot_svg *svg, uint64_t time_ns)
{
   const double all_ns = (double)(svg->end_ns - svg->begin_ns);
   const double width = PITOT_SVG_RIGHT - PITOT_SVG_LEFT;

   if (time_ns <= svg->begin_ns)
      return PITOT_SVG_LEFT;
   if (time_ns >= svg->end_ns)
      return PITOT_SVG_RIGHT;
   return PITOT_SVG_LEFT + width * (double)(time_ns - svg->begin_ns) / all_ns;
}

void
pitot_svg_bar(const struct pitot_svg *svg,
              enum pitot_report_category category, const char *name,
              uint64_t time_ns, double x1, double x2, double y)
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
           class, x1, y, width, PITOT_SVG_BAR);
   if (width > 6 + 3 * CHARACTER_WIDTH) {
      fprintf(svg->out, "<text class=\"bar\" x=\"%.1f\" y=\"%.1f\">", x1 + 3,
              y + PITOT_SVG_BAR - 6);
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

void
pitot_svg_axis(struct pitot_svg *svg, double top)
{
   const double all_ns = (double)(svg->end_ns - svg->begin_ns);
   const double step_ns = tick_step(all_ns);

   for (double ns = 0; ns <= all_ns; ns += step_ns) {
      const double x = pitot_svg_x(svg, svg->begin_ns + (uint64_t)ns);
      const double unit_ns = step_ns >= 1e6 ? 1e6 : step_ns >= 1e3 ? 1e3 : 1;

      pitot_svg_line(svg, "grid", x, top, x, svg->y + 4);
      pitot_svg_text(svg, "tick", x, svg->y + 18, "%g %s", ns / unit_ns,
                     unit_ns == 1e6   ? "ms"
                     : unit_ns == 1e3 ? "us"
                                      : "ns");
   }
   svg->y += 36;
}

/* Finds the frame of that number, of the context in which it took longest; or
 * the frame of median time.  Returns NULL if there is none.
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
draw_title(struct pitot_svg *svg, const struct pitot_report *report)
{
   const struct pitot_report_mark *profile =
      pitot_report_find_mark(report, "profile");

   if (!profile)
      return;
   pitot_svg_name(svg, "title", PITOT_SVG_MARGIN, svg->y,
                  pitot_report_text(profile->values, "program"), MAX_TEXT);
   pitot_svg_text(svg, "note", PITOT_SVG_MARGIN, svg->y + 23,
                  "%s, profiled by %s",
                  pitot_report_text(profile->values, "device"),
                  pitot_report_text(profile->values, "level"));
   svg->y += 54;
}

/* The categories that there are, each with its colour. */
static void
draw_legend(struct pitot_svg *svg, const bool *is_there)
{
   double x = PITOT_SVG_LEFT;

   for (unsigned i = 0; i < PITOT_REPORT_CATEGORY_COUNT; i++) {
      if (!is_there[i])
         continue;
      fprintf(svg->out,
              "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"12\" "
              "height=\"12\"/>\n",
              pitot_report_category_names[i], x, svg->y - 11);
      pitot_svg_text(svg, "note", x + 17, svg->y, "%s",
                     pitot_report_category_names[i]);
      x += 82;
   }
   svg->y += 24;
}

/* Draws a node of the flame chart from x on, and its children in it, one line
 * further down.  Returns its width; if that is too small, nothing is drawn.
 */
static double
draw_node(const struct pitot_svg *svg, const struct pitot_sum *node, double x)
{
   const double width = (double)node->total_ns *
                        (PITOT_SVG_RIGHT - PITOT_SVG_MARGIN) /
                        (double)svg->whole_ns;

   if (width < MIN_WIDTH)
      return width;
   pitot_svg_bar(svg, node->category, node->name, node->total_ns, x,
                 x + width, svg->y + node->depth * PITOT_SVG_STEP);
   for (size_t i = 0; i < node->child_count; i++)
      x += draw_node(svg, node->children[i], x);
   return width;
}

/* The flame chart: how the time of all frames is divided among groups, passes
 * and calls.
 */
static void
draw_flames(struct pitot_svg *svg, const struct pitot_summary *summary)
{
   struct pitot_sum all = summary->tree;
   char time[PITOT_TIME_TEXT_B];

   all.name = "all frames";
   svg->whole_ns = all.total_ns;
   if (svg->whole_ns > 0) {
      pitot_svg_text(svg, "head", PITOT_SVG_MARGIN, svg->y + 16,
                     "The GPU's work in all frames, %s",
                     pitot_time_text(time, svg->whole_ns));
      svg->y += 30;
      draw_node(svg, &all, PITOT_SVG_MARGIN);
      svg->y += (summary->tree_depth + 1) * PITOT_SVG_STEP;
   }
   svg->y += 24;
}

/* Draws the body of a page, whose height is known then. */
static int
draw_body(struct pitot_svg *svg, const char *trace_path,
          struct pitot_summary *summary, uint64_t number)
{
   const struct pitot_frame *frame = choose_frame(summary, number);
   int error;

   if (!frame && number != 0)
      return -ESRCH;
   draw_title(svg, summary->report);
   draw_legend(svg, summary->is_there);
   error = pitot_svg_timeline(svg, trace_path, summary, frame);
   if (error == 0)
      draw_flames(svg, summary);
   return error;
}

int
pitot_report_write_svg(const char *trace_path, FILE *out, uint64_t frame)
{
   struct pitot_summary *summary;
   char *body = NULL;
   size_t body_B;
   struct pitot_svg svg = { .y = 48 };
   int error = pitot_summary_read(trace_path, &summary);

   if (error != 0)
      return error;
   svg.out = open_memstream(&body, &body_B);
   error = svg.out ? draw_body(&svg, trace_path, summary, frame) : -ENOMEM;
   if (svg.out && fclose(svg.out) != 0)
      error = -ENOMEM;
   if (error == 0)
      fprintf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
              "height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
              "<style>\n%s</style>\n"
              "<rect class=\"page\" width=\"%d\" height=\"%.0f\"/>\n"
              "%s</svg>\n",
              PITOT_SVG_WIDTH, svg.y, PITOT_SVG_WIDTH, svg.y, style_sheet,
              PITOT_SVG_WIDTH, svg.y, body);
   free(body);
   pitot_summary_free(summary);
   return error;
}
