/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_MODEL_NULL_SCENES_H
#define PITOT_MODEL_NULL_SCENES_H

#include "world.h"

extern const struct scene_info null_scenes[SCENE_COUNT];

#endif /* PITOT_MODEL_NULL_SCENES_H */
