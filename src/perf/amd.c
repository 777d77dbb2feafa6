/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The entry points of AMD_performance_monitor.  Ids of groups and counters
 * are indices.  docs/counters.md lists the cases that the specification
 * omits.
 *
 * glGetPerfMonitorCounterDataAMD writes nothing after an error, unless
 * results are lost: then it writes zeros.  The counters of a split group are
 * one array, at its first set: no other set of the group is used here.
 */

#include <errno.h>
#include <float.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "perf_priv.h"

#define PERCENT_MAX 100.0f

/* A size or a count; the specification does not mention negative sizes. */
static bool
check_size(const struct pitot_gl_call *call, int32_t size)
{
   return size >= 0 || pitot_gl_error(call, GL_INVALID_VALUE, "size");
}

/* "If <group> does not reference a valid group ID, an INVALID_VALUE error is
 * generated."
 */
static const struct pitot_perf_group *
find_group(const struct pitot_gl_call *call,
           const struct pitot_perf_gl *perf_gl, uint32_t id)
{
   if (id < pitot_perf_group_count(perf_gl->perf))
      return pitot_perf_get_group(perf_gl->perf, id);
   pitot_gl_error(call, GL_INVALID_VALUE, "group");
   return NULL;
}

/* "[...] or <counter> does not reference a valid counter within the group ID,
 * an INVALID_VALUE error is generated."
 */
static bool
check_counter(const struct pitot_gl_call *call,
              const struct pitot_perf_group *group, uint32_t counter)
{
   return counter < group->counter_count ||
          pitot_gl_error(call, GL_INVALID_VALUE, "counter");
}

/*
 * Types and values
 */

/* COUNTER_TYPE_AMD */
static unsigned
counter_type(const struct pitot_perf_counter *counter)
{
   /* A share from 0 to 1 is not a percentage. */
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

static unsigned
type_size_B(unsigned type)
{
   return type == GL_UNSIGNED_INT64_AMD ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* Converts a value from the counter's data_type to its counter_type(). */
static void
convert_value(const struct pitot_perf_counter *counter, const uint8_t *record,
              void *value_out)
{
   const unsigned type = counter_type(counter);
   union {
      uint32_t u32;
      uint64_t u64;
      float f32;
      double f64;
   } number;

   memcpy(&number, record + counter->offset_B, counter->size_B);
   if (type != GL_FLOAT && type != GL_PERCENTAGE_AMD) {
      memcpy(value_out, &number, type_size_B(type));
      return;
   }
   if (counter->data_type == PITOT_PERF_DATA_DOUBLE)
      number.f32 = number.f64;
   else if (counter->data_type == PITOT_PERF_DATA_UINT64)
      number.f32 = number.u64;
   else if (counter->data_type != PITOT_PERF_DATA_FLOAT)
      number.f32 = number.u32;

   /* "If type value returned is PERCENTAGE_AMD, then this describes a float
    * value that is in the range [0.0 .. 100.0]."
    */
   if (type == GL_PERCENTAGE_AMD) {
      if (!(number.f32 > 0)) /* or NaN */
         number.f32 = 0;
      if (number.f32 > PERCENT_MAX)
         number.f32 = PERCENT_MAX;
   }
   memcpy(value_out, &number.f32, sizeof(number.f32));
}

/* "<data> returns two values representing a minimum and a maximum.  The
 * counter's type is used to determine the format [...]"  If the counter's
 * maximum is unknown, writes the type's.
 */
static void
write_range(const struct pitot_perf_counter *counter, void *data)
{
   const unsigned type = counter_type(counter);
   const uint64_t max = counter->raw_max;

   if (type == GL_UNSIGNED_INT64_AMD) {
      const uint64_t range[] = { 0, max ? max : UINT64_MAX };

      memcpy(data, range, sizeof(range));
   } else if (type == GL_UNSIGNED_INT) {
      const uint32_t limit =
         counter->data_type == PITOT_PERF_DATA_BOOL32 ? 1 : UINT32_MAX;
      const uint32_t range[] = { 0, max && max < limit ? max : limit };

      memcpy(data, range, sizeof(range));
   } else {
      const float range[] = { 0, type == GL_PERCENTAGE_AMD ? PERCENT_MAX
                                 : max                     ? max
                                                           : FLT_MAX };

      memcpy(data, range, sizeof(range));
   }
}

/*
 * Entry points
 */

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
   if (!check_size(&call, size))
      return;
   pitot_perf_report_hidden(perf_gl);
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
   const struct pitot_perf_group *group = find_group(&call, perf_gl, id);
   if (!group || !check_size(&call, size))
      return;
   if (max_active)
      *max_active = group->set->counter_count;
   write_ids(group->counter_count, count, size, counters);
}

/* "The actual number of characters written [...], excluding the null
 * terminator, is returned in <length>. [...] If <bufSize> is 0 and
 * <groupString> is NULL, the number of characters that would be required
 * [...]"  If out is NULL, ignores the size.
 */
static void
write_string(const char *string, int32_t size, int32_t *length, char *out)
{
   const uint32_t written = pitot_perf_copy_string(out, size, string);

   if (length)
      *length = out ? written : strlen(string);
}

void
pitot_perf_amd_get_group_string(struct pitot_perf_gl *perf_gl, uint32_t id,
                                int32_t size, int32_t *length, char *string)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetPerfMonitorGroupStringAMD" };

   pitot_gl_trace(&call, " group=%u", id);
   const struct pitot_perf_group *group = find_group(&call, perf_gl, id);
   if (group && check_size(&call, size))
      write_string(group->name, size, length, string);
}

/* Returns NULL after an error. */
static const struct pitot_perf_counter *
find_counter(const struct pitot_gl_call *call, struct pitot_perf_gl *perf_gl,
             uint32_t group_id, uint32_t counter)
{
   pitot_gl_trace(call, " group=%u counter=%u", group_id, counter);
   const struct pitot_perf_group *group = find_group(call, perf_gl, group_id);

   return group && check_counter(call, group, counter)
             ? &group->set->counters[counter]
             : NULL;
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

   if (counter && check_size(&call, size))
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
      const uint32_t type = counter_type(counter);

      memcpy(data, &type, sizeof(type));
   } else {
      write_range(counter, data);
   }
}

/*
 * Monitors
 */

void
pitot_perf_amd_gen_monitors(struct pitot_perf_gl *perf_gl, int32_t n,
                            uint32_t *monitors)
{
   const struct pitot_gl_call call = { perf_gl->gl, "glGenPerfMonitorsAMD" };
   struct pitot_names *names = &perf_gl->perf->monitors;

   pitot_gl_trace(&call, " n=%d", n);
   if (!check_size(&call, n))
      return;
   for (int32_t i = 0; monitors && i < n; i++) {
      if (pitot_perf_add(perf_gl->perf, names, NULL, &monitors[i]))
         continue;
      while (i-- > 0)
         pitot_perf_remove(names, monitors[i]);
      pitot_gl_error_of_result(&call, -ENOMEM);
      return;
   }
}

static struct pitot_perf_query *
find_monitor(const struct pitot_gl_call *call,
             const struct pitot_perf_gl *perf_gl, uint32_t id)
{
   return pitot_perf_find(call, &perf_gl->perf->monitors, "monitor", id);
}

/* If one name is invalid, deletes nothing.  The list may repeat a name. */
void
pitot_perf_amd_delete_monitors(struct pitot_perf_gl *perf_gl, int32_t n,
                               const uint32_t *monitors)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glDeletePerfMonitorsAMD" };

   pitot_gl_trace(&call, " n=%d", n);
   if (!check_size(&call, n) || !monitors)
      return;
   for (int32_t i = 0; i < n; i++) {
      if (!find_monitor(&call, perf_gl, monitors[i]))
         return;
   }
   for (int32_t i = 0; i < n; i++)
      pitot_perf_remove(&perf_gl->perf->monitors, monitors[i]);
}

/* The specification omits active monitors: they begin again, with the new
 * counters, as in AMD's driver.
 */
void
pitot_perf_amd_select_counters(struct pitot_perf_gl *perf_gl, uint32_t id,
                               bool enable, uint32_t group_id, int32_t count,
                               const uint32_t *counters)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glSelectPerfMonitorCountersAMD" };

   pitot_gl_trace(&call, " monitor=%u enable=%d group=%u numCounters=%d", id,
                  enable, group_id, count);
   struct pitot_perf_query *monitor = find_monitor(&call, perf_gl, id);
   const struct pitot_perf_group *group =
      monitor ? find_group(&call, perf_gl, group_id) : NULL;
   if (!group || !check_size(&call, count))
      return;
   if (!counters)
      count = 0;
   for (int32_t i = 0; i < count; i++) {
      if (!check_counter(&call, group, counters[i]))
         return;
   }
   if (monitor->state == PITOT_STATE_ACTIVE)
      pitot_gl_flush_host(perf_gl->gl);
   const int error =
      pitot_perf_monitor_select(monitor, enable, group_id, counters, count);
   pitot_perf_check_begin(&call, monitor, error);
}

void
pitot_perf_amd_begin_monitor(struct pitot_perf_gl *perf_gl, uint32_t id)
{
   const struct pitot_gl_call call = { perf_gl->gl, "glBeginPerfMonitorAMD" };

   pitot_perf_begin(&call, &perf_gl->perf->monitors, "monitor", id);
}

void
pitot_perf_amd_end_monitor(struct pitot_perf_gl *perf_gl, uint32_t id)
{
   const struct pitot_gl_call call = { perf_gl->gl, "glEndPerfMonitorAMD" };

   pitot_perf_end(&call, &perf_gl->perf->monitors, "monitor", id);
}

/*
 * Results
 */

/* Writes as many whole results as fit, or none if data is NULL.  Returns
 * their size, which needs only the list of counters: the monitor need not be
 * available.
 */
static uint32_t
write_results(const struct pitot_perf_query *monitor, uint32_t room_B,
              uint8_t *data)
{
   uint32_t at_B = 0;

   for (unsigned i = 0; i < monitor->result_count; i++) {
      const struct pitot_perf_result *result = &monitor->results[i];
      const uint32_t ids[] = { result->group, result->counter };
      const uint32_t size_B =
         sizeof(ids) + type_size_B(counter_type(result->info));

      if (size_B > room_B - at_B)
         break;
      if (data) {
         memcpy(data + at_B, ids, sizeof(ids));
         convert_value(result->info, result->portion->record,
                       data + at_B + sizeof(ids));
      }
      at_B += size_B;
   }
   return at_B;
}

/* Returns the bytes written: 0 if the number does not fit. */
static uint32_t
write_number(uint32_t number, uint32_t room_B, void *data)
{
   if (room_B < sizeof(number))
      return 0;
   memcpy(data, &number, sizeof(number));
   return sizeof(number);
}

static uint32_t
read_data(const struct pitot_gl_call *call, struct pitot_perf_query *monitor,
          uint32_t id, unsigned pname, uint32_t room_B, void *data)
{
   /* "The value of the PERFMON_RESULT_AVAILABLE_AMD, PERFMON_RESULT_AMD, and
    * PERFMON_RESULT_SIZE_AMD queries will all initially be 0."
    */
   if (monitor->state == PITOT_STATE_IDLE ||
       monitor->state == PITOT_STATE_ACTIVE)
      return write_number(0, room_B, data);
   if (pname == GL_PERFMON_RESULT_SIZE_AMD)
      return write_number(write_results(monitor, UINT32_MAX, NULL), room_B,
                          data);
   if (pname == GL_PERFMON_RESULT_AVAILABLE_AMD)
      return write_number(pitot_perf_query_resolve(monitor, PITOT_PERF_FLUSH),
                          room_B, data);
   pitot_perf_wait(call, monitor, "performance monitor", id,
                   "AMD_performance_monitor");
   if (monitor->is_lost)
      pitot_gl_error(call, GL_INVALID_OPERATION, "the results are lost");
   return write_results(monitor, room_B, data);
}

/* "It is an INVALID_OPERATION error for <data> to be NULL." */
static bool
check_data(const struct pitot_gl_call *call, unsigned pname, int32_t size,
           const void *data)
{
   if (pname != GL_PERFMON_RESULT_AVAILABLE_AMD &&
       pname != GL_PERFMON_RESULT_SIZE_AMD && pname != GL_PERFMON_RESULT_AMD)
      return pitot_gl_error(call, GL_INVALID_ENUM, "pname");
   if (!data)
      return pitot_gl_error(call, GL_INVALID_OPERATION, "data is NULL");
   return check_size(call, size);
}

void
pitot_perf_amd_get_counter_data(struct pitot_perf_gl *perf_gl, uint32_t id,
                                unsigned pname, int32_t data_size,
                                uint32_t *data, int32_t *bytes_written)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glGetPerfMonitorCounterDataAMD" };

   pitot_gl_trace(&call, " monitor=%u pname=0x%04x dataSize=%d", id, pname,
                  data_size);
   struct pitot_perf_query *monitor = find_monitor(&call, perf_gl, id);
   if (!monitor || !check_data(&call, pname, data_size, data))
      return;

   const uint32_t written_B =
      read_data(&call, monitor, id, pname, data_size, data);
   if (bytes_written)
      *bytes_written = written_B;
   pitot_gl_trace(&call, " = %u bytes", written_B);
}
