/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "fault.h"
#include "gpu.h"
#include "pitot/hw.h"
#include "sim/cs.h"
#include "test.h"

static struct {
   struct sim *sim;
   struct pitot_drm_io io;
   struct sim_cs *cs;
   const struct pitot_cs_ops *ops;
   struct pitot_cs_ops faulty_ops;
   bool has_refused;
   bool is_lost;    /* as the command stream reported */
   bool has_failed; /* an ioctl, which may free an object */
} the;

void
faulty_gpu_begin(void)
{
   memset(&the, 0, sizeof(the));
}

struct sim_cs *
faulty_gpu_cs(void)
{
   return the.cs;
}

bool
faulty_gpu_refused_context(void)
{
   return the.has_refused;
}

bool
faulty_gpu_is_lost(void)
{
   return the.is_lost;
}

static void
cause(enum fault_event event)
{
   the.sim->reset_clears_clock |= event == FAULT_RESET_CLOCK;
   if (event == FAULT_HANG)
      the.sim->hang_on_submit = the.sim->submit_count + 1;
   else
      sim_reset(the.sim);
}

static int
faulty_ioctl(void *data, int fd, unsigned long request, void *argument)
{
   const struct fault_kind *kind = fault_take(FAULT_IOCTL);

   if (kind && kind->error) {
      the.has_failed |= !kind->is_silent;
      errno = kind->error;
      return -1;
   }
   if (kind)
      cause(kind->event);
   return the.io.ioctl(data, fd, request, argument);
}

static void *
faulty_mmap(void *data, size_t size_B, int protection, int flags, int fd,
            off_t offset)
{
   const struct fault_kind *kind = fault_take(FAULT_MMAP);

   if (!kind)
      return the.io.mmap(data, size_B, protection, flags, fd, offset);
   errno = kind->error;
   return MAP_FAILED;
}

WRAPPED(struct sim *, sim_create, (const char *name))
{
   struct sim *sim = __real_sim_create(name);

   the.sim = sim;
   the.io = sim->io;
   sim->io.ioctl = faulty_ioctl;
   sim->io.mmap = faulty_mmap;
   return sim;
}

/* The kernel must have no objects left. */
WRAPPED(void, sim_destroy, (struct sim *sim))
{
   const unsigned files = sim->open_count, maps = sim->mapping_count;
   const unsigned objects = the.has_failed ? 0 : sim->object_count;

   the.sim = NULL;
   __real_sim_destroy(sim);
   if (files || maps || objects)
      fail_msg("%u files, %u maps and %u objects are left over", files, maps,
               objects);
}

/* A GPU without a kernel may be reset at this call. */
static void
step(void)
{
   const struct fault_kind *kind = the.cs ? fault_take(FAULT_STREAM) : NULL;

   if (kind)
      the.cs->is_lost = the.cs->was_reset = true;
}

static int
buffer_create(struct pitot_cs *cs, unsigned size_B,
              struct pitot_cs_buffer **buffer_out)
{
   const struct fault_kind *kind = fault_take(FAULT_STREAM_BUFFER);

   return kind ? -kind->error
               : the.ops->buffer_create(cs, size_B, buffer_out);
}

static bool
require(struct pitot_cs *cs, enum pitot_ring ring, unsigned command_count)
{
   step();
   return the.ops->require(cs, ring, command_count);
}

static enum pitot_batch_state
batch_state(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   step();
   return the.ops->batch_state(cs, ring, batch);
}

static void
wait_for_batch(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   step();
   the.ops->wait(cs, ring, batch);
}

static bool
take_reset(struct pitot_cs *cs)
{
   const bool was_reset = the.ops->take_reset(cs);

   the.is_lost |= was_reset;
   return was_reset;
}

WRAPPED(int, pitot_hw_create,
        (struct pitot_cs *cs, struct pitot_hw **hw_out))
{
   the.ops = cs->ops;
   the.faulty_ops = *cs->ops;
   the.faulty_ops.buffer_create = buffer_create;
   if (the.ops->require)
      the.faulty_ops.require = require;
   the.faulty_ops.batch_state = batch_state;
   the.faulty_ops.wait = wait_for_batch;
   the.faulty_ops.take_reset = take_reset;
   cs->ops = &the.faulty_ops;
   const int status = __real_pitot_hw_create(cs, hw_out);

   the.has_refused = status < 0;
   return status;
}

WRAPPED(struct sim_cs *, sim_cs_create, (const char *gpu, bool has_compute))
{
   the.cs = __real_sim_cs_create(gpu, has_compute);
   return the.cs;
}
