# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Counts zink's Vulkan calls while a program is profiled: level pass adds
queries, but no submissions, render passes or query resets (which would need
their own command buffer). The statistics of the program are one query."""

import subprocess

from tests.runners.mesa import HANG_GUARD_S

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


def calls(build, env, folder, level):
    """The calls that zink sends; without a profile if level is None."""
    path = folder / f"calls-{level}"
    profile = {"PITOT_PROFILE": f"{path}.json", "PITOT_PROFILE_LEVEL": level
               } if level else {}
    done = subprocess.run(
        [str(build / "tests/pitot-frames"), str(FRAMES), "--window"],
        env={**env, **profile, "PITOT_VULKAN_CALLS": str(path),
             "LD_PRELOAD": str(build / "tests/libpitot-vulkan-calls.so")},
        stdin=subprocess.DEVNULL, capture_output=True, timeout=HANG_GUARD_S)
    assert done.returncode == 0
    return read(path.read_text("ascii"))


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
