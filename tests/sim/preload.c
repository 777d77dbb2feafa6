/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The simulator as a preloaded library: any program gets a machine with a
 * GPU.  Calls on the machine's files end here, others in the C library.
 *
 *    PITOT_SIM=skl LD_PRELOAD=.../libpitot-sim.so PROGRAM
 */

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"
#include "settings.h"

#define NODE     "/dev/dri/renderD128"
#define NS_PER_S UINT64_C(1000000000)

#define NODE_MAJOR 226
#define NODE_MINOR 128

#define PUBLIC __attribute__((visibility("default")))

#define NEXT(NAME)                                                           \
   ({                                                                        \
      static __typeof__(NAME) *next;                                         \
      if (next == NULL)                                                      \
         *(void **)&next = dlsym(RTLD_NEXT, #NAME);                          \
      next;                                                                  \
   })

static struct sim *sim;
static struct machine machine;
static struct stat node;
static int sim_fd;
static pid_t owner;

__attribute__((constructor)) static void
begin(void)
{
   struct sim *made = settings_create_sim();
   char path[MACHINE_PATH_SIZE];

   const int result = machine_create(&machine, &made->gpu);
   if (result != 0) {
      fprintf(stderr, "pitot-sim: cannot make files in %s: %s\n",
              machine.root, strerror(-result));
      abort();
   }
   NEXT(stat)(machine_path(&machine, NODE, path), &node);
   sim_fd = made->io.open(made, NODE, O_RDWR);
   owner = getpid();
   sim = made;
}

__attribute__((destructor)) static void
end(void)
{
   if (getpid() != owner)
      return;
   settings_finish();
   machine_destroy(&machine);
}

/* Paths */

static const char *
real_path(const char *path, char buffer[MACHINE_PATH_SIZE])
{
   return sim != NULL && path != NULL ? machine_path(&machine, path, buffer)
                                      : path;
}

#define OPEN(NAME)                                                           \
   PUBLIC int NAME(const char *path, int flags, ...)                         \
   {                                                                         \
      char buffer[MACHINE_PATH_SIZE];                                        \
      va_list arguments;                                                     \
                                                                             \
      va_start(arguments, flags);                                            \
      const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0               \
                             ? va_arg(arguments, mode_t)                     \
                             : 0;                                            \
      va_end(arguments);                                                     \
      return NEXT(NAME)(real_path(path, buffer), flags, mode);               \
   }

OPEN(open)
OPEN(open64)

/* Defines a C library function that gets the real path. */
#define ON_PATH(TYPE, NAME, PARAMETERS, ...)                                 \
   PUBLIC TYPE NAME PARAMETERS                                               \
   {                                                                         \
      char buffer[MACHINE_PATH_SIZE];                                        \
                                                                             \
      path = real_path(path, buffer);                                        \
      return NEXT(NAME)(__VA_ARGS__);                                        \
   }

ON_PATH(int, __open_2, (const char *path, int flags), path, flags)
ON_PATH(int, __open64_2, (const char *path, int flags), path, flags)
ON_PATH(FILE *, fopen, (const char *path, const char *mode), path, mode)
ON_PATH(FILE *, fopen64, (const char *path, const char *mode), path, mode)
ON_PATH(DIR *, opendir, (const char *path), path)
ON_PATH(int, access, (const char *path, int mode), path, mode)
ON_PATH(ssize_t, readlink, (const char *path, char *target, size_t size_B),
        path, target, size_B)
ON_PATH(ssize_t, __readlink_chk,
        (const char *path, char *target, size_t size_B, size_t max_B), path,
        target, size_B, max_B)

/* The node must look like a device. */

#define MEND(STATUS)                                                         \
   do {                                                                      \
      if (sim == NULL || (STATUS)->st_ino != node.st_ino ||                  \
          (STATUS)->st_dev != node.st_dev)                                   \
         break;                                                              \
      (STATUS)->st_mode = S_IFCHR | 0666;                                    \
      (STATUS)->st_rdev = makedev(NODE_MAJOR, NODE_MINOR);                   \
   } while (0)

/* Redeclared: <sys/stat.h> no longer has the older ones. */
#define STAT(NAME, TYPE, ARGUMENT, ...)                                      \
   PUBLIC int NAME(__VA_ARGS__, struct TYPE *status);                        \
                                                                             \
   PUBLIC int NAME(__VA_ARGS__, struct TYPE *status)                         \
   {                                                                         \
      char buffer[MACHINE_PATH_SIZE];                                        \
      const int result = NEXT(NAME)(ARGUMENT, status);                       \
                                                                             \
      (void)buffer;                                                          \
      if (result == 0)                                                       \
         MEND(status);                                                       \
      return result;                                                         \
   }

#define PATH real_path(path, buffer)

STAT(stat, stat, PATH, const char *path)
STAT(stat64, stat64, PATH, const char *path)
STAT(lstat, stat, PATH, const char *path)
STAT(lstat64, stat64, PATH, const char *path)
STAT(fstat, stat, fd, int fd)
STAT(fstat64, stat64, fd, int fd)

/* For programs built with a glibc before 2.33, and for ThreadSanitizer. */
#define OLD(ARGUMENT) version, ARGUMENT

STAT(__xstat, stat, OLD(PATH), int version, const char *path)
STAT(__xstat64, stat64, OLD(PATH), int version, const char *path)
STAT(__lxstat, stat, OLD(PATH), int version, const char *path)
STAT(__lxstat64, stat64, OLD(PATH), int version, const char *path)
STAT(__fxstat, stat, OLD(fd), int version, int fd)
STAT(__fxstat64, stat64, OLD(fd), int version, int fd)

/* Calls on an open node, which may have been duplicated or inherited. */

static bool
is_node(int fd)
{
   struct stat status;

   return sim != NULL && fd >= 0 && NEXT(fstat)(fd, &status) == 0 &&
          status.st_ino == node.st_ino && status.st_dev == node.st_dev;
}

PUBLIC int
ioctl(int fd, unsigned long request, ...)
{
   va_list arguments;

   va_start(arguments, request);
   void *argument = va_arg(arguments, void *);
   va_end(arguments);
   return is_node(fd) ? sim->io.ioctl(sim, sim_fd, request, argument)
                      : NEXT(ioctl)(fd, request, argument);
}

#define MMAP(NAME, OFFSET)                                                   \
   PUBLIC void *NAME(void *address, size_t size_B, int protection,           \
                     int flags, int fd, OFFSET offset)                       \
   {                                                                         \
      return is_node(fd) ? sim->io.mmap(sim, size_B, protection, flags,      \
                                        sim_fd, offset)                      \
                         : NEXT(NAME)(address, size_B, protection, flags,    \
                                      fd, offset);                           \
   }

MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

PUBLIC int
munmap(void *address, size_t size_B)
{
   const int error = errno;

   if (sim != NULL && sim->io.munmap(sim, address, size_B) == 0)
      return 0;
   errno = error;
   return NEXT(munmap)(address, size_B);
}

/* The clock that Pitot reads advances with the GPU's, live or not. */
PUBLIC int
clock_gettime(clockid_t clock, struct timespec *time_out)
{
   if (sim == NULL || clock != CLOCK_MONOTONIC_COARSE)
      return NEXT(clock_gettime)(clock, time_out);

   const uint64_t now_ns = sim_cpu_ns();
   time_out->tv_sec = (time_t)(now_ns / NS_PER_S);
   time_out->tv_nsec = (long)(now_ns % NS_PER_S);
   return 0;
}

/* Sets a number of settings.c by name.  Returns whether it exists. */
PUBLIC bool
pitot_sim_set(const char *name, uint64_t value)
{
   return sim != NULL && settings_set(sim, name, value);
}

/* Returns a number of settings.c, or 0 if it does not exist. */
PUBLIC uint64_t
pitot_sim_get(const char *name)
{
   return sim != NULL ? settings_get(sim, name) : 0;
}

/* The same as "constants" of settings.h, from here on. */
PUBLIC void
pitot_sim_count_constants(void)
{
   settings_count_constants(sim);
}

PUBLIC void
pitot_sim_hang(void)
{
   sim->hang_on_submit = sim->submit_count + 1;
}

/* As if another process made the GPU hang. */
PUBLIC void
pitot_sim_reset(void)
{
   sim_reset(sim);
}

PUBLIC void
pitot_sim_suspend(void)
{
   sim_suspend(sim);
}

/* Returns the kernel's calls, which a program may wrap. */
PUBLIC struct pitot_drm_io *
pitot_sim_io(void)
{
   return &sim->io;
}

/* Logs a line, so that a program can mark its progress. */
PUBLIC void
pitot_sim_mark(const char *text)
{
   settings_mark(text);
}
