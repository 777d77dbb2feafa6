# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The suites for the machine's GPU."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from tests.hardware.report import Outcome
from tests.runners import watch
from tests.runners.command import last_line

TESTS = pathlib.Path(__file__).resolve().parent.parent


class Suite(NamedTuple):
    """Tests of pytest's; short: options for a part of them."""
    name: str
    contents: str
    tests: str
    short: tuple = ()


SUITES = (
    Suite("check", "the GPU beside Pitot's assumptions: pitot-info --check",
          "hardware/test_machine.py::test_check"),
    Suite("contract", "the duties of a driver, through Pitot's own context",
          "hardware/test_machine.py::test_contract"),
    Suite("conformance", "the rules of GL; of a failure, how stock Mesa does",
          "conformance/test_conformance.py", ("-k", "es2 and not es2-")),
    Suite("drivers", "defects of stock drivers", "drivers/test_drivers.py",
          ("-k", "times_in_buffers_are_exact or conditions_of_late_backends")),
    Suite("piglit", "piglit's query tests beside stock Mesa",
          "piglit/test_piglit.py", ("--regex", "occlusion_query_lifetime$")),
    Suite("deqp", "dEQP's query cases beside stock Mesa",
          "deqp/test_deqp.py"),
)

# Unless this check of pitot-info passes, nothing may be submitted that could
# hang: a hang that the kernel does not reset takes the machine down.
HANG_LIMIT = "check: hang limit"


def why_not(outcomes):
    """Why nothing more may run after these outcomes, or ""."""
    verdicts = {result["case"]: result["verdict"] for outcome in outcomes
                if outcome.suite == "check" for result in outcome.results}
    if verdicts.get(HANG_LIMIT) == "failed":
        return ("left out: the kernel does not reset this GPU if it hangs: "
                "see docs/hardware.md")
    if HANG_LIMIT not in verdicts and "failed" in verdicts.values():
        return ("left out: the check broke off, and has not found that the "
                "kernel resets this GPU if it hangs")
    return ""


def run(suite, options, outcomes=(), limits=watch.Limits(), verbose=False):
    """Runs a suite after others with these outcomes; returns its outcome.
    options are pytest's."""
    if why := why_not(outcomes):
        return Outcome(suite.name, suite.contents, [], 0, why)
    start_s = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pitot-hardware-") as directory:
        details, log = (pathlib.Path(directory, name)
                        for name in ("details", "log"))
        with open(log, "wb") as stream:
            status, hangs = watch.run(
                [sys.executable, "-B", "-m", "pytest", TESTS / suite.tests,
                 "--details", details, *options], limits,
                env={**os.environ, "TMPDIR": directory},
                stdin=subprocess.DEVNULL, stdout=stream, stderr=stream)
        text = log.read_text(errors="replace")
        results = ([json.loads(line) for line in
                    details.read_text().splitlines()]
                   if details.exists() else [])
    results[:0] = [failure(suite, f"hang: {hang.name}", hang.why)
                   for hang in hangs]
    if why := contradiction(status, results):
        results.append(failure(suite, f"the end of {suite.name}",
                               f"{why}: {last_line(text)}"))
    if verbose:
        sys.stderr.write(text)
    return Outcome(suite.name, suite.contents, results,
                   time.monotonic() - start_s)


def failure(suite, name, why):
    return {"verdict": "failed", "case": f"{suite.name}: {name}",
            "name": name, "why": why}


def contradiction(status, results):
    """Why pytest broke off, by its status and results, or None."""
    failed = any(result["verdict"] == "failed" for result in results)
    if status is None:
        return "it does not end"
    if not results:
        return f"it broke off with status {status} and has no result"
    if status not in (0, 1) or (status == 1 and not failed):
        return f"it broke off with status {status}"
    return None
