/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The entry points of queries, by their name without "gl" and suffix.  Looked
 * up by hand, because a suffix that nobody uses any more (ANGLE) is in no
 * loader.
 */

#ifndef PITOT_TESTS_ENTRY_POINTS_H
#define PITOT_TESTS_ENTRY_POINTS_H

#include <epoxy/gl.h>

/* In ANGLE_timer_query and its like. */
#define TIMER_ENTRY_POINTS(X)                                                \
   X(void, GenQueries, (GLsizei, GLuint *))                                  \
   X(void, DeleteQueries, (GLsizei, const GLuint *))                         \
   X(GLboolean, IsQuery, (GLuint))                                           \
   X(void, BeginQuery, (GLenum, GLuint))                                     \
   X(void, EndQuery, (GLenum))                                               \
   X(void, QueryCounter, (GLuint, GLenum))                                   \
   X(void, GetQueryiv, (GLenum, GLenum, GLint *))                            \
   X(void, GetQueryObjectiv, (GLuint, GLenum, GLint *))                      \
   X(void, GetQueryObjectuiv, (GLuint, GLenum, GLuint *))                    \
   X(void, GetQueryObjecti64v, (GLuint, GLenum, GLint64 *))                  \
   X(void, GetQueryObjectui64v, (GLuint, GLenum, GLuint64 *))

/* In desktop GL alone. */
#define DESKTOP_ENTRY_POINTS(X)                                              \
   X(void, CreateQueries, (GLenum, GLsizei, GLuint *))                       \
   X(void, BeginQueryIndexed, (GLenum, GLuint, GLuint))                      \
   X(void, EndQueryIndexed, (GLenum, GLuint))                                \
   X(void, GetQueryIndexediv, (GLenum, GLuint, GLenum, GLint *))             \
   X(void, GetQueryBufferObjectiv, (GLuint, GLuint, GLenum, GLintptr))       \
   X(void, GetQueryBufferObjectuiv, (GLuint, GLuint, GLenum, GLintptr))      \
   X(void, GetQueryBufferObjecti64v, (GLuint, GLuint, GLenum, GLintptr))     \
   X(void, GetQueryBufferObjectui64v, (GLuint, GLuint, GLenum, GLintptr))

struct entry_points {
#define MEMBER(RETURN, NAME, PARAMETERS) RETURN(*NAME) PARAMETERS;
   TIMER_ENTRY_POINTS(MEMBER)
   DESKTOP_ENTRY_POINTS(MEMBER)
   MEMBER(void, GetInteger64v,
          (GLenum, GLint64 *)) /* of timers, on ES: EXT */
#undef MEMBER
};

/* Looks them up; a missing one is NULL. */
void
entry_points_load(struct entry_points *points, const char *suffix);

#endif /* PITOT_TESTS_ENTRY_POINTS_H */
