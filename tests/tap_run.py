# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Runs programs that speak TAP.

    tap_run.py NAME REGEX COMMAND... [--- COMMAND...]...

NAME is put before the names of their cases, in which REGEX matches what is no
part of the name: on which GPU a case is, for example.  Says what failed and
why something was skipped, and ends with the totals (see totals.py).
"""

import os
import re
import subprocess
import sys

# The modules are few: leave no __pycache__ in the tree.
sys.dont_write_bytecode = True

import tap
from totals import Skips, Totals


def split(words):
    """The commands."""
    commands = [[]]
    for word in words:
        if word == "---":
            commands.append([])
        else:
            commands[-1].append(word)
    return commands


def run(command):
    """Runs a program, shows the cases that fail, and returns all results."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                          errors="replace",
                          env=dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP"))
    is_told = False
    for line in done.stdout.splitlines():
        if not line.startswith("#"):
            is_told = line.startswith("not ok") and "# SKIP" not in line
        if is_told:
            print(line)
    return tap.results_of(done.stdout, done.returncode)


def main():
    name, regex = sys.argv[1:3]
    totals, skips = Totals(), Skips()
    for command in split(sys.argv[3:]):
        program = os.path.basename(command[0])
        for result in run(command):
            verdict = "failed" if result.is_bad() else result.verdict
            totals.add(verdict, f"{name}: {re.sub(regex, '', result.name)}")
            if verdict == "failed":
                print(f"failed: {program}: {result.name} ({result.why})")
            elif verdict == "skipped":
                skips.add(result.name, result.why)
    totals.publish()
    print(*skips.lines(), *totals.lines(), sep="\n")
    return totals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
