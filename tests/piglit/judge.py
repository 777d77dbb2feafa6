# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges a piglit test or subtest by stock Mesa's result and the lists."""

from tests.runners.verdict import Finding, Verdict

# The reason for subtests that only Pitot's result has as rows.
ONLY_ON_STOCK = "the test did not get to its subtests on stock Mesa"


class Judge:
    """Compares one device's rows, {name: Row}, on both Mesas.

    The lists apply only to tests in `bound`; others are only compared with
    stock. stock_is_list: a failure on stock Mesa is expected.
    """

    def __init__(self, expectations, stock, bound, stock_is_list=False):
        self.expectations = expectations
        self.stock = stock
        self.bound = bound
        self.stock_is_list = stock_is_list

    def judge(self, pitot):
        """The findings on all rows of both sides, by name."""
        names = sorted(pitot.keys() | self.stock.keys())
        return [self.finding(name, pitot.get(name)) for name in names]

    def finding(self, name, row):
        stock_row = self.stock.get(name)
        test = (row or stock_row).test
        status = row.status if row else "Missing"
        stock = stock_row.status if stock_row else None
        listed = self.expectations.fails.get(name)
        why = ""
        if status == "Pass":
            verdict = self.of_pass(name, stock)
        elif stock == "Pass":
            verdict = self.of_loss(name, status)
        elif not row and name != test:
            verdict = Verdict.LOST
        elif status in ("Skip", "Missing"):
            verdict = Verdict.STALE if listed else Verdict.SKIPPED
            why = row.why if row else ONLY_ON_STOCK
        else:
            verdict = self.of_failure(name, test, status, stock)
        if verdict in (Verdict.STALE, Verdict.UNEXPECTED_PASS):
            why = f"remove {listed.place}"
        return Finding(name, verdict, status, stock, why, test)

    def of_pass(self, name, stock):
        flake = self.expectations.is_flake(name)
        if name in self.expectations.fails and not flake:
            return Verdict.UNEXPECTED_PASS
        return Verdict.PASSED if stock in (None, "Pass") else Verdict.GAINED

    def of_loss(self, name, status):
        """The verdict on a failure that passes on stock.

        A listed failure is no excuse, except for a known flake: stock may have
        been lucky.
        """
        if self.is_listed(name, status) and self.expectations.is_flake(name):
            return Verdict.EXPECTED
        return Verdict.LOST

    def of_failure(self, name, test, status, stock):
        if self.is_listed(name, status):
            return Verdict.EXPECTED
        if stock in (None, "Skip"):
            return Verdict.LOST
        if self.stock_is_list and status == stock:
            return Verdict.SAME_FAILURE
        if test not in self.bound:
            return Verdict.FAILS_ON_STOCK
        return Verdict.UNLISTED

    def is_listed(self, name, status):
        failure = self.expectations.fails.get(name)
        return failure is not None and failure.status == status


def passes(_, status):
    """Whether a lost row passes when it runs again."""
    return status == "Pass"
