# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Reads uncovered.txt, the list of branches that no test takes."""

from typing import NamedTuple

from runners.command import RunError


class Entry(NamedTuple):
    """A line of the list. sometimes: whether the branch may be taken."""
    place: str
    key: tuple
    sometimes: bool

    def __str__(self):
        path, *rest = self.key
        return ": ".join((path, *rest))


def parse(place, text, reason):
    sometimes = text.startswith("?")
    fields = text.removeprefix("?").strip().split(": ", 3)
    if len(fields) != 4 or fields[2] not in ("true", "false"):
        raise RunError(f"{place}: expected 'FILE: FUNCTION: true: CONDITION' "
                       "or '... false: CONDITION'")
    if not reason:
        raise RunError(f"{place}: there is no reason above the line")
    return Entry(place, tuple(fields), sometimes)


def read(path):
    """The entries of the list. The reason of a line is the comment above it
    and the lines that follow that; an empty line ends both."""
    entries, reason = [], False
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                reason = bool(text)
            else:
                entries.append(parse(f"uncovered.txt:{number}", text, reason))
    return entries


def compare(branches, entries):
    """Returns (the branches never taken that no entry has, the entries that
    no such branch has)."""
    known = {entry.key for entry in entries}
    never = [branch for branch in branches if not branch.count]
    names = {branch.key() for branch in never}
    every = {branch.key() for branch in branches}
    return ([branch for branch in never if branch.key() not in known],
            [entry for entry in entries
             if entry.key not in (every if entry.sometimes else names)])
