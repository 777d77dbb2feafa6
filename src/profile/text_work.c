/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sum.h"
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
static int
write_sums(const struct pitot_report *report, FILE *out, const char *name,
           enum pitot_report_category first, enum pitot_report_category last,
           uint64_t whole_ns)
{
   static const char *const heads[] = { "share",   "times", "total",   "mean",
                                        "highest", "draws", "overdraw" };
   const bool are_passes = last == PITOT_REPORT_PASS;
   struct pitot_sum *sums;
   const size_t count = pitot_sum_slices(report, first, last, &sums);
   uint64_t rest_ns;

   if (!sums)
      return -ENOMEM;
   if (count > 0)
      pitot_table_heads(out, name, heads, are_passes ? 7 : 5);
   for (size_t i = 0; i < count && i < MAX_LINES; i++) {
      if (are_passes)
         pitot_table_name(out, sums[i].name, 0, PITOT_TABLE_NAME_WIDTH);
      else
         put_call_name(out, &sums[i]);
      put_times(out, &sums[i], whole_ns);
      if (are_passes)
         pitot_table_number(out, (double)sums[i].calls[PITOT_REPORT_DRAW]);
      if (are_passes && sums[i].has_samples && sums[i].pixels > 0)
         pitot_table_number(out, sums[i].samples / (double)sums[i].pixels);
      fputc('\n', out);
   }
   rest_ns = put_rest(out, sums, count);
   if (rest_ns > 0) {
      pitot_table_share(out, rest_ns, whole_ns);
      fprintf(out, "%11s", "");
      pitot_table_time(out, rest_ns);
      fputc('\n', out);
   }
   free(sums);
   return 0;
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

/* Sums a counter of all slices on the GPU. */
static double
total_of(const struct pitot_report *report, const char *counter)
{
   double total = 0, sum;

   for (size_t i = 0; i < report->slice_count; i = report->slices[i].after) {
      if (pitot_report_is_gpu(report, &report->slices[i]) &&
          pitot_report_count(report, i, counter, &sum))
         total += sum;
   }
   return total;
}

/* Sums a counter of the frames that are counted, without the work of contexts
 * that end none.
 */
static double
total_of_frames(const struct pitot_report *report, const char *counter)
{
   double total = 0, sum;

   for (size_t i = 0; i < report->slice_count; i = report->slices[i].after) {
      if (pitot_report_is_frame(report, i) &&
          pitot_report_count(report, i, counter, &sum))
         total += sum;
   }
   return total;
}

static uint64_t
count_draws(const struct pitot_report *report)
{
   uint64_t draws = 0;

   for (size_t i = 0; i < report->slice_count; i = report->slices[i].after) {
      if (pitot_report_is_gpu(report, &report->slices[i]))
         draws += pitot_report_calls(report, i, PITOT_REPORT_DRAW);
   }
   return draws;
}

/* The counters of all that was measured, and for each frame and draw. */
static void
write_counters(const struct pitot_report *report, FILE *out)
{
   static const char *const heads[] = { "total", "a frame", "a draw" };
   const uint64_t draws = count_draws(report);
   size_t zeros = 0;

   if (report->counter_count > 0)
      pitot_table_heads(out, "counters", heads, 3);
   for (size_t i = 0; i < report->counter_count; i++) {
      const char *name = report->counters[i];
      const double total = total_of(report, name);

      if (total == 0) {
         zeros++;
         continue;
      }
      pitot_table_name(out, name, 0, PITOT_TABLE_NAME_WIDTH);
      pitot_table_number(out, total);
      if (report->frame_count > 0)
         pitot_table_number(out, total_of_frames(report, name) /
                                    (double)report->frame_count);
      else
         fprintf(out, "%11s", "");
      if (draws > 0)
         pitot_table_number(out, total / (double)draws);
      fputc('\n', out);
   }
   if (zeros > 0)
      fprintf(out, "and %zu that counted nothing\n", zeros);
}

int
pitot_text_work(const struct pitot_report *report, FILE *out)
{
   struct pitot_tree tree;
   int error;

   if (!pitot_tree_build(report, &tree))
      return -ENOMEM;

   const uint64_t whole_ns = tree.nodes[0].total_ns;

   error = write_sums(report, out, "passes", PITOT_REPORT_PASS,
                      PITOT_REPORT_PASS, whole_ns);
   write_groups(out, &tree);
   if (error == 0)
      error = write_sums(report, out, "calls", PITOT_REPORT_DRAW,
                         PITOT_REPORT_COPY, whole_ns);
   write_counters(report, out);
   free(tree.nodes);
   return error;
}

int
pitot_text_stalls(const struct pitot_report *report, FILE *out)
{
   static const char *const heads[] = { "times", "total", "mean", "highest",
                                        "bytes" };
   struct pitot_sum *sums;
   const size_t count = pitot_sum_slices(report, PITOT_REPORT_WAIT,
                                         PITOT_REPORT_READBACK, &sums);
   uint64_t rest_ns;

   if (!sums)
      return -ENOMEM;
   if (count > 0)
      pitot_table_heads(out, "waits and transfers, on the CPU", heads, 5);
   for (size_t i = 0; i < count && i < MAX_LINES; i++) {
      put_call_name(out, &sums[i]);
      fprintf(out, " %10zu", sums[i].count);
      pitot_table_time(out, sums[i].total_ns);
      pitot_table_time(out, sums[i].total_ns / sums[i].count);
      pitot_table_time(out, sums[i].highest_ns);
      if (sums[i].size_B > 0)
         pitot_table_number(out, (double)sums[i].size_B);
      fputc('\n', out);
   }
   rest_ns = put_rest(out, sums, count);
   if (rest_ns > 0) {
      fprintf(out, "%11s", "");
      pitot_table_time(out, rest_ns);
      fputc('\n', out);
   }
   free(sums);
   return 0;
}
