# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Pitot's unit tests, and the rules of GL on Mesa, under faults.

In each run one call of Pitot fails, once, twice or always: an allocation, or a
call of a driver, a pipe_context, a command stream or the kernel (the table of
faults is in tests/fault/fault.c). The programs "iris" and "radeonsi" run the
rules and behaviors of tests/conformance on these Mesa drivers while calls of a
simulated kernel fail, and once more with three interrupted calls before each
call. A run survives if nothing crashes, leaks or hangs, if a number is wrong
only where an error, a status or disjoint explains it, and if all objects are
usable afterwards.

The same share of runs, spread by a hash, is made each time; --for makes rounds
of other shares. A failure prints its round and fault, for PITOT_FAULT_ROUND,
PITOT_FAULT and PITOT_FAULT_CASE (tests/fault/cases.h).
"""

import itertools
import os
import re
import subprocess
import time
from subprocess import CompletedProcess

import pytest
from tests.conformance.judge import Judge
from tests.runners import devices, tap

# Runs of each program: a few CPU seconds.
RUNS = {"contract": 10000, "hw": 20000, "model": 40000,
        "perf_intel_sets": 5000, "perf_pipe_sets": 5000, "pipe_client": 5000,
        "pipe_statistics_queries": 2000, "rules": 20000, "iris": 500,
        "radeonsi": 300}

# Mesa's drivers, and settings of the simulated GPU.
DRIVERS = ("iris", "radeonsi")
SETTINGS = ("", ",interruptions=3")

FIGURES = re.compile(r"^# (\d+) faults of \d+ injected, (\d+) survived, "
                     r"\d+ told$", re.MULTILINE)

GOOD = """\
1..2
ok 1 - a: x
ok 2 - b: x
# 5 faults of 9 injected, 5 survived, 3 told
"""


def results_of(done, needs_faults=True):
    """The results of a program. Figures that contradict them are failures."""
    results = tap.results_of(done.stdout, done.returncode)
    if any(result.is_bad() for result in results):
        return results
    figures = FIGURES.search(done.stdout)
    injected, survived = map(int, figures.groups() if figures else (0, 0))
    if needs_faults and not injected:
        return [*results, tap.Result("the faults", "failed", "there were none")]
    if survived != injected:
        return [*results, tap.Result("the faults", "failed",
                                     f"{survived} of {injected} survived")]
    return results


def unlisted(driver, results):
    """The results without the failures that tests/conformance expects."""
    judge, device = Judge(driver), devices.default(driver)
    for result in results:
        context, _, rule = result.name.partition(": ")
        if judge.verdict(device, context,
                         result._replace(name=rule))[0] != "listed":
            yield result


def results_on(driver, program, env, number):
    """The results of a round on one of Mesa's drivers."""
    for settings in SETTINGS:
        done = start(program, 1 if settings else RUNS[driver], number,
                     {**env, "PITOT_SIM": env["PITOT_SIM"] + settings},
                     stderr=subprocess.DEVNULL)
        yield from unlisted(driver, results_of(done, not settings))


def start(program, runs, number, env, **options):
    done = subprocess.run(
        [program], stdout=subprocess.PIPE, text=True, errors="replace",
        env={**env, "PITOT_FAULT_RUNS": str(runs),
             "PITOT_FAULT_ROUND": str(number)}, **options)
    print(f"# PITOT_FAULT_ROUND={number}:\n{done.stdout}")
    return done


def worst_of(results_of_round, seed, seconds):
    """The worst results of rounds, which end with time or with a failure."""
    worst, end = {}, time.monotonic() + seconds
    for number in itertools.count(seed):
        for result in results_of_round(number):
            if result.name not in worst or result.is_bad():
                worst[result.name] = result
        if time.monotonic() >= end or any(result.is_bad()
                                          for result in worst.values()):
            return worst.values()


@pytest.mark.parametrize("name", sorted(RUNS))
def test_faults(name, build, on_mesa, seconds, seed, results):
    def results_of_round(number):
        if name in DRIVERS:
            env = on_mesa(devices.default(name)).environment()
            return results_on(name, build / "tests/fault/fault_mesa", env,
                              number)
        return results_of(start(build / f"tests/fault/fault_{name}",
                                RUNS[name], number, os.environ))

    for result in worst_of(results_of_round, seed, seconds):
        case = result.name.partition(": ")[2] or result.name
        results.add(result.count(), "fault: " + (
            "random programs" if name == "model" else case), result.name,
            result.why, where=name)


@pytest.mark.parametrize("text, status, failed", [
    (GOOD, 0, 0), (GOOD, 1, 1), ("1..2\nok 1 - a: x\n", -9, 1),
    (GOOD.replace("5 survived", "4 survived"), 0, 1),
    (GOOD.replace("ok 2", "not ok 2").replace("5 su", "4 su"), 1, 1),
    (GOOD.replace("5 ", "0 "), 0, 1), (GOOD[:GOOD.index("# 5")], 0, 1)])
def test_contradictions(text, status, failed):
    found = results_of(CompletedProcess([], status, text))
    assert sum(result.is_bad() for result in found) == failed


def test_interruptions_need_no_faults():
    text = GOOD.replace("5 ", "0 ")
    assert not any(result.is_bad() for result in results_of(
        CompletedProcess([], 0, text), needs_faults=False))


def test_rounds_end_with_a_failure():
    rounds = []

    def results_of_round(number):
        rounds.append(number)
        return [tap.Result("a", "failed" if number == 4 else "passed")]

    (result,) = worst_of(results_of_round, 2, 600)
    assert rounds == [2, 3, 4] and result.is_bad()
