#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of tests/fault/run, with a script instead of the program."""

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.dirname(HERE))

from runners.fixture import FilesTest

GOOD = """\
1..2
ok 1 - a: x
ok 2 - b: x
# 5 faults of 9 injected, 5 survived, 3 told
"""
# A fault in every third round.
SOMETIMES = """\
case $PITOT_FAULT_ROUND in
*[147]) bad='not ' ;;
esac
printf '1..1\\n%sok 1 - a\\n# 1 faults of 3 injected, 1 survived, 0 told\\n' "$bad"
[ -z "$bad" ]
"""


class RunTest(FilesTest):
    def run_on(self, script, *options):
        """Runs tests/fault/run on a build whose program is a script."""
        self.write("tests/fault/fault_hw", f"#!/bin/sh\n{script}\n")
        return subprocess.run(
            [os.path.join(HERE, "run"), self.directory, "--program", "hw",
             *options], capture_output=True, text=True, check=False,
            env={name: value for name, value in os.environ.items()
                 if not name.startswith("PITOT_")})

    def run_text(self, text, status=0):
        return self.run_on(f"cat <<'END'\n{text}END\nexit {status}")

    def check(self, done, status, *lines):
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        for line in lines:
            self.assertIn(line, done.stdout.splitlines())

    def test_good_program(self):
        self.check(self.run_text(GOOD), 0,
                   "5 faults injected (9 are known), 5 survived, 3 of them "
                   "told",
                   "1 different cases; 0 listed failures; "
                   "0 costs above stock's",
                   "2 passed, 0 failed, 0 skipped")

    def test_failure_says_its_round_and_its_fault(self):
        text = GOOD.replace("ok 2", "# b: x under no memory, call 3, once: "
                            "file.c:1: no\nnot ok 2").replace("5 su", "4 su")
        self.check(self.run_text(text, 1), 1, "# hw, PITOT_FAULT_ROUND=0:",
                   "# b: x under no memory, call 3, once: file.c:1: no",
                   "1 passed, 1 failed, 0 skipped")

    def test_program_that_breaks_off(self):
        self.check(self.run_on("echo 1..2; echo 'ok 1 - a: x'; kill -9 $$"),
                   1, "1 passed, 1 failed, 0 skipped")

    def test_failure_that_no_case_tells(self):
        self.check(self.run_text(GOOD, 1), 1)

    def test_faults_that_nobody_survived(self):
        self.check(self.run_text(GOOD.replace("5 survived", "4 survived")), 1)

    def test_program_that_injects_nothing(self):
        self.check(self.run_text(GOOD.replace("5 ", "0 ")), 1)

    def test_program_without_figures(self):
        self.check(self.run_text(GOOD[:GOOD.index("# 5")]), 1)

    def test_missing_program(self):
        done = subprocess.run([os.path.join(HERE, "run"), self.directory],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("build the tests", done.stderr)

    def test_share_and_round_are_reported(self):
        done = self.run_on("[ $PITOT_FAULT_RUNS-$PITOT_FAULT_ROUND = "
                           "20000-7 ] || exit 1\n"
                           f"cat <<'END'\n{GOOD}END", "--seed", "7")
        self.check(done, 0)

    def test_rounds_go_on_until_one_is_bad(self):
        done = self.run_on(SOMETIMES, "--for", "600", "--seed", "2")
        self.check(done, 1, "# hw, PITOT_FAULT_ROUND=4:",
                   "0 passed, 1 failed, 0 skipped")
        self.assertIn("3 faults injected (9 are known)", done.stdout)


if __name__ == "__main__":
    unittest.main()
