# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The judgement of defects and promises, without Mesa."""

import subprocess

import pytest
from tests.drivers.defects import (Entry, entries, outcome, stock_is_expected,
                                   verdict)
from tests.runners.devices import Device
from tests.runners.mesa import Mesa

SKL, NAVI = Device("iris", "skl"), Device("radeonsi", "navi21")
DEFECT, PROMISE = Entry("defect", "a"), Entry("promise", "a")
LACK, WORSE = Entry("lack", "a", "iris"), Entry("worse", "a", "iris")
OTHERS = (Entry("lack", "b", "iris"), Entry("worse", "a", "freedreno"))
WRONG, CRASH = "wrong: 3", "failed with status 3: no"


@pytest.mark.parametrize("entry, exceptions, on_skl, on_navi, expected", [
    # Some driver has each defect.
    (DEFECT, (), WRONG, "right", True),
    (DEFECT, (), "right", WRONG, True),
    (DEFECT, (), "right", "right", False),
    (DEFECT, (), CRASH, "right", False),
    # All keep a promise.
    (PROMISE, (), "right", "right", True),
    (PROMISE, (), "right", WRONG, False),
    (PROMISE, (), CRASH, "right", False),
    # Stock is judged where Pitot is excepted, on that driver.
    (PROMISE, (LACK,), WRONG, "right", True),
    (PROMISE, (LACK,), "right", "right", False),
    (PROMISE, (WORSE,), "right", "right", True),
    (PROMISE, (WORSE,), WRONG, "right", False),
    (DEFECT, (LACK,), "right", WRONG, False),
    (DEFECT, (LACK,), WRONG, "right", True),
    (DEFECT, (WORSE,), WRONG, WRONG, False),
    (DEFECT, OTHERS, "right", WRONG, True)])
def test_stock_is_expected(entry, exceptions, on_skl, on_navi, expected):
    assert stock_is_expected(entry, exceptions,
                             {SKL: on_skl, NAVI: on_navi}) == expected


@pytest.mark.parametrize("exceptions, seen, expected", [
    ((), "right", "passed"), ((), WRONG, "failed"), ((), CRASH, "failed"),
    (OTHERS, "right", "passed"), (OTHERS, WRONG, "failed"),
    ((LACK,), WRONG, "listed"), ((LACK,), "right", "failed"),
    ((WORSE,), WRONG, "listed"), ((WORSE,), CRASH, "failed")])
def test_verdict(exceptions, seen, expected):
    for entry in DEFECT, PROMISE:
        assert verdict(entry, exceptions, SKL, seen) == expected


@pytest.fixture
def program(tmp_path):
    """A function that writes a program, of a shell script."""
    def write(script, name="program"):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path
    return write


# In place of src/mesa/run.
LAUNCHER = 'while [ "$1" != env ]; do shift; done; exec "$@"'


@pytest.mark.parametrize("script, expected", [
    ("echo right", "right"),
    ("echo '# 3'; echo '# 4'; echo wrong", "wrong: 3 : 4"),
    # A crash is neither.
    ("kill -SEGV $$", "failed with status -11"),
    ("echo right; kill -SEGV $$", "failed with status -11"),
    ("echo wrong; echo no >&2; exit 1", "failed with status 1: no"),
    ("true", "failed with status 0"),
    ("echo 'pitot-sim: violation: x' >&2; echo right", "violated: pitot-sim"),
    ("echo 'pitot-sim: violation: x' >&2; echo wrong", "wrong"),
    ('test "$*" = name && echo right', "right")])
def test_outcome(script, expected, program):
    side = Mesa(SKL, False, program(LAUNCHER, "launcher"))
    assert outcome(side, program(script), "name").startswith(expected)


def test_a_machine_has_no_simulator(program):
    side = Mesa(Device("iris", "", "machine"), False,
                program(LAUNCHER, "launcher"))
    assert outcome(side, program('test "$*" = "--machine a" && echo right'),
                   "a") == "right"


def test_entries(program):
    assert entries(program("echo defect a; echo lack a iris; echo promise b "
                           "radeonsi")) == (
        [DEFECT, Entry("promise", "b", "radeonsi")], [LACK])
    with pytest.raises(subprocess.CalledProcessError):
        entries(program("echo defect a; kill -SEGV $$"))
