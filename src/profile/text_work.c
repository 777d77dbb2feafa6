/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "table.h"

#define MAX_LINES  20 /* of a table */
#define MAX_INDENT 24 /* of a name */

/* The category and the name of a call, and its pass, in one column. */
static void
put_call_name(FILE *out, const struct pitot_sum *sum)
{
   const char *category = pitot_report_category_names[sum->category];
   const bool is_said = strstr(sum->name, category) != NULL;
   char name[256];

   snprintf(name, sizeof(name), "%s%s%s%s%s", is_said ? "" : category,
            is_said ? "" : " ", sum->name, sum->pass[0] ? ", in " : "",
            sum->pass);
   pitot_table_name(out, name, 0, PITOT_TABLE_NAME_WIDTH);
}

/* Returns the time of all that a table has no room for, and says how many
 * they are; 0 if it has room for all.
 */
static uint64_t
put_rest(FILE *out, const struct pitot_sum *sums, size_t count)
{
   uint64_t rest_ns = 0;
   char name[64];

   if (count <= MAX_LINES)
      return 0;
   for (size_t i = MAX_LINES; i < count; i++)
      rest_ns += sums[i].total_ns;
   snprintf(name, sizeof(name), "and %zu more", count - MAX_LINES);
   pitot_table_name(out, name, 0, PITOT_TABLE_NAME_WIDTH);
   return rest_ns;
}

static void
put_times(FILE *out, const struct pitot_sum *sum, uint64_t whole_ns)
{
   pitot_table_share(out, sum->total_ns, whole_ns);
   fprintf(out, " %10zu", sum->count);
   pitot_table_time(out, sum->total_ns);
   pitot_table_time(out, sum->total_ns / sum->count);
   pitot_table_time(out, sum->highest_ns);
}

/* The most expensive passes (or calls), each with its calls and overdraw. */
static void
write_sums(struct pitot_sums *sums, FILE *out, const char *name,
           bool are_passes, uint64_t whole_ns)
{
   static const char *const heads[] = { "share",   "times", "total",   "mean",
                                        "highest", "draws", "overdraw" };
   const struct pitot_sum *list = sums->list;
   uint64_t rest_ns;

   pitot_sums_sort(sums);
   if (sums->count > 0)
      pitot_table_heads(out, name, heads, are_passes ? 7 : 5);
   for (size_t i = 0; i < sums->count && i < MAX_LINES; i++) {
      if (are_passes)
         pitot_table_name(out, list[i].name, 0, PITOT_TABLE_NAME_WIDTH);
      else
         put_call_name(out, &list[i]);
      put_times(out, &list[i], whole_ns);
      if (are_passes)
         pitot_table_number(out, (double)list[i].calls[PITOT_REPORT_DRAW]);
      if (are_passes && list[i].has_samples && list[i].pixels > 0)
         pitot_table_number(out, list[i].samples / (double)list[i].pixels);
      fputc('\n', out);
   }
   rest_ns = put_rest(out, list, sums->count);
   if (rest_ns > 0) {
      pitot_table_share(out, rest_ns, whole_ns);
      fprintf(out, "%11s", "");
      pitot_table_time(out, rest_ns);
      fputc('\n', out);
   }
}

static void
put_group(FILE *out, const struct pitot_tree *tree,
          const struct pitot_node *node)
{
   const unsigned indent = 2 * (node->depth - 1);

   pitot_table_name(out, node->name,
                    indent < MAX_INDENT ? indent : MAX_INDENT,
                    PITOT_TABLE_NAME_WIDTH);
   pitot_table_share(out, node->total_ns, tree->nodes[0].total_ns);
   fprintf(out, " %10zu", node->count);
   pitot_table_time(out, node->total_ns);
   pitot_table_time(out, node->total_ns / node->count);
   fputc('\n', out);
}

/* Writes the groups in a node, and those in them.  Small ones are left out:
 * there may be thousands.
 */
static void
write_groups_in(FILE *out, const struct pitot_tree *tree, size_t parent)
{
   for (size_t i = tree->nodes[parent].first_child; i != PITOT_REPORT_NONE;
        i = tree->nodes[i].next) {
      const struct pitot_node *node = &tree->nodes[i];

      if (node->category == PITOT_REPORT_GROUP &&
          node->total_ns >= tree->nodes[0].total_ns / 1000) {
         put_group(out, tree, node);
         write_groups_in(out, tree, i);
      }
   }
}

static void
write_groups(FILE *out, const struct pitot_tree *tree)
{
   static const char *const heads[] = { "share", "times", "total", "mean" };

   for (size_t i = 1; i < tree->count; i++) {
      if (tree->nodes[i].category == PITOT_REPORT_GROUP) {
         pitot_table_heads(out, "groups of 0.1 % and more", heads, 4);
         write_groups_in(out, tree, 0);
         return;
      }
   }
}

/* Adds the counters that are new. */
static bool
add_counters(struct pitot_text_work *work, size_t count)
{
   struct pitot_text_counter *counters;

   if (count <= work->counter_count)
      return true;
   counters = realloc(work->counters, count * sizeof(*counters));
   if (!counters)
      return false;
   for (size_t i = work->counter_count; i < count; i++)
      counters[i] = (struct pitot_text_counter){ .total = 0 };
   work->counters = counters;
   work->counter_count = count;
   return true;
}

/* Sums the counters of a slice on the GPU that is in no other one.  A frame
 * counts apart from the work of contexts that end none.
 */
static void
count_slice(struct pitot_text_work *work, const struct pitot_report *report,
            size_t slice)
{
   enum pitot_report_kind kind;
   const bool is_frame = pitot_report_is_frame(report, slice, &kind);

   for (size_t i = 0; i < report->counter_count; i++) {
      double sum;

      if (!pitot_report_count(report, slice, report->counters[i], &sum))
         continue;
      work->counters[i].total += sum;
      if (is_frame)
         work->counters[i].of_frames[kind] += sum;
   }
   work->draws += pitot_report_calls(report, slice, PITOT_REPORT_DRAW);
}

/* The counters of all that was measured, and for each frame and draw. */
static void
write_counters(const struct pitot_text_work *work,
               const struct pitot_report *report, FILE *out)
{
   static const char *const heads[] = { "total", "a frame", "a draw" };
   size_t zeros = 0;

   if (report->counter_count > 0)
      pitot_table_heads(out, "counters", heads, 3);
   for (size_t i = 0; i < report->counter_count; i++) {
      const struct pitot_text_counter *counter = &work->counters[i];

      if (counter->total == 0) {
         zeros++;
         continue;
      }
      pitot_table_name(out, report->counters[i], 0, PITOT_TABLE_NAME_WIDTH);
      pitot_table_number(out, counter->total);
      if (report->frame_count > 0)
         pitot_table_number(out, counter->of_frames[PITOT_REPORT_WHOLE] /
                                    (double)report->frame_count);
      else
         fprintf(out, "%11s", "");
      if (work->draws > 0)
         pitot_table_number(out, counter->total / (double)work->draws);
      fputc('\n', out);
   }
   if (zeros > 0)
      fprintf(out, "and %zu that counted nothing\n", zeros);
}

static void
write_stalls(struct pitot_sums *sums, FILE *out)
{
   static const char *const heads[] = { "times", "total", "mean", "highest",
                                        "bytes" };
   const struct pitot_sum *list = sums->list;
   uint64_t rest_ns;

   pitot_sums_sort(sums);
   if (sums->count > 0)
      pitot_table_heads(out, "waits and transfers, on the CPU", heads, 5);
   for (size_t i = 0; i < sums->count && i < MAX_LINES; i++) {
      put_call_name(out, &list[i]);
      fprintf(out, " %10zu", list[i].count);
      pitot_table_time(out, list[i].total_ns);
      pitot_table_time(out, list[i].total_ns / list[i].count);
      pitot_table_time(out, list[i].highest_ns);
      if (list[i].size_B > 0)
         pitot_table_number(out, (double)list[i].size_B);
      fputc('\n', out);
   }
   rest_ns = put_rest(out, list, sums->count);
   if (rest_ns > 0) {
      fprintf(out, "%11s", "");
      pitot_table_time(out, rest_ns);
      fputc('\n', out);
   }
}

bool
pitot_text_work_init(struct pitot_text_work *work)
{
   return pitot_tree_init(&work->tree);
}

bool
pitot_text_work_add(struct pitot_text_work *work,
                    const struct pitot_report *report)
{
   if (!add_counters(work, report->counter_count) ||
       !pitot_tree_add(&work->tree, report) ||
       !pitot_sums_add(&work->passes, report, PITOT_REPORT_PASS,
                       PITOT_REPORT_PASS) ||
       !pitot_sums_add(&work->calls, report, PITOT_REPORT_DRAW,
                       PITOT_REPORT_COPY) ||
       !pitot_sums_add(&work->stalls, report, PITOT_REPORT_WAIT,
                       PITOT_REPORT_READBACK))
      return false;
   for (size_t i = 0; i < report->slice_count; i = report->slices[i].after) {
      if (pitot_report_is_gpu(report, &report->slices[i]))
         count_slice(work, report, i);
   }
   return true;
}

bool
pitot_text_work_write(struct pitot_text_work *work,
                      const struct pitot_report *report, FILE *out)
{
   const uint64_t whole_ns = work->tree.nodes[0].total_ns;

   if (!pitot_tree_sort(&work->tree))
      return false;
   write_sums(&work->passes, out, "passes", true, whole_ns);
   write_groups(out, &work->tree);
   write_sums(&work->calls, out, "calls", false, whole_ns);
   write_counters(work, report, out);
   write_stalls(&work->stalls, out);
   return true;
}

void
pitot_text_work_finish(struct pitot_text_work *work)
{
   pitot_tree_finish(&work->tree);
   free(work->passes.list);
   free(work->calls.list);
   free(work->stalls.list);
   free(work->counters);
}
