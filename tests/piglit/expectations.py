# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""A driver's expectation lists, in the format of Mesa's src/**/ci folders.

NAME-fails.txt   'test,Status' or 'test@subtest,Status': fails on stock too
NAME-flakes.txt  regexes of tests whose result is not always the same
NAME-skips.txt   regexes of tests that are not run
NAME-tests.txt   regexes of tests, all others are not run
A line that is about nothing that is there is an error.
Lines that begin with '#' are comments.  NAME is the driver; a simulated GPU
has what is said of all ("simulated"), of its driver, and of itself
("radeonsi-navi31").
"""

import os
import re
from typing import NamedTuple

from errors import RunError


class Failure(NamedTuple):
    """An expected failure and the line that lists it."""
    status: str
    place: str


class Line(NamedTuple):
    """A regex and the line that lists it."""
    regex: re.Pattern
    place: str


class Expectations:
    """The lists of one device."""

    def __init__(self, directory, device):
        self.name = device.file_name()
        names = (["simulated", device.driver] if device.gpu else [])
        names.append(self.name)
        self.fails = read_failures(directory, names)
        self.flakes = read_regexes(directory, names, "flakes")
        self.skips = read_regexes(directory, names, "skips")
        self.tests = read_regexes(directory, names, "tests")

    def is_flake(self, row):
        return matches(self.flakes, row)

    def is_skipped(self, test):
        return matches(self.skips, test)

    def is_chosen(self, test):
        return not self.tests or matches(self.tests, test)

    def unmatched(self, rows):
        """The places of lines about results that are not among these."""
        return ([failure.place for row, failure in self.fails.items()
                 if row not in rows] + unmatched(self.flakes, rows))

    def unmatched_tests(self, names):
        """The places of lines about tests that are not among these."""
        return unmatched(self.skips + self.tests, names)


def matches(lines, text):
    return any(line.regex.search(text) for line in lines)


def unmatched(lines, texts):
    return [line.place for line in lines
            if not any(line.regex.search(text) for text in texts)]


def read_lines(directory, names, kind):
    """Yields (place, text) of the lines that are not comments."""
    for name in names:
        path = os.path.join(directory, f"{name}-{kind}.txt")
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                text = line.strip()
                if text and not text.startswith("#"):
                    yield f"{os.path.basename(path)}:{number}", text


def read_failures(directory, names):
    failures = {}
    for place, text in read_lines(directory, names, "fails"):
        row, comma, status = text.rpartition(",")
        if not comma or status not in ("Fail", "Crash", "Timeout"):
            raise RunError(f"{place}: expected 'test,Fail', 'test,Crash' or "
                           "'test,Timeout'")
        if row in failures:
            raise RunError(f"{place}: '{row}' is listed already in "
                           f"{failures[row].place}")
        failures[row] = Failure(status, place)
    return failures


def read_regexes(directory, names, kind):
    regexes = []
    for place, text in read_lines(directory, names, kind):
        try:
            regexes.append(Line(re.compile(text), place))
        except re.error as error:
            raise RunError(f"{place}: not a regex: {error}")
    return regexes
