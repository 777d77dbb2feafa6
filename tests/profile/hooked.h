/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A hooked Gallium context: its driver and a profile log their calls.
 */

#ifndef PITOT_TESTS_PROFILE_HOOKED_H
#define PITOT_TESTS_PROFILE_HOOKED_H

#include "hooks.h"
#include "listed.h"
#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "pipe/p_state.h"
#include "versions.h"

struct pitot_profiled {
   char name;
};

struct machine {
   struct pipe_screen screen;
   struct pipe_context pipe, other;
   struct pipe_context own; /* before hooking */
   struct pipe_resource texture, buffer;
   struct pipe_surface surface;
   struct pitot_profiled profiled, other_profiled; /* log as "a" and "b" */
   struct pitot_profile_hooks *hooks;
};

/* How long the driver waits for the GPU, on the tests' clock. */
extern uint64_t wait_ns;

/* The driver's flushes return no fence. */
extern bool has_no_fence;

/* Live references to fences. */
extern int fence_refs;

/* The profile wants a fence. */
extern bool wants_fence;

extern struct pipe_context *current_pipe;

struct pipe_context *
current(void);

/* Logs a call after a space. */
void
log_call(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Compares with the log since the last comparison. */
void
expect(const char *calls);

void
set_up_screen(struct pipe_screen *screen);
void
set_up_context(struct pipe_context *pipe, struct pipe_screen *screen);

/* The state is a machine: pipe is hooked, other is not. */
int
set_up(void **state);
int
tear_down(void **state);

#define HOOK_TEST(NAME) TEST_WITH(set_up, tear_down, struct machine *m, NAME)

#endif /* PITOT_TESTS_PROFILE_HOOKED_H */
