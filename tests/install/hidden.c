/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Reads the front buffer of a window that is not on the screen, of which X
 * has no pixels.  Exit status 0 if the program survives, reads no other
 * memory, and Mesa keeps the program's X error handler, which is process-wide
 * and may be needed by other threads.
 */

#include <dlfcn.h>
#include <stdio.h>

#include <X11/Xlib.h>
#include <epoxy/gl.h>
#include <epoxy/glx.h>

#define SIZE 16

static unsigned handler_count;

/* Counts calls of Xlib's function. */
XErrorHandler
XSetErrorHandler(XErrorHandler handler)
{
   XErrorHandler (*set)(XErrorHandler) =
      (XErrorHandler(*)(XErrorHandler))dlsym(RTLD_NEXT, "XSetErrorHandler");

   handler_count++;
   return set(handler);
}

static bool
open_window(Display *display)
{
   int attributes[] = { GLX_RGBA, GLX_RED_SIZE, 8, None };
   XVisualInfo *visual =
      glXChooseVisual(display, DefaultScreen(display), attributes);

   if (!visual)
      return false;
   const Window root = DefaultRootWindow(display);
   XSetWindowAttributes window_attributes = {
      .colormap = XCreateColormap(display, root, visual->visual, AllocNone),
   };
   const Window window = XCreateWindow(
      display, root, 0, 0, SIZE, SIZE, 0, visual->depth, InputOutput,
      visual->visual, CWColormap | CWBorderPixel, &window_attributes);
   GLXContext context = glXCreateContext(display, visual, NULL, True);

   return glXMakeCurrent(display, window, context);
}

static GLuint
read_pixel(void)
{
   GLuint pixel = 1;

   glReadPixels(0, 0, 1, 1, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, &pixel);
   return pixel & 0xffffff;
}

int
main(void)
{
   Display *display = XOpenDisplay(NULL);

   if (!display || !open_window(display))
      return 2;
   glDrawBuffer(GL_FRONT);
   glReadBuffer(GL_FRONT);
   glRecti(0, 0, 1, 1); /* off the screen */
   glFlush();
   const GLuint first = read_pixel();
   handler_count = 0; /* Mesa requests shared memory with its own handler */
   const GLuint second = read_pixel();
   printf("pixels %06x and %06x, handlers %u\n", first, second,
          handler_count);
   return first || second || handler_count;
}
