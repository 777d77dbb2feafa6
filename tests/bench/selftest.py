#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests how tests/bench compares costs; needs no Mesa."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import table
from axes import PATTERNS
from costs import Bench, Cost, compare, counted
from judgement import judge_counts, judge_times, leaks, least
from runners.command import RunError
from runners.fixture import FilesTest
from walk import Function, Walk, calls_of, usual, walk_of

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


def turn(*names):
    return {name: Cost("ns", 2.0, 3.0) for name in names}


class CompareTest(unittest.TestCase):
    def compare(self, pitot, stock):
        return compare(1, lambda is_stock: stock if is_stock else pitot)

    def test_a_case_is_compared(self):
        pair = Cost("ns", 2.0, 3.0)
        self.assertEqual(self.compare(turn("begin"), turn("begin")),
                         {"begin": (pair, pair)})

    def test_a_case_of_one_side_is_an_error(self):
        for pitot, stock in ((turn("a", "b"), turn("a")),
                             (turn("a"), turn("a", "b"))):
            with self.assertRaisesRegex(RunError, "'b'"):
                self.compare(pitot, stock)

    def test_an_extension_that_pitot_adds_is_not_compared(self):
        self.assertEqual(list(self.compare(
            turn("a", "INTEL: begin", "AMD: begin"), turn("a"))), ["a"])
        with self.assertRaises(RunError):
            self.compare(turn("a"), turn("a", "INTEL: begin"))

    def test_no_case_is_an_error(self):
        with self.assertRaises(RunError):
            self.compare({}, {})


class CountTest(FilesTest):
    def test_the_kernel_is_left_out(self):
        path = self.write("out", PROFILE)
        self.assertEqual(counted(path, 10, False).least, 76.0)

    def test_misses_are_counted_without_the_kernel(self):
        text = PROFILE.replace("events: Ir", "events: Ir DLmr DLmw")
        text = text.replace("0 200", "0 200 3 4").replace("0 40", "0 40 1")
        path = self.write("out", text.replace("1000", "1000 20 10"))
        self.assertEqual(counted(path, 1, True).least, 30 - 3 - 4 - 1)

    def test_a_file_that_breaks_off_is_an_error(self):
        path = self.write("out", PROFILE.split("totals")[0])
        with self.assertRaises(RunError):
            counted(path, 10, False)


class TableTest(unittest.TestCase):
    def numbers(self, **costs):
        return {"calls": {name: {"pitot": {"least": pitot},
                                 "stock": {"least": stock}}
                          for name, (pitot, stock) in costs.items()}}

    def test_each_driver_has_a_column(self):
        text = table.markdown({"noop": self.numbers(begin=(1, 2), end=(8, 4)),
                               "iris": self.numbers(begin=(3, 2))})
        self.assertEqual(text.splitlines(), [
            "| Pitot over stock | noop | iris |", "| --- | --- | --- |",
            "| begin | 0.50 | 1.50 |", "| end | 2.00 | - |",
            "| geometric mean | 1.00 | 1.50 |"])

    def test_a_cost_of_nothing_has_no_mean(self):
        text = table.markdown({"noop": self.numbers(begin=(1, 0))})
        self.assertIn("| begin | inf |", text)
        self.assertIn("| geometric mean | nan |", text)


def pattern_run(waits=0, calls=100, ioctls=10, longest_ns=1000, **fields):
    """A run of a pattern that begins queries."""
    begin = {"calls": calls, "waits": waits, "ioctls": ioctls,
             "submissions": 1, "longest_ns": longest_ns, "sum_ns": 10}
    return {"pattern": "p", "frame_ns": 5, "heap_B": 0, "resident_B": 0,
            "objects": 0, "scenes": 1, "violations": 0, "error": 0,
            "calls": {"begin": begin}, **fields}


class PatternTest(unittest.TestCase):
    def test_there_are_many_and_each_is_once(self):
        self.assertGreater(len(PATTERNS), 200)
        self.assertEqual(len(set(map(str, PATTERNS))), len(PATTERNS))

    def assert_wrong(self, stock, text, **fields):
        (reason,) = judge_counts("llvmpipe: a", pattern_run(**fields), stock)
        self.assertIn(text, reason)

    def test_what_stock_mesa_does_is_right(self):
        for fields in ({}, {"waits": 9}, {"ioctls": 900}, {"heap_B": 1 << 20}):
            run = pattern_run(**fields)
            self.assertEqual(judge_counts("llvmpipe: a", run, run), [])

    def test_a_wait_that_stock_mesa_lacks_is_wrong(self):
        self.assert_wrong(pattern_run(), "begin waits 3 of 100", waits=3)
        self.assert_wrong(None, "begin waits 3 of 100", waits=3)

    def test_a_wait_that_moved_is_wrong_where_none_may_be(self):
        for entry, reasons in (("begin", 1), ("store", 0)):
            here, there = pattern_run(), pattern_run()
            for run, waiting in ((here, entry), (there, "read")):
                calls = run["calls"]
                for name in (entry, "read"):
                    waits = 3 if name == waiting else 0
                    calls[name] = {**calls["begin"], "waits": waits}
            self.assertEqual(len(judge_counts("a: b", here, there)), reasons)

    def test_more_calls_to_the_kernel_are_wrong(self):
        self.assert_wrong(pattern_run(), "90 ioctls, 10 on", ioctls=90)
        self.assert_wrong(pattern_run(), "90 scenes, 1 on", scenes=90)

    def test_memory_that_grows_is_wrong(self):
        for stock in (pattern_run(), None):
            self.assert_wrong(stock, "grows by 1000000 bytes", heap_B=1000000)
            self.assert_wrong(stock, "grows by 90 objects", objects=90)

    def test_a_block_that_is_taken_late_is_no_leak(self):
        for heap_B, longer_B, found in ((5e5, 5e5, False), (5e5, 2e6, True),
                                        (5e5, 1e5, False)):
            self.assertEqual(leaks(pattern_run(heap_B=heap_B),
                                   pattern_run(heap_B=longer_B),
                                   pattern_run()), found)

    def test_violations_and_errors_are_wrong(self):
        self.assert_wrong(pattern_run(), "2 violations", violations=2)
        self.assert_wrong(None, "an error of GL, 0x502", error=0x502)

    def test_a_long_call_is_wrong(self):
        stock = pattern_run(longest_ns=1e6)
        for longest_ns, count in ((2.4e6, 0), (2.6e6, 1)):
            run = pattern_run(longest_ns=longest_ns)
            self.assertEqual(len(judge_times(run, stock)), count)

    def test_the_least_of_several_runs_counts(self):
        best = least([pattern_run(longest_ns=3, frame_ns=1),
                      pattern_run(longest_ns=2, frame_ns=4)])
        self.assertEqual((best["frame_ns"],
                          best["calls"]["begin"]["longest_ns"]), (1, 2))


class WalkTest(unittest.TestCase):
    BEGIN, LOOK = Function("begin", "src/a.c"), Function("look", "src/a.h")
    FUNCTIONS = {"1": BEGIN, "2": None, "3": LOOK}

    def test_functions_of_mesa_are_left_out_and_others_are_once(self):
        walk = walk_of("+1 +2 +3 - - +3 - - +2 -".split(), self.FUNCTIONS)
        self.assertEqual(walk, Walk(((0, self.BEGIN), (1, self.LOOK))))
        self.assertEqual((walk.size(), str(walk)), ((2, 2), "2 in 2"))
        self.assertEqual([line.split() for line in walk.lines()],
                         [["begin", "src/a.c"], ["look", "src/a.h"]])

    def test_a_walk_is_too_long_or_reaches_its_aim(self):
        walk = Walk(((0, self.BEGIN), (1, self.LOOK)))
        for most, is_unreached, verdict in (
                ((2, 2), False, "passed"), ((1, 2), False, "failed"),
                ((2, 1), False, "failed"), ((2, 1), True, "listed"),
                ((2, 2), True, "failed")):
            self.assertEqual(walk.verdict(most, is_unreached), verdict)

    def test_polls_have_a_result_or_not(self):
        words = "begin end poll poll poll read poll read".split()
        output = "{}\n" + "".join(f"walk +1 - {word}\n" for word in words)
        self.assertEqual(
            list(calls_of(output)),
            [(call, ["+1", "-"]) for call in
             ("begin", "end", "poll FALSE", "poll", "poll TRUE", "read",
              "poll TRUE", "read")])

    def test_the_usual_walk_is_that_of_most_calls(self):
        self.assertEqual(usual(["first", "usual", "usual", "rare"]), "usual")


class BenchTest(unittest.TestCase):
    def test_a_driver_runs_on_its_default_gpu(self):
        for driver, gpu in (("iris", "skl"), ("radeonsi", "navi21"),
                            ("softpipe", ""), ("noop", "")):
            bench = Bench("program", driver)
            self.assertEqual(bench.side(False).device.gpu, gpu)


if __name__ == "__main__":
    unittest.main()
