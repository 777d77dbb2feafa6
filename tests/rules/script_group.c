/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Verbs for groups of counters (AMD_performance_monitor).
 */

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "statement.h"
#include "test.h"

/* Ids that fit a script's memory. */
#define MAX_IDS (SCRIPT_MEMORY_SIZE_B / sizeof(uint32_t))

struct ids {
   int32_t count;
   uint32_t *list;
};

static struct ids
groups_of(const struct entry_points *gl)
{
   struct ids ids = { 0 };

   gl->GetPerfMonitorGroups(&ids.count, 0, NULL);
   ids.list = calloc(ids.count + 1, sizeof(*ids.list));
   gl->GetPerfMonitorGroups(NULL, ids.count, ids.list);
   return ids;
}

static struct ids
counters_of(const struct entry_points *gl, uint32_t group)
{
   struct ids ids = { 0 };

   gl->GetPerfMonitorCounters(group, &ids.count, NULL, 0, NULL);
   ids.list = calloc(ids.count + 1, sizeof(*ids.list));
   gl->GetPerfMonitorCounters(group, NULL, NULL, ids.count, ids.list);
   return ids;
}

/* Checks the text and its length.  The caller frees it. */
static char *
read_text(const struct entry_points *gl, uint32_t group,
          const uint32_t *counter)
{
   int32_t needed = -1, written = -1;
   char *text;

   if (counter)
      gl->GetPerfMonitorCounterString(group, *counter, 0, &needed, NULL);
   else
      gl->GetPerfMonitorGroupString(group, 0, &needed, NULL);
   if (needed <= 0)
      fail_msg("group %u has a text of %d characters", group, needed);
   text = calloc(needed + 2, 1);
   memset(text, SCRIPT_UNTOUCHED_BYTE, needed + 1);
   if (counter)
      gl->GetPerfMonitorCounterString(group, *counter, needed + 1, &written,
                                      text);
   else
      gl->GetPerfMonitorGroupString(group, needed + 1, &written, text);
   if (written != needed || strlen(text) != (size_t)needed)
      fail_msg("\"%s\" has %d characters, not %d", text, written, needed);
   return text;
}

/* The id with the name at operand n, or without that operand any id. */
static uint32_t
find(const struct script *s, const struct entry_points *gl,
     const struct ids *ids, const uint32_t *group, unsigned n)
{
   char buffer[256];
   const char *name = script_read_name(s, n, buffer);

   if (n >= s->count && ids->count)
      return ids->list[0];
   for (int32_t i = 0; i < ids->count; i++) {
      char *text = read_text(gl, group ? *group : ids->list[i],
                             group ? &ids->list[i] : NULL);
      const bool is_found = strcmp(text, name) == 0;

      free(text);
      if (is_found)
         return ids->list[i];
   }
   fail_msg("%s: there is no \"%s\"", s->text, name);
   return 0;
}

/*
 * Checks for every group of any driver
 */

static void
check_ids(const struct ids *ids)
{
   for (int32_t i = 0; i < ids->count; i++) {
      for (int32_t j = 0; j < i; j++) {
         if (ids->list[i] == ids->list[j])
            fail_msg("id %u is there twice", ids->list[i]);
      }
   }
}

/* "The counter's type is used to determine the format in which the range
 * values are returned."
 */
static bool
is_range(uint32_t type, const void *range)
{
   uint32_t narrow[2];
   uint64_t wide[2];
   float real[2];

   memcpy(narrow, range, sizeof(narrow));
   memcpy(wide, range, sizeof(wide));
   memcpy(real, range, sizeof(real));
   if (type == GL_UNSIGNED_INT)
      return narrow[0] < narrow[1];
   if (type == GL_UNSIGNED_INT64_AMD)
      return wide[0] < wide[1];
   if (type == GL_PERCENTAGE_AMD)
      return real[0] == 0 && real[1] == 100;
   return type == GL_FLOAT && real[0] < real[1];
}

static unsigned
range_size_B(uint32_t type)
{
   return type == GL_UNSIGNED_INT64_AMD ? 16 : 8;
}

static void
check_counter(const struct entry_points *gl, uint32_t group, uint32_t counter)
{
   uint8_t range[24];
   uint32_t type = 0;

   memset(range, SCRIPT_UNTOUCHED_BYTE, sizeof(range));
   free(read_text(gl, group, &counter));
   gl->GetPerfMonitorCounterInfo(group, counter, GL_COUNTER_TYPE_AMD, &type);
   gl->GetPerfMonitorCounterInfo(group, counter, GL_COUNTER_RANGE_AMD, range);
   if (!is_range(type, range))
      fail_msg("counter %u of group %u: type 0x%04x, or its range", counter,
               group, type);
   for (unsigned i = range_size_B(type); i < sizeof(range); i++)
      assert_int_equal(range[i], SCRIPT_UNTOUCHED_BYTE);
}

static void
check_group(const struct entry_points *gl, uint32_t group)
{
   struct ids counters = counters_of(gl, group);
   int32_t most = -1;

   free(read_text(gl, group, NULL));
   check_ids(&counters);
   gl->GetPerfMonitorCounters(group, NULL, &most, 0, NULL);
   if (most < 1 || most > counters.count)
      fail_msg("%d of %d counters of group %u can be active", most,
               counters.count, group);
   for (int32_t i = 0; i < counters.count; i++)
      check_counter(gl, group, counters.list[i]);
   free(counters.list);
}

static unsigned
check_tree(const struct entry_points *gl)
{
   struct ids groups = groups_of(gl);

   check_ids(&groups);
   for (int32_t i = 0; i < groups.count; i++)
      check_group(gl, groups.list[i]);
   free(groups.list);
   return groups.count;
}

/* The size is an operand, the value their count. */
static void
get_ids(struct script *s, const struct entry_points *gl,
        const uint32_t *group, unsigned i)
{
   const bool is_nowhere = script_is_word(s, i, "NULL");
   const bool is_uncounted = script_is_word(s, i, "uncounted");
   const int32_t room = is_nowhere || is_uncounted
                           ? (int32_t)MAX_IDS
                           : (int32_t)script_optional(s, i, MAX_IDS);
   uint32_t *ids = is_nowhere ? NULL : (uint32_t *)s->memory;
   int32_t count;

   memset(&count, SCRIPT_UNTOUCHED_BYTE, sizeof(count));
   if (group)
      gl->GetPerfMonitorCounters(*group, is_uncounted ? NULL : &count, NULL,
                                 room, ids);
   else
      gl->GetPerfMonitorGroups(is_uncounted ? NULL : &count, room, ids);
   for (int32_t k = 0; ids && !is_uncounted && k < count && k < room; k++) {
      if (ids[k] == SCRIPT_UNTOUCHED_BYTE * 0x01010101u)
         fail_msg("%s: id %d was not written", s->text, k);
      s->touched_B = (k + 1) * sizeof(*ids);
   }
   if (is_uncounted)
      s->touched_B = sizeof(s->memory);
   s->number = (uint32_t)count;
   s->number_B = sizeof(count);
}

static void
get_members(struct script *s, const struct entry_points *gl)
{
   const uint32_t group = OP(1);

   get_ids(s, gl, &group, 2);
}

static void
get_most(struct script *s, const struct entry_points *gl)
{
   gl->GetPerfMonitorCounters(OP(1), NULL, (int32_t *)s->memory, 0, NULL);
   script_give_memory(s, sizeof(int32_t));
}

static void
find_group(struct script *s, const struct entry_points *gl)
{
   struct ids groups = groups_of(gl);

   *script_letter(s, 1) = find(s, gl, &groups, NULL, 2);
   free(groups.list);
   script_give(s, OP(1));
}

static void
find_counter(struct script *s, const struct entry_points *gl)
{
   const uint32_t group = OP(1);
   struct ids counters = counters_of(gl, group);

   *script_letter(s, 2) = find(s, gl, &counters, &group, 3);
   free(counters.list);
   script_give(s, OP(2));
}

/* The length is the written text's, or without memory the whole text's. */
static void
get_text(struct script *s, const struct entry_points *gl, unsigned i)
{
   const bool is_nowhere = script_is_word(s, i, "NULL");
   const int32_t size_B =
      is_nowhere ? 0 : (int32_t)script_optional(s, i, 256);
   char *text = is_nowhere ? NULL : (char *)s->memory;
   int32_t length;

   memset(&length, SCRIPT_UNTOUCHED_BYTE, sizeof(length));
   if (i == 2)
      gl->GetPerfMonitorGroupString(OP(1), size_B, &length, text);
   else
      gl->GetPerfMonitorCounterString(OP(1), OP(2), size_B, &length, text);
   if (is_nowhere || s->error) {
      s->number = (uint32_t)length;
      s->number_B = sizeof(length);
      return;
   }
   if (length != (size_B ? (int32_t)strlen(text) : 0))
      fail_msg("%s: the length is said to be %d", s->text, length);
   script_give_text(s, size_B);
}

static void
get_info(struct script *s, const struct entry_points *gl)
{
   const bool is_nowhere = script_is_word(s, 3, "NULL");
   const unsigned pname = is_nowhere ? GL_COUNTER_TYPE_AMD : OP(3);
   uint32_t type = 0;

   if (pname == GL_COUNTER_RANGE_AMD)
      gl->GetPerfMonitorCounterInfo(OP(1), OP(2), GL_COUNTER_TYPE_AMD, &type);
   gl->GetPerfMonitorCounterInfo(OP(1), OP(2), pname,
                                 is_nowhere ? NULL : s->memory);
   script_give_memory(s, sizeof(type));
   if (pname != GL_COUNTER_RANGE_AMD)
      return;
   s->touched_B = range_size_B(type);
   s->number_B = s->touched_B / 2;
   memcpy(&s->number, s->memory + s->number_B, s->number_B);
}

bool
script_run_group(struct script *s, const struct entry_points *gl)
{
   VERB("groups", get_ids(s, gl, NULL, 1));
   VERB("members", get_members(s, gl));
   VERB("most", get_most(s, gl));
   VERB("group", find_group(s, gl));
   VERB("member", find_counter(s, gl));
   VERB("grouptext", get_text(s, gl, 2));
   VERB("membertext", get_text(s, gl, 3));
   VERB("memberinfo", get_info(s, gl));
   VERB("tree", script_give(s, check_tree(gl)));
   return false;
}
