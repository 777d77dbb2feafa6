# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""How costs, patterns and walks are judged; needs no Mesa."""

import pytest
from tests.bench.costs import Cost, compare, counted
from tests.bench.judgement import (is_too_long, judge_counts, leaks, longest,
                                   verdict)
from tests.bench.patterns import DRIVERS, PATTERNS, chosen
from tests.bench.walks import Function, Walk, calls_of, usual, walk_of
from tests.runners.command import RunError

# As callgrind writes it: lines have own costs, and the line after "calls=" the
# inclusive cost of a call.
PROFILE = """\
positions: line
events: Ir
fn=(1) draw
0 700
cfi=(2) preload.c
cfn=(2) ioctl
calls=2 0
0 200
cfn=(3) other
calls=1 0
0 30
fn=(2)
0 150
cfn=(4) execute
calls=1 0
0 50
fn=(5) flush
0 20
cfn=(2)
calls=1 0
0 40
totals: 1000
"""

PAIR = Cost("ns", 2.0, 3.0)


def compared(pitot, stock):
    """Cases that are on both sides, given each side's names."""
    sides = [{name: PAIR for name in names.split(", ")} if names else {}
             for names in (pitot, stock)]
    return compare(1, sides.__getitem__)


def test_cases_of_both_sides_are_compared():
    assert compared("begin", "begin") == {"begin": (PAIR, PAIR)}
    assert list(compared("a, INTEL: begin, AMD: begin", "a")) == ["a"]


@pytest.mark.parametrize("pitot, stock, said", [
    ("a, b", "a", "'b'"), ("a", "a, b", "'b'"),
    ("a", "a, INTEL: begin", "INTEL"), ("", "", "not on both sides")])
def test_a_case_of_one_side_is_an_error(pitot, stock, said):
    with pytest.raises(RunError, match=said):
        compared(pitot, stock)


@pytest.mark.parametrize("kernel, cost", [("ioctl", 76), ("other", 100)])
def test_the_kernel_is_left_out(kernel, cost, tmp_path):
    (tmp_path / "out").write_text(PROFILE.replace("(2) ioctl", f"(2) {kernel}"))
    assert counted(tmp_path / "out", 10).least == cost


def test_a_profile_that_breaks_off_is_an_error(tmp_path):
    (tmp_path / "out").write_text(PROFILE.split("totals")[0])
    with pytest.raises(RunError):
        counted(tmp_path / "out", 10)


#
# Patterns
#

def pattern_run(waits=0, calls=100, ioctls=10, longest_ns=1000, **fields):
    """A run of a pattern that begins queries."""
    begin = {"calls": calls, "waits": waits, "ioctls": ioctls,
             "submissions": 1, "longest_ns": longest_ns, "sum_ns": 10}
    return {"pattern": "p", "frame_ns": 5, "heap_B": 0, "resident_B": 0,
            "objects": 0, "scenes": 1, "violations": 0, "error": 0,
            "calls": {"begin": begin}, **fields}


def test_there_are_many_patterns_and_each_is_once():
    assert len(set(map(str, PATTERNS))) == len(PATTERNS) > 200
    shares = [name for driver in DRIVERS for name in chosen(driver, False)]
    assert len(set(shares)) == len(shares) > len(PATTERNS) / 3


@pytest.mark.parametrize("fields", [
    {}, {"waits": 9}, {"ioctls": 900}, {"heap_B": 1 << 20}])
def test_what_stock_mesa_does_is_right(fields):
    run = pattern_run(**fields)
    assert judge_counts("llvmpipe: a", run, run) == []


@pytest.mark.parametrize("has_stock, fields, said", [
    (True, {"waits": 3}, "begin waits 3 of 100"),
    (False, {"waits": 3}, "begin waits 3 of 100"),
    (True, {"ioctls": 90}, "90 ioctls, 10 on"),
    (True, {"scenes": 90}, "90 scenes, 1 on"),
    (True, {"heap_B": 1000000}, "grows by 1000000 bytes"),
    (False, {"heap_B": 1000000}, "grows by 1000000 bytes"),
    (True, {"objects": 90}, "grows by 90 objects"),
    (False, {"objects": 90}, "grows by 90 objects"),
    (True, {"violations": 2}, "2 violations"),
    (False, {"error": 0x502}, "an error of GL, 0x502")])
def test_what_stock_mesa_does_not_is_wrong(has_stock, fields, said):
    (reason,) = judge_counts("llvmpipe: a", pattern_run(**fields),
                             pattern_run() if has_stock else None)
    assert said in reason


@pytest.mark.parametrize("pitot, stock, expected", [
    (pattern_run(), None, "passed"), (pattern_run(error=1), None, "failed"),
    (None, pattern_run(), "failed"), (None, None, "skipped")])
def test_a_pattern_without_a_run_is_no_pass(pitot, stock, expected):
    found, why = verdict("llvmpipe: a", pitot, stock)
    assert (found, bool(why)) == (expected, expected != "passed")


@pytest.mark.parametrize("entry, reasons", [("begin", 1), ("store", 0)])
def test_a_wait_that_moved_is_wrong_where_none_may_be(entry, reasons):
    begin = pattern_run()["calls"]["begin"]
    here, there = ({**pattern_run(), "calls": {
        name: {**begin, "waits": 3 if name == waiting else 0}
        for name in ("begin", entry, "read")}} for waiting in (entry, "read"))
    assert len(judge_counts("a: b", here, there)) == reasons


@pytest.mark.parametrize("longer_B, is_leak", [
    (5e5, False), (2e6, True), (1e5, False)])
def test_a_block_that_is_taken_late_is_no_leak(longer_B, is_leak):
    assert leaks(pattern_run(heap_B=5e5), pattern_run(heap_B=longer_B),
                 pattern_run()) == is_leak


@pytest.mark.parametrize("longest_ns, is_wrong", [
    (2.4e6, False), (2.6e6, True)])
def test_a_long_call_is_wrong(longest_ns, is_wrong):
    run = pattern_run(longest_ns=longest_ns)
    assert is_too_long(longest(run), 1e6) == is_wrong


#
# Walks
#

BEGIN, LOOK = Function("begin", "src/a.c"), Function("look", "src/a.h")
WALK = Walk(((0, BEGIN), (1, LOOK)))


def test_functions_of_mesa_are_left_out_and_others_are_once():
    walk = walk_of("+1 +2 +3 - - +3 - - +2 -".split(),
                   {"1": BEGIN, "2": None, "3": LOOK})
    assert (walk, str(walk)) == (WALK, "2 in 2")
    assert [line.split() for line in walk.lines()] == [
        ["begin", "src/a.c"], ["look", "src/a.h"]]


@pytest.mark.parametrize("most, is_unreached, verdict", [
    ((2, 2), False, "passed"), ((1, 2), False, "failed"),
    ((2, 1), False, "failed"), ((2, 1), True, "listed"),
    ((2, 2), True, "failed")])
def test_a_walk_is_too_long_or_reaches_its_aim(most, is_unreached, verdict):
    assert WALK.verdict(most, is_unreached) == verdict


def test_polls_have_a_result_or_not():
    words = "begin end poll poll poll read poll read".split()
    output = "{}\n" + "".join(f"walk +1 - {word}\n" for word in words)
    assert list(calls_of(output)) == [(call, ["+1", "-"]) for call in (
        "begin", "end", "poll FALSE", "poll", "poll TRUE", "read",
        "poll TRUE", "read")]


def test_the_usual_walk_is_that_of_most_calls():
    assert usual(["first", "usual", "usual", "rare"]) == "usual"
