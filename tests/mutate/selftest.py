#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests which mutants there are, and how they are judged; builds nothing."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from places import Mutant, mutants_of, read_list
from rates import (FAILED_TO_BUILD, KILLED, SAME, SURVIVED, Result, judge,
                   judge_kept, survivors_of)
from runners.command import RunError
from runners.fixture import FilesTest
from runners.totals import Totals

SOURCE = """\
/* a < b */
static const int table[] = { 7 };

static int
first(int a, int b)
{
   assert(a < b);
   if (a == b &&
       a)
      call("a + b");
   return a;
}

int
second(int a)
{
   return a + 1;
}
"""

PATH = "src/core/x.c"


def all_mutants():
    return [mutant for mutants in mutants_of(PATH, SOURCE)
            for mutant in mutants]


def results(*verdicts):
    """Results of different mutants."""
    return [Result(Mutant(PATH, "f", "a", str(number), 0, 1, "b"), verdict, "")
            for number, verdict in enumerate(verdicts)]


class PlacesTest(unittest.TestCase):
    def test_each_mutant_names_its_function_and_its_lines(self):
        self.assertEqual([str(mutant).partition(f"{PATH}: ")[2]
                          for mutant in all_mutants()], [
            "table: static const int table[] = { 7 }; -> "
            "static const int table[] = { 0 };",
            "table: static const int table[] = { 7 }; -> "
            "static const int table[] = { 8 };",
            "first: if (a == b && -> if (a != b &&",
            "first: if (a == b && -> if (a == b ||",
            "first: if (a == b && a) -> if (!(a == b && a))",
            "first: return a; -> return 0;",
            "first: return a; -> return !(a);",
            'first: call("a + b"); -> {}',
            "second: return a + 1; -> return a - 1;",
            "second: return a + 1; -> return a + 0;",
            "second: return a + 1; -> return a + 2;",
            "second: return a + 1; -> return 0;",
            "second: return a + 1; -> return !(a + 1);",
        ])

    def test_no_two_mutants_have_the_same_line(self):
        source = "int\nf(void)\n{\n   a();\n   a();\n}\n"
        self.assertEqual(
            [str(mutant) for [mutant] in mutants_of(PATH, source)],
            [f"{PATH}: f: a(); -> {{}}", f"{PATH}: f: a(); -> {{}} (2)"])

    def test_no_line_moves(self):
        for mutant in all_mutants():
            self.assertEqual(mutant.apply(SOURCE).count("\n"),
                             SOURCE.count("\n"))


class ListTest(FilesTest):
    def read(self, text):
        known = {str(mutant) for mutant in all_mutants()}
        return read_list(self.write("kept.txt", text), known)

    def test_a_list_is_read(self):
        line = f"{PATH}: first: return a; -> return 0;"
        self.assertEqual(self.read(f"# why\n{line}\n"), {line: "kept.txt:2"})

    def test_a_line_that_is_no_mutant_is_an_error(self):
        with self.assertRaisesRegex(RunError, "kept.txt:1: there is no such"):
            self.read(f"{PATH}: second: return a; -> return 0;\n")

    def test_a_line_that_comes_twice_is_an_error(self):
        line = f"{PATH}: first: return a; -> return 0;\n"
        with self.assertRaisesRegex(RunError, "same mutant as kept.txt:1"):
            self.read(line * 2)


class RatesTest(unittest.TestCase):
    def judge(self, found, equivalent=(), is_drawn=True):
        """Returns the row of the table, and the exit status."""
        totals = Totals()
        *_, row = judge(found, equivalent, is_drawn, totals)
        return row.split(), totals.exit_status()

    def test_a_share_must_be_killed_but_for_bad_luck(self):
        for survived, killed, status in ((0, 1, 0), (1, 0, 0), (1, 1, 0),
                                         (2, 0, 1), (4, 46, 0), (5, 45, 1),
                                         (55, 1945, 0), (56, 1944, 1)):
            found = results(*[SURVIVED] * survived, *[KILLED] * killed)
            self.assertEqual(self.judge(found)[1], status, (survived, killed))
        self.assertEqual(self.judge(found)[0],
                         ["core", "1944", "2000", "97.2", "98", "0", "0",
                          "0"])

    def test_all_of_a_list_must_be_killed(self):
        found = results(SURVIVED, *[KILLED] * 99)
        self.assertEqual(self.judge(found, is_drawn=False)[1], 1)
        self.assertEqual(self.judge(found[1:], is_drawn=False)[1], 0)

    def test_those_that_make_no_difference_do_not_count(self):
        found = results(KILLED, SURVIVED, SAME, FAILED_TO_BUILD)
        self.assertEqual(self.judge(found, {str(found[1].mutant)}), (
            ["core", "1", "1", "100.0", "98", "1", "1", "1"], 0))

    def test_an_equivalent_mutant_is_not_killed(self):
        found = results(*[KILLED] * 2)
        self.assertEqual(self.judge(found, {str(found[1].mutant)})[1], 1)

    def test_a_kept_mutant_makes_a_difference(self):
        for verdict in SURVIVED, SAME, FAILED_TO_BUILD:
            found = judge_kept(results(KILLED, verdict))
            self.assertEqual(len(survivors_of(found, {})), 1)


if __name__ == "__main__":
    unittest.main()
