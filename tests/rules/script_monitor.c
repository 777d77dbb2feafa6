/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Verbs for monitors (AMD_performance_monitor).
 */

#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "statement.h"
#include "test.h"

/* The maximum size of results. */
#define MAX_RESULTS_B (SCRIPT_MEMORY_SIZE_B / 2)

static void
generate(struct script *s, const struct entry_points *gl)
{
   const int n = script_count(s, 1);
   uint32_t monitors[SCRIPT_MAX_WORDS] = { 0 };

   gl->GenPerfMonitors(n, monitors);
   for (int i = 0; i < n; i++)
      *script_letter(s, 1 + i) = monitors[i];
}

static void
forget(const struct script *s, const struct entry_points *gl)
{
   const int n = script_count(s, 1);
   uint32_t monitors[SCRIPT_MAX_WORDS] = { 0 };

   for (int i = 0; i < n; i++)
      monitors[i] = OP(1 + i);
   gl->DeletePerfMonitors(n, monitors);
}

static void
choose(const struct script *s, const struct entry_points *gl, bool enable)
{
   const bool is_nowhere = script_is_word(s, 3, "NULL");
   const int n = is_nowhere ? 1 : script_count(s, 3);
   uint32_t counters[SCRIPT_MAX_WORDS] = { 0 };

   for (int i = 0; i < n && !is_nowhere; i++)
      counters[i] = OP(3 + i);
   gl->SelectPerfMonitorCounters(OP(1), enable, OP(2), n,
                                 is_nowhere ? NULL : counters);
}

static void
watch_points(const struct script *s, const struct entry_points *gl)
{
   gl->BeginPerfMonitor(OP(1));
   if (s->count > 2)
      s->gl->draw_points(OP(2), GL_VERTICES_SUBMITTED);
   gl->EndPerfMonitor(OP(1));
}

/* A mistake writes nothing. */
static bool
is_refused(const struct script *s)
{
   return s->error && !s->value;
}

/* Returns bytesWritten.  A mistake does not write it (GL 4.6, 2.3.1): "If the
 * generating command modifies values through a pointer argument, no change is
 * made to these values."
 */
static unsigned
check_written(const struct script *s, int32_t written_B, int32_t room_B)
{
   int32_t untouched;

   memset(&untouched, SCRIPT_UNTOUCHED_BYTE, sizeof(untouched));
   if (is_refused(s)) {
      if (written_B != untouched && !s->gl->has_no_errors)
         fail_msg("%s: bytesWritten is %d", s->text, written_B);
      return 0;
   }
   if (written_B < 0 || written_B > (room_B > 0 ? room_B : 0))
      fail_msg("%s: %d bytes of %d were written", s->text, written_B, room_B);
   return written_B;
}

static void
ask(struct script *s, const struct entry_points *gl, unsigned pname,
    unsigned i, uint32_t size_B)
{
   const bool is_nowhere = script_is_word(s, i, "NULL");
   const bool is_uncounted = script_is_word(s, i, "uncounted");
   const int32_t room_B = is_nowhere || is_uncounted
                             ? (int32_t)size_B
                             : (int32_t)script_optional(s, i, size_B);
   int32_t written_B = size_B;

   if (!is_uncounted)
      memset(&written_B, SCRIPT_UNTOUCHED_BYTE, sizeof(written_B));
   gl->GetPerfMonitorCounterData(OP(1), pname, room_B,
                                 is_nowhere ? NULL : (uint32_t *)s->memory,
                                 is_uncounted ? NULL : &written_B);
   script_give_memory(s, sizeof(uint32_t));
   s->touched_B = check_written(s, written_B, room_B);
}

/* Keeps the results.  The value is their size. */
static void
read_results(struct script *s, const struct entry_points *gl)
{
   uint32_t size_B = 0;

   gl->GetPerfMonitorCounterData(OP(1), GL_PERFMON_RESULT_SIZE_AMD,
                                 sizeof(size_B), &size_B, NULL);
   if (size_B > MAX_RESULTS_B)
      fail_msg("%s: results of %u bytes are too much", s->text, size_B);
   s->record_B = size_B;
   ask(s, gl, GL_PERFMON_RESULT_AMD, 2, size_B);
   memset(s->record, 0, sizeof(s->record));
   memcpy(s->record, s->memory, s->touched_B);
   if (!is_refused(s))
      script_give(s, s->touched_B);
}

static void
poll_available(struct script *s, const struct entry_points *gl)
{
   s->memory[0] = 0;
   for (unsigned i = 0; i < MAX_POLLS && !s->memory[0]; i++)
      ask(s, gl, GL_PERFMON_RESULT_AVAILABLE_AMD, 2, sizeof(uint32_t));
}

/* "[...] returned as group ID, followed by counter ID, followed by counter
 * value.  The size of counter value returned will depend on the counter value
 * type."
 */
static void
give_seen(struct script *s, const struct entry_points *gl)
{
   uint32_t at_B = 0;

   while (at_B + 3 * sizeof(uint32_t) <= s->record_B) {
      uint32_t entry[3], type = 0;
      uint64_t wide;

      memcpy(entry, s->record + at_B, sizeof(entry));
      gl->GetPerfMonitorCounterInfo(entry[0], entry[1], GL_COUNTER_TYPE_AMD,
                                    &type);
      memcpy(&wide, s->record + at_B + 8, sizeof(wide));
      if (entry[0] == OP(1) && entry[1] == OP(2)) {
         script_give(s, type == GL_UNSIGNED_INT64_AMD ? wide : entry[2]);
         return;
      }
      at_B += type == GL_UNSIGNED_INT64_AMD ? 16 : 12;
   }
   fail_msg("%s: it is not among the results", s->text);
}

bool
script_run_monitor(struct script *s, const struct entry_points *gl)
{
   VERB("monitors", generate(s, gl));
   VERB("forget", forget(s, gl));
   VERB("select", choose(s, gl, true));
   VERB("deselect", choose(s, gl, false));
   VERB("watch", gl->BeginPerfMonitor(OP(1)));
   VERB("unwatch", gl->EndPerfMonitor(OP(1)));
   VERB("monitor", watch_points(s, gl));
   VERB("ask", ask(s, gl, OP(2), 3, sizeof(uint32_t)));
   VERB("ready",
        ask(s, gl, GL_PERFMON_RESULT_AVAILABLE_AMD, 2, sizeof(uint32_t)));
   VERB("size", ask(s, gl, GL_PERFMON_RESULT_SIZE_AMD, 2, sizeof(uint32_t)));
   VERB("results", read_results(s, gl));
   VERB("await", poll_available(s, gl));
   VERB("seen", give_seen(s, gl));
   return false;
}
