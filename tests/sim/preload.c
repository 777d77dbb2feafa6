/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The simulator as a library to be preloaded: it gives any program a machine
 * with a GPU.
 *
 *    PITOT_SIM=skl LD_PRELOAD=.../libpitot-sim.so PROGRAM
 *
 * What the C library does with files is done here for those of the machine,
 * and left to the C library for all others.
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
#include <unistd.h>

#include "machine.h"
#include "settings.h"

#define NODE       "/dev/dri/renderD128"
#define NODE_MAJOR 226
#define NODE_MINOR 128

#define PUBLIC __attribute__((visibility("default")))

/* The C library's own function of that name. */
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
   settings_report(sim);
   machine_destroy(&machine);
}

/*
 * Paths
 */

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

int
__open_2(const char *path, int flags);

int
__open64_2(const char *path, int flags);

#define OPEN_2(NAME)                                                         \
   PUBLIC int NAME(const char *path, int flags)                              \
   {                                                                         \
      char buffer[MACHINE_PATH_SIZE];                                        \
                                                                             \
      return NEXT(NAME)(real_path(path, buffer), flags);                     \
   }

OPEN_2(__open_2)
OPEN_2(__open64_2)

#define FOPEN(NAME)                                                          \
   PUBLIC FILE *NAME(const char *path, const char *mode)                     \
   {                                                                         \
      char buffer[MACHINE_PATH_SIZE];                                        \
                                                                             \
      return NEXT(NAME)(real_path(path, buffer), mode);                      \
   }

FOPEN(fopen)
FOPEN(fopen64)

PUBLIC DIR *
opendir(const char *path)
{
   char buffer[MACHINE_PATH_SIZE];

   return NEXT(opendir)(real_path(path, buffer));
}

PUBLIC int
access(const char *path, int mode)
{
   char buffer[MACHINE_PATH_SIZE];

   return NEXT(access)(real_path(path, buffer), mode);
}

PUBLIC ssize_t
readlink(const char *path, char *target, size_t size_B)
{
   char buffer[MACHINE_PATH_SIZE];

   return NEXT(readlink)(real_path(path, buffer), target, size_B);
}

ssize_t
__readlink_chk(const char *path, char *target, size_t size_B, size_t max_B);

PUBLIC ssize_t
__readlink_chk(const char *path, char *target, size_t size_B, size_t max_B)
{
   char buffer[MACHINE_PATH_SIZE];

   return NEXT(__readlink_chk)(real_path(path, buffer), target, size_B,
                               max_B);
}

/*
 * The node is a device, whatever file stands for it.
 */

#define MEND(STATUS)                                                         \
   do {                                                                      \
      if (sim == NULL || (STATUS)->st_ino != node.st_ino ||                  \
          (STATUS)->st_dev != node.st_dev)                                   \
         break;                                                              \
      (STATUS)->st_mode = S_IFCHR | 0666;                                    \
      (STATUS)->st_rdev = makedev(NODE_MAJOR, NODE_MINOR);                   \
   } while (0)

#define STAT(NAME, TYPE)                                                     \
   PUBLIC int NAME(const char *path, struct TYPE *status)                    \
   {                                                                         \
      char buffer[MACHINE_PATH_SIZE];                                        \
      const int result = NEXT(NAME)(real_path(path, buffer), status);        \
                                                                             \
      if (result == 0)                                                       \
         MEND(status);                                                       \
      return result;                                                         \
   }

STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

#define FSTAT(NAME, TYPE)                                                    \
   PUBLIC int NAME(int fd, struct TYPE *status)                              \
   {                                                                         \
      const int result = NEXT(NAME)(fd, status);                             \
                                                                             \
      if (result == 0)                                                       \
         MEND(status);                                                       \
      return result;                                                         \
   }

FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

/*
 * What is done with an open node: it may have been duplicated, or inherited.
 */

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

/* Sets a number of the simulator by its name (settings.c), now.  Returns
 * whether there is one.
 */
PUBLIC bool
pitot_sim_set(const char *name, uint64_t value);

bool
pitot_sim_set(const char *name, uint64_t value)
{
   return sim != NULL && settings_set(sim, name, value);
}

/* Lets the next submission hang. */
PUBLIC void
pitot_sim_hang(void);

void
pitot_sim_hang(void)
{
   sim->hang_on_submit = sim->submit_count + 1;
}

/* Puts a line into the log: a program that knows of the simulator says where
 * it is.
 */
PUBLIC void
pitot_sim_mark(const char *text);

void
pitot_sim_mark(const char *text)
{
   settings_mark(sim, text);
}
