# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Compares Pitot's commands with stock Mesa's: they must be equal, except for
the differences in differences.py."""

import difflib
import re

LOADS = re.compile(r"(?:loads .*\n)+")
NAME = re.compile(r"(?<!\w)([swx])(\d\w*)")


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
    for key in sorted(theirs):
        delta = [line for line in difflib.ndiff(
            theirs[key].splitlines(), ours[key].splitlines())
            if line[0] in "-+"]
        if delta:
            lines += [f"ring {key[0]}, {key[1]}:", *delta]
    return lines


def compare(differences, scene, theirs, ours):
    """Returns the lines that differ without a stated reason, and why a part
    was not compared, or "". Texts are by (ring, step)."""
    why_skipped = ""
    keys = sorted(theirs.keys() | ours.keys())
    theirs, ours = ({key: texts.get(key, "") for key in keys}
                    for texts in (theirs, ours))
    for difference in differences.entries_of(scene):
        for key in keys:
            if difference.apply(theirs, ours, key):
                differences.used.add(difference)
                if difference.is_skipped:
                    why_skipped = difference.why
    return diff_of(renumbered(theirs), renumbered(ours)), why_skipped
