/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The hooks of a Gallium context: the profile's and the driver's calls in
 * order.
 */

#include "fail_memory.h"
#include "hooked.h"
#include "pitot_profile.h"
#include "util/format/u_format.h"

/* Of R8G8B8A8 only. */
const struct util_format_description *
util_format_description(enum pipe_format format)
{
   static const struct util_format_description rgba = {
      .block = { .width = 1, .height = 1, .depth = 1, .bits = 32 },
   };

   return format == PIPE_FORMAT_R8G8B8A8_UNORM ? &rgba : NULL;
}

#define BOX ((struct pipe_box){ .width = 8, .height = 4, .depth = 2 })

/* Must run first: later tests leave hooks that would be reused. */
HOOK_TEST(without_memory_nothing_is_hooked)
{
   static struct pipe_screen screen; /* must outlive its hooks */
   static struct pipe_context pipe;
   struct pitot_profile_hooks *other;

   set_up_screen(&screen);
   screen.flush_frontbuffer = NULL;
   set_up_context(&pipe, &screen);
   for (unsigned nth = 1; nth <= 2; nth++) {
      fail_memory = nth;
      assert_null(
         pitot_profile_hook(&pipe, &m->other_profiled, false, current));
      assert_int_equal(fail_memory, 0);
      assert_ptr_equal(pipe.draw_vbo, m->own.draw_vbo);
   }
   other = pitot_profile_hook(&pipe, &m->other_profiled, false, current);
   assert_non_null(other);
   assert_null(screen.flush_frontbuffer);
   screen.fence_finish(&screen, &pipe, NULL, 1);
   expect(" WAIT(1,1) b:wait");
   m->screen.fence_finish(&m->screen, &m->pipe, NULL, 1);
   expect(" WAIT(1,1) a:wait");
   pitot_profile_unhook(other);
}

HOOK_TEST(work_is_reported_before_and_after)
{
   struct pipe_context *pipe = &m->pipe;
   const struct pipe_grid_info grid = { .block = { 4 } };
   const struct pipe_box box = BOX;

   pipe->draw_vertex_state(pipe, NULL, 5,
                           (struct pipe_draw_vertex_state_info){ 0 }, NULL,
                           2);
   expect(" a:draw DRAW(5,2) a:done");
   pipe->draw_mesh_tasks(pipe, PITOT_BEFORE_25_2(0,) &grid);
   expect(" a:draw DRAW(4) a:done");
   pipe->launch_grid(pipe, NULL);
   expect(" a:dispatch GRID a:done");
   pipe->clear(pipe, 3, PITOT_SINCE_26_1(0, 0,) NULL, NULL, 0.5, 9);
   expect(" a:clear CLEAR(3,0.5,9) a:done");
   pipe->clear_render_target(pipe, &m->surface, NULL, 1, 2, 3, 4, true);
   expect(" a:clear CLEAR(1,2,3,4,1) a:done");
   pipe->clear_depth_stencil(pipe, &m->surface, 1, 0.25, 2, 3, 4, 5, 6, true);
   expect(" a:clear CLEAR(1,0.25,2,3,4,5,6,1) a:done");
   pipe->clear_texture(pipe, &m->texture, 6, &box, NULL);
   expect(" a:clear CLEAR(6) a:done");
   pipe->clear_buffer(pipe, &m->buffer, 16, 32, NULL, 4);
   expect(" a:clear CLEAR(16,32,4) a:done");
   pipe->resource_copy_region(pipe, &m->buffer, 1, 2, 3, 4, &m->texture, 5,
                              &box);
   expect(" a:copy COPY(1,2,3,4,5) a:done");
}

/* flush_resource() does nothing in most drivers, or resolves a clear. */
HOOK_TEST(preparing_to_show_is_no_work)
{
   m->pipe.flush_resource(&m->pipe, &m->texture);
   expect(" a:may_send RESOLVE");
}

/* If the driver returns false, Mesa generates mipmaps itself. */
HOOK_TEST(mipmaps_say_whether_they_are_done)
{
   struct pipe_context *pipe = &m->pipe;

   assert_true(pipe->generate_mipmap(pipe, &m->texture, 0, 1, 2, 3, 4));
   expect(" a:blit MIPMAP(1,2,3,4) a:done");
   assert_false(pipe->generate_mipmap(pipe, &m->texture, 0, 2, 3, 4, 5));
   expect(" a:blit MIPMAP(2,3,4,5) a:done");
}

HOOK_TEST(work_has_a_target)
{
   struct pipe_context *pipe = &m->pipe;
   const struct pipe_box box = BOX;

   pipe->clear_buffer(pipe, &m->buffer, 16, 32, NULL, 4);
   assert_ptr_equal(pitot_profile_target(m->hooks), &m->buffer);
   pipe->clear_render_target(pipe, &m->surface, NULL, 1, 2, 3, 4, true);
   assert_ptr_equal(pitot_profile_target(m->hooks), &m->texture);
   assert_ptr_equal(pitot_profile_before_draw(pipe), &m->profiled);
   assert_null(pitot_profile_target(m->hooks));
   pipe->resource_copy_region(pipe, &m->buffer, 1, 2, 3, 4, &m->texture, 5,
                              &box);
   assert_ptr_equal(pitot_profile_target(m->hooks), &m->buffer);
   pipe->clear(pipe, 3, PITOT_SINCE_26_1(0, 0,) NULL, NULL, 0.5, 9);
   assert_null(pitot_profile_target(m->hooks));
}

/* If a driver blits by drawing, its draws are part of the blit. */
HOOK_TEST(calls_inside_calls_are_reported)
{
   const struct pipe_blit_info blit = { .dst.resource = &m->texture };

   m->pipe.blit(&m->pipe, &blit);
   expect(" a:blit BLIT( a:pass_ends FRAMEBUFFER a:clear CLEAR(1,0,0) a:done "
          ") a:done");
}

HOOK_TEST(flushes_have_a_fence)
{
   struct pipe_context *pipe = &m->pipe;
   struct pipe_fence_handle *fence = NULL;

   pipe->set_framebuffer_state(pipe, NULL);
   expect(" a:pass_ends FRAMEBUFFER");

   pipe->flush(pipe, NULL, PIPE_FLUSH_END_OF_FRAME);
   expect(" a:end_of_frame FLUSH(1) a:flushed(fence)");
   assert_int_equal(fence_refs, 1); /* the profile's */

   pipe->flush(pipe, &fence, 0);
   expect(" a:flush FLUSH(0) a:flushed(fence)");
   assert_non_null(fence);
   assert_int_equal(fence_refs, 3);

   /* A deferred flush does nothing, or with a fence creates that. */
   pipe->flush(pipe, NULL, PIPE_FLUSH_DEFERRED);
   expect(" FLUSH(2)");
   pipe->flush(pipe, &fence, PIPE_FLUSH_DEFERRED);
   expect(" a:flush FLUSH(2) a:flushed(fence)");

   assert_true(pitot_profile_fence_is_done(&m->screen, fence));
   expect(" WAIT(0,0)");
   assert_int_equal(fence_refs, 5);
   for (unsigned i = 0; i < 5; i++)
      pitot_profile_fence_release(&m->screen, fence);
}

HOOK_TEST(uploads_and_readbacks_have_sizes)
{
   struct pipe_context *pipe = &m->pipe;
   const struct pipe_box box = BOX;

   pipe->buffer_subdata(pipe, &m->buffer, 0, 12, 34, NULL);
   expect(" SUBDATA(12,34) a:upload(34)");
   pipe->texture_subdata(pipe, &m->texture, 0, 0, &box, NULL, 0, 0);
   expect(" SUBDATA( MAP(0) ) a:upload(256)");
   assert_ptr_equal(pipe->texture_map(pipe, &m->texture, 1, PIPE_MAP_READ,
                                      &box, NULL),
                    &m->texture);
   expect(" a:pass_ends MAP(1) a:readback(256)");
   pipe->buffer_map(pipe, &m->buffer, 1, PIPE_MAP_READ, &box, NULL);
   expect(" a:pass_ends MAP(1) a:readback(8)");
   assert_null(
      pipe->texture_map(pipe, &m->texture, 9, PIPE_MAP_READ, &box, NULL));
   expect(" a:pass_ends MAP(9) a:readback(0)");
   pipe->buffer_map(pipe, &m->buffer, 2, PIPE_MAP_WRITE, &box, NULL);
   expect(" a:may_send MAP(2) a:wait");
}

/* A program that never flushes has results to read as well.  The driver has
 * just flushed: a fence does not flush again.
 */
HOOK_TEST(readbacks_have_a_fence_if_it_is_wanted)
{
   struct pipe_context *pipe = &m->pipe;
   const struct pipe_box box = BOX;

   wants_fence = true;
   pipe->texture_map(pipe, &m->texture, 1, PIPE_MAP_READ, &box, NULL);
   expect(" a:flush MAP(1) FLUSH(2) a:flushed(fence) a:readback(256)");
   pipe->buffer_map(pipe, &m->buffer, 2, PIPE_MAP_WRITE, &box, NULL);
   expect(" a:may_send MAP(2) a:wait");
   assert_int_equal(fence_refs, 1);
   pitot_profile_fence_release(&m->screen, &fence_refs);
}

/* glthread may make these maps concurrently; driconf can forbid that. */
HOOK_TEST(unsynchronized_maps_are_not_reported)
{
   struct pipe_context *pipe = &m->pipe;
   const struct pipe_box box = BOX;

   pipe->buffer_map(pipe, &m->buffer, 2,
                    PIPE_MAP_WRITE | PIPE_MAP_UNSYNCHRONIZED |
                       PIPE_MAP_THREAD_SAFE,
                    &box, NULL);
   pipe->buffer_map(pipe, &m->buffer, 2,
                    PIPE_MAP_WRITE | PIPE_MAP_THREAD_SAFE, &box, NULL);
   expect(" MAP(2) MAP(2)");
}

HOOK_TEST(waits_belong_to_who_waits)
{
   struct pipe_screen *screen = &m->screen;
   struct pipe_fence_handle *fence = (struct pipe_fence_handle *)&fence_refs;

   assert_true(screen->fence_finish(screen, &m->pipe, fence, 5));
   expect(" WAIT(1,5) a:wait a:waited");
   assert_false(screen->fence_finish(screen, NULL, NULL, 5));
   expect(" WAIT(0,5)");
   screen->fence_finish(screen, &m->pipe, fence, 0);
   expect(" WAIT(1,0)");
   screen->fence_finish(screen, &m->other, fence, 5);
   expect(" WAIT(1,5)");

   current_pipe = &m->pipe;
   screen->fence_finish(screen, NULL, fence, 5);
   expect(" WAIT(0,5) a:wait a:waited");
   assert_false(screen->fence_finish(screen, NULL, NULL, 5));
   expect(" WAIT(0,5) a:wait");
}

HOOK_TEST(pictures_end_frames)
{
   struct pipe_screen *screen = &m->screen;

   screen->flush_frontbuffer(screen, &m->pipe, NULL, 1, 2, NULL, 3, NULL);
   expect(" a:frame_ends SHOW(1,2,3)");
   screen->flush_frontbuffer(screen, &m->other, NULL, 1, 2, NULL, 3, NULL);
   expect(" SHOW(1,2,3)");
   screen->flush_frontbuffer(screen, NULL, NULL, 1, 2, NULL, 3, NULL);
   expect(" SHOW(1,2,3)");
}

HOOK_TEST(contexts_are_told_apart)
{
   struct pitot_profile_hooks *other =
      pitot_profile_hook(&m->other, &m->other_profiled, true, current);

   m->other.launch_grid(&m->other, NULL);
   expect(" b:dispatch GRID b:done");
   m->pipe.launch_grid(&m->pipe, NULL);
   expect(" a:dispatch GRID a:done");

   pitot_profile_unhook(other);
   assert_memory_equal(&m->other, &m->own, sizeof(m->own));
   m->other.launch_grid(&m->other, NULL);
   expect(" GRID");
   assert_ptr_equal(pitot_profile_hook(&m->other, &m->other_profiled, true,
                                       current),
                    other);
   pitot_profile_unhook(other);
}

/* Mesa checks whether a function is NULL. */
HOOK_TEST(functions_that_are_missing_stay_so)
{
   struct pitot_profile_hooks *other;

   m->other.clear_buffer = NULL;
   other = pitot_profile_hook(&m->other, &m->other_profiled, true, current);
   assert_null(m->other.clear_buffer);
   pitot_profile_unhook(other);
   assert_null(m->other.clear_buffer);
}

static void
other_launch_grid(struct pipe_context *pipe,
                  const struct pipe_grid_info *info)
{
   log_call("OTHER");
}

/* Mesa compares draw_vbo with u_threaded_context's, for shortcuts. */
HOOK_TEST(draw_vbo_is_left_alone)
{
   assert_ptr_equal(m->pipe.draw_vbo, m->own.draw_vbo);
   assert_ptr_equal(pitot_profile_before_draw(&m->pipe), &m->profiled);
   expect(" a:draw");
   assert_ptr_equal(m->pipe.draw_vbo, m->own.draw_vbo);
}

/* Drivers without u_threaded_context replace functions at state changes.
 * Draw functions are left to them.
 */
HOOK_TEST(functions_are_hooked_again)
{
   struct pipe_context *pipe = &m->other;
   struct pitot_profile_hooks *other =
      pitot_profile_hook(pipe, &m->other_profiled, false, current);

   pipe->draw_vertex_state(pipe, NULL, 5,
                           (struct pipe_draw_vertex_state_info){ 0 }, NULL,
                           2);
   expect(" DRAW(5,2)");
   pipe->launch_grid = other_launch_grid;
   assert_ptr_equal(pitot_profile_before_draw(pipe), &m->other_profiled);
   expect(" b:draw");
   pipe->launch_grid(pipe, NULL);
   expect(" b:dispatch OTHER b:done");

   pitot_profile_unhook(other);
   assert_ptr_equal(pipe->launch_grid, other_launch_grid);
}

HOOK_TEST(a_flush_may_have_no_fence)
{
   struct pipe_fence_handle *fence = NULL;

   has_no_fence = true;
   m->pipe.flush(&m->pipe, &fence, 0);
   expect(" a:flush FLUSH(0) a:flushed");
   m->pipe.flush(&m->pipe, NULL, 0);
   expect(" a:flush FLUSH(0) a:flushed");
}

HOOK_TEST(short_waits_are_not_reported)
{
   const struct pipe_box box = BOX;

   m->pipe.texture_map(&m->pipe, &m->texture, 9, PIPE_MAP_WRITE, &box, NULL);
   expect(" a:may_send MAP(9) a:wait");
   wait_ns--;
   m->pipe.texture_map(&m->pipe, &m->texture, 9, PIPE_MAP_WRITE, &box, NULL);
   expect(" a:may_send MAP(9)");
}

/* A hook that was installed twice would call itself. */
HOOK_TEST(screens_are_hooked_once)
{
   struct pitot_profile_hooks *other =
      pitot_profile_hook(&m->other, &m->other_profiled, true, current);

   m->screen.fence_finish(&m->screen, &m->other, NULL, 1);
   expect(" WAIT(1,1) b:wait");

   /* A new screen at the same address. */
   set_up_screen(&m->screen);
   pitot_profile_unhook(other);
   other = pitot_profile_hook(&m->other, &m->other_profiled, true, current);
   m->screen.fence_finish(&m->screen, &m->other, NULL, 1);
   expect(" WAIT(1,1) b:wait");
   pitot_profile_unhook(other);
}
