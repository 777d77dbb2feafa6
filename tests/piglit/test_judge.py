# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of the judgement of piglit's results, without piglit and Mesa."""

import pytest
from tests.piglit.judge import Judge, passes
from tests.piglit.session import Row, statuses
from tests.runners.command import RunError
from tests.runners.devices import Device
from tests.runners.lists import Expectations
from tests.runners.verdict import Verdict, rejudge


@pytest.fixture
def lists(tmp_path):
    """A function that writes lists and reads them."""
    def read(fails="# why\nlisted,Fail\nlucky,Fail\n",
             flakes="^flaky$\n^lucky$\n"):
        (tmp_path / "driver-fails.txt").write_text(fails)
        (tmp_path / "driver-flakes.txt").write_text(flakes)
        return Expectations(tmp_path, Device("driver", ""))
    return read


def verdicts(findings):
    return [finding.verdict for finding in findings]


def judge_one(lists, name, pitot, stock, bound=True, stock_is_list=False):
    """The findings on one test; None for a side means no result."""
    def rows(status):
        return {name: Row(status, name)} if status else {}
    return Judge(lists, rows(stock), {name} if bound else set(),
                 stock_is_list).judge(rows(pitot))


@pytest.mark.parametrize("verdict, name, pitot, stock, options", [
    # What passes on stock Mesa must pass.
    (Verdict.PASSED, "a", "Pass", "Pass", {}),
    (Verdict.LOST, "a", "Fail", "Pass", {}),
    (Verdict.LOST, "a", "Skip", "Pass", {}),
    (Verdict.LOST, "a", None, "Pass", {}),
    # Stock Mesa may be the list, for a GPU without lists.
    (Verdict.SAME_FAILURE, "a", "Fail", "Fail", {"stock_is_list": True}),
    (Verdict.UNLISTED, "a", "Fail", "Crash", {"stock_is_list": True}),
    (Verdict.LOST, "a", "Fail", "Skip", {"stock_is_list": True}),
    (Verdict.LOST, "a", "Fail", "Pass", {"stock_is_list": True}),
    # A new failure is lost.
    (Verdict.LOST, "a", "Crash", "Skip", {}),
    (Verdict.LOST, "a", "Fail", None, {}),
    # A listed failure excuses no loss, except of a flake.
    (Verdict.LOST, "listed", "Fail", "Pass", {}),
    (Verdict.EXPECTED, "lucky", "Fail", "Pass", {}),
    (Verdict.GAINED, "a", "Pass", "Fail", {}),
    (Verdict.GAINED, "lucky", "Pass", "Fail", {}),
    (Verdict.UNEXPECTED_PASS, "listed", "Pass", "Fail", {}),
    # Failures on both sides are listed.
    (Verdict.EXPECTED, "listed", "Fail", "Fail", {}),
    (Verdict.UNLISTED, "listed", "Crash", "Fail", {}),
    (Verdict.UNLISTED, "a", "Fail", "Fail", {}),
    (Verdict.FAILS_ON_STOCK, "a", "Fail", "Fail", {"bound": False}),
    # A listed failure is no skip.
    (Verdict.STALE, "listed", "Skip", "Skip", {}),
    (Verdict.SKIPPED, "a", "Skip", "Skip", {}),
    (Verdict.SKIPPED, "a", "Skip", None, {})])
def test_verdict(lists, verdict, name, pitot, stock, options):
    assert verdicts(judge_one(lists(), name, pitot, stock, **options)) == [
        verdict]


@pytest.mark.parametrize("status", ["Pass", "Fail", "Skip"])
def test_a_subtest_that_vanishes_is_lost(lists, status):
    stock = {"a@b": Row(status, "a"), "a@c": Row("Pass", "a")}
    assert verdicts(Judge(lists(), stock, {"a"}).judge(
        {"a@c": Row("Pass", "a")})) == [Verdict.LOST, Verdict.PASSED]


def test_a_test_that_is_its_own_row_on_stock_only_is_not_lost(lists):
    found = Judge(lists(), {"a": Row("Skip", "a")}, {"a"}).judge(
        {"a@b": Row("Pass", "a")})
    assert verdicts(found) == [Verdict.SKIPPED, Verdict.PASSED]
    assert "subtests" in found[0].why


@pytest.mark.parametrize("name, seen, verdict", [
    ("flaky", ("Fail", "Pass"), Verdict.FLAKED),
    ("a", ("Fail", "Pass"), Verdict.UNSTEADY),
    ("flaky", ("Fail", "Fail"), Verdict.LOST),
    ("a", ("Fail", "Fail"), Verdict.LOST),
    # A crash is no flake.
    ("flaky", ("Crash", "Pass"), Verdict.UNSTEADY),
    ("flaky", ("Timeout", "Pass"), Verdict.UNSTEADY),
    ("flaky", ("Fail", "Crash", "Pass"), Verdict.UNSTEADY)])
def test_a_second_run_excuses_known_flakes_only(lists, name, seen, verdict):
    found = judge_one(lists(), name, seen[0], "Pass")
    for status in seen[1:]:
        found = rejudge(found, {name: status}, passes, lists().is_flake)
    assert verdicts(found) == [verdict]


@pytest.mark.parametrize("mistake", [
    {"fails": "no status\n"}, {"fails": "a,Skip\n"},
    {"fails": "a,Fail\na,Crash\n"}, {"flakes": "(\n"}])
def test_mistakes_are_refused(lists, mistake):
    with pytest.raises(RunError):
        lists(**mistake)


def test_lines_about_nothing_are_found(lists):
    assert lists("a,Fail\nb,Fail\n", "^c\n^d\n").unmatched({"b", "cc"}) == [
        "driver-fails.txt:1", "driver-flakes.txt:2"]


def test_lines_about_what_does_not_run_are_found(lists):
    assert lists("a,Fail\na@b,Fail\na c,Fail\n").failures_of({"a", "b"}) == {
        "a", "a@b"}


@pytest.mark.parametrize("result, status, subtests, rows", [
    # A test without subtests is its own row.
    ("warn", 0, {"__type__": "Subtests"}, {"a": "Fail"}),
    # A death outside of the subtests is seen.
    ("crash", -11, {"one": "pass", "two": "fail"},
     {"a@one": "Pass", "a@two": "Fail", "a": "Crash"}),
    ("crash", -11, {"one": "pass", "two": "pass"},
     {"a@one": "Pass", "a@two": "Pass", "a": "Crash"}),
    # A failed subtest explains the status.
    ("fail", 1, {"one": "pass", "two": "fail"},
     {"a@one": "Pass", "a@two": "Fail"})])
def test_rows(result, status, subtests, rows):
    assert statuses("a", {"result": result, "returncode": status,
                          "subtests": subtests}) == rows
