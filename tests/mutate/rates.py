# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The verdicts on mutants, and the share of them that must be killed."""

import math
from typing import NamedTuple

from places import REQUIRED_PERCENT, Mutant

# Those that count, and those that do not.
KILLED, SURVIVED = "killed", "survived"
FAILED_TO_BUILD, SAME = "failed to build", "same object file"

# A layer fails if so small a share of its sample would be killed in less than
# this share of all samples of a layer that has the required share exactly.
LUCK_PERCENT = 1

LINE = "{:11} {:>6} {:>6} {:>8} {:>10} {:>10} {:>6} {:>5}"


class Result(NamedTuple):
    mutant: Mutant
    verdict: str
    test: str

    def __str__(self):
        by = f" by {self.test}" if self.test else ""
        return f"{self.verdict}{by}: {self.mutant}"


def survivors_of(results, equivalent):
    """The lines of the survivors that make a difference."""
    return [str(mutant) for mutant, verdict, _ in results
            if verdict == SURVIVED and str(mutant) not in equivalent]


def stale(results, equivalent):
    """The results of mutants that are listed without a reason: a test tells
    them from the original."""
    return [result for result in results
            if result.verdict == KILLED and
            str(result.mutant) in equivalent]


def is_enough(killed, survived, required_percent):
    """Whether the required share is killed, or bad luck may have drawn so many
    survivors. In whole numbers, since the powers are large."""
    number, missed_percent = killed + survived, 100 - required_percent
    fewer = sum(math.comb(number, count) * missed_percent ** count *
                required_percent ** (number - count)
                for count in range(survived))
    return 100 * (100 ** number - fewer) >= LUCK_PERCENT * 100 ** number


def judge(results, equivalent, is_drawn, totals):
    """Adds a result for each layer; yields the lines of a table. All mutants
    must be killed unless they were drawn, and none that is equivalent."""
    yield LINE.format("layer", "killed", "of", "percent", "required",
                      "equivalent", "same", "error")
    for result in stale(results, equivalent):
        totals.explain("failed", "mutate: equivalent.txt", "equivalent.txt",
                       str(result.mutant), f"killed by {result.test}")
    for layer, percent in REQUIRED_PERCENT.items():
        mine = [result for result in results
                if result.mutant.layer() == layer]
        verdicts = [result.verdict for result in mine]
        killed = verdicts.count(KILLED)
        survived = len(survivors_of(mine, equivalent))
        number, required = killed + survived, percent if is_drawn else 100
        if not number:
            continue
        yield LINE.format(
            layer, killed, number, f"{1000 * killed // number / 10}", required,
            verdicts.count(SURVIVED) - survived, verdicts.count(SAME),
            verdicts.count(FAILED_TO_BUILD))
        is_right = is_enough(killed, survived, required)
        totals.explain("passed" if is_right else "failed",
                       f"mutate: mutants of {layer}", "mutate", layer,
                       f"{survived} of {number} mutants survived")


def judge_kept(results):
    """A kept mutant must be killed, so it must build and make a
    difference."""
    return [result if result.verdict == KILLED else
            result._replace(verdict=SURVIVED) for result in results]
