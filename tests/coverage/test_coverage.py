# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Branches that the unit tests and the contract never take. The build counts
them, and has no assertions, since no test may take their branches. A branch is
an outcome of a condition, of each operand of && and || separately, or a case
of a switch. "tests/run coverage -- -rP" prints all."""

import os
import pathlib
import subprocess

from tests.coverage import profile_data
from tests.runners.devices import ROOT

# The branches of a layer that may stay untaken: failures of the C library,
# races of two threads, and assertions that are compiled out.
LIMITS = {"core": 0, "gl": 5, "perf": 4, "pipe": 0, "pipe_driver": 0,
          "hw": 20, "drm": 5, "profile": 40, "include": 0}


def layer_of(path):
    """A source's layer, or None if it is not counted."""
    where, *rest = path.split("/")
    layer = "include" if where == "include" else rest[0]
    return layer if where in ("include", "src") and layer in LIMITS else None


def count(build, folder, results):
    """Runs all tests. Returns the files of their counts: %m makes a forked
    child add its counts to those of its test."""
    for number, test in enumerate(profile_data.tests_of(build)):
        done = subprocess.run(
            test["cmd"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace",
            env={**os.environ, **test["env"],
                 "LLVM_PROFILE_FILE": f"{folder}/{number}-%m.profraw"})
        if done.returncode != 0:
            print(done.stdout)
            results.add("failed", "coverage: tests", test["name"],
                        f"status {done.returncode}")
    return sorted(folder.glob("*.profraw"))


def sources_of(layer):
    """A layer's sources with functions: each must be in a test program."""
    for path in sorted(pathlib.Path(ROOT, "src", layer).rglob("*.c")):
        if "\n{" in path.read_text(encoding="utf-8"):
            yield str(path.relative_to(ROOT))


def test_coverage(built, tmp_path, results):
    build = built("coverage")
    profile_data.check_flags(build)
    exported, report = profile_data.read_profile(
        build, count(build, tmp_path, results), tmp_path)
    files = {profile_data.relative(file["filename"], ROOT)
             for file in exported["files"]}
    never = [branch for branch in profile_data.branches_of(
        exported["functions"], ROOT)
             if layer_of(branch.path) and not branch.count]
    print(*(f"never taken: {branch}" for branch in never), report, sep="\n")
    for layer, limit in LIMITS.items():
        untaken = [branch for branch in never
                   if layer_of(branch.path) == layer]
        absent = set(sources_of(layer)) - files
        for path in absent:
            results.add("failed", f"coverage: {layer}", path,
                        "no test program has it")
        if len(untaken) > limit:
            results.add("failed", f"coverage: {layer}", "never taken",
                        f"{len(untaken)} branches, limit: {limit}:"
                        f" {', '.join(map(str, untaken))}")
        elif not absent:
            results.add("passed", f"coverage: {layer}")
