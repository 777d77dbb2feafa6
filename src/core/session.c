/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core_priv.h"

static struct pitot_listed_set *
listed_set_of(struct pitot_context *context,
              const struct pitot_session *session)
{
   return &context->counters.sets[session->set_index];
}

int
pitot_session_create(struct pitot_context *context, unsigned set_index,
                     uint32_t *handle_out)
{
   struct pitot_listed_set *listed = &context->counters.sets[set_index];
   struct pitot_names *sessions = &context->counters.sessions;
   const uint32_t handle = pitot_names_lowest_free(sessions);
   struct pitot_session *session = calloc(1, sizeof(*session));

   if (session)
      session->record = calloc(1, listed->set->record_B);
   if (!handle || !session || !session->record ||
       pitot_names_set(sessions, handle, session)) {
      if (session)
         free(session->record);
      free(session);
      return -ENOMEM;
   }

   session->handle = handle;
   session->set_index = set_index;
   listed->session_count++;
   *handle_out = handle;
   return 0;
}

struct pitot_session *
pitot_session_lookup(const struct pitot_context *context, uint32_t handle)
{
   const struct pitot_counters *counters = &context->counters;

   return counters->set_count ? pitot_names_get(&counters->sessions, handle)
                              : NULL;
}

/* The session does without its measurement from now on. */
static void
drop_measurement(struct pitot_context *context, struct pitot_session *session)
{
   struct pitot_listed_set *listed = listed_set_of(context, session);
   struct pitot_measurement *measurement = session->measurement;

   session->measurement = NULL;
   if (measurement && session->state == PITOT_STATE_ENDED)
      pitot_orphans_give(context, listed, measurement);
   else if (measurement)
      pitot_measurement_destroy(context, listed->provider, measurement);
}

void
pitot_session_free(struct pitot_context *context,
                   struct pitot_session *session)
{
   /* A provider that fails to end it has nothing left to say to anybody. */
   if (session->state == PITOT_STATE_ACTIVE)
      (void)pitot_session_end(context, session);
   drop_measurement(context, session);
   free(session->record);
   free(session);
}

void
pitot_session_delete(struct pitot_context *context,
                     struct pitot_session *session)
{
   listed_set_of(context, session)->session_count--;
   pitot_names_set(&context->counters.sessions, session->handle, NULL);
   pitot_session_free(context, session);
}

/*
 * What cannot be measured at the same time
 */

static bool
may_overlap(const struct pitot_listed_set *a,
            const struct pitot_listed_set *b)
{
   if (a->provider != b->provider || a->set->domain != b->set->domain ||
       a->set->overlap == PITOT_OVERLAP_ANY ||
       b->set->overlap == PITOT_OVERLAP_ANY)
      return true;
   return a == b && a->set->overlap == PITOT_OVERLAP_SAME;
}

static bool
is_in_the_way(const struct pitot_context *context,
              const struct pitot_listed_set *wanted)
{
   const struct pitot_counters *counters = &context->counters;

   for (unsigned i = 0; i < counters->set_count; i++) {
      const struct pitot_listed_set *other = &counters->sets[i];

      if (other->active_count && !may_overlap(other, wanted))
         return true;
   }
   return false;
}

struct settling {
   struct pitot_context *context;
   const struct pitot_listed_set *wanted;
};

static void
settle_session(void *data, void *object)
{
   const struct settling *settling = data;
   struct pitot_session *session = object;

   if (session->state == PITOT_STATE_ENDED &&
       !may_overlap(listed_set_of(settling->context, session),
                    settling->wanted))
      pitot_session_resolve(settling->context, session, PITOT_ASK_WAIT);
}

/* What measures a set may hold it until the last record is read: Intel's
 * observation unit does.
 */
static void
settle_others(struct pitot_context *context,
              const struct pitot_listed_set *wanted)
{
   struct pitot_counters *counters = &context->counters;
   struct settling settling = { context, wanted };

   if (wanted->set->overlap != PITOT_OVERLAP_SAME)
      return;
   pitot_names_for_each(&counters->sessions, settle_session, &settling);
   for (unsigned i = 0; i < counters->set_count; i++) {
      if (!may_overlap(&counters->sets[i], wanted))
         pitot_orphans_finish(context, &counters->sets[i]);
   }
}

/*
 * Measuring
 */

/* Begins a measurement, which is the session's own unless its record is still
 * in flight, so that nobody waits and a failure leaves what there is.
 */
static int
begin_fresh(struct pitot_context *context, struct pitot_session *session)
{
   struct pitot_listed_set *listed = listed_set_of(context, session);
   struct pitot_provider *provider = listed->provider;
   struct pitot_measurement *fresh = session->measurement;

   if (!fresh || session->state == PITOT_STATE_ENDED) {
      const int error = pitot_orphans_take(context, listed, &fresh);
      if (error)
         return error;
   }

   const int error = provider->ops->begin(provider, fresh);
   if (error) {
      if (session->measurement == fresh)
         session->measurement = NULL;
      pitot_measurement_destroy(context, provider, fresh);
      return error;
   }
   if (session->measurement != fresh)
      drop_measurement(context, session);
   session->measurement = fresh;
   return 0;
}

int
pitot_session_begin(struct pitot_context *context,
                    struct pitot_session *session)
{
   struct pitot_listed_set *listed = listed_set_of(context, session);

   assert(session->state != PITOT_STATE_ACTIVE);
   if (is_in_the_way(context, listed))
      return -EBUSY;
   settle_others(context, listed);
   const int error = begin_fresh(context, session);
   if (error)
      return error;

   session->state = PITOT_STATE_ACTIVE;
   session->is_lost = false;
   listed->active_count++;
   return 0;
}

/* The record will never be known. */
static void
lose_record(struct pitot_context *context, struct pitot_session *session)
{
   const struct pitot_listed_set *listed = listed_set_of(context, session);

   memset(session->record, 0, listed->set->record_B);
   session->is_lost = true;
   session->state = PITOT_STATE_AVAILABLE;
   drop_measurement(context, session);
}

int
pitot_session_end(struct pitot_context *context,
                  struct pitot_session *session)
{
   struct pitot_listed_set *listed = listed_set_of(context, session);
   struct pitot_provider *provider = listed->provider;

   assert(session->state == PITOT_STATE_ACTIVE);
   listed->active_count--;
   const int error = provider->ops->end(provider, session->measurement);
   if (error) {
      lose_record(context, session);
   } else {
      session->state = PITOT_STATE_ENDED;
      pitot_measurement_fence(context, session->measurement);
   }
   return error;
}

static int
read_record(struct pitot_context *context, struct pitot_session *session,
            enum pitot_ask ask)
{
   struct pitot_provider *provider =
      listed_set_of(context, session)->provider;

   if (ask == PITOT_ASK_LOOK)
      return pitot_measurement_look(context, provider, session->measurement,
                                    session->record);
   return pitot_measurement_read(context, provider, session->measurement,
                                 ask == PITOT_ASK_WAIT, session->record);
}

bool
pitot_session_resolve(struct pitot_context *context,
                      struct pitot_session *session, enum pitot_ask ask)
{
   if (session->state == PITOT_STATE_AVAILABLE)
      return true;
   assert(session->state == PITOT_STATE_ENDED);

   const int status = read_record(context, session, ask);
   assert(status != 0 || ask != PITOT_ASK_WAIT);
   if (status == 0)
      return false;
   if (status > 0)
      session->state = PITOT_STATE_AVAILABLE;
   else
      lose_record(context, session);
   context->disjoint |= status == -EIO;
   return true;
}
