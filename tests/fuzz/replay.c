/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs a fuzzer without libFuzzer, on each input of a corpus, with a TAP case
 * each, or on an input that libFuzzer wrote.  A corpus (NAME.txt) has an
 * input on each line, in hexadecimal digits, and comments after "#".
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* The copy has exactly this size, so that a sanitizer sees each access
 * beyond. A finding ends the program.
 */
static void
run(const uint8_t *bytes, size_t size_B)
{
   uint8_t *copy = malloc(size_B != 0 ? size_B : 1);

   memcpy(copy, bytes, size_B);
   LLVMFuzzerTestOneInput(copy, size_B);
   free(copy);
}

/* Decodes in place.  Returns the bytes, or -1 if it is not hexadecimal. */
static long
decode(char *line)
{
   const size_t length = strcspn(line, "\n");

   if (length % 2 != 0 || strspn(line, "0123456789abcdef") != length)
      return -1;
   for (size_t i = 0; i < length; i += 2)
      sscanf(line + i, "%2hhx", (unsigned char *)line + i / 2);
   return (long)(length / 2);
}

/* An input's name is a hash of its bytes (FNV-1a). */
static uint64_t
name_of(const uint8_t *bytes, size_t size_B)
{
   uint64_t hash = UINT64_C(0xcbf29ce484222325);

   for (size_t i = 0; i < size_B; i++)
      hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
   return hash;
}

static bool
is_input(const char *line)
{
   return line[0] != '#' && line[0] != '\n';
}

/* Returns how many lines are not inputs. */
static unsigned
replay_corpus(FILE *file)
{
   char *line = NULL;
   size_t capacity = 0;
   unsigned number = 0, wrong = 0;

   while (getline(&line, &capacity, file) > 0) {
      if (!is_input(line))
         continue;
      const long size_B = decode(line);

      number++;
      if (size_B < 0) {
         printf("not ok %u - digits\n", number);
         wrong++;
         continue;
      }
      const uint64_t name = name_of((uint8_t *)line, (size_t)size_B);
      run((uint8_t *)line, (size_t)size_B);
      printf("ok %u - input %016" PRIx64 "\n", number, name);
      fflush(stdout);
   }
   free(line);
   printf("1..%u\n", number);
   return wrong;
}

static void
replay_input(FILE *file)
{
   static uint8_t bytes[1u << 20];

   run(bytes, fread(bytes, 1, sizeof(bytes), file));
   printf("ok 1 - input\n1..1\n");
}

int
main(int argc, char **argv)
{
   FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
   unsigned wrong = 0;

   if (file == NULL) {
      fprintf(stderr, "usage: %s CORPUS.txt, or an input\n", argv[0]);
      return 2;
   }
   if (strstr(argv[1], ".txt") != NULL)
      wrong = replay_corpus(file);
   else
      replay_input(file);
   fclose(file);
   return wrong != 0;
}
