/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Defects of GPU drivers, one at a time, and promises that stock drivers
 * keep and Pitot might not:
 *
 *    defects [--machine] NAME
 *       prints "right", or "# " and the values seen, then "wrong"; exits
 *       with 0
 *    defects [--machine] --list
 *       prints "defect" or "promise", the name, and the driver if it is
 *       about one only
 *
 * The GPU is simulated: the fault is in the driver, which computes wrong or
 * hangs.  With --machine the GPU is real, and only defects that need no
 * simulator are there.
 */

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "defects.h"

/* Ends a program that hangs without using CPU time: see open_watch(). */
#define HANG_GUARD_S 3600

struct defect {
   const char *name;
   const char *driver;     /* the only affected one, or NULL */
   bool is_promise;        /* stock drivers keep it, too */
   bool is_anywhere;       /* shown without a simulator */
   bool is_worse;          /* stock is right, Pitot is wrong */
   bool (*is_right)(void); /* NULL: the driver is wrong */
};

#define DEFECT_OF(DRIVER, NAME)                                              \
   { .name = #NAME, .driver = DRIVER, .is_right = NAME },
#define PROMISE_OF(DRIVER, NAME)                                             \
   { .name = #NAME, .driver = DRIVER, .is_promise = true, .is_right = NAME },
#define DEFECT_ANYWHERE(NAME)                                                \
   { .name = #NAME, .is_anywhere = true, .is_right = NAME },
#define PROMISE_ANYWHERE(NAME)                                               \
   { .name = #NAME,                                                          \
     .is_promise = true,                                                     \
     .is_anywhere = true,                                                    \
     .is_right = NAME },
#define LACK(DRIVER, NAME)  { .name = #NAME, .driver = DRIVER },
#define WORSE(DRIVER, NAME)                                                  \
   { .name = #NAME, .driver = DRIVER, .is_worse = true },
#define DEFECT(NAME)        DEFECT_OF(NULL, NAME)
#define PROMISE(NAME)       PROMISE_OF(NULL, NAME)

static const struct defect defects[] = {
#include "defects.inc"
};

bool (*sim_set)(const char *name, uint64_t value);
uint64_t (*sim_get)(const char *name);
void (*sim_hang)(void);

/* Stand-ins on a real GPU. */

static bool
set_nothing(const char *name, uint64_t value)
{
   (void)name;
   (void)value;
   return false;
}

static uint64_t
get_nothing(const char *name)
{
   (void)name;
   return 0;
}

static void
find_simulator(bool is_machine)
{
   if (is_machine) {
      sim_set = set_nothing;
      sim_get = get_nothing;
      return;
   }
   *(void **)&sim_set = dlsym(RTLD_DEFAULT, "pitot_sim_set");
   *(void **)&sim_get = dlsym(RTLD_DEFAULT, "pitot_sim_get");
   *(void **)&sim_hang = dlsym(RTLD_DEFAULT, "pitot_sim_hang");
}

static void
print_name(const struct defect *defect)
{
   const char *kind = defect->is_right != NULL
                         ? defect->is_promise ? "promise" : "defect"
                         : defect->is_worse ? "worse" : "lack";

   printf("%s %s %s\n", kind, defect->name,
          defect->driver != NULL ? defect->driver : "");
}

/* Exits immediately: a lost context may fail to be destroyed. */
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
   const bool is_machine = argc == 3 && strcmp(argv[1], "--machine") == 0;

   if (argc != 2 + is_machine)
      return 2;
   const char *argument = argv[argc - 1];
   const bool is_list = strcmp(argument, "--list") == 0;

   find_simulator(is_machine);
   for (size_t i = 0; i < LENGTH(defects); i++) {
      if (is_machine && !defects[i].is_anywhere)
         continue;
      if (is_list)
         print_name(&defects[i]);
      else if (defects[i].is_right != NULL &&
               strcmp(argument, defects[i].name) == 0)
         run(&defects[i]);
   }
   return is_list ? 0 : 2;
}
