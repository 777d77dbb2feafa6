/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>

#include "log.h"
#include "sim_priv.h"

static void
log_space(FILE *file, const struct sim_space *space)
{
   for (unsigned i = 0; i < space->count; i++)
      fprintf(file, "memory: %" PRIx64 " %" PRIu64 "\n",
              space->maps[i].address, space->maps[i].size_B);
}

static void
log_batch(const struct sim_log *log)
{
   const struct sim_kernel *kernel = log->sim->kernel;

   fprintf(log->file, "batch: %u\n", log->sim->ring);
   log_space(log->file, &kernel->engine.submission->space);
   log_space(log->file, &kernel->space);
}

static void
log_command(void *data, const uint32_t *dw, unsigned count_dw)
{
   const struct sim_log *log = data;

   if (count_dw == 0) {
      log_batch(log);
      return;
   }
   fputc('>', log->file);
   for (unsigned i = 0; i < count_dw; i++)
      fprintf(log->file, " %" PRIx32, dw[i]);
   fputc('\n', log->file);
}

static void
log_packet(void *data, const char *text, uint64_t address)
{
   const struct sim_log *log = data;

   fprintf(log->file, "note: %" PRIx64 " %s\n", address, text);
}

void
sim_log_begin(struct sim_log *log, struct sim *sim, FILE *file)
{
   *log = (struct sim_log){ .sim = sim, .file = file };
   sim->on_command = log_command;
   sim->on_packet = log_packet;
   sim->on_packet_data = log;
}

void
sim_log_mark(const struct sim_log *log, const char *text)
{
   const struct sim *sim = log->sim;

   if (sim == NULL)
      return;
   fprintf(log->file,
           "kernel: %u %u %u %" PRIu64 "\n"
           "mark: %s\n",
           sim->ioctl_count - sim->untimely_count, sim->submit_count,
           sim->wait_count, sim->memory_B, text);
}
