/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The flame chart: how the time of all frames is divided among groups, passes
 * and calls.
 */

#include "svg.h"

/* A bar narrower than this, in pixels, is left out with all above it. */
#define MIN_WIDTH 0.5

/* Draws a node from x on, and its children in it, one line further down. */
static void
draw_node(const struct pitot_svg *svg, const struct pitot_tree *tree,
          size_t i, double x)
{
   const struct pitot_node *node = &tree->nodes[i];
   const double width = (double)node->total_ns *
                        (PITOT_SVG_RIGHT - PITOT_SVG_MARGIN) /
                        (double)tree->nodes[0].total_ns;
   const struct pitot_svg_bar bar = {
      .category = node->category,
      .name = i == 0 ? "all frames" : node->name,
      .x1 = x,
      .x2 = x + width,
      .y = svg->y + node->depth * PITOT_SVG_STEP,
      .time_ns = node->total_ns,
   };

   if (width < MIN_WIDTH)
      return;
   pitot_svg_bar(svg, &bar);
   for (size_t k = node->first_child; k != PITOT_REPORT_NONE;
        k = tree->nodes[k].next) {
      draw_node(svg, tree, k, x);
      x += (double)tree->nodes[k].total_ns *
           (PITOT_SVG_RIGHT - PITOT_SVG_MARGIN) /
           (double)tree->nodes[0].total_ns;
   }
}

void
pitot_svg_flames(struct pitot_svg *svg, const struct pitot_tree *tree)
{
   char time[PITOT_TIME_TEXT_B];

   svg->whole_ns = tree->nodes[0].total_ns;
   if (svg->whole_ns > 0) {
      pitot_svg_text(svg, "head", PITOT_SVG_MARGIN, svg->y + 16,
                     "The GPU's work in all frames, %s",
                     pitot_time_text(time, svg->whole_ns));
      svg->y += 30;
      draw_node(svg, tree, 0, PITOT_SVG_MARGIN);
      svg->y += tree->depth * PITOT_SVG_STEP;
   }
   svg->y += 24;
}
