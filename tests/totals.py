# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Counts results, and how many different cases they are of.

    totals.py FILE

FILE has a line for each result: passed, failed, skipped or listed, a tab, and
the name of the case, without the driver, the GPU, the kind of context, the
sanitizers or memcheck that it ran on or under.  Prints two lines:

    N different cases; N listed failures
    N passed, N failed, N skipped

The exit status is 0 if something was counted and nothing failed.  A listed
failure is one that a list beside the tests expects, with its reason: it is
in none of the three counts of the last line.

Runners add their results to the file that the environment variable
PITOT_RESULTS names, if it names one, and end with the same two lines.
"""

import collections
import os
import sys

VERDICTS = ("passed", "failed", "skipped", "listed")


class Totals:
    """The results of a run."""

    def __init__(self):
        self.rows = []

    def add(self, verdict, case):
        if verdict not in VERDICTS:
            raise ValueError(verdict)
        self.rows.append((verdict, " ".join(case.split())))

    def read(self, path):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                self.add(*line.rstrip("\n").split("\t", 1))

    def publish(self):
        """Tells whoever started the runner, if anybody wants to know."""
        path = os.environ.get("PITOT_RESULTS")
        if path:
            with open(path, "a", encoding="utf-8") as stream:
                stream.writelines(f"{verdict}\t{case}\n"
                                  for verdict, case in self.rows)

    def count(self, verdict):
        return sum(1 for other, _ in self.rows if other == verdict)

    def lines(self):
        cases = len({case for _, case in self.rows})
        return [f"{cases} different cases; {self.count('listed')} listed "
                "failures",
                ", ".join(f"{self.count(verdict)} {verdict}"
                          for verdict in VERDICTS[:3])]

    def exit_status(self):
        return 1 if self.count("failed") or not self.rows else 0


class Skips:
    """Reasons, which are told once each, with how many cases they are of."""

    def __init__(self):
        self.counts = collections.Counter()

    def add(self, where, why):
        self.counts[where, why] += 1

    def lines(self):
        return [f"skipped: {where}: {number} for '{why}'"
                for (where, why), number in self.counts.items()]


def main():
    totals = Totals()
    totals.read(sys.argv[1])
    print(*totals.lines(), sep="\n")
    return totals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
