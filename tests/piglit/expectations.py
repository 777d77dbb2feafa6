# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""A driver's expectation lists, in the format of Mesa's src/**/ci folders.

DRIVER-fails.txt   'test,Status' or 'test@subtest,Status': fails on stock too
DRIVER-flakes.txt  regexes of tests whose result is not always the same
DRIVER-skips.txt   regexes of tests that are not run
Lines that begin with '#' are comments.
"""

import os
import re
from typing import NamedTuple

from errors import RunError


class Failure(NamedTuple):
    """An expected failure and the line that lists it."""
    status: str
    line: int


class Expectations:
    """The three lists of one driver."""

    def __init__(self, directory, driver):
        self.fails_name = f"{driver}-fails.txt"
        self.flakes_name = f"{driver}-flakes.txt"
        self.skips_name = f"{driver}-skips.txt"
        self.fails = read_failures(directory, self.fails_name)
        self.flakes = read_regexes(directory, self.flakes_name)
        self.skips = read_regexes(directory, self.skips_name)

    def is_flake(self, row):
        return any(regex.search(row) for regex in self.flakes)

    def is_skipped(self, test):
        return any(regex.search(test) for regex in self.skips)


def read_lines(directory, name):
    """Yields (line number, text) of the lines that are not comments."""
    with open(os.path.join(directory, name), encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            text = line.strip()
            if text and not text.startswith("#"):
                yield number, text


def read_failures(directory, name):
    failures = {}
    for number, text in read_lines(directory, name):
        row, comma, status = text.rpartition(",")
        if not comma or status not in ("Fail", "Crash", "Timeout"):
            raise RunError(f"{name}:{number}: expected 'test,Fail', "
                           "'test,Crash' or 'test,Timeout'")
        if row in failures:
            raise RunError(f"{name}:{number}: '{row}' is listed already "
                           f"in line {failures[row].line}")
        failures[row] = Failure(status, number)
    return failures


def read_regexes(directory, name):
    regexes = []
    for number, text in read_lines(directory, name):
        try:
            regexes.append(re.compile(text))
        except re.error as error:
            raise RunError(f"{name}:{number}: not a regex: {error}")
    return regexes
