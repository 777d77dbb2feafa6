# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Calls and patterns of use, compared with stock Mesa, and walks."""

import re

import pytest
from tests.bench import patterns, walks
from tests.bench.costs import NOOP, Bench, compare
from tests.bench.judgement import LONGER, NO_GROWTH, growth, leaks, verdict
from tests.bench.worse import WORSE
from tests.conftest import parametrize
from tests.runners import devices

# The most functions and files of a walk.
AIMS = {
    ("llvmpipe", "begin"): (15, 8),
    ("iris", "begin"): (35, 12),
    ("iris", "poll FALSE"): (25, 10),
    ("iris", "poll TRUE"): (25, 10),
}
# Walks that are still longer. One that no longer is fails, so that it is
# removed.
UNREACHED = [("iris", "poll TRUE")]

LONGER_RUNS = 3

# The most calls of Vulkan for frames of work that is measured, as shares of
# stock zink's: a begin and an end for all statistics, and a batch copies the
# results. lavapipe's share of the timed passes has their first timestamps.
VULKAN_SHARES = {
    "a draw, whether it is seen": 0.55,
    "a draw, timed": 0.45,
    "a draw, counted by eleven statistics": 0.06,
    "a draw, timed and counted by eleven statistics": 0.10,
    "a pass, timed": 0.55,
    "a pass, counted by eleven statistics": 0.05,
    "a pass, timed and counted by eleven statistics": 0.08,
}


def entry_of(name):
    return next((entry for entry in WORSE if re.fullmatch(entry[1], name)),
                None)


def zink(known):
    return [device for device in devices.defaults(known)
            if device.driver == "zink"]


def test_calls(build, results, monkeypatch):
    """A call takes no more instructions with Pitot, unless worse.py has it, on
    a driver that does nothing: the front end alone."""
    monkeypatch.setenv("mesa_glthread", "false")
    bench = Bench(build / "tests/pitot-bench", NOOP)
    needed = set()
    for name, (pitot, stock) in compare(1, bench.count).items():
        ratio, entry = pitot.least / stock.least, entry_of(name)
        if ratio <= 1:
            results.add("passed", name)
        elif entry and ratio <= entry[2]:
            needed.add(entry)
            results.add("cost", name, why=entry[0])
        else:
            results.add("failed", name, why=f"{ratio:.2f} times the "
                        "instructions of stock Mesa")
    for entry in set(WORSE) - needed:
        results.add("failed", entry[1], why="no case needs it: worse.py")


@pytest.mark.devices(zink, zink)
def test_vulkan_calls(device, build, results, monkeypatch):
    """Frames take few calls of Vulkan for queries, render passes and command
    buffers, and those that read late no more than on stock Mesa."""
    monkeypatch.setenv("mesa_glthread", "false")
    monkeypatch.setenv("GALLIUM_THREAD", "0")
    bench = Bench(build / "tests/pitot-bench", device.driver, part="frames",
                  rounds=2)
    costs = compare(1, bench.vulkan_calls)
    assert costs.keys() >= VULKAN_SHARES.keys()
    for name, (pitot, stock) in costs.items():
        share = pitot.least / stock.least
        most = VULKAN_SHARES.get(name, 1)
        results.add("passed" if share <= most else "failed", name,
                    why=f"{share:.3f} of the calls of Vulkan of stock Mesa; "
                        f"at most {most} are wanted")


def test_walks(build, tmp_path, results):
    """The walks are short, and those that docs/architecture.md shows."""
    found = walks.walks_of(build, tmp_path)
    for (driver, call), walk in found.items():
        print(f"{call} on {driver}, {walk}:", *walk.lines(), "", sep="\n")
    for key, most in AIMS.items():
        why = "{}; at most {} in {} are wanted".format(found[key], *most)
        if key in UNREACHED:
            why += ", and that is reached: take it out of UNREACHED"
        results.add(found[key].verdict(most, key in UNREACHED),
                    f"walk: {key[1]}", key[1], why, where=key[0])
    shown, wanted = walks.document(found)
    results.add("passed" if shown == wanted else "failed",
                "walks of the document", "architecture.md",
                f"it shows other walks: python3 -m tests.bench.walks {build}")


def of_bench(known):
    return [device for device in devices.defaults(known)
            if device.driver in patterns.DRIVERS]


def pytest_generate_tests(metafunc):
    option = metafunc.config.option
    if "chunk" not in metafunc.fixturenames:
        return
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
    """What calls do: how many of them wait for the GPU, calls to the kernel,
    submissions, scenes of llvmpipe, and memory. Without --all half of the
    patterns run, each on one driver."""
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
