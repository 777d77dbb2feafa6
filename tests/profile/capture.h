/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_CAPTURE_H
#define PITOT_TESTS_CAPTURE_H

#include <unistd.h>

#include "listed.h"

struct capture {
   FILE *file;
   int saved;
};

static inline struct capture
capture_begin(void)
{
   const struct capture capture = { tmpfile(), dup(STDERR_FILENO) };

   assert_non_null(capture.file);
   fflush(stderr);
   dup2(fileno(capture.file), STDERR_FILENO);
   return capture;
}

/* The text must be shorter than size_B. */
static inline void
capture_end(struct capture *capture, char *text_out, size_t size_B)
{
   fflush(stderr);
   dup2(capture->saved, STDERR_FILENO);
   close(capture->saved);
   rewind(capture->file);
   const size_t length_B = fread(text_out, 1, size_B, capture->file);
   assert_true(length_B < size_B);
   text_out[length_B] = '\0';
   fclose(capture->file);
}

#endif /* PITOT_TESTS_CAPTURE_H */
