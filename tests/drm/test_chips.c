/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The tables of GPUs must match Mesa's: PCI identifiers of include/pci_ids,
 * and families and revisions of src/amd/addrlib/src/amdgpu_asic_addr.h.  The
 * generations are those of src/intel/dev/intel_device_info.c and
 * src/amd/common/ac_gpu_info.c.
 */

#include <string.h>

#include "amd/addrlib/src/amdgpu_asic_addr.h"
#include "rig.h"

/* The name is NULL if Pitot does not know the GPU. */
static struct pitot_drm_device
facts_of(struct sim *sim)
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_drm_device *device, facts = { .gpu.name = NULL };

   if (pitot_drm_open(&sim->io, "/dev/dri/renderD128", &device, message) == 0)
      facts = *device;
   else
      device = NULL;
   pitot_drm_close(device);
   return facts;
}

static const struct {
   unsigned id;
   const char *kind; /* "skl_gt2" */
} intel_gpus[] = {
#define CHIPSET(ID, KIND, ...) { ID, #KIND },
#include "pci_ids/iris_pci_ids.h"
#undef CHIPSET
};

/* Kinds of Mesa, by the beginning of their names. */
static const struct intel_kind {
   const char *prefix, *name;
   unsigned generation;
   bool is_discrete;
} intel_kinds[] = {
   { "bdw_", "bdw", 80, false },    { "skl_", "skl", 90, false },
   { "bxt", "bxt", 90, false },     { "glk", "glk", 90, false },
   { "kbl_", "kbl", 90, false },    { "cfl_", "cfl", 90, false },
   { "icl_", "icl", 110, false },   { "ehl_", "ehl", 110, false },
   { "tgl_", "tgl", 120, false },   { "rkl_", "rkl", 120, false },
   { "adl_n", "adln", 120, false }, { "adl_", "adl", 120, false },
   { "rpl", "rpl", 120, false },    { "mtl_", "mtl", 125, false },
   { "arl_", "arl", 125, false },   { "dg1", "dg1", 120, true },
   { "sg1", "dg1", 120, true },     { "dg2_", "dg2", 125, true },
   { "atsm_", "dg2", 125, true },   { "lnl", "lnl", 200, false },
   { "bmg", "bmg", 200, true },     { "ptl", "ptl", 300, false },
};

static const struct intel_kind *
intel_kind(const char *kind)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(intel_kinds); i++) {
      const char *prefix = intel_kinds[i].prefix;

      if (strncmp(kind, prefix, strlen(prefix)) == 0)
         return &intel_kinds[i];
   }
   return NULL;
}

/* i915 does not drive GPUs from Gen20 on: Pitot rejects them as too new. */
TEST_ON_SIM(intel_gpus_are_those_of_mesa, "skl")
{
   const unsigned last = sim->is_xe ? 300 : 125;

   for (unsigned i = 0; i < ARRAY_LENGTH(intel_gpus); i++) {
      const struct intel_kind *kind = intel_kind(intel_gpus[i].kind);

      sim->gpu.device_id = intel_gpus[i].id;
      const struct pitot_drm_device facts = facts_of(sim);
      const bool is_known = kind != NULL && kind->generation <= last;
      assert_int_equal(facts.gpu.name != NULL, is_known);
      if (!is_known)
         continue;
      assert_string_equal(facts.gpu.name, kind->name);
      assert_int_equal(facts.gpu.generation, kind->generation);
      assert_int_equal(facts.intel.is_gt4,
                       strstr(intel_gpus[i].kind, "_gt4") != NULL);
      assert_int_equal(facts.is_discrete, kind->is_discrete);
   }
}
TEST_ON_SIM_AGAIN(intel_gpus_are_those_of_mesa_on_xe,
                  intel_gpus_are_those_of_mesa, "lnl")

/* A range of identifiers may have gaps, but both ends are GPUs. */
TEST_ON_SIM(intel_ranges_end_at_gpus, "skl")
{
   static bool is_known[UINT16_MAX + 2], is_gpu[UINT16_MAX + 2];

   for (unsigned i = 0; i < ARRAY_LENGTH(intel_gpus); i++)
      is_gpu[intel_gpus[i].id] = true;
   for (unsigned id = 1; id <= UINT16_MAX; id++) {
      sim->gpu.device_id = id;
      is_known[id] = facts_of(sim).gpu.name != NULL;
   }
   for (unsigned id = 1; id <= UINT16_MAX; id++) {
      if (is_known[id] && !(is_known[id - 1] && is_known[id + 1]))
         assert_true(is_gpu[id]);
   }
}
TEST_ON_SIM_AGAIN(intel_ranges_end_at_gpus_on_xe, intel_ranges_end_at_gpus,
                  "lnl")

#define FAMILY_END 256 /* beyond GFX12's 152, the last family */

/* Then come GPUs without graphics (AMDGPU_MI100_RANGE of ac_gpu_info.c). */
#define VEGA20_RANGE 0x28, 0x32

static const struct amd_kind {
   unsigned family, first, end; /* revisions */
   const char *name;
   unsigned generation;
} amd_kinds[] = {
   { FAMILY_SI, AMDGPU_TAHITI_RANGE, "tahiti", 60 },
   { FAMILY_SI, AMDGPU_PITCAIRN_RANGE, "pitcairn", 60 },
   { FAMILY_SI, AMDGPU_CAPEVERDE_RANGE, "verde", 60 },
   { FAMILY_SI, AMDGPU_OLAND_RANGE, "oland", 60 },
   { FAMILY_SI, AMDGPU_HAINAN_RANGE, "hainan", 60 },
   { FAMILY_CI, AMDGPU_BONAIRE_RANGE, "bonaire", 70 },
   { FAMILY_CI, AMDGPU_HAWAII_RANGE, "hawaii", 70 },
   { FAMILY_KV, AMDGPU_SPECTRE_RANGE, "kaveri", 70 },
   { FAMILY_KV, AMDGPU_SPOOKY_RANGE, "kaveri", 70 },
   { FAMILY_KV, AMDGPU_KALINDI_RANGE, "kabini", 70 },
   { FAMILY_KV, AMDGPU_GODAVARI_RANGE, "kabini", 70 },
   { FAMILY_VI, AMDGPU_ICELAND_RANGE, "iceland", 80 },
   { FAMILY_VI, AMDGPU_TONGA_RANGE, "tonga", 80 },
   { FAMILY_VI, AMDGPU_FIJI_RANGE, "fiji", 80 },
   { FAMILY_VI, AMDGPU_POLARIS10_RANGE, "polaris10", 80 },
   { FAMILY_VI, AMDGPU_POLARIS11_RANGE, "polaris11", 80 },
   { FAMILY_VI, AMDGPU_POLARIS12_RANGE, "polaris12", 80 },
   { FAMILY_VI, AMDGPU_VEGAM_RANGE, "vegam", 80 },
   { FAMILY_CZ, AMDGPU_CARRIZO_RANGE, "carrizo", 80 },
   { FAMILY_CZ, AMDGPU_STONEY_RANGE, "stoney", 80 },
   { FAMILY_AI, AMDGPU_VEGA10_RANGE, "vega10", 90 },
   { FAMILY_AI, AMDGPU_VEGA12_RANGE, "vega12", 90 },
   { FAMILY_AI, VEGA20_RANGE, "vega20", 90 },
   { FAMILY_RV, AMDGPU_RAVEN_RANGE, "raven", 90 },
   { FAMILY_RV, AMDGPU_RAVEN2_RANGE, "raven2", 90 },
   { FAMILY_RV, AMDGPU_RENOIR_RANGE, "renoir", 90 },
   { FAMILY_NV, AMDGPU_NAVI10_RANGE, "navi10", 100 },
   { FAMILY_NV, AMDGPU_NAVI12_RANGE, "navi12", 100 },
   { FAMILY_NV, AMDGPU_NAVI14_RANGE, "navi14", 100 },
   { FAMILY_NV, AMDGPU_NAVI21_RANGE, "navi21", 103 },
   { FAMILY_NV, AMDGPU_NAVI22_RANGE, "navi22", 103 },
   { FAMILY_NV, AMDGPU_NAVI23_RANGE, "navi23", 103 },
   { FAMILY_NV, AMDGPU_NAVI24_RANGE, "navi24", 103 },
   { FAMILY_VGH, AMDGPU_VANGOGH_RANGE, "vangogh", 103 },
   { FAMILY_RMB, AMDGPU_REMBRANDT_RANGE, "rembrandt", 103 },
   { FAMILY_RPL, AMDGPU_RAPHAEL_RANGE, "raphael", 103 },
   { FAMILY_MDN, AMDGPU_MENDOCINO_RANGE, "mendocino", 103 },
   { FAMILY_NV3, AMDGPU_NAVI31_RANGE, "navi31", 110 },
   { FAMILY_NV3, AMDGPU_NAVI32_RANGE, "navi32", 110 },
   { FAMILY_NV3, AMDGPU_NAVI33_RANGE, "navi33", 110 },
   { FAMILY_PHX, AMDGPU_PHOENIX1_RANGE, "phoenix", 110 },
   { FAMILY_PHX, AMDGPU_PHOENIX2_RANGE, "phoenix", 110 },
   { FAMILY_PHX, AMDGPU_HAWK_POINT1_RANGE, "phoenix", 110 },
   { FAMILY_PHX, AMDGPU_HAWK_POINT2_RANGE, "phoenix", 110 },
   { FAMILY_GFX1150, AMDGPU_GFX1150_RANGE, "gfx1150", 115 },
   { FAMILY_GFX1150, AMDGPU_GFX1151_RANGE, "gfx1151", 115 },
   { FAMILY_GFX1150, AMDGPU_GFX1152_RANGE, "gfx1152", 115 },
   { FAMILY_GFX1150, AMDGPU_GFX1153_RANGE, "gfx1153", 115 },
   { FAMILY_GFX12, AMDGPU_GFX1200_RANGE, "navi44", 120 },
   { FAMILY_GFX12, AMDGPU_GFX1201_RANGE, "navi48", 120 },
};

static const struct amd_kind *
amd_kind(unsigned family, unsigned revision)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(amd_kinds); i++) {
      const struct amd_kind *kind = &amd_kinds[i];

      if (kind->family == family && kind->first <= revision &&
          revision < kind->end)
         return kind;
   }
   return NULL;
}

/* The kernel miscounts Kaveri's render backends: Mesa sets 2. */
TEST_ON_SIM(amd_gpus_are_those_of_mesa, "navi31")
{
   for (unsigned i = 0; i < FAMILY_END << 8; i++) {
      const struct amd_kind *kind = amd_kind(i >> 8, i & 0xff);

      sim->gpu.family = i >> 8;
      sim->gpu.revision = i & 0xff;
      const struct pitot_drm_device facts = facts_of(sim);
      const struct pitot_gpu gpu = facts.gpu;
      assert_int_equal(gpu.name != NULL, kind != NULL);
      if (kind == NULL)
         continue;
      assert_string_equal(gpu.name, kind->name);
      assert_int_equal(gpu.generation, kind->generation);
      assert_int_equal(facts.amd.rb_count, strcmp(kind->name, "kaveri") == 0
                                              ? 2
                                              : sim->gpu.amd.rb_count);
   }
}
