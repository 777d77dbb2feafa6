# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The limits of a pattern of use with Pitot, compared with stock Mesa. A run
is what pitot-patterns prints; stock Mesa's is None if it lacks the
extension."""

import re

# Calls that must not wait unless they do on stock Mesa.
NO_WAITS = ("generate", "delete", "begin", "end", "poll", "disjoint")
# Extra waits allowed, for what a driver creates once per context; four threads
# have one each.
SPARE_WAITS = 2
THREADS = 4
# Extra ioctls, submissions and scenes allowed, on top of a quarter more.
SPARE_CALLS = 64
# Memory grows in blocks: less than this from the second to the last quarter of
# a run is no growth.
SPARE_B = 300 * 1000
SPARE_OBJECTS = 64
NO_GROWTH = {"heap_B": 0, "objects": 0}
LONGER = 4

# Each call of an entry point may do one more of these than on stock Mesa:
# (reason, regular expression for "DRIVER: PATTERN", field of a run, entry
# points). The extra ioctl queries a state, without a wait.
MORE = [
    ("a poll asks whether the kernel gave the batch up: again after 50 us, or "
     "63 polls of other queries",
     r"(?:iris|radeonsi): .*,poll_.*", "ioctls", ("poll",)),
    ("until a first result of samples has told which render backends there "
     "are, the CPU finds out about results",
     r"radeonsi: (?:occlusion|boolean),.*,(?:buffer|condition)_.*",
     "ioctls", ("store", "condition")),
    ("the same, and the driver's blits are samples of their own",
     r"radeonsi: .*,buffer_.*,blit", "ioctls", ("store",)),
    ("the command streamer computes nanoseconds exactly, which fills more "
     "buffers of a batch",
     r"iris: (?:elapsed|timestamp),.*,buffer_.*", "ioctls", ("store",)),
    ("a fence tells that the sets of Intel's driver may begin again: stock "
     "Mesa waits there",
     r"iris: (?:amd|intel),.*", "ioctls", ("begin", "delete")),
    ("stock zink forgets the query of compute shaders before a dispatch "
     "(zink-compute-in-render-pass.patch), and its end takes lavapipe a scene",
     r"zink: statistics,.*,dispatch", "scenes", ("work",)),
]

# A driver's own waits, for which there is no stock Mesa to compare: (reason,
# regular expression for "DRIVER: PATTERN", entry points).
WAITS = [
    ("llvmpipe has 64 scenes in flight: the call that needs another one waits "
     "for the oldest, be it a draw, a blit or the end of a query",
     r"llvmpipe: (?:amd|intel),.*,blit", ("begin", "end", "work")),
]

SPARE_NS = 0.5e6


def calls_of(run, field):
    return {entry: call[field] for entry, call in run["calls"].items()}


def longest(run):
    return max(calls_of(run, "longest_ns").values())


def total(run, field):
    return (run[field] if field in run
            else sum(calls_of(run, field).values()))


def all_waits(run):
    return sum(call["waits"] for entry, call in run["calls"].items()
               if entry != "finish")


def listed_entries(rows, name, field=None):
    return {entry for _, where, *fields, entries in rows
            if re.fullmatch(where, name) and fields in ([], [field])
            for entry in entries}


def may_wait(entry, pitot, stock):
    """Whether an entry point may wait: it waits on stock Mesa, too, or all
    calls together wait as often there."""
    if stock and stock["calls"][entry]["waits"]:
        return True
    return entry not in NO_WAITS and (
        not stock or all_waits(pitot) <= all_waits(stock))


def waits(name, pitot, stock):
    """The entry points that wait, and should not."""
    spare = SPARE_WAITS * (THREADS if "threads" in name.split(",") else 1)
    excepted = {"finish"} | (set() if stock else listed_entries(WAITS, name))
    for entry, call in pitot["calls"].items():
        if (call["waits"] > spare and entry not in excepted
                and not may_wait(entry, pitot, stock)):
            yield f"{entry} waits {call['waits']} of {call['calls']} times"


def spare_calls(name, run, field):
    entries = listed_entries(MORE, name, field)
    return SPARE_CALLS + sum(call["calls"]
                             for entry, call in run["calls"].items()
                             if entry in entries)


def more_calls(name, pitot, stock):
    here, there = pitot["violations"], stock["violations"]
    if here > there:
        yield f"{here} violations of the hardware's rules, {there} on stock Mesa"
    for field in ("ioctls", "submissions", "scenes"):
        here, there = total(pitot, field), total(stock, field)
        if here > 1.25 * there + spare_calls(name, pitot, field):
            yield f"{here} {field}, {there} on stock Mesa"


def growth(pitot, stock):
    """Why memory grows too much, compared with stock Mesa."""
    for field, spare, unit in (("heap_B", SPARE_B, "bytes"),
                               ("objects", SPARE_OBJECTS, "objects")):
        here = pitot[field]
        there = max(stock[field], 0) if stock else 0
        if here > there + spare:
            yield f"grows by {here} {unit}, on stock Mesa by {there}"


def leaks(pitot, longer, longer_stock):
    """Whether memory grows without limit: in a run LONGER times as long by
    much more. One block that is allocated late may be as large."""
    return (any(growth(longer, longer_stock))
            and any(longer[field] > LONGER / 2 * max(pitot[field], 0)
                    for field in NO_GROWTH if longer[field] > 0))


def judge_counts(name, pitot, stock):
    """Why the counts of "DRIVER: PATTERN" are wrong, or []."""
    reasons = [*waits(name, pitot, stock), *growth(pitot, stock)]
    if pitot["error"]:
        reasons.append(f"an error of GL, {pitot['error']:#x}")
    return reasons + (list(more_calls(name, pitot, stock)) if stock else [])


def verdict(name, pitot, stock):
    """The verdict on "DRIVER: PATTERN", and why; a run is None where the
    driver lacks the extension."""
    if not pitot:
        return (("failed", "it runs on stock Mesa only") if stock else
                ("skipped", "the driver lacks the extension"))
    why = "; ".join(judge_counts(name, pitot, stock))
    return "failed" if why else "passed", why


def is_too_long(pitot_ns, stock_ns):
    """Whether a pattern's longest call is."""
    return pitot_ns > 2 * stock_ns + SPARE_NS
