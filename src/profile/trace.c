/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json.h"

#define EVENT_MAX_B  (64 * 1024)
#define BUFFER_MAX_B (2 * EVENT_MAX_B)

struct pitot_trace {
   int file;
   dev_t device; /* of the file */
   ino_t inode;
   pid_t process;          /* that created the trace */
   uint64_t limit_B;       /* of the file */
   uint64_t written_B;     /* of whole events, in the file */
   struct pitot_json json; /* the whole events that are still to be written */
   size_t event_B;         /* the offset of the event that is being added */
   bool has_event;
   bool has_failed; /* to write: no more is tried */
   int error;       /* the first one, a negative errno value */
   char buffer[BUFFER_MAX_B];
};

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
   trace->json.text = trace->buffer;
   trace->json.size_B = sizeof(trace->buffer);
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
   const uint64_t size_B = trace->written_B + trace->json.length_B;
   struct rlimit limit;

   return size_B <= trace->limit_B &&
          (getrlimit(RLIMIT_FSIZE, &limit) != 0 || size_B <= limit.rlim_cur);
}

/* Writes all of the buffer, or as much as there is room for. */
static int
write_buffer(const struct pitot_trace *trace)
{
   size_t done_B = 0;

   if (trace->json.length_B == 0)
      return 0;
   if (!has_file(trace))
      return -EBADF;
   if (!is_in_limits(trace))
      return -EFBIG;
   while (done_B < trace->json.length_B) {
      const ssize_t more_B = write(trace->file, trace->buffer + done_B,
                                   trace->json.length_B - done_B);

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
         trace->written_B += trace->json.length_B;
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
   trace->json.length_B = 0;
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
   pitot_json_raw(&trace->json, trace->has_event ? "\n]\n" : "[\n]\n");
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

/* Begins an event, and returns the JSON to write it to. */
static struct pitot_json *
begin_event(struct pitot_trace *trace, const char *type,
            struct pitot_trace_track track)
{
   struct pitot_json *json = &trace->json;

   if (json->length_B > EVENT_MAX_B)
      flush(trace);
   json->is_full = false;
   trace->event_B = json->length_B;
   if (trace->has_event)
      pitot_json_raw(json, ",\n{\"ph\":\"");
   else
      pitot_json_raw(json, "[\n{\"ph\":\"");
   pitot_json_raw(json, type);
   pitot_json_raw(json, "\",\"pid\":");
   pitot_json_u64(json, track.process);
   pitot_json_raw(json, ",\"tid\":");
   pitot_json_u64(json, track.thread);
   return json;
}

static void
end_event(struct pitot_trace *trace)
{
   struct pitot_json *json = &trace->json;

   pitot_json_raw(json, "}");
   if (json->is_full || json->length_B - trace->event_B > EVENT_MAX_B) {
      json->length_B = trace->event_B;
      if (trace->error == 0)
         trace->error = -EMSGSIZE;
   } else {
      trace->has_event = true;
   }
}

static void
put_string(struct pitot_json *json, const char *key, const char *value)
{
   pitot_json_raw(json, key);
   pitot_json_string(json, value);
}

static void
put_time(struct pitot_json *json, const char *key, uint64_t time_ns)
{
   pitot_json_raw(json, key);
   pitot_json_time(json, time_ns);
}

static void
put_value(struct pitot_json *json, const struct pitot_trace_value *value)
{
   switch (value->type) {
   case PITOT_TRACE_U64:
      pitot_json_u64(json, value->u64);
      break;
   case PITOT_TRACE_DOUBLE:
      pitot_json_double(json, value->number);
      break;
   case PITOT_TRACE_STRING:
      pitot_json_string(json, value->string);
      break;
   }
}

static void
put_values(struct pitot_json *json, const struct pitot_trace_value *values,
           unsigned count)
{
   if (count == 0)
      return;
   for (unsigned i = 0; i < count; i++) {
      put_string(json, i == 0 ? ",\"args\":{" : ",", values[i].name);
      pitot_json_raw(json, ":");
      put_value(json, &values[i]);
   }
   pitot_json_raw(json, "}");
}

static void
name_one(struct pitot_trace *trace, struct pitot_trace_track track,
         const char *kind, const char *name)
{
   struct pitot_json *json = begin_event(trace, "M", track);

   put_string(json, ",\"name\":", kind);
   put_string(json, ",\"args\":{\"name\":", name);
   pitot_json_raw(json, "}");
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

/* An arrow begins or ends at the slice of its track that is around it. */
static void
add_flow(struct pitot_trace *trace, const struct pitot_trace_slice *slice)
{
   struct pitot_json *json =
      begin_event(trace, slice->is_flow_begin ? "s" : "f", slice->track);

   put_time(json, ",\"ts\":", slice->begin_ns);
   pitot_json_raw(json, ",\"bp\":\"e\",\"id\":");
   pitot_json_u64(json, slice->flow);
   pitot_json_raw(json, ",\"cat\":\"flow\",\"name\":\"execution\"");
   end_event(trace);
}

void
pitot_trace_slice(struct pitot_trace *trace,
                  const struct pitot_trace_slice *slice)
{
   struct pitot_json *json = begin_event(trace, "X", slice->track);

   put_time(json, ",\"ts\":", slice->begin_ns);
   put_time(json, ",\"dur\":",
            slice->end_ns > slice->begin_ns ? slice->end_ns - slice->begin_ns
                                            : 0);
   put_string(json, ",\"cat\":", slice->category);
   put_string(json, ",\"name\":", slice->name);
   put_values(json, slice->values, slice->value_count);
   end_event(trace);
   if (slice->flow != 0)
      add_flow(trace, slice);
}

void
pitot_trace_counters(struct pitot_trace *trace, unsigned process,
                     uint64_t time_ns, const struct pitot_trace_value *values,
                     unsigned value_count)
{
   for (unsigned i = 0; i < value_count; i++) {
      const struct pitot_trace_track track = { .process = process };
      struct pitot_json *json = begin_event(trace, "C", track);

      put_time(json, ",\"ts\":", time_ns);
      put_string(json, ",\"name\":", values[i].name);
      pitot_json_raw(json, ",\"args\":{\"value\":");
      put_value(json, &values[i]);
      pitot_json_raw(json, "}");
      end_event(trace);
   }
}

void
pitot_trace_mark(struct pitot_trace *trace, unsigned process,
                 uint64_t time_ns, const char *name,
                 const struct pitot_trace_value *values, unsigned value_count)
{
   const struct pitot_trace_track track = { .process = process };
   struct pitot_json *json = begin_event(trace, "i", track);

   put_time(json, ",\"ts\":", time_ns);
   pitot_json_raw(json, ",\"s\":\"p\"");
   put_string(json, ",\"name\":", name);
   put_values(json, values, value_count);
   end_event(trace);
}
