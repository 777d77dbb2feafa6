# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges the results of the rules by the lists in this directory.

DRIVER-fails.txt has the rules that fail on a driver: "context...: rule,Status"
with the kinds of contexts, and Fail or Crash; "GPU context...: rule,Status"
for one GPU of the driver; "GPU+ context...: ..." for that GPU's generation and
later ones. With "?" in front, the rule may also pass.

lacks.txt has the features that contexts lack, whose rules are skipped:
"context...: reason", "DRIVER context...: reason" or "DRIVER GPU context...:
reason"; the driver "simulated" is every simulated GPU. A rule that is skipped
for another reason fails, because a feature is gone. With "?" in front, the
context may also have the feature.

A line that matches nothing on a device in one of its contexts is an error.

Lines about a GPU mean the simulated GPU: real GPUs have no lines.
"""

import os
import re
from typing import NamedTuple

from tests.runners import devices
from tests.runners.command import RunError
from tests.runners.lists import read_lines

HERE = os.path.dirname(os.path.realpath(__file__))
SIMULATED = "simulated"
STATUSES = {"Fail": "failed", "Crash": "crashed"}
# A line: whether it may pass, where, in which contexts, and what.
CONTEXT = "(?:compat|core|es2|es3)"
LINE = re.compile(rf"(\? )?((?:[\w+-]+ )*?)({CONTEXT}(?: {CONTEXT})*): (.*)$")


class Line(NamedTuple):
    """A line of a list, in one of its contexts; driver and gpu are "" for all.
    text is a rule, or the reason of a skip."""
    place: str
    driver: str
    gpu: str
    context: str
    text: str
    verdict: str
    may_pass: bool

    def is_about(self, device, context):
        """In any variant of the context."""
        drivers = ["", device.driver] + [SIMULATED] * device.is_simulated()
        return (self.driver in drivers and devices.means(self.gpu, device)
                and self.context == context.split()[0]
                and (self.verdict == "skipped" or device.is_listed()))

    def matches(self, result):
        if result.verdict == "skipped":
            return self.verdict == "skipped" and self.text == result.why
        return self.verdict != "skipped" and self.text == result.name


def parse(place, text, driver):
    """Yields a line of a list in each of its contexts. driver: whose failures
    the list has, or "" if it has lacks."""
    match = LINE.match(text)
    if not match:
        raise RunError(f"{place}: expected '[where] context...: what'")
    mark, on, contexts, text = match.groups()
    verdict, on = "skipped", on.split()
    if driver:
        text, _, status = text.rpartition(",")
        verdict, on = STATUSES.get(status), [driver, *on]
    if not verdict:
        raise RunError(f"{place}: expected 'rule,Fail' or 'rule,Crash'")
    if on not in ([], [SIMULATED]) and not (
            len(on) < 3 and
            devices.is_there(*(name.rstrip("+") for name in on))):
        raise RunError(f"{place}: there is no {' '.join(on)}")
    for context in contexts.split():
        yield Line(f"{place} in {context}", *(on + ["", ""])[:2], context,
                   text, verdict, mark is not None)


def read(directory, name, driver=""):
    return [line for place, text in read_lines(os.path.join(directory, name))
            for line in parse(place, text, driver)]


class Judge:
    """The expectations of one driver, and which of them were met."""

    def __init__(self, driver, directory=HERE):
        self.lines = (read(directory, "lacks.txt") +
                      read(directory, f"{driver}-fails.txt", driver))
        self.seen = set()

    def verdict(self, device, context, result):
        """The verdict on a result, and why if it is failed or skipped."""
        lines = [line for line in self.lines
                 if line.is_about(device, context) and line.matches(result)]
        self.seen.update(lines)
        if result.verdict == "skipped":
            return (("skipped", result.why) if lines else
                    ("failed", f"skipped for '{result.why}', which lacks.txt "
                               "does not say of it"))
        if result.is_bad():
            if any(result.verdict == line.verdict for line in lines):
                return "listed", ""
            return "failed", result.why
        for line in lines:
            if not line.may_pass:
                return "failed", f"it passes: remove {line.place}"
        return "passed", ""

    def unseen(self, device, context):
        """The places of lines that matched none of these results."""
        return [line.place for line in self.lines
                if line.is_about(device, context) and line not in self.seen
                and not (line.may_pass and line.verdict == "skipped")]


def judge(device, context, found, stock=None, directory=HERE):
    """Yields (verdict, rule, why) for {rule: Result} in one kind of context,
    and of a real GPU what stock Mesa does otherwise."""
    lists = Judge(device.driver, directory)
    if all(result.verdict == "skipped" for result in found.values()):
        yield "failed", "all", "there is no such context at all"
    for rule, result in found.items():
        verdict, why = lists.verdict(device, context, result)
        other = stock and stock.get(rule)
        if other and (verdict == "failed" or
                      verdict == "passed" and other.is_bad()):
            why = "; ".join(filter(None, (
                why, f"{other.verdict} on stock Mesa")))
        yield verdict, rule, why
    if not device.is_machine():
        for place in lists.unseen(device, context):
            yield "failed", place, "it matches nothing: remove it"
