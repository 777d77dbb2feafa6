# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Counts results, and the different cases among them.

    python3 -m runners.totals FILE

FILE has a line for each result: passed, failed, skipped, listed or cost, a
tab, and the name of the case, without driver, GPU, kind of context, sanitizer
or memcheck. Prints two lines:

    N different cases; N listed failures; N costs above stock's
    N passed, N failed, N skipped

The exit status is 0 if something was counted and nothing failed. A listed
failure is expected by a list next to the tests; a cost is higher than stock
Mesa's, but within a limit: neither is in the last line.

Runners add their results to the file PITOT_RESULTS, if set, and print the same
two lines. If PITOT_DETAILS is set, that file gets a line of JSON for each
result (verdict, case, name and reason) and one for the runner's summary.
"""

import collections
import json
import os
import sys

COUNTED = ("passed", "failed", "skipped")
OF_CASES = (*COUNTED, "listed") # costs are not compared
VERDICTS = (*OF_CASES, "cost")


class Totals:
    """The results of a run, and the lines that explain them."""

    def __init__(self):
        self.rows = []
        self.details = [] # (name, why) for each result
        self.failures = []
        self.skips = collections.Counter()
        self.costs = collections.Counter()

    def add(self, verdict, case, name="", why=""):
        if verdict not in VERDICTS:
            raise ValueError(verdict)
        case = " ".join(case.split())
        self.rows.append((verdict, case))
        self.details.append((name or case, why))

    def explain(self, verdict, case, where, name, why):
        """Explains each failure, and each reason of skips or costs with a
        number."""
        self.add(verdict, case, name, why)
        if verdict == "failed":
            self.failures.append(f"failed: {where}: {name} ({why})")
        elif verdict == "skipped":
            self.skips[where, why] += 1
        elif verdict == "cost":
            self.costs[why] += 1

    def read(self, path):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                self.add(*line.rstrip("\n").split("\t", 1))

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

    def exit_status(self):
        return 1 if self.count("failed") or not self.rows else 0

    def publish(self, *summary):
        """Adds the results to those of the run that started this runner."""
        path = os.environ.get("PITOT_RESULTS")
        if path:
            with open(path, "a", encoding="utf-8") as stream:
                stream.writelines(f"{verdict}\t{case}\n"
                                  for verdict, case in self.rows)
        path = os.environ.get("PITOT_DETAILS")
        if path:
            with open(path, "a", encoding="utf-8") as stream:
                for row in self.detailed():
                    print(json.dumps(row), file=stream)
                print(json.dumps({"summary": summary}), file=stream)

    def detailed(self):
        for (verdict, case), (name, why) in zip(self.rows, self.details):
            yield {"verdict": verdict, "case": case, "name": name, "why": why}

    def finish(self, *summary):
        """Ends a runner, and returns its exit status."""
        self.publish(*summary)
        print(*summary, *self.explanations(), *self.lines(), sep="\n",
              flush=True)
        return self.exit_status()


def main():
    totals = Totals()
    totals.read(sys.argv[1])
    print(*totals.lines(), sep="\n")
    return totals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
