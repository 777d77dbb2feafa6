# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Counts results, and the different cases among them, in two lines:

    N different cases; N listed failures; N costs above stock's
    N passed, N failed, N skipped

A case has no driver, GPU, kind of context, sanitizer or memcheck in its name. A
listed failure is expected by a list next to the tests; a cost is higher than
stock Mesa's, but within a limit: neither is in the last line.
"""

import collections

COUNTED = ("passed", "failed", "skipped")
OF_CASES = (*COUNTED, "listed") # costs are not compared
VERDICTS = (*OF_CASES, "cost")


class Totals:
    """The results of a run, and the lines that explain them."""

    def __init__(self):
        self.rows = []
        self.failures = []
        self.skips = collections.Counter()
        self.costs = collections.Counter()

    def add(self, verdict, case):
        if verdict not in VERDICTS:
            raise ValueError(verdict)
        self.rows.append((verdict, " ".join(case.split())))

    def explain(self, verdict, case, where, name, why):
        """Explains each failure, and each reason of skips or costs with a
        number."""
        self.add(verdict, case)
        if verdict == "failed":
            self.failures.append(f"failed: {where}: {name} ({why})")
        elif verdict == "skipped":
            self.skips[where, why] += 1
        elif verdict == "cost":
            self.costs[why] += 1

    def count(self, verdict):
        return sum(1 for other, _ in self.rows if other == verdict)

    def explanations(self):
        return self.failures + [
            f"skipped: {where}: {number} for '{why}'"
            for (where, why), number in self.skips.items()] + [
            f"above stock's: {number} for '{why}'"
            for why, number in self.costs.items()]

    def lines(self):
        cases = len({case for _, case in self.rows})
        return [f"{cases} different cases; {self.count('listed')} listed "
                f"failures; {self.count('cost')} costs above stock's",
                ", ".join(f"{self.count(verdict)} {verdict}"
                          for verdict in COUNTED)]
