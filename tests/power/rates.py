# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Verdicts on mutants, and the percentage that must be killed."""

import math
from typing import NamedTuple

from tests.power.mutant import Mutant

# Verdicts that count, and others.
KILLED, SURVIVED = "killed", "survived"
FAILED_TO_BUILD, SAME = "failed to build", "same object file"

# For limits that hold the true percentage in 95 % of all samples.
DEVIATIONS = 1.96

LINE = "{:11} {:>6} {:>6} {:>8} {:>14} {:>9} {:>6} {:>6}"


class Result(NamedTuple):
    mutant: Mutant
    verdict: str
    test: str

    def __str__(self):
        by = f" by {self.test}" if self.test else ""
        return f"{self.verdict}{by}: {self.mutant}"


def limits(killed, number):
    """The limits of the whole's percentage, from a sample: Wilson's interval,
    which also holds near 100 %."""
    square = DEVIATIONS ** 2
    middle = killed + square / 2
    half = DEVIATIONS * math.sqrt(
        killed * (number - killed) / number + square / 4)
    return tuple(100 * (middle + side * half) / (number + square)
                 for side in (-1, 1))


def judge(results, required_percent, is_sample, totals):
    """Adds a result for each layer; yields the lines of a table."""
    yield LINE.format("layer", "killed", "of", "percent", "95 % margin",
                      "required", "same", "error")
    for layer, required in required_percent.items():
        verdicts = [result.verdict for result in results
                    if result.mutant.layer() == layer]
        killed, survived = map(verdicts.count, (KILLED, SURVIVED))
        number = killed + survived
        if not number:
            continue
        percent = 100 * killed / number
        low, high = limits(killed, number) if is_sample else (percent, percent)
        yield LINE.format(
            layer, killed, number, f"{percent:.1f}", f"{low:.1f} - {high:.1f}",
            required, verdicts.count(SAME), verdicts.count(FAILED_TO_BUILD))
        totals.explain("passed" if high >= required else "failed",
                       f"power: {layer}", "power", layer,
                       f"{percent:.1f} % of {number}, required: {required} %")
