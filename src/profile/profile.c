/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The profile of a process: its files, and its begin and end.
 */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile_priv.h"
#include "report.h"

struct pitot_profile_of_process pitot_profile_of_process = {
   .lock = PTHREAD_MUTEX_INITIALIZER,
};

static struct pitot_profile_of_process *const the = &pitot_profile_of_process;

uint64_t
pitot_profile_next_flow(struct pitot_profile *profile)
{
   return atomic_fetch_add_explicit(&profile->flow, 1, memory_order_relaxed) +
          1;
}

/* Fails only in a thread that has the lock already: one whose handler of a
 * signal calls exit().
 */
static bool
lock_unless_owned(struct pitot_profile *profile)
{
   return pthread_mutex_lock(&profile->lock) == 0;
}

bool
pitot_profile_lock(struct pitot_profile *profile)
{
   pthread_mutex_lock(&profile->lock);
   return profile->trace;
}

void
pitot_profile_unlock(struct pitot_profile *profile)
{
   pthread_mutex_unlock(&profile->lock);
}

/*
 * Files
 */

void
pitot_profile_free(struct pitot_profile *profile)
{
   if (profile->trace_path != profile->output_path)
      free(profile->trace_path);
   free(profile->output_path);
   pitot_profile_settings_finish(&profile->settings);
   pthread_mutex_destroy(&profile->lock);
   free(profile);
}

/* Names the files.  The name of the output has the process's id if another
 * process has the file.
 */
static bool
name_files(struct pitot_profile *profile, bool has_id)
{
   const char *path = profile->settings.path;

   if (profile->trace_path != profile->output_path)
      free(profile->trace_path);
   free(profile->output_path);
   profile->output_path =
      has_id ? pitot_profile_path_with(path, (unsigned long)getpid())
             : strdup(path);
   profile->trace_path = profile->output_path;
   if (profile->output_path && !pitot_profile_is_trace_path(path) &&
       asprintf(&profile->trace_path, "%s.json", profile->output_path) < 0)
      profile->trace_path = NULL;
   return profile->output_path && profile->trace_path;
}

/* Returns 0 if the output can be written at the end, or a negative errno
 * value.  A program that dies leaves no output that is empty.
 */
static int
try_output(const struct pitot_profile *profile)
{
   const int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
   int file = open(profile->output_path, flags | O_EXCL, 0666);
   const bool is_new = file >= 0;

   if (!is_new)
      file = open(profile->output_path, flags, 0666);
   if (file < 0)
      return -errno;
   close(file);
   if (is_new)
      unlink(profile->output_path);
   return 0;
}

static int
open_files(struct pitot_profile *profile)
{
   int error = -EBUSY;

   for (unsigned i = 0; i < 2 && error == -EBUSY; i++) {
      if (!name_files(profile, i > 0))
         return -ENOMEM;
      error = pitot_trace_create(profile->trace_path, &profile->trace);
   }
   if (!error && profile->trace_path != profile->output_path)
      error = try_output(profile);
   return error;
}

/* Closes the trace, and removes the files of a profile that has no content.
 */
static void
drop_files(struct pitot_profile *profile)
{
   if (!profile->trace)
      return;
   (void)pitot_trace_close(profile->trace);
   profile->trace = NULL;
   unlink(profile->trace_path);
}

/*
 * The profile
 */

/* Keeps the library in which this is: a program may unload it, and load it
 * again (SDL does, for each window), or be sent SIGUSR2 meanwhile.
 */
static void
stay_loaded(void)
{
   Dl_info info;

   if (dladdr(the, &info))
      (void)dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static struct pitot_profile *
create_profile(void)
{
   struct pitot_profile *profile = calloc(1, sizeof(*profile));
   pthread_mutexattr_t attributes;

   if (!profile)
      return NULL;
   if (pitot_profile_settings_read(&profile->settings)) {
      free(profile);
      return NULL;
   }
   pthread_mutexattr_init(&attributes);
   pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
   pthread_mutex_init(&profile->lock, &attributes);
   pthread_mutexattr_destroy(&attributes);

   const int error = open_files(profile);
   if (error) {
      pitot_profile_say("PITOT_PROFILE=%s: %s: no profile",
                        profile->settings.path, strerror(-error));
      drop_files(profile);
      pitot_profile_free(profile);
      return NULL;
   }
   profile->process = getpid();
   stay_loaded();
   pitot_profile_handle_signal();
   return profile;
}

/* A child of fork() that draws has a profile of its own. */
static bool
is_of_parent(const struct pitot_profile *profile)
{
   return profile && profile->process != getpid();
}

struct pitot_profile *
pitot_profile_get(void)
{
   struct pitot_profile *profile;

   if (!secure_getenv("PITOT_PROFILE"))
      return NULL;
   pthread_mutex_lock(&the->lock);
   if (!the->is_over && (!the->is_asked || is_of_parent(the->profile)))
      the->profile = create_profile();
   the->is_asked = true;
   profile = the->is_over ? NULL : the->profile;
   pthread_mutex_unlock(&the->lock);
   return profile;
}

static void
write_header(struct pitot_profile *profile, const char *device)
{
   const struct pitot_trace_value values[] = {
      { .name = "program",
        .type = PITOT_TRACE_STRING,
        .string = program_invocation_short_name },
      { .name = "device", .type = PITOT_TRACE_STRING, .string = device },
      { .name = "level",
        .type = PITOT_TRACE_STRING,
        .string = pitot_profile_level_names[profile->settings.level] },
   };

   pitot_trace_mark(profile->trace, 0, pitot_profile_now_ns(), "profile",
                    values, 3);
}

void
pitot_profile_add(struct pitot_profile *profile,
                  struct pitot_profiled *profiled)
{
   const bool has_trace = pitot_profile_lock(profile);

   profiled->number = ++profile->context_count;
   profiled->next = profile->contexts;
   profile->contexts = profiled;
   if (has_trace && profiled->number == 1)
      write_header(profile, profiled->info.device);
   if (has_trace)
      pitot_profile_name_gpu(profiled);
   pitot_profile_unlock(profile);
}

/* Adds the numbers of a context to those of the process. */
static void
add_totals(struct pitot_profiled *profiled)
{
   (void)pitot_profile_write_unmeasured(profiled);
   (void)pitot_profile_take_cost(profiled);
}

void
pitot_profile_remove(struct pitot_profiled *profiled)
{
   struct pitot_profile *profile = profiled->profile;

   if (pitot_profile_lock(profile))
      add_totals(profiled);
   for (struct pitot_profiled **p = &profile->contexts; *p; p = &(*p)->next) {
      if (*p == profiled) {
         *p = profiled->next;
         break;
      }
   }
   pitot_profile_unlock(profile);
}

void
pitot_profile_reject(struct pitot_profile *profile, const char *why)
{
   pitot_profile_lock(profile);
   if (!profile->is_rejected)
      pitot_profile_say("PITOT_PROFILE_COUNTERS=%s: %s: no profile",
                        profile->settings.counters, why);
   profile->is_rejected = true;
   if (profile->context_count == 0)
      drop_files(profile);
   pitot_profile_unlock(profile);
}

/*
 * The end
 */

/* Writes what is known of a context that was not destroyed.  Its spans in
 * flight are lost: the context may be another thread's.
 */
static void
finish_context(struct pitot_profiled *profiled)
{
   atomic_fetch_add(&profiled->unmeasured[PITOT_PROFILE_IN_FLIGHT],
                    atomic_exchange(&profiled->in_flight_calls, 0));
   pitot_profile_write_known(profiled, NULL);
   add_totals(profiled);
}

static void
write_cost(struct pitot_profile *profile)
{
   const struct pitot_trace_value cost = { .name = "cpu_ns",
                                           .u64 = profile->cost_ns };

   pitot_trace_mark(profile->trace, 0, pitot_profile_now_ns(), "cost", &cost,
                    1);
}

static void
close_trace(struct pitot_profile *profile)
{
   const int error = pitot_trace_close(profile->trace);

   profile->trace = NULL;
   if (error)
      pitot_profile_say("%s is not complete: %s", profile->trace_path,
                        strerror(-error));
}

/* Makes the output of the trace, which is kept if that fails. */
static void
convert_trace(struct pitot_profile *profile)
{
   const int error =
      pitot_trace_convert(profile->trace_path, profile->output_path);

   if (error)
      pitot_profile_say("%s: %s: the trace is kept in %s",
                        profile->output_path, strerror(-error),
                        profile->trace_path);
   else
      unlink(profile->trace_path);
}

static void
say_unmeasured(const struct pitot_profile *profile)
{
   const unsigned long long unmeasured = profile->unmeasured_count;

   if (unmeasured)
      pitot_profile_say("%s: %llu of %llu calls were not measured",
                        profile->output_path, unmeasured,
                        unmeasured + profile->measured_count);
}

static void
finish_profile(struct pitot_profile *profile)
{
   if (!lock_unless_owned(profile))
      return;
   if (profile->trace && profile->context_count == 0) {
      drop_files(profile);
   } else if (profile->trace) {
      for (struct pitot_profiled *c = profile->contexts; c; c = c->next)
         finish_context(c);
      write_cost(profile);
      close_trace(profile);
      if (profile->trace_path != profile->output_path)
         convert_trace(profile);
      say_unmeasured(profile);
   }
   pitot_profile_unlock(profile);
}

/* Later than what the program has registered with atexit(), so that it may
 * destroy its contexts there.  Threads may still begin contexts: the profile
 * stays, and there is no other, whose file would be empty and take the place
 * of this one's.
 */
__attribute__((destructor)) void
pitot_profile_finish(void)
{
   if (is_of_parent(the->profile))
      return;
   pthread_mutex_lock(&the->lock);
   the->is_over = true;
   pthread_mutex_unlock(&the->lock);
   if (the->profile)
      finish_profile(the->profile);
}
