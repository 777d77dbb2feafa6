/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdbool.h>
#include <string.h>

#include "pitot/driver.h"
#include "pitot_arena.h"
#include "listed.h"
#include "wrapped.h"

#if !defined(__has_feature)
#define __has_feature(FEATURE) 0 /* of clang */
#endif

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define IS_SANITIZED
#endif

#define OBJECT_B 48
#define COUNT    1000

static bool has_no_memory;
static uint8_t *last_run;
static size_t last_run_B;
static unsigned run_count;

/* The linker sends the calls of calloc() here (--wrap). */
WRAPPED(void *, calloc, (size_t count, size_t size))
{
   if (has_no_memory)
      return NULL;
   last_run = __real_calloc(count, size);
   last_run_B = count * size;
   run_count++;
   return last_run;
}

static void
take_all(struct pitot_arena *arena, uint8_t *objects[COUNT])
{
   for (unsigned i = 0; i < COUNT; i++) {
      objects[i] = pitot_arena_alloc(arena);
      assert_non_null(objects[i]);
      memset(objects[i], i % 256, OBJECT_B);
   }
}

static void
give_all(struct pitot_arena *arena, uint8_t *objects[COUNT])
{
   for (unsigned i = 0; i < COUNT; i++)
      pitot_arena_free(arena, objects[i]);
}

TEST(objects_do_not_overlap)
{
   struct pitot_arena arena;
   uint8_t *objects[COUNT];

   run_count = 0;
   pitot_arena_init(&arena, OBJECT_B);
   take_all(&arena, objects);
   assert_true(run_count < COUNT / 10);
   for (unsigned i = 0; i < COUNT; i++) {
      for (unsigned j = 0; j < OBJECT_B; j++)
         assert_int_equal(objects[i][j], i % 256);
   }
   give_all(&arena, objects);
   pitot_arena_finish(&arena);
}

TEST(given_objects_are_taken_again)
{
   struct pitot_arena arena;
   uint8_t *objects[COUNT];

   pitot_arena_init(&arena, OBJECT_B);
   take_all(&arena, objects);
   give_all(&arena, objects);
   run_count = 0;
   take_all(&arena, objects);
   assert_int_equal(run_count, 0);
   give_all(&arena, objects);
   pitot_arena_finish(&arena);
}

/* No false sharing with neighboring allocations of other threads. */
TEST(no_cache_line_is_shared)
{
   struct pitot_arena arena;
   uint8_t *objects[COUNT];
   unsigned count = 0;

   pitot_arena_init(&arena, OBJECT_B);
   run_count = 0;
   while (run_count < 2) {
      uint8_t *object = objects[count++] = pitot_arena_alloc(&arena);

      assert_true(object >= last_run + PITOT_CACHE_LINE_B);
      assert_true(object + OBJECT_B + PITOT_CACHE_LINE_B <=
                  last_run + last_run_B);
   }
   while (count > 0)
      pitot_arena_free(&arena, objects[--count]);
   pitot_arena_finish(&arena);
}

#ifdef IS_SANITIZED
/* A write past the end of an object hits poisoned memory. */
TEST(objects_not_in_use_are_poisoned)
{
   struct pitot_arena arena;

   pitot_arena_init(&arena, OBJECT_B);
   uint8_t *object = pitot_arena_alloc(&arena);

   assert_false(__asan_address_is_poisoned(object + OBJECT_B - 1));
   assert_true(__asan_address_is_poisoned(object + OBJECT_B));
   pitot_arena_free(&arena, object);
   assert_true(__asan_address_is_poisoned(object));
   assert_ptr_equal(pitot_arena_alloc(&arena), object);
   assert_false(__asan_address_is_poisoned(object));
   pitot_arena_free(&arena, object);
   pitot_arena_finish(&arena);
}
#endif

TEST(no_memory_makes_no_object)
{
   struct pitot_arena arena;
   uint8_t *objects[COUNT];
   unsigned count = 0;

   pitot_arena_init(&arena, OBJECT_B);
   has_no_memory = true;
   assert_null(pitot_arena_alloc(&arena));
   has_no_memory = false;
   objects[count++] = pitot_arena_alloc(&arena);
   assert_non_null(objects[0]);

   has_no_memory = true;
   while ((objects[count] = pitot_arena_alloc(&arena)))
      count++;
   assert_true(count > 1);
   assert_null(pitot_arena_alloc(&arena));
   has_no_memory = false;
   objects[count++] = pitot_arena_alloc(&arena);
   assert_non_null(objects[count - 1]);

   assert_int_equal(arena.used_count, count);
   while (count > 0)
      pitot_arena_free(&arena, objects[--count]);
   pitot_arena_finish(&arena);
}
