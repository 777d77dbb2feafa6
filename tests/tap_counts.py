# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Counts the cases in the JSON logs of `meson test`, whose tests speak TAP.

    tap_counts.py STATUS LOG...

STATUS is the exit status of `meson test`.  Adds a line for each result to the
file that PITOT_RESULTS names (see totals.py), and says on stderr what failed
and why something was skipped.
"""

import json
import sys

# The modules are few: leave no __pycache__ in the tree.
sys.dont_write_bytecode = True

import tap
from totals import Skips, Totals


def program_of(test):
    """The name of a test program, without what it is run on: each part of
    the contract is the contract, and its suite tells others of one name
    apart.
    """
    suites, _, name = test["name"].rpartition(" / ")
    suite = suites.partition(":")[2].partition("+")[0]
    return suite if name.startswith(suite) else f"{suite} {name}"


def case_of(test, result):
    """A name begins with what the case was run on, and ": ": a driver, or a
    kind of context for the rules, which tests/conformance has as well.
    """
    program = program_of(test)
    name = result.name.partition(": ")[2] or result.name
    return f"{'rule' if program == 'gl rules' else program}: {name}"


def results_of(test):
    """Those of a program; that Meson saw it fail is one."""
    results = tap.results_of(test.get("stdout", ""), test["returncode"])
    if test["result"] not in ("OK", "SKIP") and not any(
            result.is_bad() for result in results):
        results.append(tap.Result("the program", "failed", test["result"]))
    return results


def count(tests, status, totals):
    """Counts tests, as Meson logs them; returns what to say of them."""
    said, skips = [], Skips()
    for test in tests:
        for result in results_of(test):
            verdict = "failed" if result.is_bad() else result.verdict
            totals.add(verdict, case_of(test, result))
            if verdict == "failed":
                said.append(f"failed: {test['name']}: {result.name} "
                            f"({result.why})")
            elif verdict == "skipped":
                skips.add(test["name"], result.why)
    if not totals.rows or (status and not totals.count("failed")):
        totals.add("failed", "meson test")
        said.append(f"failed: meson test, with status {status} after "
                    f"{len(tests)} programs")
    return said + skips.lines()


def main():
    tests, totals = [], Totals()
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as log:
            tests += [json.loads(line) for line in log]
    for line in count(tests, int(sys.argv[1]), totals):
        print(line, file=sys.stderr)
    totals.publish()


if __name__ == "__main__":
    main()
