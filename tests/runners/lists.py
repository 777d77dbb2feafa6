# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Expectation lists: files next to a runner with the expected results of a
device.

Lines with '#' are comments. The lists of piglit and dEQP have the format of
Mesa's src/**/ci directories:

NAME-fails.txt   'test,Status' or 'test@subtest,Status': fails on stock too
NAME-flakes.txt  regexes of tests with varying results
NAME-skips.txt   regexes of tests that do not run
NAME-tests.txt   regexes of the only tests that run

NAME is the driver. A simulated GPU uses the lists of all ("simulated"), its
driver, GPUs of its generation or earlier ("radeonsi-navi31+"), and itself
("radeonsi-navi31"). A line that matches nothing is an error.
"""

import os
import re
from typing import NamedTuple

from . import devices
from .command import RunError

LIST_NAME = re.compile(r"(.*)-(?:fails|flakes|skips|tests|differences)\.txt$")


class Failure(NamedTuple):
    """An expected failure and the line that lists it."""
    status: str
    place: str


class Expectations:
    """The lists of one device; regexes by line."""

    def __init__(self, directory, device):
        names = ["simulated", device.driver] if device.gpu else []
        names += [f"{other.file_name()}+" for other in devices.simulated()
                  if devices.means(f"{other.gpu}+", device)]
        self.files = [os.path.join(directory, name)
                      for name in (*names, device.file_name())]
        self.fails = self.read_failures()
        self.flakes = self.read_regexes("flakes")
        self.skips = self.read_regexes("skips")
        self.tests = self.read_regexes("tests")

    def read(self, kind):
        for file in self.files:
            yield from read_lines(f"{file}-{kind}.txt")

    def read_failures(self):
        failures = {}
        for place, text in self.read("fails"):
            row, comma, status = text.rpartition(",")
            if not comma or status not in ("Fail", "Crash", "Timeout"):
                raise RunError(f"{place}: expected 'test,Fail', 'test,Crash' "
                               "or 'test,Timeout'")
            if row in failures:
                raise RunError(f"{place}: '{row}' is listed already in "
                               f"{failures[row].place}")
            failures[row] = Failure(status, place)
        return failures

    def read_regexes(self, kind):
        regexes = {}
        for place, text in self.read(kind):
            try:
                regexes[place] = re.compile(text)
            except re.error as error:
                raise RunError(f"{place}: not a regex: {error}")
        return regexes

    def is_flake(self, row):
        return matches(self.flakes, row)

    def is_skipped(self, test):
        return matches(self.skips, test)

    def is_chosen(self, test):
        return not self.tests or matches(self.tests, test)

    def unmatched(self, rows):
        """The places of lines that match none of these results."""
        return ([failure.place for row, failure in self.fails.items()
                 if row not in rows] + unmatched(self.flakes, rows))

    def failures_of(self, tests):
        """The expected failures of these tests."""
        return {row for row in self.fails for test in tests
                if row == test or row.startswith(f"{test}@")}

    def unmatched_tests(self, names):
        """The places of lines that match none of these tests."""
        return unmatched(self.skips | self.tests, names)


def matches(regexes, text):
    return any(regex.search(text) for regex in regexes.values())


def unmatched(regexes, texts):
    return [place for place, regex in regexes.items()
            if not any(map(regex.search, texts))]


def read_lines(path):
    """Yields (place, text) of lines that are not comments, if any."""
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            text = line.strip()
            if text and not text.startswith("#"):
                yield f"{os.path.basename(path)}:{number}", text


def unknown_lists(directory, with_gpus):
    """Lists that match no device. with_gpus: of a GPU and of all GPUs, too."""
    names = set(devices.drivers())
    if with_gpus:
        names |= {device.file_name() for device in devices.known()}
        names |= {f"{device.file_name()}+" for device in devices.simulated()}
        names.add("simulated")
    found = {name: LIST_NAME.match(name) for name in os.listdir(directory)}
    return sorted(name for name, match in found.items()
                  if match and match[1] not in names)
