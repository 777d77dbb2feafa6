# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""A driver's expectation lists, in the format of Mesa's src/**/ci folders.

NAME-fails.txt   'test,Status' or 'test@subtest,Status': fails on stock too
NAME-flakes.txt  regexes of tests whose result is not always the same
NAME-skips.txt   regexes of tests that are not run
NAME-tests.txt   regexes of tests, all others are not run
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
        return any(regex.search(row) for regex in self.flakes)

    def is_skipped(self, test):
        return any(regex.search(test) for regex in self.skips)

    def is_chosen(self, test):
        return not self.tests or any(regex.search(test)
                                     for regex in self.tests)


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
            regexes.append(re.compile(text))
        except re.error as error:
            raise RunError(f"{place}: not a regex: {error}")
    return regexes
