# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""pitot-demo --check, on all drivers: all agrees, and each planted fault is
found (faults.c).

A fault is planted where its checks are right without it. Without --all, only
one driver gets all faults, and the others get those that are for EVERYWHERE.
"""

import json
import subprocess

import pytest
from tests.runners import devices
from tests.runners.mesa import HANG_GUARD_S

SAMPLES_PASSED = "8914"
ANY_SAMPLES_PASSED = "8C2F"
PRIMITIVES_GENERATED = "8C87"
TIME_ELAPSED = "88BF"
TIMESTAMP = "8E28"
VERTICES_SUBMITTED = "82EE"
CLIPPING_INPUT_PRIMITIVES = "82F6"
COMPUTE_SHADER_INVOCATIONS = "82F5"
CLOCK = "0" # that glGetInteger64v reads

# Names, words of PITOT_GL_FAULT, and the checks that find the fault.
EVERYWHERE = (
    ("a sample too few", f"add {SAMPLES_PASSED} -1", "counts"),
    ("the clock of timestamps is 1 % fast", f"rate {TIMESTAMP} 10000",
     "timestamps"),
    ("a timestamp steps back", f"back {TIMESTAMP} -1000000000", "order"),
    ("a condition is inverted", "invert", "conditions"),
    ("a stale count in a buffer", f"stale {SAMPLES_PASSED}",
     "buffers contexts"),
)
FAULTS = (
    ("a sample too many", f"add {SAMPLES_PASSED} 1", "areas"),
    ("no sample passes", f"add {ANY_SAMPLES_PASSED} -1", "areas"),
    ("no pixel is painted", "blank", "areas"),
    ("a vertex too many", f"add {VERTICES_SUBMITTED} 1", "counts"),
    ("a primitive is not clipped", f"add {CLIPPING_INPUT_PRIMITIVES} -1",
     "counts"),
    ("an invocation too many", f"add {COMPUTE_SHADER_INVOCATIONS} 1",
     "counts"),
    ("the clock is 1 % fast", f"rate {CLOCK} 10000", "clock"),
    ("the clock of timestamps is 1 % slow", f"rate {TIMESTAMP} -10000",
     "timestamps"),
    ("the clock steps back", f"back {CLOCK} -1000000000", "order"),
    ("an elapsed time is too long", f"add {TIME_ELAPSED} 1000000000000",
     "elapsed"),
    ("no time elapses", f"rate {TIME_ELAPSED} -1000000", "elapsed"),
    ("a condition is ignored", "ignore", "conditions"),
    ("a stale time in a buffer", f"stale {TIMESTAMP}", "buffers"),
    ("a write after the result", f"beside {TIME_ELAPSED} 1", "buffers"),
    ("a write before the result", f"beside {TIME_ELAPSED} -1", "buffers"),
    ("draws of another context count", f"add {SAMPLES_PASSED} 1 3",
     "contexts"),
    ("another context's clock is ahead", f"add {TIMESTAMP} 1000000000 2",
     "contexts"),
    ("contexts share names", "share", "contexts"),
    ("a GL error", f"error {PRIMITIVES_GENERATED}", "buffers"),
)


@pytest.fixture
def check(built, build, on_mesa):
    """A function of a device and a fault's words: {check: verdict}, and what
    is wrong with the output."""
    def run(device, fault=None):
        env = on_mesa(device).environment()
        if fault:
            library = build / "tests/libpitot-gl-faults.so"
            env |= {"PITOT_GL_FAULT": fault,
                    "LD_PRELOAD": f"{env.get('LD_PRELOAD', '')} {library}"}
        done = subprocess.run([built("demo"), "--check", "--json"], env=env,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=HANG_GUARD_S)
        print(done.stdout, done.stderr)
        report = json.loads(done.stdout)
        verdicts = {name: row["verdict"] for name, row in report.items()
                    if isinstance(row, dict)}
        faults = []
        if done.returncode != ("WRONG" in verdicts.values()):
            faults.append(f"status {done.returncode}")
        if report["simulated"] != device.is_simulated():
            faults.append("it does not know whether the GPU is simulated")
        return verdicts, faults
    return run


@pytest.mark.devices()
def test_check(device, check, pytestconfig, results):
    good, faults = check(device)
    results.check("check: all agrees", faults + [
        f"{name} is wrong" for name in good if good[name] == "WRONG"])
    is_whole = pytestconfig.option.all or device == devices.default("iris")
    for name, words, finders in EVERYWHERE + FAULTS * is_whole:
        finders = finders.split()
        if unfit := [f"{each}: {good.get(each)}" for each in finders
                     if good.get(each) != "right"]:
            results.add("skipped", f"check: {name}", why=", ".join(unfit))
            continue
        verdicts, faults = check(device, words)
        results.check(f"check: {name}", faults + [
            f"{each} is {verdicts.get(each)}" for each in finders
            if verdicts.get(each) != "WRONG"])


def test_no_context(built, results):
    """Without a GL there is nothing to check."""
    done = subprocess.run([built("demo"), "--check"],
                          env={"__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere"},
                          capture_output=True, text=True)
    results.check("check: no GL", [
        f"status {done.returncode}: {done.stdout}{done.stderr}"]
        * (done.returncode != 2 or bool(done.stdout)
           or done.stderr.count("\n") != 1))
