/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Contexts, and the names and objects in them.  An object is freed with its
 * last reference: name, slot or condition.  So a context is destroyed in this
 * order: the condition ends, active queries end, names are dropped, and then
 * no object uses a driver query.
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "core_priv.h"
#include "pitot_condition.h"

static_assert(offsetof(struct pitot_context, head) == 0,
              "pitot_query.h relies on it");

/* The most idle driver queries that a binding keeps, so that a program with a
 * thousand new names in each frame creates and destroys none.  A binding has
 * no more idle ones than were in flight together once.
 */
#define MAX_IDLE 4096

struct pitot_binding *
pitot_binding_of(struct pitot_context *context, enum pitot_kind kind,
                 unsigned stream)
{
   return &context->bindings[kind][stream];
}

static void
init_binding(struct pitot_context *context, enum pitot_kind kind,
             unsigned stream)
{
   const struct pitot_kind_info *info = pitot_kind_info(kind);
   struct pitot_watch *watch =
      info->is_instant ? &context->time_watches[PITOT_TIME_RECORDED]
                       : &context->elapsed_watch;

   context->bindings[kind][stream] = (struct pitot_binding){
      .slot =
         info->is_instant ? NULL : &context->head.slots[info->slot + stream],
      .in_flight = &context->in_flight[info->slot],
      .watch = info->is_time && watch->period_ns ? watch : NULL,
      .idle_left = context->info.driver->keeps_queries_apart ? 0 : MAX_IDLE,
      .kind = kind,
      .stream = stream,
   };
}

static void
init_bindings(struct pitot_context *context)
{
   for (unsigned i = 0; i < PITOT_SLOT_COUNT + 1; i++)
      pitot_in_flight_init(&context->in_flight[i]);
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const bool is_indexed = pitot_kind_info(kind)->is_indexed;
      for (unsigned i = 0; i < (is_indexed ? PITOT_MAX_STREAMS : 1); i++)
         init_binding(context, kind, i);
   }
}

/* For a driver without render_condition(). */
static void
ignore_condition(struct pitot_driver *driver,
                 struct pitot_driver_query *query, unsigned mode)
{
   (void)driver;
   (void)query;
   (void)mode;
}

int
pitot_context_create(const struct pitot_context_info *info,
                     struct pitot_context **context_out)
{
   const struct pitot_driver_ops *ops = info->driver->ops;
   assert(ops->query_create && ops->query_destroy && ops->query_begin &&
          ops->query_end && ops->query_result && ops->counter_bits);

   struct pitot_context *context = calloc(1, sizeof(*context));
   if (!context)
      return -ENOMEM;

   context->info = *info;
   pitot_names_init(&context->head.names);
   context->head.driver = info->driver;
   context->head.render_condition =
      ops->render_condition ? ops->render_condition : ignore_condition;
   if (info->suspended_ns)
      context->last_suspended_ns = info->suspended_ns();
   pitot_arena_init(&context->objects, sizeof(struct pitot_query));
   pitot_watches_init(context);
   init_bindings(context);

   *context_out = context;
   return 0;
}

const struct pitot_context_info *
pitot_context_info(const struct pitot_context *context)
{
   return &context->info;
}

static void
drop_name(void *data, void *query)
{
   pitot_query_unref(data, query);
}

void
pitot_context_destroy(struct pitot_context *context)
{
   if (!context)
      return;

   if (context->head.condition)
      pitot_condition_end(context);
   for (unsigned slot = 0; slot < PITOT_SLOT_COUNT; slot++) {
      const struct pitot_query *active = context->head.slots[slot];
      if (active)
         (void)pitot_query_end(context, active->kind, active->stream);
   }

   pitot_names_finish(&context->head.names, drop_name, context);
   pitot_driver_queries_finish(context);
   pitot_arena_finish(&context->objects);
   free(context);
}

/*
 * Objects
 */

static struct pitot_query *
create_object(struct pitot_context *context, uint32_t name)
{
   struct pitot_query *query = pitot_arena_alloc(&context->objects);

   if (query)
      *query = (struct pitot_query){
         .name = name,
         .refs = 1,
         .kind = PITOT_KIND_NONE,
      };
   return query;
}

struct pitot_query *
pitot_query_create_at(struct pitot_context *context, uint32_t name,
                      void **entry)
{
   struct pitot_query *query = create_object(context, name);

   assert(*entry == PITOT_NAMES_RESERVED);
   if (query)
      *entry = query;
   return query;
}

int
pitot_query_obtain(struct pitot_context *context, uint32_t name,
                   struct pitot_query **query_out)
{
   struct pitot_query *query = pitot_query_lookup(context, name);

   assert(name != 0);
   if (!query) {
      query = create_object(context, name);
      if (query && pitot_names_set(&context->head.names, name, query)) {
         pitot_arena_free(&context->objects, query);
         query = NULL;
      }
   }
   *query_out = query;
   return query ? 0 : -ENOMEM;
}

int
pitot_query_create(struct pitot_context *context, uint32_t name,
                   enum pitot_kind kind)
{
   struct pitot_query *query;
   const int error = pitot_query_obtain(context, name, &query);
   if (error)
      return error;

   query->kind = kind;
   query->state = PITOT_STATE_AVAILABLE;
   return 0;
}

void
pitot_query_delete(struct pitot_context *context, uint32_t name)
{
   struct pitot_query *query = pitot_query_lookup(context, name);

   pitot_names_set(&context->head.names, name, NULL);
   if (!query)
      return;
   query->name = 0;

   /* glDeleteQueries has no error for an end that fails. */
   if (query->state == PITOT_STATE_ACTIVE && context->info.delete_ends_active)
      (void)pitot_query_end(context, query->kind, query->stream);
   pitot_query_unref(context, query);
}
