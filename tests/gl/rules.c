/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "pitot/gl.h"
#include "rules.h"

#define GL46 "OpenGL 4.6 core, "
#define ES32 "OpenGL ES 3.2, "
#define EDTQ "EXT_disjoint_timer_query"
#define EOQB "EXT_occlusion_query_boolean"
#define APSQ "ARB_pipeline_statistics_query"
#define AQBO "ARB_query_buffer_object"
#define ADSA "ARB_direct_state_access"

/* Says the same of each of the eleven statistics, whose targets stand in the
 * two gaps.
 */
#define STATISTIC(BEFORE, TARGET, BETWEEN, AFTER)                            \
   BEFORE #TARGET BETWEEN #TARGET AFTER
#define EACH_STATISTIC(A, B, C)                                              \
   STATISTIC(A, VERTICES_SUBMITTED, B, C)                                    \
   STATISTIC(A, PRIMITIVES_SUBMITTED, B, C)                                  \
   STATISTIC(A, VERTEX_SHADER_INVOCATIONS, B, C)                             \
   STATISTIC(A, TESS_CONTROL_SHADER_PATCHES, B, C)                           \
   STATISTIC(A, TESS_EVALUATION_SHADER_INVOCATIONS, B, C)                    \
   STATISTIC(A, GEOMETRY_SHADER_INVOCATIONS, B, C)                           \
   STATISTIC(A, GEOMETRY_SHADER_PRIMITIVES_EMITTED, B, C)                    \
   STATISTIC(A, FRAGMENT_SHADER_INVOCATIONS, B, C)                           \
   STATISTIC(A, COMPUTE_SHADER_INVOCATIONS, B, C)                            \
   STATISTIC(A, CLIPPING_INPUT_PRIMITIVES, B, C)                             \
   STATISTIC(A, CLIPPING_OUTPUT_PRIMITIVES, B, C)

const struct rule rules[] = {
   /*
    * Names
    */
   { "gen: n must not be negative", GL46 "4.2.2", IN_ALL, 0,
     "gen -1 ! INVALID_VALUE" },
   { "delete: n must not be negative", GL46 "4.2.2", IN_ALL, 0,
     "delete -1 ! INVALID_VALUE" },
   { "delete: unused names and zero are ignored", GL46 "4.2.2", IN_ALL, 0,
     "name a 0; name b 77; delete a b" },
   { "gen, delete, create: n may be 0", GL46 "4.2.2", IN_ALL, 0,
     "gen; delete; gen a; is a = 0" },
   { "gen: a name is used before it is an object", EDTQ, IN_ALL, 0,
     "gen a; gen b; begin TIME_ELAPSED a; is a = 1; is b = 0" },
   { "delete: the same name twice", GL46 "4.2.2", IN_ALL, 0,
     "gen a; begin TIME_ELAPSED a; end TIME_ELAPSED; delete a a; is a = 0" },
   { "delete: unknown names beside an active one", GL46 "4.2.2", IN_DESKTOP,
     0,
     "gen a; begin SAMPLES_PASSED a; name b 77; name c 0; delete b a c;"
     "is a = 0; gen d; begin SAMPLES_PASSED d" },
   { "is: a generated name is no object until it is begun", GL46 "4.2.3",
     IN_ALL, 0,
     "gen a; is a = 0; begin ANY_SAMPLES_PASSED a; is a = 1;"
     "end ANY_SAMPLES_PASSED; is a = 1; delete a; is a = 0" },
   { "is: a timestamp makes an object", GL46 "4.3", IN_ALL, 0,
     "gen a; counter a TIMESTAMP; is a = 1" },
   { "is: zero and unknown names are no objects", GL46 "4.2.3", IN_ALL, 0,
     "name a 0; is a = 0; name b 99; is b = 0" },
   { "create: objects at once, 0 and available", GL46 "4.2.2", IN_DESKTOP, 0,
     "create SAMPLES_PASSED a b; is a = 1; is b = 1;"
     "get a QUERY_RESULT_AVAILABLE = 1; get a QUERY_RESULT = 0;"
     "get b QUERY_TARGET = SAMPLES_PASSED" },
   { "create: every target of 4.2.1", GL46 "4.2.2", IN_DESKTOP, 0,
     "create ANY_SAMPLES_PASSED a; create ANY_SAMPLES_PASSED_CONSERVATIVE a;"
     "create PRIMITIVES_GENERATED a;"
     "create TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN a;"
     "create TRANSFORM_FEEDBACK_OVERFLOW a;"
     "create TRANSFORM_FEEDBACK_STREAM_OVERFLOW a; create TIME_ELAPSED a;"
     "create TIMESTAMP a; create VERTICES_SUBMITTED a;"
     "create PRIMITIVES_SUBMITTED a; create VERTEX_SHADER_INVOCATIONS a;"
     "create TESS_CONTROL_SHADER_PATCHES a;"
     "create TESS_EVALUATION_SHADER_INVOCATIONS a;"
     "create GEOMETRY_SHADER_INVOCATIONS a;"
     "create GEOMETRY_SHADER_PRIMITIVES_EMITTED a;"
     "create FRAGMENT_SHADER_INVOCATIONS a;"
     "create COMPUTE_SHADER_INVOCATIONS a;"
     "create CLIPPING_INPUT_PRIMITIVES a;"
     "create CLIPPING_OUTPUT_PRIMITIVES a" },
   { "create: the target of each statistic", GL46 "4.2.3", IN_DESKTOP, 0,
     EACH_STATISTIC("create ", " a; get a QUERY_TARGET = ", ";") },
   { "create: n must not be negative", GL46 "4.2.2", IN_DESKTOP, 0,
     "create SAMPLES_PASSED -1 ! INVALID_VALUE" },
   { "create: a bad target", GL46 "4.2.2", IN_DESKTOP, 0,
     "create TRIANGLES a ! INVALID_ENUM" },
   { "create: a target that is not exposed", GL46 "4.2.2", IN_DESKTOP,
     PITOT_GL_TIME_ELAPSED, "create TIME_ELAPSED a ! INVALID_ENUM" },
   { "create: the type stays", ADSA, IN_DESKTOP, 0,
     "create SAMPLES_PASSED a; begin TIME_ELAPSED a ! INVALID_OPERATION;"
     "begin SAMPLES_PASSED a; end SAMPLES_PASSED" },

   /*
    * Beginning and ending
    */
   { "begin: a bad target", GL46 "4.2.2", IN_ALL, 0,
     "gen a; begin TRIANGLES a ! INVALID_ENUM" },
   { "begin: TIMESTAMP has no duration", GL46 "4.3", IN_ALL, 0,
     "gen a; begin TIMESTAMP a ! INVALID_ENUM; end TIMESTAMP ! "
     "INVALID_ENUM" },
   { "begin: id zero", GL46 "4.2.2", IN_ALL, 0,
     "name a 0; begin ANY_SAMPLES_PASSED a ! INVALID_OPERATION" },
   { "begin: a name that was not generated", GL46 "4.2.2", IN_CORE | IN_ES, 0,
     "name a 300; begin ANY_SAMPLES_PASSED a ! INVALID_OPERATION" },
   { "begin: any name in the compatibility profile", "GL 1.5 4.1.7",
     IN_COMPAT, 0,
     "name a 300; begin SAMPLES_PASSED a; end SAMPLES_PASSED; is a = 1" },
   { "begin: a deleted name", GL46 "4.2.2", IN_CORE | IN_ES, 0,
     "gen a; delete a; begin ANY_SAMPLES_PASSED a ! INVALID_OPERATION" },
   { "begin: the target is active", GL46 "4.2.2", IN_ALL, 0,
     "gen a b; begin TIME_ELAPSED a;"
     "begin TIME_ELAPSED b ! INVALID_OPERATION; end TIME_ELAPSED" },
   { "begin: the id is active for the same target", EDTQ, IN_ALL, 0,
     "gen a; begin TIME_ELAPSED a;"
     "begin TIME_ELAPSED a ! INVALID_OPERATION; end TIME_ELAPSED" },
   { "begin: an error makes no object and ends nothing", GL46 "2.3.1", IN_ALL,
     0,
     "gen a b; begin TRIANGLES a ! INVALID_ENUM; is a = 0;"
     "begin TIME_ELAPSED a; begin TIME_ELAPSED b ! INVALID_OPERATION;"
     "is b = 0; query TIME_ELAPSED CURRENT_QUERY = a; end TIME_ELAPSED" },
   { "begin: a timer beside a query of another type", EDTQ, IN_ALL, 0,
     "gen a b; begin TIME_ELAPSED a; begin ANY_SAMPLES_PASSED b;"
     "end TIME_ELAPSED; query ANY_SAMPLES_PASSED CURRENT_QUERY = b;"
     "begin TIME_ELAPSED a; end ANY_SAMPLES_PASSED;"
     "query TIME_ELAPSED CURRENT_QUERY = a; end TIME_ELAPSED" },
   { "begin: another kind of occlusion is active", GL46 "4.2.1", IN_ALL, 0,
     "gen a b; begin ANY_SAMPLES_PASSED a;"
     "begin ANY_SAMPLES_PASSED_CONSERVATIVE b ! INVALID_OPERATION;"
     "end ANY_SAMPLES_PASSED;"
     "begin ANY_SAMPLES_PASSED_CONSERVATIVE b;"
     "begin ANY_SAMPLES_PASSED a ! INVALID_OPERATION" },
   { "begin: the id is active for another target", GL46 "4.2.2", IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a;"
     "begin TIME_ELAPSED a ! INVALID_OPERATION; end ANY_SAMPLES_PASSED" },
   { "begin: the id has another type", GL46 "4.2.2", IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a; end ANY_SAMPLES_PASSED;"
     "begin TIME_ELAPSED a ! INVALID_OPERATION" },
   { "begin: SAMPLES_PASSED is another type than ANY_SAMPLES_PASSED",
     GL46 "4.2.2", IN_DESKTOP, 0,
     "gen a; begin SAMPLES_PASSED a; end SAMPLES_PASSED;"
     "begin ANY_SAMPLES_PASSED a ! INVALID_OPERATION" },
   { "begin: the conservative form is the same type", ES32 "4.2",
     IN_DESKTOP | IN_ES3, 0,
     "gen a; begin ANY_SAMPLES_PASSED a; end ANY_SAMPLES_PASSED;"
     "begin ANY_SAMPLES_PASSED_CONSERVATIVE a;"
     "end ANY_SAMPLES_PASSED_CONSERVATIVE" },
   { "begin: the conservative form was another type once", EOQB, IN_ES2, 0,
     "gen a; begin ANY_SAMPLES_PASSED a; end ANY_SAMPLES_PASSED;"
     "begin ANY_SAMPLES_PASSED_CONSERVATIVE a ! INVALID_OPERATION" },
   { "begin: the condition of rendering", GL46 "4.2.2", IN_DESKTOP, 0,
     "gen a; begin SAMPLES_PASSED a; end SAMPLES_PASSED;"
     "condition a QUERY_WAIT; begin SAMPLES_PASSED a ! INVALID_OPERATION;"
     "endcondition; begin SAMPLES_PASSED a" },
   { "begin: an index beyond the streams", GL46 "4.2.2", IN_DESKTOP, 0,
     "gen a; begin PRIMITIVES_GENERATED a 4 ! INVALID_VALUE;"
     "begin TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN a 99 ! INVALID_VALUE;"
     "begin TRANSFORM_FEEDBACK_STREAM_OVERFLOW a 4 ! INVALID_VALUE" },
   { "begin: an index where there are no streams", GL46 "4.2.2", IN_DESKTOP,
     0,
     "gen a; begin SAMPLES_PASSED a 1 ! INVALID_VALUE;"
     "begin TIME_ELAPSED a 1 ! INVALID_VALUE;"
     "begin TRANSFORM_FEEDBACK_OVERFLOW a 1 ! INVALID_VALUE;"
     "begin VERTICES_SUBMITTED a 1 ! INVALID_VALUE" },
   { "begin: a bad target comes before a bad index", GL46 "4.2.2", IN_DESKTOP,
     0,
     "gen a; begin TRIANGLES a 9 ! INVALID_ENUM; end TRIANGLES 9 "
     "! INVALID_ENUM; query TRIANGLES CURRENT_QUERY 9 ! INVALID_ENUM" },
   { "begin: one query for each stream", GL46 "4.2.1", IN_DESKTOP, 0,
     "gen a b; begin PRIMITIVES_GENERATED a 0;"
     "begin PRIMITIVES_GENERATED b 3;"
     "query PRIMITIVES_GENERATED CURRENT_QUERY 3 = b;"
     "query PRIMITIVES_GENERATED CURRENT_QUERY 1 = 0;"
     "end PRIMITIVES_GENERATED 1 ! INVALID_OPERATION;"
     "end PRIMITIVES_GENERATED 3; end PRIMITIVES_GENERATED 0" },
   { "begin: all eleven statistics at once", APSQ, IN_DESKTOP, 0,
     "gen a b c d e f g h i j k; begin VERTICES_SUBMITTED a;"
     "begin PRIMITIVES_SUBMITTED b; begin VERTEX_SHADER_INVOCATIONS c;"
     "begin TESS_CONTROL_SHADER_PATCHES d;"
     "begin TESS_EVALUATION_SHADER_INVOCATIONS e;"
     "begin GEOMETRY_SHADER_INVOCATIONS f;"
     "begin GEOMETRY_SHADER_PRIMITIVES_EMITTED g;"
     "begin FRAGMENT_SHADER_INVOCATIONS h;"
     "begin COMPUTE_SHADER_INVOCATIONS i;"
     "begin CLIPPING_INPUT_PRIMITIVES j;"
     "begin CLIPPING_OUTPUT_PRIMITIVES k;"
     "query GEOMETRY_SHADER_INVOCATIONS CURRENT_QUERY = f;"
     "query CLIPPING_OUTPUT_PRIMITIVES CURRENT_QUERY = k" },
   { "begin: a statistic is active", APSQ, IN_DESKTOP, 0,
     EACH_STATISTIC("gen a b; begin ", " a; begin ",
                    " b ! INVALID_OPERATION;") },
   { "begin: the id is active for another statistic", APSQ, IN_DESKTOP, 0,
     "gen a; begin VERTICES_SUBMITTED a;"
     "begin PRIMITIVES_SUBMITTED a ! INVALID_OPERATION;"
     "query PRIMITIVES_SUBMITTED CURRENT_QUERY = 0;"
     "end VERTICES_SUBMITTED" },
   { "begin: each statistic is a type of its own", APSQ, IN_DESKTOP, 0,
     "create VERTICES_SUBMITTED a;"
     "begin PRIMITIVES_SUBMITTED a ! INVALID_OPERATION;"
     "gen b; begin CLIPPING_INPUT_PRIMITIVES b;"
     "end CLIPPING_INPUT_PRIMITIVES;"
     "begin CLIPPING_OUTPUT_PRIMITIVES b ! INVALID_OPERATION;"
     "begin CLIPPING_INPUT_PRIMITIVES b" },
   { "begin: a statistic is another type than PRIMITIVES_GENERATED", APSQ,
     IN_DESKTOP, 0,
     "create GEOMETRY_SHADER_PRIMITIVES_EMITTED a;"
     "begin PRIMITIVES_GENERATED a ! INVALID_OPERATION;"
     "create PRIMITIVES_GENERATED b;"
     "begin GEOMETRY_SHADER_PRIMITIVES_EMITTED b ! INVALID_OPERATION" },
   { "begin: statistics that overlap", APSQ, IN_DESKTOP, 0,
     "gen a b; begin VERTICES_SUBMITTED a; begin PRIMITIVES_SUBMITTED b;"
     "end VERTICES_SUBMITTED; query VERTICES_SUBMITTED CURRENT_QUERY = 0;"
     "query PRIMITIVES_SUBMITTED CURRENT_QUERY = b;"
     "get a QUERY_RESULT = 0; end PRIMITIVES_SUBMITTED;"
     "get b QUERY_RESULT = 0" },
   { "begin: a statistic inside of another", APSQ, IN_DESKTOP, 0,
     "gen a b; begin VERTICES_SUBMITTED a; begin PRIMITIVES_SUBMITTED b;"
     "end PRIMITIVES_SUBMITTED; get b QUERY_RESULT = 0;"
     "query VERTICES_SUBMITTED CURRENT_QUERY = a;"
     "get a QUERY_RESULT = untouched ! INVALID_OPERATION;"
     "end VERTICES_SUBMITTED; get a QUERY_RESULT = 0" },
   { "begin: index 0 of a statistic", APSQ, IN_DESKTOP, 0,
     EACH_STATISTIC("gen a; begin ", " a 0; end ", " 0;") },
   { "begin: another index of a statistic", APSQ, IN_DESKTOP, 0,
     EACH_STATISTIC("gen a; begin ", " a 1 ! INVALID_VALUE; end ",
                    " ! INVALID_OPERATION;") },
   { "begin: statistics of stages that are not there", APSQ, IN_DESKTOP,
     PITOT_GL_GEOMETRY | PITOT_GL_TESSELLATION | PITOT_GL_COMPUTE,
     "gen a; begin GEOMETRY_SHADER_INVOCATIONS a ! INVALID_ENUM;"
     "begin GEOMETRY_SHADER_PRIMITIVES_EMITTED a ! INVALID_ENUM;"
     "begin TESS_CONTROL_SHADER_PATCHES a ! INVALID_ENUM;"
     "begin TESS_EVALUATION_SHADER_INVOCATIONS a ! INVALID_ENUM;"
     "begin COMPUTE_SHADER_INVOCATIONS a ! INVALID_ENUM;"
     "begin FRAGMENT_SHADER_INVOCATIONS a" },
   { "end, query: statistics of stages that are not there", APSQ, IN_DESKTOP,
     PITOT_GL_GEOMETRY | PITOT_GL_TESSELLATION | PITOT_GL_COMPUTE,
     "end GEOMETRY_SHADER_INVOCATIONS ! INVALID_ENUM;"
     "end TESS_CONTROL_SHADER_PATCHES ! INVALID_ENUM;"
     "end COMPUTE_SHADER_INVOCATIONS ! INVALID_ENUM;"
     "query GEOMETRY_SHADER_INVOCATIONS CURRENT_QUERY = untouched "
     "! INVALID_ENUM; query TESS_CONTROL_SHADER_PATCHES CURRENT_QUERY "
     "= untouched ! INVALID_ENUM; query COMPUTE_SHADER_INVOCATIONS "
     "CURRENT_QUERY = untouched ! INVALID_ENUM" },
   { "begin: SAMPLES_PASSED is not there on ES", ES32 "4.2", IN_ES, 0,
     "gen a; begin SAMPLES_PASSED a ! INVALID_ENUM;"
     "end SAMPLES_PASSED ! INVALID_ENUM;"
     "query SAMPLES_PASSED CURRENT_QUERY = untouched ! INVALID_ENUM" },
   { "begin: statistics are not there on ES", ES32 "4.2", IN_ES, 0,
     "gen a; begin VERTEX_SHADER_INVOCATIONS a ! INVALID_ENUM" },
   { "begin: SAMPLES_PASSED where it is not exposed", GL46 "4.2.2",
     IN_DESKTOP, PITOT_GL_OCCLUSION,
     "gen a; begin SAMPLES_PASSED a ! INVALID_ENUM;"
     "end SAMPLES_PASSED ! INVALID_ENUM;"
     "query SAMPLES_PASSED CURRENT_QUERY = untouched ! INVALID_ENUM" },
   { "begin: ANY_SAMPLES_PASSED where it is not exposed", GL46 "4.2.2",
     IN_ALL, PITOT_GL_OCCLUSION_BOOLEAN,
     "gen a; begin ANY_SAMPLES_PASSED a ! INVALID_ENUM;"
     "end ANY_SAMPLES_PASSED ! INVALID_ENUM;"
     "query ANY_SAMPLES_PASSED CURRENT_QUERY = untouched ! INVALID_ENUM" },
   { "begin: ANY_SAMPLES_PASSED_CONSERVATIVE where it is not exposed",
     GL46 "4.2.2", IN_ALL, PITOT_GL_OCCLUSION_CONSERVATIVE,
     "gen a; begin ANY_SAMPLES_PASSED_CONSERVATIVE a ! INVALID_ENUM;"
     "end ANY_SAMPLES_PASSED_CONSERVATIVE ! INVALID_ENUM;"
     "query ANY_SAMPLES_PASSED_CONSERVATIVE CURRENT_QUERY = untouched ! "
     "INVALID_ENUM" },
   { "begin: PRIMITIVES_GENERATED where it is not exposed", GL46 "4.2.2",
     IN_ALL, PITOT_GL_PRIMITIVES_GENERATED,
     "gen a; begin PRIMITIVES_GENERATED a ! INVALID_ENUM;"
     "end PRIMITIVES_GENERATED ! INVALID_ENUM;"
     "query PRIMITIVES_GENERATED CURRENT_QUERY = untouched ! INVALID_ENUM" },
   { "begin: TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN where it is not exposed",
     GL46 "4.2.2", IN_ALL, PITOT_GL_PRIMITIVES_WRITTEN,
     "gen a; begin TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN a ! INVALID_ENUM;"
     "end TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN ! INVALID_ENUM;"
     "query TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN CURRENT_QUERY = untouched "
     "! INVALID_ENUM" },
   { "begin: TRANSFORM_FEEDBACK_OVERFLOW where it is not exposed",
     GL46 "4.2.2", IN_DESKTOP, PITOT_GL_OVERFLOW,
     "gen a; begin TRANSFORM_FEEDBACK_OVERFLOW a ! INVALID_ENUM;"
     "end TRANSFORM_FEEDBACK_OVERFLOW ! INVALID_ENUM;"
     "query TRANSFORM_FEEDBACK_OVERFLOW CURRENT_QUERY = untouched ! "
     "INVALID_ENUM" },
   { "begin: TRANSFORM_FEEDBACK_STREAM_OVERFLOW where it is not exposed",
     GL46 "4.2.2", IN_DESKTOP, PITOT_GL_OVERFLOW,
     "gen a; begin TRANSFORM_FEEDBACK_STREAM_OVERFLOW a ! INVALID_ENUM;"
     "end TRANSFORM_FEEDBACK_STREAM_OVERFLOW ! INVALID_ENUM;"
     "query TRANSFORM_FEEDBACK_STREAM_OVERFLOW CURRENT_QUERY = untouched ! "
     "INVALID_ENUM" },
   { "begin: TIME_ELAPSED where it is not exposed", GL46 "4.2.2", IN_ALL,
     PITOT_GL_TIME_ELAPSED,
     "gen a; begin TIME_ELAPSED a ! INVALID_ENUM;"
     "end TIME_ELAPSED ! INVALID_ENUM;"
     "query TIME_ELAPSED CURRENT_QUERY = untouched ! INVALID_ENUM" },
   { "begin: CLIPPING_INPUT_PRIMITIVES where it is not exposed", GL46 "4.2.2",
     IN_DESKTOP, PITOT_GL_STATISTICS,
     "gen a; begin CLIPPING_INPUT_PRIMITIVES a ! INVALID_ENUM;"
     "end CLIPPING_INPUT_PRIMITIVES ! INVALID_ENUM;"
     "query CLIPPING_INPUT_PRIMITIVES CURRENT_QUERY = untouched ! "
     "INVALID_ENUM" },
   { "begin: no statistic where none is exposed", APSQ, IN_DESKTOP,
     PITOT_GL_STATISTICS,
     EACH_STATISTIC("gen a; begin ", " a ! INVALID_ENUM; end ",
                    " ! INVALID_ENUM;") },
   { "begin: a driver without memory", GL46 "2.3.1", IN_ALL, 0,
     "gen a; fail create; begin TIME_ELAPSED a ! OUT_OF_MEMORY; is a = 0;"
     "fail begin; begin TIME_ELAPSED a ! OUT_OF_MEMORY; is a = 0;"
     "query TIME_ELAPSED CURRENT_QUERY = 0; begin ANY_SAMPLES_PASSED a" },
   { "begin: a failure leaves a chosen name unused", GL46 "2.3.1", IN_COMPAT,
     0,
     "name a 1; fail begin; begin TIME_ELAPSED a ! OUT_OF_MEMORY;"
     "gen b; is b = 0; name a 1; delete b; gen c; begin TIME_ELAPSED c;"
     "query TIME_ELAPSED CURRENT_QUERY = a" },
   { "end: nothing is active", GL46 "4.2.2", IN_ALL, 0,
     "end TIME_ELAPSED ! INVALID_OPERATION; gen a; begin TIME_ELAPSED a;"
     "end TIME_ELAPSED; end TIME_ELAPSED ! INVALID_OPERATION" },
   { "end: another kind is active in the slot", GL46 "4.2.2", IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a;"
     "end ANY_SAMPLES_PASSED_CONSERVATIVE ! INVALID_OPERATION;"
     "end ANY_SAMPLES_PASSED" },
   { "end: another target is active", EDTQ, IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a;"
     "end TIME_ELAPSED ! INVALID_OPERATION;"
     "query ANY_SAMPLES_PASSED CURRENT_QUERY = a; end ANY_SAMPLES_PASSED" },
   { "end: another statistic is active", APSQ, IN_DESKTOP, 0,
     "gen a; begin VERTICES_SUBMITTED a;"
     "end PRIMITIVES_SUBMITTED ! INVALID_OPERATION;"
     "query VERTICES_SUBMITTED CURRENT_QUERY = a; end VERTICES_SUBMITTED" },
   { "end: an index beyond the streams", GL46 "4.2.2", IN_DESKTOP, 0,
     "end PRIMITIVES_GENERATED 4 ! INVALID_VALUE;"
     "end TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN 99 ! INVALID_VALUE;"
     "end TRANSFORM_FEEDBACK_STREAM_OVERFLOW 4 ! INVALID_VALUE" },
   { "end: an index where there are no streams", GL46 "4.2.2", IN_DESKTOP, 0,
     "end SAMPLES_PASSED 1 ! INVALID_VALUE;"
     "end TIME_ELAPSED 1 ! INVALID_VALUE;"
     "end TRANSFORM_FEEDBACK_OVERFLOW 1 ! INVALID_VALUE" },
   { "end: another index of a statistic", APSQ, IN_DESKTOP, 0,
     EACH_STATISTIC("gen a; begin ", " a; end ", " 1 ! INVALID_VALUE;") },
   { "end: a bad target", GL46 "4.2.2", IN_ALL, 0,
     "end TRIANGLES ! INVALID_ENUM" },
   { "end: a driver that fails ends all the same", GL46 "2.3.1", IN_ALL, 0,
     "gen a; begin TIME_ELAPSED a; fail end;"
     "end TIME_ELAPSED ! OUT_OF_MEMORY;"
     "get a QUERY_RESULT_AVAILABLE ui = 1; get a QUERY_RESULT ui = 0;"
     "end TIME_ELAPSED ! INVALID_OPERATION; begin TIME_ELAPSED a" },
   { "delete: an active query ends on desktop GL",
     "piglit gen_delete_while_active", IN_DESKTOP, 0,
     "gen a; begin SAMPLES_PASSED a; delete a; is a = 0;"
     "query SAMPLES_PASSED CURRENT_QUERY = 0;"
     "end SAMPLES_PASSED ! INVALID_OPERATION" },
   { "delete: an active query lives until it ends on ES", ES32 "5.1.3", IN_ES,
     0,
     "gen a; begin ANY_SAMPLES_PASSED a; delete a; is a = 0;"
     "gen b; begin ANY_SAMPLES_PASSED b ! INVALID_OPERATION;"
     "end ANY_SAMPLES_PASSED;"
     "get a QUERY_RESULT ui = untouched ! INVALID_OPERATION" },
   { "delete: what lives on has no name", ES32 "5.1.3", IN_ES, 0,
     "gen a; begin ANY_SAMPLES_PASSED a; delete a; gen b;"
     "query ANY_SAMPLES_PASSED CURRENT_QUERY = 0; begin TIME_ELAPSED b;"
     "query TIME_ELAPSED CURRENT_QUERY = b; end ANY_SAMPLES_PASSED;"
     "end TIME_ELAPSED" },
   { "delete: a new object of an old name has no type", "dEQP handle_reuse",
     IN_ALL, 0,
     "gen a; counter a TIMESTAMP; delete a; gen a; begin TIME_ELAPSED a;"
     "end TIME_ELAPSED" },

   /*
    * Timestamps
    */
   { "counter: only TIMESTAMP", GL46 "4.3", IN_ALL, 0,
     "gen a; counter a TIME_ELAPSED ! INVALID_ENUM;"
     "counter a TRIANGLES ! INVALID_ENUM" },
   { "counter: no statistic has one", APSQ, IN_DESKTOP, 0,
     "gen a; counter a VERTICES_SUBMITTED ! INVALID_ENUM;"
     "counter a COMPUTE_SHADER_INVOCATIONS ! INVALID_ENUM" },
   { "counter: an error makes no object", GL46 "2.3.1", IN_ALL, 0,
     "gen a; counter a TIME_ELAPSED ! INVALID_ENUM; is a = 0" },
   { "counter: a target that is not exposed", GL46 "4.3", IN_ALL,
     PITOT_GL_TIMESTAMP, "gen a; counter a TIMESTAMP ! INVALID_ENUM" },
   { "counter: id zero", GL46 "4.3", IN_ALL, 0,
     "name a 0; counter a TIMESTAMP ! INVALID_OPERATION" },
   { "counter: a name that was not generated", GL46 "4.3", IN_CORE | IN_ES, 0,
     "name a 300; counter a TIMESTAMP ! INVALID_OPERATION" },
   { "counter: any name in the compatibility profile", "ARB_timer_query",
     IN_COMPAT, 0, "name a 300; counter a TIMESTAMP; is a = 1" },
   { "counter: a deleted name", GL46 "4.3", IN_CORE | IN_ES, 0,
     "gen a; delete a; counter a TIMESTAMP ! INVALID_OPERATION" },
   { "counter: the id is active", EDTQ, IN_ALL, 0,
     "gen a; begin TIME_ELAPSED a; counter a TIMESTAMP ! INVALID_OPERATION;"
     "end TIME_ELAPSED" },
   { "counter: the id has another type", GL46 "4.3", IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a; end ANY_SAMPLES_PASSED;"
     "counter a TIMESTAMP ! INVALID_OPERATION" },
   { "counter: a timestamp cannot be begun as something else", GL46 "4.2.2",
     IN_ALL, 0,
     "gen a; counter a TIMESTAMP; begin TIME_ELAPSED a ! INVALID_OPERATION" },
   { "counter: inside of TIME_ELAPSED, which it does not change", EDTQ,
     IN_ALL, 0,
     "gen a b; time 100; begin TIME_ELAPSED a; time 150; counter b TIMESTAMP;"
     "time 400; end TIME_ELAPSED; get a QUERY_RESULT = 300;"
     "get b QUERY_RESULT = 150" },
   { "counter: the last of several times counts", EDTQ, IN_ALL, 0,
     "gen a; hold; time 5; counter a TIMESTAMP; time 9;"
     "counter a TIMESTAMP; get a QUERY_RESULT = 9" },
   { "counter: a driver that fails", GL46 "2.3.1", IN_ALL, 0,
     "gen a; fail end; counter a TIMESTAMP ! OUT_OF_MEMORY; is a = 0;"
     "begin TIME_ELAPSED a" },
   { "timestamp: the time now is that of timestamps", EDTQ, IN_ALL, 0,
     "time 12345678901; now = 12345678901; gen a; counter a TIMESTAMP;"
     "get a QUERY_RESULT = 12345678901" },
   { "timestamp: the time now waits for nothing", EDTQ, IN_ALL, 0,
     "gen a; hold; time 5; counter a TIMESTAMP; time 9; now = 9;"
     "get a QUERY_RESULT_AVAILABLE = 0" },
   { "disjoint: not set by a clock that goes on", EDTQ, IN_ALL, 0,
     "gen a b; disjoint = 0; time 5; counter a TIMESTAMP;"
     "begin TIME_ELAPSED b; time 9; end TIME_ELAPSED; now = 9;"
     "get a QUERY_RESULT = 5; get b QUERY_RESULT = 4; disjoint = 0" },
   { "disjoint: set by a clock that steps back inside of TIME_ELAPSED", EDTQ,
     IN_ALL, 0,
     "gen a; time 500; begin TIME_ELAPSED a; time 100; end TIME_ELAPSED;"
     "get a QUERY_RESULT; disjoint = 1; disjoint = 0" },
   { "disjoint: set by a clock that stepped back, cleared by reading", EDTQ,
     IN_ALL, 0,
     "gen a; time 500; counter a TIMESTAMP; get a QUERY_RESULT = 500;"
     "disjoint = 0; time 100; counter a TIMESTAMP; get a QUERY_RESULT = 500;"
     "disjoint = 1; disjoint = 0" },

   /*
    * GetQueryiv
    */
   { "query: the active query", GL46 "4.2.3", IN_ALL, 0,
     "gen a; query TIME_ELAPSED CURRENT_QUERY = 0; begin TIME_ELAPSED a;"
     "query TIME_ELAPSED CURRENT_QUERY = a; end TIME_ELAPSED;"
     "query TIME_ELAPSED CURRENT_QUERY = 0" },
   { "query: the active query of that kind, not of the slot", GL46 "4.2.3",
     IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a;"
     "query ANY_SAMPLES_PASSED CURRENT_QUERY = a;"
     "query ANY_SAMPLES_PASSED_CONSERVATIVE CURRENT_QUERY = 0" },
   { "query: nothing is ever active for TIMESTAMP", GL46 "4.2.3", IN_ALL, 0,
     "query TIMESTAMP CURRENT_QUERY = 0" },
   { "query: counter bits", GL46 "4.2.3", IN_ALL, 0,
     "query TIMESTAMP QUERY_COUNTER_BITS = 64;"
     "query TIME_ELAPSED QUERY_COUNTER_BITS = 64;"
     "query ANY_SAMPLES_PASSED QUERY_COUNTER_BITS = 1" },
   { "query: counter bits of each statistic", APSQ, IN_DESKTOP, 0,
     EACH_STATISTIC("query ", " QUERY_COUNTER_BITS = 64; query ",
                    " QUERY_COUNTER_BITS 0 = 64;") },
   { "query: the active query of each statistic", APSQ, IN_DESKTOP, 0,
     EACH_STATISTIC("gen a; begin ", " a; query ", " CURRENT_QUERY = a;")
        EACH_STATISTIC("end ", "; query ", " CURRENT_QUERY = 0;") },
   { "query: no counter bits on ES without timer queries", EOQB, IN_ES,
     PITOT_GL_COUNTER_BITS,
     "query ANY_SAMPLES_PASSED QUERY_COUNTER_BITS = untouched "
     "! INVALID_ENUM; query ANY_SAMPLES_PASSED CURRENT_QUERY = 0" },
   { "query: a bad parameter", GL46 "4.2.3", IN_ALL, 0,
     "query TIME_ELAPSED QUERY_RESULT = untouched ! INVALID_ENUM" },
   { "query: a bad target", GL46 "4.2.3", IN_ALL, 0,
     "query TRIANGLES CURRENT_QUERY = untouched ! INVALID_ENUM" },
   { "query: a bad index", GL46 "4.2.3", IN_DESKTOP, 0,
     "query PRIMITIVES_GENERATED CURRENT_QUERY 4 = untouched "
     "! INVALID_VALUE; query TIMESTAMP CURRENT_QUERY 1 = untouched "
     "! INVALID_VALUE" },
   { "query: another index of a statistic", APSQ, IN_DESKTOP, 0,
     EACH_STATISTIC("query ",
                    " CURRENT_QUERY 1 = untouched ! INVALID_VALUE; query ",
                    " QUERY_COUNTER_BITS 1 = untouched ! INVALID_VALUE;") },

   /*
    * Results
    */
   { "get: what was counted between begin and end", GL46 "4.2.1", IN_ALL, 0,
     "gen a; count PRIMITIVES_GENERATED 3; begin PRIMITIVES_GENERATED a;"
     "count PRIMITIVES_GENERATED 5; end PRIMITIVES_GENERATED;"
     "count PRIMITIVES_GENERATED 9; get a QUERY_RESULT ui = 5" },
   { "get: the last of several measurements counts", GL46 "4.2.3", IN_ALL, 0,
     "gen a; begin PRIMITIVES_GENERATED a; count PRIMITIVES_GENERATED 5;"
     "end PRIMITIVES_GENERATED; begin PRIMITIVES_GENERATED a;"
     "count PRIMITIVES_GENERATED 2; end PRIMITIVES_GENERATED;"
     "get a QUERY_RESULT = 2; get a QUERY_RESULT = 2" },
   { "get: the time from begin to end", EDTQ, IN_ALL, 0,
     "gen a; time 100; begin TIME_ELAPSED a; time 350; end TIME_ELAPSED;"
     "time 900; get a QUERY_RESULT = 250" },
   { "get: a measurement in flight gives way to the next", EDTQ, IN_ALL, 0,
     "gen a; hold; begin TIME_ELAPSED a; time 100; end TIME_ELAPSED;"
     "begin TIME_ELAPSED a; time 130; end TIME_ELAPSED;"
     "get a QUERY_RESULT = 30" },
   { "get: a statistic counts from 0, in each type", APSQ, IN_DESKTOP, 0,
     EACH_STATISTIC("gen a; begin ", " a; end ",
                    "; get a QUERY_RESULT i = 0; get a QUERY_RESULT ui = 0;"
                    "get a QUERY_RESULT i64 = 0;"
                    "get a QUERY_RESULT ui64 = 0;") },
   { "get: clearing counts in no statistic", APSQ, IN_DESKTOP, 0,
     "gen a b c; begin VERTICES_SUBMITTED a; begin PRIMITIVES_SUBMITTED b;"
     "begin VERTEX_SHADER_INVOCATIONS c; draw = 1; end VERTICES_SUBMITTED;"
     "end PRIMITIVES_SUBMITTED; end VERTEX_SHADER_INVOCATIONS;"
     "get a QUERY_RESULT = 0; get b QUERY_RESULT = 0;"
     "get c QUERY_RESULT = 0" },
   { "get: unknown, zero or only generated", GL46 "4.2.3", IN_ALL, 0,
     "name a 0; get a QUERY_RESULT = untouched ! INVALID_OPERATION;"
     "name b 9; get b QUERY_RESULT = untouched ! INVALID_OPERATION; gen c;"
     "get c QUERY_RESULT_AVAILABLE = untouched ! INVALID_OPERATION" },
   { "get: an active query", GL46 "4.2.3", IN_ALL, 0,
     "gen a; begin TIME_ELAPSED a;"
     "get a QUERY_RESULT = untouched ! INVALID_OPERATION;"
     "get a QUERY_RESULT_AVAILABLE = untouched ! INVALID_OPERATION" },
   { "get: an active statistic", APSQ, IN_DESKTOP, 0,
     EACH_STATISTIC("gen a; begin ",
                    " a; get a QUERY_RESULT = untouched "
                    "! INVALID_OPERATION; end ",
                    ";") },
   { "get: a deleted query", EDTQ, IN_ALL, 0,
     "gen a; counter a TIMESTAMP; delete a;"
     "get a QUERY_RESULT = untouched ! INVALID_OPERATION;"
     "get a QUERY_RESULT_AVAILABLE = untouched ! INVALID_OPERATION" },
   { "get: unknown, in each type", EDTQ, IN_ALL, 0,
     "name a 9; get a QUERY_RESULT i = untouched ! INVALID_OPERATION;"
     "get a QUERY_RESULT ui = untouched ! INVALID_OPERATION;"
     "get a QUERY_RESULT i64 = untouched ! INVALID_OPERATION;"
     "get a QUERY_RESULT ui64 = untouched ! INVALID_OPERATION" },
   { "get: an active query, in each type", EDTQ, IN_ALL, 0,
     "gen a; begin TIME_ELAPSED a;"
     "get a QUERY_RESULT i = untouched ! INVALID_OPERATION;"
     "get a QUERY_RESULT ui = untouched ! INVALID_OPERATION;"
     "get a QUERY_RESULT i64 = untouched ! INVALID_OPERATION;"
     "get a QUERY_RESULT ui64 = untouched ! INVALID_OPERATION" },
   { "get: a bad parameter, in each type", EDTQ, IN_ALL, 0,
     "gen a; counter a TIMESTAMP;"
     "get a QUERY_COUNTER_BITS i = untouched ! INVALID_ENUM;"
     "get a QUERY_COUNTER_BITS ui = untouched ! INVALID_ENUM;"
     "get a QUERY_COUNTER_BITS i64 = untouched ! INVALID_ENUM;"
     "get a QUERY_COUNTER_BITS ui64 = untouched ! INVALID_ENUM" },
   { "get: a bad parameter", GL46 "4.2.3", IN_ALL, 0,
     "gen a; counter a TIMESTAMP;"
     "get a CURRENT_QUERY = untouched ! INVALID_ENUM" },
   { "get: only two parameters on ES", ES32 "4.2", IN_ES, 0,
     "gen a; counter a TIMESTAMP;"
     "get a QUERY_TARGET = untouched ! INVALID_ENUM;"
     "get a QUERY_RESULT_NO_WAIT = untouched ! INVALID_ENUM" },
   { "get: availability", GL46 "4.2.3", IN_ALL, 0,
     "gen a; hold; counter a TIMESTAMP; get a QUERY_RESULT_AVAILABLE ui = 0;"
     "release; get a QUERY_RESULT_AVAILABLE ui = 1" },
   { "get: availability of the time elapsed", EDTQ, IN_ALL, 0,
     "gen a; hold; begin TIME_ELAPSED a; end TIME_ELAPSED;"
     "get a QUERY_RESULT_AVAILABLE i = 0; release;"
     "get a QUERY_RESULT_AVAILABLE i = 1" },
   { "get: a new measurement is not available at once", EDTQ, IN_ALL, 0,
     "gen a; counter a TIMESTAMP; get a QUERY_RESULT_AVAILABLE = 1; hold;"
     "counter a TIMESTAMP; get a QUERY_RESULT_AVAILABLE = 0" },
   { "get: what came before is available while the next is in flight", EDTQ,
     IN_ALL, 0,
     "gen a b; counter a TIMESTAMP; hold; counter b TIMESTAMP;"
     "get b QUERY_RESULT_AVAILABLE = 0; get a QUERY_RESULT_AVAILABLE = 1" },
   { "get: older queries of the type are available before", GL46 "4.2.3",
     IN_ALL, 0,
     "gen a b; hold; counter a TIMESTAMP; counter b TIMESTAMP;"
     "get b QUERY_RESULT = 0; get a QUERY_RESULT_AVAILABLE = 1" },
   { "get: no waiting writes nothing while in flight", AQBO, IN_DESKTOP, 0,
     "gen a; hold; time 5; counter a TIMESTAMP;"
     "get a QUERY_RESULT_NO_WAIT = untouched; release;"
     "get a QUERY_RESULT_NO_WAIT = 5; get a QUERY_RESULT_NO_WAIT = 5" },
   { "get: no waiting needs query buffers", AQBO, IN_DESKTOP,
     PITOT_GL_QUERY_BUFFER,
     "gen a; counter a TIMESTAMP;"
     "get a QUERY_RESULT_NO_WAIT = untouched ! INVALID_ENUM" },
   { "get: the nearest value of the type", GL46 "4.2.3", IN_ALL, 0,
     "gen a; time 18446744073709551615; counter a TIMESTAMP;"
     "get a QUERY_RESULT i = 2147483647; get a QUERY_RESULT ui = 4294967295;"
     "get a QUERY_RESULT i64 = 9223372036854775807;"
     "get a QUERY_RESULT ui64 = 18446744073709551615" },
   { "get: booleans are 0 or 1", GL46 "4.2.1", IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a; count ANY_SAMPLES_PASSED 6;"
     "end ANY_SAMPLES_PASSED; get a QUERY_RESULT = 1" },
   { "get: a lost device has a result", "KHR_robustness", IN_ALL, 0,
     "gen a; hold; time 7; counter a TIMESTAMP; lose;"
     "get a QUERY_RESULT_AVAILABLE i = 1; get a QUERY_RESULT = 0;"
     "disjoint = 1; gen b; counter b TIMESTAMP;"
     "get b QUERY_RESULT_AVAILABLE i = 1" },

   /*
    * Query buffers
    */
   { "buffer: the same value as a client reads", AQBO, IN_DESKTOP, 0,
     "gen a; bind; begin SAMPLES_PASSED a; count SAMPLES_PASSED 5000000000;"
     "end SAMPLES_PASSED; get a QUERY_RESULT ui64 @8 = 5000000000;"
     "get a QUERY_RESULT_AVAILABLE ui @0 = 1; unbind;"
     "get a QUERY_RESULT ui64 = 5000000000" },
   { "buffer: a result still in flight", AQBO, IN_DESKTOP, 0,
     "gen a; bind; hold; begin SAMPLES_PASSED a; count SAMPLES_PASSED 5;"
     "end SAMPLES_PASSED; get a QUERY_RESULT_AVAILABLE ui @4 = 0;"
     "get a QUERY_RESULT_NO_WAIT ui @8 = untouched;"
     "get a QUERY_RESULT ui @8 = 5" },
   { "buffer: created and never begun", GL46 "4.2.2", IN_DESKTOP, 0,
     "create SAMPLES_PASSED a; put a QUERY_RESULT ui 0 = 0;"
     "put a QUERY_RESULT_AVAILABLE ui 4 = 1;"
     "put a QUERY_TARGET ui 8 = SAMPLES_PASSED" },
   { "buffer: each statistic", APSQ, IN_DESKTOP, 0,
     EACH_STATISTIC("gen a; begin ", " a; end ",
                    "; put a QUERY_RESULT ui64 8 = 0;") },
   { "buffer: offset below zero", GL46 "4.2.3", IN_DESKTOP, 0,
     "create SAMPLES_PASSED a; put a QUERY_RESULT ui -1 ! INVALID_VALUE;"
     "put a QUERY_RESULT ui64 -9223372036854775807 ! INVALID_VALUE" },
   { "buffer: beyond the end", GL46 "4.2.3", IN_DESKTOP, 0,
     "create SAMPLES_PASSED a; put a QUERY_RESULT ui 60 = 0;"
     "put a QUERY_RESULT ui64 56 = 0;"
     "put a QUERY_RESULT ui 61 ! INVALID_OPERATION;"
     "put a QUERY_RESULT ui64 57 ! INVALID_OPERATION;"
     "put a QUERY_RESULT ui 9223372036854775807 ! INVALID_OPERATION" },
   { "buffer: no such buffer", GL46 "4.2.3", IN_DESKTOP, 0,
     "create SAMPLES_PASSED a;"
     "put a QUERY_RESULT ui 0 9 ! INVALID_OPERATION;"
     "put a QUERY_RESULT ui 0 0 ! INVALID_OPERATION" },
   { "buffer: no such query, or active", GL46 "4.2.3", IN_DESKTOP, 0,
     "name b 9; put b QUERY_RESULT ui 0 = untouched ! INVALID_OPERATION; gen "
     "a;"
     "begin TIME_ELAPSED a; put a QUERY_RESULT ui 0 ! INVALID_OPERATION" },
   { "buffer: a bad parameter", GL46 "4.2.3", IN_DESKTOP, 0,
     "create SAMPLES_PASSED a;"
     "put a CURRENT_QUERY ui 0 = untouched ! INVALID_ENUM" },
   { "buffer: mapped by the application", GL46 "6.3.2", IN_DESKTOP, 0,
     "create SAMPLES_PASSED a; map;"
     "put a QUERY_RESULT ui 0 ! INVALID_OPERATION; unmap;"
     "put a QUERY_RESULT ui 0 = 0" },
   { "buffer: not supported", AQBO, IN_DESKTOP, PITOT_GL_QUERY_BUFFER,
     "create SAMPLES_PASSED a; put a QUERY_RESULT ui 0 "
     "! INVALID_OPERATION" },

   /*
    * Conditional rendering
    */
   { "condition: draws if the result is not 0", GL46 "10.9", IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a; count ANY_SAMPLES_PASSED 1;"
     "end ANY_SAMPLES_PASSED; condition a QUERY_WAIT; draw = 1;"
     "endcondition; condition a QUERY_BY_REGION_WAIT; draw = 1;"
     "endcondition; condition a QUERY_WAIT_INVERTED; draw = 0;"
     "endcondition; condition a QUERY_BY_REGION_WAIT_INVERTED; draw = 0;"
     "endcondition; draw = 1" },
   { "condition: does not draw if the result is 0", GL46 "10.9", IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a; end ANY_SAMPLES_PASSED;"
     "condition a QUERY_WAIT; draw = 0; endcondition;"
     "condition a QUERY_NO_WAIT; draw = 0; endcondition;"
     "condition a QUERY_NO_WAIT_INVERTED; draw = 1; endcondition" },
   { "condition: created and never begun is 0", GL46 "4.2.2", IN_DESKTOP, 0,
     "create SAMPLES_PASSED a; condition a QUERY_WAIT; draw = 0" },
   { "condition: created and never begun stays available", GL46 "4.2.2",
     IN_DESKTOP, 0,
     "create SAMPLES_PASSED a; hold; condition a QUERY_NO_WAIT;"
     "endcondition; get a QUERY_RESULT_AVAILABLE = 1;"
     "get a QUERY_RESULT_NO_WAIT = 0" },
   { "condition: unknown draws where nobody waits", GL46 "10.9", IN_ALL, 0,
     "gen a; hold; begin ANY_SAMPLES_PASSED a; end ANY_SAMPLES_PASSED;"
     "condition a QUERY_NO_WAIT; draw = 1; endcondition;"
     "condition a QUERY_BY_REGION_NO_WAIT_INVERTED; draw = 1" },
   { "condition: no query object", GL46 "10.9", IN_ALL, 0,
     "name a 0; condition a QUERY_WAIT ! INVALID_VALUE;"
     "name b 9; condition b QUERY_WAIT ! INVALID_VALUE;"
     "gen c; condition c QUERY_WAIT ! INVALID_VALUE" },
   { "condition: a bad mode", GL46 "10.9", IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a; end ANY_SAMPLES_PASSED;"
     "condition a TRIANGLES ! INVALID_ENUM; draw = 1;"
     "endcondition ! INVALID_OPERATION" },
   { "condition: inverted modes need their extension",
     "ARB_conditional_render_inverted", IN_ALL, PITOT_GL_CONDITION_INVERTED,
     "gen a; begin ANY_SAMPLES_PASSED a; end ANY_SAMPLES_PASSED;"
     "condition a QUERY_WAIT_INVERTED ! INVALID_ENUM;"
     "condition a QUERY_BY_REGION_NO_WAIT_INVERTED ! INVALID_ENUM" },
   { "condition: a query of another type", GL46 "10.9", IN_ALL, 0,
     "gen a; begin TIME_ELAPSED a; end TIME_ELAPSED;"
     "condition a QUERY_WAIT ! INVALID_OPERATION; gen b;"
     "begin PRIMITIVES_GENERATED b; end PRIMITIVES_GENERATED;"
     "condition b QUERY_WAIT ! INVALID_OPERATION" },
   { "condition: no statistic is one", APSQ, IN_DESKTOP, 0,
     EACH_STATISTIC("gen a; begin ", " a; end ",
                    "; condition a QUERY_WAIT ! INVALID_OPERATION;") },
   { "condition: overflow counts as one",
     "ARB_transform_feedback_overflow_query", IN_DESKTOP, 0,
     "gen a b; begin TRANSFORM_FEEDBACK_OVERFLOW a;"
     "count TRANSFORM_FEEDBACK_OVERFLOW 1; end TRANSFORM_FEEDBACK_OVERFLOW;"
     "condition a QUERY_WAIT; draw = 1; endcondition;"
     "begin TRANSFORM_FEEDBACK_STREAM_OVERFLOW b 2;"
     "end TRANSFORM_FEEDBACK_STREAM_OVERFLOW 2;"
     "condition b QUERY_WAIT; draw = 0" },
   { "condition: an active query", GL46 "10.9", IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a;"
     "condition a QUERY_WAIT ! INVALID_OPERATION" },
   { "condition: one at a time", GL46 "10.9", IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a; end ANY_SAMPLES_PASSED;"
     "condition a QUERY_WAIT; condition a QUERY_WAIT ! INVALID_OPERATION;"
     "endcondition; endcondition ! INVALID_OPERATION" },
   { "condition: not supported", "NV_conditional_render", IN_ALL,
     PITOT_GL_CONDITION,
     "gen a; begin ANY_SAMPLES_PASSED a; end ANY_SAMPLES_PASSED;"
     "condition a QUERY_WAIT ! INVALID_OPERATION;"
     "endcondition ! INVALID_OPERATION" },
   { "condition: its query may be deleted", GL46 "10.9", IN_ALL, 0,
     "gen a; begin ANY_SAMPLES_PASSED a; end ANY_SAMPLES_PASSED;"
     "condition a QUERY_WAIT; delete a; draw = 0; endcondition; draw = 1" },
   { "condition: a driver that fails", GL46 "2.3.1", IN_DESKTOP, 0,
     "create SAMPLES_PASSED a; fail create;"
     "condition a QUERY_WAIT ! OUT_OF_MEMORY; draw = 1;"
     "endcondition ! INVALID_OPERATION" },
};

const size_t rule_count = sizeof(rules) / sizeof(rules[0]);
