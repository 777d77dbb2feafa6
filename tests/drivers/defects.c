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

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "defects.h"

/* Ends a program that hangs without using CPU time: see open_watch(). */
#define HANG_GUARD_S 3600

#define ROW(KIND, NAME, RUN, ...)                                            \
   { .name = #NAME, .kind = KIND, .run = RUN, __VA_ARGS__ },

#define DEFECT(NAME, ...)          ROW("defect", NAME, NAME, __VA_ARGS__)
#define DEFECT_BY(NAME, RUN, ...)  ROW("defect", NAME, RUN, __VA_ARGS__)
#define PROMISE(NAME, ...)         ROW("promise", NAME, NAME, __VA_ARGS__)
#define PROMISE_BY(NAME, RUN, ...) ROW("promise", NAME, RUN, __VA_ARGS__)
#define LACK(NAME, ...)            ROW("lack", NAME, NULL, __VA_ARGS__)
#define WORSE(NAME, ...)           ROW("worse", NAME, NULL, __VA_ARGS__)

#define OF(DRIVER)       .driver = DRIVER
#define SET(NAME, VALUE) .setting = NAME, .value = VALUE
#define UNTHREADED       .is_unthreaded = true
#define UNOPENED         .is_unopened = true
#define ES               .is_es = true
#define SURVIVES         .survives = true
#define KNOWN            .is_known = true
#define DELAYED          .is_delayed = true
#define ANYWHERE         .is_anywhere = true
#define LAWFUL           .is_lawful = true

static const struct defect defects[] = {
#include "defects.inc"
};

static void
prepare(const struct defect *defect)
{
   if (defect->setting)
      sim_set(defect->setting, defect->value);
   if (defect->is_unthreaded)
      setenv("GALLIUM_THREAD", "0", 1);
   if (!defect->is_unopened)
      open_context(defect);
   if (defect->is_known)
      count(GL_SAMPLES_PASSED, 1);
   if (defect->is_delayed)
      sim_set("is_delayed", true);
}

/* Exits immediately: a lost context may fail to be destroyed. */
static void
run(const struct defect *defect, bool is_machine)
{
   if (!is_machine && !sim_is_there()) {
      fprintf(stderr, "there is no simulator: see tests/drivers\n");
      exit(2);
   }
   sim_set("is_live", false);
   alarm(HANG_GUARD_S);
   prepare(defect);
   defect->run();
   if (defect->is_lawful)
      expect(sim_get("violation_count"), 0);
   puts("right");
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

   for (size_t i = 0; i < ARRAY_LENGTH(defects); i++) {
      const struct defect *defect = &defects[i];

      if (is_machine && !defect->is_anywhere)
         continue;
      if (is_list)
         printf("%s %s %s\n", defect->kind, defect->name,
                defect->driver != NULL ? defect->driver : "");
      else if (defect->run != NULL && strcmp(argument, defect->name) == 0)
         run(defect, is_machine);
   }
   return is_list ? 0 : 2;
}
