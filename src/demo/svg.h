/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_SVG_H
#define PITOT_DEMO_SVG_H

#include <stdio.h>

/* The few elements of SVG that the chart is made of. Places and sizes are in
 * pixels, x to the right and y down; how an element looks is up to its class
 * in the style sheet.
 */

void
svg_start(FILE *out, int width, int height, const char *style_sheet);

void
svg_end(FILE *out);

void
svg_text(FILE *out, const char *class, double x, double y, const char *text);

void
svg_line(FILE *out, const char *class, double x1, double y1, double x2,
         double y2);

void
svg_rectangle(FILE *out, const char *class, double x, double y, double width,
              double height);

#endif
