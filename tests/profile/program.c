/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "program.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

bool fake_trace_is_open; /* unused here */

const char *counters;
void (*before)(void);
const char *run_text;

static char directory[32];

const char *
path_of(const char *name)
{
   static char path[512];

   snprintf(path, sizeof(path), "%s/%s", directory, name);
   return path;
}

void
frame(struct world *world)
{
   world_work(world, PITOT_PROFILE_DRAW, 1000, 100000, 1);
   world_flush(world, true);
}

void
frames(struct world *world, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      frame(world);
}

/* clang's, in a build that counts branches. */
extern int
__llvm_profile_write_file(void) __attribute__((weak));

/* After clang's atexit() handler, writes what the profile counts at exit. */
__attribute__((destructor(101))) static void
count_exit(void)
{
   if (__llvm_profile_write_file)
      __llvm_profile_write_file();
}

int
run(void (*program)(struct world *world), const char *name)
{
   int status = 0;

   world_listen();
   world_set(path_of(name), &(struct world_settings){ .counters = counters });
   const pid_t child = fork();
   if (child == 0) {
      static struct world world;

      if (before)
         before();
      if (world_try_set(&world))
         _exit(99);
      program(&world);
      exit(7);
   }
   assert_true(child > 0);
   assert_int_equal(waitpid(child, &status, 0), child);
   run_text = world_said();
   before = NULL;
   counters = NULL;
   return status;
}

void
assert_says(const char *name, const char *end)
{
   char expected[4096];

   snprintf(expected, sizeof(expected), "pitot: %s%s\n", path_of(name), end);
   assert_string_equal(run_text, expected);
}

const char *
contents_of(const char *name)
{
   static char text[4 << 20];
   FILE *file = fopen(path_of(name), "r");

   assert_non_null(file);
   const size_t length_B = fread(text, 1, sizeof(text) - 1, file);
   assert_true(length_B < sizeof(text) - 1);
   text[length_B] = '\0';
   fclose(file);
   return text;
}

bool
ends_with(const char *text, const char *end)
{
   const size_t length = strlen(text);

   return length >= strlen(end) &&
          strcmp(text + length - strlen(end), end) == 0;
}

unsigned
count_of(const char *text, const char *part)
{
   unsigned count = 0;

   while ((text = strstr(text, part)) != NULL) {
      text++;
      count++;
   }
   return count;
}

unsigned
count_frames(const char *name)
{
   return count_of(contents_of(name), "\"cat\":\"frame\"");
}

unsigned
count_frames_of_others(const char *begin, unsigned frame_count)
{
   DIR *dir = opendir(directory);
   struct dirent *entry;
   unsigned count = 0;

   assert_non_null(dir);
   while ((entry = readdir(dir)) != NULL) {
      if (strncmp(entry->d_name, begin, strlen(begin)) != 0)
         continue;
      count++;
      assert_int_equal(count_frames(entry->d_name), frame_count);
   }
   closedir(dir);
   return count;
}

void
return_from_main(struct world *world)
{
   frames(world, 5);
   world_end_context(world);
}

void
die(struct world *world)
{
   frames(world, 5);
   raise(SIGKILL);
}

bool
has_file(const char *name)
{
   return access(path_of(name), F_OK) == 0;
}

int
make_directory(void **state)
{
   (void)state;
   strcpy(directory, "/tmp/pitot-process-XXXXXX");
   return mkdtemp(directory) ? 0 : -1;
}

int
remove_directory(void **state)
{
   DIR *dir = opendir(directory);
   struct dirent *entry;

   (void)state;
   if (!dir)
      return -1;
   while ((entry = readdir(dir)) != NULL)
      unlink(path_of(entry->d_name));
   closedir(dir);
   return rmdir(directory);
}
