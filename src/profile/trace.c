/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Writes a trace.  Events go into a buffer, which is written to the file as a
 * whole.  The file always ends with a complete event: if a write fails, the
 * file is cut after the last complete event, and nothing more is written.
 *
 * The danger is the program around this code: it may close the file, fork,
 * cancel the thread, or change the locale.
 */

#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define EVENT_MAX_B  (64 * 1024)
#define BUFFER_MAX_B (2 * EVENT_MAX_B)

/* 2^53: a double has all integers up to here. */
#define MAX_WHOLE 0x1p53

struct pitot_trace {
   int file;
   struct stat status; /* identifies the file */
   pid_t process;      /* that created the trace; a child writes nothing */
   uint64_t limit_B;   /* maximum size of the file */
   uint64_t written_B; /* complete events in the file */
   size_t event_B;     /* the offset of the event that is being added */
   bool has_event;
   bool has_failed;           /* a write failed: nothing more is written */
   int error;                 /* the first one, a negative errno value */
   size_t length_B;           /* all of buffer: an event did not fit */
   char buffer[BUFFER_MAX_B]; /* complete events to be written */
};

/*
 * JSON, into the buffer.  The text does not depend on the program's locale.
 */

/* Inline: most of a trace is constant text, then copied without a call. */
static inline void
put_bytes(struct pitot_trace *trace, const char *text, size_t length_B)
{
   if (length_B > sizeof(trace->buffer) - trace->length_B) {
      trace->length_B = sizeof(trace->buffer);
      return;
   }
   memcpy(trace->buffer + trace->length_B, text, length_B);
   trace->length_B += length_B;
}

static inline void
put_text(struct pitot_trace *trace, const char *text)
{
   put_bytes(trace, text, strlen(text));
}

/* Returns the length of a UTF-8 character (RFC 3629, section 4), or 0. */
static size_t
utf8_length(const unsigned char *c)
{
   const size_t length_B = c[0] < 0x80   ? 1
                           : c[0] < 0xc2 ? 0
                           : c[0] < 0xe0 ? 2
                           : c[0] < 0xf0 ? 3
                           : c[0] < 0xf5 ? 4
                                         : 0;
   const unsigned char min = c[0] == 0xe0 ? 0xa0 : c[0] == 0xf0 ? 0x90 : 0x80;
   const unsigned char max = c[0] == 0xed ? 0x9f : c[0] == 0xf4 ? 0x8f : 0xbf;

   if (length_B > 1 && (c[1] < min || c[1] > max))
      return 0;
   for (size_t i = 2; i < length_B; i++) {
      if ((c[i] & 0xc0) != 0x80)
         return 0;
   }
   return length_B;
}

/* Returns whether a byte is ASCII and needs no escape in a string. */
static inline bool
is_plain(unsigned char c)
{
   static const bool plain[256] = {
      [' '] = true,
      ['!'] = true,
      ['#' ... '['] = true,
      [']' ... '~'] = true,
   };

   return plain[c];
}

/* Writes a character that is not plain.  Returns its length in bytes. */
static size_t
put_unusual(struct pitot_trace *trace, const unsigned char *c)
{
   const size_t length_B = utf8_length(c);
   char escape[8];

   if (length_B == 0) {
      put_text(trace, "\\ufffd");
      return 1;
   }
   if (*c < 0x20 || *c == 0x7f) {
      snprintf(escape, sizeof(escape), "\\u%04x", *c);
      put_text(trace, escape);
      return 1;
   }
   if (*c == '"' || *c == '\\')
      put_text(trace, "\\");
   put_bytes(trace, (const char *)c, length_B);
   return length_B;
}

/* Writes before, and string in quotes, with U+FFFD for what is not UTF-8. */
static void
put_string(struct pitot_trace *trace, const char *before, const char *string)
{
   const unsigned char *c = (const unsigned char *)string;

   put_text(trace, before);
   put_text(trace, "\"");
   while (*c) {
      const unsigned char *plain = c;

      while (is_plain(*c))
         c++;
      put_bytes(trace, (const char *)plain, (size_t)(c - plain));
      if (*c)
         c += put_unusual(trace, c);
   }
   put_text(trace, "\"");
}

/* Writes units / 10^decimals.  printf() would take most of the time. */
static void
put_decimals(struct pitot_trace *trace, uint64_t units, unsigned decimals)
{
   char text[32];
   char *begin = text + sizeof(text);

   for (unsigned i = 0; i < decimals; i++, units /= 10)
      *--begin = (char)('0' + units % 10);
   if (decimals > 0)
      *--begin = '.';
   do {
      *--begin = (char)('0' + units % 10);
      units /= 10;
   } while (units > 0);
   put_bytes(trace, begin, (size_t)(text + sizeof(text) - begin));
}

/* Returns whether the number is an integer from 0 to 2^53, and not -0. */
static bool
is_whole(double value)
{
   return value >= 0 && value <= MAX_WHOLE && !signbit(value) &&
          (double)(uint64_t)value == value;
}

/* Writes a number that reads back exactly; or null for infinities and NaN,
 * which JSON lacks.  Six decimals are exact for a time in milliseconds.
 * printf() uses the program's locale, whose decimal point may be another
 * character, of one byte or more.
 */
static void
put_double(struct pitot_trace *trace, double value)
{
   const double millionths = round(value * 1e6);
   char text[64];

   if (!isfinite(value)) {
      put_text(trace, "null");
      return;
   }
   if (is_whole(value)) {
      put_decimals(trace, (uint64_t)value, 0);
      return;
   }
   if (is_whole(millionths) && millionths / 1e6 == value) {
      put_decimals(trace, (uint64_t)millionths, 6);
      return;
   }
   snprintf(text, sizeof(text), "%.17g", value);

   const size_t before_B = strspn(text, "-0123456789e+");
   const size_t point_B = strcspn(text + before_B, "-0123456789e+");

   put_bytes(trace, text, before_B);
   if (point_B > 0) {
      put_text(trace, ".");
      put_text(trace, text + before_B + point_B);
   }
}

/* Writes the text before, and then microseconds with three decimals. */
static void
put_time(struct pitot_trace *trace, const char *before, uint64_t time_ns)
{
   put_text(trace, before);
   put_decimals(trace, time_ns, 3);
}

/*
 * The file
 */

/* Opens a file with a descriptor above the standard ones: the program may
 * have closed those, and what it writes to them would end up in the trace.
 * With O_NONBLOCK, a pipe without a reader is an error instead of a wait.
 */
static int
open_file(const char *path)
{
   const int file =
      open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);

   if (file < 0)
      return -errno;
   if (file > STDERR_FILENO)
      return file;
   const int higher = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
   const int error = -errno;
   close(file);
   return higher >= 0 ? higher : error;
}

static bool
is_same_file(const struct stat *one, const struct stat *other)
{
   return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Locks the file, and then empties it.  Fails with -EBUSY and leaves the
 * contents if another writer has the lock, or if path names another file now.
 */
static int
take_file(int file, const char *path, struct stat *status_out)
{
   struct stat named = { 0 };

   if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      return -EBUSY;
   if (fstat(file, status_out) != 0)
      return -errno;
   if (!S_ISREG(status_out->st_mode))
      return -EINVAL;
   if (stat(path, &named) != 0 || !is_same_file(&named, status_out))
      return -EBUSY;
   return ftruncate(file, 0) == 0 ? 0 : -errno;
}

int
pitot_trace_create(const char *path, uint64_t limit_B,
                   struct pitot_trace **trace_out)
{
   struct pitot_trace *trace = calloc(1, sizeof(*trace));
   int error;

   if (!trace)
      return -ENOMEM;
   trace->file = open_file(path);
   error = trace->file < 0 ? trace->file
                           : take_file(trace->file, path, &trace->status);
   if (error) {
      if (trace->file >= 0)
         close(trace->file);
      free(trace);
      return error;
   }
   trace->limit_B = limit_B;
   trace->process = getpid();
   *trace_out = trace;
   return 0;
}

/* A program may close descriptors that are not its own, and another file may
 * get the number: check that it is still the trace.
 */
static bool
has_file(const struct pitot_trace *trace)
{
   struct stat status = { 0 };

   return fstat(trace->file, &status) == 0 &&
          is_same_file(&status, &trace->status);
}

/* A write beyond RLIMIT_FSIZE would kill the program by SIGXFSZ. */
static bool
is_in_limits(const struct pitot_trace *trace)
{
   const uint64_t size_B = trace->written_B + trace->length_B;
   struct rlimit limit;

   return size_B <= trace->limit_B &&
          (getrlimit(RLIMIT_FSIZE, &limit) != 0 || size_B <= limit.rlim_cur);
}

/* Writes the buffer.  On failure part of it may be in the file. */
static int
write_buffer(const struct pitot_trace *trace)
{
   size_t done_B = 0;

   if (trace->length_B == 0)
      return 0;
   if (!has_file(trace))
      return -EBADF;
   if (!is_in_limits(trace))
      return -EFBIG;
   while (done_B < trace->length_B) {
      const ssize_t more_B =
         write(trace->file, trace->buffer + done_B, trace->length_B - done_B);

      if (more_B < 0 && errno != EINTR)
         return -errno;
      if (more_B > 0)
         done_B += (size_t)more_B;
   }
   return 0;
}

/* After a failed write, cuts the file after the last complete event, because
 * other readers of the format reject half an event.  Disables cancellation: a
 * thread cancelled in write() would leave its locks locked.
 */
static void
flush_trace(struct pitot_trace *trace)
{
   if (!trace->has_failed && getpid() == trace->process) {
      int state;

      pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
      const int error = write_buffer(trace);
      pthread_setcancelstate(state, &state);

      if (error == 0) {
         trace->written_B += trace->length_B;
      } else {
         trace->has_failed = true;
         trace->error = error;
         if (error != -EBADF) /* if this fails, half an event stays */
            (void)!ftruncate(trace->file, (off_t)trace->written_B);
      }
   }
   trace->length_B = 0;
}

int
pitot_trace_flush(struct pitot_trace *trace)
{
   flush_trace(trace);
   return trace->has_failed ? trace->error : 0;
}

int
pitot_trace_close(struct pitot_trace *trace)
{
   int error;

   flush_trace(trace);
   put_text(trace, trace->has_event ? "\n]\n" : "[\n]\n");
   flush_trace(trace);
   if (has_file(trace)) {
      /* A child of fork() has the file open, too, and would keep the lock. */
      (void)flock(trace->file, LOCK_UN);
      if (close(trace->file) != 0 && trace->error == 0)
         trace->error = -errno;
   }
   error = trace->error;
   free(trace);
   return error;
}

/*
 * Events
 */

/* type: the phase of Chrome's trace format. */
static void
begin_event(struct pitot_trace *trace, const char *type,
            struct pitot_trace_track track)
{
   if (trace->length_B > EVENT_MAX_B)
      flush_trace(trace);
   trace->event_B = trace->length_B;
   put_text(trace, trace->has_event ? ",\n{\"ph\":\"" : "[\n{\"ph\":\"");
   put_text(trace, type);
   put_text(trace, "\",\"pid\":");
   put_decimals(trace, track.process, 0);
   put_text(trace, ",\"tid\":");
   put_decimals(trace, track.thread, 0);
}

static void
end_event(struct pitot_trace *trace)
{
   put_text(trace, "}");
   if (trace->length_B == sizeof(trace->buffer) ||
       trace->length_B - trace->event_B > EVENT_MAX_B) {
      trace->length_B = trace->event_B;
      if (trace->error == 0)
         trace->error = -EMSGSIZE;
   } else {
      trace->has_event = true;
   }
}

static void
put_value(struct pitot_trace *trace, const struct pitot_trace_value *value)
{
   if (value->string)
      put_string(trace, "", value->string);
   else
      put_double(trace, value->number);
}

static void
put_values(struct pitot_trace *trace, const struct pitot_trace_value *values,
           unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      put_string(trace, i == 0 ? ",\"args\":{" : ",", values[i].name);
      put_text(trace, ":");
      put_value(trace, &values[i]);
   }
   if (count > 0)
      put_text(trace, "}");
}

static void
name_one(struct pitot_trace *trace, struct pitot_trace_track track,
         const char *kind, const char *name)
{
   begin_event(trace, "M", track);
   put_string(trace, ",\"name\":", kind);
   put_string(trace, ",\"args\":{\"name\":", name);
   put_text(trace, "}");
   end_event(trace);
}

void
pitot_trace_name_track(struct pitot_trace *trace,
                       struct pitot_trace_track track, const char *process,
                       const char *thread)
{
   name_one(trace, track, "process_name", process);
   name_one(trace, track, "thread_name", thread);
}

/* A flow event ("s") on the CPU begins at a call, and its "f" ends at the
 * execution on the GPU.  "bp":"e" binds both to the slice around them.
 */
static void
add_flow(struct pitot_trace *trace, const struct pitot_trace_slice *slice)
{
   begin_event(trace, slice->track.process != 0 ? "s" : "f", slice->track);
   put_time(trace, ",\"ts\":", slice->begin_ns);
   put_text(trace, ",\"bp\":\"e\",\"id\":");
   put_decimals(trace, slice->flow, 0);
   put_text(trace, ",\"cat\":\"flow\",\"name\":\"execution\"");
   end_event(trace);
}

void
pitot_trace_slice(struct pitot_trace *trace,
                  const struct pitot_trace_slice *slice)
{
   const uint64_t end_ns =
      slice->end_ns > slice->begin_ns ? slice->end_ns : slice->begin_ns;

   begin_event(trace, "X", slice->track);
   put_time(trace, ",\"ts\":", slice->begin_ns);
   put_time(trace, ",\"dur\":", end_ns - slice->begin_ns);
   put_string(trace, ",\"cat\":", slice->category);
   put_string(trace, ",\"name\":", slice->name);
   put_values(trace, slice->values, slice->value_count);
   end_event(trace);
   if (slice->flow != 0)
      add_flow(trace, slice);
}

void
pitot_trace_counter(struct pitot_trace *trace, uint64_t time_ns,
                    const struct pitot_trace_value *value)
{
   begin_event(trace, "C", (struct pitot_trace_track){ 0 });
   put_time(trace, ",\"ts\":", time_ns);
   put_string(trace, ",\"name\":", value->name);
   put_text(trace, ",\"args\":{\"value\":");
   put_value(trace, value);
   put_text(trace, "}");
   end_event(trace);
}

void
pitot_trace_mark(struct pitot_trace *trace, uint64_t time_ns,
                 const char *name, const struct pitot_trace_value *values,
                 unsigned value_count)
{
   begin_event(trace, "i", (struct pitot_trace_track){ 0 });
   put_time(trace, ",\"ts\":", time_ns);
   put_string(trace, ",\"s\":\"p\",\"name\":", name);
   put_values(trace, values, value_count);
   end_event(trace);
}
