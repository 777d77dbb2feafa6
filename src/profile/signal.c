/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * SIGUSR2 begins and ends the recording.
 */

#include <signal.h>

#include "profile_priv.h"

static atomic_uint toggle_count;

unsigned
pitot_profile_toggles(void)
{
   return atomic_load_explicit(&toggle_count, memory_order_relaxed);
}

static void
toggle(int signal_number)
{
   (void)signal_number;
   atomic_fetch_add_explicit(&toggle_count, 1, memory_order_relaxed);
}

/* A program that has a handler keeps it. */
void
pitot_profile_handle_signal(void)
{
   const struct sigaction action = { .sa_handler = toggle,
                                     .sa_flags = SA_RESTART };
   struct sigaction old;

   if (sigaction(SIGUSR2, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(SIGUSR2, &action, NULL);
}
