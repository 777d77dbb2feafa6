/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Devices of the kernel driver msm. */

#include <errno.h>
#include <string.h>

#include "rig.h"

TEST_ON_SIM(unknown_chips_are_said, "a630")
{
   sim->gpu.chip_id = 0x05040001;
   assert_non_null(strstr(rig_refusal(sim, NULL, ENODEV), "0x05040001"));
}

TEST_ON_SIM(kernels_that_do_not_answer_are_said, "a630")
{
   sim->fail_ioctl_on = sim->ioctl_count + 2; /* after the version */
   sim->fail_errno = EIO;
   assert_non_null(strstr(rig_refusal(sim, NULL, EIO), "which GPU"));
}

/* The chips of Mesa's src/freedreno/common/freedreno_devices.py, from Adreno
 * 6xx on.  The upper half is the speed bin; up to Adreno 6xx, the last byte
 * is the patch level.
 */
TEST_ON_SIM(chips_have_names, "a630")
{
   static const struct {
      uint64_t id;
      const char *name;
      unsigned generation;
   } chips[] = {
      { 0x06000500, "a605", 6 },
      { 0x06000800, "a608", 6 },
      { 0x06010001, "a610", 6 },
      { 0x06010200, "a612", 6 },
      { 0x06010500, "a615", 6 },
      { 0x06010601, "a616", 6 },
      { 0x06010800, "a618", 6 },
      { 0x06010900, "a619", 6 },
      { 0x06020000, "a620", 6 },
      { 0x06020100, "a621", 6 },
      { 0x06030002, "a630", 6 },
      { UINT64_C(0x000000ac06030500), "a635", 6 },
      { 0x06040001, "a640", 6 },
      { 0x06050002, "a650", 6 },
      { 0x06060001, "a660", 6 },
      { 0x06060201, "a662", 6 },
      { 0x06060300, "a663", 6 },
      { 0x06080001, "a680", 6 },
      { UINT64_C(0x0000009106090000), "a690", 6 },
      { 0x07030002, "a725", 7 },
      { 0x07030001, "a730", 7 },
      { 0x43030b00, "a735", 7 },
      { 0x43050a00, "a32", 7 },
      { 0x43050a01, "a740", 7 },
      { 0x43050b00, "a740", 7 },
      { UINT64_C(0x0000ffff43050c01), "x1-85", 7 },
      { UINT64_C(0x0000ac0043051401), "a750", 7 },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(chips); i++) {
      sim->gpu.chip_id = chips[i].id;
      struct pitot_drm_device *device = rig_open_device(sim);
      assert_string_equal(device->gpu.name, chips[i].name);
      assert_int_equal(device->gpu.generation, chips[i].generation);
      pitot_drm_close(device);
   }
}
