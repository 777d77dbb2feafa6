# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of the counting of tests: nothing passes that was not seen to pass."""

import os
import pathlib
import subprocess
import sys

import pytest
from tests.runners import devices, lists, tap
from tests.runners.command import RunError
from tests.runners.mesa import Mesa
from tests.runners.totals import Totals

TESTS = pathlib.Path(__file__).resolve().parents[1]

#
# TAP
#

GOOD = "1..2\nok 1 - a\nok 2 - b\n"
FAILED = "1..2\nnot ok 1 - a\nnot ok 2 - b\n"


@pytest.mark.parametrize("text, status, verdicts", [
    (GOOD, 0, "passed passed"),
    # A program that dies has failed.
    ("1..3\nok 1 - a\n", -11, "passed failed failed"),
    (GOOD, -11, "passed passed failed"), (GOOD, 1, "passed passed failed"),
    ("", 0, "failed"), ("1..0\n", 0, "failed"),
    ("ok 1 - a\n", 0, "passed failed"),
    ("1..1\nok 1 - a\nok 2 - b\n", 0, "passed passed failed"),
    ("1..1\nok 1 - a\nBail out! no GPU\n", 0, "passed failed"),
    # A name comes once, and the numbers continue.
    ("1..2\nok 1 - a\nok 2 - a\n", 0, "passed passed failed"),
    ("1..2\nok 1 - a\nok 1 - b\n", 0, "passed passed failed"),
    ("1..2\nok 2 - a\nok 1 - b\n", 0, "passed passed failed"),
    ("1..2\nok 1 - a\n1..0\nok 2 - b\n", 0, "passed passed failed"),
    ("1..1\nok 1 - a\n1..1\nok 1 - b\n", 0, "passed passed"),
    # Chatter is no result.
    *((f"1..2\nok 1 - a\n{chatter}\n", 0, "passed failed") for chatter in (
        "ok, that was the first", "ok", "okay 2 - b")),
    # The failures explain a status of 1 or 2, and none of 139.
    (FAILED, 1, "failed failed"), (FAILED, 2, "failed failed"),
    (FAILED, 139, "failed failed failed"),
    # A failure is no skip, and a skip says why.
    ("1..1\nnot ok 1 - a # SKIP later\n", 1, "failed"),
    ("1..1\nok 1 # SKIP a\n", 1, "failed"),
    ("1..0 # SKIP no GPU\n", 0, "skipped"),
    ("1..1\nnot ok 1 - a\n# Test failed with exception: SIGSEGV\n", 1,
     "crashed")])
def test_verdicts(text, status, verdicts):
    assert [result.verdict for result in tap.results_of(text, status)
            ] == verdicts.split()


@pytest.mark.parametrize("text", [
    "1..1\nok 1 - a # SKIP too old\n", "1..1\n# skip: too old\nok 1 # SKIP a\n",
    "1..1\n# skip: too old\nnot ok 1 # SKIP a\n"])
def test_a_skip_says_why(text):
    assert tap.results_of(text, 0) == [tap.Result("a", "skipped", "too old")]


def test_totals():
    totals = Totals()
    for verdict, case in (("passed", "a"), ("passed", "a"), ("listed", "b"),
                          ("skipped", "c"), ("cost", "d"), ("cost", "d")):
        totals.explain(verdict, case, "skl", case, "why")
    assert totals.lines() == [
        "4 different cases; 1 listed failures; 2 costs above stock's",
        "2 passed, 0 failed, 1 skipped"]
    assert totals.explanations() == ["skipped: skl: 1 for 'why'",
                                     "above stock's: 2 for 'why'"]


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


#
# Devices and their lists
#

def test_the_list_has_each_GPU_once_and_a_default_each_driver():
    listed = devices.simulated()
    drivers = {device.driver for device in listed}
    assert len({device.gpu for device in listed}) == len(listed)
    assert drivers == {"iris", "radeonsi", "freedreno"}
    for driver in drivers:
        marks = [device.mark for device in listed if device.driver == driver
                 and not device.mark[:1].isdigit()]
        assert set(marks) - {"twin"} == {"-", "default"}
        assert marks.count("default") == 1


def test_each_generation_has_a_first_GPU_and_no_twin():
    def places(found):
        return [(device.driver, devices.generations().get(device.gpu))
                for device in found]

    first = devices.first_of_generations(devices.known())
    assert len(set(places(first))) == len(first)
    assert set(places(first)) == set(places(devices.known()))
    assert "twin" not in {device.mark for device in first}
    assert set(devices.defaults(devices.known())) <= set(first)


def test_the_machines_GPU_is_a_default():
    machine = devices.machine("iris")
    assert devices.defaults([machine]) == [machine]


@pytest.mark.parametrize("gpu, listed", [
    ("navi31", ["a", "b"]), ("navi48", ["a"]), ("navi21", []), ("dg2", [])])
def test_a_list_may_be_of_a_generation_and_later_ones(gpu, listed, tmp_path):
    (tmp_path / "radeonsi-navi31+-fails.txt").write_text("a,Fail\n")
    (tmp_path / "radeonsi-navi31-fails.txt").write_text("b,Fail\n")
    assert list(lists.Expectations(
        tmp_path, devices.named_gpu(gpu)).fails) == listed


def test_a_list_of_nobody_is_found(tmp_path):
    of_nobody = ["amd-differences.txt", "navi31-skips.txt",
                 "softpip-fails.txt"]
    of_gpus = ["iris-skl-flakes.txt", "radeonsi-navi31+-fails.txt",
               "simulated-tests.txt"]
    for name in (*of_nobody, *of_gpus, "iris-fails.txt", "lacks.txt"):
        (tmp_path / name).touch()
    assert lists.unknown_lists(tmp_path, True) == of_nobody
    assert lists.unknown_lists(tmp_path, False) == sorted(of_nobody + of_gpus)


@pytest.mark.parametrize("name, with_gpus", [
    ("conformance", False), ("model", False), ("piglit", True),
    ("deqp", True)])
def test_all_lists_are_of_somebody(name, with_gpus):
    assert lists.unknown_lists(TESTS / name, with_gpus) == []


#
# Programs on Mesa
#

# Logs each call to a file, sets a variable, and unsets one.
LAUNCHER = """#!/bin/sh
echo "$1 $2 $3 $4" >>"$CALLS"
[ -z "$BROKEN" ] || exit 3
shift 4
unset TAKEN
MESA="$BEFORE mesa" exec "$@"
"""


@pytest.fixture
def env(tmp_path):
    return {**os.environ, "CALLS": f"{tmp_path}/calls", "TAKEN": "here",
            "BEFORE": "a"}


@pytest.fixture
def mesa(tmp_path):
    (tmp_path / "launcher").write_text(LAUNCHER)
    (tmp_path / "launcher").chmod(0o755)
    return Mesa(devices.Device("iris", "skl"), False,
                str(tmp_path / "launcher"))


@pytest.fixture
def calls(tmp_path):
    return lambda: (tmp_path / "calls").read_text().splitlines()


def on_mesa(mesa, env):
    return mesa.output_of(["sh", "-c", "echo $MESA, ${TAKEN-none}"], env=env)


def test_the_launcher_is_asked_once_for_each_environment(mesa, env, calls):
    for before in "aaba":
        assert on_mesa(mesa, {**env, "BEFORE": before}
                       ) == f"{before} mesa, none\n"
    assert calls() == ["--driver iris --gpu skl"] * 2


def test_the_launcher_is_asked_once_for_each_driver(mesa, env, calls):
    for gpu in ("skl", "dg2"):
        assert mesa._replace(device=devices.named_gpu(gpu)).environment(env)[
            "PITOT_SIM"] == gpu
    assert calls() == ["--driver iris --gpu skl"]


@pytest.mark.parametrize("driver", ["zink", "iris"])
def test_an_environment_is_the_caller_s(driver, mesa, env):
    mesa = mesa._replace(device=devices.default(driver))
    mesa.environment(env)["NEW"] = "value"
    assert "NEW" not in mesa.environment(env)


def test_a_program_that_does_not_end_is_one(mesa, monkeypatch):
    def run_forever(*_, timeout, **options):
        if "env" in options and timeout:
            raise subprocess.TimeoutExpired("x", timeout)

    monkeypatch.setattr(Mesa, "environment", lambda *_: {})
    monkeypatch.setattr(subprocess, "run", run_forever)
    with pytest.raises(RunError, match="x does not end on Mesa"):
        mesa.output_of(["/x"])


def test_a_launcher_that_fails_starts_nothing(mesa, env):
    with pytest.raises(RunError, match="status 3"):
        on_mesa(mesa, {**env, "BROKEN": "yes"})
