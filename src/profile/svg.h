/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A picture of slices.
 */

#ifndef PITOT_SVG_H
#define PITOT_SVG_H

#include "sum.h"

/* The layout, in pixels: x to the right, y down. */
enum {
   PITOT_SVG_WIDTH = 1200,
   PITOT_SVG_MARGIN = 32,
   PITOT_SVG_LEFT = 168, /* from where bars are; their names are left */
   PITOT_SVG_RIGHT = 1168,
   PITOT_SVG_BAR = 20, /* the height of a bar */
   PITOT_SVG_STEP = 21,
};

struct pitot_svg {
   FILE *out;
   double y;                  /* of what is drawn next */
   uint64_t begin_ns, end_ns; /* of the axis */
   uint64_t whole_ns;         /* 100 % of shares */
};

/* Draws the first characters of a name of UTF-8. */
void
pitot_svg_name(const struct pitot_svg *svg, const char *class, double x,
               double y, const char *name, size_t characters);

/* Draws a line of up to 255 characters. */
void
pitot_svg_text(const struct pitot_svg *svg, const char *class, double x,
               double y, const char *format, ...)
   __attribute__((format(printf, 5, 6)));

void
pitot_svg_line(const struct pitot_svg *svg, const char *class, double x1,
               double y1, double x2, double y2);

/* Returns where a time is on the axis. */
double
pitot_svg_x(const struct pitot_svg *svg, uint64_t time_ns);

/* Draws a bar with its name, if that fits, and with a tooltip. */
void
pitot_svg_bar(const struct pitot_svg *svg,
              enum pitot_report_category category, const char *name,
              uint64_t time_ns, double x1, double x2, double y);

/* Draws the ticks of the axis from top down to the next thing. */
void
pitot_svg_axis(struct pitot_svg *svg, double top);

/* Draws the timeline of a frame of a trace; NULL: of all there is.  Returns 0
 * or a negative errno value.
 */
int
pitot_svg_timeline(struct pitot_svg *svg, const char *trace_path,
                   const struct pitot_summary *summary,
                   const struct pitot_frame *frame);

#endif /* PITOT_SVG_H */
