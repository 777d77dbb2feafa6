# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Programs that use queries themselves get the same results and errors while
all their draws are profiled: the rules of GL in one kind of context, or with
--all in each kind, and random programs."""

import pytest
from tests.conformance import program
from tests.conformance.judge import judge
from tests.model import runs
from tests.runners import devices

SAMPLE = ("llvmpipe", "radeonsi")

# Queries between draws keep lavapipe from losing counts.
MENDED = ("statistics: clipped with and without a rasterizer",)


def defaults_of(*drivers):
    return lambda known: [device for device in devices.defaults(known)
                          if device.driver in drivers]


ALL = defaults_of("llvmpipe", "softpipe", "zink", "iris", "radeonsi")


@pytest.fixture
def profiled(tmp_path, monkeypatch):
    """Profiles all programs. A function that yields what is wrong after one
    that has to leave a trace."""
    (tmp_path / "traces").mkdir()
    monkeypatch.setenv("PITOT_PROFILE", f"{tmp_path}/traces/%p.json")
    monkeypatch.setenv("PITOT_PROFILE_LEVEL", "draw")

    def unprofiled(name):
        traces = list((tmp_path / "traces").iterdir())
        if len(traces) != 1:
            yield f"{name}: {len(traces)} traces"
        for trace in traces:
            trace.unlink()
    return unprofiled


def failures(device, context, found):
    for verdict, rule, why in judge(device, context, found):
        mended = "it passes: remove" in why and rule.startswith(MENDED)
        if verdict == "failed" and not mended:
            yield f"{context}: {rule}: {why}"


@pytest.mark.devices(defaults_of(*SAMPLE), ALL)
def test_rules(device, build, on_mesa, pytestconfig, profiled, results):
    contexts = (program.contexts_of(device) if pytestconfig.option.all
                else [("compat",)])
    results.check("profile: conformance is untouched", [
        line for context in contexts for line in (*failures(
            device, " ".join(context), program.run(
                build / "tests/pitot-conformance", on_mesa(device), context)),
            *profiled(context))])


@pytest.mark.all
@pytest.mark.devices(ALL, ALL)
def test_model(device, build, on_mesa, profiled, results):
    faults = []
    for run in runs.runs_on(device):
        verdict, why = run.verdict(run.start(build, on_mesa(device), count=60))
        if verdict == "failed":
            faults.append(f"{run}: {why}")
        faults += profiled(run)
    results.check("profile: model is untouched", faults)
