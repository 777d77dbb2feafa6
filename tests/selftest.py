#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of the counting of tests: nothing passes that was not seen to pass."""

import contextlib
import io
import json
import os
import re
import subprocess
import tempfile
import textwrap
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from runners import devices, lists, tap
from runners.command import RunError
from runners.fixture import FilesTest
from runners.mesa import HANG_GUARD_S, Mesa
from runners.totals import Totals

HERE = os.path.dirname(os.path.realpath(__file__))
GOOD = "1..2\nok 1 - a\nok 2 - b\n"


def verdicts(text, status=0):
    return [result.verdict for result in tap.results_of(text, status)]


class TapTest(unittest.TestCase):
    def test_all_cases_of_the_plan_pass(self):
        self.assertEqual(verdicts(GOOD), ["passed", "passed"])

    def test_a_program_that_dies_has_failed(self):
        self.assertEqual(verdicts("1..3\nok 1 - a\n", -11),
                         ["passed", "failed", "failed"])
        self.assertEqual(verdicts(GOOD, -11), ["passed", "passed", "failed"])
        self.assertEqual(verdicts(GOOD, 1), ["passed", "passed", "failed"])
        self.assertEqual(verdicts("", 0), ["failed"])
        self.assertEqual(verdicts("1..0\n", 0), ["failed"])
        self.assertEqual(verdicts("ok 1 - a\n", 0), ["passed", "failed"])
        self.assertEqual(verdicts("1..1\nok 1 - a\nok 2 - b\n")[2:],
                         ["failed"])

    def test_a_name_that_comes_twice_has_failed(self):
        self.assertEqual(verdicts("1..2\nok 1 - a\nok 2 - a\n"),
                         ["passed", "passed", "failed"])

    def test_the_numbers_go_on(self):
        for text in ("1..2\nok 1 - a\nok 1 - b\n",
                     "1..2\nok 2 - a\nok 1 - b\n",
                     "1..2\nok 1 - a\n1..0\nok 2 - b\n"):
            self.assertEqual(verdicts(text), ["passed", "passed", "failed"])
        self.assertEqual(verdicts("1..1\nok 1 - a\n1..1\nok 1 - b\n"),
                         ["passed", "passed"])

    def test_chatter_is_no_result(self):
        for text in ("ok, that was the first", "ok", "okay 2 - b"):
            self.assertEqual(verdicts(f"1..2\nok 1 - a\n{text}\n"),
                             ["passed", "failed"])

    def test_a_program_that_gives_up_has_failed(self):
        self.assertEqual(verdicts("1..1\nok 1 - a\nBail out! no GPU\n"),
                         ["passed", "failed"])

    def test_a_failure_is_no_skip(self):
        self.assertEqual(verdicts("1..1\nnot ok 1 - a # SKIP later\n", 1),
                         ["failed"])

    def test_the_status_is_that_of_the_failures(self):
        failed = "1..2\nnot ok 1 - a\nnot ok 2 - b\n"
        for status in (1, 2):
            self.assertEqual(verdicts(failed, status), ["failed", "failed"])
        self.assertEqual(verdicts(failed, 139),
                         ["failed", "failed", "failed"])

    def test_a_skip_says_why(self):
        for text in ("1..1\nok 1 - a # SKIP too old\n",
                     "1..1\n# skip: too old\nok 1 # SKIP a\n",
                     "1..1\n# skip: too old\nnot ok 1 # SKIP a\n"):
            self.assertEqual(tap.results_of(text, 0),
                             [tap.Result("a", "skipped", "too old")])
        self.assertEqual(verdicts("1..1\nok 1 # SKIP a\n", 1), ["failed"])
        self.assertEqual(verdicts("1..0 # SKIP no GPU\n"), ["skipped"])

    def test_a_crash_is_one(self):
        text = "1..1\nnot ok 1 - a\n# Test failed with exception: SIGSEGV\n"
        self.assertEqual(verdicts(text, 1), ["crashed"])


class MesonTest(unittest.TestCase):
    def check(self, expected, status=0, **changed):
        test = {"name": "pitot:contract+others / contract-sim-others",
                "stdout": "1..1\nok 1 - sim skl: a\n", "returncode": 0,
                "result": "OK"}
        totals = Totals()
        tap.count_meson([{**test, **changed}], status, totals)
        self.assertEqual(totals.rows, expected)

    def test_the_case_is_named_without_what_it_runs_on(self):
        self.check([("passed", "contract: a")])
        self.check([("passed", "rule: b: c (d)")], name="pitot:gl / rules",
                   stdout="1..1\nok 1 - es2: b: c (d)\n")
        self.check([("passed", "hw time: e")], name="pitot:hw / time",
                   stdout="1..1\nok 1 - e\n")

    def test_what_Meson_saw_fail_has_failed(self):
        passed = ("passed", "contract: a")
        self.check([passed, ("failed", "contract: the end")], returncode=99,
                   result="FAIL")
        self.check([passed, ("failed", "contract: the program")],
                   result="TIMEOUT")
        self.check([passed, ("failed", "meson test")], status=1)

    def test_no_program_is_a_failure(self):
        totals = Totals()
        tap.count_meson([], 0, totals)
        self.assertEqual(totals.exit_status(), 1)


class TotalsTest(unittest.TestCase):
    def test_lines(self):
        totals = Totals()
        for verdict, case in (("passed", "a"), ("passed", "a"),
                              ("listed", "b"), ("skipped", "c"),
                              ("cost", "d"), ("cost", "d")):
            totals.explain(verdict, case, "skl", case, "why")
        self.assertEqual(totals.lines(),
                         ["4 different cases; 1 listed failures; "
                          "2 costs above stock's",
                          "2 passed, 0 failed, 1 skipped"])
        self.assertEqual(totals.explanations(),
                         ["skipped: skl: 1 for 'why'",
                          "above stock's: 2 for 'why'"])
        self.assertEqual(totals.exit_status(), 0)
        self.assertEqual(Totals().exit_status(), 1)

    def test_a_report_gets_each_result_and_its_reason(self):
        totals = Totals()
        totals.explain("failed", "rule: a", "iris", "core: a", "it hangs")
        totals.add("passed", "b")
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "details")
            with mock.patch.dict(os.environ, PITOT_RESULTS="",
                                 PITOT_DETAILS=path), \
                    contextlib.redirect_stdout(io.StringIO()):
                totals.finish("a line of the summary")
            with open(path, encoding="utf-8") as lines:
                found = [json.loads(line) for line in lines]
        self.assertEqual(found, [
            {"verdict": "failed", "case": "rule: a", "name": "core: a",
             "why": "it hangs"},
            {"verdict": "passed", "case": "b", "name": "b", "why": ""},
            {"summary": ["a line of the summary"]}])


class RunnerTest(unittest.TestCase):
    """Programs that print TAP, such as the golden tests."""

    def run_shell(self, *scripts):
        totals = Totals()
        with contextlib.redirect_stdout(io.StringIO()):
            for script in scripts:
                tap.count_program(["sh", "-c", script],
                                  lambda name: name.partition(" on ")[0],
                                  totals)
        return totals

    def test_a_crash_fails(self):
        good = "echo 1..1; echo ok 1 - a on b"
        totals = self.run_shell(good, good)
        self.assertEqual((totals.exit_status(), totals.lines()),
                         (0, ["1 different cases; 0 listed failures; "
                              "0 costs above stock's",
                              "2 passed, 0 failed, 0 skipped"]))
        for bad in (f"{good}; kill -SEGV $$", "echo 1..2; echo ok 1 - a",
                    "true"):
            totals = self.run_shell(good, bad)
            self.assertEqual(totals.exit_status(), 1)
            self.assertRegex(totals.lines()[-1],
                             r"^\d passed, 1 failed, 0 skip")


class SuitesTest(unittest.TestCase):
    """The functions of tests/run, with this shell script as runner."""

    def check(self, last_line, runner):
        with tempfile.TemporaryDirectory() as directory:
            done = subprocess.run(["bash", "-c", textwrap.dedent(f"""
                . {os.path.join(HERE, "run")}
                scratch={directory}
                run_suite() {{ run_runner a_runner; }}
                a_runner() {{ {runner}; }}
                run_guarded core
                library totals "$PITOT_RESULTS" || [[ $? == 1 ]]
                """)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], last_line, done.stderr)

    def test_thorough_suites_run_with_all_or_if_they_are_named(self):
        def chosen(arguments):
            return subprocess.run(["bash", "-c", textwrap.dedent(f"""
                . {os.path.join(HERE, "run")}
                parse_arguments {arguments}
                echo "${{chosen[*]}}"
                """)], stdout=subprocess.PIPE, check=True,
                text=True).stdout.split()

        self.assertEqual(set(chosen("--all")) - set(chosen("")),
                         {"msan", "coverage", "valgrind"})
        self.assertEqual(chosen("msan unit"), ["msan", "unit"])

    def test_suites_run_side_by_side_and_their_outputs_one_by_one(self):
        with tempfile.TemporaryDirectory() as directory:
            os.mkfifo(os.path.join(directory, "pipe"))
            done = subprocess.run(["bash", "-c", textwrap.dedent(f"""
                . {os.path.join(HERE, "run")}
                scratch={directory}
                run_suite() {{
                    echo "$1"
                    case $1 in
                    core) echo "hello" >"$scratch/pipe" ;;
                    gl) cat "$scratch/pipe" ;;
                    *) kill -KILL $BASHPID ;;
                    esac
                    echo "$1 again"
                    result passed "$1"
                }}
                run_beside core gl hw
                cat "$scratch"/*-results
                echo "again:"
                cat "$scratch/failures"
                """)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                text=True, timeout=HANG_GUARD_S)
        self.assertEqual(done.returncode, 0)
        shown = re.sub(r"^(pitot:|suite) .*\n", "", done.stdout,
                       flags=re.MULTILINE)
        for text in ("core\ncore again\n", "gl\nhello\ngl again\n",
                     "passed\tcore\npassed\tgl\nfailed\tsuite hw\n",
                     "again:\nfailed: suite hw (it broke off"):
            self.assertIn(text, shown)

    def test_the_cpu_time_of_a_suite_is_its_own(self):
        with tempfile.TemporaryDirectory() as directory:
            done = subprocess.run(["bash", "-c", textwrap.dedent(f"""
                . {os.path.join(HERE, "run")}
                scratch={directory}
                work() {{
                    /usr/bin/python3 -c \
                        'import time\nwhile time.process_time() < 1: pass'
                }}
                run_suite() {{
                    case $1 in
                    core) work ;;
                    hw) kill -KILL $BASHPID ;;
                    esac
                    result passed "$1"
                }}
                run_guarded core
                run_guarded gl
                run_guarded hw
                """)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True)
        times_s = dict(re.findall(r"^suite (.*) \(.*, CPUs (\d+) s\)",
                                  done.stderr, flags=re.MULTILINE))
        self.assertNotEqual(times_s.pop("core"), "0")
        self.assertEqual(times_s, {"gl": "0", "hw": "0"})

    def test_a_suite_without_a_result_has_failed(self):
        self.check("0 passed, 1 failed, 0 skipped", """
            echo "0 different cases; 0 listed failures; 0 costs above stock's"
            echo "0 passed, 0 failed, 0 skipped"
            return 1""")

    def test_a_runner_ends_with_the_totals_of_its_results(self):
        totals = """
            echo "1 different cases; 0 listed failures; 0 costs above stock's"
            echo "1 passed, 0 failed, 0 skipped" """
        self.check("1 passed, 0 failed, 0 skipped",
                   f"result passed a; {totals}")
        self.check("0 passed, 1 failed, 0 skipped", totals)
        self.check("1 passed, 1 failed, 0 skipped",
                   f"result passed a; {totals}; return 1")
        self.check("2 passed, 1 failed, 0 skipped",
                   f"result passed a; result passed b; {totals}")


class GpusTest(unittest.TestCase):
    def test_the_list_has_each_GPU_once_and_a_default_each_driver(self):
        listed = devices.simulated()
        drivers = {device.driver for device in listed}
        self.assertEqual(len({device.gpu for device in listed}), len(listed))
        self.assertEqual(drivers, {"iris", "radeonsi", "freedreno"})
        for driver in drivers:
            marks = [device.mark for device in listed
                     if device.driver == driver]
            self.assertEqual(sorted(set(marks) - {"twin"}), ["-", "default"])
            self.assertEqual(marks.count("default"), 1)

    def test_each_generation_has_a_first_GPU_and_no_twin(self):
        first = devices.first_of_generations(devices.known())
        places = [(device.driver, devices.generations().get(device.gpu))
                  for device in first]
        self.assertEqual(len(set(places)), len(places))
        self.assertEqual(set(places), {
            (device.driver, devices.generations().get(device.gpu))
            for device in devices.known()})
        self.assertNotIn("twin", {device.mark for device in first})
        self.assertLessEqual(set(devices.defaults(devices.known())),
                             set(first))

    def test_the_machines_GPU_is_a_default(self):
        machine = devices.machine("iris")
        self.assertEqual(devices.defaults([machine]), [machine])


class MesaTest(FilesTest):
    """Programs on Mesa get the launcher's environment."""

    # Logs each call to a file, sets a variable, and unsets one.
    LAUNCHER = """#!/bin/sh
echo "$1 $2 $3 $4" >>"$CALLS"
[ -z "$BROKEN" ] || exit 3
shift 4
unset TAKEN
MESA="$BEFORE mesa" exec "$@"
"""

    def setUp(self):
        super().setUp()
        self.mesa = Mesa(devices.Device("iris", "skl"), False,
                         self.write("launcher", self.LAUNCHER))
        self.calls = os.path.join(self.directory, "calls")

    def run_on_mesa(self, **changed):
        with mock.patch.dict(os.environ, CALLS=self.calls, TAKEN="here"):
            return self.mesa.output_of(
                ["sh", "-c", "echo $MESA, ${TAKEN-none}"],
                env={**os.environ, **changed})

    def calls_of_launcher(self):
        with open(self.calls, encoding="utf-8") as stream:
            return stream.read().splitlines()

    def test_the_launcher_is_asked_once_for_each_environment(self):
        for before in ("a", "a", "b", "a"):
            self.assertEqual(self.run_on_mesa(BEFORE=before),
                             f"{before} mesa, none\n")
        self.assertEqual(self.calls_of_launcher(),
                         ["--driver iris --gpu skl"] * 2)

    def test_the_launcher_is_asked_once_for_each_driver(self):
        env = {**os.environ, "CALLS": self.calls, "BEFORE": "a"}
        for gpu in ("skl", "dg2"):
            found = self.mesa._replace(
                device=devices.named_gpu(gpu)).environment(env)
            self.assertEqual(found["PITOT_SIM"], gpu)
        self.assertEqual(self.calls_of_launcher(),
                         ["--driver iris --gpu skl"])

    def test_the_launcher_is_asked_once_by_many_threads(self):
        env = {**os.environ, "CALLS": self.calls, "BEFORE": "a"}
        together = threading.Barrier(8)

        def ask(_):
            together.wait()
            return self.mesa.environment(env)["MESA"]

        with ThreadPoolExecutor(8) as pool:
            self.assertEqual(set(pool.map(ask, range(8))), {"a mesa"})
        self.assertEqual(len(self.calls_of_launcher()), 1)

    def test_an_environment_is_the_caller_s(self):
        env = {**os.environ, "CALLS": self.calls, "BEFORE": "a"}
        for driver in ("zink", "iris"):
            mesa = self.mesa._replace(device=devices.default(driver))
            mesa.environment(env)["NEW"] = "value"
            self.assertNotIn("NEW", mesa.environment(env))

    def test_a_launcher_that_fails_starts_nothing(self):
        with self.assertRaisesRegex(RunError, "status 3"):
            self.run_on_mesa(BROKEN="yes")


class ListsTest(FilesTest):
    def test_a_list_may_be_of_a_generation_and_later_ones(self):
        def listed(gpu):
            return list(lists.Expectations(
                self.directory, devices.named_gpu(gpu)).fails)

        self.write("radeonsi-navi31+-fails.txt", "a,Fail\n")
        self.write("radeonsi-navi31-fails.txt", "b,Fail\n")
        self.assertEqual(listed("navi31"), ["a", "b"])
        self.assertEqual(listed("navi48"), ["a"])
        self.assertEqual(listed("navi21"), [])
        self.assertEqual(listed("dg2"), [])

    def test_a_list_of_nobody_is_found(self):
        for name in ("iris-fails.txt", "softpip-fails.txt", "lacks.txt",
                     "iris-skl-flakes.txt", "simulated-tests.txt",
                     "navi31-skips.txt", "amd-differences.txt",
                     "radeonsi-navi31+-fails.txt"):
            self.write(name, "")
        of_nobody = ["amd-differences.txt", "navi31-skips.txt",
                     "softpip-fails.txt"]
        self.assertEqual(lists.unknown_lists(self.directory, True), of_nobody)
        self.assertEqual(lists.unknown_lists(self.directory, False),
                         sorted([*of_nobody, "iris-skl-flakes.txt",
                                 "radeonsi-navi31+-fails.txt",
                                 "simulated-tests.txt"]))

    def test_all_lists_are_of_somebody(self):
        for name, with_gpus in (("conformance", False), ("model", False),
                                ("piglit", True), ("deqp", True)):
            self.assertEqual(lists.unknown_lists(os.path.join(HERE, name),
                                                 with_gpus), [])


if __name__ == "__main__":
    unittest.main()
