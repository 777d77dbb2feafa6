#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests how tests/coverage counts branches; needs no build."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import profile_data
from runners.command import RunError
from runners.fixture import FilesTest

SOURCE = """\
static int
least(int a, int b)
{
   if (a < b &&
       a)
      return a;
   return b;
}
"""


def record(name, *branches):
    """A function in llvm-cov's data."""
    return {"name": name, "filenames": ["/root/src/core/a.c"],
            "branches": [[*branch, 0, 0, 4] for branch in branches]}


class BranchesTest(FilesTest):
    def branches(self, *records):
        path = self.write("src/core/a.c", SOURCE)
        root = path.removesuffix("/src/core/a.c")
        for each in records:
            each["filenames"] = [path]
        return list(profile_data.branches_of({"functions": records}, root))

    def test_a_condition_has_two_outcomes_and_a_text(self):
        found = self.branches(record("src/a.c:least", [4, 8, 4, 13, 7, 0]))
        self.assertEqual(
            [(str(branch), branch.count) for branch in found],
            [("src/core/a.c:4: least: true: a < b", 7),
             ("src/core/a.c:4: least: false: a < b", 0)])

    def test_the_copies_of_an_inline_function_are_added_up(self):
        found = self.branches(record("one.c:least", [4, 8, 4, 13, 7, 0]),
                              record("two.c:least", [4, 8, 4, 13, 0, 2]))
        self.assertEqual([branch.count for branch in found], [7, 2])

    def test_a_text_of_several_lines_is_one_line(self):
        found = self.branches(record("least", [4, 8, 5, 9, 1, 1]))
        self.assertEqual(found[0].text, "a < b && a")


    def test_a_switch_without_a_default_has_only_its_cases(self):
        text = SOURCE.replace("if (a < b &&", "switch (a) {")
        path = self.write("src/core/a.c", text)
        function = record("least", [4, 12, 4, 13, 0, 3])
        function["filenames"] = [path]
        self.assertEqual(list(profile_data.branches_of(
            {"functions": [function]},
            path.removesuffix("/src/core/a.c"))), [])


class LinesTest(unittest.TestCase):
    def test_lines_count_by_their_regions(self):
        segments = [[1, 1, 2, True, True, False], [2, 5, 0, True, True, False],
                    [3, 2, 2, True, False, False],
                    [4, 2, 0, False, False, False]]
        # Line 2 begins in the first region, line 3 in the one not executed.
        self.assertEqual(profile_data.count_lines(segments), (3, 4))

    def test_no_segments_are_no_lines(self):
        self.assertEqual(profile_data.count_lines([]), (0, 0))


class BuildTest(FilesTest):
    def check(self, *arguments):
        path = self.write("compile_commands.json", json.dumps(
            [{"file": "a.c", "command": f"clang {words} -c a.c"}
             for words in arguments]))
        profile_data.check_flags(os.path.dirname(path))

    def test_a_build_that_counts_one_thread_at_a_time_is_right(self):
        self.check("-fprofile-update=atomic", "-g -fprofile-update=atomic")

    def test_a_build_that_loses_counts_of_threads_is_an_error(self):
        for arguments in (["-g"], ["-fprofile-update=atomic", "-g"]):
            with self.assertRaisesRegex(RunError, "-fprofile-update=atomic"):
                self.check(*arguments)


if __name__ == "__main__":
    unittest.main()
