/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <math.h>
#include <stdarg.h>

/* The layout, in pixels: x to the right, y down. */
enum {
   WIDTH = 960,
   MARGIN = 32,
   TITLE_Y = 48,
   RENDERER_Y = 71,
   LEGEND_Y = 104, /* of its first line */
   LEGEND_STEP = 21,
   LEGEND_NAME_X = 52,
   LEGEND_NOTE_X = 148,
   SWATCH_SIZE = 12,
   PLOT_LEFT = 272,  /* where bars start; their scenes' names are left */
   PLOT_RIGHT = 856, /* where they end at the most; the values are right */
   PLOT_TOP = 146,
   ROW_HEIGHT = 46,
   BAR_HEIGHT = 15,
   BAR_STEP = 17,    /* from one bar of a scene to the next */
   LABELS_DOWN = 20, /* from the end of the plot to the ticks' values, ... */
   TITLE_DOWN = 46,  /* ... to the axis' title ... */
   BOTTOM_DOWN = 70, /* ... and to the end of the picture */
};

/* The axis never spans more. No draw takes as long, and one nonsensical
 * result should not press all the others into the first few pixels.
 */
#define AXIS_MIN_NS 10
#define AXIS_MAX_NS 100000000000

/* The two colours of bars differ in lightness as well, for the colour-blind
 * and for print in black and white.
 */
static const char style_sheet[] =
   "text { font: 13px 'DejaVu Sans', Verdana, sans-serif;"
   " fill: #24292f }\n"
   ".title { font-size: 21px; font-weight: bold }\n"
   ".note { font-size: 12px; fill: #57606a }\n"
   ".name { font-weight: bold; text-anchor: end }\n"
   ".about { font-size: 11px; fill: #57606a; text-anchor: end }\n"
   ".value { text-anchor: end }\n"
   ".api { font-weight: bold }\n"
   ".tick { font-size: 12px; fill: #57606a; text-anchor: middle }\n"
   ".page { fill: #ffffff }\n"
   ".grid { stroke: #d0d7de }\n"
   ".fine { stroke: #eff2f5 }\n"
   ".base { stroke: #57606a }\n"
   ".range { stroke: #24292f; stroke-opacity: 0.6 }\n"
   ".es { fill: #f0a43a }\n"
   ".gl { fill: #2a6f97 }\n";

static const char *const bar_classes[API_COUNT] = {
   [API_ES] = "es",
   [API_GL] = "gl",
};

/* The axis of time, on a logarithmic scale. Its ends are round values. */
struct axis {
   double low_ns;
   double high_ns;
};

static double
power_of_ten_below(double time_ns)
{
   double power_ns = 1;
   while (power_ns * 10 <= time_ns)
      power_ns *= 10;
   return power_ns;
}

/* Returns an axis with room for the medians and for the range above them. */
static struct axis
fit_axis(const struct result *results)
{
   double low_ns = AXIS_MAX_NS, high_ns = AXIS_MIN_NS;

   for (unsigned api = 0; api < API_COUNT; api++) {
      for (unsigned i = 0; i < results[api].scene_count; i++) {
         const struct sample *samples = results[api].scenes[i].samples;

         low_ns = fmin(low_ns, (double)samples[MEDIAN].elapsed_ns);
         high_ns = fmax(high_ns, (double)samples[HIGHEST].elapsed_ns);
      }
   }
   low_ns = fmax(low_ns, AXIS_MIN_NS);
   high_ns = fmax(fmin(high_ns, AXIS_MAX_NS), low_ns);

   const double step_ns = power_of_ten_below(high_ns);
   return (struct axis){
      /* Half of the shortest time, so that its bar has some length. */
      .low_ns = power_of_ten_below(low_ns / 2),
      .high_ns = (floor(high_ns / step_ns) + 1) * step_ns,
   };
}

/* A time outside the axis is put at the nearer end. */
static double
x_of(const struct axis *axis, double time_ns)
{
   const double ns = fmax(fmin(time_ns, axis->high_ns), axis->low_ns);

   return PLOT_LEFT + log(ns / axis->low_ns) /
                         log(axis->high_ns / axis->low_ns) *
                         (PLOT_RIGHT - PLOT_LEFT);
}

/* Drivers name themselves as they like; XML gives two characters a meaning of
 * their own.
 */
static void __attribute__((format(printf, 5, 6)))
draw_text(FILE *out, const char *class, double x, double y,
          const char *format, ...)
{
   char text[512];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
   for (const char *c = text; *c; c++) {
      if (*c == '<')
         fputs("&lt;", out);
      else if (*c == '&')
         fputs("&amp;", out);
      else
         fputc(*c, out);
   }
   fputs("</text>\n", out);
}

static void
draw_line(FILE *out, const char *class, double x1, double y1, double x2,
          double y2)
{
   fprintf(out,
           "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
           "y2=\"%.1f\"/>\n",
           class, x1, y1, x2, y2);
}

static void
draw_rectangle(FILE *out, const char *class, double x, double y, double width,
               double height)
{
   fprintf(out,
           "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
           "height=\"%.1f\"/>\n",
           class, x, y, width, height);
}

/* Draws the title, and a line of the legend for the bars of each API. */
static void
draw_title(FILE *out, const struct result *results)
{
   const char *renderer = "";
   double y = LEGEND_Y;

   for (unsigned api = 0; api < API_COUNT; api++) {
      const struct result *result = &results[api];

      if (result->why_not)
         continue;
      draw_rectangle(out, bar_classes[api], MARGIN, y - SWATCH_SIZE + 1,
                     SWATCH_SIZE, SWATCH_SIZE);
      draw_text(out, "api", LEGEND_NAME_X, y, "%s", apis[api].name);
      draw_text(out, "note", LEGEND_NOTE_X, y, "%s, timed by %s%s",
                result->version, apis[api].timed_by,
                result->disjoint ? " (disjoint)" : "");
      y += LEGEND_STEP;
      renderer = result->renderer;
   }
   draw_text(out, "title", MARGIN, TITLE_Y, "Time elapsed in one draw");
   draw_text(out, "note", MARGIN, RENDERER_Y, "%s%s",
             has_simulator() ? "simulated: " : "", renderer);
}

/* Draws the grid, whose lines reach down to the bottom. The powers of ten
 * alone have their value written below.
 */
static void
draw_axis(FILE *out, const struct axis *axis, double bottom)
{
   double step_ns;

   for (double ns = axis->low_ns; ns <= axis->high_ns; ns += step_ns) {
      const double x = x_of(axis, ns);
      const struct time_unit unit = unit_for(ns);

      step_ns = power_of_ten_below(ns);
      draw_line(out, ns == step_ns ? "grid" : "fine", x, PLOT_TOP, x, bottom);
      if (ns == step_ns)
         draw_text(out, "tick", x, bottom + LABELS_DOWN, "%g %s",
                   ns / unit.ns, unit.typeset);
   }
   draw_text(out, "tick", (PLOT_LEFT + PLOT_RIGHT) / 2.0, bottom + TITLE_DOWN,
             "time elapsed, logarithmic scale");
   draw_text(out, "note", MARGIN, bottom + LABELS_DOWN, "bar: median of %d",
             SAMPLE_COUNT);
   draw_text(out, "note", MARGIN, bottom + TITLE_DOWN,
             "thin line: lowest to highest");
}

/* Draws a bar from y down, and its value in three digits at the right. */
static void
draw_bar(FILE *out, const struct axis *axis, const char *class,
         const struct sample *samples, double y)
{
   const double median_ns = (double)samples[MEDIAN].elapsed_ns;
   const struct time_unit unit = unit_for(median_ns);
   const double value = median_ns / unit.ns;
   const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
   const double middle = y + BAR_HEIGHT / 2.0;

   draw_rectangle(out, class, PLOT_LEFT, y, x_of(axis, median_ns) - PLOT_LEFT,
                  BAR_HEIGHT);
   draw_line(out, "range", x_of(axis, (double)samples[LOWEST].elapsed_ns),
             middle, x_of(axis, (double)samples[HIGHEST].elapsed_ns), middle);
   draw_text(out, "value", WIDTH - MARGIN, y + BAR_HEIGHT - 3, "%.*f %s",
             decimals, value, unit.typeset);
}

/* Draws the name and the bars of a scene, which has the same number in all
 * APIs that can draw it.
 */
static void
draw_row(FILE *out, const struct axis *axis, const struct result *results,
         unsigned row)
{
   const double middle = PLOT_TOP + (row + 0.5) * ROW_HEIGHT;
   const bool is_es = row < results[API_ES].scene_count;
   const bool is_gl = row < results[API_GL].scene_count;
   const struct scene *scene =
      &results[is_gl ? API_GL : API_ES].scenes[row].scene;

   draw_text(out, "name", PLOT_LEFT - 12, middle - 2, "%s", scene->name);
   draw_text(out, "about", PLOT_LEFT - 12, middle + 13, "%s", scene->about);

   double y = middle - (BAR_HEIGHT + (is_es && is_gl ? BAR_STEP : 0)) / 2.0;
   for (unsigned api = 0; api < API_COUNT; api++) {
      if (row < results[api].scene_count) {
         draw_bar(out, axis, bar_classes[api],
                  results[api].scenes[row].samples, y);
         y += BAR_STEP;
      }
   }
}

void
draw_chart(FILE *out, const struct result *results)
{
   const struct axis axis = fit_axis(results);
   unsigned row_count = results[API_ES].scene_count;

   if (row_count < results[API_GL].scene_count)
      row_count = results[API_GL].scene_count;

   const double bottom = PLOT_TOP + row_count * ROW_HEIGHT;
   const double height = bottom + BOTTOM_DOWN;

   fprintf(out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
           "height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
           "<style>\n%s</style>\n",
           WIDTH, height, WIDTH, height, style_sheet);
   draw_rectangle(out, "page", 0, 0, WIDTH, height);
   draw_title(out, results);
   draw_axis(out, &axis, bottom);
   for (unsigned row = 0; row < row_count; row++)
      draw_row(out, &axis, results, row);
   draw_line(out, "base", PLOT_LEFT, PLOT_TOP, PLOT_LEFT, bottom);
   fputs("</svg>\n", out);
}
