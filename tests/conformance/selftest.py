#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of the judgement in tests/conformance/run, without Mesa."""

import os
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

import deadlock
import document
import restart
from judge import CONTEXT_NAMES, Judge, judge_device
from runners.command import RunError
from runners.devices import Device
from runners.fixture import FilesTest
from runners.tap import Result
from runners.totals import Totals

SKL = Device("iris", "skl", "default")
TGL = Device("iris", "tgl")
MACHINE = Device("iris", "", "machine")

FAILS = """# why
all: known (GL, 1),Fail
core: dead (GL, 2),Crash
skl es2: here (GL, 3),Fail
icl+ es2: later (GL, 5),Fail
? tgl es2: now and then (GL, 4),Fail
"""
LACKS = """es2: no blits
iris compat core: no pixels
iris tgl es3: no luck
simulated es3: no light
"""


class JudgeTest(FilesTest):
    def judge_of(self, fails=FAILS, lacks=LACKS):
        self.write("iris-fails.txt", fails)
        self.write("lacks.txt", lacks)
        return Judge("iris", self.directory)

    def check(self, expected, device, context, *result):
        verdict, _ = self.judge_of().verdict(device, context, Result(*result))
        self.assertEqual(verdict, expected)

    def test_no_list_is_about_the_failures_of_a_machines_GPU(self):
        self.check("failed", MACHINE, "es2", "known (GL, 1)", "failed")
        self.check("passed", MACHINE, "es2", "known (GL, 1)", "passed")

    def test_only_listed_failures_are_listed(self):
        self.check("listed", SKL, "es2 ANGLE", "known (GL, 1)", "failed")
        self.check("failed", SKL, "core", "other (GL, 1)", "failed")
        self.check("listed", SKL, "es2", "here (GL, 3)", "failed")
        self.check("listed", TGL, "es2", "later (GL, 5)", "failed")
        self.check("failed", SKL, "es2", "later (GL, 5)", "failed")
        self.check("failed", TGL, "es2", "here (GL, 3)", "failed")

    def test_a_crash_is_listed_as_one(self):
        self.check("listed", SKL, "core", "dead (GL, 2)", "crashed")
        self.check("failed", SKL, "core", "dead (GL, 2)", "failed")
        self.check("failed", SKL, "core", "known (GL, 1)", "crashed")

    def test_a_listed_failure_that_passes_fails(self):
        self.check("failed", SKL, "core", "known (GL, 1)", "passed")
        self.check("passed", TGL, "es2", "now and then (GL, 4)", "passed")
        self.check("listed", TGL, "es2", "now and then (GL, 4)", "failed")

    def test_what_vanishes_fails(self):
        self.check("skipped", SKL, "es2 no-error", "a", "skipped", "no blits")
        self.check("failed", SKL, "es3", "a", "skipped", "no blits")
        self.check("skipped", SKL, "core", "a", "skipped", "no pixels")
        self.check("skipped", TGL, "es3", "a", "skipped", "no luck")
        self.check("failed", SKL, "es3", "a", "skipped", "no luck")

    def test_a_real_GPU_has_all_that_simulated_ones_lack(self):
        self.check("skipped", SKL, "es3", "a", "skipped", "no light")
        self.check("failed", MACHINE, "es3", "a", "skipped", "no light")
        self.check("failed", MACHINE, "es2", "here (GL, 3)", "failed")
        simulated = Device("iris", "tgl", "machine")
        self.check("skipped", simulated, "es3", "a", "skipped", "no light")

    def test_a_failure_says_how_stock_Mesa_does(self):
        rule, totals = ("es2", "a"), Totals()
        judge_device(self.judge_of(), MACHINE,
                     {rule: Result("a", "failed", "x")}, totals,
                     {rule: Result("a", "passed")})
        self.assertIn("failed: iris: es2: a (x; passed on stock Mesa)",
                      totals.explanations())

    def test_a_line_about_nothing_is_found(self):
        judge = self.judge_of()
        judge.verdict(SKL, "core", Result("known (GL, 1)", "failed"))
        judge.verdict(SKL, "core", Result("dead (GL, 2)", "skipped", "x"))
        judge.verdict(SKL, "es2", Result("a", "skipped", "no blits"))
        self.assertEqual(judge.unseen({SKL: CONTEXT_NAMES}),
                         ["iris-fails.txt:3", "iris-fails.txt:4",
                          "lacks.txt:2 in compat", "lacks.txt:2 in core",
                          "lacks.txt:4"])
        self.assertEqual(len(judge.unseen({SKL: CONTEXT_NAMES,
                                           TGL: CONTEXT_NAMES})), 8)
        self.assertEqual(len(judge.unseen({SKL: CONTEXT_NAMES,
                                           TGL: ("core",)})), 5)

    def test_a_line_about_nothing_in_one_of_its_contexts_is_found(self):
        judge = self.judge_of(fails="")
        for context, why in (("es2", "no blits"), ("core", "no pixels")):
            judge.verdict(SKL, context, Result("a", "skipped", why))
        self.assertEqual(judge.unseen({SKL: CONTEXT_NAMES}),
                         ["lacks.txt:2 in compat", "lacks.txt:4"])

    def test_mistakes_are_refused(self):
        for fails in ("all: no status\n", "all: a,Skip\n", "a,Fail\n",
                      "navi31 all: a,Fail\n", "sklx all: a,Fail\n",
                      "es4: a,Fail\n"):
            with self.assertRaises(RunError):
                self.judge_of(fails=fails)
        for lacks in ("es4: a\n", "es2\n", "es2 iris: a\n", "a b c es2: d\n",
                      "softpip es2: a\n", "iris sklx es2: a\n",
                      "iris navi31 es2: a\n", "skl es2: a\n"):
            with self.assertRaises(RunError):
                self.judge_of(lacks=lacks)

    def test_a_context_that_is_gone_fails(self):
        totals = Totals()
        results = {("es2", name): Result(name, "skipped", "no blits")
                   for name in ("a", "b")}
        judge_device(self.judge_of(), SKL, results, totals)
        self.assertEqual(totals.count("failed"), 1)


class DocumentTest(FilesTest):
    def write_document(self, text):
        paths = {"REPORT": os.path.join(self.directory, "report.md"),
                 "DOCUMENT": self.write("document.md", text)}
        rule = "begin: id zero (GL, 4.2.2)"
        stock = {("core", rule): Result(rule, "passed"),
                 ("es2", rule): Result(rule, "failed")}
        pitot = {context: Result(rule, "passed")
                 for context in (*stock, ("core no-error", rule))}
        with mock.patch.multiple(document, **paths), \
                mock.patch("runners.origin.line", lambda command: command):
            document.write({SKL: stock}, {SKL: pitot, TGL: {}})
        return [pathlib.Path(path).read_text(encoding="utf-8")
                for path in paths.values()]

    def test_the_report_has_rules_and_the_document_their_totals(self):
        totals = ("| iris, stock | 1 | 1 | – | – |\n"
                  "| iris, Pitot | 2 | 0 | 1 | 0 |\n")
        report, written = self.write_document(
            f"before\n{document.BEGIN}old\n{document.END}after\n")
        self.assertIn(f"\n{document.COMMAND}\n", report)
        self.assertIn("| begin: id zero | GL, 4.2.2 | in part | yes |\n",
                      report)
        self.assertIn(totals, report)
        self.assertTrue(written.startswith(f"before\n{document.BEGIN}"))
        self.assertTrue(written.endswith(
            f"{totals}{document.END}after\n"))
        self.assertNotIn("old", written)

    def test_a_document_without_marks_is_an_error(self):
        with self.assertRaises(ValueError):
            self.write_document("before\n")


class RestartTest(FilesTest):
    def run_rules(self, script, **options):
        def start(first):
            return subprocess.Popen(
                [self.write("rules", "#!/bin/sh\n" + script), str(first)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        found = restart.run(start, ["a", "b", "c"], **options)
        return [result.verdict for result in found.values()]

    def test_after_a_death_the_next_rule_begins(self):
        self.assertEqual(self.run_rules(
            """case $1 in
            0) echo 1..3; echo ok 1 - a; kill -KILL $$ ;;
            2) echo 1..1; echo ok 1 - c ;; esac"""),
            ["passed", "failed", "passed"])

    def test_after_a_deadlock_the_next_rule_begins(self):
        with mock.patch.object(deadlock.Watch, "is_deadlocked",
                               return_value=True) as looks:
            self.assertEqual(self.run_rules(
                """case $1 in
                0) echo 1..3; echo ok 1 - a; exec sleep 10000 ;;
                2) echo 1..1; echo ok 1 - c ;; esac"""),
                ["passed", "failed", "passed"])
        looks.assert_called()

    def test_after_many_deaths_the_rest_does_not_run(self):
        self.assertEqual(self.run_rules(
            "echo $1 >>$0.starts; echo 1..3; kill -KILL $$", max_deaths=2),
            ["failed", "failed", "failed"])
        with open(os.path.join(self.directory, "rules.starts"),
                  encoding="utf-8") as starts:
            self.assertEqual(starts.read(), "0\n1\n")


# What a thread of a program waits for: another thread, time, or input.
WAITS = {"lock": "held.acquire()", "time": "time.sleep(10000)",
         "poll nothing": "poll.poll(None)", "input": "sys.stdin.read()",
         "poll input": "poll.register(0); poll.poll(None)",
         "lock for a time": "held.acquire(timeout=10000)"}
PROGRAM = """
import select, sys, threading, time
held, poll = threading.Lock(), select.poll()
held.acquire()
def other():
    %s
threading.Thread(target=other, daemon=True).start()
print("waits", flush=True)
%s
"""


@unittest.skipUnless(deadlock.is_visible(), "the kernel tells no system calls")
class DeadlockTest(unittest.TestCase):
    def looks(self, count, *waits):
        """Many checks take enough time for the program's threads to run."""
        with subprocess.Popen(
                [sys.executable, "-c",
                 PROGRAM % tuple(WAITS[wait] for wait in waits)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            while (states := restart.threads_of(process.pid)[0]) != {"S"}:
                self.assertLessEqual(states, set("RSD"))
            watch = deadlock.Watch(process.pid)
            try:
                for _ in range(count):
                    yield watch.is_deadlocked()
            finally:
                process.kill()

    def test_threads_that_wait_for_each_other_are_in_one(self):
        for waits in (("lock", "lock"), ("lock", "poll nothing")):
            self.assertTrue(any(self.looks(100000, *waits)), waits)

    def test_threads_that_something_may_wake_are_not(self):
        for wait in ("time", "input", "poll input", "lock for a time"):
            for waits in (("lock", wait), (wait, "lock")):
                self.assertFalse(any(self.looks(200, *waits)), waits)


if __name__ == "__main__":
    unittest.main()
