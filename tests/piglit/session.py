# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

import bz2
import gzip
import json
import os
import pathlib
import re
import subprocess
from typing import NamedTuple

from tests.runners.command import RunError, last_line

# For a test that hangs: each takes seconds on an idle machine.
HANG_GUARD_S = 1800

# Piglit's results in the words of Mesa's expectation lists.
STATUS = {
    "pass": "Pass",
    "skip": "Skip",
    "notrun": "Skip",
    "crash": "Crash",
    "incomplete": "Crash",
    "timeout": "Timeout",
}

# Piglit appends this to the names of tests that use KHR_no_error.
NO_ERROR = " khr_no_error"


class Session(NamedTuple):
    """The environment of all piglit runs, and the directory of results."""
    env: dict
    directory: pathlib.Path

    def run(self, mesa, profile, label, alone=False):
        """Returns piglit's results. alone: one test at a time."""
        output = self.directory / label
        tests = self.directory / f"{label}.xml.gz"
        tests.write_bytes(gzip.compress(profile.encode()))
        command = mesa.command([
            "piglit", "run", "--overwrite", "--platform",
            "surfaceless_egl" if mesa.device.has_gpu() else "mixed_glx_egl",
            "--timeout", str(HANG_GUARD_S), "--jobs", str(os.cpu_count()),
            *(["--no-concurrency"] if alone else []),
            tests, output])
        done = subprocess.run(command, env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              errors="replace")
        if done.returncode != 0:
            raise RunError(f"piglit failed on {mesa}: "
                           f"{last_line(done.stdout)}")
        return (output / "results.json.bz2").read_bytes()


class Row(NamedTuple):
    """The result of a test or subtest."""
    status: str
    test: str
    why: str = "" # of a skip, if the test gives one


# Reasons that skipped tests print.
REASON = re.compile(r"(Test requires|Test needs|Unsupported) .*"
                    r"|context does not support \w+"
                    r"|Failed to create any GL context"
                    r"|.*(?=[,]? skipping test)")


def rows_of(results, names):
    """{test or test@subtest: Row} for these tests, which all must exist."""
    tests = json.loads(bz2.decompress(results))["tests"]
    missing = set(names) - tests.keys()
    if missing:
        raise RunError(f"piglit ran {len(tests)} of {len(names)} tests, and "
                       f"not {min(missing)}")
    return {name: Row(status, test, why_skipped(test, result))
            for test, result in tests.items() if test in names
            for name, status in statuses(test, result).items()}


def why_skipped(test, result):
    """The reason of a skip, or else the end of the output."""
    text = f"{result.get('out', '')}\n{result.get('err', '')}".strip()
    found = REASON.search(text)
    if found:
        return found[0].strip()
    if test.endswith(NO_ERROR) and result["result"] == "skip" and not text:
        return "without errors, piglit leaves out what makes errors"
    end = f"the end is '{last_line(text)}'" if text else "it says nothing"
    return (f"no reason: '{result['result']}', status "
            f"{result['returncode']}, {end}")


def statuses(test, result):
    """The statuses of subtests, and of a test without any or that died."""
    found = {f"{test}@{subtest}": STATUS.get(status, "Fail")
             for subtest, status in result["subtests"].items()
             if subtest != "__type__"}
    whole = STATUS.get(result["result"], "Fail")
    if not found or whole in ("Crash", "Timeout") or (
            result["returncode"]
            and set(found.values()) <= {"Pass", "Skip"}):
        found[test] = whole
    return found
