/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the entry points of perf.
 */

#ifndef PITOT_PERF_ENTRY_PRIV_H
#define PITOT_PERF_ENTRY_PRIV_H

#include <string.h>

#include "perf_priv.h"
#include "pitot_gl_call.h"

/* Writes as much of a string as there is room for, and terminates it.
 * Returns the length of the part that was written.
 */
static inline uint32_t
pitot_perf_copy_string(char *out, uint32_t size_B, const char *string)
{
   if (!out || !size_B)
      return 0;

   /* Not by snprintf, which may refuse a size that is no int. */
   const size_t length = strlen(string);
   const size_t copied = length < size_B ? length : size_B - 1;
   memcpy(out, string, copied);
   out[copied] = '\0';
   return copied;
}

/* Sends a message, once, if the user is not permitted to see some counters.
 */
static inline void
pitot_perf_tell_hidden(struct pitot_gl *gl, struct pitot_perf *perf)
{
   if (perf->has_told_hidden || !pitot_gl_is_debugging(gl))
      return;
   perf->has_told_hidden = true;

   const char *advice = pitot_perf_hidden(perf);
   if (advice)
      pitot_gl_tell(gl, "%s", advice);
}

#endif /* PITOT_PERF_ENTRY_PRIV_H */
