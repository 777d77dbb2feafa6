# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Programs that use queries themselves get the same results and errors while
all their draws are profiled.

The runners of other suites judge them, with their lists.
"""

import os
import subprocess
import sys
import tempfile

from runners.devices import ROOT
from runners.mesa import HANG_GUARD_S

# A fast sample: runner, its program in a build, arguments, and devices.
SAMPLE = (
    ("conformance", "tests/pitot-conformance", ("-k", "compat and not no-error"),
     ("llvmpipe", "radeonsi")),
)
ALL_DEVICES = ("llvmpipe", "softpipe", "zink", "iris", "radeonsi")
ALL = (
    ("conformance", "tests/pitot-conformance", (), ALL_DEVICES),
    ("model", "tests/model/pitot-model", ("--programs", "60"), ALL_DEVICES),
)

# Queries between draws keep lavapipe from losing counts.
MENDED = ("statistics: clipped with and without a rasterizer",)


def arguments_of(runner, arguments, device):
    if runner == "model":
        return ["--world", device.driver, *arguments]
    gpu = ["--gpu", device.gpu] if device.gpu else []
    return ["--driver", device.driver, *gpu, *arguments]


def is_mended(line):
    return "it passes: remove" in line and any(name in line for name in MENDED)


def command_of(runner, program, arguments, device, options):
    if runner == "conformance":
        return [sys.executable, "-B", "-m", "pytest", os.path.join(
            ROOT, "tests", runner, "test_conformance.py"), "--build",
            str(options.build), *arguments_of(runner, arguments, device)]
    return [os.path.join(ROOT, "tests", runner, "run"),
            *arguments_of(runner, arguments, device),
            str(options.build.resolve() / program)]


def faults(command):
    """Yields a line for each result that differs under a profile."""
    with tempfile.TemporaryDirectory() as directory:
        env = {**os.environ, "PITOT_PROFILE": f"{directory}/%p.json",
               "PITOT_PROFILE_LEVEL": "draw"}
        # The results belong to this suite.
        for name in ("PITOT_RESULTS", "PITOT_DETAILS"):
            env.pop(name, None)
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True,
                              timeout=2 * HANG_GUARD_S)
        failed = [line for line in done.stdout.splitlines()
                  if line.startswith("failed: ")]
        traces = os.listdir(directory)
    yield from (line for line in failed if not is_mended(line))
    if done.returncode != 0 and not failed:
        yield f"status {done.returncode}: {done.stdout}{done.stderr}"
    if not traces:
        yield "nothing was profiled"


def runs(options):
    """Yields (case, device, command) for all runs."""
    for runner, program, arguments, drivers in (ALL if options.all
                                                else SAMPLE):
        for device in options.devices:
            if device.driver in drivers and device.is_default():
                yield (f"{runner} is untouched", device,
                       command_of(runner, program, arguments, device,
                                  options))
