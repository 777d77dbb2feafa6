/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The profile of a process.  The first context begins its trace, and exit()
 * ends it.
 *
 * exit() may run while other threads still profile, and while the libraries
 * that they use are torn down.  So it reads no results and frees no context:
 * it writes the spans that were read, and closes the trace.  All other code
 * tests with the lock held whether there is still a trace.
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

/* Returns true the first time: only the first reason why the profile is
 * missing or incomplete is printed.  Call this with the lock held.
 */
static bool
is_first_reason(struct pitot_profile *profile)
{
   const bool is_first = !profile->has_printed_reason;

   profile->has_printed_reason = true;
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

/* A handler of the program stays. */
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

/* Called for the first context: without one no file is created or emptied. */
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
   else if (is_first_reason(profile))
      fprintf(stderr, "pitot: PITOT_PROFILE=%s: %s; profiling is off\n",
              settings->path, strerror(-error));
   return error;
}

static void
say_incomplete(struct pitot_profile *profile, int error)
{
   if (!is_first_reason(profile))
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

/* Keeps this library loaded: a program may unload it and load it again (SDL
 * does for each window), and may receive SIGUSR2 in between.
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

/* A child of fork() that draws gets a profile of its own. */
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
   /* Exit handlers run in reverse order: this one runs before the destructors
    * of libraries that were loaded before the first context, such as a
    * compiler.  Threads that still work crash in those destructors, and the
    * spans that were read would be lost.
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
pitot_profile_print_reason(struct pitot_profile *profile, const char *why)
{
   pitot_profile_lock(profile);
   if (is_first_reason(profile))
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

/* Quotes a path for a shell. */
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

/* Prints the calls not measured, and the command that makes the output. */
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

/* Writes the spans that were read of contexts that still exist, and closes
 * the trace.  Spans in flight are lost: another thread may be using their
 * context, while its libraries are torn down.  Locking fails only if this
 * thread has the lock already, because a signal handler calls exit().
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

/* Other threads may still create contexts.  So the profile is not freed, and
 * is_over prevents another one, whose empty trace would replace this one.
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
