/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <string.h>

#include "model.h"

static bool
overlaps(const struct cell *a, const struct cell *b)
{
   return a->size_B && a->offset < b->offset + b->size_B &&
          b->offset < a->offset + a->size_B;
}

static void
set_unknown(struct buffer *buffer, const struct cell *cell, bool is_unknown)
{
   for (int i = 0; i < cell->size_B; i++)
      buffer->unknown[cell->offset + i] = is_unknown;
}

static bool
is_any_unknown(const struct buffer *buffer, const struct cell *cell)
{
   for (int i = 0; i < cell->size_B; i++)
      if (buffer->unknown[cell->offset + i])
         return true;
   return false;
}

/* The bytes of partly overlapped cells become unknown.  Returns a cell at the
 * same place in *same_out.
 */
static bool
take_overlapping(struct buffer *buffer, const struct cell *cell,
                 struct cell *same_out)
{
   bool has_same = false;

   for (unsigned i = 0; i < MAX_CELLS; i++) {
      struct cell *other = &buffer->cells[i];

      if (!overlaps(other, cell))
         continue;
      if (other->offset == cell->offset && other->size_B == cell->size_B) {
         *same_out = *other;
         has_same = true;
      } else {
         set_unknown(buffer, other, true);
      }
      other->size_B = 0;
   }
   return has_same;
}

/* Whether the cell's earlier contents are known. */
static bool
keep_old(const struct buffer *buffer, struct cell *cell, bool has_same,
         const struct cell *same)
{
   if (has_same && same->or_old)
      return false;
   if (has_same) {
      cell->has_old = true;
      cell->old = same->value;
      cell->old_type = same->type;
      return true;
   }
   return !is_any_unknown(buffer, cell);
}

static void
put_cell(struct buffer *buffer, struct cell *cell)
{
   struct cell same;
   const bool has_same = take_overlapping(buffer, cell, &same);

   if (cell->or_old && !keep_old(buffer, cell, has_same, &same)) {
      set_unknown(buffer, cell, true);
      return;
   }
   set_unknown(buffer, cell, false);
   for (unsigned i = 0; i < MAX_CELLS; i++) {
      if (!buffer->cells[i].size_B) {
         buffer->cells[i] = *cell;
         return;
      }
   }
   set_unknown(buffer, cell, true);
}

void
step_write(struct model_context *context, struct object *object,
           enum pname pname, enum type type, unsigned buffer, int64_t offset)
{
   const struct result *result = &object->result;
   const bool is_there = result->is_known || result->must;
   struct cell cell = {
      .offset = offset,
      .size_B = type <= TYPE_U32 ? 4 : 8,
      .type = type,
      .value = object->value,
      .is_available = pname == P_AVAILABLE,
      .is_result = pname == P_RESULT || pname == P_NO_WAIT,
      .or_old = pname == P_NO_WAIT && !is_there,
      .issue = result->issue,
   };

   if (object->allows.two_faces)
      cell.value = (struct set){ .highest = UINT64_MAX };
   if (pname == P_AVAILABLE)
      cell.value = (struct set){
         .lowest = is_there,
         .highest = result->held != HELD_YES,
      };
   if (pname == P_TARGET)
      cell.value.lowest = cell.value.highest =
         target_table[object->target].gl;
   if (pname == P_RESULT)
      waited(context);
   /* NO_WAIT does not write a withheld result. */
   if (pname != P_NO_WAIT || result->held != HELD_YES)
      put_cell(&context->buffers[buffer - 1], &cell);
}

static struct object *
find_issue(struct model_context *context, uint64_t number)
{
   for (unsigned i = 0; i < MAX_OBJECTS && number; i++) {
      struct object *object = &context->objects[i];

      if (object->is_taken && object->has_result &&
          object->result.issue == number)
         return object;
   }
   return NULL;
}

/* A read found this value, which may tell something about the query. */
static void
learn(struct model *model, struct model_context *context,
      const struct cell *cell, uint64_t value)
{
   struct object *object = find_issue(context, cell->issue);

   if (object && cell->is_available && value)
      saw_available(model, context, object);
   /* A result from before a loss may be stored while the client reads 0. */
   if (object && cell->is_result && !cell->or_old &&
       !object->allows.two_faces && !context->is_lost)
      saw_value(model, context, object, cell->type, value);
}

static void
read_cell(struct model *model, struct model_context *context,
          struct cell *cell, const uint8_t *bytes)
{
   const uint64_t untouched =
      cell->size_B == 4 ? (uint32_t)UNTOUCHED : UNTOUCHED;
   uint32_t narrow;
   uint64_t value;

   memcpy(&narrow, bytes + cell->offset, sizeof(narrow));
   memcpy(&value, bytes + cell->offset, cell->size_B == 8 ? 8 : 4);
   if (cell->size_B == 4)
      value = narrow;
   if (set_has(&cell->value, cell->type, value))
      learn(model, context, cell, value);
   else if (!cell->or_old)
      differ(model,
             "at %d there is %" PRIu64 ", not in %" PRIu64 "..%" PRIu64,
             cell->offset, value, clamp_value(cell->type, cell->value.lowest),
             clamp_value(cell->type, cell->value.highest));
   else if (cell->has_old ? !set_has(&cell->old, cell->old_type, value)
                          : value != untouched)
      differ(model, "at %d there is %" PRIu64 ", neither new nor old",
             cell->offset, value);
   /* Another read finds the same. */
   *cell = (struct cell){
      .offset = cell->offset,
      .size_B = cell->size_B,
      .type = cell->size_B == 4 ? TYPE_U32 : TYPE_U64,
      .value = { .lowest = value, .highest = value },
   };
}

void
step_read(struct model *model, struct model_context *context, unsigned buffer,
          const uint8_t *bytes)
{
   struct buffer *read = &context->buffers[buffer - 1];
   const int size_B = buffer == 1 ? BUFFER_SIZE_B : SMALL_SIZE_B;
   bool is_reported[BUFFER_SIZE_B] = { false };

   for (unsigned i = 0; i < MAX_CELLS; i++) {
      struct cell *cell = &read->cells[i];

      if (!cell->size_B)
         continue;
      read_cell(model, context, cell, bytes);
      memset(is_reported + cell->offset, true, cell->size_B);
   }
   for (int i = 0; i < size_B; i++)
      if (!is_reported[i] && !read->unknown[i] && bytes[i] != UNTOUCHED_BYTE)
         differ(model, "byte %d was written", i);
}
