/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Defects of the drivers of GPUs, on simulated GPUs, one at a time, and
 * promises that stock drivers keep and Pitot might not:
 *
 *    defects NAME    prints "right", or "wrong" and on the line before it,
 *                    after "# ", the values that it has seen; and exits with
 * 0 defects --list  prints the names, after "defect" or "promise", and with
 *                    the driver that it is about, unless that is all of them
 *
 * A simulator stands for the GPU: the fault is in the driver's arithmetic, or
 * the driver waits for ever.
 */

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "defects.h"

/* Ends a program that waits for ever without asking: see open_watch(). */
#define HANG_GUARD_S 3600

struct defect {
   const char *name;
   const char *driver; /* the only one that it is about, or NULL */
   bool is_promise;    /* stock drivers keep it, too */
   bool (*is_right)(void);
};

#define DEFECT_OF(DRIVER, NAME)                                              \
   { .name = #NAME, .driver = DRIVER, .is_right = NAME },
#define PROMISE_OF(DRIVER, NAME)                                             \
   { .name = #NAME, .driver = DRIVER, .is_promise = true, .is_right = NAME },
#define DEFECT(NAME)  DEFECT_OF(NULL, NAME)
#define PROMISE(NAME) PROMISE_OF(NULL, NAME)

static const struct defect defects[] = {
#include "defects.inc"
};

bool (*sim_set)(const char *name, uint64_t value);
uint64_t (*sim_get)(const char *name);
void (*sim_hang)(void);

static int
list(void)
{
   for (size_t i = 0; i < LENGTH(defects); i++)
      printf("%s %s %s\n", defects[i].is_promise ? "promise" : "defect",
             defects[i].name,
             defects[i].driver != NULL ? defects[i].driver : "");
   return 0;
}

/* A lost context may not be destroyed: the program exits at once. */
static void
run(const struct defect *defect)
{
   if (sim_set == NULL) {
      fprintf(stderr, "there is no simulator: see tests/drivers/run\n");
      exit(2);
   }
   sim_set("is_live", false);
   alarm(HANG_GUARD_S);
   puts(defect->is_right() ? "right" : "wrong");
   fflush(stdout);
   _exit(0);
}

int
main(int argc, char **argv)
{
   *(void **)&sim_set = dlsym(RTLD_DEFAULT, "pitot_sim_set");
   *(void **)&sim_get = dlsym(RTLD_DEFAULT, "pitot_sim_get");
   *(void **)&sim_hang = dlsym(RTLD_DEFAULT, "pitot_sim_hang");
   if (argc != 2)
      return 2;
   if (strcmp(argv[1], "--list") == 0)
      return list();
   for (size_t i = 0; i < LENGTH(defects); i++) {
      if (strcmp(argv[1], defects[i].name) == 0)
         run(&defects[i]);
   }
   return 2;
}
