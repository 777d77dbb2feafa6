/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The hooks of a screen, which contexts and threads share: a wait for a fence
 * is told to the profile of the context that waits, and a picture that is
 * shown ends a frame.
 */

#include <pthread.h>
#include <stdlib.h>

#include "hooks_priv.h"
#include "pipe/p_screen.h"
#include "pitot_profile.h"

typedef bool
fence_finish_function(struct pipe_screen *screen, struct pipe_context *pipe,
                      struct pipe_fence_handle *fence, uint64_t timeout_ns);

typedef void
flush_frontbuffer_function(struct pipe_screen *screen,
                           struct pipe_context *pipe,
                           struct pipe_resource *resource, unsigned level,
                           unsigned layer, void *drawable, unsigned box_count,
                           struct pipe_box *boxes);

/* They are never freed, so that screens are found without a lock.  The
 * functions are the screen's own.
 */
struct screen_hook {
   struct screen_hook *next;
   struct pipe_screen *screen;
   fence_finish_function *_Atomic fence_finish;
   flush_frontbuffer_function *_Atomic flush_frontbuffer;
   struct pipe_context *(*current)(void);
};

static struct screen_hook *_Atomic all_screens;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of writers */

static struct screen_hook *
hook_of(const struct pipe_screen *screen)
{
   struct screen_hook *hook = atomic_load(&all_screens);

   while (hook && hook->screen != screen)
      hook = hook->next;
   return hook;
}

static bool
hook_fence_finish(struct pipe_screen *screen, struct pipe_context *pipe,
                  struct pipe_fence_handle *fence, uint64_t timeout_ns)
{
   const struct screen_hook *hook = hook_of(screen);
   const struct pitot_profile_hooks *hooks = NULL;

   if (timeout_ns != 0)
      hooks = pitot_profile_hooks_of(pipe ? pipe : hook->current());
   if (!hooks)
      return hook->fence_finish(screen, pipe, fence, timeout_ns);

   const uint64_t begin_ns = pitot_profile_now_ns();
   const bool is_done = hook->fence_finish(screen, pipe, fence, timeout_ns);

   pitot_profile_tell_wait(hooks, "wait for a fence", begin_ns, 0);
   if (is_done)
      pitot_profile_waited(hooks->profiled);
   return is_done;
}

/* Shows a picture.  Where Mesa shows it by the CPU, no flush says that a
 * frame ends.
 */
static void
hook_flush_frontbuffer(struct pipe_screen *screen, struct pipe_context *pipe,
                       struct pipe_resource *resource, unsigned level,
                       unsigned layer, void *drawable, unsigned box_count,
                       struct pipe_box *boxes)
{
   const struct screen_hook *hook = hook_of(screen);
   const struct pitot_profile_hooks *hooks = pitot_profile_hooks_of(pipe);

   if (hooks)
      pitot_profile_frame_ends(hooks->profiled);
   hook->flush_frontbuffer(screen, pipe, resource, level, layer, drawable,
                           box_count, boxes);
}

/* Returns the hook of a screen, perhaps of an earlier one at the same
 * address, or a new one; NULL without memory.
 */
static struct screen_hook *
obtain_hook(struct pipe_screen *screen, struct pipe_context *(*current)(void))
{
   struct screen_hook *hook = hook_of(screen);

   if (hook)
      return hook;
   hook = calloc(1, sizeof(*hook));
   if (hook) {
      hook->next = atomic_load(&all_screens);
      hook->screen = screen;
      hook->current = current;
      atomic_store(&all_screens, hook);
   }
   return hook;
}

/* The screen may be in use already, by other threads. */
#define HOOK(FUNCTION)                                                       \
   if (screen->FUNCTION && screen->FUNCTION != hook_##FUNCTION) {            \
      atomic_store(&hook->FUNCTION, screen->FUNCTION);                       \
      __atomic_store_n(&screen->FUNCTION, hook_##FUNCTION,                   \
                       __ATOMIC_RELEASE);                                    \
   }

bool
pitot_profile_hook_screen(struct pipe_screen *screen,
                          struct pipe_context *(*current)(void))
{
   pthread_mutex_lock(&lock);
   struct screen_hook *hook = obtain_hook(screen, current);
   if (hook) {
      HOOK(fence_finish)
      HOOK(flush_frontbuffer)
   }
   pthread_mutex_unlock(&lock);
   return hook;
}

/* Without a context and without time, no driver flushes or waits. */
bool
pitot_profile_fence_is_done(struct pipe_screen *screen, void *fence)
{
   return hook_of(screen)->fence_finish(screen, NULL, fence, 0);
}

void
pitot_profile_fence_release(struct pipe_screen *screen, void *fence)
{
   struct pipe_fence_handle *handle = fence;

   screen->fence_reference(screen, &handle, NULL);
}
