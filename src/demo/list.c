/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "list.h"

#include <string.h>

#include "columns.h"
#include "fail.h"
#include "perf_json.h"
#include "put.h"

/* Widths of the columns that differ from driver to driver. */
struct widths {
   int name;
   int unit;
   int type;
   int about;
};

static void
load_context(struct list *list)
{
   const char *why;

   if (!perf_sets_load(&list->sets, &why))
      fail("no counter sets: %s", why);
   snprintf(list->renderer, sizeof(list->renderer), "%s",
            (const char *)glGetString(GL_RENDERER));
   snprintf(list->version, sizeof(list->version), "%s",
            (const char *)glGetString(GL_VERSION));
}

void
list_load(struct list *list)
{
   struct context ctx;
   const char *why_no_gl, *why_no_es;

   if (!context_open(&ctx, API_GL, &why_no_gl) &&
       !context_open(&ctx, API_ES, &why_no_es))
      fail("no counter sets: no OpenGL (%s) and no OpenGL ES (%s)", why_no_gl,
           why_no_es);
   load_context(list);
   context_close(&ctx);
}

void
list_free(struct list *list)
{
   perf_sets_free(&list->sets);
}

static void
widen(int *width, const char *text)
{
   const int length = (int)strlen(text);
   if (*width < length)
      *width = length;
}

static struct widths
find_widths(const struct perf_sets *sets)
{
   struct widths widths = { 0 };

   for (unsigned i = 0; i < sets->count; i++) {
      const struct perf_set *set = &sets->sets[i];
      for (unsigned k = 0; k < set->counter_count; k++) {
         widen(&widths.name, set->counters[k].name);
         widen(&widths.unit, set->counters[k].unit);
         widen(&widths.type, perf_type_name(&set->counters[k]));
         widen(&widths.about, set->counters[k].about);
      }
   }
   widen(&widths.name, "counter");
   widen(&widths.unit, "unit");
   widen(&widths.type, "type");
   return widths;
}

static void
print_counter(FILE *out, const struct perf_counter *counter,
              const struct widths *widths)
{
   fprintf(out, "  %-*s  %-*s  %-*s  %-7s %6u %5u  %s\n", widths->name,
           counter->name, widths->unit, counter->unit, widths->type,
           perf_type_name(counter), perf_data_name(counter),
           counter->offset_B, counter->size_B, counter->about);
}

static void
print_set(FILE *out, const struct perf_set *set, const struct widths *widths)
{
   fprintf(out, "\n%s (%s, %u bytes)\n", set->name,
           set->is_global ? "global" : "per context", set->record_B);
   for (unsigned i = 0; i < set->counter_count; i++)
      print_counter(out, &set->counters[i], widths);
}

bool
list_print(FILE *out, const struct list *list)
{
   const struct widths widths = find_widths(&list->sets);

   fprintf(out, "%s\n%s\n\n", list->renderer, list->version);
   const int width =
      fprintf(out, "  %-*s  %-*s  %-*s  %-7s %6s %5s  %s\n", widths.name,
              "counter", widths.unit, "unit", widths.type, "type", "data",
              "offset", "bytes", "what it tells");
   columns_rule(out, width - (int)sizeof("what it tells") + widths.about);
   for (unsigned i = 0; i < list->sets.count; i++)
      print_set(out, &list->sets.sets[i], &widths);
   return !ferror(out);
}

bool
list_write_json(FILE *out, const struct list *list)
{
   json_t *root = json_object();

   put(root, "renderer", json_string(list->renderer));
   put(root, "version", json_string(list->version));
   put(root, "counter_sets", perf_sets_json(&list->sets));

   const bool written =
      json_dumpf(root, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
   json_decref(root);
   return written;
}
