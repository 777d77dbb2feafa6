/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Notifies the client right before the next draw or dispatch, if it asked.
 *
 * Mesa updates dirty state right before each draw and each dispatch of the
 * application: st_validate_state() calls a function of
 * st_context::update_functions for each dirty bit.  All 64 bits are in use,
 * so the functions of two of them, one for draws and one for dispatches, are
 * replaced by functions that notify the client first.  Both bits are always
 * active, and their updates are cheap.  Mesa's internal draws and dispatches
 * do not validate state, and must not be counted.
 */

#include "main/context.h"
#include "main/errors.h"
#include "pitot_mesa.h"
#include "state_tracker/st_atom.h"
#include "state_tracker/st_context.h"
#include "versions.h"

static void
notify_before_draw(struct gl_context *ctx)
{
   if (ctx->Pitot && pitot_pipe_client_before_draw(&ctx->Pitot->client))
      _mesa_error(ctx, GL_OUT_OF_MEMORY, "a draw that statistics count");
}

static void
update_before_draw(struct st_context *st)
{
   notify_before_draw(st->ctx);
   st_bind_hw_atomic_buffers(st);
}

static void
update_before_dispatch(struct st_context *st)
{
   notify_before_draw(st->ctx);
   st_update_cp(st);
}

void
pitot_mesa_init_watch(struct gl_context *ctx)
{
   st_update_func_t *functions = ctx->st->update_functions;

   functions[ST_INDEX(ST_NEW_HW_ATOMICS)] = update_before_draw;
   functions[ST_INDEX(ST_NEW_CS_STATE)] = update_before_dispatch;
}

void
pitot_mesa_watch_draws(void *data)
{
   struct gl_context *ctx = data;

   ST_SET_STATE(ctx->NewDriverState, ST_NEW_HW_ATOMICS);
   ST_SET_STATE(ctx->NewDriverState, ST_NEW_CS_STATE);
}
