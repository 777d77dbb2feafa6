# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The test programs that Meson builds (tests/meson.build), in several builds.

meson test runs the same ones.
"""

import json
import os
import pathlib
import subprocess
import zlib

import pytest
from tests.runners.builds import built
from tests.runners.mesa import HANG_GUARD_S

SUPPRESSIONS = pathlib.Path(__file__).parent / "valgrind.supp"

# Only unreachable memory is a leak: drivers keep some until the end.
MEMCHECK = ("valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full",
            "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite",
            f"--suppressions={SUPPRESSIONS}")

# Writing the shadow of a large block is much faster than mapping it again.
MSAN_OPTIONS = ("halt_on_error=1:abort_on_error=1:print_summary=1:"
                "print_stacktrace=1:clear_shadow_mmap_threshold=1073741824")

SANITIZER_OPTIONS = ("halt_on_error=1:abort_on_error=1:print_summary=1:"
                     "print_stacktrace=1")

LAYERS = {"core", "hw", "drm", "info", "sim", "gl", "perf", "pipe",
          "pipe_driver", "profile"}


class Program:
    """A test of Meson's, without the directory of its build."""

    def __init__(self, test):
        self.layer, *self.traits = (suite.partition(":")[2]
                                    for suite in test["suite"])
        self.name = test["name"]
        self.command = test["cmd"]
        self.env = test["env"]

    def __str__(self):
        """Without the layer if the name begins with it, and with the
        arguments: the parts of the contract have one name."""
        name = (self.name if self.name.startswith(self.layer)
                else f"{self.layer} {self.name}")
        return " ".join((name, *map(os.path.basename, self.command[1:])))

    def case(self, name):
        """Each part of the contract is the contract, on each driver; the
        rules are the same ones as on Mesa."""
        rest = name.partition(": ")[2] or name
        if self.layer == "contract":
            return f"contract: {rest}"
        if str(self) == "gl rules":
            return f"rule: {rest}"
        return f"{self}: {rest}"


def programs_of(build):
    path = pathlib.Path(build, "meson-info", "intro-tests.json")
    return [Program(test) for test in json.loads(path.read_text())]


def unit(program):
    return program.layer in LAYERS and "schedules" not in program.traits


def contract(program):
    return program.layer == "contract" or "schedules" in program.traits


def sanitized(program):
    return not {"unscheduled", "unsanitized"} & set(program.traits)


def uninitialised(program):
    """MSan does not see Jansson's writes, because Jansson is not compiled
    with it."""
    return sanitized(program) and "jansson" not in program.traits


def on_valgrind(program):
    return "jansson" in program.traits and "slow" not in program.traits


WANTED = {"test_unit": unit, "test_contract": contract,
          "test_sanitize": sanitized, "test_msan": uninitialised,
          "test_valgrind": on_valgrind}


def pytest_generate_tests(metafunc):
    wanted = WANTED[metafunc.function.__name__]
    found = [program for program in programs_of(
        metafunc.config.option.build or built("tests")) if wanted(program)]
    if wanted is sanitized and not metafunc.config.option.all:
        found = [program for program in found if "slow" not in program.traits]
    metafunc.parametrize("program", found, ids=str)


def run(program, build, results, wrapper=(), **env):
    """Runs a program of a build, whose cases are the results."""
    (same,) = (other for other in programs_of(build)
               if str(other) == str(program)
               and other.traits == program.traits)
    # Fresh and freed memory has other contents in each program.
    env["MALLOC_PERTURB_"] = str(zlib.crc32(str(program).encode()) % 255 + 1)
    done = subprocess.run([*wrapper, *same.command], text=True,
                          errors="replace", stdout=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, timeout=HANG_GUARD_S,
                          env={**os.environ, **env, **same.env})
    print(done.stdout)
    results.add_tap(done.stdout, done.returncode, program.case)


def test_unit(program, build, results):
    run(program, build, results)


def test_contract(program, build, results):
    run(program, build, results)


@pytest.fixture
def few_schedules(pytestconfig):
    """Sanitizers do not depend on the order of events."""
    return "50" if pytestconfig.option.all else "2"


def test_sanitize(program, built, few_schedules, results):
    run(program, built("sanitize"), results, PITOT_SCHEDULES=few_schedules,
        ASAN_OPTIONS=SANITIZER_OPTIONS, UBSAN_OPTIONS=SANITIZER_OPTIONS)


def test_msan(program, built, few_schedules, results):
    run(program, built("msan"), results, PITOT_SCHEDULES=few_schedules,
        MSAN_OPTIONS=MSAN_OPTIONS)


def test_valgrind(program, build, results):
    run(program, build, results, MEMCHECK)
