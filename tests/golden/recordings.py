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
    return [side for side in NAMES
            if side != "debian" or device.driver != "freedreno"]


@functools.cache
def debian_environment():
    """For programs on Debian's Mesa, whose decoders write."""
    mesa = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", UNPACK, devices.ROOT, *PACKAGES],
        stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    libraries = f"{mesa}/usr/lib/x86_64-linux-gnu"
    env = {name: value for name, value in os.environ.items()
           if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**env,
            "LD_LIBRARY_PATH": libraries,
            "LIBGL_DRIVERS_PATH": f"{libraries}/dri",
            "__EGL_VENDOR_LIBRARY_FILENAMES":
                f"{mesa}/usr/share/glvnd/egl_vendor.d/50_mesa.json",
            "MESA_SHADER_CACHE_DISABLE": "true",
            "INTEL_DEBUG": "bat",
            "AMD_DEBUG": "ib,nooptvariant"}


def environment_of(build, device, side):
    # Without threads and shaders that are compiled in the background, all
    # recordings are alike.
    env = {**os.environ, "GALLIUM_THREAD": "0", "AMD_DEBUG": "nooptvariant"}
    if side == "debian":
        return {**debian_environment(), "PITOT_SIM": device.gpu,
                "LD_PRELOAD": str(build / "tests/sim/libpitot-sim.so")}
    return (env if side == "alone" else
            Mesa(device, side == "stock").environment(env))


def record(build, folder, device, side):
    """Plays the scenes. Returns the failure, or ""."""
    path = folder / f"{device.gpu}.{side}"
    env = environment_of(build, device, side)
    if side == "alone":
        words = [build / "tests/golden-hw", device.gpu, f"{path}.log"]
    else:
        words = [build / "tests/golden-gl",
                 *(["--buffered"] if side == "debian" else [])]
        env = {**env, "PITOT_SIM_LOG": f"{path}.log"}
    with open(f"{path}.values", "wb") as out, \
            open(f"{path}.stderr", "wb") as err:
        status = subprocess.call(words, stdout=out, stderr=err, env=env,
                                 timeout=HANG_GUARD_S)
    return status and f"status {status}: {last_line(text(path, 'stderr'))}"


def text(path, end):
    """A file's text, "" if it does not exist."""
    file = path.with_name(f"{path.name}.{end}")
    return file.read_text(errors="replace") if file.exists() else ""


def scenes(build):
    """The names of the scenes that every recording must have."""
    plan = subprocess.run([build / "tests/golden-hw", "--list"], text=True,
                          stdout=subprocess.PIPE, check=True).stdout
    assert plan, "golden-hw --list has no scenes"
    return plan.splitlines()


class Recording:
    """A GPU's scenes on one side; empty without a recording."""

    def __init__(self, folder, device, side):
        path = folder / f"{device.gpu}.{side}"
        self.device = device
        self.log, self.stderr = text(path, "log"), text(path, "stderr")
        self.values = {}
        for line in text(path, "values").splitlines():
            name, *fields = line.split("\t")
            self.values[name] = fields

    @functools.cached_property
    def scenes(self):
        return scenes_of(self.log, self.device)
