# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges the results of the rules on one device by what is expected there.

DRIVER-fails.txt has what a driver does not keep: "context: rule,Status",
where Status is Fail or Crash and "all" is every kind of context; "GPU context:
rule,Status" for one GPU of the driver; with a "?" before it, it may be either
that or kept.

lacks.txt has what contexts lack, which is why rules are skipped there:
"context...: reason", "DRIVER context...: reason" or "DRIVER GPU context...:
reason".  A rule that is skipped for another reason fails: something that was
there is gone.

Either list may not have a line that is about nothing, nor about nothing in one
of the contexts that it names.
"""

import os
import re
from typing import NamedTuple

import devices
from totals import Skips

HERE = os.path.dirname(os.path.realpath(__file__))
CONTEXT_NAMES = ("compat", "core", "es2", "es3")
STATUSES = {"Fail": "failed", "Crash": "crashed"}
FAILURE = re.compile(r"(\? )?(?:(\w+) )?(\w+): (.*),(Fail|Crash)$")


class Failure(NamedTuple):
    """An expected failure; gpu is "" for all."""
    place: str
    may_pass: bool
    gpu: str
    context: str
    rule: str
    verdict: str

    def whereabouts(self):
        """All that has to be met for the line to be needed."""
        return (self.place,)

    def is_about(self, device, context, rule):
        return (self.rule == rule and self.gpu in ("", device.gpu)
                and self.context in ("all", context))


class Lack(NamedTuple):
    """Something that contexts lack; driver and gpu are "" for all."""
    place: str
    driver: str
    gpu: str
    contexts: tuple
    reason: str

    def whereabouts(self):
        """All that has to be met for the line to be needed."""
        return tuple(map(self.in_context, self.contexts))

    def in_context(self, context):
        if len(self.contexts) == 1:
            return self.place
        return f"{self.place} in {context.split()[0]}"

    def is_on(self, device):
        return (self.driver in ("", device.driver)
                and self.gpu in ("", device.gpu))

    def is_about(self, device, context, reason):
        """A kind of context lacks it with other entry points and without
        errors, too."""
        return (self.is_on(device) and self.reason == reason
                and context.split()[0] in self.contexts)


class ListError(Exception):
    """A line that means nothing."""


def read_lines(path):
    """Yields (place, text) of the lines that are not comments."""
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip() and not line.startswith("#"):
                yield f"{os.path.basename(path)}:{number}", line.strip()


def read_failures(driver, directory=HERE):
    failures = []
    for place, text in read_lines(os.path.join(directory,
                                               f"{driver}-fails.txt")):
        match = FAILURE.match(text)
        if not match:
            raise ListError(f"{place}: expected '[? ][GPU ]context: "
                            "rule,Fail' or ',Crash'")
        mark, gpu, context, rule, status = match.groups()
        if not devices.is_there(driver, gpu or ""):
            raise ListError(f"{place}: {driver} has no GPU {gpu}")
        if context not in ("all", *CONTEXT_NAMES):
            raise ListError(f"{place}: there is no context {context}")
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
            raise ListError(f"{place}: expected '[DRIVER [GPU]] context...: "
                            "reason'")
        if on and not devices.is_there(*on):
            raise ListError(f"{place}: there is no {' '.join(on)}")
        lacks.append(Lack(place, *(on + ["", ""])[:2], contexts, reason))
    return lacks


class Judge:
    """The expectations of one driver, and which of them were met."""

    def __init__(self, driver, directory=HERE):
        self.driver = driver
        self.failures = read_failures(driver, directory)
        self.lacks = read_lacks(directory)
        self.seen = set()

    def verdict(self, device, context, result):
        """How a result counts, and why if it counts as failed or skipped."""
        if result.verdict == "skipped":
            lacks = [lack for lack in self.lacks
                     if lack.is_about(device, context, result.why)]
            self.seen |= {lack.in_context(context) for lack in lacks}
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

    def unseen(self, devices):
        """The places of lines that are about nothing that was run, given the
        devices of this driver that were."""
        gpus = {device.gpu for device in devices}
        lines = self.failures + [lack for lack in self.lacks
                                 if lack.driver in ("", self.driver)]
        return [place for line in lines
                if not line.gpu or line.gpu in gpus
                for place in line.whereabouts() if place not in self.seen]


def judge_device(judge, device, results, totals):
    """Counts the results on a device, {(context, rule): Result}; returns what
    is to be said of them."""
    said, skips = [], Skips()
    for context in {context: None for context, _ in results}:
        if all(result.verdict == "skipped"
               for (other, _), result in results.items() if other == context):
            totals.add("failed", f"rules in a {context} context")
            said.append(f"failed on {device}: no {context} context at all")
    for (context, _), result in results.items():
        verdict, why = judge.verdict(device, context, result)
        totals.add(verdict, f"rule: {result.name}")
        if verdict == "failed":
            said.append(f"failed on {device}: {context}: {result.name} "
                        f"({why})")
        elif verdict == "skipped":
            skips.add(device, why)
    return said + skips.lines()
