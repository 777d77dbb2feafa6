/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * AMD_performance_monitor: monitors, and their results.
 */

#include <errno.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "amd_priv.h"

/* A result is the id of the group, that of the counter, and the value. */
#define IDS_SIZE_B (2 * sizeof(uint32_t))

static struct pitot_perf_monitor *
find_monitor(const struct pitot_perf_gl *perf_gl, uint32_t id)
{
   return pitot_names_object(pitot_names_find(&perf_gl->perf->monitors, id));
}

static void
delete_monitor(struct pitot_perf_gl *perf_gl, uint32_t id)
{
   pitot_perf_monitor_destroy(find_monitor(perf_gl, id));
   pitot_names_set(&perf_gl->perf->monitors, id, NULL);
}

/* Creates a monitor.  Returns its id, or 0 without memory. */
static uint32_t
gen_monitor(struct pitot_perf_gl *perf_gl)
{
   struct pitot_perf_monitor *monitor =
      pitot_perf_monitor_create(perf_gl->perf);
   const uint32_t id =
      monitor ? pitot_names_add(&perf_gl->perf->monitors, monitor) : 0;

   if (!id)
      pitot_perf_monitor_destroy(monitor);
   return id;
}

void
pitot_perf_amd_gen_monitors(struct pitot_perf_gl *perf_gl, int32_t n,
                            uint32_t *monitors)
{
   const struct pitot_gl_call call = { perf_gl->gl, "glGenPerfMonitorsAMD" };

   pitot_gl_trace(&call, " n=%d", n);
   if (!pitot_perf_amd_check_size(&call, n))
      return;
   for (int32_t i = 0; monitors && i < n; i++) {
      monitors[i] = gen_monitor(perf_gl);
      if (monitors[i])
         continue;
      while (i-- > 0)
         delete_monitor(perf_gl, monitors[i]);
      pitot_gl_error_of_result(&call, -ENOMEM);
      return;
   }
}

/* "If <monitor> is not a valid monitor created by GenPerfMonitorsAMD, then
 * INVALID_VALUE error will be generated."
 */
static struct pitot_perf_monitor *
check_monitor(const struct pitot_gl_call *call,
              const struct pitot_perf_gl *perf_gl, uint32_t id)
{
   struct pitot_perf_monitor *monitor = find_monitor(perf_gl, id);

   if (!monitor)
      pitot_gl_error(call, GL_INVALID_VALUE, "monitor");
   return monitor;
}

/* A list with a wrong name deletes nothing, and a name that is there twice is
 * deleted once.
 */
void
pitot_perf_amd_delete_monitors(struct pitot_perf_gl *perf_gl, int32_t n,
                               const uint32_t *monitors)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glDeletePerfMonitorsAMD" };

   pitot_gl_trace(&call, " n=%d", n);
   if (!pitot_perf_amd_check_size(&call, n) || !monitors)
      return;
   for (int32_t i = 0; i < n; i++) {
      if (!check_monitor(&call, perf_gl, monitors[i]))
         return;
   }
   for (int32_t i = 0; i < n; i++) {
      if (find_monitor(perf_gl, monitors[i]))
         delete_monitor(perf_gl, monitors[i]);
   }
}

/* Reports a result of a begin: "[...] it may not be able to sample the
 * necessary counters [...].  In such a case, an INVALID_OPERATION error will
 * be generated."
 */
static void
check_begin(const struct pitot_gl_call *call, int error)
{
   if (error == -EBUSY)
      pitot_gl_error(call, GL_INVALID_OPERATION,
                     "these counters cannot be measured together, or now");
   else
      pitot_gl_check_result(call, error);
}

/* Checks all arguments, before anything is changed. */
static bool
check_selection(const struct pitot_gl_call *call,
                struct pitot_perf_gl *perf_gl, uint32_t group_id,
                int32_t count, const uint32_t *counters)
{
   if (!pitot_perf_amd_check_group(call, perf_gl, group_id) ||
       !pitot_perf_amd_check_size(call, count))
      return false;
   const struct pitot_perf_group *group =
      pitot_perf_get_group(perf_gl->perf, group_id);

   for (int32_t i = 0; counters && i < count; i++) {
      if (!pitot_perf_amd_check_counter(call, group, counters[i]))
         return false;
   }
   return true;
}

/* The document does not say what a selection means to an active monitor: it
 * begins anew, with the new selection.
 */
void
pitot_perf_amd_select_counters(struct pitot_perf_gl *perf_gl, uint32_t id,
                               bool enable, uint32_t group, int32_t count,
                               const uint32_t *counters)
{
   const struct pitot_gl_call call = { perf_gl->gl,
                                       "glSelectPerfMonitorCountersAMD" };

   pitot_gl_trace(&call, " monitor=%u enable=%d group=%u numCounters=%d", id,
                  enable, group, count);
   struct pitot_perf_monitor *monitor = check_monitor(&call, perf_gl, id);
   if (!monitor || !check_selection(&call, perf_gl, group, count, counters))
      return;
   if (monitor->state == PITOT_STATE_ACTIVE)
      pitot_gl_flush_host(perf_gl->gl);
   check_begin(&call,
               pitot_perf_monitor_select(monitor, enable, group, counters,
                                         counters ? count : 0));
}

void
pitot_perf_amd_begin_monitor(struct pitot_perf_gl *perf_gl, uint32_t id)
{
   const struct pitot_gl_call call = { perf_gl->gl, "glBeginPerfMonitorAMD" };

   pitot_gl_trace(&call, " monitor=%u", id);
   struct pitot_perf_monitor *monitor = check_monitor(&call, perf_gl, id);
   if (!monitor)
      return;

   /* "[...] if BeginPerfMonitorAMD is called when a performance monitor is
    * already active": that one.  Others are in its way only if their counters
    * are.
    */
   if (monitor->state == PITOT_STATE_ACTIVE) {
      pitot_gl_error(&call, GL_INVALID_OPERATION, "already begun");
      return;
   }
   pitot_gl_flush_host(perf_gl->gl);
   check_begin(&call, pitot_perf_monitor_begin(monitor));
}

void
pitot_perf_amd_end_monitor(struct pitot_perf_gl *perf_gl, uint32_t id)
{
   const struct pitot_gl_call call = { perf_gl->gl, "glEndPerfMonitorAMD" };

   pitot_gl_trace(&call, " monitor=%u", id);
   struct pitot_perf_monitor *monitor = check_monitor(&call, perf_gl, id);
   if (!monitor)
      return;

   /* "If a performance monitor is not currently started, an INVALID_OPERATION
    * error will be generated."
    */
   if (monitor->state != PITOT_STATE_ACTIVE) {
      pitot_gl_error(&call, GL_INVALID_OPERATION, "not begun");
      return;
   }
   pitot_gl_flush_host(perf_gl->gl);
   pitot_gl_check_result(&call, pitot_perf_monitor_end(monitor));
}

/*
 * Results
 */

static bool
has_ended(const struct pitot_perf_monitor *monitor)
{
   return monitor->state == PITOT_STATE_ENDED ||
          monitor->state == PITOT_STATE_AVAILABLE;
}

static unsigned
entry_size_B(const struct pitot_perf_result *result)
{
   return IDS_SIZE_B +
          pitot_perf_amd_size_B(pitot_perf_amd_type(result->info));
}

/* Returns the size of the results, which are known as soon as a monitor has
 * ended.
 */
static uint32_t
results_size_B(const struct pitot_perf_monitor *monitor)
{
   uint32_t size_B = 0;

   for (unsigned i = 0; i < monitor->result_count; i++)
      size_B += entry_size_B(&monitor->results[i]);
   return size_B;
}

/* Writes the results for which there is room, each as a whole.  Returns their
 * size.
 */
static uint32_t
write_results(const struct pitot_perf_monitor *monitor, uint32_t room_B,
              uint8_t *data)
{
   uint32_t at_B = 0;

   for (unsigned i = 0; i < monitor->result_count; i++) {
      const struct pitot_perf_result *result = &monitor->results[i];

      if (entry_size_B(result) > room_B - at_B)
         break;
      memcpy(data + at_B, &result->group, sizeof(result->group));
      memcpy(data + at_B + sizeof(result->group), &result->counter,
             sizeof(result->counter));
      pitot_perf_amd_convert(result->info, result->value,
                             data + at_B + IDS_SIZE_B);
      at_B += entry_size_B(result);
   }
   return at_B;
}

/* Waits for the results, which an application asks for if it reads them
 * before they are available.
 */
static void
wait_for(const struct pitot_gl_call *call, struct pitot_perf_monitor *monitor,
         uint32_t id)
{
   if (monitor->state == PITOT_STATE_AVAILABLE)
      return;

   const uint64_t begin_ns = pitot_gl_wait_begin(call->gl);
   pitot_perf_monitor_resolve(monitor, PITOT_PERF_WAIT);
   if (begin_ns)
      pitot_gl_wait_end(call, begin_ns, "performance monitor", id,
                        "AMD_performance_monitor");
}

/* Writes a number, if there is room.  Returns its size. */
static uint32_t
write_number(uint32_t number, uint32_t room_B, void *data)
{
   if (room_B < sizeof(number))
      return 0;
   memcpy(data, &number, sizeof(number));
   return sizeof(number);
}

static uint32_t
read_data(const struct pitot_gl_call *call,
          struct pitot_perf_monitor *monitor, uint32_t id, unsigned pname,
          uint32_t room_B, void *data)
{
   /* "The value of the PERFMON_RESULT_AVAILABLE_AMD, PERFMON_RESULT_AMD, and
    * PERFMON_RESULT_SIZE_AMD queries will all initially be 0."
    */
   if (!has_ended(monitor))
      return write_number(0, room_B, data);
   if (pname == GL_PERFMON_RESULT_SIZE_AMD)
      return write_number(results_size_B(monitor), room_B, data);
   if (pname == GL_PERFMON_RESULT_AVAILABLE_AMD)
      return write_number(pitot_perf_monitor_resolve(monitor,
                                                     PITOT_PERF_FLUSH),
                          room_B, data);
   wait_for(call, monitor, id);
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
   return pitot_perf_amd_check_size(call, size);
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
   struct pitot_perf_monitor *monitor = check_monitor(&call, perf_gl, id);
   if (!monitor || !check_data(&call, pname, data_size, data))
      return;

   const uint32_t written_B =
      read_data(&call, monitor, id, pname, data_size, data);
   if (bytes_written)
      *bytes_written = written_B;
   pitot_gl_trace(&call, " = %u bytes", written_B);
}
