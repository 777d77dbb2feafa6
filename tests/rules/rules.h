/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The rules of GL about queries, as data.
 *
 * A rule is a script of statements, separated by ";":
 *
 *    CALL ARGUMENT... [= VALUE] [! ERROR]
 *
 * After each statement the GL error must be the one named, or none.  A
 * lower-case letter is a query: a number that gen and create give it, or one
 * that the script chose with "name".  Tokens are GL's, without "GL_".
 *
 *    gen a b              glGenQueries; "gen -1": n is -1
 *    create TARGET a b    glCreateQueries; "create TARGET -1"
 *    delete a b           glDeleteQueries; "delete -1"
 *    name a 99            a is 99 from now on; 0 is the name zero
 *    is a = 1             glIsQuery
 *    begin TARGET a [i]   glBeginQuery, glBeginQueryIndexed with an index
 *    end TARGET [i]       glEndQuery, glEndQueryIndexed
 *    counter a TARGET     glQueryCounter
 *    query TARGET PNAME [i] = 1   glGetQueryiv, glGetQueryIndexediv; a letter
 *                         as the value is that query's name
 *    get a PNAME [type] = 1       glGetQueryObject*v; the type is i, ui, i64
 *                         or ui64 (the default); "= untouched"
 *    bind, unbind         a buffer of 64 bytes to QUERY_BUFFER, where get has
 *                         an offset: "get a PNAME type @8 = 1"
 *    map, unmap           that buffer
 *    put a PNAME type offset [buffer] = 1   glGetQueryBufferObject*v
 *    condition a MODE     glBeginConditionalRender
 *    draw = 1             is anything drawn?
 *    endcondition         glEndConditionalRender
 *    clear                glClear
 *    count TARGET 5       a draw that counts so much
 *    time 500             the GPU's time is so many ns
 *    now = 500            glGetInteger64v(TIMESTAMP)
 *    disjoint [getter] = 0   glGet*v(GPU_DISJOINT_EXT); the getter is b, i
 *                         (the default), i64 or f
 *    suspend              the system sleeps
 *    hold, release, lose  results stay in flight; land; are lost for ever
 *    fail create|begin|end [n]   the driver's nth one from now fails, 1 if
 *                         none is said; "fail memory": there is none
 *    immediate 3          so many points, which GL holds back until it must
 *                         flush: immediate mode
 *    flush, finish        glFlush, glFinish
 *    flushed, waited = 1  how often the driver was flushed for who asked, or
 *                         waited for
 *
 * INTEL_performance_query: there, a lower-case letter is a set (a "query
 * type") or a session of one (a "query instance").  Names have "_" for " ",
 * and NULL in the place of what a call reads or writes is the null pointer.
 *
 *    first a, next a b    glGetFirstPerfQueryIdINTEL; b is the one after a.
 *                         As of all that give a letter, its number can be
 *                         compared: "first a = 1"
 *    set a NAME           glGetPerfQueryIdByNameINTEL
 *    info a [FIELD] = 8   glGetPerfQueryInfoINTEL for one field alone: SIZE,
 *                         COUNTERS, INSTANCES, CAPS, or "NAME [length]"; for
 *                         none of them: all pointers are NULL.  A name of
 *                         no letters is "empty"
 *    counterinfo a 1 [FIELD] = 8   glGetPerfCounterInfoINTEL: OFFSET, SIZE,
 *                         TYPE, DATA_TYPE, MAX, "NAME [length]" or
 *                         "DESCRIPTION [length]"
 *    chain [= 3]          each set is found by its name, and next leads from
 *                         the first to the last; how many there are
 *    layouts              the counters of each set lie in its record, aligned
 *                         and apart
 *    lengths              no text of a set is empty, or too long
 *    session a s [n]      glCreatePerfQueryINTEL: n of them, 1 if none is
 *                         said, and s is the last
 *    drop s               glDeletePerfQueryINTEL
 *    start s, stop s      glBeginPerfQueryINTEL, glEndPerfQueryINTEL
 *    data s FLAGS [size] = record   glGetPerfQueryDataINTEL, and the bytes
 *                         that it wrote: 0, or "record", which is the size of
 *                         one.  FLAGS are a token or a number; the size is a
 *                         number, "record" (the default), "record-1" or
 *                         "record+8"; NULL: there is no memory; "uncounted":
 *                         bytesWritten is NULL
 *    again s FLAGS        data, which must write the last record again
 *    poll s FLAGS = record   data until there is any
 *    value s COUNTER = 3  a counter of the last record
 *    nosets               there is no set
 */

#ifndef PITOT_TESTS_RULES_H
#define PITOT_TESTS_RULES_H

#include <stddef.h>

/* Where a rule holds. */
#define IN_COMPAT  1u
#define IN_CORE    2u
#define IN_ES2     4u
#define IN_ES3     8u
#define IN_ES      (IN_ES2 | IN_ES3)
#define IN_DESKTOP (IN_COMPAT | IN_CORE)
#define IN_ALL     (IN_DESKTOP | IN_ES)

struct rule {
   const char *name;
   const char *source; /* the specification, and its section */
   unsigned apis;
   unsigned without; /* of enum pitot_gl_feature: missing for this rule */
   const char *script;
};

extern const struct rule rules[];
extern const size_t rule_count;

#endif /* PITOT_TESTS_RULES_H */
