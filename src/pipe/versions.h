/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What differs between the versions of Mesa that Pitot joins, 25.0 to 26.2.
 * The sources have the newest names.  PITOT_MESA is Mesa's version: 2602 is
 * 26.2.
 */

#ifndef PITOT_PIPE_VERSIONS_H
#define PITOT_PIPE_VERSIONS_H

#ifndef PITOT_MESA
#error "Meson defines PITOT_MESA (src/pipe/meson.build)"
#endif

/* Parameters that a function gained or lost: with their comma. */
#if PITOT_MESA >= 2601
#define PITOT_SINCE_26_1(...)  __VA_ARGS__
#else
#define PITOT_SINCE_26_1(...)
#endif

#if PITOT_MESA >= 2600
#define PITOT_SINCE_26_0(...)  __VA_ARGS__
#define PITOT_BEFORE_26_0(...)
#else
#define PITOT_SINCE_26_0(...)
#define PITOT_BEFORE_26_0(...) __VA_ARGS__
#endif

#if PITOT_MESA >= 2502
#define PITOT_SINCE_25_2(...)             __VA_ARGS__
#define PITOT_BEFORE_25_2(...)
#else
#define PITOT_SINCE_25_2(...)
#define PITOT_BEFORE_25_2(...)            __VA_ARGS__

/* radeonsi */
#define is_gfx_queue                      has_graphics

/* freedreno */
#define REG_A6XX_RB_SAMPLE_COUNTER_BASE   REG_A6XX_RB_SAMPLE_COUNT_ADDR
#define REG_A6XX_RB_SAMPLE_COUNTER_CNTL   REG_A6XX_RB_SAMPLE_COUNT_CONTROL
#define A6XX_RB_SAMPLE_COUNTER_CNTL_COPY  A6XX_RB_SAMPLE_COUNT_CONTROL_COPY
#define REG_A6XX_VPC_SO_QUERY_BASE        REG_A6XX_VPC_SO_STREAM_COUNTS
#endif

#if PITOT_MESA >= 2503
#define PITOT_COUNTS_MESHES(caps)  ((caps)->mesh.pipeline_statistic_queries)
#else
#define PITOT_COUNTS_MESHES(caps)  false

/* EXT_mesh_shader */
#define PIPE_STAT_QUERY_MS_PRIMITIVES  (PIPE_STAT_QUERY_MS_INVOCATIONS + 1)
#define _mesa_has_EXT_mesh_shader(ctx) false

#define mesa_shader_stage          gl_shader_stage
#define UNREACHABLE(text)          unreachable(text)
#endif

#if PITOT_MESA < 2600
#define util_dynarray_append_typed(array, type, value)                       \
   util_dynarray_append(array, type, value)

/* State tracker: a state is a bit, and has a number of another name. */
#define ST_SET_STATE(set, state)   ((set) |= (state))
#define ST_INDEX(state)            state##_INDEX

/* radeonsi */
#define V_371_MEMORY               V_370_MEM
#define V_371_MICRO_ENGINE         V_370_ME
#define S_201_PRED_OP(operation)   PRED_OP(operation)

/* freedreno: the properties of a GPU */
#define FREEDRENO_A7XX(info)       ((info)->a7xx)
#else
#define ST_INDEX(state)            state
#define FREEDRENO_A7XX(info)       ((info)->props)
#endif

#endif
