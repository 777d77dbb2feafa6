# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Faults of drivers and GPUs that the tests must see.

Patches: Mesa without one patch of src/mesa/fixes. After "Seen by", the patch's
head names suites and cases: in quotation marks, as files of tests/model/kept,
or as C names.

Defects: those of stock drivers, found by tests/drivers/run, and the faults
that pitot-info's unit tests plant."""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile

from mutant import ROOT
from runners import tap
from runners.command import RunError, UsageError, say
from runners.devices import drivers
from runners.totals import Totals

HERE = os.path.dirname(os.path.realpath(__file__))
FIXES = ROOT / "src" / "mesa" / "fixes"

SUITE = re.compile(r"\btests/(\w+)|\b(piglit|model|demo)\b")
NAME = re.compile(r'"([^"]+)"|kept/([\w-]+\.txt)|\b(\w+(?:[_-]\w+){2,})\b')


class Patch:
    """A patch, and what its head says."""

    def __init__(self, path):
        self.name = path.stem
        self.path = path
        head = " ".join(path.read_text().partition("\n--- a/")[0].split())
        seen = head[head.rfind("Seen "):]
        self.suites = list(dict.fromkeys(
            "".join(found) for found in SUITE.findall(seen)))
        self.names = ["".join(found) for found in NAME.findall(seen)]
        places = {driver: f"{self.name} {seen} {head}".find(driver)
                  for driver in drivers()}
        found = [driver for driver in places if places[driver] >= 0]
        self.driver = min(found, key=places.get, default="llvmpipe")

    def command_of(self, suite, build):
        """The runner's command, or None."""
        return {
            "bench": ["patterns", "--driver", self.driver, "--pattern",
                      *self.names[:1], f"{build}/tests/pitot-patterns"],
            "conformance": pytest("conformance", build, "--driver",
                                  self.driver),
            "drivers": ["run", "--all", build],
            "launch": ["run", build],
            "install": ["run"],
            "model": ["run", "--world", self.driver,
                      f"{build}/tests/model/pitot-model"],
            "piglit": ["run", "--no-stock", "--driver", self.driver,
                       "--regex", "|".join(map(re.escape, self.names))],
            "profile": ["run", "--all", "--driver", self.driver, build],
        }.get(suite)

    def is_named(self, case):
        """Whether the head names this case, or no case at all."""
        return not self.names or any(
            name in text for name in self.names
            for text in (case, case.replace("_", " ")))


def pytest(suite, build, *options):
    """The command of a suite that is run by pytest."""
    return [sys.executable, "-B", "-m", "pytest",
            ROOT / "tests" / suite / f"test_{suite}.py", "--build", build,
            "--all", *options]


def count_runner(runner, totals):
    """Runs a suite, and adds its results."""
    with tempfile.NamedTemporaryFile() as results:
        details = (["--details", results.name] if runner[0] == sys.executable
                   else [])
        done = subprocess.run(
            [*runner, *details], stdin=subprocess.DEVNULL,
            env={**os.environ, "PITOT_RESULTS": results.name})
        before = totals.count("failed")
        if details:
            for row in map(json.loads, results):
                totals.add(**row)
        else:
            totals.read(results.name)
    if done.returncode and totals.count("failed") == before:
        raise RunError(f"{runner[0]} ended with status {done.returncode}")


def build_mesa(*patch):
    """Whether Mesa builds without a patch: a later patch may change the same
    lines."""
    return subprocess.run([os.path.join(HERE, "mesa"),
                           *patch]).returncode == 0


def noticed_by(patch, build):
    """The suite and the case that fail without a patch, or None."""
    for suite in patch.suites:
        program, *arguments = patch.command_of(suite, build) or [None]
        if program:
            totals = Totals()
            count_runner([program if program == sys.executable else
                          str(ROOT / "tests" / suite / program), *arguments],
                         totals)
            for verdict, case in totals.rows:
                if verdict == "failed" and patch.is_named(case):
                    return f"{suite}: {case}"
    return None


def run_patches(arguments):
    """Removes one patch after another; returns the exit status."""
    if "PITOT_CACHE" not in os.environ:
        raise UsageError("PITOT_CACHE must name a cache in which Mesa may lack "
                         "a patch")
    totals, build = Totals(), os.path.abspath(arguments.build)
    with contextlib.ExitStack() as cleanup:
        cleanup.callback(build_mesa)
        for path in sorted(FIXES.glob("*.patch")):
            patch = Patch(path)
            if arguments.only not in patch.name:
                continue
            if not build_mesa(str(path)):
                totals.explain("skipped", f"patch: {patch.name}", "patches",
                               patch.name, "a later patch needs it")
                continue
            found = noticed_by(patch, build)
            say(f"{patch.name}: noticed by {found}")
            totals.explain("passed" if found else "failed",
                           f"patch: {patch.name}", "patches", patch.name,
                           f"not noticed by {', '.join(patch.suites)}")
    return totals.finish()


def run_defects(arguments):
    """Looks for the defects of drivers and GPUs; returns the exit status."""
    totals, build = Totals(), arguments.build
    count_runner([str(ROOT / "tests/drivers/run"), "--all", build], totals)
    path = os.path.join(build, "meson-info", "intro-tests.json")
    with open(path, encoding="utf-8") as text:
        tests = json.load(text)
    for test in tests:
        if "info" in {suite.split(":")[-1] for suite in test["suite"]}:
            tap.count_program(test["cmd"],
                              f"info {test['name']}: {{}}".format, totals)
    return totals.finish()
