/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * This computer's GPU, through its kernel.  It cannot draw, delay batches or
 * set its clock: such cases are skipped.
 */

#include <stdlib.h>

#include "../test.h"
#include "machine.h"

#include "pitot/drm.h"

#define NOBODY_DRAWS   "a real GPU counts draws, and this test cannot draw"
#define NOBODY_HOLDS   "a real GPU's batches cannot be held back"
#define NOBODY_HANGS   "a real GPU is not hung for a test"
#define NOBODY_SETS_IT "a real GPU's clock cannot be set"

struct machine_of_node {
   struct machine base;
   struct pitot_drm_device *device;
};

/* The machine of a case that was skipped, which did not destroy it. */
static struct machine_of_node *left;

static struct pitot_drm_device *
open_node(void)
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device;

   if (pitot_drm_open(&pitot_drm_system, getenv("PITOT_NODE"), &device,
                      message) != 0) {
      fprintf(stderr, "test_contract: %s\n", message);
      return NULL;
   }
   return device;
}

bool
machine_node_find(struct pitot_gpu *gpu_out)
{
   struct pitot_drm_device *device = open_node();

   if (device == NULL)
      return false;
   *gpu_out = device->gpu;
   pitot_drm_close(device);
   return true;
}

static void
put_away(struct machine_of_node *machine)
{
   pitot_drm_context_destroy(machine->base.cs);
   pitot_drm_close(machine->device);
   free(machine);
   left = NULL;
}

static struct machine *
create(const char *gpu)
{
   (void)gpu;
   if (left != NULL)
      put_away(left);

   struct machine_of_node *machine = left = calloc(1, sizeof(*machine));

   machine->base.ops = &machine_node;
   machine->device = open_node();
   assert_non_null(machine->device);
   assert_int_equal(pitot_drm_context_create(machine->device,
                                             &machine->base.cs),
                    0);
   return &machine->base;
}

static void
destroy(struct machine *machine)
{
   put_away((struct machine_of_node *)machine);
}

static void
count(struct machine *machine, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   (void)machine;
   (void)kind;
   (void)stream;
   if (amount != 0)
      skip_because(NOBODY_DRAWS);
}

static void
set_ticks(struct machine *machine, uint64_t ticks)
{
   (void)machine;
   (void)ticks;
   skip_because(NOBODY_SETS_IT);
}

static void
hold(struct machine *machine)
{
   (void)machine;
   skip_because(NOBODY_HOLDS);
}

static void
lose(struct machine *machine)
{
   (void)machine;
   skip_because(NOBODY_HANGS);
}

static void
do_nothing(struct machine *machine)
{
   (void)machine;
}

const struct machine_ops machine_node = {
   .name = "node",
   .create = create,
   .destroy = destroy,
   .count = count,
   .set_ticks = set_ticks,
   .hold = hold,
   .lose = lose,
   .release = do_nothing,
   .run = do_nothing,
   .look = do_nothing,
};
