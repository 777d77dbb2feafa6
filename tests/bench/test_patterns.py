# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""What the calls of patterns of use do, compared with stock Mesa: how many of
them wait for the GPU, calls to the kernel, submissions, scenes of llvmpipe,
and memory. Without --all half of the patterns run, each on one driver."""

import pytest
from tests.bench import patterns
from tests.bench.judgement import LONGER, NO_GROWTH, growth, leaks, verdict
from tests.conftest import parametrize
from tests.runners import devices

LONGER_RUNS = 3


def of_bench(known):
    return [device for device in devices.defaults(known)
            if device.driver in patterns.DRIVERS]


def pytest_generate_tests(metafunc):
    option = metafunc.config.option
    parametrize(metafunc, ["device", "chunk"], [
        pytest.param(device, chunk, id=f"{device.file_name()}-{number}")
        for device in devices.chosen(option, of_bench, of_bench)
        for number, chunk in enumerate(patterns.chunks(
            patterns.chosen(device.driver, option.all)))])


def without_late_blocks(pitot, stock, longer_runs):
    """A run without growth unless memory also grows more in each of some
    longer runs: a rasterizer's threads allocate and free up to 5 MB, on stock
    zink."""
    if any(growth(pitot, stock)) and not all(leaks(pitot, *longer_runs())
                                             for _ in range(LONGER_RUNS)):
        return {**pitot, **NO_GROWTH}
    return pitot


def test_patterns(device, chunk, build, on_mesa, results):
    program = build / "tests/pitot-patterns"
    sides = on_mesa(device), on_mesa(device, stock=True)
    here, there = (patterns.counts(side, program, chunk) for side in sides)
    for name in chunk:
        pitot, stock = here.get(name), there.get(name)
        if pitot:
            pitot = without_late_blocks(pitot, stock, lambda: [
                patterns.counts(side, program, [name], LONGER * 20).get(name)
                for side in sides])
        found, why = verdict(f"{device.driver}: {name}", pitot, stock)
        results.add(found, f"pattern {name}", name, why)
