/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The functions of the table in behaviour.c.
 */

#ifndef PITOT_TESTS_BEHAVIOURS_H
#define PITOT_TESTS_BEHAVIOURS_H

#include "behaviour.h"

/* behaviour_occlusion.c */
behaviour_func nothing_after_something, clears_do_not_count,
   many_begins_in_flight, many_queries_in_one_pass,
   framebuffer_goes_before_the_result, query_spans_framebuffers,
   polls_come_to_an_end, contexts_count_for_themselves,
   query_survives_a_switch, query_survives_flushes,
   only_the_last_begin_counts, query_goes_round_framebuffers,
   many_clears_do_not_count, copies_do_not_count, blits_do_not_count;

/* behaviour_available.c */
behaviour_func nothing_is_counted_again, all_parts_are_counted,
   timestamps_come_in_the_end, finished_is_available, fenced_is_available,
   fences_are_signalled_in_the_end, mistaken_fences_write_nothing,
   any_count_is_true, earlier_is_available;

/* behaviour_condition.c */
behaviour_func condition_outlives_its_name, drawn_before_the_condition,
   draws_are_left_out, cleared_before_the_condition,
   clears_of_buffers_are_left_out, blits_are_left_out,
   dispatches_are_left_out;

/* behaviour_time.c */
behaviour_func first_time_is_short, timestamps_go_on,
   elapsed_agrees_with_timestamps, now_is_the_clock_of_timestamps,
   now_goes_on, now_in_each_type, timestamp_in_32_bits,
   timestamp_in_32_bits_of_a_buffer, times_come_while_polling,
   textures_take_time, several_views_take_time,
   contexts_measure_for_themselves, elapsed_is_the_whole_time,
   drawn_before_a_timestamp;

/* behaviour_feedback.c */
behaviour_func written_is_captured, written_beside_generated,
   drawn_without_feedback, incomplete_is_not_written, overflow_is_noticed,
   overflow_decides_in_flight, nothing_overflows_without_feedback,
   generated_is_no_overflow, generated_and_discarded,
   generated_and_discarded_in_turns, generated_indirectly;

/* behaviour_statistics.c */
behaviour_func points_count_as_vertices, all_at_once_as_each_alone,
   each_pair_overlaps;

/* behaviour_object.c */
behaviour_func label_of_an_active_query, label_by_the_older_extension,
   delete_does_not_wait, begin_does_not_wait, buffer_of_indices_changes,
   buffer_keeps_what_is_written;

/* behaviour_perf.c */
behaviour_func performance_queries_are_there, lengths_are_told,
   statistics_are_those_of_queries, gpu_time_is_that_of_queries,
   a_thousand_draws, data_come_after_a_fence, data_come_after_reading_pixels,
   looks_do_not_flush, statistics_overflow_nothing,
   sessions_measure_their_context, bitmaps_are_measured_where_they_are;

#endif /* PITOT_TESTS_BEHAVIOURS_H */
