# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The walks of calls: Pitot's functions that a call enters."""

import collections
import os
from typing import NamedTuple

from tests.runners.devices import ROOT

CALLS = ("begin", "end", "poll FALSE", "poll TRUE", "read")

DOCUMENT = os.path.join(ROOT, "docs", "architecture.md")
BEGIN = "<!-- Written by tests/bench/document. -->\n"
END = "<!-- The end of what it writes. -->\n"
# The walks that the document shows in full.
SHOWN_DRIVER = "iris"
SHOWN_CALLS = ("begin", "poll TRUE")


class Function(NamedTuple):
    name: str
    path: str


class Walk(NamedTuple):
    """(depth, Function) of each function, where it is first entered."""
    steps: tuple

    def __str__(self):
        return "{} in {}".format(*self.size())

    def size(self):
        """The number of functions, and of their files."""
        return (len(self.steps),
                len({function.path for _, function in self.steps}))

    def verdict(self, most, is_unreached):
        """Whether it is short enough; a walk in UNREACHED must be too long,
        and is a listed failure."""
        is_short = all(map(int.__le__, self.size(), most))
        if is_unreached:
            return "failed" if is_short else "listed"
        return "passed" if is_short else "failed"

    def lines(self):
        return [f"{'  ' * depth + function.name:50} {function.path}"
                for depth, function in self.steps]


def calls_of(output):
    """Yields (call, events) of pitot-patterns's output. A poll before a read
    had a result; a poll after a poll is one of a loop."""
    lines = [line.split()[1:] for line in output.splitlines()
             if line.startswith("walk ")]
    entries = ["", *(line[-1] for line in lines), ""]
    for before, line, after in zip(entries, lines, entries[2:]):
        call = line.pop()
        if call == "poll" and after == "read":
            call = "poll TRUE"
        elif call == "poll" and before != "poll":
            call = "poll FALSE"
        yield call, line


def walk_of(events, functions):
    """functions: {address: Function, or None if it is not Pitot's}."""
    found, stack = {}, []
    for event in events:
        if event == "-":
            stack.pop()
            continue
        function = functions[event[1:]]
        if function:
            found.setdefault(function, sum(map(bool, stack)))
        stack.append(function)
    return Walk(tuple((depth, function) for function, depth in found.items()))


def usual(walks):
    """The walk that most of these calls take."""
    return collections.Counter(walks).most_common(1)[0][0]


def markdown(walks):
    """Shows {(driver, call): Walk} as in the document."""
    drivers = list(dict.fromkeys(driver for driver, _ in walks))
    rows = [["functions in files", *drivers], ["---"] * (1 + len(drivers)),
            *([call, *(str(walks[driver, call]) for driver in drivers)]
              for call in CALLS)]
    text = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    for call in SHOWN_CALLS:
        text += "\n".join([f"\n{call.capitalize()} on {SHOWN_DRIVER}:", "",
                           "```", *walks[SHOWN_DRIVER, call].lines(),
                           "```\n"])
    return text


def document(walks):
    """The document as it is, and as it is with these walks."""
    with open(DOCUMENT, encoding="utf-8") as stream:
        text = stream.read()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    return text, before + begin + markdown(walks) + end + after
