#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Counts the results of `pitot-info --check` for a GPU.

check.py PITOT-INFO NODE"""

import json
import os
import subprocess
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from runners.command import last_line
from runners.totals import Totals

# The verdicts of totals.py, by pitot-info's.
VERDICTS = {"right": "passed", "wrong": "failed", "absent": "skipped",
            "not tried": "skipped"}


def number_texts(check):
    return ", ".join(f"{name} {value:.12g}"
                     for name, value in check["numbers"].items())


def count(checks, totals):
    """Yields a line about each check."""
    for check in checks:
        why = check["text"] or check["verdict"]
        if check["verdict"] == "wrong":
            why += f"; assumed: {check['assumes']}"
        totals.explain(VERDICTS[check["verdict"]], f"check: {check['name']}",
                       "check", check["name"], why)
        yield ": ".join(filter(None, (check["name"], check["verdict"],
                                      check["text"], number_texts(check))))


def contradiction(status, checks, totals):
    """Why the output contradicts the exit status, or None."""
    if not checks:
        return "it gives no answers"
    if status != totals.exit_status():
        return f"status {status} contradicts its answers"
    return None


def main():
    done = subprocess.run([sys.argv[1], "--check", "--json", "--device",
                           sys.argv[2]], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    totals = Totals()
    try:
        checks = json.loads(done.stdout)["devices"][0]["checks"]
    except (ValueError, KeyError, IndexError):
        checks = []
    lines = list(count(checks, totals))
    if why := contradiction(done.returncode, checks, totals):
        totals.explain("failed", "check", "check", "pitot-info --check",
                       f"{why}: {last_line(done.stderr or done.stdout)}")
    return totals.finish(*lines)


if __name__ == "__main__":
    sys.exit(main())
