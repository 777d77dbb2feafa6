/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_PROFILE_MODULE_H
#define PITOT_TESTS_PROFILE_MODULE_H

struct pitot_profile;

struct pitot_profile *
module_profile(void);

#endif /* PITOT_TESTS_PROFILE_MODULE_H */
