/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <math.h>

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

   /* A row for each scene that was drawn at all, with a bar for each API. */
   unsigned row_count;
   struct row {
      const struct scene *scene;
      const struct scene_result *bars[API_COUNT]; /* NULL: not drawn */
      int bar_count;
   } rows[SCENE_COUNT];

   /* The axis of time. Its ends are round values. */
   bool is_logarithmic;
   int64_t low_ns;
   int64_t high_ns;
   int64_t step_ns; /* between the ticks of a linear axis */
};

static const struct scene_result *
find_scene(const struct result *result, const struct scene *scene)
{
   for (unsigned i = 0; i < result->scene_count; i++) {
      if (result->scenes[i].scene == scene)
         return &result->scenes[i];
   }
   return NULL;
}

static void
find_rows(struct chart *chart)
{
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      struct row row = { .scene = &scenes[i] };

      for (unsigned api = 0; api < API_COUNT; api++) {
         row.bars[api] = find_scene(&chart->results[api], row.scene);
         row.bar_count += row.bars[api] != NULL;
      }
      if (row.bar_count)
         chart->rows[chart->row_count++] = row;
   }
}

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

/* The axis has room for the medians, and for the range above them. */
static void
find_axis(struct chart *chart)
{
   int64_t lowest_ns = INT64_MAX;
   int64_t highest_ns = 0;

   for (unsigned i = 0; i < chart->row_count; i++) {
      for (unsigned api = 0; api < API_COUNT; api++) {
         const struct scene_result *bar = chart->rows[i].bars[api];

         if (bar && bar->elapsed.median_ns < lowest_ns)
            lowest_ns = bar->elapsed.median_ns;
         if (bar && bar->elapsed.highest_ns > highest_ns)
            highest_ns = bar->elapsed.highest_ns;
      }
   }
   scale_axis(chart, lowest_ns, highest_ns);
}

/* A time outside the axis is put at the nearer end. */
static double
plot_x(const struct chart *chart, int64_t time_ns)
{
   const double ns = clamp(time_ns, chart->low_ns, chart->high_ns);
   const double fraction = chart->is_logarithmic
                              ? log(ns / chart->low_ns) /
                                   log((double)chart->high_ns / chart->low_ns)
                              : ns / chart->high_ns;

   return PLOT_LEFT + fraction * (PLOT_RIGHT - PLOT_LEFT);
}

static int
plot_bottom(const struct chart *chart)
{
   return PLOT_TOP + (int)chart->row_count * ROW_HEIGHT;
}

/* Drivers name themselves as they like; XML gives two characters a meaning of
 * their own.
 */
static void
draw_text(const struct chart *chart, const char *class, double x, double y,
          const char *text)
{
   fprintf(chart->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x,
           y);
   for (; *text; text++) {
      if (*text == '<')
         fputs("&lt;", chart->out);
      else if (*text == '&')
         fputs("&amp;", chart->out);
      else
         fputc(*text, chart->out);
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
   const char *renderer = NULL;
   char text[512];
   int y = LEGEND_Y;

   for (unsigned api = 0; api < API_COUNT; api++) {
      const struct result *result = &chart->results[api];

      if (result->why_not)
         continue;
      draw_rectangle(chart, bar_classes[api], MARGIN, y - SWATCH_SIZE + 1,
                     SWATCH_SIZE, SWATCH_SIZE);
      draw_text(chart, "api", LEGEND_NAME_X, y, api_name(api));
      snprintf(text, sizeof(text), "%s, timed by %s%s", result->version,
               result->extension, result->disjoint ? " (disjoint)" : "");
      draw_text(chart, "note", LEGEND_NOTE_X, y, text);
      y += LEGEND_STEP;
      renderer = result->renderer;
   }
   draw_text(chart, "title", MARGIN, TITLE_Y, "Time elapsed in one draw");
   draw_text(chart, "note", MARGIN, RENDERER_Y, renderer);
}

/* Draws a line of the grid at a tick. On a logarithmic axis, the powers of
 * ten alone have their value written below.
 */
static void
draw_tick(const struct chart *chart, int64_t tick_ns)
{
   const struct time_unit unit = unit_for(tick_ns);
   const double x = plot_x(chart, tick_ns);
   const int bottom = plot_bottom(chart);
   const bool is_labelled =
      !chart->is_logarithmic || tick_ns == power_of_ten_below(tick_ns);
   char text[32];

   draw_line(chart, is_labelled ? "grid" : "fine", x, PLOT_TOP, x, bottom);
   if (is_labelled) {
      snprintf(text, sizeof(text), "%g %s", (double)tick_ns / unit.ns,
               unit.typeset);
      draw_text(chart, "tick", x, bottom + LABELS_DOWN, text);
   }
}

static void
draw_axis(const struct chart *chart)
{
   const int bottom = plot_bottom(chart);
   char text[32];

   for (int64_t tick_ns = chart->low_ns; tick_ns <= chart->high_ns;
        tick_ns +=
        chart->is_logarithmic ? power_of_ten_below(tick_ns) : chart->step_ns)
      draw_tick(chart, tick_ns);
   draw_text(chart, "tick", (PLOT_LEFT + PLOT_RIGHT) / 2.0,
             bottom + TITLE_DOWN,
             chart->is_logarithmic ? "time elapsed, logarithmic scale"
                                   : "time elapsed");
   snprintf(text, sizeof(text), "bar: median of %d", SAMPLE_COUNT);
   draw_text(chart, "note", MARGIN, bottom + LABELS_DOWN, text);
   draw_text(chart, "note", MARGIN, bottom + TITLE_DOWN,
             "thin line: lowest to highest");
}

/* The value has three digits, in a column at the right edge. */
static void
draw_bar(const struct chart *chart, const char *class,
         const struct spread *elapsed, double y)
{
   const struct time_unit unit = unit_for(elapsed->median_ns);
   const double value = (double)elapsed->median_ns / unit.ns;
   const double middle = y + BAR_HEIGHT / 2.0;
   char text[32];

   draw_rectangle(chart, class, PLOT_LEFT, y,
                  plot_x(chart, elapsed->median_ns) - PLOT_LEFT, BAR_HEIGHT);
   draw_line(chart, "range", plot_x(chart, elapsed->lowest_ns), middle,
             plot_x(chart, elapsed->highest_ns), middle);
   snprintf(text, sizeof(text), "%.*f %s",
            value < 10    ? 2
            : value < 100 ? 1
                          : 0,
            value, unit.typeset);
   draw_text(chart, "value", WIDTH - MARGIN, y + BAR_HEIGHT - 3, text);
}

static void
draw_row(const struct chart *chart, unsigned index)
{
   const struct row *row = &chart->rows[index];
   const double middle = PLOT_TOP + (index + 0.5) * ROW_HEIGHT;
   const int bars_height = (row->bar_count - 1) * BAR_STEP + BAR_HEIGHT;
   double y = middle - bars_height / 2.0;

   draw_text(chart, "name", PLOT_LEFT - 12, middle - 2, row->scene->name);
   draw_text(chart, "about", PLOT_LEFT - 12, middle + 13, row->scene->about);
   for (unsigned api = 0; api < API_COUNT; api++) {
      if (!row->bars[api])
         continue;
      draw_bar(chart, bar_classes[api], &row->bars[api]->elapsed, y);
      y += BAR_STEP;
   }
}

bool
chart_write(FILE *out, const struct result results[API_COUNT])
{
   struct chart chart = { .out = out, .results = results };
   find_rows(&chart);
   find_axis(&chart);

   const int height = plot_bottom(&chart) + BOTTOM_DOWN;
   fprintf(out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
           "height=\"%d\" viewBox=\"0 0 %d %d\">\n"
           "<style>\n%s</style>\n",
           WIDTH, height, WIDTH, height, style_sheet);
   draw_rectangle(&chart, "page", 0, 0, WIDTH, height);
   draw_title(&chart);
   draw_axis(&chart);
   for (unsigned i = 0; i < chart.row_count; i++)
      draw_row(&chart, i);
   draw_line(&chart, "base", PLOT_LEFT, PLOT_TOP, PLOT_LEFT,
             plot_bottom(&chart));
   fputs("</svg>\n", out);
   return !ferror(out);
}
