# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of the counting of tests: nothing passes that was not seen to pass."""

import os
import subprocess
import sys
import tempfile
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import pytest
from tests.runners import devices, lists, tap
from tests.runners.command import RunError
from tests.runners.mesa import Mesa
from tests.runners.totals import Totals

TESTS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
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


class FilesTest(unittest.TestCase):
    """A test with files in a temporary directory."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def write(self, name, text):
        """Writes a file, which may be a program, and returns its path."""
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(path, 0o755)
        return path


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

    def test_a_program_that_does_not_end_is_one(self):
        def run_forever(*_, timeout, **options):
            if "env" in options and timeout:
                raise subprocess.TimeoutExpired("x", timeout)

        with mock.patch.object(Mesa, "environment", lambda *_: {}), \
                mock.patch.object(subprocess, "run", run_forever), \
                self.assertRaisesRegex(RunError, "x does not end on Mesa"):
            self.mesa.output_of(["/x"])

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
            self.assertEqual(lists.unknown_lists(os.path.join(TESTS, name),
                                                 with_gpus), [])


@pytest.mark.parametrize("quick, status", [
    ("[]", pytest.ExitCode.TESTS_FAILED), ("known", pytest.ExitCode.OK)])
def test_a_device_that_no_test_is_of_is_an_error(quick, status, tmp_path):
    (tmp_path / "test_it.py").write_text("import pytest\n" + "".join(
        f"@pytest.mark.devices(lambda known: {chosen})\n"
        f"def test_{number}(device):\n    pass\n"
        for number, chosen in enumerate(("[]", quick))))
    assert subprocess.run(
        [sys.executable, "-B", "-m", "pytest", tmp_path, "--driver", "iris",
         "--rootdir", TESTS, "-c", f"{TESTS}/pytest.ini",
         "-p", "tests.conftest"]).returncode == status
