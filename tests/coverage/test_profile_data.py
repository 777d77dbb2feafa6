# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""How branches are counted; needs no build."""

import json

import pytest
from tests.coverage import profile_data

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


@pytest.fixture
def branches(tmp_path):
    """A function that returns the branches that llvm-cov's data have: a record
    of (name, [line, column, last line, last column, true, false]) for each
    function and object file."""
    def of(*records, text=SOURCE):
        path = tmp_path / "src/core/a.c"
        path.parent.mkdir(parents=True)
        path.write_text(text)
        return list(profile_data.branches_of([
            {"name": name, "filenames": [path],
             "branches": [[*branch, 0, 0, 4]]} for name, branch in records],
            tmp_path))
    return of


def test_a_condition_has_two_outcomes_and_a_text(branches):
    found = branches(("src/a.c:least", [4, 8, 4, 13, 7, 0]))
    assert [(str(branch), branch.count) for branch in found] == [
        ("src/core/a.c:4: least: true: a < b", 7),
        ("src/core/a.c:4: least: false: a < b", 0)]


def test_the_copies_of_an_inline_function_are_added_up(branches):
    found = branches(("one.c:least", [4, 8, 4, 13, 7, 0]),
                     ("two.c:least", [4, 8, 4, 13, 0, 2]))
    assert [branch.count for branch in found] == [7, 2]


def test_a_text_of_several_lines_is_one_line(branches):
    assert branches(("least", [4, 8, 5, 9, 1, 1]))[0].text == "a < b && a"


def test_a_switch_without_a_default_has_only_its_cases(branches):
    text = SOURCE.replace("if (a < b &&", "switch (a) {")
    assert branches(("least", [4, 12, 4, 13, 0, 3]), text=text) == []


@pytest.mark.parametrize("arguments", [
    ["-g"], ["-fprofile-update=atomic", "-g"]])
def test_a_build_that_loses_counts_of_threads_is_an_error(arguments, tmp_path):
    def check(arguments):
        (tmp_path / "compile_commands.json").write_text(json.dumps(
            [{"file": "a.c", "command": f"clang {words} -c a.c"}
             for words in arguments]))
        profile_data.check_flags(tmp_path)

    check(["-fprofile-update=atomic", "-g -fprofile-update=atomic"])
    with pytest.raises(AssertionError, match="-fprofile-update=atomic"):
        check(arguments)
