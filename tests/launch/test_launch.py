# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The devices that src/mesa/run chooses, and its messages.

Choices are made on mock machines. Launches run a program on this computer's
GPU, replaced by a simulated one or none.
"""

import os
import pathlib
import pwd
import shlex
import subprocess
from typing import NamedTuple

import pytest
from tests.runners import devices
from tests.runners.mesa import HANG_GUARD_S, RUN

CHOOSE = pathlib.Path(__file__).parent / "choose.sh"
# The variables that affect the choice.
VARIABLES = ("DISPLAY", "DRI_PRIME", "EGL_PLATFORM", "GALLIUM_DRIVER",
             "LD_PRELOAD", "LIBGL_ALWAYS_SOFTWARE",
             "MESA_LOADER_DRIVER_OVERRIDE",
             "VK_DRIVER_FILES", "VK_ICD_FILENAMES", "WAYLAND_DISPLAY",
             "PITOT_SIM")


def environment(changes):
    kept = {name: value for name, value in os.environ.items()
            if name not in VARIABLES}
    return {**kept, **changes}


def said(done):
    """The launcher's lines, except about builds."""
    return [line.removeprefix("pitot: ") for line in done.stderr.splitlines()
            if line.startswith("pitot: ")
            and not line.startswith(("pitot: [", "pitot: building ",
                                     "pitot: another build ",
                                     "pitot:     "))]


def check(done, status, lines):
    assert (said(done), done.returncode) == (list(lines), status)
    assert "pitot-sim: violation" not in done.stderr


#
# Choices
#

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
          "8086:d750", "pci-0000_00_02_0",
          "the Intel GPU 8086:d750 is none that Pitot knows (Gen8 to Gen30)")
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
RENDERS_NOTHING = "; this GPU is simulated: it counts draws and renders nothing"


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
           using="iris on /dev/dri/renderD128 (8086:d750), with iris's own "
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
           using=ON_INTEL + RENDERS_NOTHING),
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


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.name)
def test_choice(choice, tmp_path):
    (tmp_path / "list").write_text("".join(
        "\t".join(node) + "\n" for node in choice.machine))
    for name in choice.vulkan:
        (tmp_path / f"{name}_icd.x86_64.json").touch()
    (tmp_path / "10_nvidia.json").touch()
    done = subprocess.run(
        [CHOOSE, tmp_path, choice.driver, choice.gpu], text=True,
        env=environment(choice.env), capture_output=True)
    if choice.error:
        check(done, 1, [choice.error])
        return
    check(done, 0, [])
    assert (done.stdout.replace(f"{tmp_path}/", "").splitlines() ==
            choice.wanted())


#
# Launches
#

ON_SKYLAKE = ON_INTEL + RENDERS_NOTHING
ON_NAVI = ("radeonsi on /dev/dri/renderD128 (GFX10.3, navi21, 1002:73bf)" +
           RENDERS_NOTHING)
ON_XE = ("iris on /dev/dri/renderD128 (Gen20, lnl, 8086:64a0)" +
         RENDERS_NOTHING)
STRINGS = ("wflinfo", "--platform", "surfaceless_egl", "--api", "gl")
RENDERER = "OpenGL renderer string: "


def gpus_of(driver):
    return " ".join(device.gpu for device in devices.simulated()
                    if device.driver == driver)


class Launch(NamedTuple):
    """machine replaces this computer's GPU, or is "". on_wayland: a compositor
    starts the program."""
    name: str
    machine: str
    arguments: tuple
    said: tuple
    printed: tuple = ()
    env: dict = {}
    status: int = 0
    on_wayland: bool = False


LAUNCHES = (
    Launch("iris runs on the machine's GPU", "skl",
           ("--driver", "iris", *STRINGS), (ON_SKYLAKE,),
           (f"{RENDERER}Mesa Intel(R) HD Graphics 530",)),
    Launch("radeonsi runs on the machine's GPU", "navi21",
           ("--driver", "radeonsi", *STRINGS), (ON_NAVI,),
           (f"{RENDERER}AMD ",)),
    Launch("the machine's GPU is the default", "navi21", STRINGS,
           (ON_NAVI,), (f"{RENDERER}AMD ",)),
    Launch("iris runs on the kernel's driver xe", "lnl", STRINGS,
           (ON_XE,), (f"{RENDERER}Mesa Intel",)),
    Launch("stock Mesa runs on the machine's GPU", "skl",
           ("--stock", *STRINGS), (ON_SKYLAKE,),
           (f"{RENDERER}Mesa Intel",)),
    Launch("a driver has no GPU", "skl", ("--driver", "radeonsi", *STRINGS),
           ("radeonsi: /dev/dri/renderD128 is a GPU of --driver iris (Gen9, "
            "skl); --gpu navi21 simulates one",), status=1),
    Launch("zink does not run on a simulated GPU", "skl",
           ("--driver", "zink", *STRINGS),
           ("zink on lavapipe, on the CPU: no GPU here has a Vulkan driver",),
           (f"{RENDERER}zink Vulkan",)),
    Launch("zink without a Vulkan driver ends", "",
           ("--driver", "zink", *STRINGS),
           ("zink on the Vulkan driver that VK_DRIVER_FILES names",),
           env={"VK_DRIVER_FILES": "/nowhere/icd.json"}, status=1),
    Launch("a GPU is simulated beside the machine's", "",
           ("--gpu", "navi21", *STRINGS),
           ("radeonsi on a simulated navi21: it counts draws and renders "
            "nothing",), (f"{RENDERER}AMD ",)),
    Launch("the platform stays the desktop's", "skl",
           ("--driver", "iris", "printenv", "EGL_PLATFORM"),
           (ON_SKYLAKE,), ("wayland",),
           env={"EGL_PLATFORM": "wayland"}),
    *(Launch(f"{driver} has windows on Wayland", "",
             ("--driver", driver, *(("--gpu", gpu) if gpu else ()), "wflinfo",
              "--platform", "wayland", "--api", "gl"),
             (f"{driver} on {'lavapipe, on ' if gpu else ''}the CPU",),
             (f"{RENDERER}{driver}",), on_wayland=True)
      for driver, gpu in (("llvmpipe", ""), ("softpipe", ""),
                          ("zink", "lavapipe"))),
    Launch("a program keeps what it preloads", "skl",
           ("printenv", "LD_PRELOAD"), (ON_SKYLAKE,),
           ("libpitot-sim.so",)),
    Launch("a program is profiled", "skl",
           ("--profile=a.json", "printenv", "PITOT_PROFILE"),
           (ON_SKYLAKE,), ("/a.json\n",)),
    Launch("a profile of the environment's has the caller's directory", "skl",
           ("printenv", "PITOT_PROFILE"), (ON_SKYLAKE,),
           ("/a.json\n",), env={"PITOT_PROFILE": "a.json"}),
    Launch("an output is made when the program has ended", "skl",
           ("--profile=/tmp/a.svg", "printenv", "PITOT_PROFILE"),
           (ON_SKYLAKE,),
           ("/tmp/pitot-traces-", "/%p.json\n")),
    Launch("a profiled program keeps what it preloads", "skl",
           ("--profile=/tmp/a.svg", "printenv", "LD_PRELOAD"),
           (ON_SKYLAKE,), ("libpitot-sim.so",)),
    Launch("a file is the value of an option", "", ("--profile",),
           ("--profile needs a value (see --help)",), status=2),
    Launch("a profile's name has an ending", "", ("--profile", "a.gif", "true"),
           ("'a.gif' is no name for a profile: it does not end with .json, "
            ".txt, .svg or .csv",), status=2),
    Launch("stock Mesa has no profile", "",
           ("--stock", "--profile", "a.json", "true"),
           ("--profile is Pitot's, and --stock is Mesa without Pitot",),
           status=2),
    Launch("freedreno runs on a simulated GPU", "",
           ("--gpu", "a630", *STRINGS),
           ("freedreno on a simulated a630: it counts draws and renders "
            "nothing",), ("FD630",)),
    Launch("all GPUs are listed", "skl", ("--gpu", "list"), (),
           ("/dev/dri/renderD128  8086:1912  pci-0000_03_00_0  "
            "iris (Gen9, skl), simulated\n", "radeonsi   pitcairn",
            "freedreno  a630")),
    Launch("the machine's GPU is checked", "skl", ("--check-gpu",), (),
           ("/dev/dri/renderD128: skl, i915 1.6.0, simulated\n",
            "All is as Pitot assumes.")),
    Launch("arguments of a check are pitot-info's", "skl",
           ("--check-gpu", "--json"), (), ('"simulated": true',)),
    Launch("a check finds a fault", "skl,fault.lost_write=1", ("--check-gpu",),
           (), status=1),
    Launch("a GPU's queries are checked", "skl", ("--check", "--json"),
           (ON_SKYLAKE,), ('"simulated": true',)),
    Launch("lavapipe is no GPU of llvmpipe", "",
           ("--driver", "llvmpipe", "--gpu", "lavapipe", *STRINGS),
           ("llvmpipe has no GPU 'lavapipe': --gpu is for zink (lavapipe), "
            f"iris ({gpus_of('iris')}), radeonsi ({gpus_of('radeonsi')}) and "
            f"freedreno ({gpus_of('freedreno')})",), status=2),
)


def start(words, env):
    return subprocess.run(words, env=env, stdin=subprocess.DEVNULL, text=True,
                          errors="replace", capture_output=True,
                          timeout=HANG_GUARD_S)


def start_on_wayland(words, env, path):
    """Lets a compositor start a program and end with it."""
    program, out, err, status = (path / name for name in
                                 ("program", "out", "err", "status"))
    program.write_text(f"#!/bin/sh\n{shlex.join(words)} >{out} 2>{err}\n"
                       f"echo $? >{status}\n")
    program.chmod(0o755)
    (path / "weston.ini").write_text(
        f"[autolaunch]\npath={program}\nwatch=true\n")
    done = start(["weston", "--backend=headless-backend.so",
                  f"--config={path}/weston.ini"],
                 {**env, "XDG_RUNTIME_DIR": str(path)})
    if not status.exists():
        return done
    return subprocess.CompletedProcess(words, int(status.read_text()),
                                       out.read_text(), err.read_text())


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda launch: launch.name)
def test_launch(launch, build, tmp_path):
    """A program that a user starts."""
    changes = dict(launch.env)
    if launch.machine:
        changes.update(LD_PRELOAD=str(build / "tests/sim/libpitot-sim.so"),
                       PITOT_SIM=launch.machine)
    words, env = [RUN, *launch.arguments], environment(changes)
    done = (start_on_wayland(words, env, tmp_path) if launch.on_wayland
            else start(words, env))
    check(done, launch.status, launch.said)
    for line in launch.printed:
        assert line in done.stdout
