/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs the scripts of rules.h on a GL: Pitot's layer over the null driver
 * (script_null.c), or a real one (../conformance).
 */

#ifndef PITOT_TESTS_SCRIPT_H
#define PITOT_TESTS_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "pitot/result.h"

/* The pattern that memory holds before a call writes to it. */
#define SCRIPT_UNTOUCHED      UINT64_C(0xaaaaaaaaaaaaaaaa)
#define SCRIPT_UNTOUCHED_BYTE 0xaa

#define SCRIPT_BUFFER_SIZE_B 64

/* glGetBooleanv, glGetIntegerv, glGetInteger64v and glGetFloatv */
enum script_getter {
   SCRIPT_GET_BOOLEAN,
   SCRIPT_GET_INTEGER,
   SCRIPT_GET_INTEGER64,
   SCRIPT_GET_FLOAT,
};

/* Those of INTEL_performance_query. */
struct script_perf_ops {
   void (*first)(void *gl, uint32_t *set_id);
   void (*next)(void *gl, uint32_t set_id, uint32_t *next_id);
   void (*by_name)(void *gl, char *name, uint32_t *set_id);
   void (*info)(void *gl, uint32_t set_id, uint32_t name_size, char *name,
                uint32_t *data_size, uint32_t *counter_count,
                uint32_t *instance_count, uint32_t *caps_mask);
   void (*counter_info)(void *gl, uint32_t set_id, uint32_t counter_id,
                        uint32_t name_size, char *name,
                        uint32_t description_size, char *description,
                        uint32_t *offset, uint32_t *data_size, uint32_t *type,
                        uint32_t *data_type, uint64_t *raw_max);
   void (*create)(void *gl, uint32_t set_id, uint32_t *handle);
   void (*delete_handle)(void *gl, uint32_t handle);
   void (*begin)(void *gl, uint32_t handle);
   void (*end)(void *gl, uint32_t handle);
   void (*data)(void *gl, uint32_t handle, uint32_t flags, int32_t data_size,
                void *data, uint32_t *bytes_written);
};

/* The calls of a script, on a GL that has one buffer object. */
struct script_ops {
   void (*gen)(void *gl, int n, uint32_t *ids);
   void (*create)(void *gl, unsigned target, int n, uint32_t *ids);
   void (*delete_ids)(void *gl, int n, const uint32_t *ids);
   bool (*is)(void *gl, uint32_t id);

   /* index is -1 for the forms that have none. */
   void (*begin)(void *gl, unsigned target, int index, uint32_t id);
   void (*end)(void *gl, unsigned target, int index);
   void (*counter)(void *gl, uint32_t id, unsigned target);
   void (*query)(void *gl, unsigned target, int index, unsigned pname,
                 int32_t *params);
   void (*get)(void *gl, uint32_t id, unsigned pname, enum pitot_type type,
               void *params);

   /* buffer is the name of one, or -1 for the GL's own. */
   void (*put)(void *gl, uint32_t id, int buffer, unsigned pname,
               enum pitot_type type, int64_t offset);
   void (*bind)(void *gl, bool is_bound);
   void (*map)(void *gl, bool is_mapped);
   void (*read_buffer)(void *gl, unsigned offset_B, unsigned size_B,
                       void *data_out);

   void (*condition)(void *gl, uint32_t id, unsigned mode);
   void (*endcondition)(void *gl);
   bool (*draw)(void *gl);
   void (*clear)(void *gl);
   void (*count)(void *gl, const char *target, uint64_t amount);
   uint64_t (*now)(void *gl);
   uint64_t (*disjoint)(void *gl, enum script_getter getter);
   void (*suspend)(void *gl);
   void (*immediate)(void *gl, unsigned count);
   void (*flush)(void *gl);
   void (*finish)(void *gl);
   const struct script_perf_ops *perf;

   /* What only some GLs can do: fail at the nth call from now; tell how often
    * the driver was flushed, or waited for; and time, hold, release, lose,
    * nosets.
    */
   void (*fail_next)(void *gl, const char *call, unsigned nth);
   uint64_t (*flushed)(void *gl);
   uint64_t (*waited)(void *gl);
   void (*control)(void *gl, const char *what, const char *argument);

   unsigned (*take_error)(void *gl);
   const char *(*error_message)(void *gl);
};

/* Runs a script; a statement that does not do what it says fails the test. */
void
script_run(const struct script_ops *ops, void *gl, const char *script);

/* The same where GL reports no errors (KHR_no_error): after a mistake values
 * are not looked at.
 */
void
script_run_no_error(const struct script_ops *ops, void *gl,
                    const char *script);

/* Calls back for each word of a script until that returns a reason why the
 * word cannot be run, which is returned; NULL if there is none.
 */
const char *
script_find_obstacle(const char *script,
                     const char *(*obstacle)(void *data, const char *word),
                     void *data);

#endif /* PITOT_TESTS_SCRIPT_H */
