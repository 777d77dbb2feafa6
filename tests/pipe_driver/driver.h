/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A Gallium driver whose query hooks are Pitot's, on a simulated GPU.
 */

#ifndef PITOT_TESTS_PIPE_DRIVER_H
#define PITOT_TESTS_PIPE_DRIVER_H

#include "../hw/fixture.h"
#include "pipe/p_screen.h"
#include "pitot_pipe_driver.h"
#include "util/u_threaded_context.h"

/* Signaled when all batches are done, also those without a query. */
struct pipe_fence_handle {
   unsigned references;
};

struct driver {
   struct pipe_context pipe;
   struct pipe_screen screen;
   struct pipe_fence_handle fence;
   bool is_finished;                   /* the fence is signaled */
   struct pipe_context *fence_context; /* the last one passed with it */
   struct pitot_pipe_driver pitot;
   struct fixture *f;
   uint8_t resource[16]; /* target of buffer_subdata() */
   unsigned written_B;
   struct pitot_hw_condition condition; /* current */

   /* Of the driver's own queries: see test_stock.c. */
   unsigned alive;
   unsigned stored, conditions; /* calls */
   bool is_active;
};

/* lets_gpu_store: into the fixture's target, and decides conditions.
 * set_hooks sets own hooks, or is NULL.
 */
struct driver *
open_driver(const char *gpu, bool lets_gpu_store,
            void (*set_hooks)(struct pipe_context *pipe));

void
close_driver(struct driver *d);

static inline struct driver *
driver_of(struct pipe_context *pipe)
{
   return (struct driver *)pipe;
}

/* Creates a query and measures one draw. */
struct pipe_query *
measure(struct driver *d, unsigned type, unsigned index,
        enum pitot_kind drawn, uint64_t amount);

union pipe_query_result
wait_query(struct driver *d, struct pipe_query *pq);

union pipe_query_result
finish_query(struct driver *d, struct pipe_query *pq);

/* A test and its driver, or one that opens its own. */
struct driver_test {
   const char *name;
   void (*run)(struct driver *d);
   void (*run_alone)(void);
   const char *gpu;
   bool lets_gpu_store;
   void (*set_hooks)(struct pipe_context *pipe);
};

#define LIST_DRIVER_TEST(NAME, ...)                                          \
   LIST_ROW(NAME, run_driver_test, schedules_tell, struct driver_test,       \
            __VA_ARGS__)

/* After the name, the GPU, and what else differs. */
#define DRIVER_TEST(NAME, ...)                                               \
   static void NAME(struct driver *d);                                       \
   LIST_DRIVER_TEST(NAME, .run = NAME, .gpu = __VA_ARGS__)                   \
   static void NAME(struct driver *d)

#define DRIVER_TEST_ALONE(NAME)                                              \
   static void NAME(void);                                                   \
   LIST_DRIVER_TEST(NAME, .run_alone = NAME)                                 \
   static void NAME(void)

void
run_driver_test(void **state);

#endif /* PITOT_TESTS_PIPE_DRIVER_H */
