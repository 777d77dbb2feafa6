# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The suites for the machine's GPU."""

import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Callable, NamedTuple

from report import Outcome
from runners import watch
from runners.command import last_line
from runners.devices import ROOT

TESTS = os.path.join(ROOT, "tests")


class LeftOut(Exception):
    """Why a suite does not run."""


class Suite(NamedTuple):
    """command(job) returns the command line."""
    name: str
    contents: str
    command: Callable


class Job(NamedTuple):
    """The GPU, and how to test it."""
    options: object
    node: object
    device: object

    def machine(self):
        return ["--machine", ":".join(filter(None, (self.device.driver,
                                                    self.device.gpu)))]

    def program(self, path):
        return str(self.options.build.resolve() / path)

    def runner(self, suite, *arguments):
        return [os.path.join(TESTS, suite, "run"), *arguments]

    def pytest(self, tests, *arguments):
        return [sys.executable, "-B", "-m", "pytest",
                os.path.join(TESTS, tests), "--build", self.program(""),
                *self.machine(), *self.launcher(), *arguments]

    def launcher(self):
        return ["--launcher", self.options.launcher]

    def of_short(self, *arguments):
        """The arguments if the run is short, or none."""
        return arguments if self.options.short else ()


def require_sampled(job):
    """Raises LeftOut if Pitot does not sample this GPU."""
    if job.node.state != "sampled":
        raise LeftOut(f"Pitot does not sample this GPU: {job.node.text}")
    if job.device.driver == "zink":
        raise LeftOut("it samples the GPU itself, without zink")


def check(job):
    require_sampled(job)
    return [os.path.join(TESTS, "hardware", "check.py"),
            job.program("src/info/pitot-info"), job.node.path]


def contract(job):
    require_sampled(job)
    if job.node.kernel_driver not in ("i915", "amdgpu"):
        raise LeftOut("Pitot has contexts of its own on i915 and amdgpu only")
    return job.runner("contract", job.program(""), job.node.path)


def conformance(job):
    return job.pytest("conformance/test_conformance.py",
                      *job.of_short("-k", "es2 and not es2-"))


def drivers(job):
    if job.device.driver == "zink":
        raise LeftOut("it is about iris and radeonsi")
    return job.pytest("drivers/test_drivers.py", *job.of_short(
        "-k", "times_in_buffers_are_exact or conditions_of_late_backends"))


def piglit(job):
    return job.pytest("piglit/test_piglit.py",
                      *job.of_short("--regex", "occlusion_query_lifetime$"))


def deqp(job):
    if not job.options.deqp:
        raise LeftOut("no build of VK-GL-CTS was given (--deqp BUILD)")
    return job.runner("deqp", *job.machine(), *job.launcher(),
                      job.options.deqp)


SUITES = (
    Suite("check", "the GPU beside Pitot's assumptions: pitot-info --check", check),
    Suite("contract", "the duties of a driver, through Pitot's own context",
          contract),
    Suite("conformance", "the rules of GL; of a failure, how stock Mesa does",
          conformance),
    Suite("drivers", "defects of stock drivers", drivers),
    Suite("piglit", "piglit's query tests beside stock Mesa", piglit),
    Suite("deqp", "dEQP's query cases beside stock Mesa", deqp),
)


# If this check of pitot-info fails, nothing may be submitted that could hang.
HANG_LIMIT = "check: hang limit"


def require_limit(outcomes):
    """A hang that the kernel does not reset takes the machine down."""
    if any(result["verdict"] == "failed" and result["case"] == HANG_LIMIT
           for outcome in outcomes for result in outcome.results):
        raise LeftOut("the kernel does not reset this GPU if it hangs: see "
                      "docs/hardware.md")


def run(suite, job, outcomes=()):
    """Runs a suite after others with these outcomes; returns its outcome."""
    try:
        require_limit(outcomes)
        command = suite.command(job)
    except LeftOut as reason:
        return Outcome(suite.name, suite.contents, [], [], [], 0,
                       f"left out: {reason}")
    with tempfile.TemporaryDirectory(prefix="pitot-hardware-") as directory:
        return run_in(directory, suite, command, job.options)


def run_in(directory, suite, command, options):
    details = os.path.join(directory, "details")
    log_path = os.path.join(directory, "log")
    env = dict(os.environ, PITOT_DETAILS=details, TMPDIR=directory)
    env.pop("PITOT_RESULTS", None)
    if "pytest" in command:
        command += ["--details", details]
    start_s = time.monotonic()
    with open(log_path, "wb") as log:
        status, hangs = run_watched(command, options.limits, env=env,
                                    stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=log)
    duration_s = time.monotonic() - start_s
    with open(log_path, encoding="utf-8", errors="replace") as log:
        text = log.read()
    results, summary = read_details(details)
    results += [failure(suite, f"hang: {hang.name}", hang.why)
                for hang in hangs]
    if why := contradiction(status, results):
        results.append(failure(suite, f"the end of {suite.name}",
                               f"{why}: {last_line(text)}"))
    if options.verbose:
        sys.stderr.write(text)
    return Outcome(suite.name, suite.contents, results, summary,
                   [str(hang) for hang in hangs], duration_s)


def run_watched(command, limits, stdout, **streams):
    """Like watch.run(); if a program does not start, its output says so."""
    try:
        return watch.run(command, limits, stdout=stdout, **streams)
    except OSError as error:
        stdout.write(str(error).encode())
        return 127, []


def failure(suite, name, why):
    return {"verdict": "failed", "case": f"{suite.name}: {name}",
            "name": name, "why": why}


def read_details(path):
    """The results and the summary that a runner wrote."""
    results, summary = [], []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as lines:
            for line in map(json.loads, lines):
                if "summary" in line:
                    summary += line["summary"]
                else:
                    results.append(line)
    return results, summary


def contradiction(status, results):
    """Why a runner broke off, by its status and results, or None."""
    failed = any(result["verdict"] == "failed" for result in results)
    if status is None:
        return "it does not end"
    if not results:
        return f"it broke off with status {status} and has no result"
    if status not in (0, 1) or (status == 1 and not failed):
        return f"it broke off with status {status}"
    return None
