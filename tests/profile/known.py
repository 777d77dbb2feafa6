# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Compares a trace with frames.c, whose work is known and measured."""

from collections import Counter

from tests.profile.format import load

# A frame's draws, as in frames.c. Each pass begins with a clear.
PASSES = {"shadow map": 10, "scene": 28, "final": 2}
GROUPS = {"shadows": 10, "opaque": 28, "post": 2, "world": 40}
DRAWS = sum(PASSES.values())

WINDOW = {"final": ["window 128x128"]}

# Counters by the queries that count the same.
COUNTERS = {
    "SAMPLES_PASSED": "samples passed",
    "VERTICES_SUBMITTED": "Vertices Submitted",
    "PRIMITIVES_SUBMITTED": "Primitives Submitted",
    "VERTEX_SHADER_INVOCATIONS": "Vertex Shader Invocations",
    "FRAGMENT_SHADER_INVOCATIONS": "Fragment Shader Invocations",
    "CLIPPING_INPUT_PRIMITIVES": "Clipping Input Primitives",
    "CLIPPING_OUTPUT_PRIMITIVES": "Clipping Output Primitives",
}

# The ends of a slice are rounded to nanoseconds.
ROUNDING_US = 0.002

# Slices of a higher rank nest in those of a lower one; groups nest in groups.
RANKS = {"frame": 0, "group": 1, "pass": 2}
CALL_RANK = 3


def read(path):
    """The events of a trace, whose end may be missing."""
    return load(path.read_text(), float)


class Slice:
    """A slice of a GPU track, and the slices in it."""

    def __init__(self, event):
        self.category = event["cat"]
        self.rank = RANKS.get(self.category, CALL_RANK)
        self.name = event["name"]
        self.begin_us = event["ts"]
        self.length_us = event["dur"]
        self.end_us = event["ts"] + event["dur"]
        self.values = event.get("args", {})
        self.inner = []

    def can_hold(self, other):
        """Whether it encloses another slice that begins no earlier."""
        return (self.end_us + ROUNDING_US >= other.end_us and
                (self.rank < other.rank or
                 self.category == other.category == "group"))

    def of(self, category):
        """All slices of a category inside, at any depth."""
        for slice_ in self.inner:
            if slice_.category == category:
                yield slice_
            yield from slice_.of(category)

    def total(self, counter):
        """A counter's own value, or else the sum of the inner slices."""
        if counter in self.values:
            return self.values[counter]
        return sum(slice_.total(counter) for slice_ in self.inner)

    def share(self):
        """The passes' share of a frame's time; 0 for a part."""
        if "part" in self.values or not self.length_us:
            return 0
        return (sum(slice_.length_us for slice_ in self.of("pass")) /
                self.length_us)


def roots_of(events):
    """Frames, if the program ends any. In a track, a slice directly follows
    its enclosing slice or a sibling."""
    roots, stacks = [], {}
    for event in events:
        if event["ph"] != "X" or event["pid"] != 0:
            continue
        stack, new = stacks.setdefault(event["tid"], []), Slice(event)
        while stack and not stack[-1].can_hold(new):
            stack.pop()
        (stack[-1].inner if stack else roots).append(new)
        stack.append(new)
    return roots


def calls_by_name(roots, category, kind):
    """The number of draws or clears in slices of a category, by name."""
    calls = Counter()
    for root in roots:
        for slice_ in root.of(category):
            calls[slice_.name] += slice_.total(kind)
    return calls


def misnamed(roots, count, level):
    """Yields passes and groups with a wrong number of draws."""
    wanted = {"group": GROUPS, "pass": PASSES} if level != "frame" else {}
    for category, names in wanted.items():
        found = calls_by_name(roots, category, "draws")
        for name, draws in names.items():
            seen = sum(found[other] for other in (name, *WINDOW.get(name, ())))
            if seen != count * draws:
                yield (f"{category} '{name}' has {seen} draws, not "
                       f"{count * draws}: {dict(found)}")


def missing_calls(roots, count, level):
    """Yields a line if draws or clears, or their slices, are missing."""
    for kind, calls in ("draws", DRAWS), ("clears", len(PASSES)):
        total = sum(root.total(kind) for root in roots)
        slices = sum(len(list(root.of(kind[:-1]))) for root in roots)
        if total != count * calls:
            yield f"{total} {kind} in {count} frames"
        if slices != (count * calls if level == "draw" else 0):
            yield f"{slices} slices of {kind} in {count} frames"


def miscounted(roots, measured):
    """Yields counters whose sum differs from the program's queries."""
    for query, counter in COUNTERS.items():
        total = sum(root.total(counter) for root in roots)
        wanted = sum(values[query] for values in measured)
        if total != wanted:
            yield f"'{counter}' is {total}, but {query} {wanted}"


def misplaced(frame, measured, error_us):
    """Yields a frame outside of the CPU's times, beyond the clocks' error."""
    begin_us = measured["begin_ns"] / 1000 - error_us
    end_us = measured["end_ns"] / 1000 + error_us
    if frame.begin_us < begin_us or frame.end_us > end_us:
        yield (f"the GPU's time, {frame.begin_us} to {frame.end_us} us, is "
               f"not in that of the CPU, {begin_us} to {end_us} us")


def clock_error_us(events):
    """The maximum error of GPU times on the CPU's clock."""
    return max(event["args"]["error_ns"] for event in events
               if event["ph"] == "i" and event["name"] == "clock") / 1000


def misframed(roots, measured, error_us):
    """Yields wrong frames of a window. Frames of seconds are in parts."""
    numbers = sorted({root.values.get("frame", 0) for root in roots})
    if numbers != list(range(1, len(measured) + 1)):
        yield f"the frames are {numbers}, not {len(measured)}"
        return
    for root in roots:
        yield from misplaced(root, measured[root.values["frame"] - 1],
                             error_us)


def best_share(events):
    """The highest share of a frame's time in passes."""
    return max(root.share() for root in roots_of(events))


def faults(events, measured, level, has_window):
    """Yields a trace's faults, given the program's measurements per frame.
    Without a window no frame ends."""
    roots = roots_of(events)
    yield from misnamed(roots, len(measured), level)
    yield from missing_calls(roots, len(measured), level)
    yield from miscounted(roots, measured)
    if has_window:
        yield from misframed(roots, measured, clock_error_us(events))
