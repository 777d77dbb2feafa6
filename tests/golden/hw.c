/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Plays the scenes that are only a query in one batch, in a drm context on a
 * simulated GPU, if src/drm has contexts on its kernel driver.
 *
 *    golden-hw GPU LOG
 *       logs and prints as golden-gl does, with a third field: the expected
 *       value, or "-" for a time; without a context, LOG is empty
 *    golden-hw --list
 *       prints the names of all scenes, golden-gl's included
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../drm/rig.h"
#include "log.h"
#include "pitot/hw.h"
#include "scenes.h"

#define MAX_KINDS 32

struct stage {
   struct rig rig;
   struct pitot_hw *hw;
   struct sim_log log;
};

#define STATISTIC(KIND, TARGET, FLAGS, WORK, DESKTOP, ES, GALLIUM, ...)      \
   SIM_##GALLIUM,

static const enum sim_statistic statistics[] = { EACH_STATISTIC(STATISTIC) };

/* The clipper counts them on Intel, stream-out on AMD. */
static uint64_t
primitives_generated(const struct sim *sim)
{
   return sim->gpu.facts.family == &pitot_hw_intel
             ? sim->draw.statistics[SIM_C_INVOCATIONS]
             : sim->draw.streamout[0][SIM_NEEDED];
}

/* The count of a query, except for times. */
static uint64_t
expected(const struct golden_kind *kind, const struct sim *sim)
{
   const struct sim_work *work =
      kind->work == TARGET_DISPATCH ? &sim->dispatch : &sim->draw;

   switch (kind->kind) {
   case PITOT_KIND_SAMPLES_PASSED:
      return GOLDEN_DRAWS * work->samples;
   case PITOT_KIND_ANY_SAMPLES_PASSED:
   case PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE:
      return work->samples != 0;
   case PITOT_KIND_PRIMITIVES_GENERATED:
      return GOLDEN_DRAWS * primitives_generated(sim);
   case PITOT_KIND_PRIMITIVES_WRITTEN:
      return GOLDEN_DRAWS * work->streamout[0][SIM_WRITTEN];
   case PITOT_KIND_STREAM_OVERFLOW:
   case PITOT_KIND_ANY_STREAM_OVERFLOW:
      return work->streamout[0][SIM_NEEDED] !=
             work->streamout[0][SIM_WRITTEN];
   default:
      return GOLDEN_DRAWS *
             work->statistics[statistics[kind->kind -
                                         PITOT_KIND_FIRST_STATISTIC]];
   }
}

/* The dword with the work's size: the index count, or the groups. */
static unsigned
size_index(const struct sim *sim, enum target_work work)
{
   if (sim->gpu.facts.family == &pitot_hw_intel)
      return work == TARGET_DISPATCH ? 7 : 2;
   return 1;
}

/* The ring of the work: the other ring has none. */
static enum pitot_ring
ring_of(const struct stage *stage, enum target_work work)
{
   return work == TARGET_DISPATCH && stage->rig.cs->ring_count > 1
             ? PITOT_RING_COMPUTE
             : PITOT_RING_RENDER;
}

static void
work(struct stage *stage, enum target_work work, enum golden_size size)
{
   const struct sim *sim = stage->rig.sim;
   const enum pitot_ring ring = ring_of(stage, work);
   uint32_t dw[SIM_WORK_DW];
   unsigned count_dw;

   if (work == TARGET_DISPATCH) {
      pitot_hw_dispatch(stage->hw, PITOT_RING_COMPUTE);
      count_dw = sim_dispatch(sim, dw);
   } else {
      count_dw = sim_draw(sim, dw);
   }
   dw[size_index(sim, work)] = size;
   rig_emit(&stage->rig, ring, dw, count_dw);
}

static void
counted_work(struct stage *stage, enum target_work kind)
{
   for (unsigned i = 0; i < GOLDEN_DRAWS; i++)
      work(stage, kind, GOLDEN_COUNTED);
}

static void
flush(struct stage *stage)
{
   rig_run(&stage->rig, PITOT_RING_RENDER);
   if (stage->rig.cs->ring_count > 1)
      rig_run(&stage->rig, PITOT_RING_COMPUTE);
}

static void
mark(struct stage *stage, const char *what, const char *name)
{
   char text[GOLDEN_NAME_SIZE + 8];

   flush(stage);
   snprintf(text, sizeof(text), "%s %s", what, name);
   sim_log_mark(&stage->log, text);
}

static struct pitot_hw_query *
create(struct stage *stage, enum pitot_kind kind)
{
   struct pitot_hw_query *query;

   assert_int_equal(pitot_hw_query_create(stage->hw, kind, 0, &query), 0);
   return query;
}

static void
begin(struct stage *stage, struct pitot_hw_query *query)
{
   assert_int_equal(pitot_hw_query_begin(stage->hw, query), 0);
}

static void
end(struct stage *stage, struct pitot_hw_query *query)
{
   assert_int_equal(pitot_hw_query_end(stage->hw, query), 0);
}

/* Prints "-" if the GPU has no context, or cannot count the kind. */
static void
play(struct stage *stage, const struct golden_kind *kind, const char *name)
{
   if (stage->hw == NULL ||
       pitot_hw_counter_bits(stage->hw, kind->kind) == 0) {
      printf("-");
      return;
   }

   struct pitot_hw_query *query = create(stage, kind->kind);
   uint64_t value;

   mark(stage, "begin", name);
   work(stage, kind->work, GOLDEN_BEFORE);
   if (!pitot_kind_info(kind->kind)->is_instant)
      begin(stage, query);
   counted_work(stage, kind->work);
   end(stage, query);
   work(stage, kind->work, GOLDEN_AFTER);
   work(stage, kind->work, GOLDEN_LAST);
   mark(stage, "end", name);
   assert_int_equal(pitot_hw_query_result(stage->hw, query, true, &value), 1);
   printf("%" PRIu64, value);
   pitot_hw_query_free(stage->hw, query);
}

static void
play_all(struct stage *stage)
{
   for (unsigned i = 0; i < golden_kind_count; i++) {
      const struct golden_kind *kind = &golden_kinds[i];
      char name[GOLDEN_NAME_SIZE];

      golden_scene_name(kind, &golden_thens[0], name);
      printf("%s\t", name);
      play(stage, kind, name);
      if (pitot_kind_info(kind->kind)->is_time)
         printf("\t-\n");
      else
         printf("\t%" PRIu64 "\n", expected(kind, stage->rig.sim));
   }
}

static void
play_statistics(struct stage *stage)
{
   struct pitot_hw_count counts[MAX_KINDS];
   struct pitot_hw_query *query;
   unsigned count = 0;

   for (unsigned i = 0; i < golden_kind_count; i++) {
      if (golden_is_statistic(&golden_kinds[i]) &&
          pitot_hw_counter_bits(stage->hw, golden_kinds[i].kind) != 0)
         counts[count++] = (struct pitot_hw_count){ golden_kinds[i].kind, 0 };
   }
   assert_int_equal(pitot_hw_query_create_list(stage->hw, counts, count,
                                               &query),
                    0);
   mark(stage, "begin", GOLDEN_STATISTICS);
   work(stage, TARGET_DRAW, GOLDEN_BEFORE);
   begin(stage, query);
   counted_work(stage, TARGET_DRAW);
   end(stage, query);
   work(stage, TARGET_DRAW, GOLDEN_AFTER);
   work(stage, TARGET_DRAW, GOLDEN_LAST);
   mark(stage, "end", GOLDEN_STATISTICS);
   pitot_hw_query_free(stage->hw, query);
}

static void
list_scenes(void)
{
   for (unsigned k = 0; k < golden_kind_count; k++) {
      for (unsigned i = 0; i < golden_then_count; i++) {
         char name[GOLDEN_NAME_SIZE];

         if (!golden_has_scene(&golden_kinds[k], &golden_thens[i]))
            continue;
         golden_scene_name(&golden_kinds[k], &golden_thens[i], name);
         printf("%s\n", name);
      }
   }
   printf("%s\n", GOLDEN_STATISTICS);
}

/* Prints the expected values only. */
static void
print_expected(const char *gpu)
{
   struct stage stage = { .rig.sim = sim_create(gpu) };

   sim_count_draws(stage.rig.sim);
   play_all(&stage);
   sim_destroy(stage.rig.sim);
}

static void
perform(const char *gpu, FILE *file)
{
   struct stage stage;

   rig_open(&stage.rig, gpu);
   sim_count_draws(stage.rig.sim);
   sim_log_begin(&stage.log, stage.rig.sim, file);
   assert_int_equal(pitot_hw_create(stage.rig.cs, &stage.hw), 0);
   play_all(&stage);
   play_statistics(&stage);
   pitot_hw_destroy(stage.hw);
   rig_close(&stage.rig);
}

int
main(int argc, char **argv)
{
   if (argc == 2 && strcmp(argv[1], "--list") == 0) {
      list_scenes();
      return EXIT_SUCCESS;
   }
   if (argc != 3) {
      fprintf(stderr, "usage: %s GPU LOG | --list\n", argv[0]);
      return 2;
   }

   FILE *file = fopen(argv[2], "w");
   if (file == NULL) {
      perror(argv[2]);
      return EXIT_FAILURE;
   }
   if (rig_has_context(sim_gpu(argv[1])))
      perform(argv[1], file);
   else
      print_expected(argv[1]);
   return fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
