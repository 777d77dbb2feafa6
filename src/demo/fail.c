/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void
print_line(const char *format, va_list args)
{
   fputs("pitot-demo: ", stderr);
   vfprintf(stderr, format, args);
   fputc('\n', stderr);
}

void
warn(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   print_line(format, args);
   va_end(args);
}

void
fail(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   print_line(format, args);
   va_end(args);
   exit(EXIT_FAILURE);
}
