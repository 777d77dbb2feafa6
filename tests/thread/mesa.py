# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Programs on a Mesa with ThreadSanitizer, and Mesa's own races.

These are listed in mesa-races.txt by function and reason. A listed function
that races on no driver is a failure, unless "? " marks the race as rare.
"""

import functools
import glob
import os
import pathlib

from tests.model.runs import quirks_of
from tests.runners import devices
from tests.runners.command import RunError
from tests.runners.lists import read_lines

LIST = pathlib.Path(__file__).parent / "mesa-races.txt"

# Drivers with and without glthread; iris, radeonsi on their default GPU.
RUNS = (("softpipe", False), ("zink", False), ("zink", True),
        ("iris", False), ("iris", True), ("radeonsi", False),
        ("radeonsi", True))
PROGRAM_COUNT = 30

# Draws get the samples that contexts.c expects: there is no rasterizer.
CONTEXTS_SETTINGS = ",constants,draw.samples=256"


@functools.cache
def listed():
    """The Mesa functions that race, and whether in every run."""
    functions = {}
    for place, text in read_lines(LIST):
        name, colon, reason = text.partition(": ")
        is_sure = not name.startswith("? ")
        name = name.removeprefix("? ")
        if not colon or not reason.strip():
            raise RunError(f"{place}: expected '[? ]FUNCTION: REASON'")
        if name in functions:
            raise RunError(f"{place}: '{name}' is listed already")
        functions[name] = is_sure
    return functions


def unused(known):
    """Listed functions that raced in no run, although they should."""
    return [name for name, is_sure in listed().items()
            if is_sure and name not in known]


def listed_function(race):
    """None if the race is Pitot's, and for a use after free, whose memory Pitot
    may have freed."""
    if race.is_ours() or race.kind != "data race":
        return None
    return next((str(frame) for frame in race.frames
                 if str(frame) in listed()), None)


def environment(prefix, simulator, driver, has_glthread):
    """The environment of a program on the Mesa that is installed there."""
    libraries = (f"{prefix}/lib", *filter(None, (
        os.environ.get("LD_LIBRARY_PATH"),)))
    env = dict(
        os.environ, LD_LIBRARY_PATH=":".join(libraries),
        __EGL_VENDOR_LIBRARY_FILENAMES=(
            f"{prefix}/share/glvnd/egl_vendor.d/50_mesa.json"),
        EGL_PLATFORM="surfaceless", GALLIUM_DRIVER=driver,
        MESA_SHADER_CACHE_DISABLE="true",
        mesa_glthread="true" if has_glthread else "false")
    if gpu := devices.default(driver).gpu:
        env |= {"PITOT_SIM": gpu, "LD_PRELOAD": str(simulator)}
    else:
        env |= {"LIBGL_ALWAYS_SOFTWARE": "1"}
    if driver == "zink":
        env |= {"VK_DRIVER_FILES": ":".join(
            glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")),
                "NODEVICE_SELECT": "1"}
    return env


def programs(build, env, driver, seed):
    """Yields a name, a command and an environment for each program: the
    model's start at a seed."""
    yield ("model", [
        build / "model/pitot-model", "gl", "core",
        f"--programs={PROGRAM_COUNT}", f"--seed={seed * PROGRAM_COUNT}",
        "--quirks=" + ",".join(quirks_of(devices.default(driver)))], env)
    if "PITOT_SIM" in env:
        env = {**env, "PITOT_SIM": env["PITOT_SIM"] + CONTEXTS_SETTINGS}
    yield "contexts", [build / "pitot-contexts"], env
