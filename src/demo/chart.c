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

/* From this ratio of longest to shortest time on, the short bars of a linear
 * chart can't be told apart any more.
 */
#define LOGARITHMIC_RATIO 20

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

struct chart {
   FILE *out;
   const struct result *results;
   unsigned row_count; /* a scene has a row, with a bar for each API */
   double bottom;      /* of the rows */

   /* The axis of time. Its ends are round values. */
   bool is_logarithmic;
   int64_t low_ns;
   int64_t high_ns;
   int64_t step_ns; /* between the ticks of a linear axis */
};

static int64_t
clamp(int64_t time_ns, int64_t low_ns, int64_t high_ns)
{
   if (time_ns < low_ns)
      return low_ns;
   return time_ns > high_ns ? high_ns : time_ns;
}

static int64_t
power_of_ten_below(int64_t time_ns)
{
   int64_t power_ns = 1;
   while (power_ns <= time_ns / 10)
      power_ns *= 10;
   return power_ns;
}

/* Gives the axis room for times from lowest_ns to highest_ns. */
static void
scale_axis(struct chart *chart, int64_t lowest_ns, int64_t highest_ns)
{
   int64_t round_ns;

   lowest_ns = clamp(lowest_ns, AXIS_MIN_NS, AXIS_MAX_NS);
   highest_ns = clamp(highest_ns, lowest_ns, AXIS_MAX_NS);
   chart->is_logarithmic = highest_ns / lowest_ns >= LOGARITHMIC_RATIO;
   if (chart->is_logarithmic) {
      /* Half of the shortest time, so that its bar has some length. */
      chart->low_ns = power_of_ten_below(lowest_ns / 2);
      round_ns = power_of_ten_below(highest_ns);
   } else {
      /* Some five to ten ticks. */
      round_ns = power_of_ten_below(highest_ns / 5);
      while (highest_ns / round_ns >= 10)
         round_ns *= 2;
      chart->step_ns = round_ns;
   }
   chart->high_ns = (highest_ns / round_ns + 1) * round_ns;
}

/* Finds out how many rows there are, and an axis that has room for the
 * medians and for the range above them.
 */
static void
fit(struct chart *chart)
{
   int64_t lowest_ns = INT64_MAX;
   int64_t highest_ns = 0;

   for (unsigned api = 0; api < API_COUNT; api++) {
      const struct result *result = &chart->results[api];

      if (result->scene_count > chart->row_count)
         chart->row_count = result->scene_count;
      for (unsigned i = 0; i < result->scene_count; i++) {
         const struct scene_result *scene = &result->scenes[i];

         if (scene->elapsed_median_ns < lowest_ns)
            lowest_ns = scene->elapsed_median_ns;
         if (scene->elapsed_highest_ns > highest_ns)
            highest_ns = scene->elapsed_highest_ns;
      }
   }
   chart->bottom = PLOT_TOP + chart->row_count * ROW_HEIGHT;
   scale_axis(chart, lowest_ns, highest_ns);
}

/* A time outside the axis is put at the nearer end. */
static double
plot_x(const struct chart *chart, int64_t time_ns)
{
   const double ns = clamp(time_ns, chart->low_ns, chart->high_ns);
   double fraction = ns / chart->high_ns;

   if (chart->is_logarithmic)
      fraction = log(ns / chart->low_ns) /
                 log((double)chart->high_ns / chart->low_ns);
   return PLOT_LEFT + fraction * (PLOT_RIGHT - PLOT_LEFT);
}

/* Drivers name themselves as they like; XML gives two characters a meaning of
 * their own.
 */
static void __attribute__((format(printf, 5, 6)))
draw_text(const struct chart *chart, const char *class, double x, double y,
          const char *format, ...)
{
   char text[512];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   fprintf(chart->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x,
           y);
   for (const char *c = text; *c; c++) {
      if (*c == '<')
         fputs("&lt;", chart->out);
      else if (*c == '&')
         fputs("&amp;", chart->out);
      else
         fputc(*c, chart->out);
   }
   fputs("</text>\n", chart->out);
}

static void
draw_line(const struct chart *chart, const char *class, double x1, double y1,
          double x2, double y2)
{
   fprintf(chart->out,
           "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
           "y2=\"%.1f\"/>\n",
           class, x1, y1, x2, y2);
}

static void
draw_rectangle(const struct chart *chart, const char *class, double x,
               double y, double width, double height)
{
   fprintf(chart->out,
           "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
           "height=\"%.1f\"/>\n",
           class, x, y, width, height);
}

/* Draws the title, and a line of the legend for the bars of each API. */
static void
draw_title(const struct chart *chart)
{
   const char *renderer = "";
   double y = LEGEND_Y;

   for (unsigned api = 0; api < API_COUNT; api++) {
      const struct result *result = &chart->results[api];

      if (result->why_not)
         continue;
      draw_rectangle(chart, bar_classes[api], MARGIN, y - SWATCH_SIZE + 1,
                     SWATCH_SIZE, SWATCH_SIZE);
      draw_text(chart, "api", LEGEND_NAME_X, y, "%s", api_names[api]);
      draw_text(chart, "note", LEGEND_NOTE_X, y, "%s, timed by %s%s",
                result->version, result->extension,
                result->disjoint ? " (disjoint)" : "");
      y += LEGEND_STEP;
      renderer = result->renderer;
   }
   draw_text(chart, "title", MARGIN, TITLE_Y, "Time elapsed in one draw");
   draw_text(chart, "note", MARGIN, RENDERER_Y, "%s", renderer);
}

/* Draws a line of the grid at a tick. On a logarithmic axis, the powers of
 * ten alone have their value written below.
 */
static void
draw_tick(const struct chart *chart, int64_t tick_ns)
{
   const struct time_unit unit = unit_for(tick_ns);
   const double x = plot_x(chart, tick_ns);
   const bool is_labelled =
      !chart->is_logarithmic || tick_ns == power_of_ten_below(tick_ns);

   draw_line(chart, is_labelled ? "grid" : "fine", x, PLOT_TOP, x,
             chart->bottom);
   if (is_labelled) {
      draw_text(chart, "tick", x, chart->bottom + LABELS_DOWN, "%g %s",
                (double)tick_ns / unit.ns, unit.typeset);
   }
}

static void
draw_axis(const struct chart *chart)
{
   int64_t tick_ns = chart->low_ns;

   while (tick_ns <= chart->high_ns) {
      draw_tick(chart, tick_ns);
      tick_ns +=
         chart->is_logarithmic ? power_of_ten_below(tick_ns) : chart->step_ns;
   }
   draw_text(chart, "tick", (PLOT_LEFT + PLOT_RIGHT) / 2.0,
             chart->bottom + TITLE_DOWN, "time elapsed%s",
             chart->is_logarithmic ? ", logarithmic scale" : "");
   draw_text(chart, "note", MARGIN, chart->bottom + LABELS_DOWN,
             "bar: median of %d", SAMPLE_COUNT);
   draw_text(chart, "note", MARGIN, chart->bottom + TITLE_DOWN,
             "thin line: lowest to highest");
}

/* Draws the bar of a scene, and its value in three digits at the right. */
static void
draw_bar(const struct chart *chart, const char *class,
         const struct scene_result *scene, double y)
{
   const struct time_unit unit = unit_for(scene->elapsed_median_ns);
   const double value = (double)scene->elapsed_median_ns / unit.ns;
   const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
   const double middle = y + BAR_HEIGHT / 2.0;

   draw_rectangle(chart, class, PLOT_LEFT, y,
                  plot_x(chart, scene->elapsed_median_ns) - PLOT_LEFT,
                  BAR_HEIGHT);
   draw_line(chart, "range", plot_x(chart, scene->elapsed_lowest_ns), middle,
             plot_x(chart, scene->elapsed_highest_ns), middle);
   draw_text(chart, "value", WIDTH - MARGIN, y + BAR_HEIGHT - 3, "%.*f %s",
             decimals, value, unit.typeset);
}

/* A scene has the same number in all APIs that can draw it. */
static void
draw_row(const struct chart *chart, unsigned row)
{
   const double middle = PLOT_TOP + (row + 0.5) * ROW_HEIGHT;
   const struct scene *scene = NULL;
   int bars_height = BAR_HEIGHT - BAR_STEP;

   for (unsigned api = 0; api < API_COUNT; api++) {
      if (row < chart->results[api].scene_count) {
         scene = &chart->results[api].scenes[row].scene;
         bars_height += BAR_STEP;
      }
   }
   draw_text(chart, "name", PLOT_LEFT - 12, middle - 2, "%s", scene->name);
   draw_text(chart, "about", PLOT_LEFT - 12, middle + 13, "%s", scene->about);

   double y = middle - bars_height / 2.0;
   for (unsigned api = 0; api < API_COUNT; api++) {
      if (row < chart->results[api].scene_count) {
         draw_bar(chart, bar_classes[api], &chart->results[api].scenes[row],
                  y);
         y += BAR_STEP;
      }
   }
}

bool
chart_write(FILE *out, const struct result *results)
{
   struct chart chart = { .out = out, .results = results };
   fit(&chart);

   const double height = chart.bottom + BOTTOM_DOWN;
   fprintf(out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
           "height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
           "<style>\n%s</style>\n",
           WIDTH, height, WIDTH, height, style_sheet);
   draw_rectangle(&chart, "page", 0, 0, WIDTH, height);
   draw_title(&chart);
   draw_axis(&chart);
   for (unsigned row = 0; row < chart.row_count; row++)
      draw_row(&chart, row);
   draw_line(&chart, "base", PLOT_LEFT, PLOT_TOP, PLOT_LEFT, chart.bottom);
   fputs("</svg>\n", out);
   return !ferror(out);
}
