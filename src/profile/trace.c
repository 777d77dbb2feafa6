/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
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

/* 2^53: whole numbers up to here are exact. */
#define MAX_WHOLE 0x1p53
#define MILLION   1000000

struct pitot_trace {
   int file;
   dev_t device; /* of the file */
   ino_t inode;
   pid_t process;      /* that created the trace */
   uint64_t limit_B;   /* of the file */
   uint64_t written_B; /* of whole events, in the file */
   size_t event_B;     /* the offset of the event that is being added */
   bool has_event;
   bool has_failed; /* to write: no more is tried */
   int error;       /* the first one, a negative errno value */
   bool is_full;    /* the buffer: something did not fit */
   size_t length_B;
   char buffer[BUFFER_MAX_B]; /* whole events that are to be written */
};

/*
 * JSON, into the buffer.  No locale changes the text.
 */

/* Writes bytes as they are; inline, since most of a trace are constant texts,
 * which the compiler copies without a call.
 */
static inline void
put_bytes(struct pitot_trace *trace, const char *text, size_t length_B)
{
   if (length_B > sizeof(trace->buffer) - trace->length_B) {
      trace->is_full = true;
      return;
   }
   memcpy(trace->buffer + trace->length_B, text, length_B);
   trace->length_B += length_B;
}

static inline void
put(struct pitot_trace *trace, const char *text)
{
   put_bytes(trace, text, strlen(text));
}

/* Returns the bytes of the first character of a text that is not empty, or 0
 * if they are no UTF-8 (RFC 3629, section 4).
 */
static size_t
utf8_length(const unsigned char *c)
{
   static const struct {
      unsigned char first_min, first_max, second_min, second_max;
      unsigned char length_B;
   } forms[] = {
      { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
      { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
      { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
      { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
   };

   if (c[0] < 0x80)
      return 1;
   for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
      if (c[0] < forms[i].first_min || c[0] > forms[i].first_max)
         continue;
      if (c[1] < forms[i].second_min || c[1] > forms[i].second_max)
         return 0;
      for (size_t k = 2; k < forms[i].length_B; k++) {
         if ((c[k] & 0xc0) != 0x80)
            return 0;
      }
      return forms[i].length_B;
   }
   return 0;
}

/* Returns the bytes that stand for themselves in a string, and are ASCII. */
static size_t
plain_length(const unsigned char *c)
{
   static const bool is_plain[256] = {
      [' '] = true,
      ['!'] = true,
      ['#' ... '['] = true,
      [']' ... '~'] = true,
   };
   size_t length_B = 0;

   while (is_plain[c[length_B]])
      length_B++;
   return length_B;
}

/* Writes a character that does not stand for itself.  Returns its bytes. */
static size_t
put_unusual(struct pitot_trace *trace, const unsigned char *c)
{
   const size_t length_B = utf8_length(c);
   char escape[8];

   if (length_B == 0) {
      put(trace, "\\ufffd");
      return 1;
   }
   if (*c < 0x20 || *c == 0x7f) {
      snprintf(escape, sizeof(escape), "\\u%04x", *c);
      put(trace, escape);
      return 1;
   }
   if (*c == '"' || *c == '\\')
      put(trace, "\\");
   put_bytes(trace, (const char *)c, length_B);
   return length_B;
}

/* Writes a string in quotes, after a text.  Bytes that are no UTF-8 become
 * U+FFFD.
 */
static void
put_string(struct pitot_trace *trace, const char *before, const char *string)
{
   const unsigned char *c = (const unsigned char *)string;

   put(trace, before);
   put(trace, "\"");
   while (*c) {
      const size_t length_B = plain_length(c);

      put_bytes(trace, (const char *)c, length_B);
      c += length_B;
      if (*c)
         c += put_unusual(trace, c);
   }
   put(trace, "\"");
}

/* Numbers are written by hand, two digits at a time: printf() takes most of
 * the time of a trace.  Returns where the digits before the end begin.
 */
static char *
write_digits(char *end, uint64_t value, unsigned min_count)
{
   static const char pairs[] = "00010203040506070809101112131415161718192021"
                               "22232425262728293031323334353637383940414243"
                               "44454647484950515253545556575859606162636465"
                               "66676869707172737475767778798081828384858687"
                               "888990919293949596979899";
   const char *stop = end - min_count;

   for (; value >= 10; value /= 100) {
      end -= 2;
      memcpy(end, &pairs[value % 100 * 2], 2);
   }
   if (value > 0)
      *--end = (char)('0' + value);
   while (end > stop)
      *--end = '0';
   return end;
}

/* Writes a number of parts, so many of which are 1. */
static void
put_decimals(struct pitot_trace *trace, uint64_t parts, uint64_t unit,
             unsigned decimals)
{
   char text[32];
   char *end = text + sizeof(text);
   char *begin = write_digits(end, parts % unit, decimals);

   *--begin = '.';
   begin = write_digits(begin, parts / unit, 1);
   put_bytes(trace, begin, (size_t)(end - begin));
}

static void
put_u64(struct pitot_trace *trace, uint64_t value)
{
   char text[20];
   char *end = text + sizeof(text);
   const char *begin = write_digits(end, value, 1);

   put_bytes(trace, begin, (size_t)(end - begin));
}

/* Returns whether the number is a whole one that a double tells exactly. */
static bool
is_whole(double value)
{
   return value >= 0 && value <= MAX_WHOLE && !signbit(value) &&
          (double)(uint64_t)value == value;
}

/* Writes a number that six decimals tell exactly, as those of a time in
 * milliseconds.  Returns whether it is one.
 */
static bool
put_millionths(struct pitot_trace *trace, double value)
{
   const double millionths = round(value * MILLION);

   if (!is_whole(millionths) || millionths / MILLION != value)
      return false;
   put_decimals(trace, (uint64_t)millionths, MILLION, 6);
   return true;
}

/* Writes a number that reads back exactly; null for an infinity or NaN, which
 * JSON does not have.  The program may have chosen a locale in which the
 * decimal point is another character, of one byte or more.
 */
static void
put_double(struct pitot_trace *trace, double value)
{
   char text[64];

   if (!isfinite(value)) {
      put(trace, "null");
      return;
   }
   if (is_whole(value)) {
      put_u64(trace, (uint64_t)value);
      return;
   }
   if (put_millionths(trace, value))
      return;
   snprintf(text, sizeof(text), "%.17g", value);

   const size_t before_B = strspn(text, "-0123456789e+");
   const size_t point_B = strcspn(text + before_B, "-0123456789e+");

   put_bytes(trace, text, before_B);
   if (point_B > 0) {
      put(trace, ".");
      put(trace, text + before_B + point_B);
   }
}

/* Writes nanoseconds as microseconds with three decimals, after a text. */
static void
put_time(struct pitot_trace *trace, const char *before, uint64_t time_ns)
{
   put(trace, before);
   put_decimals(trace, time_ns, 1000, 3);
}

/*
 * The file
 */

/* Opens a file whose number is none of the standard files', which the program
 * may have closed: others would write to it.  A pipe without a reader is an
 * error here, rather than a wait.
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

/* Locks the file and empties it.  Returns 0; -ESTALE if it is not the file of
 * that name any more; or another negative errno value.
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
   if (stat(path, &named) != 0 || named.st_ino != status_out->st_ino ||
       named.st_dev != status_out->st_dev)
      return -ESTALE;
   return ftruncate(file, 0) == 0 ? 0 : -errno;
}

/* Opens a file for one writer at a time.  Its contents are kept until there
 * is no other writer.  A file that is replaced again and again is in use.
 */
static int
open_alone(const char *path, struct stat *status_out)
{
   for (unsigned i = 0; i < 10; i++) {
      const int file = open_file(path);

      if (file < 0)
         return file;

      const int error = take_file(file, path, status_out);

      if (error == 0)
         return file;
      close(file);
      if (error != -ESTALE)
         return error;
   }
   return -EBUSY;
}

int
pitot_trace_create(const char *path, uint64_t limit_B,
                   struct pitot_trace **trace_out)
{
   struct pitot_trace *trace = calloc(1, sizeof(*trace));
   struct stat status = { 0 };

   if (!trace)
      return -ENOMEM;
   trace->file = open_alone(path, &status);
   if (trace->file < 0) {
      const int error = trace->file;

      free(trace);
      return error;
   }
   trace->device = status.st_dev;
   trace->inode = status.st_ino;
   trace->limit_B = limit_B;
   trace->process = getpid();
   *trace_out = trace;
   return 0;
}

/* Programs close files that are not theirs, and get the number for another
 * one.
 */
static bool
has_file(const struct pitot_trace *trace)
{
   struct stat status = { 0 };

   return fstat(trace->file, &status) == 0 &&
          status.st_dev == trace->device && status.st_ino == trace->inode;
}

/* Returns whether the buffer still fits.  A write beyond RLIMIT_FSIZE would
 * end the program, by SIGXFSZ.
 */
static bool
is_in_limits(const struct pitot_trace *trace)
{
   const uint64_t size_B = trace->written_B + trace->length_B;
   struct rlimit limit;

   return size_B <= trace->limit_B &&
          (getrlimit(RLIMIT_FSIZE, &limit) != 0 || size_B <= limit.rlim_cur);
}

/* Writes all of the buffer, or as much as there is room for. */
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

/* Cuts the file where the events of a failed write begin: half an event would
 * keep others from reading the file.  A thread that is cancelled in write()
 * would leave its locks locked.
 */
static void
flush(struct pitot_trace *trace)
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
         if (trace->error == 0)
            trace->error = error;
         const int cut = error == -EBADF
                            ? error
                            : ftruncate(trace->file, (off_t)trace->written_B);
         (void)cut; /* half an event may stay */
      }
   }
   trace->length_B = 0;
}

int
pitot_trace_flush(struct pitot_trace *trace)
{
   flush(trace);
   return trace->has_failed ? trace->error : 0;
}

int
pitot_trace_close(struct pitot_trace *trace)
{
   int error;

   flush(trace);
   put(trace, trace->has_event ? "\n]\n" : "[\n]\n");
   flush(trace);
   if (has_file(trace)) {
      /* A child of fork() has the file open, too, and would hold its lock. */
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

/* Begins an event of a type of Chrome's trace format. */
static void
begin_event(struct pitot_trace *trace, const char *type,
            struct pitot_trace_track track)
{
   if (trace->length_B > EVENT_MAX_B)
      flush(trace);
   trace->is_full = false;
   trace->event_B = trace->length_B;
   put(trace, trace->has_event ? ",\n{\"ph\":\"" : "[\n{\"ph\":\"");
   put(trace, type);
   put(trace, "\",\"pid\":");
   put_u64(trace, track.process);
   put(trace, ",\"tid\":");
   put_u64(trace, track.thread);
}

static void
end_event(struct pitot_trace *trace)
{
   put(trace, "}");
   if (trace->is_full || trace->length_B - trace->event_B > EVENT_MAX_B) {
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
      put(trace, ":");
      put_value(trace, &values[i]);
   }
   if (count > 0)
      put(trace, "}");
}

static void
name_one(struct pitot_trace *trace, struct pitot_trace_track track,
         const char *kind, const char *name)
{
   begin_event(trace, "M", track);
   put_string(trace, ",\"name\":", kind);
   put_string(trace, ",\"args\":{\"name\":", name);
   put(trace, "}");
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

/* An arrow begins at a call on the CPU, and ends at its execution: at the
 * slice of the track that is around it.
 */
static void
add_flow(struct pitot_trace *trace, const struct pitot_trace_slice *slice)
{
   begin_event(trace, slice->track.process != 0 ? "s" : "f", slice->track);
   put_time(trace, ",\"ts\":", slice->begin_ns);
   put(trace, ",\"bp\":\"e\",\"id\":");
   put_u64(trace, slice->flow);
   put(trace, ",\"cat\":\"flow\",\"name\":\"execution\"");
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
   put(trace, ",\"args\":{\"value\":");
   put_value(trace, value);
   put(trace, "}");
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
