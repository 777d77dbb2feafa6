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


@functools.lru_cache(maxsize=None)
def relative(path, root):
    return os.path.relpath(os.path.realpath(path), root)


class Sources:
    """Finds the text between two positions of a file."""

    def __init__(self, root):
        self.root = root
        self.files = {}

    def lines(self, path):
        if path not in self.files:
            with open(os.path.join(self.root, path),
                      encoding="utf-8") as source:
                self.files[path] = source.read().split("\n")
        return self.files[path]

    def is_of_switch(self, path, line, column):
        """Whether this is the implicit default of a switch: the compiler warns
        of enum values without a case."""
        return self.lines(path)[line - 1][:column - 1].endswith("switch (")

    def text(self, path, first, first_column, last, last_column):
        lines = self.lines(path)[first - 1:last]
        lines[-1] = lines[-1][:last_column - 1]
        lines[0] = lines[0][first_column - 1:]
        return " ".join(" ".join(lines).split())


class Profile:
    """llvm-cov's data about all test programs and their counts."""

    def __init__(self, build, counts, folder):
        merged = folder / "counts.profdata"
        output_of("llvm-profdata", "merge", "-sparse", "-o", merged, *counts)
        first, *others = sorted({test["cmd"][0] for test in tests_of(build)})
        self.arguments = ["-instr-profile", merged, first, *(
            word for other in others for word in ("-object", other))]
        self.exported = json.loads(output_of(
            "llvm-cov", "export", *self.arguments))["data"][0]

    def report(self):
        """A table of all files."""
        return output_of("llvm-cov", "report", "-show-region-summary=0",
                         *self.arguments)

    def files(self, root):
        return {relative(file["filename"], root)
                for file in self.exported["files"]}

    def branches(self, root):
        return branches_of(self.exported["functions"], root)


def branches_of(records, root):
    """The branches of the project's sources, each once."""
    counts, functions, sources = {}, {}, Sources(root)
    for function in records:
        names = function["filenames"]
        for *span, if_true, if_false, file, _, _ in function["branches"]:
            path = relative(names[file], root)
            before = counts.get((path, *span), (0, 0))
            counts[path, *span] = (before[0] + if_true, before[1] + if_false)
            functions[path, *span] = function["name"].rpartition(":")[2]
    for (path, *span), both in sorted(counts.items()):
        if path.startswith(("src/", "include/")):
            text = sources.text(path, *span)
            if text in CONSTANTS or sources.is_of_switch(path, *span[:2]):
                continue
            for outcome, count in zip(("true", "false"), both):
                yield Branch(path, functions[path, *span], outcome, text,
                             *span[:2], count)
