# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Runs piglit, reads its results, and keeps those of stock Mesa."""

import bz2
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from typing import NamedTuple

from errors import RunError

# Guards against what never ends: a test takes seconds on an idle machine.
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

# Piglit puts this behind the name of a test that it runs without errors.
NO_ERROR = " khr_no_error"


class Session:
    """What all piglit runs have in common."""

    def __init__(self, display, directory, jobs):
        self.directory = directory
        self.jobs = jobs
        self.env = dict(os.environ, DISPLAY=display)
        # Mesa's Vulkan window code complains on stderr without it.
        self.env.setdefault("XDG_RUNTIME_DIR", directory)

    def run(self, mesa, profile, label, alone=False):
        """Runs a profile on a Mesa; returns the folder of the results.

        alone: one test at a time.
        """
        output = os.path.join(self.directory,
                              f"{mesa.device.file_name()}-{label}")
        with gzip.open(output + ".xml.gz", "wb") as stream:
            stream.write(profile)
        command = mesa.command([
            "piglit", "run", "--overwrite", "--platform",
            "mixed_glx_egl" if mesa.glx else "surfaceless_egl",
            "--timeout", str(HANG_GUARD_S), "--jobs", str(self.jobs),
            *(["--no-concurrency"] if alone else []),
            output + ".xml.gz", output])
        with open(output + ".log", "wb") as log:
            status = subprocess.call(command, env=self.env, stdout=log,
                                     stderr=log)
        if status != 0:
            raise RunError(f"piglit failed on {mesa.name} with "
                           f"{mesa.device}: {last_line(output + '.log')}")
        return output


def last_line(path):
    with open(path, errors="replace") as log:
        return (log.read().strip() or "no output").splitlines()[-1]


def package_version(package):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True)
    return done.stdout or "unknown"


def cache_directory():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("PITOT_CACHE") or os.path.join(base, "pitot")


def kept_results(session, mesa, profile):
    """The folder where stock Mesa's results for a profile are kept.

    They stay true as long as the tests and everything below GL stay the
    same: piglit, the driver library, and for zink the Vulkan driver.
    """
    key = hashlib.sha256(profile)
    key.update(mesa.identity(session.env).encode())
    key.update(package_version("piglit").encode())
    if mesa.device.driver == "zink":
        key.update(package_version("mesa-vulkan-drivers").encode())
    return os.path.join(cache_directory(), "piglit",
                        f"{mesa.device.file_name()}-"
                        f"{key.hexdigest()[:16]}")


def keep(results, kept):
    """Copies results into the cache in one step: all of them or none."""
    os.makedirs(os.path.dirname(kept), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(kept)) as parent:
        whole = shutil.copytree(results, os.path.join(parent, "results"))
        try:
            os.rename(whole, kept)
        except OSError:
            # Another run was quicker, with the same results.
            if not os.path.isdir(kept):
                raise


class Row(NamedTuple):
    """The result of one test or subtest."""
    status: str
    test: str
    why: str = "" # if it was skipped and said so


# A test that is skipped says this of the reason.
REASON = re.compile(r"(Test requires|Test needs|Unsupported) .*"
                    r"|context does not support \w+"
                    r"|Failed to create any GL context"
                    r"|.*(?=[,]? skipping test)")


def load_rows(results, names):
    """The results of the tests of these names in a folder, as {test or
    test@subtest: Row}.  All of them must be there.
    """
    with bz2.open(os.path.join(results, "results.json.bz2")) as stream:
        tests = json.load(stream)["tests"]
    missing = set(names) - tests.keys()
    if missing:
        raise RunError(f"piglit ran {len(tests)} of {len(names)} tests, and "
                       f"not {min(missing)}")
    return {name: Row(status, test, why_skipped(test, result))
            for test, result in tests.items()
            for name, status in statuses(test, result).items()}


def why_skipped(test, result):
    """The reason that a test gives; if it gives none, what is known."""
    text = f"{result.get('out', '')}\n{result.get('err', '')}".strip()
    found = REASON.search(text)
    if found:
        return found[0].strip()
    if test.endswith(NO_ERROR) and result["result"] == "skip" and not text:
        return "without errors, piglit leaves out what makes errors"
    end = (f"the end is '{text.splitlines()[-1]}'" if text
           else "it says nothing")
    return (f"no reason: '{result['result']}', status "
            f"{result['returncode']}, {end}")


def statuses(test, result):
    """Those of the subtests; of the test if it has none or died elsewhere."""
    found = {f"{test}@{subtest}": STATUS.get(status, "Fail")
             for subtest, status in result["subtests"].items()
             if subtest != "__type__"}
    whole = STATUS.get(result["result"], "Fail")
    if not found or whole in ("Crash", "Timeout") or (
            result["returncode"]
            and set(found.values()) <= {"Pass", "Skip"}):
        found[test] = whole
    return found
