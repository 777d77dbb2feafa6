# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Compares Pitot's commands with stock Mesa's: they must be equal, except for
the differences in differences.py."""

import difflib
import re
from typing import Callable, NamedTuple, Union

from packets import facts_of
from runners import devices

LOADS = re.compile(r"(?:loads .*\n)+")
NAME = re.compile(r"(?<!\w)([swx])(\d\w*)")


def gpus_of(driver, first=0, last=999):
    """A regular expression for a driver's GPUs of these generations."""
    names = [device.gpu for device in devices.simulated()
             if device.driver == driver
             and first <= facts_of(device.gpu).level <= last]
    return f"(?:{'|'.join(names)})"


class Difference(NamedTuple):
    """A difference between stock Mesa and Pitot, and its reason.

    The regular expressions `where` and `steps` match the whole of "GPU/SCENE"
    and of a step's name. re.sub() replaces `stock` by `pitot` in stock Mesa's
    text of the step; an address that is new there may have any number, as w99.
    Without `stock`, `pitot` is a regular expression for Pitot's whole text; if
    that matches nearly any text, the scene `is_skipped`."""
    why: str
    where: str
    stock: str
    pitot: Union[str, Callable]
    steps: str = ".*"
    is_skipped: bool = False

    def holds(self, gpu, scene):
        return re.fullmatch(self.where, f"{gpu}/{scene}")

    def apply(self, theirs, ours, key):
        """Applies the difference. Returns whether the texts had it."""
        before = theirs[key]
        if self.stock:
            theirs[key] = re.sub(self.stock, self.pitot, before)
            return theirs[key] != before
        if before == ours[key] or not re.fullmatch(self.pitot, ours[key]):
            return False
        theirs[key] = ours[key] = ""
        return True


def sort_lines(found):
    return "".join(sorted(found[0].splitlines(keepends=True)))


def renumbered(texts):
    """Numbers addresses again in the order of use; loads have no order."""
    numbers, counts = {}, {"s": 0, "w": 0, "x": 0}

    def number(found):
        if found[0] not in numbers:
            numbers[found[0]] = counts[found[1]]
            counts[found[1]] += 1
        return f"{found[1]}{numbers[found[0]]}"

    return {key: LOADS.sub(sort_lines, NAME.sub(number, texts[key]))
            for key in sorted(texts)}


def diff_of(theirs, ours):
    """The lines that differ: "- " marks stock Mesa's."""
    lines = []
    for key in sorted(theirs.keys() | ours.keys()):
        delta = [line for line in difflib.ndiff(
            theirs.get(key, "").splitlines(), ours.get(key, "").splitlines())
            if line[0] in "-+"]
        if delta:
            lines += [f"ring {key[0]}, {key[1]}:", *delta]
    return lines


class Comparison:
    """Compares scenes, and notes the differences used."""

    def __init__(self, differences):
        self.differences = differences
        self.used = set()
        self.why_skipped = ""  # of the last scene

    def faults_of(self, gpu, scene, theirs, ours):
        """The lines that differ without a stated reason, or []. Texts are by
        (ring, step). Sets why_skipped if a part was not compared."""
        self.why_skipped = ""
        keys = sorted(theirs.keys() | ours.keys())
        theirs, ours = ({key: texts.get(key, "") for key in keys}
                        for texts in (theirs, ours))
        for difference in self.differences:
            if not difference.holds(gpu, scene):
                continue
            for key in keys:
                if (re.fullmatch(difference.steps, key[1])
                        and difference.apply(theirs, ours, key)):
                    self.used.add(difference)
                    if difference.is_skipped:
                        self.why_skipped = difference.why
        return diff_of(renumbered(theirs), renumbered(ours))

    def unused(self):
        """The differences that no scene showed."""
        return [difference for difference in self.differences
                if difference not in self.used]
