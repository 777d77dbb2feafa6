/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Reads traces back: the bytes make a file of the format's tokens and of
 * other bytes.  Findings: a slice outside its parent, a picture that is not
 * XML, and CSV lines of different numbers of columns.
 */

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#include "fuzz.h"
#include "report.h"

/* Low byte values are indices of tokens, higher ones printable characters. */
static const char *const tokens[] = {
   "[\n",
   "]\n",
   "},\n",
   "}},\n",
   "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":",
   "{\"ph\":\"X\",\"pid\":9,\"tid\":9,\"ts\":",
   "{\"ph\":\"i\",\"pid\":9,\"tid\":9,\"ts\":",
   "{\"ph\":\"s\",\"pid\":0,\"tid\":1,\"id\":",
   "{\"ph\":\"f\",\"pid\":9,\"tid\":9,\"id\":",
   "{\"ph\":\"M\",\"pid\":0,\"tid\":1,\"name\":\"process_name\",\"args\":{",
   "{\"ph\":\"M\",\"pid\":9,\"tid\":9,\"name\":\"thread_name\",\"args\":{",
   ",\"dur\":",
   ",\"name\":\"",
   ",\"args\":{",
   ",\"cat\":\"frame\"",
   ",\"cat\":\"group\"",
   ",\"cat\":\"pass\"",
   ",\"cat\":\"draw\"",
   ",\"cat\":\"clear\"",
   ",\"cat\":\"upload\"",
   ",\"cat\":\"wait\"",
   "\"frame\":",
   "\"part\":",
   "\"profile_cpu_ns\":",
   "\"draws\":",
   "\"pixels\":",
   "\"samples passed\":",
   "\"size_B\":",
   "\"name\":\"",
   "\",",
   "\\u00",
   "\\uffff",
   "1.000",
   "5.000",
   "18446744073709550.000",
   "18446744073709551615",
   "1e308",
   "-0.5",
   "null",
};

#define CHARACTERS 95 /* from blank to tilde */

/* Takes a token or a character.  Returns its length. */
static size_t
take_text(struct fuzz_input *input, char text_out[64])
{
   const unsigned byte = fuzz_u8(input);

   if (byte < ARRAY_LENGTH(tokens))
      return (size_t)snprintf(text_out, 64, "%s", tokens[byte]);
   if (byte < ARRAY_LENGTH(tokens) + CHARACTERS)
      text_out[0] = (char)(' ' + byte - ARRAY_LENGTH(tokens));
   else
      text_out[0] = (char)fuzz_u8(input);
   return 1;
}

/* Writes the input to a file.  Returns its descriptor. */
static int
make_file(struct fuzz_input *input, char path_out[40])
{
   const int file = memfd_create("trace", MFD_CLOEXEC);
   char text[64];

   while (input->left_B > 0) {
      const size_t size_B = take_text(input, text);

      fuzz_assert(write(file, text, size_B) == (ssize_t)size_B);
   }
   snprintf(path_out, 40, "/proc/self/fd/%d", file);
   return file;
}

static void
check_slice(const struct pitot_report *report,
            const struct pitot_report_slice *slice)
{
   const struct pitot_report_slice *end =
      report->slices + report->slice_count;
   const struct pitot_report_slice *parent = slice->parent;

   fuzz_assert(slice->track->number < report->track_count);
   fuzz_assert(slice->begin_ns <= slice->end_ns);
   fuzz_assert(slice->after > slice && slice->after <= end);
   if (!parent) {
      fuzz_assert(slice->depth == 0);
      return;
   }
   fuzz_assert(parent >= report->slices && parent < slice);
   fuzz_assert(slice->depth == parent->depth + 1);
   fuzz_assert(slice->after <= parent->after);
   fuzz_assert(slice->track == parent->track);
   fuzz_assert(slice->begin_ns >= parent->begin_ns &&
               slice->end_ns <= parent->end_ns);
}

/* Outputs */

/* Accepts UTF-8 that XML allows, or a reference.  Returns its end. */
static const char *
pass_character(const char *c)
{
   static const char *const references[] = { "&amp;", "&lt;", "&gt;",
                                             "&quot;", "&apos;" };
   mbstate_t state = { 0 };
   wchar_t wide;
   const size_t size_B = mbrtowc(&wide, c, MB_CUR_MAX, &state);

   fuzz_assert(size_B > 0 && size_B <= 4);
   fuzz_assert((wide >= ' ' || wide == '\n') && wide != 0xfffe &&
               wide != 0xffff);
   if (*c != '&')
      return c + size_B;
   for (unsigned i = 0; i < ARRAY_LENGTH(references); i++) {
      const size_t length_B = strlen(references[i]);

      if (strncmp(c, references[i], length_B) == 0)
         return c + length_B;
   }
   fuzz_fail("no reference: %.10s", c);
}

/* Accepts a tag, with attributes in quotes.  Returns its end. */
static const char *
pass_tag(const char *c, int *depth_inout)
{
   const bool is_end = c[1] == '/';
   bool is_quoted = false;

   fuzz_assert(strncmp(c, "<!--", 4) != 0);
   for (c++; *c != '>' || is_quoted; c = pass_character(c)) {
      fuzz_assert(*c && *c != '<');
      is_quoted ^= *c == '"';
   }
   if (is_end)
      --*depth_inout;
   else if (c[-1] != '/' && c[-1] != '?')
      ++*depth_inout;
   return c + 1;
}

static void
check_xml(const char *text)
{
   int depth = 0;

   while (*text) {
      fuzz_assert(*text != '>');
      text = *text == '<' ? pass_tag(text, &depth) : pass_character(text);
      fuzz_assert(depth >= 0);
   }
   fuzz_assert(depth == 0);
}

static void
check_csv(const char *text)
{
   unsigned commas = 0, columns = 0;
   bool is_quoted = false;

   for (; *text; text++) {
      is_quoted ^= *text == '"';
      commas += *text == ',' && !is_quoted;
      if (*text != '\n' || is_quoted)
         continue;
      fuzz_assert(columns == 0 || commas == columns);
      columns = commas;
      commas = 0;
   }
   fuzz_assert(!is_quoted && commas == 0 && columns > 0);
}

static int
write_svg(const char *path, FILE *out)
{
   return pitot_report_write_svg(path, out, 0);
}

static void
write_and_check(const char *path,
                int (*write_output)(const char *path, FILE *),
                void (*check)(const char *text))
{
   char *text;
   size_t size_B;
   FILE *out = open_memstream(&text, &size_B);
   const int error = write_output(path, out);

   fclose(out);
   fuzz_assert(error == 0);
   fuzz_assert(strlen(text) == size_B);
   if (check) {
      setlocale(LC_CTYPE, "C.UTF-8");
      check(text);
      setlocale(LC_CTYPE, "C");
   }
   free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_B)
{
   struct fuzz_input input = { bytes, size_B };
   struct pitot_report *report = NULL;
   char path[40];

   (void)fuzz_u8(&input); /* inputs of the corpus have one byte more */
   const int file = make_file(&input, path);
   const int error = pitot_report_read(path, NULL, NULL, &report);

   fuzz_assert((error == 0) == (report != NULL));
   if (report) {
      for (size_t i = 0; i < report->slice_count; i++)
         check_slice(report, &report->slices[i]);
      pitot_report_free(report);
      write_and_check(path, pitot_report_write_text, NULL);
      write_and_check(path, pitot_report_write_csv, check_csv);
      write_and_check(path, write_svg, check_xml);
   }
   close(file);
   return 0;
}
