# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The costs of calls, as pitot-bench measures them and as callgrind counts
them."""

import os
import re
import statistics
import tempfile
from typing import NamedTuple

from runners import devices
from runners.command import RunError
from runners.mesa import Mesa

NOOP = "noop"
MEASURED = "pitot_bench_measured"
# The last one is counted: the first one finds the heap as others left it.
COUNTED_ROUNDS = 2


class Cost(NamedTuple):
    """The cost of a case: the least and the median of all rounds."""
    unit: str
    least: float
    median: float


class Bench(NamedTuple):
    """pitot-bench on one driver, in one kind of context. noop is the front
    end alone: a driver below it that does nothing."""
    program: str
    driver: str
    api: str
    part: str
    rounds: int

    def side(self, stock):
        driver = "llvmpipe" if self.driver == NOOP else self.driver
        return Mesa(devices.Device(driver, ""), stock)

    def environment(self):
        noop = {"GALLIUM_NOOP": "true"} if self.driver == NOOP else {}
        return {**os.environ, **noop}

    def output_of(self, stock, rounds, wrapper=()):
        return self.side(stock).output_of(
            [*wrapper, self.program, self.api, self.part, str(rounds)],
            env=self.environment())

    def measure(self, stock):
        """Returns {case: Cost} of one turn."""
        return {name: Cost(unit, float(least), float(median))
                for unit, least, median, _, name
                in rows_of(self.output_of(stock, self.rounds))}

    def count(self, stock, with_caches=False):
        """Returns {case: Cost} as callgrind counts them: instructions, or
        accesses that miss the last cache."""
        with tempfile.TemporaryDirectory() as folder:
            output = self.output_of(stock, COUNTED_ROUNDS, [
                "valgrind", "--quiet", "--tool=callgrind",
                f"--cache-sim={'yes' if with_caches else 'no'}",
                f"--callgrind-out-file={folder}/out",
                f"--toggle-collect={MEASURED}", f"--dump-after={MEASURED}"])
            return {name: counted(f"{folder}/out.{number * COUNTED_ROUNDS}",
                                  int(calls), with_caches)
                    for number, (_, _, _, calls, name)
                    in enumerate(rows_of(output), 1)}


def rows_of(output):
    return [line.split("\t") for line in output.splitlines()]


def counted(path, calls, with_caches):
    """The cost of one call, of the totals that callgrind wrote to a file."""
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    events = re.search(r"^events: (.*)$", text, re.M)
    totals = re.search(r"^totals: (.*)$", text, re.M)
    if not events or not totals:
        raise RunError("callgrind has no totals")
    counts = dict(zip(events[1].split(), map(int, totals[1].split())))
    if with_caches:
        unit, count = "misses", counts["DLmr"] + counts["DLmw"]
    else:
        unit, count = "instructions", counts["Ir"]
    return Cost(unit, count / calls, count / calls)


def merge(turns):
    """The costs of several turns as one: the least of the least, and the
    median of the medians."""
    return {name: Cost(turns[0][name].unit,
                       min(turn[name].least for turn in turns),
                       statistics.median(turn[name].median for turn in turns))
            for name in turns[0]}


def compare(turns, cost_of):
    """Returns {case: (cost with Pitot, cost on stock)}. The two take turns, so
    that other load on the machine hits both. cost_of(stock): one turn."""
    pitot, stock = [], []
    for _ in range(turns):
        stock.append(cost_of(True))
        pitot.append(cost_of(False))
    pitot, stock = merge(pitot), merge(stock)
    return {name: (pitot[name], stock[name])
            for name in pitot if name in stock}


def overheads(frames):
    """The costs of measuring a draw: those of the frames, without a draw's."""
    plain = frames["a draw"]

    def without(cost, draw):
        return cost._replace(least=cost.least - draw.least,
                             median=cost.median - draw.median)
    return {f"{name}, more than a draw": tuple(map(without, costs, plain))
            for name, costs in frames.items() if name != "a draw"}
