/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What drivers get wrong, Pitot or not: each one widens what the model allows
 * in one situation.  DRIVER-differences.txt names those of a driver.
 */

#ifndef PITOT_MODEL_QUIRKS_H
#define PITOT_MODEL_QUIRKS_H

#include <stdbool.h>

#define QUIRKS(X)                                                            \
   X(STORED_COUNT, "stored-count") /* a boolean in a buffer is a count */

enum quirk {
#define MEMBER(NAME, WORD) QUIRK_##NAME,
   QUIRKS(MEMBER)
#undef MEMBER
   QUIRK_COUNT,
};

/* Reads names with commas between them as bits of 1 << enum quirk.  Returns
 * false, after a message, if there is no such quirk.
 */
bool
quirks_parse(const char *names, unsigned *quirks_out);

#endif /* PITOT_MODEL_QUIRKS_H */
