# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Runs pitot-conformance on a Mesa, in one kind of context."""

import subprocess

from tests.conformance import restart
from tests.runners import tap
from tests.runners.command import last_line
from tests.runners.mesa import HANG_GUARD_S

# Kinds of contexts; ES also with the entry points' ANGLE suffix.
CONTEXTS = (("compat",), ("core",), ("es2",), ("es3",),
            ("es2", "ANGLE"), ("es3", "ANGLE"))
# With KHR_no_error, where stock Mesa may do anything. One GPU per driver is
# enough, since the differences are above it; softpipe is too slow.
NO_ERROR_CONTEXTS = (("compat", "no-error"), ("core", "no-error"),
                     ("es2", "no-error"), ("es3", "no-error"))
# With glthread, a thread of Mesa that executes the application's calls.
GLTHREAD_CONTEXTS = (("core", "glthread"), ("es3", "glthread"))
# Like zink on most Vulkan drivers but lavapipe (egl.h).
UNTRACKED_CONTEXTS = (("core", "untracked"),)

# For this computer's GPU, in each kind of context.
MAX_DEATHS = 10


def contexts_of(device, stock=False):
    found = CONTEXTS
    if device.is_default():
        if device.driver != "softpipe" and not stock:
            found += NO_ERROR_CONTEXTS
        if device.supports_glthread():
            found += GLTHREAD_CONTEXTS
    return found + (UNTRACKED_CONTEXTS if device.driver == "zink" else ())


def start(program, mesa, context, first=0):
    """Starts the rules at a number in one kind of context."""
    return subprocess.Popen(
        [program, f"--from={first}", *context], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, errors="replace",
        env=mesa.environment(tap.environment()))


def run(program, mesa, context):
    """The results in one kind of context: {rule: Result}."""
    process, ending = start(program, mesa, context), ""
    try:
        output, complaint = process.communicate(timeout=HANG_GUARD_S)
        if process.returncode and complaint.strip():
            ending = f"status {process.returncode}: {last_line(complaint)}"
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
        ending = f"it did not end in {HANG_GUARD_S} s"
    # Duplicate names are reported as a failure.
    return {result.name: result for result in
            tap.results_of(output, process.returncode, ending)}


def run_restarted(program, mesa, context):
    """The same on a Mesa where a rule may hang."""
    names = subprocess.run([program, "--list", *context], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    return restart.run(
        lambda first: start(program, mesa, context, first),
        names.splitlines(),
        MAX_DEATHS if mesa.device.is_machine() else None,
        restart.SIMULATED_RULE_CPU_S if mesa.device.is_simulated()
        else restart.RULE_CPU_S)
