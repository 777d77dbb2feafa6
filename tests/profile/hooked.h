/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A hooked Gallium context whose driver logs its calls, and a profile that
 * logs its own beside them.
 */

#ifndef PITOT_TESTS_PROFILE_HOOKED_H
#define PITOT_TESTS_PROFILE_HOOKED_H

#include "hooks.h"
#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "pipe/p_state.h"

struct pitot_profiled {
   char name;
};

struct machine {
   struct pipe_screen screen;
   struct pipe_context pipe, other;
   struct pipe_context own; /* before they are hooked */
   struct pipe_resource texture, buffer;
   struct pipe_surface surface;
   struct pitot_profiled profiled, other_profiled; /* "a" and "b" */
   struct pitot_profile_hooks *hooks;              /* of pipe */
};

/* How long the driver waits for the GPU, by the clock of these tests. */
extern uint64_t wait_ns;

/* Whether the driver's flushes have no fence. */
extern bool has_no_fence;

/* The nth allocation from now on fails; 0: none. */
extern unsigned fail_memory;

/* References to fences that there are. */
extern int fence_refs;

/* Whether the profile wants a fence. */
extern bool wants_fence;

/* The context of this thread, or NULL. */
extern struct pipe_context *current_pipe;

struct pipe_context *
current(void);

/* Logs a call, with a blank before it. */
void
log_call(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Compares with all calls since the last comparison. */
void
expect(const char *calls);

/* Gives a screen and a context the functions of the driver. */
void
set_up_screen(struct pipe_screen *screen);
void
set_up_context(struct pipe_context *pipe, struct pipe_screen *screen);

/* A state with a machine, of which pipe is hooked and other is not. */
int
set_up(void **state);
int
tear_down(void **state);

#endif /* PITOT_TESTS_PROFILE_HOOKED_H */
