/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The types and values that results are returned in.
 */

#ifndef PITOT_RESULT_H
#define PITOT_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a store into a query buffer writes. */
enum pitot_store {
   PITOT_STORE_RESULT,         /* the result; waits for it if needed */
   PITOT_STORE_RESULT_NO_WAIT, /* the result, or nothing while it is in flight
                                */
   PITOT_STORE_AVAILABLE,      /* the availability: 0 or 1 */
};

#define PITOT_STORE_COUNT 3

/* The type of a result as a caller wants it. */
enum pitot_type {
   PITOT_TYPE_I32,
   PITOT_TYPE_U32,
   PITOT_TYPE_I64,
   PITOT_TYPE_U64,
};

#define PITOT_TYPE_COUNT 4

/* The largest value of a type. */
extern const uint64_t pitot_type_max[PITOT_TYPE_COUNT];

/* Returns 4 or 8. */
static inline unsigned
pitot_type_size_B(enum pitot_type type)
{
   return type <= PITOT_TYPE_U32 ? 4 : 8;
}

/* Writes the nearest value that the type can represent ("the nearest value
 * representable using the requested type is returned", OpenGL 4.6 core,
 * 4.2.3) to 4 or 8 bytes of any alignment.  Returns whether it is the value
 * itself.
 */
static inline bool
pitot_type_write(enum pitot_type type, uint64_t value, void *data_out)
{
   const uint64_t max = pitot_type_max[type];
   const uint64_t clamped = value > max ? max : value;
   const uint32_t clamped_32 = (uint32_t)clamped;

   /* By way of a 32-bit copy, so that the byte order does not matter. */
   if (type <= PITOT_TYPE_U32)
      memcpy(data_out, &clamped_32, sizeof(clamped_32));
   else
      memcpy(data_out, &clamped, sizeof(clamped));
   return clamped == value;
}

#ifdef __cplusplus
}
#endif

#endif /* PITOT_RESULT_H */
