/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * PM4 packets of AMD GPUs, GFX6 to GFX12, for contexts of src/drm.
 * Invariant: each batch first sets what counts: other contexts change it.
 * Danger: workarounds depend on the order of packets (needs_zpass_first()).
 */

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "drm_packets.h"

#define GFX7  70
#define GFX9  90
#define GFX10 100
#define GFX11 110
#define GFX12 120

/* A batch is padded to a multiple of this length.  GFX7 gets the same NOP as
 * later generations: amdgpu pads its own rings with it.
 */
#define PADDING_DW 8
#define NOP_GFX6   0x80000000u /* a packet of type 2 */
#define NOP        0xffff1000u /* a packet of type 3 without a body */

#define OP_WRITE_DATA        0x37u
#define OP_EVENT_WRITE       0x46u
#define OP_EVENT_WRITE_EOP   0x47u
#define OP_RELEASE_MEM       0x49u
#define OP_ACQUIRE_MEM       0x58u
#define OP_SET_CONTEXT_REG   0x69u
#define OP_EVENT_WRITE_ZPASS 0xb1u

/* Events and their indices. */
#define ZPASS_DONE              (21u | 1u << 8)
#define PIPELINESTAT_START      25u
#define PIPELINESTAT_STOP       26u
#define BOTTOM_OF_PIPE_TS       (40u | 5u << 8)
#define PIXEL_PIPE_STAT_CONTROL (56u | 1u << 8)
#define PIXEL_PIPE_DUMP         (57u | 1u << 8)

/* PIXEL_PIPE_STAT_CONTROL: 128 bits from one render backend to the next; the
 * mask of backends has 21 bits in the first dword and the rest in the second.
 */
#define STAT_CONTROL_STRIDE_128 (2u << 9)
#define STAT_CONTROL_LOW_SHIFT  11
#define STAT_CONTROL_LOW_BITS   21

/* ACQUIRE_MEM: writes L2 back and invalidates it, for all addresses. */
#define COHER_L2               (1u << 18 | 1u << 23)
#define GCR_L2                 (1u << 14 | 1u << 15)
#define ACQUIRE_SIZE           0xffffffffu
#define ACQUIRE_SIZE_HIGH_GFX9 0xffffffu
#define ACQUIRE_SIZE_HIGH      0x1ffffffu
#define ACQUIRE_POLL_INTERVAL  10

/* DB_COUNT_CONTROL's index among the context registers, and its fields. */
#define DB_COUNT_CONTROL        ((0x28004 - 0x28000) / 4)
#define DB_COUNT_CONTROL_GFX12  ((0x28060 - 0x28000) / 4)
#define COUNT_INCREMENT_DISABLE (1u << 0) /* GFX6 */
#define COUNT_PERFECT           (1u << 1)
#define COUNT_NOT_CONSERVATIVE  (1u << 2) /* GFX10 and later */
#define COUNT_ZPASS_ENABLE      (1u << 8)
#define COUNT_SLICE_EVEN_ENABLE (1u << 24)
#define COUNT_SLICE_ODD_ENABLE  (1u << 28)

/* Write only when earlier writes are confirmed: the CPU reads the memory
 * while the batch is still running.
 */
#define AFTER_WRITE_CONFIRM (3u << 24)
#define WRITE_32_BITS       (1u << 29)
#define WRITE_TIMESTAMP     (3u << 29)

#define WRITE_TO_MEMORY_SYNC (1u << 8)
#define WRITE_TO_MEMORY      (5u << 8)
#define WRITE_CONFIRM        (1u << 20)

#define EOP_ADDRESS_HI_MASK 0xffffu

static uint32_t
low_dword(uint64_t address)
{
   return (uint32_t)address;
}

static uint32_t
high_dword(uint64_t address)
{
   return (uint32_t)(address >> 32);
}

/* A packet of type 3 */
static void
emit_packet3(struct pitot_drm_packets *packets, uint32_t op,
             const uint32_t *body, unsigned body_dw)
{
   *packets->next++ = 3u << 30 | (body_dw - 1) << 16 | op << 8;
   memcpy(packets->next, body, body_dw * sizeof(body[0]));
   packets->next += body_dw;
}

#define EMIT(OP, ...)                                                        \
   emit_packet3(packets, OP, (const uint32_t[]){ __VA_ARGS__ },              \
                sizeof((const uint32_t[]){ __VA_ARGS__ }) /                  \
                   sizeof(uint32_t))

/*
 * Batches
 */

static uint32_t
count_control(const struct pitot_gpu *gpu, bool is_on)
{
   uint32_t value = 0;

   if (gpu->generation >= GFX10)
      value |= COUNT_NOT_CONSERVATIVE;
   if (gpu->generation < GFX7)
      value |= is_on ? 0 : COUNT_INCREMENT_DISABLE;
   else if (is_on)
      value |= COUNT_ZPASS_ENABLE | COUNT_SLICE_EVEN_ENABLE |
               COUNT_SLICE_ODD_ENABLE;

   /* Without this bit some draws count 0: wrong even for a boolean. */
   if (is_on)
      value |= COUNT_PERFECT;
   return value;
}

void
pitot_drm_amd_count(struct pitot_drm_packets *packets, unsigned counting)
{
   const struct pitot_gpu *gpu = packets->gpu;
   const bool is_on =
      counting & (PITOT_COUNTING_STATISTICS | PITOT_COUNTING_STREAMOUT);

   EMIT(OP_SET_CONTEXT_REG,
        gpu->generation >= GFX12 ? DB_COUNT_CONTROL_GFX12 : DB_COUNT_CONTROL,
        count_control(gpu, counting & PITOT_COUNTING_OCCLUSION));
   EMIT(OP_EVENT_WRITE, is_on ? PIPELINESTAT_START : PIPELINESTAT_STOP);
}

/* Selects the backends that write occlusion samples: those that exist, as PAL
 * does.  radeonsi selects all; a disabled backend must not write either way.
 */
static void
select_backends(struct pitot_drm_packets *packets)
{
   const uint64_t mask =
      ((const struct pitot_amd_gpu *)packets->gpu)->rb_mask;

   EMIT(OP_EVENT_WRITE, PIXEL_PIPE_STAT_CONTROL,
        STAT_CONTROL_STRIDE_128 | (uint32_t)(mask << STAT_CONTROL_LOW_SHIFT),
        (uint32_t)(mask >> STAT_CONTROL_LOW_BITS));
}

/* From GFX9 on the command processor reads through L2, which may be older
 * than what the CPU has written since the last batch.  The prefetch engine
 * waits for the invalidation, too.
 */
static void
invalidate_l2(struct pitot_drm_packets *packets)
{
   if (packets->gpu->generation >= GFX10)
      EMIT(OP_ACQUIRE_MEM, 0, ACQUIRE_SIZE, ACQUIRE_SIZE_HIGH, 0, 0,
           ACQUIRE_POLL_INTERVAL, GCR_L2);
   else if (packets->gpu->generation >= GFX9)
      EMIT(OP_ACQUIRE_MEM, COHER_L2, ACQUIRE_SIZE, ACQUIRE_SIZE_HIGH_GFX9, 0,
           0, ACQUIRE_POLL_INTERVAL);
}

void
pitot_drm_amd_begin(struct pitot_drm_packets *packets, unsigned counting)
{
   invalidate_l2(packets);
   if (packets->gpu->generation >= GFX11)
      select_backends(packets);
   pitot_drm_amd_count(packets, counting);
}

/* The seqno is written by the kernel's fence (AMDGPU_CHUNK_ID_FENCE). */
void
pitot_drm_amd_end(struct pitot_drm_packets *packets, uint64_t address,
                  uint64_t number)
{
   (void)address, (void)number;
   while ((packets->next - packets->first) % PADDING_DW != 0)
      *packets->next++ = packets->gpu->generation < GFX7 ? NOP_GFX6 : NOP;
}

/*
 * Commands
 */

static void
event_write(struct pitot_drm_packets *packets, uint32_t event,
            uint64_t address)
{
   EMIT(OP_EVENT_WRITE, event, low_dword(address), high_dword(address));
}

/* ZPASS_DONE up to GFX10.3, as in radeonsi and RADV.  PAL uses
 * PIXEL_PIPE_STAT_DUMP from GFX9 on, but says that ZPASS_DONE still works.
 */
static void
sample_occlusion(struct pitot_drm_packets *packets, uint64_t address)
{
   const struct pitot_amd_gpu *gpu = (const void *)packets->gpu;
   const bool is_gfx11 = gpu->base.generation >= GFX11;
   const uint32_t event = is_gfx11 ? PIXEL_PIPE_DUMP : ZPASS_DONE;

   if (is_gfx11 && gpu->has_event_write_zpass)
      EMIT(OP_EVENT_WRITE_ZPASS, low_dword(address), high_dword(address));
   else
      EMIT(OP_EVENT_WRITE, event, low_dword(address), high_dword(address));
}

/* GFX9 hangs if an end-of-pipe write does not follow a ZPASS_DONE. */
static bool
needs_zpass_first(const struct pitot_gpu *gpu)
{
   return gpu->generation / 10 == 9;
}

/* On GFX7 and GFX8 the engines are idle only at the second of two writes. */
static bool
needs_two_writes(const struct pitot_gpu *gpu)
{
   return gpu->generation >= GFX7 && gpu->generation < GFX9;
}

static void
emit_eop(struct pitot_drm_packets *packets, uint32_t flags, uint64_t address,
         uint32_t value)
{
   EMIT(OP_EVENT_WRITE_EOP, BOTTOM_OF_PIPE_TS, low_dword(address),
        (high_dword(address) & EOP_ADDRESS_HI_MASK) | flags, value, 0);
}

/* Writes when all earlier work is done.  RELEASE_MEM writes to the memory
 * controller (destination 0), as radeonsi and the kernel's fences do; PAL's
 * writes to L2.
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
   if (packets->gpu->generation < GFX9)
      emit_eop(packets, flags, address, value);
   else
      EMIT(OP_RELEASE_MEM, BOTTOM_OF_PIPE_TS, flags, low_dword(address),
           high_dword(address), value, 0, 0);
}

/* GFX6: destination 1, memory in order of register writes, as radeonsi */
static uint32_t
to_memory(const struct pitot_gpu *gpu)
{
   return WRITE_CONFIRM |
          (gpu->generation < GFX7 ? WRITE_TO_MEMORY_SYNC : WRITE_TO_MEMORY);
}

static void
write_data(struct pitot_drm_packets *packets, uint64_t address,
           uint64_t value, unsigned size_B)
{
   const uint32_t body[] = { to_memory(packets->gpu), low_dword(address),
                             high_dword(address), low_dword(value),
                             high_dword(value) };

   emit_packet3(packets, OP_WRITE_DATA, body, 3 + size_B / sizeof(body[0]));
}

static void
encode_command(struct pitot_drm_packets *packets,
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
      encode_command(packets, &commands[i],
                     i && commands[i - 1].kind == PITOT_COMMAND_OCCLUSION);
}
