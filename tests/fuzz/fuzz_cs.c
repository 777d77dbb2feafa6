/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Command buffers into the simulated GPUs of tests/sim.  The first bytes are
 * the GPU, the schedule, and data that packets may refer to: further
 * commands, shaders, surfaces, counts.  The rest are packets.  Whatever they
 * are, the simulator has to execute or refuse them: a crash, an access beyond
 * a buffer and a submission without an end are findings.
 */

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sim_priv.h"

#define COMMANDS_ADDRESS UINT64_C(0x100000000)
#define DATA_ADDRESS     UINT64_C(0x100010000)
#define DATA_B           4096
#define MAX_COMMANDS_DW  512

/* Instructions of a dispatch. */
#define MAX_STEPS 20000

/* Packets of a submission: more are a loop. */
#define MAX_PACKETS 2000000

static const uint32_t gen_headers[] = {
   0x00000000, /* MI_NOOP */
   0x05000000, /* MI_BATCH_BUFFER_END */
   0x06000000, /* MI_PREDICATE */
   0x0d000000, /* MI_MATH */
   0x10000000, /* MI_STORE_DATA_IMM */
   0x10200000, /* the same, of 64 bits */
   0x11000000, /* MI_LOAD_REGISTER_IMM */
   0x12000000, /* MI_STORE_REGISTER_MEM */
   0x12200000, /* the same, predicated */
   0x13000000, /* MI_FLUSH_DW */
   0x13004000, /* the same with an immediate */
   0x14800000, /* MI_LOAD_REGISTER_MEM */
   0x15000000, /* MI_LOAD_REGISTER_REG */
   0x17000000, /* MI_COPY_MEM_MEM */
   0x18800000, /* MI_BATCH_BUFFER_START */
   0x18c00000, /* the same, as a call */
   0x61010000, /* STATE_BASE_ADDRESS */
   0x61040000, /* PIPELINE_SELECT, of one dword */
   0x680b0000, /* 3DSTATE_VF_STATISTICS */
   0x69040000, /* PIPELINE_SELECT */
   0x71050000, /* GPGPU_WALKER */
   0x72080000, /* COMPUTE_WALKER */
   0x78080000, /* 3DSTATE_VERTEX_BUFFERS */
   0x78100000, /* 3DSTATE_VS */
   0x78110000, /* 3DSTATE_GS */
   0x78120000, /* 3DSTATE_CLIP */
   0x78140000, /* 3DSTATE_WM */
   0x781b0000, /* 3DSTATE_HS */
   0x781d0000, /* 3DSTATE_DS */
   0x781e0000, /* 3DSTATE_STREAMOUT */
   0x78200000, /* 3DSTATE_PS */
   0x782a0000, /* 3DSTATE_BINDING_TABLE_POINTERS_PS */
   0x784b0000, /* 3DSTATE_VF_TOPOLOGY */
   0x78600000, /* 3DSTATE_SO_BUFFER_INDEX_0 */
   0x79170000, /* 3DSTATE_SO_DECL_LIST */
   0x79180000, /* 3DSTATE_SO_BUFFER */
   0x79190000, /* 3DSTATE_BINDING_TABLE_POOL_ALLOC */
   0x7a000000, /* PIPE_CONTROL */
   0x7b000000, /* 3DPRIMITIVE */
   0x7b000500, /* the same, indirect and predicated */
};

struct fuzz_cs {
   struct fuzz_input *input;
   struct sim *sim;
   unsigned packet_count;
   unsigned count_dw;
   uint32_t commands[MAX_COMMANDS_DW];
};

static bool
is_intel(const struct fuzz_cs *f)
{
   return f->sim->gpu.facts.family == &pitot_hw_intel;
}

/* Takes a dword: a small number, the low half of an address, the high half,
 * one bit, or any.
 */
static uint32_t
take_dw(struct fuzz_cs *f)
{
   const uint8_t byte = fuzz_u8(f->input);

   if (byte < 96)
      return byte;
   if (byte < 128)
      return (uint32_t)DATA_ADDRESS + (byte - 96) * 8;
   if (byte < 144)
      return (uint32_t)COMMANDS_ADDRESS + (byte - 128) * 4;
   if (byte < 160)
      return DATA_ADDRESS >> 32;
   if (byte < 192)
      return UINT32_C(1) << (byte - 160);
   return fuzz_u32(f->input);
}

/* Adds a dword, if there is room. */
static void
add(struct fuzz_cs *f, uint32_t dw)
{
   if (f->count_dw < MAX_COMMANDS_DW)
      f->commands[f->count_dw++] = dw;
}

/* Takes a packet: its kind, the length that it claims, and the length that it
 * has.
 */
static void
take_packet(struct fuzz_cs *f)
{
   const uint8_t kind = fuzz_u8(f->input), length = fuzz_u8(f->input);
   unsigned body_dw = length & 31;

   if (kind >= 250)
      add(f, fuzz_u32(f->input));
   else if (is_intel(f))
      add(f, gen_headers[kind % ARRAY_LENGTH(gen_headers)] | body_dw);
   else
      add(f, 0xc0000000 | body_dw << 16 | (uint32_t)kind << 8 | length >> 7);
   if ((length & 64) == 0)
      body_dw++;
   while (body_dw-- > 0 && f->input->left_B > 0)
      add(f, take_dw(f));
}

static void
count_packet(void *data, const uint32_t *dw, unsigned count_dw)
{
   struct fuzz_cs *f = data;
   uint32_t sum = 0;

   for (unsigned i = 0; i < count_dw; i++)
      sum += dw[i]; /* all of it has to be there */
   if (++f->packet_count > MAX_PACKETS)
      fuzz_fail("a submission without an end (%x)", sum);
}

static void
configure(struct fuzz_cs *f)
{
   const uint8_t flags = fuzz_u8(f->input);
   struct sim *sim = f->sim;

   sim_schedule_begin(&sim->schedule, flags & 1 ? fuzz_u8(f->input) : 0);
   sim->counts_commands = (flags & 2) != 0;
   sim->others_draw = sim->preempts = (flags & 4) != 0;
   sim->delays_backends = (flags & 8) != 0;
   sim->max_steps = MAX_STEPS;
   sim->draw.samples = 7;
   sim->on_command = count_packet;
   sim->on_packet_data = f;
}

/* Adds a buffer with those bytes at an address.  Its memory is of just that
 * size, so that a sanitizer sees each access beyond the end.
 */
static struct sim_bo *
add_buffer(struct fuzz_cs *f, struct sim_space *space, uint64_t address,
           const void *bytes, size_t used_B, size_t size_B)
{
   uint8_t *memory = calloc(1, size_B);
   struct sim_bo *bo = sim_bo_wrap(f->sim, memory, size_B);

   memcpy(memory, bytes, used_B);
   sim_space_add(space, (struct sim_map){ address, size_B, bo, 0 });
   return bo;
}

static void
remove_buffer(struct fuzz_cs *f, struct sim_bo *bo)
{
   uint8_t *memory = bo->memory;

   sim_bo_unreference(f->sim, bo);
   free(memory);
}

static void
execute(struct fuzz_cs *f, struct fuzz_input data)
{
   const size_t size_B = f->count_dw * sizeof(f->commands[0]);
   struct sim_engine_state state = { .registers.predicate = false };
   struct sim_submission submission = {
      .address = COMMANDS_ADDRESS,
      .ibs = { { .address = COMMANDS_ADDRESS,
                 .size_B = size_B,
                 .is_preemptible = f->sim->preempts } },
      .ib_count = 1,
   };
   struct sim_engine engine = {
      .sim = f->sim,
      .submission = &submission,
      .counters = &state.counters,
      .registers = &state.registers,
   };
   struct sim_bo *commands =
      add_buffer(f, &submission.space, COMMANDS_ADDRESS, f->commands, size_B,
                 size_B);
   struct sim_bo *memory = add_buffer(f, &submission.space, DATA_ADDRESS,
                                      data.bytes, data.left_B, DATA_B);

   sim_execute(&engine);
   sim_space_clear(f->sim, &submission.space);
   remove_buffer(f, memory);
   remove_buffer(f, commands);
   sim_free_engine(&engine);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_B)
{
   struct fuzz_input input = { bytes, size_B };
   struct fuzz_cs f = { .input = &input };

   f.sim = sim_create_gpu(sim_gpus[fuzz_u8(&input) % sim_gpu_count].key);
   configure(&f);
   const struct fuzz_input data = fuzz_split(&input);
   while (input.left_B > 0)
      take_packet(&f);
   if (f.count_dw > 0)
      execute(&f, data);
   sim_destroy_gpu(f.sim);
   return 0;
}
