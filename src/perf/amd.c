/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * AMD_performance_monitor: its groups, and the types of their counters.
 */

#include <float.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "amd_priv.h"

#define PERCENT_MAX 100.0f

bool
pitot_perf_amd_check_size(const struct pitot_gl_call *call, int32_t size)
{
   return size >= 0 || pitot_gl_error(call, GL_INVALID_VALUE, "size");
}

bool
pitot_perf_amd_check_group(const struct pitot_gl_call *call,
                           const struct pitot_perf_gl *perf_gl,
                           uint32_t group)
{
   return group < pitot_perf_group_count(perf_gl->perf) ||
          pitot_gl_error(call, GL_INVALID_VALUE, "group");
}

bool
pitot_perf_amd_check_counter(const struct pitot_gl_call *call,
                             const struct pitot_perf_group *group,
                             uint32_t counter)
{
   return counter < group->counter_count ||
          pitot_gl_error(call, GL_INVALID_VALUE, "counter");
}

/*
 * Types and values
 */

unsigned
pitot_perf_amd_type(const struct pitot_perf_counter *counter)
{
   /* A share of 1 is a number like others. */
   if (counter->type == PITOT_PERF_COUNTER_DURATION_NORM &&
       counter->raw_max != 1)
      return GL_PERCENTAGE_AMD;
   switch (counter->data_type) {
   case PITOT_PERF_DATA_BOOL32:
   case PITOT_PERF_DATA_UINT32:
      return GL_UNSIGNED_INT;
   case PITOT_PERF_DATA_UINT64:
      return GL_UNSIGNED_INT64_AMD;
   default:
      return GL_FLOAT;
   }
}

unsigned
pitot_perf_amd_size_B(unsigned type)
{
   return type == GL_UNSIGNED_INT64_AMD ? sizeof(uint64_t) : sizeof(uint32_t);
}

static float
read_float(const struct pitot_perf_counter *counter, const void *value)
{
   uint32_t narrow;
   uint64_t wide;
   float single;
   double both;

   switch (counter->data_type) {
   case PITOT_PERF_DATA_FLOAT:
      memcpy(&single, value, sizeof(single));
      return single;
   case PITOT_PERF_DATA_DOUBLE:
      memcpy(&both, value, sizeof(both));
      return both;
   case PITOT_PERF_DATA_UINT64:
      memcpy(&wide, value, sizeof(wide));
      return wide;
   default:
      memcpy(&narrow, value, sizeof(narrow));
      return narrow;
   }
}

/* "If type value returned is PERCENTAGE_AMD, then this describes a float
 * value that is in the range [0.0 .. 100.0]."
 */
static float
clamp_percent(float percent)
{
   if (!(percent > 0)) /* or no number */
      return 0;
   return percent < PERCENT_MAX ? percent : PERCENT_MAX;
}

void
pitot_perf_amd_convert(const struct pitot_perf_counter *counter,
                       const void *value, void *value_out)
{
   const unsigned type = pitot_perf_amd_type(counter);

   if (type != GL_FLOAT && type != GL_PERCENTAGE_AMD) {
      memcpy(value_out, value, pitot_perf_amd_size_B(type));
      return;
   }
   float number = read_float(counter, value);
   if (type == GL_PERCENTAGE_AMD)
      number = clamp_percent(number);
   memcpy(value_out, &number, sizeof(number));
}

/* Returns the largest value of a counter that is a whole number: of one whose
 * maximum is not known, it is that of the type.
 */
static uint64_t
whole_max(const struct pitot_perf_counter *counter)
{
   uint64_t max = UINT64_MAX;

   if (counter->data_type == PITOT_PERF_DATA_BOOL32)
      max = 1;
   else if (counter->data_type == PITOT_PERF_DATA_UINT32)
      max = UINT32_MAX;
   return counter->raw_max && counter->raw_max < max ? counter->raw_max : max;
}

/* "<data> returns two values representing a minimum and a maximum.  The
 * counter's type is used to determine the format [...]"
 */
static void
write_range(const struct pitot_perf_counter *counter, void *data)
{
   const unsigned type = pitot_perf_amd_type(counter);
   const uint64_t wide[2] = { 0, whole_max(counter) };
   const uint32_t narrow[2] = { 0, wide[1] };
   float real[2] = { 0, counter->raw_max ? counter->raw_max : FLT_MAX };

   if (type == GL_UNSIGNED_INT64_AMD) {
      memcpy(data, wide, sizeof(wide));
   } else if (type == GL_UNSIGNED_INT) {
      memcpy(data, narrow, sizeof(narrow));
   } else {
      if (type == GL_PERCENTAGE_AMD)
         real[1] = PERCENT_MAX;
      memcpy(data, real, sizeof(real));
   }
}

/*
 * Entry points
 */

/* Ids are indices. */
static void
write_ids(uint32_t count, int32_t *count_out, int32_t size, uint32_t *ids)
{
   if (count_out)
      *count_out = count;
   for (uint32_t i = 0; ids && i < count && i < (uint32_t)size; i++)
      ids[i] = i;
}

void
pitot_perf_amd_get_groups(struct pitot_perf_gl *perf_gl, int32_t *count,
                          int32_t size, uint32_t *groups)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetPerfMonitorGroupsAMD" };

   pitot_gl_trace(&call, " groupsSize=%d", size);
   if (!pitot_perf_amd_check_size(&call, size))
      return;
   pitot_perf_tell_hidden(perf_gl->gl, perf_gl->perf);
   write_ids(pitot_perf_group_count(perf_gl->perf), count, size, groups);
}

void
pitot_perf_amd_get_counters(struct pitot_perf_gl *perf_gl, uint32_t id,
                            int32_t *count, int32_t *max_active, int32_t size,
                            uint32_t *counters)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetPerfMonitorCountersAMD" };

   pitot_gl_trace(&call, " group=%u countersSize=%d", id, size);
   if (!pitot_perf_amd_check_group(&call, perf_gl, id) ||
       !pitot_perf_amd_check_size(&call, size))
      return;
   const struct pitot_perf_group *group =
      pitot_perf_get_group(perf_gl->perf, id);
   if (max_active)
      *max_active = group->max_active_count;
   write_ids(group->counter_count, count, size, counters);
}

/* "The actual number of characters written [...], excluding the null
 * terminator, is returned in <length>. [...] If <bufSize> is 0 and
 * <groupString> is NULL, the number of characters that would be required
 * [...]"  Without memory the size makes no difference.
 */
static void
write_string(const char *string, int32_t size, int32_t *length, char *out)
{
   const uint32_t written = pitot_perf_copy_string(out, size, string);

   if (length)
      *length = out ? written : strlen(string);
}

void
pitot_perf_amd_get_group_string(struct pitot_perf_gl *perf_gl, uint32_t group,
                                int32_t size, int32_t *length, char *string)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetPerfMonitorGroupStringAMD" };

   pitot_gl_trace(&call, " group=%u", group);
   if (pitot_perf_amd_check_group(&call, perf_gl, group) &&
       pitot_perf_amd_check_size(&call, size))
      write_string(pitot_perf_get_group(perf_gl->perf, group)->name, size,
                   length, string);
}

/* Returns the counter of two ids, or NULL after an error. */
static const struct pitot_perf_counter *
find_counter(const struct pitot_gl_call *call, struct pitot_perf_gl *perf_gl,
             uint32_t group_id, uint32_t counter)
{
   pitot_gl_trace(call, " group=%u counter=%u", group_id, counter);
   if (!pitot_perf_amd_check_group(call, perf_gl, group_id))
      return NULL;
   const struct pitot_perf_group *group =
      pitot_perf_get_group(perf_gl->perf, group_id);

   if (!pitot_perf_amd_check_counter(call, group, counter))
      return NULL;
   return &group->counters[counter];
}

void
pitot_perf_amd_get_counter_string(struct pitot_perf_gl *perf_gl,
                                  uint32_t group, uint32_t id, int32_t size,
                                  int32_t *length, char *string)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetPerfMonitorCounterStringAMD" };
   const struct pitot_perf_counter *counter =
      find_counter(&call, perf_gl, group, id);

   if (counter && pitot_perf_amd_check_size(&call, size))
      write_string(counter->name, size, length, string);
}

void
pitot_perf_amd_get_counter_info(struct pitot_perf_gl *perf_gl, uint32_t group,
                                uint32_t id, unsigned pname, void *data)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetPerfMonitorCounterInfoAMD" };
   const struct pitot_perf_counter *counter =
      find_counter(&call, perf_gl, group, id);

   if (!counter)
      return;
   if (pname != GL_COUNTER_TYPE_AMD && pname != GL_COUNTER_RANGE_AMD) {
      pitot_gl_error(&call, GL_INVALID_ENUM, "pname");
   } else if (!data) {
      pitot_gl_error(&call, GL_INVALID_OPERATION, "data is NULL");
   } else if (pname == GL_COUNTER_TYPE_AMD) {
      const uint32_t type = pitot_perf_amd_type(counter);

      memcpy(data, &type, sizeof(type));
   } else {
      write_range(counter, data);
   }
}
