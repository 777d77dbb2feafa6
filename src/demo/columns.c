/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "columns.h"

#include <string.h>

static unsigned
drawn_scenes(const struct result *result)
{
   unsigned count = 0;
   for (unsigned i = 0; i < SCENE_COUNT; i++)
      count += result->scenes[i].drawn;
   return count;
}

/* A scene's name on two lines: its first word above, its last below. */
static void
print_scene_names(FILE *out, const struct result *result, bool below)
{
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      if (!result->scenes[i].drawn)
         continue;
      const char *name = scenes[i].name;
      const char *space = strchr(name, ' ');
      if (below)
         fprintf(out, "%*s", COLUMN_WIDTH, space ? space + 1 : name);
      else
         fprintf(out, "%*.*s", COLUMN_WIDTH, space ? (int)(space - name) : 0,
                 name);
   }
   fputc('\n', out);
}

void
columns_rule(FILE *out, int width)
{
   for (int i = 0; i < width; i++)
      fputc('-', out);
   fputc('\n', out);
}

void
columns_head(FILE *out, const struct result *result, int first_width,
             const char *label)
{
   fprintf(out, "%-*s", first_width, "");
   print_scene_names(out, result, false);
   fprintf(out, "%-*.*s", first_width, first_width, label);
   print_scene_names(out, result, true);
   columns_rule(out, first_width + COLUMN_WIDTH * (int)drawn_scenes(result));
}
