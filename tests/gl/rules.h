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
 *    count TARGET 5       a draw that counts so much
 *    time 500             the GPU's time is so many ns
 *    now = 500            glGetInteger64v(TIMESTAMP)
 *    disjoint [getter] = 0   glGet*v(GPU_DISJOINT_EXT); the getter is b, i
 *                         (the default), i64 or f
 *    suspend              the system sleeps
 *    hold, release, lose  results stay in flight; land; are lost for ever
 *    fail create|begin|end [n]   the driver's nth one from now fails, 1 if
 *                         none is said; "fail memory": there is none
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
