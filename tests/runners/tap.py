# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Reads TAP: a program's results, one line per case.

A program that dies, prints no plan, or prints fewer cases than planned has
failed cases: a case without a line has not passed. A skip needs a reason.
"""

import os
import re
from typing import NamedTuple

PLAN = re.compile(r"1\.\.(\d+)(?:\s*#\s*SKIP\b\s*(.*))?$", re.IGNORECASE)
RESULT = re.compile(r"(not )?ok (\d+)\b(?: -)?\s*([^#]*)"
                    r"(?:#\s*SKIP\b\s*(.*))?$", re.IGNORECASE)
BAIL_OUT = re.compile(r"Bail out!(.*)", re.IGNORECASE)
# tests/test.h prints this before cmocka's line of a skipped case.
REASON = re.compile(r"# skip: (.*)")
# cmocka's line for a case that crashed; cmocka then continues.
CRASH = re.compile(r"# Test failed with exception: (.*)")


class Result(NamedTuple):
    """verdict is passed, failed, crashed or skipped; why is its reason."""
    name: str
    verdict: str
    why: str = ""

    def is_bad(self):
        return self.verdict in ("failed", "crashed")

    def count(self):
        """The verdict that is counted: a crash is a failure."""
        return "failed" if self.is_bad() else self.verdict


def environment():
    """Makes cmocka print TAP."""
    return dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP")


def read_result(match, reason):
    """The result in a line, given the reason from the line before it."""
    bad, _, name, skip = match.groups()
    name = name.strip()
    if skip is None or (bad and name):
        return Result(name, "failed" if bad else "passed",
                      "see above" if bad else "")
    if not name: # cmocka puts the name where the reason belongs
        name, skip = skip.strip(), reason
    return (Result(name, "skipped", skip.strip()) if skip and skip.strip()
            else Result(name, "failed", "skipped without a reason"))


class Reader:
    """Reads the lines of one program."""

    def __init__(self):
        self.planned = None
        self.results = []
        self.wrong = [] # failures outside of planned cases
        self.reason = ""
        self.number = 0

    def read(self, line):
        if match := PLAN.match(line):
            self.plan(int(match[1]), match[2])
        elif match := RESULT.match(line):
            self.result(match)
        elif match := REASON.match(line):
            self.reason = match[1]
        elif match := BAIL_OUT.match(line):
            self.blame("the program", f"it gave up: {match[1].strip()}")
        elif (match := CRASH.match(line)) and self.results:
            self.results[-1] = self.results[-1]._replace(verdict="crashed",
                                                         why=match[1])

    def plan(self, count, why):
        """Reads a plan: each group of cases has one, and counts from 1."""
        self.number = 0
        self.planned = (self.planned or 0) + count
        if count == 0 and why:
            self.results.append(Result("all", "skipped", why))
            self.planned += 1

    def result(self, match):
        found = read_result(match, self.reason)
        self.reason = ""
        self.number += 1
        if int(match[2]) != self.number and not self.wrong:
            self.blame("the plan", f"case {match[2]} came as {self.number}")
        if found.name in {result.name for result in self.results}:
            self.blame("the plan", f"'{found.name}' came twice")
        self.results.append(found)

    def blame(self, name, why):
        self.wrong.append(Result(name, "failed", why))


def read(text):
    reader = Reader()
    for line in text.splitlines():
        reader.read(line)
    return reader


def right_statuses(results):
    """cmocka returns the number of failed cases, other programs 1."""
    bad = sum(result.is_bad() for result in results)
    return (1, bad % 256) if bad else (0,)


def results_of(text, status, what_ended_it=""):
    """Given the program's output and exit status. Missing cases have failed.
    """
    found = read(text)
    planned, results, owed = found.planned, found.results, found.wrong
    if not planned:
        owed.append(Result("the plan", "failed", "no case was planned"))
    elif len(results) > planned:
        owed.append(Result("the plan", "failed",
                           f"{len(results)} results of {planned} cases"))
    owed += [Result(f"case {number + 1} of {planned}", "failed",
                    what_ended_it or f"did not run: status {status}")
             for number in range(len(results), planned or 0)]
    if not owed and status not in right_statuses(results):
        owed.append(Result("the end", "failed",
                           what_ended_it or f"status {status}"))
    return results + owed
