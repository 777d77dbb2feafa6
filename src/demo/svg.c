/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "svg.h"

void
svg_start(FILE *out, int width, int height, const char *style_sheet)
{
   fprintf(out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
           "height=\"%d\" viewBox=\"0 0 %d %d\">\n"
           "<style>\n%s</style>\n",
           width, height, width, height, style_sheet);
}

void
svg_end(FILE *out)
{
   fputs("</svg>\n", out);
}

/* Drivers name themselves as they like; XML gives two characters a meaning
 * of their own.
 */
static void
put_escaped(FILE *out, const char *text)
{
   for (; *text; text++) {
      if (*text == '<')
         fputs("&lt;", out);
      else if (*text == '&')
         fputs("&amp;", out);
      else
         fputc(*text, out);
   }
}

void
svg_text(FILE *out, const char *class, double x, double y, const char *text)
{
   fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
   put_escaped(out, text);
   fputs("</text>\n", out);
}

void
svg_line(FILE *out, const char *class, double x1, double y1, double x2,
         double y2)
{
   fprintf(out,
           "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
           "y2=\"%.1f\"/>\n",
           class, x1, y1, x2, y2);
}

void
svg_rectangle(FILE *out, const char *class, double x, double y, double width,
              double height)
{
   fprintf(out,
           "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
           "height=\"%.1f\"/>\n",
           class, x, y, width, height);
}
