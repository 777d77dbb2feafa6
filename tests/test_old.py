# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The runners that are no tests of pytest's yet."""

import json
import os
import pathlib
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent

# Each with its arguments; "all" depends on --all.
RUNNERS = {
    "hardware": ["hardware/simulated all BUILD"],
    "runners": sorted(str(path.relative_to(HERE)) + " --quiet"
                      for path in HERE.glob("*/selftest.py")),
}


def pytest_generate_tests(metafunc):
    metafunc.parametrize("command", [
        pytest.param(command, id=command.split()[0], marks=())
        for suite, commands in RUNNERS.items() for command in commands])


def words_of(command, build, options):
    for word in command.split()[1:]:
        if word != "all":
            yield word.replace("BUILD", str(build))
        elif options.all:
            yield "--all"


def test_runner(command, build, pytestconfig, results, tmp_path):
    runner = command.split()[0]
    done = subprocess.run(
        [HERE / runner, *words_of(command, build, pytestconfig.option)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PYTHONPATH": f"{HERE}:{HERE.parent}",
             "PITOT_DETAILS": str(tmp_path / "details"),
             "PITOT_RESULTS": str(tmp_path / "results")})
    print(done.stdout)
    if "selftest" in runner:
        results.add("failed" if done.returncode else "passed", runner, runner,
                    f"status {done.returncode}")
        return
    if (tmp_path / "details").exists():
        for line in (tmp_path / "details").read_text().splitlines():
            row = json.loads(line)
            if "verdict" in row:
                results.add(row["verdict"], row["case"], row["name"],
                            row["why"])
    else:
        for line in (tmp_path / "results").read_text().splitlines():
            results.add(*line.split("\t"), runner, "see above")
    failed = any(row[0] == "failed" for row in results.rows)
    if done.returncode != failed:
        results.add("failed", f"the end of {runner}", runner,
                    f"status {done.returncode}")
