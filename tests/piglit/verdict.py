# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges Pitot's results by those of stock Mesa and by what is expected."""

import enum
from typing import NamedTuple


class Verdict(enum.Enum):
    """What is said of one test or subtest, and how it is counted."""

    PASSED = ("passed", "passed")
    GAINED = ("gained", "passed")
    FLAKED = ("flaked", "passed")
    SKIPPED = ("skipped", "skipped")
    EXPECTED = ("expected failure", "listed")
    FAILS_ON_STOCK = ("fails on stock too", "skipped")
    LOST = ("lost", "failed")
    UNSTEADY = ("unsteady", "failed")
    UNLISTED = ("unexpected failure", "failed")
    UNEXPECTED_PASS = ("unexpected pass", "failed")
    STALE = ("listed, but there is no such result", "failed")

    def __init__(self, label, count):
        self.label = label
        self.count = count


# Of a test that has subtests with Pitot, whose results are rows of their own.
ONLY_ON_STOCK = "the test did not get to its subtests on stock Mesa"


class Finding(NamedTuple):
    """The verdict on one row; stock is None where stock has no such row."""
    row: str
    test: str
    verdict: Verdict
    pitot: str
    stock: str
    why: str = ""


class Judge:
    """Compares one driver's rows, {name: Row}, on the two Mesas.

    stock is None if stock Mesa was not run. The lists bind only the tests in
    `listed`: all others are compared with stock and with nothing else.
    """

    def __init__(self, expectations, stock, listed):
        self.expectations = expectations
        self.stock = stock
        self.listed = listed

    def judge(self, pitot):
        """The findings on all rows of either side, by name."""
        names = sorted(pitot.keys() | (self.stock or {}).keys())
        return [self.finding(name, pitot.get(name)) for name in names]

    def finding(self, name, row):
        stock_row = (self.stock or {}).get(name)
        test = (row or stock_row).test
        status = row.status if row else "Missing"
        stock = stock_row.status if stock_row else None
        if status == "Pass":
            verdict = self.of_pass(name, stock)
        elif stock == "Pass":
            verdict = self.of_loss(name, status)
        elif not row and name != test:
            verdict = Verdict.LOST
        elif status in ("Skip", "Missing"):
            verdict = (Verdict.STALE if name in self.expectations.fails
                       else Verdict.SKIPPED)
        else:
            verdict = self.of_failure(name, test, status, stock)
        return Finding(name, test, verdict, status, stock,
                       row.why if row else ONLY_ON_STOCK)

    def of_pass(self, name, stock):
        flake = self.expectations.is_flake(name)
        if name in self.expectations.fails and not flake:
            return Verdict.UNEXPECTED_PASS
        return Verdict.PASSED if stock in (None, "Pass") else Verdict.GAINED

    def of_loss(self, name, status):
        """What passes on stock and not with Pitot.

        That a failure is listed is no excuse, unless the test is known to
        pass now and then: stock may have been lucky.
        """
        if self.is_listed(name, status) and self.expectations.is_flake(name):
            return Verdict.EXPECTED
        return Verdict.LOST

    def of_failure(self, name, test, status, stock):
        if self.is_listed(name, status):
            return Verdict.EXPECTED
        if self.stock is not None and stock in (None, "Skip"):
            return Verdict.LOST
        if self.stock is not None and test not in self.listed:
            return Verdict.FAILS_ON_STOCK
        return Verdict.UNLISTED

    def is_listed(self, name, status):
        failure = self.expectations.fails.get(name)
        return failure is not None and failure.status == status


def stale(places):
    """The findings on lines of the lists that are about nothing."""
    return [Finding(place, place, Verdict.STALE, "None", None)
            for place in places]


def rejudge(findings, again, expectations):
    """Findings after the lost tests were run again, with rows `again`.

    A test that passes now was not lost but is unsteady, and that is a failure
    too, unless it is known to be.  A crash never is, nor a test that vanished.
    """
    def second_look(finding):
        row = again.get(finding.row)
        if finding.verdict not in (Verdict.LOST, Verdict.UNLISTED):
            return finding
        if row is None:
            return finding
        if row.status != "Pass":
            return (finding._replace(pitot=row.status)
                    if finding.pitot == "Fail" else finding)
        flake = (finding.pitot == "Fail"
                 and expectations.is_flake(finding.row))
        return finding._replace(
            verdict=Verdict.FLAKED if flake else Verdict.UNSTEADY)
    return [second_look(finding) for finding in findings]
