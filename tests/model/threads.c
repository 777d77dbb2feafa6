/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "threads.h"

/* A thread's state, and its CPU time in ticks (proc(5)). */
static bool
read_stat(const char *path, char *state_out, unsigned long *ticks_out)
{
   char line[512] = "";
   unsigned long user, system;
   FILE *file = fopen(path, "r");
   const char *rest;
   bool is_read;

   if (!file)
      return false;
   is_read = fgets(line, sizeof(line), file);
   fclose(file);
   rest = strrchr(line, ')');
   if (!is_read || !rest ||
       sscanf(rest, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
              state_out, &user, &system) != 3)
      return false;
   *ticks_out = user + system;
   return true;
}

double
threads_cpu_s(pid_t process)
{
   char path[64], state;
   unsigned long ticks = 0;

   snprintf(path, sizeof(path), "/proc/%d/stat", process);
   if (!read_stat(path, &state, &ticks))
      return 0;
   return (double)ticks / sysconf(_SC_CLK_TCK);
}

static bool
all_sleep(pid_t process, pid_t but)
{
   char path[320], state;
   unsigned long ticks;
   bool sleep = true;
   DIR *tasks;

   snprintf(path, sizeof(path), "/proc/%d/task", process);
   tasks = opendir(path);
   if (!tasks)
      return false;
   for (struct dirent *entry; (entry = readdir(tasks));) {
      if (entry->d_name[0] == '.' || atoi(entry->d_name) == but)
         continue;
      snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", process,
               entry->d_name);
      if (read_stat(path, &state, &ticks) && state != 'S')
         sleep = false;
   }
   closedir(tasks);
   return sleep;
}

bool
threads_all_sleep(pid_t process)
{
   return all_sleep(process, 0);
}

bool
threads_others_sleep(void)
{
   return all_sleep(getpid(), syscall(SYS_gettid));
}
