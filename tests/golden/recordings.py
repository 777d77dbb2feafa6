# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Recordings of scenes of queries: a query of each kind, in one batch and in
two, its result stored into a buffer, and a draw under its condition. A side is

    debian   Debian's Mesa, which lacks freedreno
    stock    stock Mesa
    pitot    the same Mesa with Pitot in the driver
    alone    a drm context of Pitot's, with the scenes that are only a query

and its files are GPU.SIDE.log (tests/sim/log.h), .values ("SCENE<tab>VALUE"
for each scene that was played) and .stderr (of the driver and simulator)."""

import functools
import os
import subprocess

from tests.golden.scenes import scenes_of
from tests.runners import devices
from tests.runners.command import last_line
from tests.runners.mesa import HANG_GUARD_S, Mesa

NAMES = {"debian": "Debian's Mesa", "stock": "stock Mesa",
         "pitot": "Mesa with Pitot", "alone": "Pitot by itself"}

# Debian's Mesa, with the iris and radeonsi in use. It has no freedreno on PCs.
PACKAGES = ("libdrm-amdgpu1", "libdrm-intel1", "libdrm-nouveau2",
            "libdrm-radeon1", "libdrm2", "libegl-mesa0", "libgbm1",
            "libgl1-mesa-dri", "mesa-libgallium")

# Unpacks Debian's Mesa in the cache, and prints its path.
UNPACK = """
. "$0/src/mesa/build/common.sh"
unpack_packages "$cache_dir/packaged-mesa" "$@" >&2
echo "$cache_dir/packaged-mesa"
"""


def sides_of(device):
    """Debian's is the Mesa that the tests build, unless the user names one."""
    has_debian = (device.driver != "freedreno"
                  and not os.environ.get("PITOT_MESA_SRC"))
    return [side for side in NAMES if side != "debian" or has_debian]


@functools.cache
def debian_mesa():
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", UNPACK, devices.ROOT, *PACKAGES],
        stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def environment_of(build, device, side):
    # Without threads and shaders that are compiled in the background, all
    # recordings are alike.
    env = {**os.environ, "GALLIUM_THREAD": "0", "AMD_DEBUG": "nooptvariant"}
    if side == "alone":
        return env
    if side != "debian":
        return Mesa(device, side == "stock").environment(env)
    for name in ("GALLIUM_THREAD", "DISPLAY", "WAYLAND_DISPLAY"):
        env.pop(name, None)
    libraries = f"{debian_mesa()}/usr/lib/x86_64-linux-gnu"
    return {**env,
            "LD_LIBRARY_PATH": libraries,
            "LIBGL_DRIVERS_PATH": f"{libraries}/dri",
            "__EGL_VENDOR_LIBRARY_FILENAMES":
                f"{debian_mesa()}/usr/share/glvnd/egl_vendor.d/50_mesa.json",
            "MESA_SHADER_CACHE_DISABLE": "true",
            # Its decoders write.
            "INTEL_DEBUG": "bat",
            "AMD_DEBUG": "ib,nooptvariant",
            "PITOT_SIM": device.gpu,
            "LD_PRELOAD": str(build / "tests/sim/libpitot-sim.so")}


def record(build, folder, device, side):
    """Plays the scenes. Returns the failure, or ""."""
    path = folder / f"{device.gpu}.{side}"
    env = environment_of(build, device, side)
    words = [build / "tests/golden-hw", device.gpu, f"{path}.log"]
    if side != "alone":
        words = [build / "tests/golden-gl",
                 *(["--buffered"] if side == "debian" else [])]
        env["PITOT_SIM_LOG"] = f"{path}.log"
    with open(f"{path}.values", "wb") as out, \
            open(f"{path}.stderr", "wb") as err:
        status = subprocess.call(words, stdout=out, stderr=err, env=env,
                                 timeout=HANG_GUARD_S)
    return status and (f"status {status}: "
                       f"{last_line(Recording(folder, device, side).stderr)}")


def scenes(build):
    """The names of the scenes that every recording must have."""
    plan = subprocess.run([build / "tests/golden-hw", "--list"], text=True,
                          stdout=subprocess.PIPE, check=True).stdout
    assert plan, "golden-hw --list has no scenes"
    return plan.splitlines()


class Recording:
    """A GPU's scenes on one side; empty without a recording."""

    def __init__(self, folder, device, side):
        self.device = device
        paths = (folder / f"{device.gpu}.{side}.{end}"
                 for end in ("log", "stderr", "values"))
        self.log, self.stderr, values = (
            path.read_text(errors="replace") if path.exists() else ""
            for path in paths)
        self.values = {name: fields for name, *fields in (
            line.split("\t") for line in values.splitlines())}

    @functools.cached_property
    def scenes(self):
        return scenes_of(self.log, self.device)
