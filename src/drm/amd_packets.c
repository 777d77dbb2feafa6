/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "drm_packets.h"

#define OP_WRITE_DATA        0x37u
#define OP_EVENT_WRITE       0x46u
#define OP_EVENT_WRITE_EOP   0x47u
#define OP_RELEASE_MEM       0x49u
#define OP_EVENT_WRITE_ZPASS 0xb1u

#define ZPASS_DONE        (21u | 1u << 8)
#define PIXEL_PIPE_DUMP   (57u | 1u << 8)
#define BOTTOM_OF_PIPE_TS (40u | 5u << 8)

/* Not before earlier writes are confirmed: the CPU reads the memory while
 * the batch still runs.
 */
#define AFTER_WRITE_CONFIRM (3u << 24)
#define WRITE_32_BITS       (1u << 29)
#define WRITE_TIMESTAMP     (3u << 29)

#define WRITE_TO_MEMORY_SYNC (1u << 8)
#define WRITE_TO_MEMORY      (5u << 8)
#define WRITE_CONFIRM        (1u << 20)

#define EOP_ADDRESS_HI_MASK 0xffffu

static uint32_t
low(uint64_t address)
{
   return (uint32_t)address;
}

static uint32_t
high(uint64_t address)
{
   return (uint32_t)(address >> 32);
}

/* Writes a packet of type 3: a header, and the dwords after it. */
static void
emit(struct pitot_drm_packets *packets, uint32_t op, const uint32_t *body,
     unsigned body_dw)
{
   *packets->next++ = 3u << 30 | (body_dw - 1) << 16 | op << 8;
   memcpy(packets->next, body, body_dw * sizeof(body[0]));
   packets->next += body_dw;
}

#define EMIT(OP, ...)                                                        \
   emit(packets, OP, (const uint32_t[]){ __VA_ARGS__ },                      \
        sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static void
event_write(struct pitot_drm_packets *packets, uint32_t event,
            uint64_t address)
{
   EMIT(OP_EVENT_WRITE, event, low(address), high(address));
}

static void
sample_occlusion(struct pitot_drm_packets *packets, uint64_t address)
{
   const struct pitot_amd_gpu *gpu = (const void *)packets->gpu;
   const bool is_gfx11 = gpu->base.generation >= 110;
   const uint32_t event = is_gfx11 ? PIXEL_PIPE_DUMP : ZPASS_DONE;

   if (is_gfx11 && gpu->has_event_write_zpass)
      EMIT(OP_EVENT_WRITE_ZPASS, low(address), high(address));
   else
      EMIT(OP_EVENT_WRITE, event, low(address), high(address));
}

/* GFX9 hangs if a write at the end of the pipe does not come right after a
 * sample of occlusion.
 */
static bool
needs_zpass_first(const struct pitot_gpu *gpu)
{
   return gpu->generation / 10 == 9;
}

/* GFX7 and GFX8 need two writes for the engines to be idle at the second. */
static bool
needs_two_writes(const struct pitot_gpu *gpu)
{
   return gpu->generation >= 70 && gpu->generation < 90;
}

static void
emit_eop(struct pitot_drm_packets *packets, uint32_t flags, uint64_t address,
         uint32_t value)
{
   EMIT(OP_EVENT_WRITE_EOP, BOTTOM_OF_PIPE_TS, low(address),
        (high(address) & EOP_ADDRESS_HI_MASK) | flags, value, 0);
}

/* EVENT_WRITE_EOP, from GFX9 on RELEASE_MEM: writes once all earlier work is
 * done.
 */
static void
end_of_pipe(struct pitot_drm_packets *packets, uint32_t flags,
            uint64_t address, uint32_t value, bool follows_zpass)
{
   flags |= AFTER_WRITE_CONFIRM;
   if (needs_zpass_first(packets->gpu) && !follows_zpass)
      event_write(packets, ZPASS_DONE, packets->scratch_address);
   if (needs_two_writes(packets->gpu))
      emit_eop(packets, flags, packets->scratch_address, 0);
   if (packets->gpu->generation < 90)
      emit_eop(packets, flags, address, value);
   else
      EMIT(OP_RELEASE_MEM, BOTTOM_OF_PIPE_TS, flags, low(address),
           high(address), value, 0, 0);
}

/* GFX6 has another number for memory. */
static uint32_t
to_memory(const struct pitot_gpu *gpu)
{
   return WRITE_CONFIRM |
          (gpu->generation < 70 ? WRITE_TO_MEMORY_SYNC : WRITE_TO_MEMORY);
}

static void
write_data(struct pitot_drm_packets *packets, uint64_t address, uint64_t value,
           unsigned size_B)
{
   const uint32_t body[] = { to_memory(packets->gpu), low(address),
                             high(address), low(value), high(value) };

   emit(packets, OP_WRITE_DATA, body, 3 + size_B / sizeof(body[0]));
}

static void
encode(struct pitot_drm_packets *packets,
       const struct pitot_cs_command *command, bool follows_zpass)
{
   const uint64_t address = packets->place_address + command->offset_B;

   switch (command->kind) {
   case PITOT_COMMAND_OCCLUSION:
      sample_occlusion(packets, address);
      break;
   case PITOT_COMMAND_TIMESTAMP:
      end_of_pipe(packets, WRITE_TIMESTAMP, address, 0, follows_zpass);
      break;
   case PITOT_COMMAND_COUNTER:
      event_write(packets, command->argument, address);
      break;
   case PITOT_COMMAND_FENCE:
      end_of_pipe(packets, WRITE_32_BITS, address, (uint32_t)command->value,
                  follows_zpass);
      break;
   case PITOT_COMMAND_VALUE:
      write_data(packets, address, command->value, command->size_B);
      break;
   case PITOT_COMMAND_ACCUMULATE:
      assert(!"nothing is sampled once a tile");
   }
}

void
pitot_drm_amd_encode(struct pitot_drm_packets *packets,
                     const struct pitot_cs_command *commands, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      encode(packets, &commands[i],
             i && commands[i - 1].kind == PITOT_COMMAND_OCCLUSION);
}
