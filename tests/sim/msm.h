/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The parts of the simulated msm. */

#ifndef PITOT_SIM_MSM_H
#define PITOT_SIM_MSM_H

#include "drm-uapi/msm_drm.h"
#include "sim_priv.h"

#define MSM_ADDRESS_BEGIN UINT64_C(0x100000000)
#define MSM_ADDRESS_SIZE  UINT64_C(0xffff00000000)

bool
sim_msm_is_past(const struct drm_msm_timespec *deadline);

/* Returns a fence's submission: fences have 32 bits. */
uint64_t
sim_msm_submission(const struct sim *sim, uint32_t fence);

/* msm_submit.c */
sim_handler sim_msm_submit;

#endif /* PITOT_SIM_MSM_H */
