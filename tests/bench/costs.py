# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The costs of calls, measured by pitot-bench or counted by callgrind."""

import math
import os
import re
import statistics
import tempfile
from typing import NamedTuple

from tests.bench import patterns
from tests.bench.judgement import longest
from tests.runners import devices
from tests.runners.command import RunError
from tests.runners.mesa import Mesa

NOOP = "noop"
MEASURED = "pitot_bench_measured"
# A simulated GPU works in this function of the simulator.
KERNEL = "ioctl"
# Cases of extensions that stock Mesa lacks on most drivers.
ADDED = ("INTEL: ", "AMD: ", "intel,", "amd,")
# Only the last round is counted: the first depends on the heap's past.
COUNTED_ROUNDS = 2


class Cost(NamedTuple):
    """A case's cost: the least and the median of all rounds."""
    unit: str
    least: float
    median: float


class Bench(NamedTuple):
    """pitot-bench on one driver, in one kind of context. noop does nothing: it
    shows the cost of the front end alone."""
    program: str
    driver: str
    api: str = "core"
    part: str = "calls"
    rounds: int = 1
    gpu: str = ""  # simulated, or "" for the driver's default
    case: str = ""  # part of the cases' names; "-TEXT": all others

    def side(self, stock):
        driver = "llvmpipe" if self.driver == NOOP else self.driver
        device = devices.default(driver)
        return Mesa(device._replace(gpu=self.gpu or device.gpu), stock)

    def environment(self):
        noop = {"GALLIUM_NOOP": "true"} if self.driver == NOOP else {}
        return {**os.environ, **noop}

    def output_of(self, stock, rounds, wrapper=(), **env):
        return self.side(stock).output_of(
            [*wrapper, self.program, self.api, self.part, str(rounds),
             self.case],
            env={**self.environment(), **env})

    def measure(self, stock, **env):
        """Returns {case: Cost} of one turn."""
        return {name: Cost(unit, float(least), float(median))
                for unit, least, median, _, name
                in rows_of(self.output_of(stock, self.rounds, **env))}

    def vulkan_calls(self, stock):
        """Returns the same of zink's calls of Vulkan, those that
        tests/profile/vulkan_calls.c counts."""
        return self.measure(stock, LD_PRELOAD=os.path.join(
            os.path.dirname(self.program), "libpitot-vulkan-calls.so"))

    def play(self, stock):
        """Returns the same of patterns of use, played by pitot-patterns."""
        wanted = [name for name in patterns.chosen(self.driver, True)
                  if self.case in name]
        return {f"{name}: {what}": Cost("ns", time_ns, time_ns)
                for chunk in patterns.chunks(wanted)
                for name, run in patterns.times(
                    self.side(stock), self.program, chunk).items()
                for what, time_ns in (("the longest call", longest(run)),
                                      ("a frame", run["frame_ns"]))}

    def count(self, stock, keep=None):
        """Returns {case: Cost}, instructions that callgrind counts. keep: a
        folder for callgrind's files, or None."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(keep or folder, "stock" if stock else "pitot")
            output = self.output_of(stock, COUNTED_ROUNDS, [
                "valgrind", "--quiet", "--tool=callgrind",
                f"--callgrind-out-file={path}",
                f"--toggle-collect={MEASURED}", f"--dump-after={MEASURED}"])
            return {name: counted(f"{path}.{number * COUNTED_ROUNDS}",
                                  int(calls))
                    for number, (_, _, _, calls, name)
                    in enumerate(rows_of(output), 1)}


def rows_of(output):
    return [line.split("\t") for line in output.splitlines()]


def inclusive(lines, function):
    """The instructions of all calls of a function. In callgrind's file they
    are on the line after "calls=", after the position. A name is written out
    once; after that its number stands for it."""
    number = next((match[1] for match in map(re.compile(
        rf"c?fn=(\(\d+\)) {function}$").match, lines) if match), None)
    return sum(int(line.split()[1])
               for callee, _, line in zip(lines, lines[1:], lines[2:])
               if number and re.match(rf"cfn={re.escape(number)}(?: |$)",
                                      callee))


def counted(path, calls):
    """The instructions of one call, without the kernel's part if the GPU is
    simulated."""
    with open(path, encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    totals = [line.split()[1] for line in lines if line.startswith("totals: ")]
    if not totals:
        raise RunError("callgrind has no totals")
    count = (int(totals[0]) - inclusive(lines, KERNEL)) / calls
    return Cost("instructions", count, count)


def merge(turns):
    """The least of the least, and the median of the medians."""
    return {name: Cost(turns[0][name].unit,
                       min(turn[name].least for turn in turns),
                       statistics.median(turn[name].median for turn in turns))
            for name in turns[0]}


def compare(turns, cost_of):
    """Returns {case: (cost with Pitot, cost on stock)}. The two sides take
    turns, so that other load hits both. cost_of(stock): one turn."""
    pitot, stock = [], []
    for _ in range(turns):
        stock.append(cost_of(True))
        pitot.append(cost_of(False))
    pitot, stock = merge(pitot), merge(stock)
    added = {name for name in pitot.keys() - stock.keys()
             if name.startswith(ADDED)}
    different = (pitot.keys() ^ stock.keys()) - added
    if different or not pitot:
        raise RunError("not on both sides: "
                       + ", ".join(f"'{name}'" for name in sorted(different)))
    return {name: (pitot[name], stock[name])
            for name in pitot if name not in added}


def overheads(frames):
    """The cost of measuring a draw or a pass: frames with queries minus the
    frame without, or {} if frames were not run."""
    def without(cost, plain):
        return cost._replace(least=cost.least - plain.least,
                             median=cost.median - plain.median)
    return {f"{name}, more than {plain}": tuple(map(without, costs,
                                                    frames[plain]))
            for name, costs in frames.items()
            for plain in [name.split(", ")[0]]
            if plain != name and plain in frames}


#
# Ratios
#

def ratio(pitot, stock):
    return pitot.least / stock.least if stock.least > 0 else math.inf


def mean_ratio(ratios):
    """The geometric mean of the ratios above 0."""
    finite = [ratio for ratio in ratios if 0 < ratio < math.inf]
    return statistics.geometric_mean(finite) if finite else math.nan


def markdown(ratios):
    """A table of {driver: {case: ratio}}, with "-" if the driver lacks the
    case; last the geometric means."""
    cases = dict.fromkeys(case for column in ratios.values()
                          for case in column)
    return "\n".join(f"| {' | '.join(row)} |" for row in (
        ["Pitot over stock", *ratios], ["---"] * (1 + len(ratios)),
        *([case, *(f"{column[case]:.2f}" if case in column else "-"
                   for column in ratios.values())] for case in cases),
        ["geometric mean", *(f"{mean_ratio(column.values()):.2f}"
                             for column in ratios.values())]))
