# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges the results of the rules on one device by the lists in this
directory.

DRIVER-fails.txt has the rules that fail on a driver: "context: rule,Status",
where Status is Fail or Crash and context "all" is every kind; "GPU context:
rule,Status" for one GPU of the driver; "GPU+ context: ..." for that GPU's
generation and later ones. With "?" in front, the rule may also pass.

lacks.txt has the features that contexts lack, whose rules are skipped:
"context...: reason", "DRIVER context...: reason" or "DRIVER GPU context...:
reason"; the driver "simulated" is every simulated GPU. A rule that is skipped
for another reason fails, because a feature is gone.

A line that matches nothing is an error, also if it matches nothing in just one
of its contexts.

Lines about a GPU mean the simulated GPU: real GPUs have no lines.
"""

import os
import re
from typing import NamedTuple

from runners import devices
from runners.command import RunError
from runners.lists import read_lines

HERE = os.path.dirname(os.path.realpath(__file__))
SIMULATED = "simulated"
CONTEXT_NAMES = ("compat", "core", "es2", "es3")
STATUSES = {"Fail": "failed", "Crash": "crashed"}
FAILURE = re.compile(r"(\? )?(?:(\w+\+?) )?(\w+): (.*),(Fail|Crash)$")


class Failure(NamedTuple):
    """An expected failure; gpu is "" for all."""
    place: str
    may_pass: bool
    gpu: str
    context: str
    rule: str
    verdict: str

    def is_about(self, device, context, rule):
        return (device.is_listed() and self.rule == rule
                and devices.means(self.gpu, device)
                and self.context in ("all", context))


class Lack(NamedTuple):
    """A feature that a context lacks; driver and gpu are "" for all."""
    place: str
    driver: str
    gpu: str
    context: str
    reason: str

    def is_about(self, device, context, reason):
        """Whether this is why a rule was skipped, in any variant of the
        context."""
        drivers = ("", device.driver,
                   *([SIMULATED] if device.is_simulated() else []))
        return (self.driver in drivers
                and devices.means(self.gpu, device) and self.reason == reason
                and context.split()[0] == self.context)


def read_failures(driver, directory=HERE):
    failures = []
    for place, text in read_lines(os.path.join(directory,
                                               f"{driver}-fails.txt")):
        match = FAILURE.match(text)
        if not match:
            raise RunError(f"{place}: expected '[? ][GPU ]context: rule,Fail' "
                           "or ',Crash'")
        mark, gpu, context, rule, status = match.groups()
        if not devices.is_there(driver, (gpu or "").rstrip("+")):
            raise RunError(f"{place}: {driver} has no GPU {gpu}")
        if context not in ("all", *CONTEXT_NAMES):
            raise RunError(f"{place}: there is no context {context}")
        failures.append(Failure(place, mark is not None, gpu or "", context,
                                rule, STATUSES[status]))
    return failures


def read_lacks(directory=HERE):
    lacks = []
    for place, text in read_lines(os.path.join(directory, "lacks.txt")):
        where, colon, reason = text.partition(": ")
        words = where.split()
        contexts = tuple(word for word in words if word in CONTEXT_NAMES)
        on = words[:len(words) - len(contexts)]
        if not colon or not contexts or words != [*on, *contexts] or \
                len(on) > 2:
            raise RunError(f"{place}: expected '[DRIVER [GPU]] context...: "
                           "reason'")
        if on and on != [SIMULATED] and not devices.is_there(*on):
            raise RunError(f"{place}: there is no {' '.join(on)}")
        driver, gpu = (on + ["", ""])[:2]
        for context in contexts:
            where = place if len(contexts) == 1 else f"{place} in {context}"
            lacks.append(Lack(where, driver, gpu, context, reason))
    return lacks


class Judge:
    """The expectations of one driver, and which of them were met."""

    def __init__(self, driver, directory=HERE):
        self.driver = driver
        self.failures = read_failures(driver, directory)
        self.lacks = read_lacks(directory)
        self.seen = set()

    def verdict(self, device, context, result):
        """The verdict on a result, and why if it is failed or skipped."""
        if result.verdict == "skipped":
            lacks = [lack for lack in self.lacks
                     if lack.is_about(device, context, result.why)]
            self.seen |= {lack.place for lack in lacks}
            return (("skipped", result.why) if lacks else
                    ("failed", f"skipped for '{result.why}', which lacks.txt "
                               "does not say of it"))
        listed = [failure for failure in self.failures
                  if failure.is_about(device, context, result.name)]
        self.seen |= {failure.place for failure in listed}
        if result.is_bad():
            if any(result.verdict == failure.verdict for failure in listed):
                return "listed", ""
            return "failed", result.why
        for failure in listed:
            if not failure.may_pass:
                return "failed", f"it passes: remove {failure.place}"
        return "passed", ""

    def unseen(self, ran):
        """The places of lines that matched nothing in {device: contexts}."""
        drivers = ("", self.driver,
                   *([SIMULATED] if any(device.is_simulated()
                                        for device in ran) else []))
        lines = self.failures + [lack for lack in self.lacks
                                 if lack.driver in drivers]
        return [line.place for line in lines
                if line.place not in self.seen
                and any(devices.means(line.gpu, device)
                        and line.context in ("all", *contexts)
                        for device, contexts in ran.items())]


def judge_device(judge, device, results, totals, stock=None):
    """Counts {(context, rule): Result}; a failure names stock's result."""
    for context in dict.fromkeys(context for context, _ in results):
        if all(result.verdict == "skipped"
               for (other, _), result in results.items() if other == context):
            totals.explain("failed", f"rules in a {context} context", device,
                           context, "there is no such context at all")
    for (context, name), result in results.items():
        verdict, why = judge.verdict(device, context, result)
        other = (stock or {}).get((context, name))
        if other and verdict == "failed":
            why += f"; {other.verdict} on stock Mesa"
        totals.explain(verdict, f"rule: {result.name}", device,
                       f"{context}: {result.name}", why)
