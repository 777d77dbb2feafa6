/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What a program does, and what its trace then has, as texts.  A script has
 * words, some with numbers after them:
 *
 *    draw, clear, ... GAP DURATION SAMPLES   see world_work()
 *    begin-draw, begin-blit, ... end         a call with all in between
 *    idle NS                                 the GPU's clock advances
 *    name-NAME                               of the framebuffer
 *    pass, may-send, waited                  functions of the profile
 *    push-NAME, push-, pop                   a debug group
 *    upload, wait, ... NS                    a call that takes so long
 *    readback-pass                           see read_back()
 *    flush, frame, frame-without-fence       flushes
 *    frame-ends                              the last flush ended a frame
 *    mark                                    remembers the last query
 *    hold-none, hold-before, hold-mark       the GPU finishes none, those
 *    hold-now, hold-all                      before the mark, and so on
 *    lose, disjoint                          the GPU is lost, or reset
 *    signal                                  SIGUSR2
 *    count                                   how much there is so far
 */

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

#define GPU "frame,group,pass,draw,dispatch,clear,blit,copy"

/* Two passes with three calls: 30 + 100 + 5 + 200 + 7 + 40 + 9 ns. */
#define TWO_PASSES                                                           \
   "idle 30 name-shadows draw 0 100 10 draw 5 200 20 pass "                  \
   "name-window clear 7 40 3 idle 9 frame "

#define ONE_DRAW "draw 5 10 1 frame "

static const struct profiled_case {
   const char *name;
   const char *levels; /* the same at each */
   const char *script, *trace;
   const char *shown; /* categories, events and values; NULL: GPU */
   struct world_settings settings;
   bool has_no_size; /* the framebuffer */
} cases[] = {
   { "a pass has times and counts", "pass", TWO_PASSES,
     .shown =
        GPU ",draws,clears,samples passed,pixels,Fragment Shader Invocations,"
            "profile_cpu_ns",
     .trace = "frame 'frame 1' 0+361, profile_cpu_ns\n"
              "pass 'shadows' 0+305, pixels 307200, draws 2, samples passed "
              "30, Fragment Shader Invocations 60\n"
              "pass 'window' 312+49, pixels 307200, clears 1, samples passed "
              "3, Fragment Shader Invocations 6\n" },
   { "a draw has times and counts", "draw", TWO_PASSES,
     .shown = GPU ",samples passed,pixels",
     .trace = "frame 'frame 1' 0+352\n"
              "pass 'shadows' 0+305, pixels 307200\n"
              "draw 'program 0' 0+100, samples passed 10\n"
              "draw 'program 0' 105+200, samples passed 20\n"
              "pass 'window' 312+40, pixels 307200\n"
              "clear 'program 2' 312+40, samples passed 3\n" },
   { "a frame has times and counts", "frame", TWO_PASSES TWO_PASSES,
     .shown = GPU ",draws,samples passed",
     .trace = "frame 'frame 1' 0+361, draws 2, samples passed 33\n"
              "frame 'frame 2' 391+361, draws 2, samples passed 33\n" },
   { "a pass may have no size", "pass", TWO_PASSES, .shown = GPU ",pixels",
     .has_no_size = true,
     .trace = "frame 'frame 1' 0+361\n"
              "pass 'shadows' 0+305\n"
              "pass 'window' 312+49\n" },
   { "a short call is only among draws", "frame pass", "upload 1",
     .shown = "upload", .trace = "" },
   { "a short call is among draws", "draw", "draw 0 1 1 upload 1",
     .shown = "upload", .trace = "upload 'upload' 1+1\n" },
   { "a group may have no label", "pass", "push- draw 5 10 1 pop frame",
     .trace = "frame 'frame 1' 0+10\n"
              "group '' 0+10\n"
              "pass 'window' 0+10\n" },
   /* Work in the same groups is a pass. */
   { "a group is around its passes", "pass",
     "push-a draw 1 10 1 push-b draw 1 10 1 pop draw 1 10 1 pop draw 1 10 1 "
     "frame",
     .trace = "frame 'frame 1' 0+43\n"
              "group 'a' 0+32\n"
              "pass 'window' 0+10\n"
              "group 'b' 11+10\n"
              "pass 'window' 11+10\n"
              "pass 'window' 22+10\n"
              "pass 'window' 33+10\n" },
   /* The first pop is GL's error. */
   { "a group ends once", "pass", "pop " TWO_PASSES "push-open " TWO_PASSES,
     .trace = "frame 'frame 1' 0+361\n"
              "pass 'shadows' 0+305\n"
              "pass 'window' 312+49\n"
              "frame 'frame 2' 391+361\n"
              "group 'o' 391+361\n"
              "pass 'shadows' 391+305\n"
              "pass 'window' 703+49\n" },
   { "a counter has the sum of a frame", "pass",
     "draw 5 100 20 frame draw 5 100 20 draw 5 100 20 frame",
     .shown =
        "frame,counters,calls,samples passed,Fragment Shader Invocations,"
        "GPU time of a frame (ms)",
     .trace = "frame 'frame 1' 0+100\n"
              "counters 0, GPU time of a frame (ms) 0.0001, samples passed "
              "20, Fragment Shader Invocations 40, calls 1\n"
              "frame 'frame 2' 105+205\n"
              "counters 105, GPU time of a frame (ms) 0.000205, samples "
              "passed 40, Fragment Shader Invocations 80, calls 2\n" },
   { "a counter that stays is written once", "pass",
     TWO_PASSES TWO_PASSES "draw 0 352 33 frame",
     .shown = "frame,counters,calls,samples passed",
     .trace = "frame 'frame 1' 0+361\n"
              "counters 0, samples passed 33, calls 3\n"
              "frame 'frame 2' 391+361\n"
              "frame 'frame 3' 752+352\n"
              "counters 752, calls 1\n" },
   /* Times around a reset may be invalid. */
   { "a reset is marked", "pass",
     TWO_PASSES "disjoint " TWO_PASSES TWO_PASSES,
     .shown = "frame,pass,clock,reason,disjoint",
     .trace = "clock, reason 'first reading'\n"
              "frame 'frame 1' 0+361\n"
              "pass 'shadows' 0+305\n"
              "pass 'window' 312+49\n"
              "frame 'frame 2' 391+361, disjoint 1\n"
              "pass 'shadows' 391+305, disjoint 1\n"
              "pass 'window' 703+49, disjoint 1\n"
              "clock, reason 'reset, suspend or step of the GPU's clock'\n"
              "frame 'frame 3' 782+361\n"
              "pass 'shadows' 782+305\n"
              "pass 'window' 1094+49\n" },
   { "a zero is left out", "pass", TWO_PASSES,
     .shown = "pass,Tessellation Control Patches",
     .trace = "pass 'shadows' 0+305\n"
              "pass 'window' 312+49\n" },
   { "a zero that was chosen is written", "pass", TWO_PASSES,
     .shown = "pass,Tessellation Control Patches",
     .settings = { .counters = "Pipeline Statistics" },
     .trace = "pass 'shadows' 0+305, Tessellation Control Patches 0\n"
              "pass 'window' 312+49, Tessellation Control Patches 0\n" },
   { "a call in a call is part of it", "draw",
     "begin-blit pass draw 1 10 1 flush pass idle 5 end frame",
     .trace = "frame 'frame 1' 0+16\n"
              "pass 'window' 0+16\n"
              "blit 'program 3' 0+16\n" },
   { "a call has all that is inside", "draw",
     "begin-copy frame-without-fence frame-ends wait 1000000 idle 5 end "
     "frame",
     .shown = GPU ",wait",
     .trace = "frame 'frame 1' 0+1000105\n"
              "pass 'window' 0+1000105\n"
              "copy 'program 4' 0+1000105\n" },
   { "a call is left out while nothing is recorded", "pass",
     "wait 1000000 " TWO_PASSES "wait 1000000 " TWO_PASSES,
     .shown = "frame,wait", .settings = { .frames = "2" },
     .trace = "wait 'wait' -1000130+1000100\n"
              "frame 'frame 2' 0+361\n" },
   { "a flow leads from each call to its execution", "draw", TWO_PASSES,
     .shown = GPU ",call,flow",
     .trace = "call 'end of frame' 361+0\n"
              "frame 'frame 1' 0+352\n"
              "pass 'shadows' 0+305\n"
              "call 'program 0' 0+100 #1\n"
              "draw 'program 0' 0+100 #1\n"
              "call 'program 0' 105+200 #2\n"
              "draw 'program 0' 105+200 #2\n"
              "pass 'window' 312+40\n"
              "call 'program 2' 312+40 #3\n"
              "clear 'program 2' 312+40 #3\n" },
   /* A frame shares its draws' times; later executed draws share theirs. */
   { "a timestamp is of the GPU", "draw",
     "draw 7 10 1 draw 3 20 1 pass draw 5 40 1 frame count",
     .settings = { .counters = "none" },
     .trace = "6 slices, 6 queries, 0 fences\n"
              "frame 'frame 1' 0+78\n"
              "pass 'window' 0+33\n"
              "draw 'program 0' 0+10\n"
              "draw 'program 0' 13+20\n"
              "pass 'window' 38+40\n"
              "draw 'program 0' 38+40\n" },
   { "a timestamp is shared", "draw",
     "draw 7 10 1 draw 3 20 1 pass draw 5 40 1 frame count",
     .settings = { .counters = "none", .is_executed_later = true },
     .trace = "6 slices, 4 queries, 0 fences\n"
              "frame 'frame 1' 0+78\n"
              "pass 'window' 0+33\n"
              "draw 'program 0' 0+10\n"
              "draw 'program 0' 10+23\n"
              "pass 'window' 33+45\n"
              "draw 'program 0' 33+45\n" },
   { "a timestamp is not shared over an upload", "draw",
     "draw 7 10 1 draw 3 20 1 upload 0 pass draw 5 40 1 frame count",
     .settings = { .counters = "none", .is_executed_later = true },
     .trace = "6 slices, 5 queries, 0 fences\n"
              "frame 'frame 1' 0+78\n"
              "pass 'window' 0+33\n"
              "draw 'program 0' 0+10\n"
              "draw 'program 0' 10+23\n"
              "pass 'window' 38+40\n"
              "draw 'program 0' 38+40\n" },
   { "a timestamp is not shared over what may send", "draw",
     "draw 7 10 1 draw 3 20 1 may-send pass draw 5 40 1 frame count",
     .settings = { .counters = "none", .is_executed_later = true },
     .trace = "6 slices, 5 queries, 0 fences\n"
              "frame 'frame 1' 0+78\n"
              "pass 'window' 0+33\n"
              "draw 'program 0' 0+10\n"
              "draw 'program 0' 10+23\n"
              "pass 'window' 38+40\n"
              "draw 'program 0' 38+40\n" },
   { "an upload after the last pass is not in the frame", "pass",
     "draw 1 10 1 pass may-send idle 7 frame",
     .trace = "frame 'frame 1' 0+10\n"
              "pass 'window' 0+10\n" },
   /* The frame ends at the last flush, which is not known yet then. */
   { "a frame may end after its flush", "frame pass draw",
     "draw 1 10 1 flush draw 3 20 2 flush idle 1000 frame-ends frame-ends "
     "draw 50 10 4 frame",
     .shown = "frame",
     .trace = "frame 'frame 1' 0+33\n"
              "frame 'frame 2' 1083+10\n" },
   { "a frame that ends after its flush has all counts", "frame",
     "draw 1 10 1 flush draw 3 20 2 flush frame-ends draw 50 10 4 frame",
     .shown = "frame,draws,samples passed,Fragment Shader Invocations",
     .trace = "frame 'frame 1' 0+33, draws 2, samples passed 3, Fragment "
              "Shader Invocations 6\n"
              "frame 'frame 2' 83+10, draws 1, samples passed 4, Fragment "
              "Shader Invocations 8\n" },
   { "a frame ends after its last work", "pass",
     "draw 1 10 1 flush draw 3 20 2 frame-ends",
     .trace = "frame 'frame 1' 0+33\n"
              "pass 'window' 0+10\n"
              "pass 'window' 13+20\n" },
   /* If a call flushes, the pass ends in the middle of the call. */
   { "slices of the CPU nest", "pass",
     "idle 10 draw 0 1000 1 readback-pass frame",
     .shown = "call,readback,upload,size_B",
     .trace = "readback 'map' 1000+100010, size_B 4096\n"
              "call 'end of frame' 101010+0\n"
              "call 'window' 0+1000\n" },
   { "a range of frames is recorded at the level frame", "frame",
     ONE_DRAW ONE_DRAW ONE_DRAW ONE_DRAW ONE_DRAW, .shown = "frame,call",
     .settings = { .frames = "2-3" },
     .trace = "call 'end of frame' 10+0\n"
              "frame 'frame 2' 0+10\n"
              "call 'end of frame' 25+0\n"
              "frame 'frame 3' 15+10\n" },
   { "a range of frames is recorded at the level pass", "pass",
     ONE_DRAW ONE_DRAW ONE_DRAW ONE_DRAW ONE_DRAW, .shown = "frame,call",
     .settings = { .frames = "2-3" },
     .trace = "call 'end of frame' 10+0\n"
              "frame 'frame 2' 0+10\n"
              "call 'window' 0+10\n"
              "call 'end of frame' 25+0\n"
              "frame 'frame 3' 15+10\n"
              "call 'window' 15+10\n" },
   { "a range of frames is recorded at the level draw", "draw",
     ONE_DRAW ONE_DRAW ONE_DRAW ONE_DRAW ONE_DRAW, .shown = "frame,call",
     .settings = { .frames = "2-3" },
     .trace = "call 'end of frame' 10+0\n"
              "frame 'frame 2' 0+10\n"
              "call 'program 0' 0+10\n"
              "call 'end of frame' 25+0\n"
              "frame 'frame 3' 15+10\n"
              "call 'program 0' 15+10\n" },
   { "a flush without work ends no frame", "pass",
     "frame draw 5 10 1 frame frame draw 5 10 1 frame", .shown = "frame",
     .trace = "frame 'frame 1' 0+10\n"
              "frame 'frame 2' 15+10\n" },
   { "the end of a context ends a frame", "frame pass draw",
     "draw 5 10 1 frame draw 5 10 1 flush draw 5 10 1", .shown = "frame",
     .trace = "frame 'frame 1' 0+10\n"
              "frame 'frame 2' 15+25\n" },
   /* Recorded from the flush after the signal on. */
   { "a signal begins and ends", "pass",
     "draw 5 10 1 frame signal draw 5 10 1 frame draw 5 10 1 frame "
     "draw 5 10 1 signal draw 5 10 1 flush draw 5 10 1 frame",
     .shown = GPU ",draws", .settings = { .frames = "0" },
     .trace = "frame 'frame 3' 0+10\n"
              "pass 'window' 0+10, draws 1\n"
              "frame 'frame 4' 15+25\n"
              "pass 'window' 15+25, draws 2\n" },
   { "a span is read once its fence is signalled", "pass",
     "hold-none draw 5 10 1 frame mark draw 5 10 1 frame count "
     "hold-before frame count hold-mark frame count",
     .trace = "0 slices, 8 queries, 2 fences\n"
              "0 slices, 8 queries, 2 fences\n"
              "2 slices, 8 queries, 1 fences\n"
              "frame 'frame 1' 0+10\n"
              "pass 'window' 0+10\n"
              "frame 'frame 2' 15+10\n"
              "pass 'window' 15+10\n" },
   /* If a program waits and then exits, its last frame is in the trace. */
   { "a wait reads what is there", "pass",
     "hold-none draw 5 10 1 frame waited count hold-now begin-draw waited "
     "count end waited count",
     .trace = "0 slices, 4 queries, 1 fences\n"
              "0 slices, 5 queries, 1 fences\n"
              "2 slices, 5 queries, 0 fences\n"
              "frame 'frame 1' 0+10\n"
              "pass 'window' 0+10\n"
              "frame 'frame 2' 10+0\n"
              "pass 'window' 10+0\n" },
   { "a fence is not that of later spans", "pass",
     "hold-none draw 5 10 1 frame mark draw 5 10 1 pass hold-mark waited "
     "count frame hold-all",
     .trace = "2 slices, 8 queries, 0 fences\n"
              "frame 'frame 1' 0+10\n"
              "pass 'window' 0+10\n"
              "frame 'frame 2' 15+10\n"
              "pass 'window' 15+10\n" },
   { "a flush without a fence is read later", "pass",
     "draw 5 10 1 frame-without-fence count draw 5 10 1 frame count",
     .trace = "0 slices, 4 queries, 0 fences\n"
              "4 slices, 8 queries, 0 fences\n"
              "frame 'frame 1' 0+10\n"
              "pass 'window' 0+10\n"
              "frame 'frame 2' 15+10\n"
              "pass 'window' 15+10\n" },
   { "a fence that nothing is before is released", "pass",
     "hold-none frame frame frame count draw 5 10 1 frame flush count",
     .trace = "0 slices, 0 queries, 0 fences\n"
              "0 slices, 4 queries, 1 fences\n"
              "frame 'frame 1' 0+10\n"
              "pass 'window' 0+10\n" },
   { "a lost device gives no numbers", "pass",
     "draw 5 10 1 frame hold-none draw 5 10 1 frame lose draw 5 10 1 frame",
     .shown = GPU ",not measured,calls",
     .trace = "frame 'frame 1' 0+10\n"
              "pass 'window' 0+10\n"
              "not measured, calls 2\n"
              "pitot: /pitot-world.json: 2 of 3 calls were not measured\n" },
};

/*
 * Traces as text
 */

static char text[1 << 16];

__attribute__((format(printf, 1, 2))) static void
say(const char *format, ...)
{
   const size_t used = strlen(text);
   va_list arguments;

   va_start(arguments, format);
   vsnprintf(text + used, sizeof(text) - used, format, arguments);
   va_end(arguments);
}

/* Names are separated by commas. */
static bool
is_in(const char *list, const char *name)
{
   const size_t length = strlen(name);

   for (; list; list = strchr(list, ',')) {
      list += *list == ',';
      if (strncmp(list, name, length) == 0 && strchr(",", list[length]))
         return true;
   }
   return false;
}

/* The number of a frame is in its name, and not said again. */
static void
check_number(const struct fake_event *frame)
{
   char name[32];

   snprintf(name, sizeof(name), "frame %.0f", fake_value(frame, "frame"));
   assert_memory_equal(frame->name, name, strlen(name));
}

/* Times are from the begin of the first slice on the GPU. */
static void
say_event(const struct fake_event *event, const char *shown)
{
   static const char *const kinds[] = {
      [FAKE_COUNTERS] = "counters",
      [FAKE_TRACK] = "track",
   };
   const struct fake_event *first = fake_slice(true, NULL, 0);
   const uint64_t zero_ns = first ? first->begin_ns : 0;
   const bool is_slice = event->type == FAKE_SLICE;
   const char *kind = is_slice                   ? event->category
                      : event->type == FAKE_MARK ? event->name
                                                 : kinds[event->type];

   if (!is_in(shown, kind))
      return;
   if (strcmp(kind, "frame") == 0)
      check_number(event);
   say("%s", kind);
   if (is_slice)
      say(" '%s'", event->name);
   if (event->type != FAKE_MARK)
      say(" %ld", (long)(event->begin_ns - zero_ns));
   if (is_slice)
      say("+%lu", (unsigned long)(event->end_ns - event->begin_ns));
   if (event->flow != 0 && is_in(shown, "flow"))
      say(" #%lu", (unsigned long)event->flow);
   for (unsigned i = 0; i < event->value_count; i++) {
      if (!is_in(shown, event->values[i].name) ||
          strcmp(event->values[i].name, kind) == 0)
         continue;
      say(", %s", event->values[i].name);
      if (event->values[i].string[0])
         say(" '%s'", event->values[i].string);
      else if (strcmp(event->values[i].name, "profile_cpu_ns") != 0)
         say(" %g", event->values[i].number);
   }
   say("\n");
}

static void
say_trace(const char *shown)
{
   for (unsigned i = 0; i < fake_event_count; i++)
      say_event(&fake_events[i], shown ? shown : GPU);
}

/*
 * Scripts
 */

static const char *const works[PITOT_PROFILE_WORK_COUNT] = {
   [PITOT_PROFILE_DRAW] = "draw",   [PITOT_PROFILE_DISPATCH] = "dispatch",
   [PITOT_PROFILE_CLEAR] = "clear", [PITOT_PROFILE_BLIT] = "blit",
   [PITOT_PROFILE_COPY] = "copy",
};

static uint64_t
take_number(const char **script)
{
   char *end;
   const uint64_t number = strtoul(*script, &end, 10);

   assert_ptr_not_equal(end, *script);
   *script = end;
   return number;
}

static bool
do_work(struct world *world, const char *word, const char **script)
{
   for (unsigned i = 0; i < PITOT_PROFILE_WORK_COUNT; i++) {
      if (strncmp(word, "begin-", 6) == 0 &&
          strcmp(word + 6, works[i]) == 0) {
         pitot_profile_before_work(world->profiled, i);
         return true;
      }
      if (strcmp(word, works[i]) != 0)
         continue;
      const uint64_t gap_ns = take_number(script);
      const uint64_t duration_ns = take_number(script);

      world_work(world, i, gap_ns, duration_ns, take_number(script));
      return true;
   }
   return false;
}

/* A call that ends a pass in its middle, and one that is too short. */
static void
read_back(struct world *world)
{
   const uint64_t begin_ns = world_cpu_ns(world);

   world->null.time_ns += 50000;
   pitot_profile_pass_ends(world->profiled);
   world->null.time_ns += 50000;
   pitot_profile_cpu_call(world->profiled, "readback", "map", begin_ns,
                          world_cpu_ns(world), 4096);
   pitot_profile_cpu_call(world->profiled, "upload", "short", begin_ns,
                          begin_ns + 9999, 0);
}

/* Returns whether it knows the word. */
static bool
call_profile(struct world *world, const char *word)
{
   struct pitot_profiled *profiled = world->profiled;

   if (strcmp(word, "end") == 0)
      pitot_profile_after_work(profiled);
   else if (strcmp(word, "pass") == 0)
      pitot_profile_pass_ends(profiled);
   else if (strcmp(word, "may-send") == 0)
      pitot_profile_may_send(profiled);
   else if (strcmp(word, "waited") == 0)
      pitot_profile_waited(profiled);
   else if (strcmp(word, "push-") == 0)
      pitot_profile_push_group(profiled, NULL, 0);
   else if (strncmp(word, "push-", 5) == 0)
      pitot_profile_push_group(profiled, word + 5, 1);
   else if (strcmp(word, "pop") == 0)
      pitot_profile_pop_group(profiled);
   else if (strcmp(word, "frame-ends") == 0)
      pitot_profile_frame_ends(profiled);
   else if (strcmp(word, "flush") == 0 || strcmp(word, "frame") == 0)
      world_flush(world, word[1] == 'r');
   else if (strcmp(word, "frame-without-fence") == 0) {
      pitot_profile_before_flush(profiled, true);
      pitot_profile_flushed(profiled, NULL);
   } else if (strcmp(word, "readback-pass") == 0)
      read_back(world);
   else
      return false;
   return true;
}

static void
hold_until(struct world *world, const char *until, uint64_t mark)
{
   world_hold(world, strcmp(until, "none") == 0     ? 0
                     : strcmp(until, "before") == 0 ? mark - 1
                     : strcmp(until, "mark") == 0   ? mark
                     : strcmp(until, "now") == 0    ? world->null.issued
                                                    : UINT64_MAX);
}

static bool
control(struct world *world, const char *word, const char **script)
{
   static uint64_t mark;
   static char name[32];

   if (strcmp(word, "idle") == 0) {
      world->null.time_ns += take_number(script);
   } else if (strncmp(word, "name-", 5) == 0) {
      snprintf(name, sizeof(name), "%s", word + 5);
      world->pass = name;
   } else if (strcmp(word, "mark") == 0) {
      mark = world->null.issued;
   } else if (strncmp(word, "hold-", 5) == 0) {
      hold_until(world, word + 5, mark);
   } else if (strcmp(word, "lose") == 0) {
      world->null.is_lost = true;
      world->fence_done = UINT64_MAX;
   } else if (strcmp(word, "disjoint") == 0) {
      world->null.base.disjoint = true;
   } else if (strcmp(word, "signal") == 0) {
      raise(SIGUSR2);
   } else if (strcmp(word, "count") == 0) {
      say("%u slices, %lu queries, %u fences\n", fake_slice_count(true, NULL),
          (unsigned long)world->null.issued, world->fences);
   } else {
      return false;
   }
   return true;
}

/* A call on the CPU. */
static void
make_call(struct world *world, const char *category, uint64_t duration_ns)
{
   const uint64_t begin_ns = world_cpu_ns(world);

   world->null.time_ns += duration_ns;
   pitot_profile_cpu_call(world->profiled, category, category, begin_ns,
                          world_cpu_ns(world), 4);
}

static void
run_script(struct world *world, const char *script)
{
   char word[32];
   int used;

   while (sscanf(script, " %31s%n", word, &used) == 1) {
      script += used;
      if (!do_work(world, word, &script) && !call_profile(world, word) &&
          !control(world, word, &script))
         make_call(world, word, take_number(&script));
   }
}

static uint64_t
no_pixels(void *data)
{
   (void)data;
   return 0;
}

static void
run_at(const struct profiled_case *c, const char *level)
{
   struct world_settings settings = c->settings;
   struct world world;

   world_listen();
   settings.level = level;
   text[0] = '\0';
   world_prepare(&world, &settings);
   if (c->has_no_size)
      world.info.pass_pixels = no_pixels;
   assert_int_equal(world_profile(&world), 0);
   run_script(&world, c->script);
   if (!world.null.is_lost)
      assert_int_equal(world.null.waits + world.null.polls, 0);
   assert_int_equal(world.null.flushes, 0);
   world_end(&world);
   const char *said = world_said();
   say_trace(c->shown);
   say("%s", said);
   if (strcmp(text, c->trace) != 0)
      fail_msg("the trace is\n%sand not\n%s", text, c->trace);
}

TEST_ROWS(NULL, NULL, const struct profiled_case *c, scripts_have_traces,
          cases)
{
   const char *levels = c->levels;
   char level[8];
   int used;

   for (; sscanf(levels, " %7s%n", level, &used) == 1; levels += used)
      run_at(c, level);
}
