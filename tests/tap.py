# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Reads TAP: the results of a program that says one line for each case.

A program that dies, that does not say how many cases it has, or that says
less than all of them, has failed cases: nothing passes because nobody heard
of it.  Nor is a case skipped of which nobody says why.
"""

import re
from typing import NamedTuple

PLAN = re.compile(r"1\.\.(\d+)(?:\s*#\s*SKIP\b\s*(.*))?$", re.IGNORECASE)
RESULT = re.compile(r"(not )?ok\b(?: \d+)?(?: -)?\s*([^#]*)"
                    r"(?:#\s*SKIP\b\s*(.*))?$", re.IGNORECASE)
# tests/test.h says this before cmocka says that the case is skipped.
REASON = re.compile(r"# skip: (.*)")
# cmocka says this of a case that crashed, after which it goes on.
CRASH = re.compile(r"# Test failed with exception: (.*)")


class Result(NamedTuple):
    """verdict is passed, failed, crashed or skipped; why says more of all but
    what passed."""
    name: str
    verdict: str
    why: str = ""

    def is_bad(self):
        return self.verdict in ("failed", "crashed")


def read_result(match, reason):
    """The result in a line, given the reason that was said before it."""
    bad, name, skip = match.groups()
    name = name.strip()
    if skip is None:
        return Result(name, "failed" if bad else "passed",
                      "see above" if bad else "")
    if not name: # cmocka has the name where the reason should be
        name, skip = skip.strip(), reason
    return (Result(name, "skipped", skip.strip()) if skip and skip.strip()
            else Result(name, "failed", "skipped without a reason"))


def read(text):
    """The cases that were planned, or None; and the results."""
    planned, results, reason = None, [], ""
    for line in text.splitlines():
        if plan := PLAN.match(line):
            planned = (planned or 0) + int(plan[1])
            if plan[1] == "0" and plan[2]:
                results.append(Result("all", "skipped", plan[2]))
                planned += 1
        elif match := RESULT.match(line):
            results.append(read_result(match, reason))
            reason = ""
        elif match := REASON.match(line):
            reason = match[1]
        elif (match := CRASH.match(line)) and results:
            results[-1] = results[-1]._replace(verdict="crashed",
                                               why=match[1])
    return planned, results


def right_statuses(results):
    """The exit statuses that go with these results: cmocka returns how many
    cases failed, others 1."""
    bad = sum(result.is_bad() for result in results)
    return (1, bad % 256) if bad else (0,)


def results_of(text, status, what_ended_it=""):
    """The results of a program that printed this and exited with a status;
    what it owes is among them, failed.
    """
    planned, results = read(text)
    owed = []
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
