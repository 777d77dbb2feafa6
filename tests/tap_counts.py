# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Counts the subtests in the JSON logs of `meson test`, whose tests speak TAP.

Prints the counts of passed, failed and skipped ones in one line on stdout, and
a line on stderr for everything that failed or was skipped.
"""

import collections
import json
import re
import sys

PLAN = re.compile(r"1\.\.(\d+)(?:\s*#\s*SKIP\b\s*(.*))?$", re.IGNORECASE)
RESULT = re.compile(r"(not )?ok\b(?: (\d+))?(?: - )?([^#]*)"
                    r"(?:#\s*SKIP\b\s*(.*))?$", re.IGNORECASE)


def say(test, what, subtest, why):
    name = test["name"] + (f": {subtest}" if subtest else "")
    print(f"{what}: {name} ({why})", file=sys.stderr)


def count_subtests(test):
    """What the lines of one test program say."""
    counts = collections.Counter()
    planned = 0
    for line in test.get("stdout", "").splitlines():
        plan = PLAN.match(line)
        if plan:
            planned += int(plan[1])
            if plan[1] == "0":
                counts["skipped"] += 1
                say(test, "skipped", "", plan[2] or "no reason given")
            continue
        result = RESULT.match(line)
        if not result:
            continue
        subtest = result[3].strip() or result[2] or ""
        if result[4] is not None:
            counts["skipped"] += 1
            say(test, "skipped", subtest, result[4] or "no reason given")
        elif result[1]:
            counts["failed"] += 1
            say(test, "failed", subtest, "see above")
        else:
            counts["passed"] += 1
    return counts, planned


def count_test(test):
    """The same, with what the program did not come to say as failed."""
    counts, planned = count_subtests(test)
    missing = planned - counts.total()
    if missing > 0:
        counts["failed"] += missing
        say(test, "failed", "", f"{missing} of {planned} did not run")
    if test["result"] not in ("OK", "SKIP") and not counts["failed"]:
        counts["failed"] += 1
        say(test, "failed", "", f"{test['result']}, status "
            f"{test['returncode']}")
    return counts


def main():
    total = collections.Counter()
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as log:
            for line in log:
                total += count_test(json.loads(line))
    if not total:
        print("failed: no test was run", file=sys.stderr)
        total["failed"] = 1
    print(total["passed"], total["failed"], total["skipped"])


main()
