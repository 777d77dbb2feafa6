# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Reads the counts of clang's instrumentation, through llvm-cov.

llvm-cov has a record per function and object file, so an inline function of a
header has many. Here the same position is the same branch."""

import functools
import json
import os
import subprocess
from typing import NamedTuple

from runners.command import RunError

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
    path = os.path.join(build, "meson-info", "intro-tests.json")
    if not os.path.exists(path):
        raise RunError(f"{build} is no Meson build")
    with open(path, encoding="utf-8") as text:
        tests = json.load(text)
    found = []
    for test in tests:
        suites = {suite.split(":")[-1] for suite in test["suite"]}
        if suites & SUITES and "schedules" not in suites:
            found.append(test)
    return found


def check_flags(build):
    """Without this flag clang counts without atomics: two threads lose counts.
    An outcome's count may be the difference of two others, and is then above 0
    without being taken."""
    path = os.path.join(build, "compile_commands.json")
    with open(path, encoding="utf-8") as text:
        commands = json.load(text)
    if not all(ATOMIC in command["command"].split() for command in commands):
        raise RunError(f"{build} is not compiled with {ATOMIC}")


def call(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RunError(f"{words[0]} failed: {done.stderr.strip()}")
    return done.stdout


def export(build, counts, folder):
    """llvm-cov's data about all test programs and their counts."""
    merged = os.path.join(folder, "counts.profdata")
    call("llvm-profdata", "merge", "-sparse", "-o", merged, *counts)
    first, *others = sorted({test["cmd"][0] for test in tests_of(build)})
    objects = [word for other in others for word in ("-object", other)]
    return json.loads(call("llvm-cov", "export", "-instr-profile", merged,
                           first, *objects))["data"][0]


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


def branches_of(exported, root):
    """The branches of the project's sources, each once."""
    counts, functions, sources = {}, {}, Sources(root)
    for function in exported["functions"]:
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


def lines_of(exported, root):
    """{path: (executed lines, all lines)}."""
    return {relative(file["filename"], root): count_lines(file["segments"])
            for file in exported["files"]}


def count_lines(segments):
    """A line's count is the greatest of the regions that begin on it and of
    the one that continues from the line before."""
    executed, counted, going_on = 0, 0, None
    by_line = {}
    for segment in segments:
        by_line.setdefault(segment[0], []).append(segment)
    if not by_line:
        return 0, 0
    for line in range(min(by_line), max(by_line) + 1):
        here = by_line.get(line, [])
        found = [count for _, _, count, has_count, is_entry, is_gap in here
                 if has_count and is_entry and not is_gap]
        if going_on is not None:
            found.append(going_on)
        counted += bool(found)
        executed += any(found)
        if here:
            going_on = here[-1][2] if here[-1][3] else None
    return executed, counted
