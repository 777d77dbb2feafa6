/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * SET_PREDICATION: whether to draw, by what the GPU has counted.
 */

#include "pm4.h"

#define DRAW_IF_FOUND (1u << 8)
#define NO_WAIT       (1u << 12)
#define OP_SHIFT      16
#define OP_MASK       0x7
#define OP_CLEAR      0
#define OP_ZPASS      1
#define OP_PRIMCOUNT  2
#define OP_BOOL64     3
#define OP_BOOL32     4
#define CONTINUE      (1u << 31)

#define ADDRESS_HIGH_GFX6 0xff

struct predicate {
   uint64_t address;
   uint32_t operation;
   bool is_there; /* all that it reads */
   bool is_found;
};

/* Returns what was counted between two samples, or says it is not there. */
static uint64_t
load_difference(struct decoder *decoder, struct predicate *predicate,
                unsigned begin_B, unsigned end_B)
{
   const uint64_t begin =
      sim_load(decoder->engine, predicate->address + begin_B, 8);
   const uint64_t end =
      sim_load(decoder->engine, predicate->address + end_B, 8);

   if ((begin & end & VALID) == 0)
      predicate->is_there = false;
   return end - begin;
}

/* One pair of samples from each backend, there or not. */
static void
look_for_samples(struct decoder *decoder, struct predicate *predicate)
{
   const unsigned count = decoder->engine->sim->gpu.facts.rb_count;

   for (unsigned i = 0; i < count; i++) {
      const unsigned begin_B = i * BACKEND_STRIDE;

      if (load_difference(decoder, predicate, begin_B, begin_B + 8) != 0)
         predicate->is_found = true;
   }
}

static void
look(struct decoder *decoder, struct predicate *predicate)
{
   switch (predicate->operation >> OP_SHIFT & OP_MASK) {
   case OP_ZPASS:
      look_for_samples(decoder, predicate);
      break;
   case OP_PRIMCOUNT: /* as many primitives needed as written? */
      predicate->is_found = load_difference(decoder, predicate, 0, 16) !=
                            load_difference(decoder, predicate, 8, 24);
      break;
   case OP_BOOL64:
      predicate->is_found =
         sim_load(decoder->engine, predicate->address, 8) != 0;
      break;
   case OP_BOOL32:
      predicate->is_found =
         sim_load(decoder->engine, predicate->address, 4) != 0;
      break;
   }
}

/* Until GFX8, the operation is in the upper bits of the address. */
static struct predicate
predicate_of(const struct decoder *decoder, const uint32_t *body)
{
   struct predicate predicate = { .is_there = true };

   if (decoder->generation >= GFX9) {
      predicate.operation = body[0];
      predicate.address = sim_pm4_address(&body[1]);
   } else {
      predicate.operation = body[1] & ~ADDRESS_HIGH_GFX6;
      predicate.address = body[0] | (uint64_t)(body[1] & ADDRESS_HIGH_GFX6)
                                       << 32;
   }
   return predicate;
}

void
sim_pm4_set_predication(struct decoder *decoder, const uint32_t *body)
{
   struct predicate predicate = predicate_of(decoder, body);
   const uint32_t operation = predicate.operation;
   const bool waits = (operation & NO_WAIT) == 0;
   bool draws_if_found = (operation & DRAW_IF_FOUND) != 0;

   sim_note(decoder->engine, predicate.address, "predication 0x%x",
            operation);
   if ((operation >> OP_SHIFT & OP_MASK) == OP_CLEAR) {
      decoder->skips = false;
      return;
   }

   if (waits)
      sim_drain(decoder->engine);
   look(decoder, &predicate);
   if (waits && !predicate.is_there)
      sim_pm4_violate(decoder, "SET_PREDICATION", "waits for ever");

   if ((operation & CONTINUE) == 0)
      decoder->is_found = decoder->is_unknown = false;
   decoder->is_found |= predicate.is_found;
   decoder->is_unknown |= !predicate.is_there;

   /* Primitives are "visible" if there was room for all of them. */
   if ((operation >> OP_SHIFT & OP_MASK) == OP_PRIMCOUNT)
      draws_if_found = !draws_if_found;
   decoder->skips =
      !decoder->is_unknown && decoder->is_found != draws_if_found;
}
