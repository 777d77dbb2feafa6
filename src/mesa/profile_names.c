/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Names in a profile: labels and groups of KHR_debug, or else descriptions.
 *
 * Another context may replace the label of a shared object at any time, and
 * Mesa frees the old one.  The calls that replace labels, in all profiled
 * contexts, share label_lock; copy_label() takes it exclusively.  It only
 * tries to, because this thread may hold a lock of Mesa's that such a call
 * waits for.  The calls do not exclude each other: an error in one of them
 * calls the application, which may hold locks.
 */

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "api_exec_decl.h"
#include "main/context.h"
#include "main/debug_output.h"
#include "dispatch.h"
#include "main/enums.h"
#include "main/framebuffer.h"
#include "main/shared.h"
#include "profile.h"
#include "util/format/u_format.h"
#include "util/simple_mtx.h"
#include "util/u_atomic.h"
#include "versions.h"

/* Shared by calls that replace labels, exclusive in copy_label(). */
static pthread_rwlock_t label_lock = PTHREAD_RWLOCK_INITIALIZER;

static bool
try_lock(simple_mtx_t *mutex)
{
#if UTIL_FUTEX_SUPPORTED
   return p_atomic_cmpxchg(&mutex->val, 0, 1) == 0;
#else
   return mtx_trylock(&mutex->mtx) == thrd_success;
#endif
}

/* Copies a label.  Returns false if there is none, or if another context is
 * replacing a label.
 */
static bool
copy_label(char *const *label, char *text_out, size_t size_B)
{
   if (!*label || pthread_rwlock_trywrlock(&label_lock) != 0)
      return false;

   const char *text = *label;

   if (text)
      snprintf(text_out, size_B, "%s", text);
   pthread_rwlock_unlock(&label_lock);
   return text;
}

/*
 * Framebuffers
 */

static const struct gl_renderbuffer *
first_attachment(const struct gl_framebuffer *framebuffer)
{
   for (unsigned i = 0; i < framebuffer->_NumColorDrawBuffers; i++) {
      if (framebuffer->_ColorDrawBuffers[i])
         return framebuffer->_ColorDrawBuffers[i];
   }
   return framebuffer->Attachment[BUFFER_DEPTH].Renderbuffer;
}

/* Returns GL's name of the format, without "GL_". */
static const char *
format_of(const struct gl_renderbuffer *renderbuffer)
{
   const char *name = _mesa_enum_to_string(renderbuffer->InternalFormat);

   return strncmp(name, "GL_", 3) == 0 ? name + 3 : name;
}

void
pitot_mesa_describe_pass(void *data, char *text_out, size_t size_B)
{
   const struct pitot_mesa_profile *profile = data;
   const struct gl_framebuffer *framebuffer = profile->ctx->DrawBuffer;

   if (!framebuffer) {
      snprintf(text_out, size_B, "no framebuffer");
      return;
   }

   const struct gl_renderbuffer *renderbuffer = first_attachment(framebuffer);
   const unsigned width = _mesa_geometric_width(framebuffer);
   const unsigned height = _mesa_geometric_height(framebuffer);

   if (copy_label(&framebuffer->Label, text_out, size_B))
      return;
   if (framebuffer->Name == 0)
      snprintf(text_out, size_B, "window %ux%u", width, height);
   else
      snprintf(text_out, size_B, "framebuffer %u, %ux%u %s",
               framebuffer->Name, width, height,
               renderbuffer ? format_of(renderbuffer) : "without pixels");
}

uint64_t
pitot_mesa_pass_pixels(void *data)
{
   const struct pitot_mesa_profile *profile = data;
   const struct gl_framebuffer *framebuffer = profile->ctx->DrawBuffer;

   if (!framebuffer)
      return 0;
   return (uint64_t)_mesa_geometric_width(framebuffer) *
          _mesa_geometric_height(framebuffer) *
          MAX2(_mesa_geometric_samples(framebuffer), 1) *
          MAX2(_mesa_geometric_layers(framebuffer), 1);
}

/*
 * Work
 */

static void
describe_program(const struct gl_context *ctx, mesa_shader_stage stage,
                 char *text_out, size_t size_B)
{
   const struct gl_pipeline_object *pipeline = ctx->_Shader;
   const struct gl_shader_program *program =
      pipeline->ReferencedPrograms[stage];

   if (!program && stage == MESA_SHADER_FRAGMENT)
      program = pipeline->ReferencedPrograms[MESA_SHADER_VERTEX];
   if (copy_label(&pipeline->Label, text_out, size_B) ||
       (program && copy_label(&program->Label, text_out, size_B)))
      return;
   if (program)
      snprintf(text_out, size_B, "program %u", program->Name);
   else
      snprintf(text_out, size_B, "fixed function");
}

struct search {
   const struct pipe_resource *resource;
   char *text_out;
   size_t size_B;
   bool is_found;
};

/* For _mesa_HashWalkLocked(). */
static void
copy_label_of_texture(void *texture, void *data)
{
   const struct gl_texture_object *object = texture;
   struct search *search = data;

   if (object->pt == search->resource)
      search->is_found |=
         copy_label(&object->Label, search->text_out, search->size_B);
}

/* Copies the label of the texture that owns a resource.  Returns false if it
 * has no label, or if the textures are locked: by another context, or by a
 * call of this thread that draws while it holds the lock (glBindTextures).
 */
static bool
describe_label(struct gl_context *ctx, const struct pipe_resource *resource,
               char *text_out, size_t size_B)
{
   struct _mesa_HashTable *textures = &ctx->Shared->TexObjects;
   struct search search = { resource, text_out, size_B };

   if (!try_lock(&textures->Mutex))
      return false;
   _mesa_HashWalkLocked(textures, copy_label_of_texture, &search);
   _mesa_HashUnlockMutex(textures);
   return search.is_found;
}

static void
describe_resource(struct gl_context *ctx,
                  const struct pipe_resource *resource, char *text_out,
                  size_t size_B)
{
   if (resource->target == PIPE_BUFFER)
      snprintf(text_out, size_B, "buffer of %u bytes", resource->width0);
   else if (!describe_label(ctx, resource, text_out, size_B))
      snprintf(text_out, size_B, "texture %ux%u %s", resource->width0,
               resource->height0, util_format_short_name(resource->format));
}

void
pitot_mesa_describe_work(void *data, enum pitot_profile_work work,
                         char *text_out, size_t size_B)
{
   const struct pitot_mesa_profile *profile = data;
   const struct pipe_resource *target = pitot_profile_target(profile->hooks);

   if (target)
      describe_resource(profile->ctx, target, text_out, size_B);
   else if (work == PITOT_PROFILE_DRAW)
      describe_program(profile->ctx, MESA_SHADER_FRAGMENT, text_out, size_B);
   else if (work == PITOT_PROFILE_DISPATCH)
      describe_program(profile->ctx, MESA_SHADER_COMPUTE, text_out, size_B);
   else
      pitot_mesa_describe_pass(data, text_out, size_B);
}

/*
 * Labels
 */

static void GLAPIENTRY
profiled_ObjectLabel(GLenum identifier, GLuint name, GLsizei length,
                     const GLchar *label)
{
   pthread_rwlock_rdlock(&label_lock);
   _mesa_ObjectLabel(identifier, name, length, label);
   pthread_rwlock_unlock(&label_lock);
}

static void GLAPIENTRY
profiled_LabelObjectEXT(GLenum identifier, GLuint name, GLsizei length,
                        const GLchar *label)
{
   pthread_rwlock_rdlock(&label_lock);
   _mesa_LabelObjectEXT(identifier, name, length, label);
   pthread_rwlock_unlock(&label_lock);
}

/*
 * Groups
 */

/* Includes GL's default group: starts at 1. */
static int
group_depth(struct gl_context *ctx)
{
   return _mesa_get_debug_state_int(ctx, GL_DEBUG_GROUP_STACK_DEPTH);
}

static void GLAPIENTRY
profiled_PushDebugGroup(GLenum source, GLuint id, GLsizei length,
                        const GLchar *message)
{
   GET_CURRENT_CONTEXT(ctx);
   const int depth = group_depth(ctx);

   _mesa_PushDebugGroup(source, id, length, message);
   if (group_depth(ctx) > depth)
      pitot_profile_push_group(ctx->Pitot->profile->profiled, message,
                               length < 0 ? strlen(message) : length);
}

static void GLAPIENTRY
profiled_PopDebugGroup(void)
{
   GET_CURRENT_CONTEXT(ctx);
   const int depth = group_depth(ctx);

   _mesa_PopDebugGroup();
   if (group_depth(ctx) < depth)
      pitot_profile_pop_group(ctx->Pitot->profile->profiled);
}

void
pitot_mesa_profile_set_calls(struct _glapi_table *table)
{
   SET_LabelObjectEXT(table, profiled_LabelObjectEXT);
   SET_ObjectLabel(table, profiled_ObjectLabel);
   SET_PushDebugGroup(table, profiled_PushDebugGroup);
   SET_PopDebugGroup(table, profiled_PopDebugGroup);
}
