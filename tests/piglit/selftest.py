#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of the judgement in tests/piglit/run, without piglit and Mesa."""

import os
import subprocess
import sys
import unittest
from unittest import mock

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from judge import Judge, passes
from runners.command import RunError
from runners.devices import Device
from runners.fixture import FilesTest
from runners.lists import Expectations
from runners.mesa import Mesa
from runners.verdict import Verdict, rejudge
from session import Row, statuses, why_skipped

FAILS = "# why\nlisted,Fail\nlucky,Fail\n"
FLAKES = "^flaky$\n^lucky$\n"


class ListsTest(FilesTest):
    def lists(self, fails=FAILS, flakes=FLAKES):
        self.write("driver-fails.txt", fails)
        self.write("driver-flakes.txt", flakes)
        return Expectations(self.directory, Device("driver", ""))

    def findings(self, name, pitot, stock, listed=True, stock_is_list=False):
        """Judges one test; None for a side means no result."""
        def rows(status):
            return {name: Row(status, name)} if status else {}
        judge = Judge(self.lists(), rows(stock), {name} if listed else set(),
                      stock_is_list)
        return judge.judge(rows(pitot))

    def run_again(self, findings, name, status):
        return rejudge(findings, {name: status}, passes,
                       self.lists().is_flake)


class JudgeTest(ListsTest):
    def check(self, verdict, *arguments, **options):
        found = [f.verdict for f in self.findings(*arguments, **options)]
        self.assertEqual(found, [verdict])

    def test_what_passes_on_stock_must_pass(self):
        self.check(Verdict.PASSED, "a", "Pass", "Pass")
        self.check(Verdict.LOST, "a", "Fail", "Pass")
        self.check(Verdict.LOST, "a", "Skip", "Pass")
        self.check(Verdict.LOST, "a", None, "Pass")

    def test_stock_Mesa_may_be_the_list(self):
        """For a GPU without lists."""
        for stock, verdict in (("Fail", Verdict.SAME_FAILURE),
                               ("Crash", Verdict.UNLISTED),
                               ("Skip", Verdict.LOST),
                               ("Pass", Verdict.LOST)):
            self.check(verdict, "a", "Fail", stock, stock_is_list=True)

    def test_a_new_failure_is_lost(self):
        self.check(Verdict.LOST, "a", "Crash", "Skip")
        self.check(Verdict.LOST, "a", "Fail", None)

    def test_a_listed_failure_excuses_no_loss(self):
        self.check(Verdict.LOST, "listed", "Fail", "Pass")
        self.check(Verdict.EXPECTED, "lucky", "Fail", "Pass")

    def test_a_subtest_that_vanishes_is_lost(self):
        for status in ("Pass", "Fail", "Skip"):
            stock = {"a@b": Row(status, "a"), "a@c": Row("Pass", "a")}
            found = Judge(self.lists(), stock, {"a"}).judge(
                {"a@c": Row("Pass", "a")})
            self.assertEqual([f.verdict for f in found],
                             [Verdict.LOST, Verdict.PASSED])

    def test_a_test_that_is_its_own_row_on_stock_only_is_not_lost(self):
        found = Judge(self.lists(), {"a": Row("Skip", "a")}, {"a"}).judge(
            {"a@b": Row("Pass", "a")})
        self.assertEqual([f.verdict for f in found],
                         [Verdict.SKIPPED, Verdict.PASSED])
        self.assertIn("subtests", found[0].why)

    def test_gains(self):
        self.check(Verdict.GAINED, "a", "Pass", "Fail")
        self.check(Verdict.GAINED, "lucky", "Pass", "Fail")
        self.check(Verdict.UNEXPECTED_PASS, "listed", "Pass", "Fail")

    def test_failures_on_both_sides_are_listed(self):
        self.check(Verdict.EXPECTED, "listed", "Fail", "Fail")
        self.check(Verdict.UNLISTED, "listed", "Crash", "Fail")
        self.check(Verdict.UNLISTED, "a", "Fail", "Fail")
        self.check(Verdict.FAILS_ON_STOCK, "a", "Fail", "Fail", listed=False)

    def test_a_listed_failure_is_no_skip(self):
        self.check(Verdict.STALE, "listed", "Skip", "Skip")

    def test_skips(self):
        self.check(Verdict.SKIPPED, "a", "Skip", "Skip")
        self.check(Verdict.SKIPPED, "a", "Skip", None)

    def test_without_stock_the_lists_decide(self):
        judge = Judge(self.lists(), None, {"a", "listed"})
        found = judge.judge({"a": Row("Fail", "a"),
                             "b": Row("Pass", "b"),
                             "listed": Row("Fail", "listed")})
        self.assertEqual([f.verdict for f in found],
                         [Verdict.UNLISTED, Verdict.PASSED, Verdict.EXPECTED])

    def test_a_second_run_excuses_known_flakes_only(self):
        for name, verdict in (("flaky", Verdict.FLAKED),
                              ("a", Verdict.UNSTEADY)):
            lost = self.findings(name, "Fail", "Pass")
            again = self.run_again(lost, name, "Pass")
            self.assertEqual([f.verdict for f in again], [verdict])
            again = self.run_again(lost, name, "Fail")
            self.assertEqual([f.verdict for f in again], [Verdict.LOST])

    def test_a_crash_is_no_flake(self):
        for seen in (("Crash", "Pass"), ("Timeout", "Pass"),
                     ("Fail", "Crash", "Pass")):
            found = self.findings("flaky", seen[0], "Pass")
            for status in seen[1:]:
                found = self.run_again(found, "flaky", status)
            self.assertEqual([f.verdict for f in found], [Verdict.UNSTEADY])


class MesaTest(unittest.TestCase):
    def test_a_program_that_does_not_end_is_one(self):
        def run_for_ever(*arguments, timeout, **options):
            raise subprocess.TimeoutExpired("x", timeout)
        mesa = Mesa(Device("driver", ""), stock=False)
        with mock.patch.object(subprocess, "run", run_for_ever):
            with self.assertRaisesRegex(RunError, "x does not end on Mesa"):
                mesa.output_of(["/x"])


class ListTest(ListsTest):
    def test_mistakes_are_refused(self):
        for fails in ("no status\n", "a,Skip\n", "a,Fail\na,Crash\n"):
            with self.assertRaises(RunError):
                self.lists(fails=fails)
        with self.assertRaises(RunError):
            self.lists(flakes="(\n")

    def test_lines_about_nothing_are_found(self):
        lists = self.lists("a,Fail\nb,Fail\n", "^c\n^d\n")
        self.assertEqual(lists.unmatched({"b", "cc"}),
                         ["driver-fails.txt:1", "driver-flakes.txt:2"])


    def test_lines_about_what_does_not_run_are_found(self):
        lists = self.lists("a,Fail\na@b,Fail\na c,Fail\n")
        self.assertEqual(lists.failures_of({"a", "b"}), {"a", "a@b"})


class ReasonTest(unittest.TestCase):
    def check(self, expected, test, **result):
        found = why_skipped(test, {"result": "skip", "returncode": 0,
                                   **result})
        self.assertEqual(found, expected)

    def test_what_the_test_says(self):
        self.check("Test requires GL", "a", out="b\nTest requires GL\nc")
        self.check("Failed to create any GL context", "a",
                   out="piglit: info: Failed to create any GL context\n")

    def test_what_piglit_leaves_out(self):
        self.check("without errors, piglit leaves out what makes errors",
                   "a khr_no_error", out="", err="")

    def test_a_skip_without_a_reason_is_reported_as_it_is(self):
        self.check("no reason: 'skip', status 0, it says nothing", "a")
        self.check("no reason: 'pass', status 3, the end is 'z'",
                   "a khr_no_error", result="pass", returncode=3,
                   out="y\nz\n")


class StatusesTest(unittest.TestCase):
    def test_a_test_without_subtests_is_its_own_row(self):
        result = {"result": "warn", "returncode": 0,
                  "subtests": {"__type__": "Subtests"}}
        self.assertEqual(statuses("a", result), {"a": "Fail"})

    def test_a_death_outside_of_the_subtests_is_seen(self):
        result = {"result": "crash", "returncode": -11,
                  "subtests": {"one": "pass", "two": "fail"}}
        self.assertEqual(statuses("a", result),
                         {"a@one": "Pass", "a@two": "Fail", "a": "Crash"})
        result["subtests"]["two"] = "pass"
        self.assertEqual(statuses("a", result),
                         {"a@one": "Pass", "a@two": "Pass", "a": "Crash"})

    def test_a_failed_subtest_explains_the_status(self):
        result = {"result": "fail", "returncode": 1,
                  "subtests": {"one": "pass", "two": "fail"}}
        self.assertEqual(statuses("a", result),
                         {"a@one": "Pass", "a@two": "Fail"})


if __name__ == "__main__":
    unittest.main()
