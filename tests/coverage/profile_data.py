# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Reads the counts of clang's instrumentation, through llvm-cov.

llvm-cov has a record per function and object file, so an inline function of a
header has many. Here the same position is the same branch."""

import functools
import json
import os
import pathlib
import subprocess
from typing import NamedTuple

# The Meson suites whose tests count.
SUITES = {"core", "gl", "perf", "pipe", "pipe_driver", "hw", "drm", "profile",
          "info", "contract"}

# The compiler option that lets several threads count without a loss.
ATOMIC = "-fprofile-update=atomic"

# Conditions that are constant at run time.
CONSTANTS = ("0", "1", "true", "false")


class Branch(NamedTuple):
    """An outcome of the condition with this text at a position."""
    path: str
    function: str
    outcome: str
    text: str
    line: int
    column: int
    count: int

    def __str__(self):
        return (f"{self.path}:{self.line}: {self.function}: {self.outcome}: "
                f"{self.text}")


def tests_of(build):
    """The Meson tests that count."""
    tests = pathlib.Path(build, "meson-info", "intro-tests.json").read_text()
    for test in json.loads(tests):
        suites = {suite.split(":")[-1] for suite in test["suite"]}
        if suites & SUITES and "schedules" not in suites:
            yield test


def check_flags(build):
    """Without this flag clang counts without atomics: two threads lose counts.
    An outcome's count may be the difference of two others, and is then above 0
    without being taken."""
    commands = pathlib.Path(build, "compile_commands.json").read_text()
    assert all(ATOMIC in command["command"].split()
               for command in json.loads(commands)), f"{build}: no {ATOMIC}"


def output_of(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, text=True,
                          check=True).stdout


@functools.cache
def relative(path, root):
    return os.path.relpath(os.path.realpath(path), root)


@functools.cache
def lines_of(path):
    return pathlib.Path(path).read_text(encoding="utf-8").split("\n")


def text_of(path, first, first_column, last, last_column):
    """The text between two positions of a file, in one line."""
    lines = lines_of(path)[first - 1:last]
    lines[-1] = lines[-1][:last_column - 1]
    lines[0] = lines[0][first_column - 1:]
    return " ".join(" ".join(lines).split())


def is_of_switch(path, line, column):
    """Whether this is the implicit default of a switch: the compiler warns of
    enum values without a case."""
    return lines_of(path)[line - 1][:column - 1].endswith("switch (")


def read_profile(build, counts, folder):
    """llvm-cov's data about all test programs and these files of counts, and
    its table of all files."""
    merged = folder / "counts.profdata"
    output_of("llvm-profdata", "merge", "-sparse", "-o", merged, *counts)
    first, *others = sorted({test["cmd"][0] for test in tests_of(build)})
    arguments = ["-instr-profile", merged, first, *(
        word for other in others for word in ("-object", other))]
    return (json.loads(output_of("llvm-cov", "export", *arguments))["data"][0],
            output_of("llvm-cov", "report", "-show-region-summary=0",
                      *arguments))


def branches_of(records, root):
    """The branches of the project's sources, each once."""
    counts, functions = {}, {}
    for function in records:
        for *span, if_true, if_false, file, _, _ in function["branches"]:
            key = relative(function["filenames"][file], root), *span
            before = counts.get(key, (0, 0))
            counts[key] = before[0] + if_true, before[1] + if_false
            functions[key] = function["name"].rpartition(":")[2]
    for (path, *span), both in sorted(counts.items()):
        source = os.path.join(root, path)
        if (not path.startswith(("src/", "include/"))
                or text_of(source, *span) in CONSTANTS
                or is_of_switch(source, *span[:2])):
            continue
        for outcome, count in zip(("true", "false"), both):
            yield Branch(path, functions[path, *span], outcome,
                         text_of(source, *span), *span[:2], count)
