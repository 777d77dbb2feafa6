# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The instructions of each call on a driver that does nothing, the front end
alone, compared with stock Mesa."""

import re

from tests.bench.costs import NOOP, Bench, compare
from tests.bench.worse import WORSE


def entry_of(name):
    return next((entry for entry in WORSE if re.fullmatch(entry[1], name)),
                None)


def test_calls(build, results, monkeypatch):
    """A call takes no more instructions with Pitot, unless worse.py has it."""
    monkeypatch.setenv("mesa_glthread", "false")
    bench = Bench(build / "tests/pitot-bench", NOOP)
    needed = set()
    for name, (pitot, stock) in compare(1, bench.count).items():
        ratio, entry = pitot.least / stock.least, entry_of(name)
        if ratio <= 1:
            results.add("passed", name)
        elif entry and ratio <= entry[2]:
            needed.add(entry)
            results.add("cost", name, why=entry[0])
        else:
            results.add("failed", name, why=f"{ratio:.2f} times the "
                        "instructions of stock Mesa")
    for entry in set(WORSE) - needed:
        results.add("failed", entry[1], why="no case needs it: worse.py")
