#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests the choice and the verdicts of mutants; builds nothing."""

import os
import sys
import unittest
from pathlib import Path

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from faults import FIXES, Patch
from locks import call_at, locks_of
from mutant import Mutant
from mutants import mutants_of
from rates import FAILED_TO_BUILD, KILLED, SAME, SURVIVED, Result, judge
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

LOCKS = """\
static void
wake(struct pitot_hw *hw)
{
   pthread_mutex_lock(&hw->lock); /* before atomic_load(a) */
   if (atomic_load_explicit(&hw->count, memory_order_acquire))
      __atomic_store_n(&hw->ticks, 1, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&hw->lock);
}
"""

PATH = "src/core/x.c"


def all_mutants():
    return [mutant for mutants in mutants_of(PATH, SOURCE)
            for mutant in mutants]


def results(*verdicts):
    return [Result(Mutant(PATH, 1, "f: a -> b", ()), verdict, "")
            for verdict in verdicts]


class MutantsTest(unittest.TestCase):
    def test_each_mutant_names_its_function_and_its_lines(self):
        self.assertEqual([str(mutant).removeprefix(f"{PATH}:")
                          for mutant in all_mutants()], [
            "2: table: static const int table[] = { 7 }; -> "
            "static const int table[] = { 0 };",
            "2: table: static const int table[] = { 7 }; -> "
            "static const int table[] = { 8 };",
            "8: first: if (a == b && -> if (a != b &&",
            "8: first: if (a == b && -> if (a == b ||",
            "8: first: if (a == b && a) -> if (!(a == b && a))",
            "11: first: return a; -> return 0;",
            "11: first: return a; -> return !(a);",
            '10: first: call("a + b"); -> {}',
            "17: second: return a + 1; -> return a - 1;",
            "17: second: return a + 1; -> return a + 0;",
            "17: second: return a + 1; -> return a + 2;",
            "17: second: return a + 1; -> return 0;",
            "17: second: return a + 1; -> return !(a + 1);",
        ])

    def test_no_line_moves(self):
        for mutant in all_mutants():
            self.assertEqual(mutant.apply(SOURCE).count("\n"),
                             SOURCE.count("\n"))

    def test_a_mutant_has_the_layer_of_its_file(self):
        for path, layer in (("src/drm/x.c", "drm"),
                            ("include/pitot/pipe_driver.h", "pipe_driver"),
                            ("include/pitot/cs.h", "hw"),
                            ("include/pitot/arena.h", "core")):
            self.assertEqual(Mutant(path, 1, "", ()).layer(), layer)


class LocksTest(unittest.TestCase):
    def setUp(self):
        (self.lock,), (self.load,), (self.store,) = locks_of(PATH, LOCKS)

    def test_a_lock_goes_with_its_unlock(self):
        self.assertEqual(str(self.lock),
                         f"{PATH}:4: wake: pthread_mutex_lock(&hw->lock)")
        self.assertNotIn("pthread_mutex", self.lock.apply(LOCKS))

    def test_each_atomic_is_one(self):
        self.assertEqual([self.load.line, self.store.line], [5, 6])
        text = self.load.apply(LOCKS)
        self.assertIn("plain_load_explicit(&hw->count", text)
        self.assertIn(" __atomic_store_n(", text)
        self.assertIn("plain.h", text)
        self.assertIn(" plain_store_n(&hw->ticks", self.store.apply(LOCKS))

    def test_calls_of_several_lines_are_names_of_one(self):
        call = "atomic_load(&a->b,\n     f(c))"
        self.assertEqual(call_at(f"x = {call};", 4),
                         "atomic_load(&a->b, f(c))")


class RatesTest(unittest.TestCase):
    def judge(self, found, is_sample=True):
        """Returns the table's row, and the exit status."""
        totals = Totals()
        *_, row = judge(found, {"core": 98}, is_sample, totals)
        return row.split(), totals.exit_status()

    def test_a_share_must_be_killed_within_the_margin(self):
        for survived, killed, status in ((0, 1, 0), (1, 0, 1), (1, 9, 0),
                                         (2, 48, 0), (5, 45, 1),
                                         (52, 1948, 0), (56, 1944, 1)):
            found = results(*[SURVIVED] * survived, *[KILLED] * killed)
            self.assertEqual(self.judge(found)[1], status, (survived, killed))
        self.assertEqual(self.judge(found)[0],
                         ["core", "1944", "2000", "97.2", "96.4", "-", "97.8",
                          "98", "0", "0"])

    def test_all_there_are_have_no_margin(self):
        found = results(*[SURVIVED] * 3, *[KILLED] * 97)
        self.assertEqual(self.judge(found, is_sample=True)[1], 0)
        self.assertEqual(self.judge(found, is_sample=False)[1], 1)

    def test_those_that_make_no_difference_do_not_count(self):
        self.assertEqual(
            self.judge(results(KILLED, SAME, FAILED_TO_BUILD)),
            (["core", "1", "1", "100.0", "20.7", "-", "100.0", "98", "1",
              "1"], 0))


class PatchesTest(FilesTest):
    def test_the_head_names_suites_cases_and_a_driver(self):
        patch = Patch(Path(self.write("draw-quads.patch", """\
draw: quads

It was "wrong".  Seen by the model
(tests/model/kept/a-quad.txt), by "quads: all" of tests/conformance on softpipe
and by tests/drivers (quads_are_drawn).
--- a/src/x.c
""")))
        self.assertEqual(patch.suites, ["model", "conformance", "drivers"])
        self.assertEqual(patch.driver, "softpipe")
        for case in ("model: a-quad.txt", "behaviour: quads: all",
                     "defect: quads_are_drawn"):
            self.assertTrue(patch.is_named(case))
        self.assertFalse(patch.is_named("behaviour: wrong"))

    def test_each_patch_names_a_suite(self):
        for path in FIXES.glob("*.patch"):
            patch = Patch(path)
            self.assertTrue(any(patch.command_of(suite, "build")
                                for suite in patch.suites), path.name)


if __name__ == "__main__":
    unittest.main()
