/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Random programs of tests/model under faults, on the null driver.  The model
 * knows what a failing call may do: no difference is excused.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "driver.h"
#include "model/generate.h"
#include "model/model.h"
#include "model/null_host.h"
#include "test.h"

/* Programs per kind of context. */
#define PROGRAM_COUNT 250

struct program_case {
   enum kind kind;
   uint64_t seed;
};

static struct model model;

WRAPPED(void, null_host_make,
        (struct null_host *host, enum pitot_gl_api api, unsigned features))
{
   fault_suspend();
   __real_null_host_make(host, api, features);
   faulty_driver_add(&host->null.base, &host->sets.base);
   fault_resume();
}

bool
rig_is_reported(const char *text)
{
   (void)text;
   return false;
}

void
rig_begin(void)
{
   faulty_driver_forget();
}

/* A program that differs leaves its contexts. */
bool
rig_finish(void)
{
   const char *trouble = null_world.end();

   if (trouble)
      fail_msg("%s", trouble);
   return true;
}

/* The model loses devices, not single results. */
bool
rig_knows(const struct fault_kind *kind)
{
   return kind->site != FAULT_DRIVER_RESULT;
}

static void
fail_at(const struct call *call, const char *trouble)
{
   char *text;
   size_t size;
   FILE *file = open_memstream(&text, &size);

   print_call(file, call);
   fclose(file);
   text[strcspn(text, "\n")] = '\0';

   char copy[120];

   snprintf(copy, sizeof(copy), "%s", text);
   free(text);
   fail_msg("%s: %s", copy, trouble);
}

static void
run_call(const struct call *call, unsigned errors)
{
   const unsigned injected = fault_injected();
   struct outcome outcome = { .expected = errors };

   null_world.call(call, &model.contexts[call->context].variables, &outcome);
   outcome.is_failed |= fault_injected() > injected;

   const char *trouble = model_step(&model, call, errors, &outcome);

   if (trouble)
      fail_at(call, trouble);
}

/* Failures that the program itself causes are skipped. */
static void
run_program(void **state)
{
   const struct program_case *test = *state;
   struct program program;

   fault_suspend();
   null_world.open(test->kind, false, true);
   generate(test->seed, test->kind, null_world.features(), &program);
   model_init(&model, null_world.features(), 0);
   fault_resume();
   for (unsigned i = 0; i < program.count; i++) {
      const struct call *call = &program.calls[i];
      const unsigned errors = model_errors(&model, call);

      if (errors && call->op != OP_FAIL)
         run_call(call, errors);
   }
}

int
main(void)
{
   static struct program_case cases[KIND_COUNT * PROGRAM_COUNT];
   static struct CMUnitTest tests[KIND_COUNT * PROGRAM_COUNT];
   static char names[KIND_COUNT * PROGRAM_COUNT][40];

   for (unsigned i = 0; i < ARRAY_LENGTH(tests); i++) {
      cases[i].kind = i / PROGRAM_COUNT;
      cases[i].seed = i;
      snprintf(names[i], sizeof(names[i]), "%s: program %u",
               kind_names[cases[i].kind], i);
      tests[i] = (struct CMUnitTest){
         .name = names[i],
         .test_func = run_program,
         .initial_state = &cases[i],
      };
   }
   return _cmocka_run_group_tests("model", tests, ARRAY_LENGTH(tests), NULL,
                                  NULL);
}
