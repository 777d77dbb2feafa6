/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "listed.h"

typedef struct pitot_profile *
profile_function(void);

/* Returns the profile of the loaded library. */
static struct pitot_profile *
load(void **library_out)
{
   profile_function *profile;

   *library_out = dlopen(MODULE, RTLD_NOW | RTLD_LOCAL);
   assert_non_null(*library_out);
   *(void **)&profile = dlsym(*library_out, "module_profile");
   assert_non_null(profile);
   return profile();
}

TEST(a_profile_goes_on_when_its_library_is_unloaded)
{
   char directory[] = "/tmp/pitot-unload-XXXXXX";
   char path[64];
   void *library;

   assert_non_null(mkdtemp(directory));
   snprintf(path, sizeof(path), "%s/a.json", directory);
   setenv("PITOT_PROFILE", path, true);

   struct pitot_profile *profile = load(&library);
   assert_non_null(profile);
   assert_int_equal(dlclose(library), 0);
   raise(SIGUSR2);
   assert_ptr_equal(load(&library), profile);

   assert_int_equal(rmdir(directory), 0);
}
