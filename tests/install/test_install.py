# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Pitot and Mesa, installed into temporary directories and used from there.

The library: each installed header is compiled alone, and a copy of the null
driver is built and run outside the tree, with the compiler, with Meson, and
with Pitot as a subproject. The prefix: Mesa with Pitot, and programs on it by
the installed pitot. The cache: what a build fetches and removes.
"""

import pathlib
import subprocess

import pytest

CASES = pathlib.Path(__file__).parent / "cases"


@pytest.mark.parametrize("part", ["library", "cache", "prefix"])
def test_install(part, results, tmp_path):
    done = subprocess.run([CASES, part, tmp_path / "results"],
                          stdin=subprocess.DEVNULL)
    for line in (tmp_path / "results").read_text().splitlines():
        results.add(*line.split("\t"), why="see above")
    assert done.returncode == 0
