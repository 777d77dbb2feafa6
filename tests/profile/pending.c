/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Binds textures while buffered vertices use a texture that is not validated
 * yet: Mesa draws and copies while it holds its texture lock.
 */

#include "../gl_setup.h"

#define SIZE 16

static void
make_texture(GLuint texture)
{
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glObjectLabel(GL_TEXTURE, texture, -1, "brick");
   for (int level = 0; SIZE >> level; level++)
      glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, SIZE >> level,
                   SIZE >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   /* So far the texture had space for one level. */
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                   GL_NEAREST_MIPMAP_NEAREST);
}

int
main(void)
{
   const struct gl_context_kind *kind = gl_context_kind_find("compat");
   GLuint textures[2];

   if (!egl_open(kind) || !egl_make_context(kind))
      return 2;
   glGenTextures(2, textures);
   glBindTexture(GL_TEXTURE_2D, textures[1]);
   make_texture(textures[0]);
   glEnable(GL_TEXTURE_2D);
   glBegin(GL_TRIANGLES);
   glVertex2f(-1, -1);
   glVertex2f(1, -1);
   glVertex2f(0, 1);
   glEnd();
   glBindTextures(0, 1, &textures[1]);
   const GLenum error = glGetError();
   egl_destroy_context();
   return error != GL_NO_ERROR;
}
