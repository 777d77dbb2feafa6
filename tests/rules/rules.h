/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* clang-format off */
/*
 * GL's rules for queries, as data.  A rule is a script of statements,
 * separated by ";":
 *
 *    VERB OPERAND... [= VALUE] [! ERROR]
 *
 * The GL error after a statement must be ERROR, or none without "!".  The
 * verb's value must be VALUE; "untouched" means that nothing is written, as
 * does ERROR without VALUE.  Memory past the value is never written.
 *
 * An operand or a value is
 *    a..z            a variable: its number, 0 at first
 *    TARGET, PNAME   a token of GL without "GL_"
 *    TYPE            int, uint, int64, uint64, bool or float
 *    99, -1          a number
 *
 * The value of a verb is the number that its call returns or writes, unless
 * the table says otherwise after a ";".
 *
 * VERB AND OPERANDS           CALL; VALUE
 *
 * Query objects; a and b are their names:
 * gen a b                     glGenQueries; "gen -1": n is -1, with no names
 * create TARGET a b           glCreateQueries; "create TARGET -1"
 * delete a b                  glDeleteQueries; "delete -1"
 * is a                        glIsQuery
 * begin TARGET a [INDEX]      glBeginQuery, or glBeginQueryIndexed
 * end TARGET [INDEX]          glEndQuery, or glEndQueryIndexed
 * measure TARGET a [N]        begin, points N TARGET if given, end
 * counter a TARGET            glQueryCounter
 * query TARGET PNAME [INDEX]  glGetQueryiv, or glGetQueryIndexediv
 * active TARGET [INDEX]       query of CURRENT_QUERY
 * bits TARGET [INDEX]         query of QUERY_COUNTER_BITS
 * get a PNAME [TYPE]          glGetQueryObject*v; TYPE is uint64 by default
 * get a PNAME TYPE @OFFSET    the same, into the bound buffer
 * result a [TYPE [@OFFSET]]   get of QUERY_RESULT
 * available a [TYPE [@OFFSET]]  get of QUERY_RESULT_AVAILABLE
 * put a PNAME TYPE OFFSET [BUFFER]  glGetQueryBufferObject*v, into the
 *                             script's buffer by default
 * bind, unbind                the script's buffer of 64 bytes, QUERY_BUFFER
 * map, unmap                  the script's buffer
 * condition a MODE            glBeginConditionalRender
 * endcondition                glEndConditionalRender
 * drawif a MODE               condition, draw, endcondition
 *
 * Drawing, clocks and the system:
 * draw                        draws; 1 if pixels change, else 0
 * points N [TARGET]           draws N points of one sample; on the null
 *                             driver only TARGET counts them (default:
 *                             VERTICES_SUBMITTED)
 * immediate N                 the same in immediate mode: GL buffers vertices
 *                             until it must flush them
 * clear, flush, finish        glClear, glFlush, glFinish
 * disjoint [TYPE]             glGet*v(GPU_DISJOINT_EXT); int by default
 * suspend                     suspends the system
 *
 * INTEL_performance_query; a and b are ids of perf sets, s is the handle of a
 * perf query.  NAME has "_" for each space.  NULL instead of memory is a null
 * pointer.
 * first a                     glGetFirstPerfQueryIdINTEL; the id
 * next a b                    glGetNextPerfQueryIdINTEL, of a; the id, b
 * set a NAME                  glGetPerfQueryIdByNameINTEL; the id
 * info a [FIELD]              glGetPerfQueryInfoINTEL of one field: SIZE,
 *                             COUNTERS, INSTANCES, CAPS or NAME [LENGTH];
 *                             without FIELD, all pointers are NULL.  The
 *                             empty text is "empty"
 * counterinfo a N [FIELD]     glGetPerfCounterInfoINTEL of counter N: OFFSET,
 *                             SIZE, TYPE, DATA_TYPE, MAX, NAME [LENGTH] or
 *                             DESCRIPTION [LENGTH]
 * chain                       follows all sets and finds each by name; their
 *                             count
 * layouts                     checks that each set's counters are inside its
 *                             record, aligned, and do not overlap
 * lengths                     checks that no text is empty, or too long
 * perf a s [N]                glCreatePerfQueryINTEL, N times; the last
 *                             handle.  The set may be a NAME
 * drop s                      glDeletePerfQueryINTEL
 * start s, stop s             glBeginPerfQueryINTEL, glEndPerfQueryINTEL
 * count s [N]                 start, points N if given, stop
 * data s FLAGS [SIZE]         glGetPerfQueryDataINTEL; the bytes it wrote: 0,
 *                             or "record", the size of a record.  FLAGS are
 *                             WAIT, FLUSH, DONOT_FLUSH or a number.  SIZE is
 *                             a number, "record" (the default), "record-1"
 *                             or "record+8"; NULL is no memory, "uncounted"
 *                             is NULL for bytesWritten
 * again s FLAGS [SIZE]        data, which must write the last record again
 * poll s FLAGS [SIZE]         data, until it writes a record
 * value s NAME                that counter in the last record
 *
 * AMD_performance_monitor; a is the id of a group, b and c are ids of its
 * counters, and m and n are monitors.
 * groups [SIZE]               glGetPerfMonitorGroupsAMD; their number.  It
 *                             must write as many as SIZE allows; SIZE
 *                             "NULL" is no memory, "uncounted" is NULL for
 *                             the number
 * members a [SIZE]            glGetPerfMonitorCountersAMD; the same
 * most a                      the number of counters that can be active
 * group a [NAME]              finds the group of a name, or any; its id
 * member a b [NAME]           finds the counter of a name, or any; its id
 * grouptext a [SIZE]          glGetPerfMonitorGroupStringAMD; the text, whose
 *                             length must be returned; SIZE "NULL" is no
 *                             memory, and the value is the length
 * membertext a b [SIZE]       glGetPerfMonitorCounterStringAMD; the same
 * memberinfo a b PNAME        glGetPerfMonitorCounterInfoAMD; for a range the
 *                             maximum.  PNAME "NULL" is no memory
 * tree                        checks each counter of each group with all of
 *                             these calls; the number of groups
 * monitors m n                glGenPerfMonitorsAMD; "monitors -1"
 * forget m n                  glDeletePerfMonitorsAMD; "forget -1"
 * select m a b c              glSelectPerfMonitorCountersAMD, to enable;
 *                             "select m a -1"; NULL is no list, count 1
 * deselect m a b c            the same, to disable
 * watch m, unwatch m          glBeginPerfMonitorAMD, glEndPerfMonitorAMD
 * monitor m [N]               watch, points N if given, unwatch
 * ask m PNAME [SIZE]          glGetPerfMonitorCounterDataAMD; what it writes.
 *                             SIZE "NULL" and "uncounted" as for data
 * ready m                     ask of PERFMON_RESULT_AVAILABLE_AMD
 * size m                      ask of PERFMON_RESULT_SIZE_AMD
 * results m [SIZE]            ask of PERFMON_RESULT_AMD; the bytes it wrote:
 *                             all results by default
 * await m                     polls ready until it is 1
 * seen a b                    that counter in the last results
 *
 * On the null driver alone:
 * time N                      sets the GPU's clock to N ns
 * now                         glGetInteger64v(TIMESTAMP)
 * overflow                    draws a primitive that overflows a transform
 *                             feedback buffer
 * hold, release               keeps results in flight, makes them available
 * lose                        loses the device
 * fail CALL [N]               makes the Nth CALL from now fail (default: the
 *                             first): create, begin or end of the driver;
 *                             "fail memory": an allocation
 * nosets                      removes all perf sets
 * flushed, waited             the driver's flushes, and its waits
 */
/* clang-format on */

#ifndef PITOT_TESTS_RULES_H
#define PITOT_TESTS_RULES_H

#include <stddef.h>
#include <stdint.h>

/* Kinds of contexts. */
#define IN_COMPAT  1u
#define IN_CORE    2u
#define IN_ES2     4u
#define IN_ES3     8u
#define IN_ES      (IN_ES2 | IN_ES3)
#define IN_DESKTOP (IN_COMPAT | IN_CORE)
#define IN_ALL     (IN_DESKTOP | IN_ES)

/* Features of enum pitot_gl_feature that must be missing there. */
#define WITHOUT(FEATURES) ((uint64_t)(FEATURES) << 32)
#define MISSING(WHERE)    ((unsigned)((WHERE) >> 32))

#define GL46 "OpenGL 4.6 core, "
#define ES32 "OpenGL ES 3.2, "
#define EDTQ "EXT_disjoint_timer_query"
#define EOQB "EXT_occlusion_query_boolean"
#define APSQ "ARB_pipeline_statistics_query"
#define AQBO "ARB_query_buffer_object"
#define ADSA "ARB_direct_state_access"
#define ATFO "ARB_transform_feedback_overflow_query"
#define EMS  "EXT_mesh_shader"
#define ACRI "ARB_conditional_render_inverted"
#define IPQ  "INTEL_performance_query"
#define APM  "AMD_performance_monitor"

#define ANGLE_R "ANGLE's tests, "

struct rule {
   const char *name;
   const char *source; /* specification and section */
   uint64_t where;     /* kinds of contexts, and missing features */
   const char *script;
};

extern const struct rule rules[];
extern const size_t rule_count;

#endif /* PITOT_TESTS_RULES_H */
