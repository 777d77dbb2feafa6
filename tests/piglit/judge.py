# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges a piglit test or subtest by stock Mesa's result and the lists."""

from typing import NamedTuple

from tests.runners.lists import Expectations
from tests.runners.verdict import Finding, Verdict

# The reason for subtests that only Pitot's result has as rows.
ONLY_ON_STOCK = "the test did not get to its subtests on stock Mesa"


class Judge(NamedTuple):
    """Compares one device's rows, {name: Row}, on both Mesas.

    The lists apply only to tests in `bound`; others are only compared with
    stock. stock_is_list: a failure on stock Mesa is expected.
    """
    expectations: Expectations
    stock: dict
    bound: set
    stock_is_list: bool = False

    def judge(self, pitot):
        """The findings on all rows of both sides, by name."""
        names = sorted(pitot.keys() | self.stock.keys())
        return [self.finding(name, pitot.get(name)) for name in names]

    def finding(self, name, row):
        stock_row = self.stock.get(name)
        test = (row or stock_row).test
        status = row.status if row else "Missing"
        stock = stock_row.status if stock_row else None
        verdict, why = self.verdict(name, test, status, stock), ""
        if verdict in (Verdict.STALE, Verdict.UNEXPECTED_PASS):
            why = f"remove {self.expectations.fails[name].place}"
        elif verdict is Verdict.SKIPPED:
            why = row.why if row else ONLY_ON_STOCK
        return Finding(name, verdict, status, stock, why, test)

    def verdict(self, name, test, status, stock):
        listed = self.expectations.fails.get(name)
        is_listed = listed and listed.status == status
        is_flake = self.expectations.is_flake(name)
        if status == "Pass":
            if listed and not is_flake:
                return Verdict.UNEXPECTED_PASS
            return Verdict.PASSED if stock in (None, "Pass") else Verdict.GAINED
        # A listed failure is no excuse, except for a known flake: stock may
        # have been lucky.
        if stock == "Pass":
            return (Verdict.EXPECTED if is_listed and is_flake else
                    Verdict.LOST)
        if status == "Missing" and name != test:
            return Verdict.LOST
        if status in ("Skip", "Missing"):
            return Verdict.STALE if listed else Verdict.SKIPPED
        if is_listed:
            return Verdict.EXPECTED
        if stock in (None, "Skip"):
            return Verdict.LOST
        if self.stock_is_list and status == stock:
            return Verdict.SAME_FAILURE
        return (Verdict.UNLISTED if test in self.bound else
                Verdict.FAILS_ON_STOCK)


def passes(_, status):
    """Whether a lost row passes when it runs again."""
    return status == "Pass"
