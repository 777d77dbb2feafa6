/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The hooks of a pipe_context that are Pitot's, in a list from which the
 * types, the functions and a driver's own hooks are made.
 */

#ifndef PITOT_PIPE_HOOKS_H
#define PITOT_PIPE_HOOKS_H

#include "pipe/p_context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The hooks of a pipe_context that are Pitot's: X(DATA, the type of the
 * result, the name, parameters, arguments).
 */
#define PITOT_PIPE_ALSO(...) , __VA_ARGS__
#define PITOT_PIPE_QUERY_HOOKS(X, DATA)                                      \
   X(DATA, struct pipe_query *, create_query,                                \
     PITOT_PIPE_ALSO(unsigned type, unsigned index),                         \
     PITOT_PIPE_ALSO(type, index))                                           \
   X(DATA, struct pipe_query *, create_batch_query,                          \
     PITOT_PIPE_ALSO(unsigned count, unsigned *types),                       \
     PITOT_PIPE_ALSO(count, types))                                          \
   X(DATA, void, destroy_query, PITOT_PIPE_ALSO(struct pipe_query *query),   \
     PITOT_PIPE_ALSO(query))                                                 \
   X(DATA, bool, begin_query, PITOT_PIPE_ALSO(struct pipe_query *query),     \
     PITOT_PIPE_ALSO(query))                                                 \
   X(DATA, bool, end_query, PITOT_PIPE_ALSO(struct pipe_query *query),       \
     PITOT_PIPE_ALSO(query))                                                 \
   X(DATA, bool, get_query_result,                                           \
     PITOT_PIPE_ALSO(struct pipe_query *query, bool wait,                    \
                     union pipe_query_result *result_out),                   \
     PITOT_PIPE_ALSO(query, wait, result_out))                               \
   X(DATA, void, get_query_result_resource,                                  \
     PITOT_PIPE_ALSO(struct pipe_query *query, enum pipe_query_flags flags,  \
                     enum pipe_query_value_type type, int index,             \
                     struct pipe_resource *resource, unsigned offset_B),     \
     PITOT_PIPE_ALSO(query, flags, type, index, resource, offset_B))         \
   X(DATA, void, render_condition,                                           \
     PITOT_PIPE_ALSO(struct pipe_query *query, bool is_inverted,             \
                     enum pipe_render_cond_flag mode),                       \
     PITOT_PIPE_ALSO(query, is_inverted, mode))                              \
   X(DATA, void, set_active_query_state, PITOT_PIPE_ALSO(bool is_active),    \
     PITOT_PIPE_ALSO(is_active))                                             \
   X(DATA, void, set_frontend_noop, PITOT_PIPE_ALSO(bool is_noop),           \
     PITOT_PIPE_ALSO(is_noop))                                               \
   X(DATA, uint64_t, get_timestamp, , )

/* Those of INTEL_performance_query. */
#define PITOT_PIPE_INTEL_HOOKS(X, DATA)                                      \
   X(DATA, unsigned, init_intel_perf_query_info, , )                         \
   X(DATA, void, get_intel_perf_query_info,                                  \
     PITOT_PIPE_ALSO(unsigned index, const char **name_out,                  \
                     uint32_t *size_B_out, uint32_t *count_out,              \
                     uint32_t *active_out),                                  \
     PITOT_PIPE_ALSO(index, name_out, size_B_out, count_out, active_out))    \
   X(DATA, void, get_intel_perf_query_counter_info,                          \
     PITOT_PIPE_ALSO(unsigned index, unsigned counter_index,                 \
                     const char **name_out, const char **description_out,    \
                     uint32_t *offset_B_out, uint32_t *size_B_out,           \
                     uint32_t *type_out, uint32_t *data_type_out,            \
                     uint64_t *raw_max_out),                                 \
     PITOT_PIPE_ALSO(index, counter_index, name_out, description_out,        \
                     offset_B_out, size_B_out, type_out, data_type_out,      \
                     raw_max_out))                                           \
   X(DATA, struct pipe_query *, new_intel_perf_query_obj,                    \
     PITOT_PIPE_ALSO(unsigned index), PITOT_PIPE_ALSO(index))                \
   X(DATA, bool, begin_intel_perf_query,                                     \
     PITOT_PIPE_ALSO(struct pipe_query *query), PITOT_PIPE_ALSO(query))      \
   X(DATA, void, end_intel_perf_query,                                       \
     PITOT_PIPE_ALSO(struct pipe_query *query), PITOT_PIPE_ALSO(query))      \
   X(DATA, void, delete_intel_perf_query,                                    \
     PITOT_PIPE_ALSO(struct pipe_query *query), PITOT_PIPE_ALSO(query))      \
   X(DATA, void, wait_intel_perf_query,                                      \
     PITOT_PIPE_ALSO(struct pipe_query *query), PITOT_PIPE_ALSO(query))      \
   X(DATA, bool, is_intel_perf_query_ready,                                  \
     PITOT_PIPE_ALSO(struct pipe_query *query), PITOT_PIPE_ALSO(query))      \
   X(DATA, bool, get_intel_perf_query_data,                                  \
     PITOT_PIPE_ALSO(struct pipe_query *query, size_t size_B,                \
                     uint32_t *data_out, uint32_t *written_B_out),           \
     PITOT_PIPE_ALSO(query, size_B, data_out, written_B_out))

#define PITOT_PIPE_HOOKS(X, DATA)                                            \
   PITOT_PIPE_QUERY_HOOKS(X, DATA)                                           \
   PITOT_PIPE_INTEL_HOOKS(X, DATA)

#define PITOT_PIPE_MEMBER(DATA, TYPE, NAME, PARAMETERS, ARGUMENTS)           \
   TYPE (*NAME)(struct pipe_context * pipe PARAMETERS);

struct pitot_pipe_hooks {
   PITOT_PIPE_HOOKS(PITOT_PIPE_MEMBER, )
};

struct pitot_pipe_driver;

#define PITOT_PIPE_FUNCTION(DATA, TYPE, NAME, PARAMETERS, ARGUMENTS)         \
   TYPE pitot_pipe_##NAME(struct pitot_pipe_driver *driver PARAMETERS);

PITOT_PIPE_HOOKS(PITOT_PIPE_FUNCTION, )

/* Defines pitot_pipe_hooks, the hooks of a driver: OF(pipe) is a function of
 * its own that returns the struct pitot_pipe_driver of a context.
 */
#define PITOT_PIPE_HOOK(OF, TYPE, NAME, PARAMETERS, ARGUMENTS)               \
   static TYPE pitot_hook_##NAME(struct pipe_context *pipe PARAMETERS)       \
   {                                                                         \
      return pitot_pipe_##NAME(OF(pipe) ARGUMENTS);                          \
   }
#define PITOT_PIPE_ENTRY(OF, TYPE, NAME, PARAMETERS, ARGUMENTS)              \
   .NAME = pitot_hook_##NAME,
#define PITOT_PIPE_DEFINE_HOOKS(OF)                                          \
   PITOT_PIPE_HOOKS(PITOT_PIPE_HOOK, OF)                                     \
   static const struct pitot_pipe_hooks pitot_pipe_hooks = {                 \
      PITOT_PIPE_HOOKS(PITOT_PIPE_ENTRY, OF)                                 \
   };

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PIPE_HOOKS_H */
