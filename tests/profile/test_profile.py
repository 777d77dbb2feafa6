# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Profiles of a program whose frames are known (tests/profile/frames.c).

The trace at each level is compared with what the program measured itself:
passes, groups and draws, the sums of counters, and times on the CPU's clock.
On zink the commands that it sends are counted, and on iris draws have client
arrays.
"""

import json
import subprocess

import pytest
from tests.profile import known
from tests.profile import format as trace_format
from tests.runners import devices
from tests.runners.mesa import HANG_GUARD_S

FRAMES = 6
# The default where statistics take one query; measured everywhere here.
COUNTERS = "samples passed, Pipeline Statistics"

# The passes' minimum share of an undisturbed frame, and the runs to get one.
SHARE = 0.95
MORE_RUNS = 20

# What a profile of level pass adds to the Vulkan calls of zink: queries, but no
# submissions, command buffers, render passes or query resets (which would need
# their own command buffer). The statistics of the program are one query.
RESET = "vkCmdResetQueryPool"
TIMESTAMP = "vkCmdWriteTimestamp"
QUERY, RENDER_PASS = "vkCmdBeginQuery", "vkCmdBeginRendering"
# tests/profile/frames.c measures samples and six statistics of its frames.
QUERIES_OF_A_PASS = 2
# A batch copies the results of all queries of a kind at once: samples, times,
# primitives, statistics. lavapipe also gets one for each elapsed time.
COPY, SUBMIT = "vkCmdCopyQueryPoolResults", "vkQueueSubmit"
COPIES_OF_A_BATCH = 5
# A profile adds none of these calls.
SAME = (RENDER_PASS, SUBMIT, "vkBeginCommandBuffer")


def default_of(driver):
    return lambda known: [device for device in devices.defaults(known)
                          if device.driver == driver]


@pytest.fixture
def profile(device, build, windows, tmp_path):
    """A function of a level and options: the path of a trace, its events, and
    the program's own measurements."""
    def run(level, *options):
        trace = tmp_path / "trace.json"
        done = subprocess.run(
            [build / "tests/pitot-frames", str(FRAMES),
             *([] if device.has_gpu() else ["--window"]), *options],
            env={**windows(device), "PITOT_PROFILE": str(trace),
                 "PITOT_PROFILE_LEVEL": level,
                 "PITOT_PROFILE_COUNTERS": COUNTERS},
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=HANG_GUARD_S)
        assert done.returncode == 0 and not done.stderr
        return (trace, known.read(trace),
                list(map(json.loads, done.stdout.splitlines())))
    return run


@pytest.mark.parametrize("level", ["frame", "pass", "draw"])
@pytest.mark.devices(devices.defaults, devices.defaults)
def test_level(device, level, profile, results):
    trace, events, measured = profile(level)
    found = [*known.faults(events, measured, level, not device.has_gpu()),
             *trace_format.faults_of(trace_format.load(trace.read_text()))]
    if level == "pass" and not device.has_gpu():
        shares = [known.best_share(events)]
        while shares[-1] < SHARE and len(shares) < MORE_RUNS:
            shares.append(known.best_share(profile(level)[1]))
        if shares[-1] < SHARE:
            found.append(f"the passes are {shares} of a frame's time")
    results.check(f"profile: level {level}", found)


@pytest.mark.devices(default_of("iris"), default_of("iris"))
def test_client_arrays(device, profile, results):
    """Draws are missing if Mesa draws some by u_vbuf and others by
    u_threaded_context: it chooses after the hooks are installed."""
    _, events, measured = profile("pass", "--client-arrays")
    results.check("profile: client arrays", list(known.faults(
        events, measured, "pass", not device.has_gpu())))


def counts_of(text):
    """{name: count} of the lines written by vulkan_calls.c."""
    return {name: int(count) for name, count in map(str.split,
                                                    text.splitlines())}


def vulkan_calls(build, env, folder, level):
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
    return counts_of(path.read_text("ascii"))


def differences(bare, profiled):
    """Yields a line for each call that is one too many."""
    if profiled[TIMESTAMP] <= bare[TIMESTAMP]:
        yield "nothing was measured"
    if bare[QUERY] > QUERIES_OF_A_PASS * bare[RENDER_PASS]:
        yield f"{bare[QUERY]} of {QUERY} in {bare[RENDER_PASS]} render passes"
    if profiled[RESET]:
        yield f"{profiled[RESET]} of {RESET}"
    if profiled[COPY] > COPIES_OF_A_BATCH * bare[SUBMIT]:
        yield f"{profiled[COPY]} of {COPY} in {bare[SUBMIT]} batches"
    for name in SAME:
        if profiled[name] > bare[name]:
            yield f"{profiled[name]} of {name}, {bare[name]} without a profile"


@pytest.mark.devices(default_of("zink"), default_of("zink"))
def test_commands(device, build, windows, results, tmp_path):
    results.check("profile: commands", list(differences(
        *(vulkan_calls(build, windows(device), tmp_path, level)
          for level in (None, "pass")))))


BARE = counts_of("vkCmdBeginRendering 3\nvkQueueSubmit 2\n"
                 "vkBeginCommandBuffer 4\nvkCmdCopyQueryPoolResults 10\n"
                 "vkCmdBeginQuery 6\nvkCmdResetQueryPool 9\n"
                 "vkCmdWriteTimestamp 1\n")
PROFILED = {**BARE, "vkCmdResetQueryPool": 0, "vkCmdWriteTimestamp": 2}


@pytest.mark.parametrize("bare, profiled, faults", [
    # A profile may add timestamps, and has to measure something.
    ({}, {}, 0), ({}, {"vkCmdWriteTimestamp": 1}, 1),
    *(({}, {name: 10}, 1) for name in (*SAME, RESET)),
    *(({}, {name: 0}, 0) for name in SAME),
    # Each statistic is a query.
    ({QUERY: 7}, {}, 1),
    # Each query is copied.
    ({}, {COPY: 11}, 1)])
def test_differences_of_commands(bare, profiled, faults):
    found = differences({**BARE, **bare}, {**PROFILED, **profiled})
    assert len(list(found)) == faults
