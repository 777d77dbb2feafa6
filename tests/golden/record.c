/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Queries of Pitot's own, in a context of its own.
 */

#include "../drm/rig.h"
#include "pitot/hw.h"
#include "stream.h"

struct recording {
   struct stream *stream;
   const struct sim *sim;
};

static void
take_packet(void *data, const char *text, uint64_t address)
{
   const struct recording *recording = data;

   stream_add(recording->stream, text, address, recording->sim->packet_dw);
}

/* The ring that work is done on: nothing is in the other one. */
static enum pitot_ring
ring_of(const struct rig *rig, const struct golden_kind *kind)
{
   return kind->work == GOLDEN_DISPATCH && rig->cs->has_compute
             ? PITOT_RING_COMPUTE
             : PITOT_RING_RENDER;
}

static void
work(struct rig *rig, const struct golden_kind *kind)
{
   for (unsigned i = 0; i < GOLDEN_DRAWS; i++) {
      if (kind->work == GOLDEN_DISPATCH)
         rig_dispatch(rig, ring_of(rig, kind));
      else
         rig_draw(rig);
   }
}

static void
measure(struct rig *rig, struct pitot_hw *hw, const struct golden_kind *kind)
{
   struct pitot_hw_query *query;
   uint64_t value;

   assert_int_equal(pitot_hw_query_create(hw, kind->kind, 0, &query), 0);
   if (!pitot_kind_info(kind->kind)->is_instant)
      assert_int_equal(pitot_hw_query_begin(hw, query), 0);
   work(rig, kind);
   assert_int_equal(pitot_hw_query_end(hw, query), 0);
   rig_run(rig, ring_of(rig, kind));
   assert_int_equal(pitot_hw_query_result(hw, query, true, &value), 1);
   if (!pitot_kind_info(kind->kind)->is_time)
      assert_int_equal(value, golden_expected(kind, rig->sim));
   pitot_hw_query_free(hw, query);
}

static void
open_recording(struct rig *rig, const char *gpu, struct recording *recording,
               struct pitot_hw **hw_out)
{
   *recording->stream = (struct stream){ 0 };
   rig_open(rig, gpu);
   sim_count_draws(rig->sim);
   assert_int_equal(pitot_hw_create(rig->cs, hw_out), 0);
   recording->sim = rig->sim;
   rig->sim->on_packet = take_packet;
   rig->sim->on_packet_data = recording;
}

void
stream_record(const char *gpu, const struct golden_kind *kind,
              struct stream *stream_out)
{
   struct recording recording = { .stream = stream_out };
   struct pitot_hw *hw;
   struct rig rig;

   open_recording(&rig, gpu, &recording, &hw);
   stream_out->is_there = pitot_hw_counter_bits(hw, kind->kind) != 0;
   if (stream_out->is_there)
      measure(&rig, hw, kind);
   pitot_hw_destroy(hw);
   rig_close(&rig);
}

void
stream_record_statistics(const char *gpu, struct stream *stream_out)
{
   struct recording recording = { .stream = stream_out };
   struct pitot_hw_query *queries[PITOT_KIND_COUNT] = { 0 };
   struct pitot_hw *hw;
   struct rig rig;

   open_recording(&rig, gpu, &recording, &hw);
   stream_out->is_there = true;
   for (unsigned i = 0; i < golden_kind_count; i++) {
      if (golden_is_statistic(&golden_kinds[i]) &&
          !pitot_hw_query_create(hw, golden_kinds[i].kind, 0, &queries[i]))
         assert_int_equal(pitot_hw_query_begin(hw, queries[i]), 0);
   }
   for (unsigned i = 0; i < GOLDEN_DRAWS; i++)
      rig_draw(&rig);
   for (unsigned i = 0; i < golden_kind_count; i++) {
      if (queries[i])
         assert_int_equal(pitot_hw_query_end(hw, queries[i]), 0);
   }
   rig_run(&rig, PITOT_RING_RENDER);
   for (unsigned i = 0; i < golden_kind_count; i++)
      pitot_hw_query_free(hw, queries[i]);
   pitot_hw_destroy(hw);
   rig_close(&rig);
}
