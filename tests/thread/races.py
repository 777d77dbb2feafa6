# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

import re
from typing import NamedTuple

BEGIN = "WARNING: ThreadSanitizer: "
END = "SUMMARY: ThreadSanitizer: "
KIND = re.compile(r"WARNING: ThreadSanitizer: (.*) \(pid=\d+\)")
# The line before an access's stack: "  Previous write of size 8 at ...".
ACCESS = re.compile(r"  (?:Previous )?(?:atomic )?(?:[Rr]ead|[Ww]rite) of size ",
                    re.IGNORECASE)
FRAME = re.compile(r"    #\d+ (.+?) (\S+)(?: \(([^()]*)\+.*)?$")
# The name in a C++ function with type and arguments.
CXX_NAME = re.compile(r"(\w+)[<(]")
NOWHERE = "<null>"
# A file of Pitot, in a checkout or as Mesa's subproject.
OURS = re.compile(r"/(?:src|include)/(?:pitot|core|gl|perf|pipe|pipe_driver|"
                  r"hw|drm|info)/|/subprojects/pitot/")


class Frame(NamedTuple):
    """A function of a stack, its file and library; NOWHERE without symbols."""
    function: str
    file: str
    library: str = ""

    def __str__(self):
        return self.library if self.function == NOWHERE else self.function

    def is_of_the_c_library(self):
        """Whether it is a C library function that ThreadSanitizer replaces."""
        if self.function == NOWHERE:
            return self.library.startswith("libc.so")
        return self.file.startswith(("<", "("))


class Race(NamedTuple):
    """A report: its kind, and the innermost frame of each access."""
    kind: str
    frames: tuple
    text: str

    def __str__(self):
        functions = " and ".join(sorted(set(map(str, self.frames))))
        return f"{self.kind}: {functions or 'unknown functions'}"

    def is_ours(self):
        """Whether an access is in Pitot's code."""
        return any(OURS.search(frame.file) for frame in self.frames)


def read_frame(match):
    function, file, library = match.groups("")
    name = CXX_NAME.search(function)
    return Frame(name[1] if name else function, file, library)


def stacks_of(lines):
    """The stacks of a report's accesses, not those of thread creation etc."""
    stack = None
    for line in lines:
        if ACCESS.match(line):
            stack = []
        elif not line.strip() and stack is not None:
            yield stack
            stack = None
        elif stack is not None and (match := FRAME.match(line)):
            stack.append(read_frame(match))
    if stack:
        yield stack


def innermost(stack):
    """The frame of an access, without C library functions."""
    return next((frame for frame in stack
                 if not frame.is_of_the_c_library()),
                stack[0] if stack else Frame(NOWHERE, NOWHERE))


def read_report(lines):
    kind = KIND.match(lines[0])
    return Race(kind[1] if kind else lines[0][len(BEGIN):],
                tuple(map(innermost, stacks_of(lines))), "\n".join(lines))


def read(text):
    """The reports in a program's output."""
    report, races = None, []
    for line in text.splitlines():
        if line.startswith(BEGIN):
            report = []
        if report is not None:
            report.append(line)
        if line.startswith(END) and report:
            races.append(read_report(report))
            report = None
    if report:
        races.append(read_report(report))
    return races
