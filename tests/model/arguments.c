/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "arguments.h"

unsigned
variable(struct generator *g)
{
   if (!g->is_plain && percent(g, 3))
      return below(g, VARIABLE_COUNT);
   return below(g, GENERATED_VARIABLES);
}

unsigned
handle(struct generator *g)
{
   return !g->is_plain && percent(g, 5) ? below(g, HANDLE_COUNT)
                                        : below(g, CREATED_HANDLES);
}

unsigned
any_target(struct generator *g)
{
   unsigned target;

   if (!g->is_plain && percent(g, 3))
      return below(g, T_COUNT + 1);
   do
      target = below(g, T_COUNT);
   while (!g->features->targets[target]);
   return target;
}

unsigned
some_target(struct generator *g)
{
   return percent(g, 85) ? g->targets[below(g, g->target_count)]
                         : any_target(g);
}

int64_t
some_index(struct generator *g, unsigned target)
{
   if (!g->features->has_indexed)
      return -1;
   if (target_table[target].is_indexed && percent(g, 50))
      return below(g, MAX_STREAMS + !g->is_plain);
   return !g->is_plain && percent(g, 2) ? 1 : percent(g, 20) ? 0 : -1;
}

unsigned
some_type(struct generator *g)
{
   return percent(g, 40) ? TYPE_U32 : below(g, TYPE_COUNT);
}

unsigned
some_pname(struct generator *g)
{
   const unsigned dice = below(g, 100);

   if (dice < 35)
      return P_RESULT;
   if (dice < 75)
      return P_AVAILABLE;
   if (dice < 90)
      return P_NO_WAIT;
   return g->is_plain ? P_TARGET : below(g, P_COUNT);
}

int64_t
some_offset(struct generator *g)
{
   static const int64_t odd[] = { -1, INT64_MIN, INT64_MAX, 61, 57,
                                  64, 3,         17,        13, 60 };

   if (!g->is_plain && percent(g, 10))
      return odd[below(g, sizeof(odd) / sizeof(odd[0]))];
   return 8 * below(g, percent(g, 70) ? 2 : BUFFER_SIZE_B / 8) +
          (percent(g, 20) ? 4 : 0);
}

unsigned
way_to_ask(struct generator *g)
{
   return percent(g, 90) ? 0 : below(g, 5);
}
