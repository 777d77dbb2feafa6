/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The profile of a process: its trace, and its begin and end.
 */

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile_priv.h"

struct pitot_profile_of_process pitot_profile_of_process = {
   .lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
};

static struct pitot_profile_of_process *const the = &pitot_profile_of_process;

bool
pitot_profile_lock(struct pitot_profile *profile)
{
   pthread_mutex_lock(&profile->lock);
   return profile->trace;
}

/* Returns whether this is the first reason why there is no profile, or not
 * all of it.  Under the lock.
 */
static bool
says_first(struct pitot_profile *profile)
{
   const bool is_first = !profile->has_said_why;

   profile->has_said_why = true;
   return is_first;
}

/*
 * SIGUSR2
 */

static atomic_uint toggle_count;

unsigned
pitot_profile_toggles(void)
{
   return atomic_load_explicit(&toggle_count, memory_order_relaxed);
}

static void
toggle_by_signal(int signal_number)
{
   (void)signal_number;
   atomic_fetch_add_explicit(&toggle_count, 1, memory_order_relaxed);
}

/* A program that has a handler keeps it. */
static void
handle_signal(void)
{
   const struct sigaction action = { .sa_handler = toggle_by_signal,
                                     .sa_flags = SA_RESTART };
   struct sigaction old;

   if (sigaction(SIGUSR2, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(SIGUSR2, &action, NULL);
}

/*
 * The trace
 */

static void
write_header(struct pitot_profile *profile, const char *device)
{
   const struct pitot_trace_value values[] = {
      { .name = "program", .string = program_invocation_short_name },
      { .name = "device", .string = device },
      { .name = "level",
        .string = pitot_profile_level_names[profile->settings.level] },
   };

   pitot_trace_mark(profile->trace, pitot_profile_now_ns(), "profile", values,
                    3);
}

/* Nothing is created or replaced before there is something to record. */
static int
begin_trace(struct pitot_profile *profile, const char *device)
{
   const struct pitot_profile_settings *settings = &profile->settings;
   int error = -EBUSY;

   for (unsigned i = 0; i < 2 && error == -EBUSY; i++) {
      free(profile->path);
      profile->path = pitot_profile_trace_path(settings->path, i > 0);
      error = profile->path
                 ? pitot_trace_create(profile->path, settings->limit_B,
                                      &profile->trace)
                 : -ENOMEM;
      if (error == 0 && i > 0)
         fprintf(stderr, "pitot: %s: is in use, this process records %s\n",
                 settings->path, profile->path);
   }
   if (error == 0)
      write_header(profile, device);
   else if (says_first(profile))
      fprintf(stderr, "pitot: PITOT_PROFILE=%s: %s; profiling is off\n",
              settings->path, strerror(-error));
   return error;
}

static void
say_incomplete(struct pitot_profile *profile, int error)
{
   if (!says_first(profile))
      return;
   if (error == -EFBIG)
      fprintf(stderr,
              "pitot: %s is as large as it may be (PITOT_PROFILE_LIMIT, or "
              "ulimit -f): the rest is not recorded\n",
              profile->path);
   else
      fprintf(stderr, "pitot: %s is not complete: %s\n", profile->path,
              strerror(-error));
}

void
pitot_profile_flush(struct pitot_profile *profile)
{
   const int error = pitot_trace_flush(profile->trace);

   if (error)
      say_incomplete(profile, error);
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

   if (!profile)
      return NULL;
   if (pitot_profile_settings_read(&profile->settings)) {
      free(profile);
      return NULL;
   }
   profile->lock = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
   profile->process = getpid();
   stay_loaded();
   handle_signal();
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
   /* Before the destructors of the libraries that were loaded before the
    * first context, such as a compiler's: threads that are still at work
    * crash in them, and would take what is known along.
    */
   if (!the->is_asked)
      atexit(pitot_profile_finish);
   if (!the->is_over && (!the->is_asked || is_of_parent(the->profile)))
      the->profile = create_profile();
   the->is_asked = true;
   profile = the->is_over ? NULL : the->profile;
   pthread_mutex_unlock(&the->lock);
   return profile;
}

void
pitot_profile_refuse(struct pitot_profile *profile, const char *why)
{
   pitot_profile_lock(profile);
   if (says_first(profile))
      fprintf(stderr, "pitot: %s; profiling is off\n", why);
   pthread_mutex_unlock(&profile->lock);
}

int
pitot_profile_add(struct pitot_profile *profile,
                  struct pitot_profiled *profiled)
{
   int error = 0;

   pitot_profile_lock(profile);
   if (profile->context_count == 0 && !the->is_over)
      error = begin_trace(profile, profiled->info.device);
   if (!error) {
      profiled->number = ++profile->context_count;
      profiled->next = profile->contexts;
      profile->contexts = profiled;
      if (profile->trace)
         pitot_profile_name_gpu(profiled);
   }
   pthread_mutex_unlock(&profile->lock);
   return error;
}

void
pitot_profile_remove(struct pitot_profiled *profiled)
{
   struct pitot_profile *profile = profiled->profile;
   struct pitot_profiled **place = &profile->contexts;

   pitot_profile_lock(profile);
   while (*place != profiled)
      place = &(*place)->next;
   *place = profiled->next;
   pthread_mutex_unlock(&profile->lock);
}

/*
 * The end
 */

/* Writes a path between apostrophes, as a shell reads it. */
static void
put_quoted(FILE *out, const char *path, size_t length)
{
   fputc('\'', out);
   for (size_t i = 0; i < length; i++) {
      if (path[i] == '\'')
         fputs("'\\'", out);
      fputc(path[i], out);
   }
   fputc('\'', out);
}

/* Says what is left to do, unless the trace is all that is wanted. */
static void
say_end(const struct pitot_profile *profile)
{
   const uint64_t unmeasured = profile->unmeasured_count;
   const char *path = profile->path;
   const size_t length = strlen(path);
   char *line = NULL;
   size_t line_B;
   FILE *out = open_memstream(&line, &line_B);

   if (!out)
      return;
   if (unmeasured)
      fprintf(out,
              "pitot: %s: %" PRIu64 " of %" PRIu64
              " calls were not measured\n",
              path, unmeasured, unmeasured + profile->measured_count);
   if (!pitot_profile_is_trace_path(profile->settings.path)) {
      fputs("pitot: for the output: pitot-profile ", out);
      put_quoted(out, path, length);
      fprintf(out, " --%s ", strrchr(profile->settings.path, '.') + 1);
      put_quoted(out, path, length - strlen(".json"));
      fputc('\n', out);
   }
   if (fclose(out) == 0)
      fputs(line, stderr);
   free(line);
}

/* Only writes what is known of contexts that were not destroyed, and closes
 * the file: other threads may still be at work, while their libraries end.
 * Spans in flight are lost: a context may be another thread's.  To lock fails
 * only in a thread that has the lock already: one whose handler of a signal
 * calls exit().
 */
static void
finish_profile(struct pitot_profile *profile)
{
   int error;

   if (pthread_mutex_lock(&profile->lock))
      return;
   if (profile->trace) {
      profile->lost_calls[PITOT_PROFILE_IN_FLIGHT] +=
         profile->in_flight_calls;
      for (struct pitot_profiled *c = profile->contexts; c; c = c->next)
         (void)pitot_profile_write_known(c, 0, true);
      error = pitot_trace_close(profile->trace);
      profile->trace = NULL;
      if (error)
         say_incomplete(profile, error);
      say_end(profile);
   }
   pthread_mutex_unlock(&profile->lock);
}

/* Threads may still begin contexts: the profile stays, and there is no other,
 * whose file would be empty and take the place of this one's.
 */
void
pitot_profile_finish(void)
{
   if (is_of_parent(the->profile))
      return;

   const bool is_locked = pthread_mutex_lock(&the->lock) == 0;

   the->is_over = true;
   if (is_locked)
      pthread_mutex_unlock(&the->lock);
   if (the->profile)
      finish_profile(the->profile);
}
