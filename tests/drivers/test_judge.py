#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests how tests/drivers/run judges its program; needs no Mesa."""

import os
import subprocess
import sys
import unittest

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from runners.fixture import FilesTest

RUN = os.path.join(os.path.dirname(os.path.realpath(__file__)), "run")

# In place of src/mesa/run: tells the program which Mesa it runs on.
LAUNCHER = """#!/bin/sh
mesa=pitot
while [ "$1" != env ]; do
    [ "$1" = --stock ] && mesa=stock
    shift
done
MESA=$mesa exec "$@"
"""


class DriversTest(FilesTest):
    def check(self, last_line, defects, is_good=None, says="",
              arguments=("skl",)):
        """Runs the runner; defects is the program, as a shell script."""
        self.write("tests/defects", f"#!/bin/sh\nset -- \"$@\" $MESA\n{defects}\n")
        done = subprocess.run(
            [RUN, "--launcher", self.write("launcher", LAUNCHER),
             self.directory, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PITOT_RESULTS": ""})
        lines = done.stdout.splitlines() or [""]
        self.assertEqual(lines[-1], last_line, done.stdout + done.stderr)
        if is_good is None:
            is_good = " 0 failed" in last_line
        self.assertEqual(done.returncode == 0, is_good)
        self.assertIn(says, done.stdout)

    def test_wrong_on_stock_and_right_with_Pitot(self):
        self.check("2 passed, 0 failed, 0 skipped",
                   "case $* in *--list*) echo defect a ;; *stock*) echo wrong ;; "
                   "*) echo right ;; esac")

    def test_a_defect_of_another_driver(self):
        self.check("1 passed, 0 failed, 0 skipped",
                   "case $* in *--list*) echo defect a radeonsi ;; "
                   "*stock*) echo wrong ;; *) echo right ;; esac")

    def test_what_a_driver_lacks_is_wrong(self):
        for seen, last_line in (("wrong", "1 passed, 0 failed, 0 skipped"),
                                ("right", "1 passed, 1 failed, 0 skipped")):
            self.check(last_line, "case $* in *--list*) echo defect a; "
                       "echo lack a iris ;; *stock*) echo wrong ;; "
                       f"*) echo {seen} ;; esac")

    def test_stock_is_judged_where_Pitot_is_excepted(self):
        for kind, stock, passed in (
                ("lack", "wrong", 1), ("lack", "right", 0),
                ("worse", "right", 1), ("worse", "wrong", 0)):
            listed = "; ".join(f"echo {kind} a {driver}" for driver in
                               ("iris", "radeonsi", "freedreno"))
            self.check(f"{passed} passed, {1 - passed} failed, 0 skipped",
                       f"case $* in *--list*) echo promise a; {listed} ;; "
                       f"*stock*) echo {stock} ;; *) echo wrong ;; esac")

    def test_a_lack_is_of_its_own_stock_driver(self):
        for stock, passed in ("right", 0), ("wrong", 1):
            self.check(f"{passed} passed, {1 - passed} failed, 0 skipped",
                       "case $* in *--list*) echo defect a; "
                       "echo lack a iris ;; *stock*) "
                       f"[ $PITOT_SIM = skl ] && echo {stock} || echo wrong ;; "
                       "*) echo wrong ;; esac")

    def test_right_on_stock_tests_nothing(self):
        self.check("1 passed, 1 failed, 0 skipped",
                   "case $* in *--list*) echo defect a ;; *) echo right ;; esac",
                   says="on stock Mesa (on skl: right, on navi21: right, on a630: right)")

    def test_a_promise_is_right_on_both(self):
        for stock, totals in (("right", "2 passed, 0 failed, 0 skipped"),
                              ("wrong", "1 passed, 1 failed, 0 skipped")):
            self.check(totals, "case $* in *--list*) echo promise a ;; "
                       f"*stock*) echo {stock} ;; *) echo right ;; esac")

    def test_a_crash_on_stock_is_reported_as_one(self):
        self.check("1 passed, 1 failed, 0 skipped",
                   "case $* in *--list*) echo defect a ;; *stock*) echo no >&2; "
                   "exit 3 ;; *) echo right ;; esac",
                   says="on stock Mesa (on skl: failed with status 3: no")

    def test_on_the_machine_Pitot_has_to_be_right(self):
        for stock, pitot, totals in (
                ("right", "right", "1 passed, 0 failed, 0 skipped"),
                ("wrong", "right", "1 passed, 0 failed, 0 skipped"),
                ("right", "wrong", "0 passed, 1 failed, 0 skipped")):
            self.check(totals, "case $* in *--machine*--list*) "
                       "echo defect a ;; *--list*) echo defect b ;; "
                       f"*--machine*a*stock*) echo {stock} ;; "
                       f"*--machine*a*) echo {pitot} ;; esac",
                       arguments=["--machine", "iris"],
                       says=f"a: {stock} on stock Mesa, {pitot} with Pitot")

    def test_mistakes_are_refused(self):
        for words in (["--markdwon", "/", "skl"], [], ["--launcher"],
                      ["/", "sklx"]):
            done = subprocess.run([RUN, *words], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn("tests/drivers/run: ", done.stderr)
        done = subprocess.run([RUN, "--help"], stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 0)

    def test_a_crash_is_neither_right_nor_wrong(self):
        for end in ("kill -SEGV $$", "exit 1", "true",
                    "echo right; kill -SEGV $$", "echo wrong; exit 1"):
            self.check("0 passed, 2 failed, 0 skipped",
                       "case $* in *--list*) echo defect a; exit ;; esac\n" + end)

    def test_no_defect_is_a_failure(self):
        self.check("0 passed, 0 failed, 0 skipped", "true", is_good=False)
        self.check("", "echo defect a; kill -SEGV $$", is_good=False)


if __name__ == "__main__":
    unittest.main()
