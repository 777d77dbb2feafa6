/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "chart.h"

#include "axis.h"
#include "svg.h"
#include "units.h"

/* The layout, in pixels. */
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
   PLOT_LEFT = 272, /* where bars start; their scenes' names are left of it */
   PLOT_RIGHT = 856, /* where they end at the most; the values are right */
   PLOT_TOP = 146,
   ROW_HEIGHT = 46,
   BAR_HEIGHT = 15,
   BAR_STEP = 17,    /* from one bar of a scene to the next */
   LABELS_DOWN = 20, /* from the end of the plot to the ticks' values, ... */
   TITLE_DOWN = 46,  /* ... to the axis' title ... */
   BOTTOM_DOWN = 70, /* ... and to the end of the picture */
};

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
   struct axis axis;
   unsigned rows[SCENE_COUNT]; /* the scenes that were drawn at all */
   unsigned row_count;
};

static bool
has_bar(const struct chart *chart, enum api api, unsigned scene)
{
   return chart->results[api].measured &&
          chart->results[api].scenes[scene].drawn;
}

static unsigned
bar_count(const struct chart *chart, unsigned scene)
{
   unsigned count = 0;
   for (unsigned api = 0; api < API_COUNT; api++)
      count += has_bar(chart, api, scene);
   return count;
}

static void
find_rows(struct chart *chart)
{
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      if (bar_count(chart, i) > 0)
         chart->rows[chart->row_count++] = i;
   }
}

/* The axis has room for the medians, and for whatever range is around them.
 */
static void
find_axis(struct chart *chart)
{
   int64_t lowest_ns = INT64_MAX;
   int64_t highest_ns = 0;

   for (unsigned row = 0; row < chart->row_count; row++) {
      for (unsigned api = 0; api < API_COUNT; api++) {
         if (!has_bar(chart, api, chart->rows[row]))
            continue;
         const struct spread elapsed =
            result_elapsed(&chart->results[api].scenes[chart->rows[row]]);
         if (elapsed.median_ns < lowest_ns)
            lowest_ns = elapsed.median_ns;
         if (elapsed.highest_ns > highest_ns)
            highest_ns = elapsed.highest_ns;
      }
   }
   chart->axis = axis_for(lowest_ns, highest_ns);
}

static double
plot_x(const struct chart *chart, int64_t time_ns)
{
   return PLOT_LEFT +
          axis_place(&chart->axis, time_ns) * (PLOT_RIGHT - PLOT_LEFT);
}

static int
plot_bottom(const struct chart *chart)
{
   return PLOT_TOP + (int)chart->row_count * ROW_HEIGHT;
}

/* One line of the legend: what the bars of an API stand for. */
static void
draw_legend(const struct chart *chart, enum api api, int y)
{
   const struct result *result = &chart->results[api];
   char text[512];

   svg_rectangle(chart->out, bar_classes[api], MARGIN, y - SWATCH_SIZE + 1,
                 SWATCH_SIZE, SWATCH_SIZE);
   svg_text(chart->out, "api", LEGEND_NAME_X, y, api_name(api));
   snprintf(text, sizeof(text), "%s, timed by %s%s", result->version,
            result->extension, result->disjoint ? " (disjoint)" : "");
   svg_text(chart->out, "note", LEGEND_NOTE_X, y, text);
}

static void
draw_title(const struct chart *chart)
{
   const char *renderer = NULL;
   int y = LEGEND_Y;

   for (unsigned api = 0; api < API_COUNT; api++) {
      if (!chart->results[api].measured)
         continue;
      draw_legend(chart, api, y);
      y += LEGEND_STEP;
      renderer = chart->results[api].renderer;
   }
   svg_text(chart->out, "title", MARGIN, TITLE_Y, "Time elapsed in one draw");
   svg_text(chart->out, "note", MARGIN, RENDERER_Y, renderer);
}

static void
draw_axis(const struct chart *chart)
{
   const struct axis *axis = &chart->axis;
   const int bottom = plot_bottom(chart);
   char text[32];

   for (int64_t tick_ns = axis->low_ns; tick_ns <= axis->high_ns;
        tick_ns = axis_next(axis, tick_ns)) {
      const double x = plot_x(chart, tick_ns);
      const bool labelled = axis_is_labelled(axis, tick_ns);
      const struct time_unit *unit = unit_for(tick_ns);

      svg_line(chart->out, labelled ? "grid" : "fine", x, PLOT_TOP, x,
               bottom);
      if (!labelled)
         continue;
      snprintf(text, sizeof(text), "%g %s", (double)tick_ns / unit->ns,
               unit->typeset);
      svg_text(chart->out, "tick", x, bottom + LABELS_DOWN, text);
   }
   svg_text(chart->out, "tick", (PLOT_LEFT + PLOT_RIGHT) / 2.0,
            bottom + TITLE_DOWN,
            axis->logarithmic ? "time elapsed, logarithmic scale"
                              : "time elapsed");
   snprintf(text, sizeof(text), "bar: median of %d", SAMPLE_COUNT);
   svg_text(chart->out, "note", MARGIN, bottom + LABELS_DOWN, text);
   svg_text(chart->out, "note", MARGIN, bottom + TITLE_DOWN,
            "thin line: lowest to highest");
}

/* Three digits, in a column at the right edge. */
static void
draw_value(const struct chart *chart, int64_t time_ns, double y)
{
   const struct time_unit *unit = unit_for(time_ns);
   const double value = (double)time_ns / unit->ns;
   const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
   char text[32];

   snprintf(text, sizeof(text), "%.*f %s", decimals, value, unit->typeset);
   svg_text(chart->out, "value", WIDTH - MARGIN, y, text);
}

static void
draw_bar(const struct chart *chart, enum api api, unsigned scene, double y)
{
   const struct spread elapsed =
      result_elapsed(&chart->results[api].scenes[scene]);
   const double middle = y + BAR_HEIGHT / 2.0;

   svg_rectangle(chart->out, bar_classes[api], PLOT_LEFT, y,
                 plot_x(chart, elapsed.median_ns) - PLOT_LEFT, BAR_HEIGHT);
   svg_line(chart->out, "range", plot_x(chart, elapsed.lowest_ns), middle,
            plot_x(chart, elapsed.highest_ns), middle);
   draw_value(chart, elapsed.median_ns, y + BAR_HEIGHT - 3);
}

static void
draw_row(const struct chart *chart, unsigned row)
{
   const unsigned scene = chart->rows[row];
   const double middle = PLOT_TOP + (row + 0.5) * ROW_HEIGHT;
   const int bars_height =
      ((int)bar_count(chart, scene) - 1) * BAR_STEP + BAR_HEIGHT;
   double y = middle - bars_height / 2.0;

   svg_text(chart->out, "name", PLOT_LEFT - 12, middle - 2,
            scenes[scene].name);
   svg_text(chart->out, "about", PLOT_LEFT - 12, middle + 13,
            scenes[scene].about);
   for (unsigned api = 0; api < API_COUNT; api++) {
      if (!has_bar(chart, api, scene))
         continue;
      draw_bar(chart, api, scene, y);
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
   svg_start(out, WIDTH, height, style_sheet);
   svg_rectangle(out, "page", 0, 0, WIDTH, height);
   draw_title(&chart);
   draw_axis(&chart);
   for (unsigned row = 0; row < chart.row_count; row++)
      draw_row(&chart, row);
   svg_line(out, "base", PLOT_LEFT, PLOT_TOP, PLOT_LEFT, plot_bottom(&chart));
   svg_end(out);
   return !ferror(out);
}
