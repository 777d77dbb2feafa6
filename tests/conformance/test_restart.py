# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Rules that hang or crash, without Mesa."""

import pytest
from tests.conformance import program
from tests.runners.test_watch import IDLE, SPIN
from tests.runners.watch import apart


@pytest.fixture
def run_rules(tmp_path):
    def run(script, *options):
        """The verdicts on three rules. script is given the first one."""
        return [result.verdict for result in apart(
            restarted, script, tmp_path, *options).values()]
    return run


def restarted(script, cwd, *options):
    return program.restarted(
        lambda first: ["sh", "-c", script, "sh", str(first)],
        ["a", "b", "c"], *options, cwd=cwd)


@pytest.mark.parametrize("end, limits", [
    ("kill -KILL $$", IDLE), ("exec sleep 1000000", IDLE),
    ("while :; do :; done", SPIN)])
def test_after_a_death_or_a_hang_the_next_rule_begins(end, limits, run_rules):
    assert run_rules(f"""case $1 in
        0) echo 1..3; echo ok 1 - a; {end} ;;
        2) echo 1..1; echo ok 1 - c ;; esac""", limits) == [
            "passed", "failed", "passed"]


def test_after_many_deaths_the_rest_does_not_run(run_rules, tmp_path):
    assert run_rules("echo $1 >>starts; echo 1..3; kill -KILL $$", IDLE,
                     2) == ["failed"] * 3
    assert (tmp_path / "starts").read_text() == "0\n1\n"
