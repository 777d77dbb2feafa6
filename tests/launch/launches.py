# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Programs that src/mesa/run starts, and its messages and output."""

from typing import NamedTuple

from tests.runners import devices

SIMULATED = "; this GPU is simulated: it counts draws and renders nothing"
SKYLAKE = "iris on /dev/dri/renderD128 (Gen9, skl, 8086:1912)"
NAVI = "radeonsi on /dev/dri/renderD128 (GFX10.3, navi21, 1002:73bf)"
XE = "iris on /dev/dri/renderD128 (Gen20, lnl, 8086:64a0)"
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
           ("--driver", "iris", *STRINGS), (SKYLAKE + SIMULATED,),
           (f"{RENDERER}Mesa Intel(R) HD Graphics 530",)),
    Launch("radeonsi runs on the machine's GPU", "navi21",
           ("--driver", "radeonsi", *STRINGS), (NAVI + SIMULATED,),
           (f"{RENDERER}AMD ",)),
    Launch("the machine's GPU is the default", "navi21", STRINGS,
           (NAVI + SIMULATED,), (f"{RENDERER}AMD ",)),
    Launch("iris runs on the kernel's driver xe", "lnl", STRINGS,
           (XE + SIMULATED,), (f"{RENDERER}Mesa Intel",)),
    Launch("stock Mesa runs on the machine's GPU", "skl",
           ("--stock", *STRINGS), (SKYLAKE + SIMULATED,),
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
           (SKYLAKE + SIMULATED,), ("wayland",),
           env={"EGL_PLATFORM": "wayland"}),
    *(Launch(f"{driver} has windows on Wayland", "",
             ("--driver", driver, *(("--gpu", gpu) if gpu else ()), "wflinfo",
              "--platform", "wayland", "--api", "gl"),
             (f"{driver} on {'lavapipe, on ' if gpu else ''}the CPU",),
             (f"{RENDERER}{driver}",), on_wayland=True)
      for driver, gpu in (("llvmpipe", ""), ("softpipe", ""),
                          ("zink", "lavapipe"))),
    Launch("a program keeps what it preloads", "skl",
           ("printenv", "LD_PRELOAD"), (SKYLAKE + SIMULATED,),
           ("libpitot-sim.so",)),
    Launch("a program is profiled", "skl",
           ("--profile=a.json", "printenv", "PITOT_PROFILE"),
           (SKYLAKE + SIMULATED,), ("/a.json\n",)),
    Launch("a profile of the environment's has the caller's directory", "skl",
           ("printenv", "PITOT_PROFILE"), (SKYLAKE + SIMULATED,),
           ("/a.json\n",), env={"PITOT_PROFILE": "a.json"}),
    Launch("an output is made when the program has ended", "skl",
           ("--profile=/tmp/a.svg", "printenv", "PITOT_PROFILE"),
           (SKYLAKE + SIMULATED,),
           ("/tmp/pitot-traces-", "/%p.json\n")),
    Launch("a profiled program keeps what it preloads", "skl",
           ("--profile=/tmp/a.svg", "printenv", "LD_PRELOAD"),
           (SKYLAKE + SIMULATED,), ("libpitot-sim.so",)),
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
    Launch("the machine's GPU is checked", "skl", ("--check",), (),
           ("/dev/dri/renderD128: skl, i915 1.6.0, simulated\n",
            "All is as Pitot assumes.")),
    Launch("arguments of a check are pitot-info's", "skl",
           ("--check", "--json"), (), ('"simulated": true',)),
    Launch("a check finds a fault", "skl,fault.lost_write=1", ("--check",),
           (), status=1),
    Launch("lavapipe is no GPU of llvmpipe", "",
           ("--driver", "llvmpipe", "--gpu", "lavapipe", *STRINGS),
           ("llvmpipe has no GPU 'lavapipe': --gpu is for zink (lavapipe), "
            f"iris ({gpus_of('iris')}), radeonsi ({gpus_of('radeonsi')}) and "
            f"freedreno ({gpus_of('freedreno')})",), status=2),
)
