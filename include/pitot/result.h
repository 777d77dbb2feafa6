/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The forms in which a result is handed out.
 */

#ifndef PITOT_RESULT_H
#define PITOT_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a query-buffer store writes. */
enum pitot_store {
   PITOT_STORE_RESULT,         /* waits for the result, if it must */
   PITOT_STORE_RESULT_NO_WAIT, /* nothing while the result is in flight */
   PITOT_STORE_AVAILABLE,      /* 0 or 1 */
};

/* The value and type of a result as a caller wants it. */
enum pitot_type {
   PITOT_TYPE_I32,
   PITOT_TYPE_U32,
   PITOT_TYPE_I64,
   PITOT_TYPE_U64,
};

/* Returns the size of a value of that type: 4 or 8. */
unsigned
pitot_type_size_B(enum pitot_type type);

/* Writes the nearest value that the type can represent ("the nearest value
 * representable using the requested type is returned", OpenGL 4.6 core,
 * 4.2.3) to 4 or 8 bytes of any alignment.  Returns whether it is the value
 * itself.
 */
bool
pitot_type_write(enum pitot_type type, uint64_t value, void *data_out);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_RESULT_H */
