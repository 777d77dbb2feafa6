# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The device that is chosen on various machines."""

import os
import pwd
from typing import NamedTuple

USER = pwd.getpwuid(os.geteuid()).pw_name

# pitot-info --list: path, kernel and Mesa driver, state, kind, PCI id, tag.
INTEL = ("/dev/dri/renderD128", "i915", "iris", "sampled", "real",
         "8086:1912", "pci-0000_00_02_0", "Gen9, skl")
AMD = ("/dev/dri/renderD129", "amdgpu", "radeonsi", "sampled", "real",
       "1002:73bf", "pci-0000_03_00_0", "GFX10.3, navi21")
SECOND_INTEL = ("/dev/dri/renderD130", "i915", "iris", "sampled", "real",
                "8086:56a0", "pci-0000_04_00_0", "Gen12.5, dg2")
XE = ("/dev/dri/renderD128", "xe", "iris", "sampled", "real", "8086:64a0",
      "pci-0000_00_02_0", "Gen20, lnl")
NEW_XE = ("/dev/dri/renderD128", "xe", "iris", "unsampled", "real",
          "8086:b080", "pci-0000_00_02_0",
          "the Intel GPU 8086:b080 is none that Pitot knows (Gen8 to Gen30)")
NEW_AMD = ("/dev/dri/renderD128", "amdgpu", "radeonsi", "unsampled", "real",
           "1002:75a0", "pci-0000_03_00_0",
           "the AMD GPU 1002:75a0 is none that Pitot knows (GFX6 to GFX12)")
OLD_INTEL = ("/dev/dri/renderD128", "i915", "crocus", "unsampled", "real",
             "8086:0166", "pci-0000_00_02_0",
             "the Intel GPU 8086:0166 is none that Pitot knows (Gen8 to Gen30)")
NVIDIA = ("/dev/dri/renderD128", "nouveau", "-", "unsampled", "real",
          "10de:2204", "pci-0000_01_00_0",
          "the kernel's driver is nouveau, and Pitot knows i915, xe, "
          "amdgpu and msm")
NVIDIA_OWN = (NVIDIA[0], "nvidia-drm", *NVIDIA[2:])
RADEON = ("/dev/dri/renderD128", "radeon", "-", "unsampled", "real",
          "1002:6818", "pci-0000_01_00_0",
          "the kernel's driver is radeon, and Pitot knows i915, xe, "
          "amdgpu and msm")
VIRTIO = ("/dev/dri/renderD128", "virtio_gpu", "-", "unsampled", "real", "-",
          "-", "the kernel's driver is virtio_gpu, and Pitot knows i915, xe, "
          "amdgpu and msm")
# A path that does not exist, so that its group is unknown.
DENIED = ("/nowhere/renderD128", "i915", "-", "unusable", "real",
          "8086:1912", "pci-0000_00_02_0",
          "Permission denied: join the group that owns it (render, or video)")
# A file of group root.
ROOTS = ("/dev/null", *DENIED[1:])
SIMULATED = (*INTEL[:4], "simulated", *INTEL[5:])
REMEDY = "--gpu skl simulates one"


class Choice(NamedTuple):
    """machine has lines of GPUs, vulkan installed drivers; NVIDIA's EGL is
    always there. wanted() is the choice, unless an error is expected."""
    name: str
    machine: tuple
    driver: str = ""
    gpu: str = ""
    env: dict = {"DISPLAY": ":0"}
    vulkan: tuple = ()
    taken: str = ""
    where: str = "machine"
    prime: str = ""
    override: str = ""
    icd: str = ""
    vendors: str = ""
    using: str = ""
    error: str = ""

    def wanted(self):
        return [self.taken or self.driver, self.where, self.prime,
                self.override, self.icd, self.vendors, self.using]


ON_INTEL = "iris on /dev/dri/renderD128 (Gen9, skl, 8086:1912)"
ON_AMD = "radeonsi on /dev/dri/renderD129 (GFX10.3, navi21, 1002:73bf)"
NUMBERED = "the GPU that DRI_PRIME=1 means, with its own driver"
OTHERS = "; DRI_PRIME chooses another GPU (see --gpu list)"
NO_GPU = ("this machine has no GPU: there is no /dev/dri/renderD* (is its "
          "driver loaded in the kernel?)")

CHOICES = (
    Choice("a GPU is taken", (INTEL,), taken="iris", using=ON_INTEL),
    Choice("a driver's GPU is taken", (INTEL,), "iris", using=ON_INTEL),
    Choice("the first GPU is taken", (INTEL, AMD), taken="iris",
           prime=INTEL[6], using=ON_INTEL + OTHERS),
    Choice("a driver's first GPU is taken", (INTEL, AMD), "radeonsi",
           prime=AMD[6], using=ON_AMD + OTHERS),
    Choice("DRI_PRIME chooses by place", (INTEL, AMD),
           env={"DRI_PRIME": AMD[6], "WAYLAND_DISPLAY": "wayland-0"},
           taken="radeonsi", prime=AMD[6],
           using=ON_AMD),
    Choice("DRI_PRIME chooses by number of PCI",
           (INTEL, AMD, SECOND_INTEL), "iris",
           env={"DRI_PRIME": "8086:56a0", "DISPLAY": ":0"}, prime="8086:56a0",
           using="iris on /dev/dri/renderD130 (Gen12.5, dg2, 8086:56a0)"),
    Choice("Mesa counts DRI_PRIME's GPUs", (INTEL, AMD), "iris",
           env={"DRI_PRIME": "1", "DISPLAY": ":0"}, prime="1",
           using=NUMBERED),
    Choice("Mesa takes the driver of the GPU that it counts", (INTEL, AMD),
           env={"DRI_PRIME": "1", "DISPLAY": ":0"}, taken="iris", prime="1",
           using=NUMBERED),
    Choice("Mesa counts no GPUs without windows", (INTEL, AMD), "iris",
           env={"DRI_PRIME": "1"}, prime="1", override="iris",
           using=f"{ON_INTEL}; without windows, the first GPU that iris "
                 "accepts"),
    Choice("a driver's GPU without windows", (INTEL, AMD), "radeonsi",
           env={}, prime=AMD[6], override="radeonsi", using=ON_AMD + OTHERS),
    Choice("DRI_PRIME without windows", (INTEL, AMD), "radeonsi",
           env={"DRI_PRIME": AMD[6], "DISPLAY": ":0",
                "EGL_PLATFORM": "surfaceless"},
           prime=AMD[6], override="radeonsi",
           using=f"{ON_AMD}; without windows, the first GPU that radeonsi "
                 "accepts"),
    Choice("DRI_PRIME means none", (INTEL,), "iris",
           env={"DRI_PRIME": "1002:73bf"},
           error="iris: DRI_PRIME=1002:73bf is none of its GPUs (see --gpu "
                 f"list); {REMEDY}"),
    Choice("the CPU where there is no GPU", (), taken="llvmpipe",
           where="cpu", using=f"llvmpipe on the CPU: {NO_GPU}"),
    Choice("a driver where there is no GPU", (), "iris",
           error=f"iris: {NO_GPU}; {REMEDY}"),
    Choice("the CPU if software is asked for", (INTEL,), taken="llvmpipe",
           env={"LIBGL_ALWAYS_SOFTWARE": "1"}, where="cpu",
           using="llvmpipe on the CPU"),
    Choice("the CPU if its driver is asked for", (INTEL,), "softpipe",
           where="cpu", using="softpipe on the CPU"),
    Choice("a GPU of another driver", (INTEL,), "radeonsi",
           error="radeonsi: /dev/dri/renderD128 is a GPU of --driver iris "
                 "(Gen9, skl); --gpu navi21 simulates one"),
    Choice("no permission", (DENIED,), "iris",
           error=f"iris: {DENIED[0]}: {DENIED[7]} (as root: usermod -aG "
                 f"render {USER}; then log in again); {REMEDY}"),
    Choice("no permission for a group of users", (ROOTS,), "iris",
           error=f"iris: {ROOTS[0]}: {ROOTS[7]} (its group is root here: give "
                 "the file to a group of users, or pass the host's group into "
                 f"the container); {REMEDY}"),
    Choice("the CPU without permission", (DENIED,), taken="llvmpipe",
           where="cpu",
           using=f"llvmpipe on the CPU: {DENIED[0]}: {DENIED[7]} (as root: "
                 f"usermod -aG render {USER}; then log in again)"),
    Choice("a GPU before one without permission", (DENIED, AMD),
           taken="radeonsi", prime=AMD[6], using=ON_AMD + OTHERS),
    Choice("the kernel's driver xe", (XE,), taken="iris",
           using="iris on /dev/dri/renderD128 (Gen20, lnl, 8086:64a0)"),
    Choice("a GPU of xe that is too new", (NEW_XE,), taken="iris",
           using="iris on /dev/dri/renderD128 (8086:b080), with iris's own "
                 f"queries below Pitot's entry points: {NEW_XE[7]}"),
    Choice("a GPU that is too new", (NEW_AMD,), "radeonsi",
           using="radeonsi on /dev/dri/renderD128 (1002:75a0), with "
                 "radeonsi's own queries below Pitot's entry points: "
                 f"{NEW_AMD[7]}"),
    Choice("a GPU that is too old", (OLD_INTEL,), "iris",
           error=f"iris: {OLD_INTEL[0]}: {OLD_INTEL[7]}; Mesa's driver for "
                 f"it, crocus, is not in this build; {REMEDY}"),
    *(Choice(f"the kernel's driver {node[1]}", (node,), "iris",
             error=f"iris: {node[0]}: {node[7]}; {REMEDY}")
      for node in (NVIDIA, RADEON, VIRTIO)),
    Choice("a GPU of the machine that is simulated", (SIMULATED,), "iris",
           using=f"{ON_INTEL}; this GPU is simulated: it counts draws and "
                 "renders nothing"),
    Choice("a GPU that --gpu simulates", (AMD,), "iris", "skl",
           where="simulator",
           using="iris on a simulated skl: it counts draws and renders "
                 "nothing"),
    Choice("zink on a GPU with Vulkan", (AMD,), "zink",
           vulkan=("radeon", "lvp"), override="zink",
           icd="radeon_icd.x86_64.json",
           using="zink on /dev/dri/renderD129 (GFX10.3, navi21, 1002:73bf)"),
    Choice("zink on two drivers of Vulkan", (INTEL,), "zink",
           vulkan=("intel", "intel_hasvk", "lvp"), override="zink",
           icd="intel_icd.x86_64.json:intel_hasvk_icd.x86_64.json",
           using="zink on /dev/dri/renderD128 (Gen9, skl, 8086:1912)"),
    Choice("zink on a GPU of another vendor", (NVIDIA,), "zink",
           vulkan=("nouveau", "lvp"), override="zink",
           icd="nouveau_icd.x86_64.json",
           using="zink on /dev/dri/renderD128 (10de:2204)"),
    Choice("zink on NVIDIA's Vulkan, which needs NVIDIA's EGL",
           (NVIDIA_OWN,), "zink", vulkan=("lvp", "nvidia"), override="zink",
           icd="nvidia_icd.x86_64.json", vendors=":10_nvidia.json",
           using="zink on /dev/dri/renderD128 (10de:2204)"),
    Choice("zink on a GPU without a render node, which only Vulkan knows", (),
           "zink", env={"VK_DRIVER_FILES": "/nowhere/nvidia_icd.json"},
           vulkan=("lvp",), override="zink", icd="/nowhere/nvidia_icd.json",
           vendors=":10_nvidia.json",
           using="zink on the Vulkan driver that VK_DRIVER_FILES names"),
    Choice("zink on lavapipe if VK_DRIVER_FILES names it", (), "zink",
           env={"VK_DRIVER_FILES": "/nowhere/lvp_icd.x86_64.json"},
           where="lavapipe",
           using="zink on lavapipe, on the CPU: no GPU here has a Vulkan "
                 "driver"),
    *(Choice(f"zink on lavapipe {why}", machine, "zink", vulkan=vulkan,
             where="lavapipe",
             using="zink on lavapipe, on the CPU: no GPU here has a Vulkan "
                   "driver")
      for why, machine, vulkan in (
          ("without a GPU", (), ("lvp", "radeon")),
          ("without Vulkan", (AMD,), ("lvp", "intel")),
          ("without permission", (DENIED,), ("lvp", "intel")),
          ("beside a simulated GPU", (SIMULATED,), ("lvp", "intel")))),
    Choice("zink on lavapipe if it is asked for", (AMD,), "zink", "lavapipe",
           vulkan=("lvp", "radeon"), where="lavapipe",
           using="zink on lavapipe, on the CPU"),
)
