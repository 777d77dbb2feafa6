# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The judgement of rules, without Mesa."""

import pytest
from tests.conformance.judge import Judge, judge
from tests.runners.command import RunError
from tests.runners.devices import Device
from tests.runners.tap import Result

SKL = Device("iris", "skl", "default")
TGL = Device("iris", "tgl")
MACHINE = Device("iris", "", "machine")
SIMULATED_MACHINE = Device("iris", "tgl", "machine")

FAILS = """# why
compat core es2: known (GL, 1),Fail
core: dead (GL, 2),Crash
skl es2: here (GL, 3),Fail
icl+ es2: later (GL, 5),Fail
? tgl es2: now and then (GL, 4),Fail
"""
LACKS = """es2: no blits
iris compat core: no pixels
iris tgl es3: no luck
simulated es3: no light
? es3: no meshes
"""


@pytest.fixture
def lists(tmp_path):
    """A function that writes lists, and returns their directory."""
    def write(fails=FAILS, lacks=LACKS):
        (tmp_path / "iris-fails.txt").write_text(fails)
        (tmp_path / "lacks.txt").write_text(lacks)
        return tmp_path
    return write


@pytest.mark.parametrize("expected, device, context, result", [
    # No list is about the failures of a machine's GPU.
    ("failed", MACHINE, "es2", ("known (GL, 1)", "failed")),
    ("passed", MACHINE, "es2", ("known (GL, 1)", "passed")),
    # Only listed failures are listed.
    ("listed", SKL, "es2 ANGLE", ("known (GL, 1)", "failed")),
    ("failed", SKL, "core", ("other (GL, 1)", "failed")),
    ("listed", SKL, "es2", ("here (GL, 3)", "failed")),
    ("failed", SKL, "core", ("here (GL, 3)", "failed")),
    ("listed", TGL, "es2", ("later (GL, 5)", "failed")),
    ("failed", SKL, "es2", ("later (GL, 5)", "failed")),
    ("failed", TGL, "es2", ("here (GL, 3)", "failed")),
    # A crash is listed as one.
    ("listed", SKL, "core", ("dead (GL, 2)", "crashed")),
    ("failed", SKL, "core", ("dead (GL, 2)", "failed")),
    ("failed", SKL, "core", ("known (GL, 1)", "crashed")),
    # A listed failure that passes fails.
    ("failed", SKL, "core", ("known (GL, 1)", "passed")),
    ("passed", TGL, "es2", ("now and then (GL, 4)", "passed")),
    ("listed", TGL, "es2", ("now and then (GL, 4)", "failed")),
    # What vanishes fails.
    ("skipped", SKL, "es2 no-error", ("a", "skipped", "no blits")),
    ("failed", SKL, "es3", ("a", "skipped", "no blits")),
    ("skipped", SKL, "core", ("a", "skipped", "no pixels")),
    ("skipped", TGL, "es3", ("a", "skipped", "no luck")),
    ("failed", SKL, "es3", ("a", "skipped", "no luck")),
    ("skipped", SKL, "es3", ("a", "skipped", "no meshes")),
    # A real GPU has all that simulated ones lack.
    ("skipped", SKL, "es3", ("a", "skipped", "no light")),
    ("failed", MACHINE, "es3", ("a", "skipped", "no light")),
    ("failed", MACHINE, "es2", ("here (GL, 3)", "failed")),
    ("skipped", SIMULATED_MACHINE, "es3", ("a", "skipped", "no light")),
], ids=str)
def test_verdict(expected, device, context, result, lists):
    judge_of_iris = Judge("iris", lists())
    assert judge_of_iris.verdict(device, context,
                                 Result(*result))[0] == expected


def judged(device, context, *results, **more):
    found = {result[0]: Result(*result) for result in results}
    return [(verdict, why) for verdict, _, why in
            judge(device, context, found, **more)]


@pytest.mark.parametrize("found, stock, expected", [
    ("failed", "passed", "x; passed on stock Mesa"),
    ("failed", "failed", "x; failed on stock Mesa"),
    ("passed", "crashed", "crashed on stock Mesa"),
    ("passed", "passed", "")])
def test_a_result_of_a_real_GPU_says_how_stock_Mesa_does(found, stock,
                                                         expected, lists):
    why = "x" if found == "failed" else ""
    assert judged(MACHINE, "es2", ("a", found, why), directory=lists(),
                  stock={"a": Result("a", stock)}) == [(found, expected)]


def test_a_line_that_matches_nothing_fails(lists):
    def unseen(device, context, *results):
        return [place for verdict, place, why in judge(
            device, context, {result[0]: Result(*result)
                              for result in results}, directory=lists())
            if "matches nothing" in why and verdict == "failed"]

    assert unseen(SKL, "core", ("known (GL, 1)", "failed"),
                  ("dead (GL, 2)", "skipped", "x")) == [
        "lacks.txt:2 in core", "iris-fails.txt:3 in core"]
    assert unseen(SKL, "es2 ANGLE", ("here (GL, 3)", "failed")) == [
        "lacks.txt:1 in es2", "iris-fails.txt:2 in es2"]
    assert len(unseen(TGL, "es2", ("a", "passed"))) == 4
    assert unseen(SKL, "es3", ("a", "passed")) == ["lacks.txt:4 in es3"]
    assert not unseen(SIMULATED_MACHINE, "es2", ("a", "passed"))


@pytest.mark.parametrize("fails", [
    "core: no status", "core: a,Skip", "a,Fail", "navi31 core: a,Fail",
    "sklx core: a,Fail", "es4: a,Fail", "all: a,Fail", "es2es3: a,Fail"])
def test_a_mistake_in_failures_is_refused(fails, lists):
    with pytest.raises(RunError):
        Judge("iris", lists(fails=fails))


@pytest.mark.parametrize("lacks", [
    "es4: a", "es2", "es2 iris: a", "a b c es2: d", "softpip es2: a",
    "iris sklx es2: a", "iris navi31 es2: a", "skl es2: a"])
def test_a_mistake_in_lacks_is_refused(lacks, lists):
    with pytest.raises(RunError):
        Judge("iris", lists(lacks=lacks))


def test_a_context_that_is_gone_fails(lists):
    assert ("failed", "there is no such context at all") in judged(
        SKL, "es2", ("a", "skipped", "no blits"), ("b", "skipped", "no blits"),
        directory=lists(fails=""))
