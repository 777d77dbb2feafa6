# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The verdict on a result with Pitot, given stock Mesa's.

piglit and dEQP judge by different rules. This module has their common
verdicts, reruns of lost results, and the summary.
"""

import enum
from typing import NamedTuple, Optional


class Verdict(enum.Enum):
    """The verdict on a case: its label, and how it is counted."""

    PASSED = ("passed", "passed")
    GAINED = ("gained", "passed")
    FLAKED = ("flaked", "passed")
    LOST = ("lost", "failed")
    UNSTEADY = ("unsteady", "failed")
    UNLISTED = ("unexpected failure", "failed")
    UNEXPECTED_PASS = ("unexpected pass", "failed")
    STALE = ("listed, but there is no such result", "failed")
    SAME_FAILURE = ("fails in the same way on stock Mesa", "listed")
    EXPECTED = ("expected failure", "listed")
    NOT_RUN = ("not run, for the lists", "listed")
    FAILS_ON_STOCK = ("not a query test, and fails on stock too", "skipped")
    SKIPPED = ("skipped", "skipped")

    def __init__(self, label, count):
        self.label = label
        self.count = count

class Finding(NamedTuple):
    """Statuses are None if that side has no such case. why: of a skip, or a
    list's line; test is the test to rerun."""
    case: str
    verdict: Verdict
    pitot: Optional[str] = None
    stock: Optional[str] = None
    why: str = ""
    test: str = ""

    def is_lost(self):
        return self.verdict in (Verdict.LOST, Verdict.UNLISTED)

def stale(places):
    """The findings on lines of lists that match nothing."""
    return [Finding(place, Verdict.STALE, why="remove the line")
            for place in places]


def rejudge(findings, again, is_right, is_flake):
    """The findings after reruns of lost cases.

    again: {case: status}. is_right(finding, status): whether it is not lost
    with that status. A case that is right now is a flake, and also a failure
    unless it is listed as a flake. A crash or a missing case is never a flake.
    """
    def second_look(finding):
        status = again.get(finding.case)
        if not finding.is_lost() or status is None:
            return finding
        if not is_right(finding, status):
            return (finding._replace(pitot=status)
                    if finding.pitot == "Fail" else finding)
        flake = finding.pitot == "Fail" and is_flake(finding.case)
        return finding._replace(
            verdict=Verdict.FLAKED if flake else Verdict.UNSTEADY)
    return [second_look(finding) for finding in findings]
