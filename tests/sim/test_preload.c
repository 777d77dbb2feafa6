/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The preloaded machine through the C library's functions, including those
 * that only old programs and ThreadSanitizer call.
 */

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "listed.h"

#define NODE "/dev/dri/renderD128"

/* The version of struct stat on 64-bit machines. */
#ifdef __x86_64__
#define STAT_VERSION 1
#else
#define STAT_VERSION 0
#endif

/* <sys/stat.h> no longer declares them. */
int
__xstat(int version, const char *path, struct stat *status);
int
__lxstat(int version, const char *path, struct stat *status);
int
__fxstat(int version, int fd, struct stat *status);
int
__xstat64(int version, const char *path, struct stat64 *status);
int
__lxstat64(int version, const char *path, struct stat64 *status);
int
__fxstat64(int version, int fd, struct stat64 *status);

#define assert_node(CALL, TYPE)                                              \
   do {                                                                      \
      struct TYPE status;                                                    \
                                                                             \
      assert_int_equal(CALL, 0);                                             \
      assert_true(S_ISCHR(status.st_mode));                                  \
      assert_int_equal(status.st_rdev, makedev(226, 128));                   \
   } while (0)

TEST(node_is_a_device)
{
   const int fd = open(NODE, O_RDWR | O_CLOEXEC);

   assert_true(fd >= 0);
   assert_node(stat(NODE, &status), stat);
   assert_node(lstat(NODE, &status), stat);
   assert_node(fstat(fd, &status), stat);
   assert_node(stat64(NODE, &status), stat64);
   assert_node(lstat64(NODE, &status), stat64);
   assert_node(fstat64(fd, &status), stat64);
   close(fd);
}

TEST(node_is_a_device_for_older_programs)
{
   const int fd = open(NODE, O_RDWR | O_CLOEXEC);

   assert_true(fd >= 0);
   assert_node(__xstat(STAT_VERSION, NODE, &status), stat);
   assert_node(__lxstat(STAT_VERSION, NODE, &status), stat);
   assert_node(__fxstat(STAT_VERSION, fd, &status), stat);
   assert_node(__xstat64(STAT_VERSION, NODE, &status), stat64);
   assert_node(__lxstat64(STAT_VERSION, NODE, &status), stat64);
   assert_node(__fxstat64(STAT_VERSION, fd, &status), stat64);
   close(fd);
}
