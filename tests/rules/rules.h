/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* clang-format off */
/*
 * The rules of GL about queries, as data.  A rule is a script of statements,
 * separated by ";":
 *
 *    VERB OPERAND... [= VALUE] [! ERROR]
 *
 * The GL error after a statement must be ERROR, or none.  If there is a
 * VALUE, the verb must give it; "untouched" is that nothing may be written.
 * With an ERROR and no VALUE, nothing may be written either.  Memory behind
 * the value must stay untouched always.
 *
 * An operand or a value is
 *    a..z            a variable: its number, 0 at first
 *    TARGET, PNAME   a token of GL without "GL_"
 *    TYPE            int, uint, int64, uint64, bool or float
 *    99, -1          a number
 *
 * The value of a verb is the number that its call returns or writes, unless
 * the table says otherwise, behind a ";".
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
 * get a PNAME TYPE @OFFSET    the same into the buffer that is bound
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
 * draw                        draws; 1 if that is seen, 0 if not
 * points N [TARGET]           draws N points, of a sample each; on the null
 *                             driver TARGET alone counts them, by default
 *                             VERTICES_SUBMITTED
 * immediate N                 the same in immediate mode, which GL holds back
 *                             until it must flush
 * clear, flush, finish        glClear, glFlush, glFinish
 * disjoint [TYPE]             glGet*v(GPU_DISJOINT_EXT); int by default
 * suspend                     puts the system to sleep
 *
 * INTEL_performance_query; a and b are ids of perf sets, s is the handle of a
 * perf query.  NAME has "_" for each blank.  NULL in the place of what a call
 * reads or writes is a null pointer.
 * first a                     glGetFirstPerfQueryIdINTEL; the id
 * next a b                    glGetNextPerfQueryIdINTEL, of a; the id, b
 * set a NAME                  glGetPerfQueryIdByNameINTEL; the id
 * info a [FIELD]              glGetPerfQueryInfoINTEL of one field: SIZE,
 *                             COUNTERS, INSTANCES, CAPS or NAME [LENGTH]; of
 *                             none, all pointers are NULL.  A text without
 *                             letters is "empty"
 * counterinfo a N [FIELD]     glGetPerfCounterInfoINTEL of counter N: OFFSET,
 *                             SIZE, TYPE, DATA_TYPE, MAX, NAME [LENGTH] or
 *                             DESCRIPTION [LENGTH]
 * chain                       follows all sets, and finds each by its name;
 *                             how many there are
 * layouts                     checks that the counters of each set lie in its
 *                             record, aligned and apart
 * lengths                     checks that no text is empty, or too long
 * perf a s [N]                glCreatePerfQueryINTEL, N times; the last
 *                             handle.  The set can be a NAME as well
 * drop s                      glDeletePerfQueryINTEL
 * start s, stop s             glBeginPerfQueryINTEL, glEndPerfQueryINTEL
 * count s [N]                 start, points N if given, stop
 * data s FLAGS [SIZE]         glGetPerfQueryDataINTEL; how many bytes it
 *                             wrote: 0, or "record", the size of a record.
 *                             FLAGS are WAIT, FLUSH, DONOT_FLUSH or a
 *                             number.  SIZE is a number, "record" (the
 *                             default), "record-1" or "record+8"; NULL is no
 *                             memory, "uncounted" is NULL for bytesWritten
 * again s FLAGS [SIZE]        data, which must write the last record again
 * poll s FLAGS [SIZE]         data, until there is any
 * value s NAME                that counter in the last record
 *
 * AMD_performance_monitor; a is the id of a group, b and c are ids of counters
 * of it, and m and n are monitors.
 * groups [SIZE]               glGetPerfMonitorGroupsAMD; how many there are.
 *                             It must write as many as there is room for;
 *                             SIZE "NULL" is no memory, "uncounted" is NULL
 *                             for the number
 * members a [SIZE]            glGetPerfMonitorCountersAMD; the same
 * most a                      how many of its counters can be active
 * group a [NAME]              finds the group of a name, or any; its id
 * member a b [NAME]           finds the counter of a name, or any; its id
 * grouptext a [SIZE]          glGetPerfMonitorGroupStringAMD; the text, of
 *                             which the length must be told; SIZE "NULL"
 *                             is no memory: the length
 * membertext a b [SIZE]       glGetPerfMonitorCounterStringAMD; the same
 * memberinfo a b PNAME        glGetPerfMonitorCounterInfoAMD; of a range the
 *                             maximum.  PNAME "NULL" is no memory
 * tree                        checks each counter of each group, by all of
 *                             these calls; how many groups there are
 * monitors m n                glGenPerfMonitorsAMD; "monitors -1"
 * forget m n                  glDeletePerfMonitorsAMD; "forget -1"
 * select m a b c              glSelectPerfMonitorCountersAMD, to enable;
 *                             "select m a -1"; NULL is no list, of one
 * deselect m a b c            the same, to disable
 * watch m, unwatch m          glBeginPerfMonitorAMD, glEndPerfMonitorAMD
 * monitor m [N]               watch, points N if given, unwatch
 * ask m PNAME [SIZE]          glGetPerfMonitorCounterDataAMD; what it writes.
 *                             SIZE "NULL" and "uncounted" as for data
 * ready m                     ask of PERFMON_RESULT_AVAILABLE_AMD
 * size m                      ask of PERFMON_RESULT_SIZE_AMD
 * results m [SIZE]            ask of PERFMON_RESULT_AMD; how many bytes it
 *                             wrote: all results by default
 * await m                     ready, until it is 1
 * seen a b                    that counter in the last results
 *
 * On the null driver alone:
 * time N                      sets the GPU's clock to N ns
 * now                         glGetInteger64v(TIMESTAMP)
 * overflow                    draws a primitive for which there is no room in
 *                             a buffer of transform feedback
 * hold, release               keeps results in flight, and lets them go
 * lose                        loses the device
 * fail CALL [N]               fails the driver's Nth CALL from now on, the
 *                             first by default: create, begin or end; "fail
 *                             memory": an allocation
 * nosets                      takes all perf sets away
 * flushed, waited             how often Pitot flushed the driver, or waited
 */
/* clang-format on */

#ifndef PITOT_TESTS_RULES_H
#define PITOT_TESTS_RULES_H

#include <stddef.h>
#include <stdint.h>

/* The kinds of contexts in which a rule holds. */
#define IN_COMPAT  1u
#define IN_CORE    2u
#define IN_ES2     4u
#define IN_ES3     8u
#define IN_ES      (IN_ES2 | IN_ES3)
#define IN_DESKTOP (IN_COMPAT | IN_CORE)
#define IN_ALL     (IN_DESKTOP | IN_ES)

/* And which features, of enum pitot_gl_feature, must be missing there. */
#define WITHOUT(FEATURES) ((uint64_t)(FEATURES) << 32)
#define MISSING(WHERE)    ((unsigned)((WHERE) >> 32))

/* Specifications. */
#define GL46 "OpenGL 4.6 core, "
#define ES32 "OpenGL ES 3.2, "
#define EDTQ "EXT_disjoint_timer_query"
#define EOQB "EXT_occlusion_query_boolean"
#define APSQ "ARB_pipeline_statistics_query"
#define AQBO "ARB_query_buffer_object"
#define ADSA "ARB_direct_state_access"
#define ATFO "ARB_transform_feedback_overflow_query"
#define ACRI "ARB_conditional_render_inverted"
#define IPQ  "INTEL_performance_query"
#define APM  "AMD_performance_monitor"

struct rule {
   const char *name;
   const char *source; /* the specification, and its section */
   uint64_t where;     /* it holds */
   const char *script;
};

extern const struct rule rules[];
extern const size_t rule_count;

#endif /* PITOT_TESTS_RULES_H */
