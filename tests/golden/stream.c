/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"
#include "test.h"

/* So near are samples, and what says that they are there. */
#define BESIDE_B 512

static const char *const samples[] = {
   "write depth count", "write timestamp", "store register",    "zpass",
   "statistics",        "streamout",       "end of pipe clock",
};

/* Packets that start or stop counters, for all queries. */
static const char *const countings[] = {
   "statistics start",
   "statistics stop",
   "count control",
};

static const char *const available_writes[] = {
   "write immediate",
   "store data",
   "end of pipe value",
};

static const char *const waits[] = { "CS stall", "flush", "partial flush" };

static bool
is_one_of(const char *text, const char *const *prefixes, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
         return true;
   }
   return false;
}

#define IS_ONE_OF(TEXT, PREFIXES)                                            \
   is_one_of(TEXT, PREFIXES, ARRAY_LENGTH(PREFIXES))

void
stream_add(struct stream *stream, const char *text, uint64_t address,
           unsigned length_dw)
{
   struct side_packets *side =
      &stream->sides[stream->work > 0 ? SIDE_END : SIDE_BEGIN];

   if (strcmp(text, "work") == 0) {
      stream->work++;
      return;
   }
   if (side->count == STREAM_MAX_PACKETS)
      fail_msg("more than %u packets for a query", STREAM_MAX_PACKETS);

   struct packet *packet = &side->packets[side->count++];
   snprintf(packet->text, sizeof(packet->text), "%s", text);
   packet->address = address;
   packet->length_dw = length_dw;
}

/* Before each mark, the simulator tells what its kernel was asked for so far.
 */
struct totals {
   unsigned ioctl_count;
   int64_t memory_B;
};

static bool
read_totals(const char *text, struct totals *totals_out)
{
   return sscanf(text, "kernel: %u ioctls, %" SCNd64 " B",
                 &totals_out->ioctl_count, &totals_out->memory_B) == 2;
}

/* Lines are "ADDRESS DWORDS TEXT"; marks are texts, too. */
void
stream_read_log(const char *path, const char *mark, struct stream *stream_out)
{
   char begin[STREAM_TEXT_SIZE], end[STREAM_TEXT_SIZE], line[256];
   struct totals totals = { 0 }, before = { 0 };
   bool is_inside = false;
   FILE *file = fopen(path, "r");

   if (file == NULL)
      fail_msg("no log %s", path);
   snprintf(begin, sizeof(begin), "begin %s", mark);
   snprintf(end, sizeof(end), "end %s", mark);
   *stream_out = (struct stream){ 0 };
   while (fgets(line, sizeof(line), file) != NULL) {
      char *text;
      const uint64_t address = strtoull(line, &text, 16);
      const unsigned length_dw = (unsigned)strtoul(text, &text, 10);

      text += strspn(text, " ");
      text[strcspn(text, "\n")] = '\0';
      if (read_totals(text, &totals))
         continue;
      if (strcmp(text, end) == 0) {
         is_inside = false;
         stream_out->ioctl_count = totals.ioctl_count - before.ioctl_count;
         stream_out->memory_B = totals.memory_B - before.memory_B;
      }
      if (is_inside)
         stream_add(stream_out, text, address, length_dw);
      if (strcmp(text, begin) == 0) {
         is_inside = stream_out->is_there = true;
         before = totals;
      }
   }
   fclose(file);
}

/* ZPASS_DONE is a companion of other samples, too. */
static bool
is_sample(const char *text, enum pitot_kind kind)
{
   const bool is_occlusion =
      pitot_kind_info(kind)->is_condition &&
      kind <= PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE;

   return IS_ONE_OF(text, samples) && !IS_ONE_OF(text, countings) &&
          (is_occlusion || strncmp(text, "zpass", 5) != 0);
}

static int
compare_texts(const void *a, const void *b)
{
   return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void
stream_samples(const struct stream *stream, enum side side,
               enum pitot_kind kind, char *text_out, size_t size_B)
{
   const struct side_packets *packets = &stream->sides[side];
   const char *found[STREAM_MAX_PACKETS];
   unsigned count = 0;
   size_t used = 0;

   for (unsigned i = 0; i < packets->count; i++) {
      if (is_sample(packets->packets[i].text, kind))
         found[count++] = packets->packets[i].text;
   }
   qsort(found, count, sizeof(found[0]), compare_texts);
   text_out[0] = '\0';
   for (unsigned i = 0; i < count; i++) {
      if (i == 0 || strcmp(found[i], found[i - 1]) != 0)
         used += (size_t)snprintf(text_out + used, size_B - used, "%s\n",
                                  found[i]);
   }
}

static bool
is_beside_sample(const struct side_packets *packets, uint64_t address)
{
   for (unsigned i = 0; i < packets->count; i++) {
      const struct packet *packet = &packets->packets[i];
      const uint64_t distance = packet->address > address
                                   ? packet->address - address
                                   : address - packet->address;

      if (IS_ONE_OF(packet->text, samples) && distance < BESIDE_B)
         return true;
   }
   return false;
}

/* Values differ, which is nobody's business. */
const char *
stream_available(const struct stream *stream)
{
   const struct side_packets *packets = &stream->sides[SIDE_END];

   for (unsigned i = packets->count; i-- > 0;) {
      const struct packet *packet = &packets->packets[i];

      if (!IS_ONE_OF(packet->text, available_writes) ||
          !is_beside_sample(packets, packet->address))
         continue;
      for (size_t l = 1; l < ARRAY_LENGTH(available_writes); l++) {
         if (strncmp(packet->text, available_writes[l],
                     strlen(available_writes[l])) == 0)
            return available_writes[l];
      }
      return packet->text;
   }
   return "";
}

/* A driver waits at the end of a batch anyway: only what is before the last
 * sample counts.
 */
unsigned
stream_waits(const struct stream *stream, enum side side)
{
   const struct side_packets *packets = &stream->sides[side];
   unsigned count = 0, seen = 0;

   for (unsigned i = 0; i < packets->count; i++) {
      if (IS_ONE_OF(packets->packets[i].text, waits))
         seen++;
      else if (IS_ONE_OF(packets->packets[i].text, samples))
         count = seen;
   }
   return count;
}

/* All that comes before the last sample is for it, and the write after it
 * that says that it is available.
 */
unsigned
stream_length_dw(const struct stream *stream, enum side side)
{
   const struct side_packets *packets = &stream->sides[side];
   unsigned all_dw = 0, result_dw = 0;

   for (unsigned i = 0; i < packets->count; i++) {
      const struct packet *packet = &packets->packets[i];

      if (IS_ONE_OF(packet->text, countings))
         continue;
      all_dw += packet->length_dw;
      if (IS_ONE_OF(packet->text, samples) ||
          (IS_ONE_OF(packet->text, available_writes) &&
           is_beside_sample(packets, packet->address)))
         result_dw = all_dw;
   }
   return result_dw;
}
