/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Draws the times as a bar chart, in SVG.
 * Invariant: a row is one scene, with a bar for each API that can draw it.
 * Danger: names of drivers may contain markup: print text with draw_text().
 */

#include "demo.h"

#include <math.h>
#include <stdarg.h>

/* In pixels, x to the right, y down */
enum {
   WIDTH = 960,
   MARGIN = 32,
   PLOT_LEFT = 272,  /* bars start here; names of scenes are to the left */
   PLOT_RIGHT = 856, /* the longest bar ends here; values are to the right */
   PLOT_TOP = 146,
   ROW_HEIGHT = 46,
   BAR_STEP = 17, /* from one bar of a scene to the next */
};

/* The limits of the axis: one nonsensical result must not squeeze all others
 * into a few pixels.
 */
#define AXIS_MIN_NS 10
#define AXIS_MAX_NS 100000000000

/* The colors of bars differ in lightness, too, for the color-blind and for
 * print in black and white.
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
   ".grid { stroke: #d0d7de }\n"
   ".fine { stroke: #eff2f5 }\n"
   ".base { stroke: #57606a }\n"
   ".range { stroke: #24292f; stroke-opacity: 0.6 }\n"
   ".es { stroke: #f0a43a; stroke-width: 15 }\n"
   ".gl { stroke: #2a6f97; stroke-width: 15 }\n";

static const char *const bar_classes[API_COUNT] = {
   [API_ES] = "es",
   [API_GL] = "gl",
};

/* A logarithmic axis from 10^low to 10^high ns */
struct axis {
   int low, high;
};

/* Fits the medians, and the highest times above them. */
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
   return (struct axis){
      /* Half of the shortest time, so that its bar is visible. */
      .low = (int)floor(log10(fmax(low_ns, AXIS_MIN_NS) / 2)),
      .high = (int)floor(log10(fmin(high_ns, AXIS_MAX_NS))) + 1,
   };
}

/* Clamps times to the axis. */
static double
x_of(const struct axis *axis, double time_ns)
{
   const double power = log10(fmax(time_ns, 1));
   const double share = (power - axis->low) / (axis->high - axis->low);

   return PLOT_LEFT + fmax(fmin(share, 1), 0) * (PLOT_RIGHT - PLOT_LEFT);
}

/* Escapes the two characters that are special in XML text. */
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
draw_title(FILE *out, const struct result *results)
{
   const char *renderer = "";
   double y = 104;

   for (unsigned api = 0; api < API_COUNT; api++) {
      const struct result *result = &results[api];

      if (result->why_not)
         continue;
      draw_line(out, bar_classes[api], MARGIN, y - 5, MARGIN + 15, y - 5);
      draw_text(out, "api", 52, y, "%s", apis[api].name);
      draw_text(out, "note", 148, y, "%s, timed by %s%s", result->version,
                apis[api].timed_by, result->disjoint ? " (disjoint)" : "");
      y += 21;
      renderer = result->renderer;
   }
   draw_text(out, "title", MARGIN, 48, "Time elapsed in one draw");
   draw_text(out, "note", MARGIN, 71, "%s", renderer);
}

/* Draws the grid.  Only powers of ten are labeled. */
static void
draw_axis(FILE *out, const struct axis *axis, double bottom)
{
   for (int power = axis->low; power <= axis->high; power++) {
      const double ns = pow(10, power);
      const struct time_unit unit = unit_for(ns);

      for (unsigned i = 2; i < 10 && power < axis->high; i++)
         draw_line(out, "fine", x_of(axis, i * ns), PLOT_TOP,
                   x_of(axis, i * ns), bottom);
      draw_line(out, "grid", x_of(axis, ns), PLOT_TOP, x_of(axis, ns),
                bottom);
      draw_text(out, "tick", x_of(axis, ns), bottom + 20, "%g %s",
                ns / unit.ns, unit.name);
   }
   draw_text(out, "tick", (PLOT_LEFT + PLOT_RIGHT) / 2.0, bottom + 46,
             "time elapsed, logarithmic scale");
   draw_text(out, "note", MARGIN, bottom + 20, "bar: median of %d",
             SAMPLE_COUNT);
   draw_text(out, "note", MARGIN, bottom + 46,
             "thin line: lowest to highest");
}

static void
draw_bar(FILE *out, const struct axis *axis, const char *class,
         const struct sample *samples, double middle)
{
   const double median_ns = (double)samples[MEDIAN].elapsed_ns;
   const struct time_unit unit = unit_for(median_ns);
   const double value = median_ns / unit.ns;
   const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;

   draw_line(out, class, PLOT_LEFT, middle, x_of(axis, median_ns), middle);
   draw_line(out, "range", x_of(axis, (double)samples[LOWEST].elapsed_ns),
             middle, x_of(axis, (double)samples[HIGHEST].elapsed_ns), middle);
   draw_text(out, "value", WIDTH - MARGIN, middle + 5, "%.*f %s", decimals,
             value, unit.name);
}

/* A scene has the same index in all APIs that can draw it (scene_load()). */
static void
draw_row(FILE *out, const struct axis *axis, const struct result *results,
         unsigned row)
{
   const double middle = PLOT_TOP + (row + 0.5) * ROW_HEIGHT;
   const bool is_es = row < results[API_ES].scene_count;
   const bool is_gl = row < results[API_GL].scene_count;
   const struct scene *scene = &results[is_gl ? API_GL : API_ES].scenes[row];

   draw_text(out, "name", PLOT_LEFT - 12, middle - 2, "%s", scene->name);
   draw_text(out, "about", PLOT_LEFT - 12, middle + 13, "%s", scene->about);

   double y = is_es && is_gl ? middle - BAR_STEP / 2.0 : middle;
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

   const int bottom = PLOT_TOP + (int)row_count * ROW_HEIGHT;

   fprintf(out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
           "height=\"%d\" viewBox=\"0 0 %d %d\">\n"
           "<style>\n%s</style>\n"
           "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
           WIDTH, bottom + 70, WIDTH, bottom + 70, style_sheet);
   draw_title(out, results);
   draw_axis(out, &axis, bottom);
   for (unsigned row = 0; row < row_count; row++)
      draw_row(out, &axis, results, row);
   draw_line(out, "base", PLOT_LEFT, PLOT_TOP, PLOT_LEFT, bottom);
   fputs("</svg>\n", out);
}
