# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Programs on a Mesa with ThreadSanitizer, and Mesa's own races."""

import functools
import glob
import os
import subprocess
from typing import NamedTuple

from runners import devices
from runners.command import RunError
from runners.lists import read_lines

HERE = os.path.dirname(os.path.realpath(__file__))
LIST = os.path.join(HERE, "mesa-races.txt")

# Drivers with and without glthread; iris, radeonsi on their default GPU.
RUNS = (("softpipe", False), ("zink", False), ("zink", True),
        ("iris", False), ("iris", True), ("radeonsi", False),
        ("radeonsi", True))
DRIVERS = tuple(dict.fromkeys(driver for driver, _ in RUNS))
PROGRAM_COUNT = 30

# Draws get the samples that contexts.c expects: there is no rasterizer.
CONTEXTS_SETTINGS = ",constants,draw.samples=256"


class Listed(NamedTuple):
    """A Mesa function that races, and whether in every run."""
    reason: str
    is_sure: bool


@functools.lru_cache(maxsize=None)
def listed():
    """{name: Listed} of the Mesa functions that race."""
    functions = {}
    for place, text in read_lines(LIST):
        name, colon, reason = text.partition(": ")
        is_sure = not name.startswith("? ")
        name = name.removeprefix("? ")
        if not colon or not reason.strip():
            raise RunError(f"{place}: expected '[? ]FUNCTION: REASON'")
        if name in functions:
            raise RunError(f"{place}: '{name}' is listed already")
        functions[name] = Listed(reason, is_sure)
    return functions


def unused(known):
    """Listed functions that raced in no run, although they should."""
    return [name for name, (_, is_sure) in listed().items()
            if is_sure and name not in known]


def listed_function(race):
    """None for a use after free, whose memory Pitot may have freed."""
    if race.kind != "data race":
        return None
    return next((str(frame) for frame in race.frames
                 if str(frame) in listed()), None)


def environment(run, driver, has_glthread):
    """The environment of a program on that Mesa."""
    env = dict(
        os.environ,
        LD_LIBRARY_PATH=":".join((
            os.path.join(run.mesa, "lib"),
            *os.environ.get("LD_LIBRARY_PATH", "").split(":"))).strip(":"),
        __EGL_VENDOR_LIBRARY_FILENAMES=os.path.join(
            run.mesa, "share/glvnd/egl_vendor.d/50_mesa.json"),
        EGL_PLATFORM="surfaceless", GALLIUM_DRIVER=driver,
        MESA_SHADER_CACHE_DISABLE="true",
        mesa_glthread="true" if has_glthread else "false")
    if gpu := devices.default(driver).gpu:
        if not run.simulator:
            raise RunError(f"{driver} wants --simulator")
        env |= {"PITOT_SIM": gpu, "LD_PRELOAD": run.simulator}
    else:
        env |= {"LIBGL_ALWAYS_SOFTWARE": "1"}
    if driver == "zink":
        env |= {"VK_DRIVER_FILES": ":".join(
            glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")),
                "NODEVICE_SELECT": "1"}
    return env


def quirks_of(driver):
    """The model's quirks for a driver's device."""
    path = os.path.join(os.path.dirname(HERE), "model",
                        f"{driver}-differences.txt")
    names = (name.rpartition(": ") for _, name in read_lines(path))
    return [name for where, _, name in names
            if devices.means(where, devices.default(driver))]


def run_program(run, case, arguments, env):
    """Runs a program, which must succeed, and judges its races."""
    def start(options):
        done = subprocess.run(arguments, text=True, errors="replace",
                              env=dict(env, TSAN_OPTIONS=options),
                              stdout=subprocess.PIPE)
        if done.returncode:
            print(done.stdout, flush=True)
        run.totals.explain("failed" if done.returncode else "passed", case,
                           env["GALLIUM_DRIVER"], case,
                           f"status {done.returncode}")
    run.watch(case, start)


def run_all(run, drivers, seed):
    """Runs all programs; the model's start at a seed."""
    for driver, has_glthread in RUNS:
        if driver not in drivers:
            continue
        env = environment(run, driver, has_glthread)
        way = driver + (", glthread" if has_glthread else "")
        run_program(run, f"model, {way}", [
            run.program("model/pitot-model"), "gl", "core",
            f"--programs={PROGRAM_COUNT}", f"--seed={seed * PROGRAM_COUNT}",
            "--quirks=" + ",".join(quirks_of(driver))], env)
        if "PITOT_SIM" in env:
            env["PITOT_SIM"] += CONTEXTS_SETTINGS
        run_program(run, f"contexts, {way}", [run.program("pitot-contexts")],
                    env)
