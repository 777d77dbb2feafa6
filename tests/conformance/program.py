# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Runs pitot-conformance on a Mesa, in one kind of context."""

import re
import subprocess
import tempfile

from tests.runners import tap, watch
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
# The simulated kernel interrupts each call once.
INTERRUPTED_CONTEXTS = (("core", "interrupted"),)
# Like zink on most Vulkan drivers but lavapipe (egl.h).
UNTRACKED_CONTEXTS = (("core", "untracked"),)

# For this computer's GPU, in each kind of context.
MAX_DEATHS = 10

# A rule hangs if it takes this CPU time, or none at all in this many seconds: a
# busy machine looks like neither. Only a real GPU makes a driver wait in the
# kernel, and a simulated one has done its work when the call returns.
LIMITS = watch.Limits(idle_cpu_s=0, spin_cpu_s=300, max_hangs=1)
SOFTWARE_LIMITS = LIMITS._replace(idle_looks=60)
SIMULATED_LIMITS = SOFTWARE_LIMITS._replace(spin_cpu_s=2)

# cmocka's line for a test that crashed; cmocka then continues.
CRASH = re.compile(r"^# Test failed with exception:.*", re.MULTILINE)


def contexts_of(device, stock=False):
    found = CONTEXTS
    if device.is_default():
        if device.driver != "softpipe" and not stock:
            found += NO_ERROR_CONTEXTS
        if device.supports_glthread():
            found += GLTHREAD_CONTEXTS
        if device.driver == "iris" and device.is_simulated():
            found += INTERRUPTED_CONTEXTS
    return found + (UNTRACKED_CONTEXTS if device.driver == "zink" else ())


def command(program, context, first=0):
    """The rules from a number on, in one kind of context."""
    return [program, f"--from={first}", *arguments(context)]


def arguments(context):
    return [word for word in context if word != "interrupted"]


def environment(mesa, context):
    found = mesa.environment(tap.environment())
    if "interrupted" in context:
        found["PITOT_SIM"] += ",interruptions=1"
    return found


def run(program, mesa, context):
    """The results in one kind of context: {rule: Result}."""
    ending = ""
    with subprocess.Popen(
            command(program, context), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, errors="replace",
            env=environment(mesa, context)) as process:
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
    """The same on a Mesa where a rule may hang. One at a time in a process."""
    names = subprocess.run([program, "--list", *arguments(context)], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    limits = (SIMULATED_LIMITS if mesa.device.is_simulated() else
              LIMITS if mesa.device.is_machine() else SOFTWARE_LIMITS)
    return restarted(
        lambda first: command(program, context, first), names.splitlines(),
        limits, MAX_DEATHS if mesa.device.is_machine() else None,
        env=environment(mesa, context))


def restarted(command_from, names, limits, max_deaths=None, **options):
    """{rule: Result} in order. command_from(number) begins with a rule, again
    after each hang or crash. After max_deaths the rest fails, since all would
    hang on a GPU that hangs forever.
    """
    found, deaths = {}, 0
    while len(found) < len(names):
        if deaths == max_deaths:
            return {**{name: tap.Result(name, "failed", "it did not run: "
                                        f"{deaths} before it hang or crash")
                       for name in names}, **found}
        with tempfile.TemporaryFile() as file:
            watch.run(command_from(len(found)), limits, stdout=file,
                      stderr=subprocess.DEVNULL, **options)
            file.seek(0)
            output = file.read().decode(errors="replace")
        crash = CRASH.search(output)
        read = tap.read(output[:crash.start()] if crash else output)
        found.update((result.name, result) for result in read.results)
        if not crash and read.planned != len(read.results):
            name = names[len(found)]
            found[name] = tap.Result(name, "failed", "it hangs or crashes")
            deaths += 1
    return found
