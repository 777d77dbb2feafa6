# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Counts zink's Vulkan calls while a program is profiled: level pass adds
queries, but no submissions, render passes or query resets (which would need
their own command buffer). The statistics of the program are one query."""

import os
import pathlib
import subprocess

from runners.command import RunError
from runners.mesa import HANG_GUARD_S, Mesa

FRAMES = 6
RESET = "vkCmdResetQueryPool"
TIMESTAMP = "vkCmdWriteTimestamp"
QUERY, RENDER_PASS = "vkCmdBeginQuery", "vkCmdBeginRendering"
# tests/profile/frames.c measures samples and six statistics of its frames.
QUERIES_OF_A_PASS = 2
# A profile adds none of these calls.
SAME = (RENDER_PASS, "vkQueueSubmit")


def read(text):
    """{name: count} of the lines written by vulkan_calls.c."""
    return {name: int(count) for name, count in map(str.split,
                                                    text.splitlines())}


def calls(build, device, env, folder, level):
    """The calls that zink sends; without a profile if level is None."""
    path = os.path.join(folder, f"calls-{level}")
    profile = {"PITOT_PROFILE": f"{path}.json", "PITOT_PROFILE_LEVEL": level
               } if level else {}
    done = subprocess.run(
        [str(build / "tests/pitot-frames"), str(FRAMES), "--window"],
        env={**Mesa(device, False).environment(env), **profile,
             "PITOT_VULKAN_CALLS": path,
             "LD_PRELOAD": str(build / "tests/libpitot-vulkan-calls.so")},
        stdin=subprocess.DEVNULL, capture_output=True, timeout=HANG_GUARD_S)
    if done.returncode != 0:
        raise RunError(f"status {done.returncode}")
    return read(pathlib.Path(path).read_text("ascii"))


def differences(bare, profiled):
    """Yields a line for each call that is one too many."""
    if profiled[TIMESTAMP] <= bare[TIMESTAMP]:
        yield "nothing was measured"
    if bare[QUERY] > QUERIES_OF_A_PASS * bare[RENDER_PASS]:
        yield f"{bare[QUERY]} of {QUERY} in {bare[RENDER_PASS]} render passes"
    if profiled[RESET]:
        yield f"{profiled[RESET]} of {RESET}"
    for name in SAME:
        if profiled[name] > bare[name]:
            yield f"{profiled[name]} of {name}, {bare[name]} without a profile"


def faults(build, device, env, folder):
    yield from differences(*(calls(build, device, env, folder, level)
                             for level in (None, "pass")))
